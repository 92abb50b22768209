# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The Fortran 77 binding: assay-mpif77, mpif.h and a subroutine for each function.

Each program of fortran/ checks what it gets, and stops where that is wrong.
"""

import pathlib
import re
import subprocess

import pytest

from clients import printed

FOLDER = pathlib.Path(__file__).resolve().parent / "fortran"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.f"))
WITHIN_A_CLIENT = {"windows"}
DEADLINE = 300
TOO_FAR = """      PROGRAM FAR
      INCLUDE 'mpif.h'
      INTEGER IERR, WHERE
      CALL MPI_INIT(IERR)
      CALL AWAY(WHERE)
      CALL MPI_FINALIZE(IERR)
      END
      RECURSIVE SUBROUTINE AWAY(WHERE)
      INCLUDE 'mpif.h'
      INTEGER IERR, WHERE, HERE(10)
      CALL MPI_ADDRESS(HERE, WHERE, IERR)
      END
"""
MODULE = """module field
  use mpi
  implicit none
  integer :: comm = MPI_COMM_NULL
contains
  subroutine open_field
    integer :: ierr
    call MPI_Init(ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  end subroutine
end module
program main
  use field
  implicit none
  integer :: ierr, sum, octets(4)
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent
  real(kind=8) :: grid(2, 3)
  complex :: wave
  integer(kind=2) :: little
  call open_field
  call MPI_Allreduce(41, sum, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call MPI_Type_get_extent(MPI_DOUBLE_COMPLEX, lb, extent, ierr)
  call MPI_Sizeof(grid, octets(1), ierr)
  call MPI_Sizeof(grid(:, 2), octets(2), ierr)
  call MPI_Sizeof(wave, octets(3), ierr)
  call MPI_Sizeof(little, octets(4), ierr)
  print '(I3, I3, L2, 4I2)', sum, extent, MPI_Wtime() > 0, octets
  call MPI_Finalize(ierr)
end program
"""
TOOL = """      SUBROUTINE MPI_COMM_SIZE(COMM, SIZE, IERR)
      INTEGER COMM, SIZE, IERR
      CALL PMPI_COMM_SIZE(COMM, SIZE, IERR)
      SIZE = SIZE + 100
      END
      PROGRAM MAIN
      INCLUDE 'mpif.h'
      INTEGER SIZE, IERR
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      PRINT '(I3)', SIZE
      CALL MPI_FINALIZE(IERR)
      END
"""


FILES = """program main
  use mpi
  implicit none
  integer :: file, ierr, rank, count, status(MPI_STATUS_SIZE), numbers(4), request, kind, element
  integer(kind=MPI_OFFSET_KIND) :: place
  character(len=MPI_MAX_DATAREP_STRING) :: datarep
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'numbers  ', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  place = 8 * rank
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, kind, ierr)
  call MPI_Type_commit(kind, ierr)
  call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_write_all(file, (/ 10 * rank, 10 * rank + 1 /), 2, MPI_INTEGER, status, ierr)
  call MPI_File_sync(file, ierr)
  place = 0
  call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  place = 1
  numbers = -1
  call MPI_File_iread_at(file, place, numbers, 1, kind, request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call MPI_File_get_view(file, place, element, kind, datarep, ierr)
  call MPI_File_get_size(file, place, ierr)
  call MPI_File_close(file, ierr)
  if (rank == 1) print '(7I3,1X,A,L2)', numbers, count, int(place), ierr, trim(datarep), file == MPI_FILE_NULL
  call MPI_File_open(MPI_COMM_WORLD, 'none', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  if (rank == 1) print '(L2)', ierr == MPI_ERR_NO_SUCH_FILE
  call MPI_Finalize(ierr)
end program
"""


def run(*command, cwd=None):
    """Runs a command, whatever comes of it."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                          check=False, cwd=cwd)


@pytest.fixture(name="compiled")
def fixture_compiled(bin_dir, tmp_path):
    """Compiles a program and says where it is."""

    def compiled(source):
        done = run(bin_dir / "assay-mpif77", "-O1", "-g", "-w", "-o", tmp_path / source.stem, source)
        assert done.returncode == 0, done.stderr
        return tmp_path / source.stem

    return compiled


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, compiled, bin_dir):
    """As a job of four processes."""
    done = run(bin_dir / "portalsrun", "-np", 4, compiled(FOLDER / f"{name}.f"))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", f"{name} are good")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in WITHIN_A_CLIENT])
def test_program_of_two_clients(name, compiled, bin_dir):
    """As two clients of an IMPI job, where everything is converted to external32 and back."""
    assert printed(bin_dir / "impirun", compiled(FOLDER / f"{name}.f"), (3, 1)).strip() == f"{name} are good"


def test_address_that_no_integer_holds(compiled, tmp_path):
    """A variable on the stack is too far from the COMMON block of MPI_BOTTOM: the program ends with a reason."""
    (tmp_path / "far.f").write_text(TOO_FAR, encoding="ascii")
    done = run(compiled(tmp_path / "far.f"))
    assert done.returncode != 0
    assert "MPI_ADDRESS: the number of octets is larger than an INTEGER can be" in done.stderr


def test_tool_in_between(compiled, tmp_path):
    """A subroutine of the program's own stands before the library's, which it can still call."""
    (tmp_path / "tool.f").write_text(TOOL, encoding="ascii")
    assert run(compiled(tmp_path / "tool.f")).stdout == "101\n"


def test_module(bin_dir, tmp_path):
    """Fortran 90 has all names from a module, in modules of its own too."""
    (tmp_path / "field.f90").write_text(MODULE, encoding="ascii")
    done = run(bin_dir / "assay-mpif90", "-w", "-o", "field", "field.f90", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run(tmp_path / "field").stdout == " 41 16 T 8 8 8 2\n"


def test_files(bin_dir, tmp_path):
    """Names of files are without the blanks behind them, places are of MPI_OFFSET_KIND."""
    (tmp_path / "files.f90").write_text(FILES, encoding="ascii")
    done = run(bin_dir / "assay-mpif90", "-w", "-o", "files", "files.f90", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run(bin_dir / "portalsrun", "-np", 2, tmp_path / "files", cwd=tmp_path)
    assert done.stdout == "  1 -1 10 -1  2 16  0 native T\n T\n", done.stderr


def test_every_function_has_its_subroutine(root, lib_dir):
    """All that mpi.h declares but what only C has, under both names."""
    header = (root / "ref-impl" / "include" / "mpi.h").read_text(encoding="utf-8").split(" * All functions again")[0]
    functions = {name for name in re.findall(r"^(?:int|double) (MPI_\w+)\(", header, re.MULTILINE)
                 if not name.startswith(("MPI_Status_", "MPI_T_"))}
    listed = run("nm", "--defined-only", lib_dir / "libassay-mpif77.a").stdout
    names = set(re.findall(r" [TW] (p?mpi_\w+)_$", listed, re.MULTILINE))
    assert {name.lower() for name in functions} | {f"p{name.lower()}" for name in functions} <= names | {
        "pmpi_dup_fn", "pmpi_type_dup_fn", "pmpi_win_dup_fn"}


def test_header_is_for_both_forms(root):
    """No line of mpif.h but comments goes beyond column 72, and none is continued."""
    binding = root / "ref-impl" / "mpi" / "fortran" / "binding.py"
    made = run("/usr/bin/python3", binding, "mpif.h", root / "ref-impl" / "include" / "mpi.h")
    assert made.returncode == 0 and "PARAMETER (MPI_COMM_WORLD=17)" in made.stdout
    assert all(re.fullmatch(r"!.*|      \S.*", line) and len(line) <= 72 for line in made.stdout.splitlines()
               if not line.startswith("!"))


def test_parameter_without_rule(root, tmp_path):
    """A function that cannot be carried over ends the build, which says which parameter it is."""
    (tmp_path / "mpi.h").write_text("int MPI_New(long double *what);\n", encoding="ascii")
    said = run("/usr/bin/python3", root / "ref-impl" / "mpi" / "fortran" / "binding.py", "subroutines",
               tmp_path / "mpi.h")
    assert said.returncode == 1
    assert "MPI_New: no rule carries over 'long double * what'" in said.stderr
