#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What scripts/paper_001.sh, scripts/paper_003_spgemm.sh, scripts/spgemm_phases.sh and scripts/paper_000_spmm.sh share, which
# source it first: their use, which is the comment at their head, the two folders, options, the program, the files of a folder,
# and heddle-perf spgemm, or another operation, started over where a case ended it.

source "$(dirname "${BASH_SOURCE[0]}")/in_this_build.sh"

usage() { sed -n '5,/^$/s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/${0##*/}: $2" >&2
  exit "$1"
}

# The folders as matrices and out, which the caller shifts away then.
read_folders() # MATRIX_DIR OUT_DIR...
{
  [ "${1:-}" != --help ] || { usage && exit 0; }
  [ $# -ge 2 ] && [[ $1 != -* ]] && [[ $2 != -* ]] || { usage >&2 && exit 2; }
  matrices=$1 out=$2
}

# The program as perf, what is given besides --quick and --seconds as given, and of $matrices each matrix once, the fastest to
# read of its files, as files, from small to large, so that a time limit costs the fewest.
read_options() # OPTION...
{
  given=() options=() quick=false seconds=0
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) quick=true ;;
      --seconds)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail 2 "--seconds needs a whole number"
        seconds=$2
        shift
        ;;
      *) given+=("$1") ;;
    esac
    shift
  done
  if $quick; then
    default --runs 5
    default --budget 0.05
  fi
  [ -d "$matrices" ] || fail 3 "there is no folder $matrices"
  scripts=$(dirname "${BASH_SOURCE[0]}")
  perf=${HEDDLE_PERF:-$scripts/../build/cuda-release/perf_tests/heddle-perf}
  [ -n "${HEDDLE_PERF:-}" ] || [ -x "$perf" ] || perf=$scripts/../build/openmp-release/perf_tests/heddle-perf
  [ -x "$perf" ] || fail 3 "there is no program $perf: build it with scripts/build.sh, or set HEDDLE_PERF"
  command -v python3 > /dev/null || fail 3 "python3 is missing: it makes the tables"
  local file name
  declare -A is_there=()
  files=()
  shopt -s nullglob
  for file in "$matrices"/*.{bin,mtx,mtx.gz}; do
    name=${file##*/} name=${name%.gz} name=${name%.*}
    [ -n "${is_there[$name]:-}" ] || { is_there[$name]=1 && files+=("$file"); }
  done
  [ ${#files[@]} -gt 0 ] || fail 3 "$matrices has no *.bin, *.mtx or *.mtx.gz"
  mapfile -t files < <(stat -L -c '%s %n' "${files[@]}" | sort -n | cut -d' ' -f2-)
  mkdir -p "$out"
}

default() # OPTION VALUE: unless it was given
{
  local word
  for word in ${given[@]+"${given[@]}"}; do
    [ "${word%%=*}" != "$1" ] || return 0
  done
  options+=("$@")
}

# heddle-perf spgemm, or $operation, with what follows and what was given, into OUT/NAME.jsonl. 8 is --case-limit: what is left goes on. 1, a
# wrong result, and 7, the end of the time, leave rows that say so. Matrices left out are said.
measure() # NAME ARGUMENT...
{
  local name=$1 attempt rc=0 start=$SECONDS limit=()
  shift
  : > "$out/$name.log"
  for attempt in {1..40}; do
    [ "$seconds" -eq 0 ] || limit=(--time-limit $((seconds > SECONDS - start ? seconds - SECONDS + start : 1)))
    rc=0
    "${program:-$perf}" "${operation:-spgemm}" "$@" ${given[@]+"${given[@]}"} ${limit[@]+"${limit[@]}"} --resume --json "$out/$name.jsonl" \
      >> "$out/$name.log" 2>&1 || rc=$?
    [ $rc -eq 8 ] || break
  done
  { grep ' is left out: ' "$out/$name.log" || true; } | sort -u >&2
  case $rc in
    0) ;;
    1 | 7 | 8) echo "$name: $(tail -n 1 "$out/$name.log")" >&2 ;;
    *) fail $rc "heddle-perf ${operation:-spgemm} failed: $(tail -n 1 "$out/$name.log")" ;;
  esac
}
