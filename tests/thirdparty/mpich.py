# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""MPICH's own tests, unchanged, with the library under test.

Its configure script makes the header that they include. A test that names what the library does not have is not
compiled; which name that was is remembered. Left out are its tests of programs with mistakes, of which the standard
does not say what comes, and of other processes and threads, and what needs gigabytes of memory.
"""

import pathlib
import re
import subprocess

ROOMS = ("attr", "basic", "coll", "comm", "datatype", "errhan", "group", "info", "init", "io", "pt2pt", "rma", "topo",
         "f77/attr", "f77/coll", "f77/comm", "f77/datatype", "f77/info", "f77/init",
         "f77/pt2pt", "f77/topo")
CONFIGURED = ("--disable-cxx", "--disable-spawn", "--enable-fortran=f77", "--disable-part", "--disable-perftest",
              "--disable-dtpools", "--disable-romio", "F77_MPI_ADDRESS=integer*8", "F77_MPI_OFFSET=integer*8")
# What the tests' common functions name and these tests do not use. ld drops the functions that nobody calls.
BEYOND = {"MPI_WIN_NULL_COPY_FN": 0, "MPI_WIN_NULL_DELETE_FN": 0, "MPI_UNIVERSE_SIZE": 0,
          "MPI_COMBINER_NAMED": 0}
COMMON = ("mtest", "mtest_common", "mtest_single", "dtypes")
MISSING = re.compile(r"undefined reference to .((?:p?mpi|DTP)_\w+)|.(\w+). undeclared|unknown type name .(\w+)|"
                     r"(?:Symbol|Variable) .(mpi_\w+)", re.I)
# Of its pool of datatypes, a library of its own, there is nothing here either.
OURS = re.compile(r"p?mpix?_|DTP_", re.I)


class Suite:
    """The tests in one source folder, configured and compiled in another."""

    def __init__(self, source, work, bin_dir):
        self.source, self.work, self.bin = source / "test/mpi", work / "mpich", pathlib.Path(bin_dir)
        self.c, self.fortran = str(self.bin / "assay-mpicc"), str(self.bin / "assay-mpif77")

    def set_up(self):
        """Configures, and compiles what the tests have in common."""
        self.work.mkdir(parents=True, exist_ok=True)
        if not (self.work / "include/mpitestconf.h").exists():
            subprocess.run([self.source / "configure", "-q", *CONFIGURED, f"CC={self.c}", f"MPICC={self.c}",
                            f"F77={self.fortran}", f"MPIF77={self.fortran}", f"MPIEXEC={self.bin / 'portalsrun'}"],
                           cwd=self.work, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (self.work / "out").mkdir(exist_ok=True)
        for name in COMMON:
            subprocess.run([self.c, *self.flags(), *(f"-D{key}={value}" for key, value in BEYOND.items()), "-c",
                            self.source / "util" / f"{name}.c", "-o", self.work / "out" / f"{name}.o"], check=True)
        subprocess.run([self.fortran, "-w", "-cpp", "-DMPI_UNIVERSE_SIZE=0", "-ffunction-sections", "-c",
                        self.source / "util/mtest_f77.f", "-o", self.work / "out/mtest_f77.o"], check=True)

    def flags(self):
        """What every compilation of C gets."""
        folders = (self.work / "include", self.work, self.work / "dtpools/include", self.source / "include",
                   self.source / "dtpools/include")
        return ["-w", "-g", "-O1", "-ffunction-sections", "-DHAVE_CONFIG_H", "-DHAVE_MPI_INIT_THREAD",
                *(f"-I{path}" for path in folders)]

    def listed(self):
        """(name, arguments of the launcher and the program) of each run that the suite lists for every MPI."""
        for room in ROOMS:
            found = [path for path in (self.work / room / "testlist", self.source / room / "testlist") if path.exists()]
            for line in found[0].read_text(encoding="utf-8").splitlines() if found else []:
                words = line.split("#")[0].split()
                if not words or any(word.startswith(("env=MPIR_", "mem=", "resultTest=")) for word in words):
                    continue
                processes = words[1] if len(words) > 1 and words[1].isdigit() else "2"
                arguments = [word[4:] for word in words if word.startswith("arg=")]
                if self.find(f"{room}/{words[0]}"):
                    yield f"{room}/{words[0]}", processes, arguments

    def find(self, name):
        """The source of a test: as it is, or as the configure script made it. None: made of others by automake."""
        for folder in (self.source, self.work):
            for ending in (".c", ".f"):
                if (folder / f"{name}{ending}").exists():
                    return folder / f"{name}{ending}"
        return None

    def compile(self, name):
        """(program, "") or (None, what the library does not have; nothing, where that is not why)."""
        source, program = self.find(name), self.work / "out" / name.replace("/", ".")
        if source.suffix == ".f":
            command = [self.fortran, "-w", f"-I{source.parent}", f"-I{self.work / name.rsplit('/', 1)[0]}",
                       f"-I{self.source / 'f77/attr'}", "-Wl,--gc-sections", source, self.work / "out/mtest_f77.o",
                       *(path for path in (source.with_name("utilsf.f"), source.with_name("dummyf.f"))
                         if path.exists() and path != source)]
        else:
            command = [self.c, *self.flags(), "-Wl,--gc-sections", source,
                       *(path for path in [source.with_name("mcs_mutex.c")] if "mutex_bench" in source.name),
                       *(self.work / "out" / f"{part}.o" for part in COMMON), "-lm"]
        done = subprocess.run([*command, "-o", program], capture_output=True, text=True, check=False, errors="replace")
        if done.returncode == 0:
            return program, ""
        names = sorted({name for found in MISSING.findall(done.stderr) for name in found if OURS.match(name)})
        return None, " ".join(names)

    @staticmethod
    def is_good(_, status, said):
        """What a run that found nothing looks like."""
        return status == 0 and "no errors" in said.lower()
