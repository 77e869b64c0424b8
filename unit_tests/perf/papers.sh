#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# papers.sh HEDDLE_PERF PAGE: whether what a page such as docs/papers.md names is there. Its commands are the code spans and
# the indented lines that begin with heddle-perf or scripts/: the former must parse, the latter be there, be executable and
# answer --help. Files of results that it names must be there; where a commit follows, `results/DIR/FILE.jsonl` (COMMIT),
# numbers were taken from rows of that commit, and the file must still have some.

set -uf
perf=$1 page=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
commands=0 failures=0

complain()
{
  echo "${page##*/}: $1"
  failures=$((failures + 1))
}

# Code spans that go on in the next line would hide a command.
while IFS= read -r line; do
  complain "a line has half a code span: $line"
done < <(awk -F '`' 'NF > 0 && NF % 2 == 0' "$page")

check_script() # SCRIPT
{
  if [ ! -x "$root/$1" ]; then
    complain "$1 is not there or not executable"
  elif ! "$root/$1" --help > /dev/null 2>&1; then
    complain "$1 --help ends with an error"
  fi
}

while read -r -a words; do
  commands=$((commands + 1))
  if [ "${words[0]}" = heddle-perf ]; then
    said=$("$perf" --parse-only "${words[@]:1}" 2>&1) || complain "${words[*]}: $said"
  else
    check_script "${words[0]}"
  fi
done < <({ grep -oE '`[^`]+`' "$page" | tr -d '`'; grep -E '^    ' "$page"; } |
  sed -nE 's/^ *(heddle-perf |scripts\/)/\1/p' | sort -u)

while read -r file commit; do
  if [ ! -r "$root/perf_tests/$file" ]; then
    complain "perf_tests/$file is not there"
  elif [ -n "$commit" ] && ! grep -qF "\"commit\":\"$commit\"" <(zcat -f "$root/perf_tests/$file"); then
    complain "perf_tests/$file has no rows of $commit any more: the numbers beside it are old"
  fi
done < <(grep -oE '`results/[^`]+\.jsonl(\.gz)?`( \([0-9a-f]{12}\+?\))?' "$page" | tr -d '`()' | sort -u)

[ $commands -gt 0 ] || complain "no command was found"
[ $failures -eq 0 ] || exit 1
echo "${page##*/}: $commands commands, all as expected"
