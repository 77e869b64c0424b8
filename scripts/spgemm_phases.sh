#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/spgemm_phases.sh MATRIX_DIR OUT_DIR [--quick] [--seconds N] [OPTION...]: where the time of a whole multiply C = A A goes
# on CUDA, for every matrix of MATRIX_DIR (*.bin, *.mtx, *.mtx.gz; of others than square ones C = A A^T), in f64: the time of the call, and
# of each step of it what Nsight Compute measured of its kernels, one after another. Writes to OUT_DIR
#
#   spgemm_phases.txt      the table, which is printed too
#   spgemm_phases.jsonl    an object a matrix: milliseconds by step
#   times.jsonl kernels/   what it was made of
#
#   --quick       few runs
#   --seconds N   begins no case of times and no profile after N seconds, each
#
# Other options go to heddle-perf spgemm; --type, --runs, --budget, --implementation and --baseline replace what the script has.
# HEDDLE_PERF: the program, else that of build/cuda-release; NCU: ncu, else that on the PATH.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/spgemm_common.sh"
read_folders "$@"
shift 2
read_options "$@"
ncu=${NCU:-ncu}
command -v "$ncu" > /dev/null || fail 3 "$ncu is not there: it measures the kernels"
default --type f64
default --implementation auto
default --baseline none

measure times "${files[@]}" "${options[@]}"
mkdir -p "$out/kernels"
begin=$SECONDS
for file in "${files[@]}"; do
  [ "$seconds" -eq 0 ] || [ $((SECONDS - begin)) -le "$seconds" ] || break
  name=${file##*/} name=${name%.gz}
  HEDDLE_PERF_PROFILE=spgemm "$ncu" --profile-from-start off --clock-control none --cache-control none --target-processes all \
    --csv --print-units base --log-file "$out/kernels/${name%.*}.csv" --metrics "$("$scripts/heddle_report.sh" spgemm-phases --metrics)" \
    "$perf" spgemm "$file" "${options[@]}" ${given[@]+"${given[@]}"} > "$out/profile.log" 2>&1 ||
    echo "scripts/spgemm_phases.sh: $name: no profile: $(tail -n 1 "$out/profile.log")" >&2
done
"$scripts/heddle_report.sh" spgemm-phases "$out" > "$out/spgemm_phases.txt"
cat "$out/spgemm_phases.txt"
