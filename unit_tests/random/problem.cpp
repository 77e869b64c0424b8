// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>

#include <random/problem.hpp>

namespace heddle::test::random
{

char const* to_string(Type type)
{
  constexpr char const* names[] = {"f64", "f32", "c128", "f64_int64"};
  return names[static_cast<int>(type)];
}

char const* to_string(Format format)
{
  constexpr char const* names[] = {"csr", "coo",  "csc", "dcsr",          "bsr",
                                   "ell", "sell", "hyb", "row_segmented", "reordered"};
  return names[static_cast<int>(format)];
}

char const* to_string(Operation operation)
{
  constexpr char const* names[] = {"spmv",    "spmm",      "spmm_both",     "convert",
                                   "spgemm",  "associate", "transpose",     "permute",
                                   "reorder", "suggest",   "balanced_rows", "files"};
  return names[static_cast<int>(operation)];
}

char const* to_string(Placement placement)
{
  constexpr char const* names[] = {"row_major",   "column_major",   "shifted",
                                   "padded_rows", "padded_columns", "strided"};
  return names[static_cast<int>(placement)];
}

char const* to_string(Extra extra)
{
  constexpr char const* names[] = {"none", "same_again",   "fresh_plan", "new_values",
                                   "copy", "without_plan", "refused"};
  return names[static_cast<int>(extra)];
}

namespace
{

std::string to_code(double number)
{
  if (std::isnan(number))
    return "NAN";
  if (std::isinf(number))
    return number > 0 ? "INFINITY" : "-INFINITY";
  std::ostringstream text;
  text.precision(17);
  text << number;
  return text.str();
}

std::string to_code(Wide value)
{
  if (value.imag() == 0 && !std::signbit(value.imag()))
    return to_code(value.real());
  return "Wide(" + to_code(value.real()) + ", " + to_code(value.imag()) + ")";
}

std::string to_code(EntryList const& a)
{
  std::string text = "{" + std::to_string(a.rows) + ", " + std::to_string(a.cols) + ", {";
  for (std::size_t k = 0; k < a.entries.size(); ++k)
  {
    Entry const& entry = a.entries[k];
    text += std::string(k == 0 ? "" : ", ") + "{" + std::to_string(entry.row) + ", " +
            std::to_string(entry.column) + ", " + to_code(entry.value) + "}";
  }
  return text + "}}";
}

// The members as designated initialisers.
class Members
{
public:
  template <class Value>
  void add(char const* name, Value const& value, Value const& usual, std::string const& code)
  {
    if (value == usual)
      return;
    m_text += std::string(m_text.empty() ? "" : ",\n ") + "." + name + " = " + code;
  }
  void add(char const* name, bool value) { add(name, value, false, "true"); }
  template <class Enum>
  void add(char const* type, char const* name, Enum value, Enum usual)
  {
    add(name, value, usual, std::string(type) + "::" + to_string(value));
  }
  std::string text() const { return m_text; }

private:
  std::string m_text;
};

} // namespace

std::string to_code(Problem const& p)
{
  Problem const usual;
  auto const& s = p.shape;
  Members members;
  members.add("Type", "type", p.type, usual.type);
  members.add("Operation", "operation", p.operation, usual.operation);
  members.add("Format", "format", p.format, usual.format);
  members.add("shape", s, usual.shape,
              "{" + std::to_string(s[0]) + ", " + std::to_string(s[1]) + ", " +
                  std::to_string(s[2]) + "}");
  members.add("a", true, false, to_code(p.a));
  members.add("b", is_product(p.operation), false, to_code(p.b));
  members.add("from_coordinates", p.from_coordinates);
  members.add("shifted_arrays", p.shifted_arrays);
  members.add("no_offsets", p.no_offsets);
  members.add("Op", "op", p.op, usual.op);
  members.add("Op", "op_b", p.op_b, usual.op_b);
  members.add("alpha", p.alpha, usual.alpha, to_code(p.alpha));
  members.add("beta", p.beta, usual.beta, to_code(p.beta));
  members.add("columns", p.columns, usual.columns, std::to_string(p.columns));
  members.add("Placement", "in", p.in, usual.in);
  members.add("Placement", "out", p.out, usual.out);
  members.add("seed", p.seed, usual.seed, std::to_string(p.seed) + "U");
  members.add("has_specials", p.has_specials);
  members.add("other_instance", p.other_instance);
  members.add("Backend", "backend", p.backend, usual.backend);
  members.add("implementation", p.implementation, usual.implementation,
              "\"" + p.implementation + "\"");
  members.add("deterministic", p.deterministic);
  members.add("transposed", p.transposed);
  members.add("may_convert", p.may_convert);
  members.add("reuse", p.reuse);
  members.add("expected_calls", p.expected_calls, usual.expected_calls,
              std::to_string(p.expected_calls));
  members.add("SpgemmAccumulator", "accumulator", p.accumulator, usual.accumulator);
  members.add("virtual_warps", p.virtual_warps, usual.virtual_warps,
              std::to_string(p.virtual_warps));
  members.add("max_workspace_bytes", p.max_workspace_bytes, usual.max_workspace_bytes,
              std::to_string(p.max_workspace_bytes));
  members.add("Extra", "extra", p.extra, usual.extra);
  return "Problem{" + members.text() + "}";
}

} // namespace heddle::test::random
