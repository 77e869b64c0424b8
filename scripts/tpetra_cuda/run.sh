#!/bin/sh
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sh run.sh RANKS PROGRAM [ARGUMENT...]: ranks of bin/PROGRAM on this machine, with the C library, MPI and all other libraries of this
# folder, of which nothing is installed; the driver (libcuda.so.1) is the machine's. Kokkos gives each rank a device, round robin.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
driver=$(/sbin/ldconfig -p | sed -n 's/.*libcuda\.so\.1 .*=> //p' | head -n 1)
with_folder()
{
  program=$1
  shift
  exec "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib${driver:+:$(dirname "$driver")}" --argv0 "$program" "$here/bin/$program" "$@"
}

if [ "$1" = --rank ]; then
  shift
  with_folder "$@"
fi
ranks=$1
shift
export HOME="${HOME:-$here}"
# What Tpetra for CUDA has as its defaults, where the part of it that was compiled for hosts has others.
export TPETRA_HIERARCHICAL_UNPACK_BATCH_SIZE=16 TPETRA_HIERARCHICAL_UNPACK_TEAM_SIZE=16
# Messages through the host's memory.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,sm PMIX_MCA_pcompress_base_silence_warning=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
with_folder prterun --personality ompi --map-by :oversubscribe -n "$ranks" /bin/sh "$here/run.sh" --rank "$@"
