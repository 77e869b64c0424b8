# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack recipe; docs/install.md says how it is used."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Heddle(CMakePackage):
    """Sparse matrix kernels on Kokkos, with native CUDA kernels: SpMV, SpMM and SpGEMM."""

    license("Apache-2.0 WITH LLVM-exception")

    # Built from a checkout, which `spack develop` names.
    version("main")

    variant("cuda_native", default=True, description="Native CUDA kernels, where Kokkos has CUDA")
    variant("instances", default=True, description="A library of the kernels of the common types")
    variant("perf", default=False, description="heddle-perf, which measures")

    depends_on("cxx", type="build")
    depends_on("cmake@3.23:", type="build")
    depends_on("kokkos@5.0:")
    depends_on("zlib-api")
    depends_on("hwloc")
    depends_on("cli11", when="+perf")
    depends_on("nlohmann-json", when="+perf")

    def cmake_args(self):
        args = [
            self.define_from_variant("HEDDLE_ENABLE_CUDA_NATIVE", "cuda_native"),
            self.define_from_variant("HEDDLE_ENABLE_INSTANCES", "instances"),
            self.define_from_variant("HEDDLE_ENABLE_PERF_TESTS", "perf"),
            self.define("HEDDLE_ENABLE_TESTS", False),
            self.define("HEDDLE_ENABLE_EXAMPLES", False),
        ]
        if self.spec.satisfies("^kokkos+cuda"):
            # The compiler that Kokkos was built with: its nvcc_wrapper, or clang.
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        return args
