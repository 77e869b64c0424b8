// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_session.hpp>

#include <cstdlib>
#include <Tpetra_Core.hpp>

// Every rank runs every test, and the program fails where one of them does.
int main(int argc, char** argv)
{
  setenv("TPETRA_USE_KOKKOS_PROFILING", "1", 1); // a test asks when transfers begin and end
  Tpetra::ScopeGuard const guard(&argc, &argv);
  return Catch::Session().run(argc, argv);
}
