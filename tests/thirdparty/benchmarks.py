# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Benchmarks that Debian has, as tests: HPCC checks its own results, NetPIPE what comes back where it is told to."""

import pathlib
import re
import subprocess


class Hpcc:
    """The HPC Challenge: all its C files as one program; a small problem on four processes."""

    FLAGS = ("-w", "-O2", "-DAdd__", "-DF77_INTEGER=int", "-DStringSunStyle", "-Iinclude", "-Ihpl/include")

    def __init__(self, source, work, bin_dir):
        self.source, self.compiler = source, pathlib.Path(bin_dir) / "assay-mpicc"
        self.program = work / "hpcc"

    def set_up(self):
        """The wrapper shows the results, which the benchmark writes into a file beside its input."""
        given = (self.source / "_hpccinf.txt").read_text(encoding="utf-8")
        self.program.mkdir(exist_ok=True)
        # A problem of order 1000 takes minutes, one of 200 seconds.
        (self.program / "hpccinf.txt").write_text(re.sub(r"^1000 +Ns", "200 Ns", given, flags=re.M), encoding="utf-8")
        wrapper = self.program / "run"
        wrapper.write_text('#!/bin/sh\ncp -n "$(dirname "$0")/hpccinf.txt" . && "$(dirname "$0")/hpcc" && '
                           'if [ -f hpccoutf.txt ]; then cat hpccoutf.txt; fi\n', encoding="utf-8")
        wrapper.chmod(0o755)

    @staticmethod
    def listed():
        """The one run."""
        yield "hpcc", "4", []

    def compile(self, _):
        """(program, "") or (None, "")."""
        files = sorted(path.relative_to(self.source) for path in self.source.rglob("*.c"))
        done = subprocess.run([self.compiler, *self.FLAGS, *files, "-lblas", "-lm", "-o", self.program / "hpcc"],
                              cwd=self.source, capture_output=True, text=True, check=False)
        return (self.program / "run", "") if done.returncode == 0 else (None, "")

    @staticmethod
    def is_good(_, status, said):
        """The benchmark's own verdicts, of which there are several."""
        return status == 0 and "Success=1" in said and "FAILED" not in said and said.count("PASSED") > 0


class NetPipe:
    """NetPIPE between two processes, comparing every octet, and then streaming."""

    def __init__(self, source, work, bin_dir):
        self.source, self.compiler = source, pathlib.Path(bin_dir) / "assay-mpicc"
        self.folder = work / "netpipe"

    def set_up(self):
        """Nothing but a place."""
        self.folder.mkdir(exist_ok=True)

    @staticmethod
    def listed():
        """Integrity; a ping-pong; a stream one way; asynchronous receives; both ways with these; synchronous sends.

        Both ways without asynchronous receives it rests on room for what nobody receives, which MPI does not promise.
        """
        for arguments in (["-i"], [], ["-s"], ["-a"], ["-2", "-a"], ["-S"]):
            yield "netpipe", "2", [*arguments, "-u", "100000", "-n", "10"]

    def compile(self, _):
        """(program, "") or (None, "")."""
        program = self.folder / "NPmpi"
        done = subprocess.run([self.compiler, "-w", "-O2", "-DMPI", "src/netpipe.c", "src/mpi.c", "-o", program],
                              cwd=self.source, capture_output=True, text=True, check=False)
        return (program, "") if done.returncode == 0 else (None, "")

    @staticmethod
    def is_good(_, status, said):
        """All sizes but for the largest few, of which an integrity check takes none, and no complaint."""
        return status == 0 and bool(re.search(r"9830\d bytes", said)) and not re.search("fail|error", said, re.I)


ALL = {"hpcc": Hpcc, "netpipe": NetPipe}
