#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks of the sources that need no build: clang-format 14, cmake-format, codespell, SPDX lines, ASCII, trailing blanks,
# paths of one machine, device lambdas in headers, includes of the native backend, tables, pictures and C++ of documents and the links
# between them, and the Python scripts.
# Reports everything that is wrong; --fix formats the files in place.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

failures=0
complain()
{
  echo "scripts/check_sources.sh: $1" >&2
  failures=$((failures + 1))
}

mapfile -t all < <(git ls-files --cached --others --exclude-standard)
mapfile -t sources < <(printf '%s\n' "${all[@]}" | grep -E '\.(hpp|cpp|cuh|hpp\.in|cmake|cmake\.in|sh|py)$|CMakeLists\.txt$|^\.ci/run$|^\.clang-')
mapfile -t headers < <(printf '%s\n' "${all[@]}" | grep -E '\.(hpp|cuh|hpp\.in)$')
mapfile -t formatted < <(printf '%s\n' "${all[@]}" | grep -E '\.(hpp|cpp|cuh)$')

mapfile -t cmake_files < <(printf '%s\n' "${all[@]}" | grep -E '\.cmake$|CMakeLists\.txt$')
mapfile -t spelled < <(printf '%s\n' "${all[@]}" | grep -vE '/results/|^fuzz/(corpus|seeds)|\.(jsonl|csv)$')

if [ "${1:-}" = --fix ]; then
  clang-format-14 -i "${formatted[@]}"
  cmake-format -i "${cmake_files[@]}"
fi
clang-format-14 --dry-run -Werror "${formatted[@]}" || complain "clang-format 14 would change these files (--fix does)"
cmake-format --check "${cmake_files[@]}" || complain "cmake-format would change these files (--fix does)"
codespell "${spelled[@]}" || complain "codespell finds these words; .codespellrc lists those that are right"

for file in "${sources[@]}"; do
  head -n 4 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' || complain "$file: no SPDX lines"
done
if LC_ALL=C grep -nP '[^\x00-\x7F]' "${sources[@]}"; then
  complain "these lines are not ASCII"
fi
if grep -nE '[[:blank:]]+$' "${sources[@]}"; then
  complain "these lines end in blanks"
fi
if grep -nE '/(home|root|work|Users)/[a-z]' "${sources[@]}" | grep -v 'scripts/check_sources.sh'; then
  complain "these lines have paths of one machine"
fi
if grep -nE '\b(TODO|FIXME|XXX)\b' "${sources[@]}" | grep -v 'scripts/check_sources.sh'; then
  complain "these lines have marks of unfinished work"
fi
if grep -nE '\bKOKKOS_(CLASS_)?LAMBDA\b|\] *__(host|device)__' "${headers[@]}"; then
  complain "these headers have device lambdas, which jump to address 0 where translation units share them (core/heddle/impl/scan.hpp)"
fi
for script in scripts/*.sh .ci/run; do
  bash -n "$script" || complain "$script does not parse"
  [ -x "$script" ] || complain "$script is not executable"
done
for file in unit_tests/*/test_*.py; do
  tests=$(python3 -B "$file" 2>&1) || complain "$file fails: $tests"
done
python3 -B scripts/check_includes.py backends/cuda_native || complain "headers of the native backend include too much"
python3 -B scripts/check_snippets.py ./*.md docs/*.md || complain "documents show C++ that no source has"
python3 -B scripts/check_links.py ./*.md docs/*.md || complain "documents have links that lead nowhere"
scripts/heddle_report.sh doc-tables --check || complain "tables of documents and perf_tests/results disagree"
[ $failures -eq 0 ] || exit 1
echo "sources: ${#formatted[@]} formatted files, ${#sources[@]} sources, nothing to complain about"
