# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""assay-mpicc, the header and the manual of the MPI library belong together."""

import os
import re
import subprocess

import pytest

DEADLINE = 300


def run(*command, **environment):
    """Runs a command, whatever comes of it."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                          check=False, env={**os.environ, **environment})


@pytest.fixture(name="functions", scope="module")
def fixture_functions(root):
    """The functions that mpi.h declares."""
    header = (root / "ref-impl" / "include" / "mpi.h").read_text(encoding="utf-8")
    return set(re.findall(r"^(?:int|double|MPI_\w+) (MPI_\w+)\(", header, re.MULTILINE))


@pytest.fixture(name="mpicc", scope="module")
def fixture_mpicc(bin_dir):
    """The compiler wrapper."""
    return bin_dir / "assay-mpicc"


@pytest.fixture(name="page", scope="module")
def fixture_page(root):
    """The manual, as a reader sees it."""
    shown = run("mandoc", "-T", "ascii", root / "ref-impl" / "man" / "mpi.7")
    assert shown.returncode == 0, shown.stderr
    return re.sub(".\b", "", shown.stdout)


def test_library_has_what_the_header_declares(functions, lib_dir):
    """Every function, under both of its names, and no other name."""
    listed = run("nm", "-D", "--defined-only", lib_dir / "libassay-mpi.so").stdout
    shown = {name for name in re.findall(r" [TDBRW] (\S+)$", listed, re.MULTILINE) if not name.startswith("__")}
    assert shown == functions | {"P" + name for name in functions}


def test_second_names_are_declared_alike(root):
    """Each function is declared once more as PMPI_, with the same parameters."""
    header = (root / "ref-impl" / "include" / "mpi.h").read_text(encoding="utf-8")
    declared = [re.sub(r"\s+", " ", text) for text in re.findall(r"^(?:int|double|MPI_\w+) P?MPI_\w+\([^;]*;", header,
                                                                 re.MULTILINE)]
    first = [text for text in declared if " PMPI_" not in text]
    second = [text for text in declared if " PMPI_" in text]
    assert sorted(text.replace(" MPI_", " PMPI_", 1) for text in first) == sorted(second)


def test_header_leaves_names_to_the_program(mpicc, tmp_path):
    """Its guard is none that a program's own header, which includes it, would have."""
    (tmp_path / "own.h").write_text("#ifndef MPI_H\n#define MPI_H\n#include <mpi.h>\n#endif\n", encoding="utf-8")
    source = tmp_path / "own.c"
    source.write_text('#define MPI 1\n#include "own.h"\nint main(void) { return MPI_SUCCESS; }\n', encoding="utf-8")
    done = run(mpicc, "-Wall", "-Wextra", "-Werror", "-o", tmp_path / "own", source)
    assert done.returncode == 0, done.stderr


TOOL = """#include <mpi.h>
#include <stdio.h>
int MPI_Comm_size(MPI_Comm comm, int *size)
{
    int code = PMPI_Comm_size(comm, size);
    *size += 100;
    return code;
}
int main(int argc, char **argv)
{
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d %d\\n", size, rank);
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("library", ("a", "so"))
def test_tool_in_between(library, root, lib_dir, tmp_path):
    """A function of the program's own stands before the library's, which it can still call."""
    source = tmp_path / "tool.c"
    source.write_text(TOOL, encoding="ascii")
    libraries = ([lib_dir / "libassay-mpi.a", lib_dir / "libportals.a"] if library == "a" else
                 [f"-L{lib_dir}", f"-Wl,-rpath,{lib_dir}", "-lassay-mpi", "-lportals"])
    built = run("cc", "-Wall", "-Werror", "-I", root / "ref-impl" / "include", "-o", tmp_path / "tool", source,
                *libraries, "-lpthread", "-ldl")
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "tool").stdout == "101 0\n"


def test_library_calls_second_names(lib_dir):
    """A tool sees what the program calls, and nothing that the library calls itself."""
    for what in ("-rd", lib_dir / "libassay-mpi.a"), ("-R", lib_dir / "libassay-mpi.so"):
        shown = run("objdump", *what)
        assert shown.returncode == 0, shown.stderr
        assert "PMPI_Info_create" in shown.stdout
        assert not re.findall(r"R_\S+\s+(MPI_\w+)", shown.stdout)


def test_manual_names_every_function(functions, root):
    """mpi(7) lists each of them once."""
    text = (root / "ref-impl" / "man" / "mpi.7").read_text(encoding="utf-8")
    part = text[text.index(".Ss The functions"):text.index(".Ss Fortran")]
    listed = re.findall(r"^\.Fn (MPI_\w+)", part, re.MULTILINE)
    assert sorted(listed) == sorted(functions)


def test_example_of_the_manual(page, mpicc, bin_dir, tmp_path):
    """The manual's program and its commands do what they say."""
    flags = re.MULTILINE | re.DOTALL
    program = re.search(r"^ *#include <mpi\.h>\n *#include .*?^ *}$(?=\s+Build it)", page, flags).group(0)
    commands = re.search(r"^ *assay-mpicc -o where.*?(?=^SEE ALSO)", page, flags).group(0)
    (tmp_path / "where.c").write_text(program + "\n", encoding="ascii")
    script = "set -e\n" + re.sub(r"^ +", "", commands, flags=re.MULTILINE) + "wait\n"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=DEADLINE, check=False,
                          cwd=tmp_path, env={**os.environ, "PATH": f"{mpicc.parent}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted([
        "rank 0 of 2, in client 0", "rank 1 of 2, in client 0",
        "rank 0 of 2, in client 0", "rank 1 of 2, in client 1"])


def test_libraries_only_where_something_is_linked(mpicc):
    """What stops before the linker gets no libraries."""
    linked = run(mpicc, "-show", "a.c", "-o", "a").stdout
    assert linked.startswith("cc -I") and linked.split()[2:5] == ["a.c", "-o", "a"]
    assert "libassay-mpi.a" in linked and "libportals.a" in linked
    for stop in ("-c", "-S", "-E", "-M", "-fsyntax-only"):
        assert "libassay-mpi" not in run(mpicc, "-show", stop, "a.c").stdout


def test_arguments_arrive_unchanged(mpicc, tmp_path):
    """Blanks and quotes in arguments, another compiler, the compiler's exit status."""
    source = tmp_path / "a b.c"
    source.write_text("#include <mpi.h>\n#include <stdio.h>\nint main(void) { puts(TEXT); return 0; }\n",
                      encoding="ascii")
    built = run(mpicc, '-DTEXT="it\'s two  words"', source, "-o", tmp_path / "a b")
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "a b").stdout == "it's two  words\n"
    assert run(mpicc, tmp_path / "none.c").returncode not in (0, 2)
    assert run(mpicc, "-show", "a.c", ASSAY_MPICC_CC="tcc").stdout.startswith("tcc ")


CPP = """#include <mpi.h>
#include <complex>
#include <iostream>
#include <vector>
static MPI_Comm both[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
template <class T> struct type;
template <> struct type<std::complex<double>> { static MPI_Datatype of() { return MPI_CXX_DOUBLE_COMPLEX; } };
template <> struct type<bool> { static MPI_Datatype of() { return MPI_CXX_BOOL; } };
template <class T> T sum(const T &mine, MPI_Op op)
{
    T all;
    MPI_Allreduce(&mine, &all, 1, type<T>::of(), op, both[0]);
    return all;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::cout << sum(std::complex<double>(1, 2), MPI_SUM) << sum(true, MPI_LAND) << std::endl;
    MPI_Finalize();
}
"""


def test_compiler_of_cpp(bin_dir, tmp_path):
    """assay-mpicxx compiles C++, whose types have their names in MPI."""
    (tmp_path / "sum.cc").write_text(CPP, encoding="ascii")
    built = run(bin_dir / "assay-mpicxx", "-Wall", "-Wextra", "-Wno-cast-function-type", "-Werror", "-o",
                tmp_path / "sum", tmp_path / "sum.cc")
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "sum").stdout == "(1,2)1\n"


def test_program_in_cpp(mpicc, tmp_path):
    """C++ from standard input: the language is not that of the libraries."""
    program = "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"
    built = subprocess.run([mpicc, "-x", "c++", "-Wall", "-Werror", "-o", tmp_path / "cpp", "-"], input=program,
                           text=True, capture_output=True, timeout=DEADLINE, check=False,
                           env={**os.environ, "ASSAY_MPICC_CC": "g++"})
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "cpp").returncode == 0


def test_missing_library(mpicc, tmp_path):
    """A wrapper that was moved away from its library says so."""
    text = re.sub(r'^( +lib=").*"$', rf'\g<1>{tmp_path}"', mpicc.read_text(encoding="utf-8"), flags=re.MULTILINE)
    moved = tmp_path / "moved"
    moved.write_text(text, encoding="utf-8")
    moved.chmod(0o755)
    said = run(moved, "a.c")
    assert (said.returncode, said.stdout) == (2, "")
    assert f"{tmp_path}/libassay-mpi.a is missing" in said.stderr
