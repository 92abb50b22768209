# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Systems under test that are not the reference, built as a vendor would: the archive unpacked, `make` with the
vendor's header and library (interpreter/README.md)."""

import json
import os
import pathlib
import subprocess
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
COMPILE = ["gcc", "-std=c17", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-c"]

# What the library over pipes is compiled with, and what `make` then wants of the interpreter.
PIPES = {"wide": ([], ""), "narrow": (["-DNARROW"], "-DHANDLES_ARE_INTEGERS"), "idle": (["-DIDLE"], ""),
         "late": (["-DLATE"], "")}


def make(folder, *words):
    made = subprocess.run(["make", "-j2", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return made.stderr


@pytest.fixture(scope="session")
def unpacked(build, tmp_path_factory):
    """unpacked(): the folder of the archive for vendors, fresh."""
    def fresh():
        folder = tmp_path_factory.mktemp("vendor")
        with tarfile.open(build / "share" / "assay-interpreter.tar.gz") as archive:
            archive.extractall(folder)
        [inside] = folder.iterdir()
        return inside
    return fresh


@pytest.fixture(scope="session")
def pipes(root, unpacked):
    """pipes(which): the command template of the library over pipes, and what `make` said."""
    built = {}

    def build_one(which):
        flags, own = PIPES[which]
        folder = unpacked()
        for source in sorted((HERE / "pipes").glob("*.c")):
            subprocess.run([*COMPILE, *flags, f"-I{root}", source, "-o", folder / f"lib-{source.stem}.o"], check=True)
        subprocess.run(["ar", "rcs", "libpipes.a", *(path.name for path in folder.glob("lib-*.o"))], cwd=folder,
                       check=True)
        said = make(folder, "interp-portals", f"CFLAGS=-O1 -g -Werror {own}",
                    f"PORTALS_CFLAGS=-I{HERE / 'pipes'} {' '.join(flags)}", f"PORTALS_LIBS={folder}/libpipes.a")
        return [str(HERE / "pipes" / "launch.sh"), "{np}", str(folder / "interp-portals"), "{args}"], said

    def one(which):
        if which not in built:
            built[which] = build_one(which)
        return built[which]
    return one


# What the library of 3.3 is compiled with, to make other choices (onesided/choices.h).
ONESIDED = {"as-it-is": [], "few": ["-DFEW=1", "-DHIGHEST=1", "-DIN_ORDER=1", "-DSENT_LAST=1"],
            "members": ["-DMEMBERS=1", "-DNOTHING_NONE=1", "-DNUMBERS_FROM=1000", "-DSTART_LAST=1"],
            "lazy": ["-DLAZY_US=2000", "-DNOTHING_REFUSED=1", "-DFAR=7"]}


@pytest.fixture(scope="session")
def onesided(root, unpacked):
    """onesided(which): the command template of the library of 3.3 that works in the job's shared memory, and what
    `make` said."""
    def build_one(which):
        folder, flags = unpacked(), ONESIDED[which]
        for source in sorted((HERE / "onesided").glob("*.c")):
            subprocess.run([*COMPILE, *flags, f"-I{root}", source, "-o", folder / f"lib-{source.stem}.o"], check=True)
        subprocess.run(["ar", "rcs", "libonesided.a", *(path.name for path in folder.glob("lib-*.o"))], cwd=folder,
                       check=True)
        said = make(folder, "interp-portals", "CFLAGS=-O1 -g -Werror",
                    f"PORTALS_CFLAGS=-I{HERE / 'onesided'} {' '.join(flags)}",
                    f"PORTALS_LIBS={folder}/libonesided.a")
        return [str(HERE / "pipes" / "launch.sh"), "{np}", str(folder / "interp-portals"), "{args}"], said
    return build_one


@pytest.fixture(scope="session")
def in_init(root, bin_dir, unpacked):
    """in_init(*arguments): the template of the client that comes to life in MPI_Init; arguments are interp-mpi's."""
    folder = unpacked()
    for name in ("init", "handover", "place"):
        subprocess.run([*COMPILE, f"-I{root}", f"-I{root}/ref-impl/include", HERE / "in_init" / f"{name}.c", "-o",
                        folder / f"{name}.o"], check=True)
    subprocess.run(["gcc", "-o", "in-init-place", "place.o", "handover.o"], cwd=folder, check=True)
    make(folder, "interp-mpi", f"MPICC={bin_dir}/assay-mpicc", f"MPI_LIBS={folder}/init.o {folder}/handover.o")
    os.symlink(folder / "interp-mpi", folder / "interp-in-init")
    os.symlink(bin_dir / "impirun", folder / "impirun")

    def template(*arguments):
        return [str(HERE / "in_init" / "launch.sh"), str(folder), "{client}", "{server}", "{np}", "{hosts}",
                *arguments, "{args}"]
    return template


@pytest.fixture(scope="session")
def slow(tmp_path_factory):
    """slow(template, **knobs): the template of the same system, made slow (slow/slow.c): SEND="2-8" and so on."""
    made = tmp_path_factory.mktemp("slow") / "slow.so"
    subprocess.run([*COMPILE[:-1], "-shared", "-fPIC", "-o", made, HERE / "slow" / "slow.c", "-ldl"], check=True)

    def template(words, **knobs):
        return ["env", f"LD_PRELOAD={made}", *(f"SLOW_{name}={value}" for name, value in knobs.items()),
                *map(str, words)]
    return template


@pytest.fixture
def judge(bin_dir, tmp_path):
    """judge(profile, template, *options, **environment): the report of a run, and what was printed."""
    def run(profile, template, *options, **environment):
        done = subprocess.run([bin_dir / "assay", "run", "--profile", profile, "--jobs", "3", "--report", tmp_path,
                               *options, "--", *template], capture_output=True, text=True, timeout=7200, check=False,
                              env={**os.environ, **environment})
        return json.loads((tmp_path / "report.json").read_text()), done.stdout + done.stderr
    return run
