#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# messages.sh HEDDLE_PERF: what the program makes of its command line, and what it says of one that is wrong.

. "$(dirname "$0")/expect.sh"

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' > "$dir/pattern.mtx"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 4 3\n1 1 5\n2 4 -7\n1 3 2\n' > "$dir/integer.mtx"
quick=(--runs 5 --budget 0.1 --baseline serial)

# prints TEXT...: the last command printed a line with each of them.
prints()
{
  local text
  for text in "$@"; do
    grep -qF -- "$text" "$dir/out" || { complain "no line with '$text':" && cat "$dir/out"; }
  done
}

# A list is one text: what follows it is a file. It may be given again.
expect 0 'pattern .*: spmv f32' spmv "${quick[@]}" --type f32,f64 "$dir/pattern.mtx" --gallery stencil5_4,stencil5_3 "$dir/integer.mtx" \
  --gallery stencil5_5 --op n --op t --implementation auto
prints 'pattern (3 x 3, 4 entries): spmv_t f64' 'integer (2 x 4, 3 entries): spmv f32' 'stencil5_4 (' 'stencil5_3 (' 'stencil5_5 ('
expect 0 'k = 7' spmm "${quick[@]}" --k 5,7 "$dir/pattern.mtx"
expect 0 'csr heddle::auto' formats "${quick[@]}" --format csr "$dir/pattern.mtx"
expect 0 'pattern__degree' reorder --order degree "$dir/pattern.mtx" --out "$dir/moved"

[ $failures -eq 0 ] || exit 1
echo "all as expected"
