#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/gpu_suite.sh MATRIX_DIR OUT_DIR [--quick] [--minutes N] [--case-limit S]
#                      [--operation spmv,spmm,spgemm] [--gallery NAME,...]
#
# The whole suite on this machine's GPU: SpMV, SpMM (A B row- and column-major, A^T B, both together) and SpGEMM (whole
# multiply and numeric phase) of every matrix of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz) and of the gallery's, in f32 and f64
# (SpGEMM in f64), with every baseline of the build. Each operation has a file OUT_DIR/OPERATION.jsonl with one row a case
# and its tables in OPERATION.txt; all of it ends up in OUT_DIR/report.html, and suite.log says what ran when.
#
#   --quick         12 matrices, 6 of the folder's (spread over their sizes) and 6 of the gallery's, and k = 32 only
#   --minutes N     begin no case after N minutes (6 with --quick, else no limit): exit code 7
#   --case-limit S  a case that takes longer than S seconds is given up (10)
#   --operation     only these
#   --gallery       these matrices of the gallery instead of the suite's own; none: --gallery ""
#
# Run again, it goes on: cases that this build has rows of are not measured again, others replace theirs. A baseline that
# takes the program or the device down costs its own case: the suite starts over behind it.
# HEDDLE_PERF: the program, else that of build/cuda-release. Ends with heddle-perf's exit code: 0, or 1 where a result of
# heddle was wrong (docs/heddle_perf.md).

set -euo pipefail

fail()
{
  echo "scripts/gpu_suite.sh: $2" >&2
  exit "$1"
}

quick=false minutes='' case_limit=10 operations=spmv,spmm,spgemm gallery=unset
folders=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '5,24s/^# \{0,1\}//p' "$0" && exit 0 ;;
    --quick) quick=true ;;
    --minutes | --case-limit | --operation | --gallery)
      [ $# -ge 2 ] || fail 2 "$1 needs a value"
      case $1 in
        --minutes) minutes=$2 ;;
        --case-limit) case_limit=$2 ;;
        --operation) operations=$2 ;;
        --gallery) gallery=$2 ;;
      esac
      shift
      ;;
    -*) fail 2 "unknown option $1 (see --help)" ;;
    *) folders+=("$1") ;;
  esac
  shift
done
[ ${#folders[@]} -eq 2 ] || fail 2 "name a folder of matrices and one for the results (see --help)"
matrices=${folders[0]} out=${folders[1]}
[ -d "$matrices" ] || fail 3 "there is no folder $matrices"
perf=${HEDDLE_PERF:-$(dirname "${BASH_SOURCE[0]}")/../build/cuda-release/perf_tests/heddle-perf}
[ -x "$perf" ] || fail 3 "there is no program $perf: build the preset cuda-release, or set HEDDLE_PERF"
version=$("$perf" --version) || fail 3 "$perf does not run"
for operation in ${operations//,/ }; do
  case $operation in
    spmv | spmm | spgemm) ;;
    *) fail 2 "unknown operation $operation" ;;
  esac
done
mkdir -p "$out"

# Files from small to large, so that a time limit costs the fewest.
mapfile -t files < <(find -L "$matrices" -maxdepth 1 \( -name '*.bin' -o -name '*.mtx' -o -name '*.mtx.gz' \) -printf '%s %p\n' |
  sort -n | cut -d' ' -f2-)
names=(band15 band63 band15_perm band63_perm dnn_4096_90 rmat17_16 uniform_128k_32 rmat20_8 uniform_1m_8 elast3_40
  stencil27_100 stencil7_160)
widths=32,128
if $quick; then
  : "${minutes:=6}"
  widths=32
  names=(band63 dnn_4096_90 rmat17_16 uniform_1m_8 elast3_40 stencil27_100)
  some=()
  for n in 1 2 3 4 5 6; do
    at=$((${#files[@]} * (2 * n - 1) / 12))
    [ ${#files[@]} -eq 0 ] || some+=("${files[at]}")
  done
  mapfile -t files < <([ ${#some[@]} -eq 0 ] || printf '%s\n' "${some[@]}" | uniq)
fi
[ "$gallery" = unset ] || IFS=, read -ra names <<< "$gallery"
inputs=("${files[@]}")
[ ${#names[@]} -eq 0 ] || inputs+=(--gallery "$(IFS=, && echo "${names[*]}")")
[ ${#inputs[@]} -gt 0 ] || fail 2 "no matrices: $matrices has none, and --gallery names none"

say() { echo "$(date -u +%FT%TZ) $*" | tee -a "$out/suite.log"; }

# What is left of the time; 0 would be no limit.
seconds_left()
{
  [ -n "$minutes" ] || { echo 0 && return; }
  local left=$((minutes * 60 - SECONDS))
  echo $((left > 1 ? left : 1))
}

worst=0
# measure FILE COMMAND...: heddle-perf on all matrices, again where a case ended it; rows go to FILE.
measure() { measure_inputs "$@" -- "${inputs[@]}"; }

# Matrix after matrix: starting over behind a case costs one matrix, where cases of many end the program.
measure_each()
{
  local input
  for input in "${files[@]}"; do
    measure_inputs "$@" -- "$input"
  done
  for input in "${names[@]}"; do
    measure_inputs "$@" -- --gallery "$input"
  done
}

# measure_inputs FILE COMMAND... -- INPUT...
measure_inputs()
{
  local file=$1 rc=0 attempt command=()
  shift
  while [ "$1" != -- ]; do
    command+=("$1")
    shift
  done
  shift
  for attempt in {1..40}; do
    rc=0
    "$perf" "${command[@]}" "$@" --baseline kk,cusparse,cublas,spmv_loop --json "$out/$file.jsonl" --resume \
      --time-limit "$(seconds_left)" --case-limit "$case_limit" >> "$out/$file.txt" 2>> "$out/suite.log" || rc=$?
    say "$file: ${command[*]}, inputs up to ${!#}, start $attempt: ended with $rc"
    case $rc in
      0 | 1 | 2 | 3 | 7) break ;;
    esac
  done
  [ $rc -eq 0 ] || [ $worst -gt 1 ] || worst=$rc
}

say "heddle-perf $version: ${#files[@]} files, ${#names[@]} of the gallery${minutes:+, $minutes minutes}"
effort=(--implementation all --budget 0.1)
for operation in ${operations//,/ }; do
  case $operation in
    spmv) measure spmv spmv --type f32,f64 --op n,t "${effort[@]}" ;;
    spmm)
      measure spmm spmm --type f32,f64 --k $widths --op n,t,both "${effort[@]}"
      measure spmm spmm --type f32,f64 --k $widths --op n --layout col "${effort[@]}"
      ;;
    spgemm) measure_each spgemm spgemm --type f64 --runs 7 --implementation auto --budget 1 ;;
  esac
done
# A machine of GPUs may have no matplotlib: the page can be made anywhere.
"$perf" report "$out" --out "$out/report.html" >> "$out/suite.log" 2>&1 || say "no page: suite.log says why"
say "done in $((SECONDS / 60)) min $((SECONDS % 60)) s, exit code $worst"
exit $worst
