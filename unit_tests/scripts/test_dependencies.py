# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/dependencies.sh with pins of archives made here, and with compilers, CMake and curl that only note how they were called."""

import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
# `cmake --install` leaves what was unpacked, and the compiler's version, in the folder that the first call named.
CMAKE = """case "$*" in
  --version) echo cmake version 3.25.1 ;;
  *-DCMAKE_INSTALL_PREFIX=*)
    echo "$*" >> "$NOTES/builds"
    for argument in "$@"; do
      case $argument in
        -DCMAKE_INSTALL_PREFIX=*) installed=${argument#*=} ;;
        */source) source=$argument ;;
      esac
    done
    mkdir -p "$installed"
    cp "$source/content" "$installed"
    ;;
  --build* | --install*) ;;
  *) exit 1 ;; # nothing is found
esac
"""
COMPILER = """case $* in
  *--version) echo "${0##*/} %s $(cat "$NOTES/version" 2> /dev/null || echo 1.0)" ;;
  *-dumpmachine) echo x86_64-test ;;
esac
"""
FAKES = {
    "cmake": CMAKE,
    "g++": COMPILER % "(GCC)",
    "c++": COMPILER % "(GCC)",
    "clang++": COMPILER % "clang version",
    "ninja": "",
    "curl": 'echo "$*" >> "$NOTES/downloads"; exit 1',
    "dpkg-query": "echo installed",
    "apt-get": "",
    "nvidia-smi": "exit 1",
    "dpkg-deb": 'mkdir -p "$3/usr/include/trilinos/generated_specializations_hpp"; touch "$3/usr/include/trilinos/generated_specializations_hpp/a"',
}


def archive(content):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        entry = tarfile.TarInfo("folder/content")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


class Dependencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.prefix = self.folder / "prefix"
        self.notes = self.folder / "notes"
        self.cache = self.folder / "cache"
        for made in ("notes", "cache", "tools", "tree/scripts", "elsewhere"):
            (self.folder / made).mkdir(parents=True)
        for name, text in FAKES.items():
            self.tool(name, text)
        for needed in ("kokkoskernels", "site"):
            shutil.copytree(TREE / "scripts" / needed, self.folder / "tree/scripts" / needed)
        script = (TREE / "scripts/dependencies.sh").read_text()
        for name, content in (("kokkos", archive(b"kokkos")), ("catch2", archive(b"catch2")), ("kokkoskernels", b"deb")):
            file = re.search(rf"^{name}_archive='?([^'\n]+)", script, re.M).group(1)
            (self.cache / file).write_bytes(content)
            script = re.sub(rf"^{name}_sha256=.*", f"{name}_sha256={hashlib.sha256(content).hexdigest()}", script, flags=re.M)
        self.script = self.folder / "tree/scripts/dependencies.sh"
        self.script.write_text(script)
        self.script.chmod(0o755)

    def tool(self, name, text):
        file = self.folder / "tools" / name
        file.write_text("#!/bin/bash\n" + text + "\n")
        file.chmod(0o755)

    def run_script(self, preset="openmp-release", **variables):
        environment = {
            "PATH": f"{self.folder}/tools:/usr/bin:/bin",
            "HOME": str(self.folder),
            "NOTES": str(self.notes),
            "HEDDLE_DEPS_PREFIX": str(self.prefix),
            "HEDDLE_DEPS_CACHE": str(self.cache),
            **variables,
        }
        return subprocess.run(
            [str(self.script), preset], cwd=self.folder / "elsewhere", env=environment, capture_output=True, text=True
        )

    def provide(self, preset="openmp-release", **variables):
        done = self.run_script(preset, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)

    def builds(self):
        notes = self.notes / "builds"
        return len(notes.read_text().splitlines()) if notes.exists() else 0

    def link(self, name):
        return self.folder / "tree/build/deps/openmp-release" / name

    def test_everything_is_made_once(self):
        self.provide()
        self.assertEqual(self.builds(), 2)
        self.assertEqual((self.link("kokkos") / "content").read_text(), "kokkos")
        self.assertTrue((self.link("kokkoskernels") / "include/KokkosKernels_config.h").exists())
        self.provide()
        self.assertEqual(self.builds(), 2)
        self.assertFalse((self.notes / "downloads").exists())

    def test_the_site_needs_wheels_alone_and_only_where_it_is_asked_for(self):
        self.tool("python3", 'case $* in --version) cat "$NOTES/python" ;; *) echo "$*" >> "$NOTES/pip"; mkdir -p "${@:5:1}"; exit "$(cat "$NOTES/rc")" ;; esac')
        (self.notes / "python").write_text("Python 3.11\n")
        (self.notes / "rc").write_text("0")
        self.provide()
        self.assertFalse((self.notes / "pip").exists())
        builds = self.builds()
        for tool in ("cmake", "g++"):
            self.tool(tool, "exit 1")
        self.provide("site")
        self.provide("site")
        self.assertTrue((self.folder / "tree/build/deps/site/python/.complete").exists())
        (pip,) = (self.notes / "pip").read_text().splitlines()
        for option in ("--only-binary :all:", "--require-hashes", "-r scripts/site/requirements.txt"):
            self.assertIn(option, pip)
        (self.notes / "python").write_text("Python 3.13\n")  # has wheels of its own
        self.provide("site")
        self.assertEqual(len((self.notes / "pip").read_text().splitlines()), 2)
        self.assertEqual(self.builds(), builds)
        (self.notes / "python").write_text("Python 3.14\n")
        (self.notes / "rc").write_text("1")
        done = self.run_script("site")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot get what scripts/site/requirements.txt names", done.stderr)

    def test_an_archive_is_summed_where_nobody_else_can_change_it(self):
        evil = self.folder / "evil"
        evil.write_bytes(archive(b"evil"))
        # Another user wins the race: the archive changes just before it is copied.
        self.tool("cp", f'for file in "$@"; do case $file in {self.cache}/catch2*) cat {evil} > "$file" ;; esac; done; /bin/cp "$@"')
        done = self.run_script()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"cache/catch2\S+ has not the SHA-256 sum [0-9a-f]{64}")
        self.assertNotIn("evil", [file.read_text() for file in self.prefix.glob("*/content")])
        self.assertEqual([file.name for file in (self.prefix / "archives").glob("catch2*")], [])

    def test_what_others_may_have_written_is_made_again(self):
        self.provide()
        kokkos = self.link("kokkos").resolve()

        def is_made_again(change):
            before = self.builds()
            (kokkos / "content").write_text("planted")
            change()
            self.provide()
            again = (kokkos / "content").read_text() == "kokkos"
            self.assertEqual(self.builds() - before, 1 if again else 0)
            return again

        self.assertFalse(is_made_again(lambda: None))
        self.assertTrue(is_made_again(lambda: kokkos.chmod(0o775)))
        self.assertTrue(is_made_again(lambda: (kokkos / "content").chmod(0o666)))
        self.assertTrue(is_made_again(lambda: (kokkos / ".complete").write_text("")))
        if os.geteuid() == 0:
            self.assertTrue(is_made_again(lambda: os.chown(kokkos, 65534, 65534)))
            self.assertTrue(is_made_again(lambda: os.chown(kokkos / ".complete", 65534, 65534)))
        archives = self.prefix / "archives"
        archives.chmod(0o777)
        next(archives.glob("kokkos_*")).write_bytes(archive(b"planted"))
        self.assertTrue(is_made_again(lambda: kokkos.chmod(0o775)))
        self.assertEqual(archives.stat().st_mode & 0o022, 0)
        moved = self.folder / "moved"
        self.assertTrue(is_made_again(lambda: moved.symlink_to(kokkos.rename(moved.with_suffix(".real"))) or kokkos.symlink_to(moved)))

    def test_a_prefix_that_others_can_write_is_refused(self):
        for mode in (0o777, 0o775):
            self.prefix.mkdir(exist_ok=True)
            self.prefix.chmod(mode)
            done = self.run_script()
            self.assertIn("set HEDDLE_DEPS_PREFIX to a folder of your own that only you can write", done.stderr)
            self.assertEqual((done.returncode, self.builds(), list(self.prefix.iterdir())), (1, 0, []))
        if os.geteuid() == 0:
            self.prefix.chmod(0o755)
            os.chown(self.prefix, 65534, 65534)
            self.assertEqual(self.run_script().returncode, 1)

    def test_what_is_made_is_closed_to_others_whatever_the_umask(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        self.provide()
        self.assertEqual([path for path in self.prefix.rglob("*") if path.lstat().st_mode & 0o022 and not path.is_symlink()], [])

    def test_relative_folders_are_those_of_the_caller(self):
        self.provide(HEDDLE_DEPS_PREFIX="../prefix", HEDDLE_DEPS_CACHE="../cache")
        for name in ("kokkos", "catch2", "kokkoskernels"):
            self.assertEqual(self.link(name).resolve(strict=True).parent, self.prefix)

    def test_downloads_have_a_time_limit(self):
        shutil.rmtree(self.cache)
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "cannot get kokkos")
        calls = (self.notes / "downloads").read_text().splitlines()
        self.assertGreater(len(calls), 0)
        for call in calls:
            self.assertRegex(call, r"--max-time [1-9]")

    def test_each_compiler_has_its_own_builds(self):
        def builds_with(**variables):
            before = self.builds()
            self.provide(**variables)
            return self.builds() - before

        self.assertEqual(builds_with(), 2)
        self.assertEqual(builds_with(CXX="g++"), 0)  # what c++ is
        self.assertEqual(builds_with(CXX="clang++"), 2)
        self.assertEqual(builds_with(CXX="clang++ -m32"), 2)
        self.assertEqual(builds_with(CXXFLAGS="-O0"), 2)
        self.assertEqual(builds_with(CXX="clang++"), 0)
        self.assertEqual(builds_with(), 0)
        (self.notes / "version").write_text("2.0")
        self.assertEqual(builds_with(), 2)
        done = self.run_script(CXX="no-such-compiler")
        self.assertEqual((done.returncode, done.stderr), (1, "scripts/dependencies.sh: the compiler 'no-such-compiler' does not run\n"))

    def test_a_gpu_without_kernels_gets_no_cuda_build(self):
        self.tool("nvcc", "echo Build cuda_13.0")
        self.tool("nvidia-smi", "echo 7.0")
        done = self.run_script("cuda-release")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"cuda-release needs a GPU of compute capability 7\.5 \(Turing\) or newer")
        self.assertEqual(self.builds(), 0)
        self.provide("openmp-release")
        self.provide("cuda-release", HEDDLE_KOKKOS_CUDA_ARCH="HOPPER90")
        self.assertIn("Kokkos_ARCH_HOPPER90=ON", (self.notes / "builds").read_text())
        self.tool("nvidia-smi", "echo 7.5")
        self.provide("cuda-release")
        self.assertIn("Kokkos_ARCH_TURING75=ON", (self.notes / "builds").read_text())


if __name__ == "__main__":
    unittest.main()
