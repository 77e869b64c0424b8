#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/paper_004_profile.sh MATRIX OUT_DIR [KERNEL [REGEX]]: Table II of paper 004 (Anzt, Tomov, Dongarra, SELL-P): what
# a profiler says of one call of a SpMV kernel on MATRIX, a file or a name of the gallery, beside the paper's figures for
# its kernel on audikw_1. Needs a GPU and Nsight Compute (ncu on the PATH, or NCU=its path), which may ask for permission
# to read counters (NVIDIA: ERR_NVGPUCTRPERM).
#
#   KERNEL   an implementation of SpMV by name (cuda_native::sellp_paper); its format is what the name begins with, SELL
#            has b = t = 8
#   REGEX    which of its CUDA functions, as ncu --kernel-name takes it (spmv_)
#
# Writes paper_004_KERNEL.csv (ncu's log) and paper_004_KERNEL.txt (the table) to OUT_DIR and prints the table. It is of
# the fourth launch that REGEX fits: one that is checked and two that warm up come before it. Caches are as the launch
# before left them, clocks as they are. HEDDLE_PERF: the program, else that of build/cuda-release.

set -euo pipefail
usage() { sed -n '5,19s/^# \{0,1\}//p' "$0"; }
fail()
{
  echo "scripts/paper_004_profile.sh: $2" >&2
  exit "$1"
}
[ "${1:-}" != --help ] || { usage && exit 0; }
[ $# -ge 2 ] && [ $# -le 4 ] || { usage >&2 && exit 2; }
matrix=$1 out=$2 kernel=${3:-cuda_native::sellp_paper} regex=${4:-spmv_}
scripts=$(dirname "${BASH_SOURCE[0]}")
name=${kernel##*::}
case $name in
  csr* | coo* | ell* | sell* | hyb* | bsr*) format=$(grep -oE '^(csr|coo|ell|sell|hyb|bsr)' <<< "$name") ;;
  *) fail 2 "$kernel names no format: csr, coo, ell, sell, hyb or bsr" ;;
esac
command -v python3 > /dev/null || fail 3 "python3 is missing: it makes the table"
ncu=${NCU:-ncu}
command -v "$ncu" > /dev/null ||
  fail 3 "$ncu is missing: Nsight Compute comes with the CUDA toolkit; put ncu on the PATH or name it in NCU"
perf=${HEDDLE_PERF:-$scripts/../build/cuda-release/perf_tests/heddle-perf}
[ -x "$perf" ] || fail 3 "there is no program $perf: build the preset cuda-release, or set HEDDLE_PERF"
source=("$matrix")
[ -e "$matrix" ] || source=(--gallery "$matrix")
"$perf" implementations formats_spmv | grep -qxF "$kernel" || fail 3 "$perf has no $kernel for $format"

mkdir -p "$out"
log=$out/paper_004_$name.csv
rm -f "$log"
"$ncu" --clock-control none --cache-control none --target-processes all --csv --print-units base --log-file "$log" \
  --metrics "$("$scripts/heddle_report.sh" paper-004-profile --metrics)" \
  --kernel-name "regex:$regex" --launch-skip 3 --launch-count 1 \
  "$perf" formats "${source[@]}" --operation spmv --format "$format" --sell 8,8,1 --fill-limit 32 --type f64 \
  --implementation "$kernel" --baseline none --runs 5 > "$out/paper_004_$name.log" 2>&1 ||
  fail 3 "ncu or heddle-perf failed: $(tail -n 3 "$log" "$out/paper_004_$name.log" 2> /dev/null)"
grep -q "heddle::$kernel " "$out/paper_004_$name.log" ||
  fail 3 "$perf has no $kernel for $format: $(tail -n 3 "$out/paper_004_$name.log")"
"$scripts/heddle_report.sh" paper-004-profile "$log" > "$out/paper_004_$name.txt"
cat "$out/paper_004_$name.txt"
