# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""How MPI programs end that do not end well: what is said, and with which status, and that nobody is left waiting."""

import os
import subprocess

import pytest

DEADLINE = 300
HEAD = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\nint rank;\n"
START = "MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
END = "MPI_Finalize();\nreturn 0;\n}\n"


@pytest.fixture(name="end")
def fixture_end(bin_dir, tmp_path):
    """Compiles the body of a main function and runs it as a job; status and both outputs."""

    def end(body, size=2, start=START, head="", **environment):
        source, program = tmp_path / "end.c", tmp_path / "end"
        source.write_text(HEAD.replace("int main", f"{head}int main") + start + body + END, encoding="ascii")
        subprocess.run([bin_dir / "assay-mpicc", "-w", "-o", program, source], check=True, timeout=DEADLINE)
        command = [bin_dir / "portalsrun", "-np", str(size), program] if size else [program]
        return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False,
                              env={**os.environ, "ASSAY_NAL": "shm", **environment})

    return end


@pytest.mark.parametrize("call, said", [
    ("MPI_Bcast(&rank, 1, MPI_INT, 7, MPI_COMM_WORLD);", "MPI_Bcast: root 7 is not in 0 .. 1 (invalid root)"),
    ("MPI_Comm_size(MPI_COMM_NULL, &rank);", "MPI_Comm_size: comm is MPI_COMM_NULL (invalid communicator)"),
    ("MPI_Type_contiguous(-3, MPI_INT, (MPI_Datatype *)&argv);", "MPI_Type_contiguous: count is -3, less than 0"),
    ("MPI_Reduce(&rank, &argc, 1, MPI_FLOAT, MPI_BAND, 0, MPI_COMM_WORLD);",
     "MPI_Reduce: the operation has no meaning for the datatype (invalid operation)"),
])
def test_errors_are_fatal(end, call, said):
    """The function, what was wrong with which argument, the rank; the job ends, also for those who wait."""
    done = end(f"if (rank == 1) {{ {call} }} else {{ MPI_Recv(&argc, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, NULL); }}")
    assert done.returncode != 0
    assert said in done.stderr and "rank 1" in done.stderr


def test_errors_return_if_wanted(end):
    """The program sees the class, and goes on."""
    done = end('MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n'
               'int code = MPI_Bcast(&rank, 1, MPI_INT, 7, MPI_COMM_WORLD), class, length;\n'
               'char text[MPI_MAX_ERROR_STRING];\n'
               'MPI_Error_class(code, &class);\nMPI_Error_string(code, text, &length);\n'
               'if (rank == 0) printf("%d %s %d\\n", class == MPI_ERR_ROOT, text, length);\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 invalid root 12\n", "")


@pytest.mark.parametrize("completes", ["code = MPI_Wait(&request, NULL);",
                                       "int flag = 0; while (!flag) code = MPI_Test(&request, &flag, NULL);"],
                         ids=["MPI_Wait", "MPI_Test"])
def test_the_handler_of_the_communicator_is_asked(end, completes):
    """A request fails on its communicator, where errors are returned; on MPI_COMM_WORLD they are fatal."""
    done = end("int data[4] = {0}, code;\nMPI_Comm own;\nMPI_Request request;\nMPI_Comm_dup(MPI_COMM_WORLD, &own);\n"
               "MPI_Errhandler_set(own, MPI_ERRORS_RETURN);\n"
               "if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 0, own);\n"
               f"if (rank == 1) {{ MPI_Irecv(data, 1, MPI_INT, 0, 0, own, &request); {completes}\n"
               'printf("%d\\n", code == MPI_ERR_TRUNCATE); }\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_errors_in_collectives_are_noticed(end):
    """A root that sends more than others have room for."""
    done = end('MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\nint data[4] = {0};\n'
               'int code = MPI_Bcast(data, rank == 0 ? 4 : 2, MPI_INT, 0, MPI_COMM_WORLD);\n'
               'if (rank == 1) printf("%d\\n", code == MPI_ERR_TRUNCATE);\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_abort(end):
    """MPI_Abort ends all processes with its status."""
    done = end("if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 5);\nMPI_Barrier(MPI_COMM_WORLD);\nputs(\"never\");\n", size=3)
    assert done.returncode == 5
    assert "rank 1" in done.stderr and "never" not in done.stdout


@pytest.mark.parametrize("body, said", [
    ("MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Init(&argc, &argv);\n", "before MPI_Init or after MPI_Finalize"),
    (START + "MPI_Init(&argc, &argv);\n", "second time"),
    (START + "MPI_Finalize();\nMPI_Barrier(MPI_COMM_WORLD);\nreturn 0;\n", "before MPI_Init or after MPI_Finalize"),
])
def test_calls_outside(end, body, said):
    """Calls before MPI_Init, a second one, calls after MPI_Finalize: said and ended, never a crash."""
    done = end(body, size=0, start="")
    assert done.returncode > 0
    assert said in done.stderr


@pytest.mark.parametrize("link", ("77", "0", "x", ""))
def test_no_way_to_the_host_agent(end, link):
    """A process that is to be one of a client, and cannot reach its host agent, is not a world of its own."""
    done = end('puts("never");\n', size=0, ASSAY_IMPI_LINK=link)
    assert done.returncode > 0 and done.stdout == ""
    assert done.stderr == f"impi: ASSAY_IMPI_LINK={link} names no open stream socket; start this program by impirun\n"


def test_nothing_leaks_into_the_next_world(end):
    """Objects that a program does not free do not hinder MPI_Finalize."""
    done = end("MPI_Comm dup;\nMPI_Group group;\nMPI_Datatype type;\nMPI_Errhandler handler;\nMPI_Op op;\nint key;\n"
               "MPI_Comm_dup(MPI_COMM_WORLD, &dup);\nMPI_Comm_group(dup, &group);\n"
               "MPI_Type_contiguous(2, MPI_INT, &type);\n"
               "MPI_Op_create((MPI_User_function *)main, 1, &op);\n"
               "MPI_Errhandler_create((MPI_Handler_function *)main, &handler);\nMPI_Errhandler_set(dup, handler);\n"
               "MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);\nMPI_Attr_put(dup, key, &key);\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_exchange_with_nobody_needs_no_buffer(end):
    """MPI_PROC_NULL on both sides: nothing is read and nothing is written."""
    done = end("MPI_Status status;\nMPI_Sendrecv_replace(NULL, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, "
               "MPI_COMM_WORLD, &status);\nif (rank == 0) printf(\"%d\\n\", status.MPI_SOURCE == MPI_PROC_NULL);\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


# Functions of the program that the library calls. Each does DEED with all that it is given, and goes on as if nothing
# had happened; `told` counts what an error handler hears.
CALLED = """static int told, done = -1;
static void hear(MPI_Comm *comm, int *code, ...) { told++; if (done < 0) { DEED; } }
static int take(MPI_Comm comm, int key, void *value, void *extra) { DEED; return MPI_SUCCESS; }
static int copy(MPI_Comm comm, int key, void *extra, void *old, void *made, int *flag) { *flag = 0; DEED;
    return MPI_SUCCESS; }
static void add(void *in, void *inout, int *count, MPI_Datatype *type) { *(int *)inout += *(int *)in; DEED; }
"""
WAYS = {
    "delete function": "MPI_Keyval_create(MPI_NULL_COPY_FN, take, &key, NULL); MPI_Attr_put(comm, key, &key); "
                       "MPI_Attr_delete(comm, key);",
    "of all that a communicator has": "MPI_Keyval_create(MPI_NULL_COPY_FN, take, &key, NULL); "
                                      "MPI_Attr_put(comm, key, &key); MPI_Comm_free(&comm);",
    "copy function": "MPI_Keyval_create(copy, MPI_NULL_DELETE_FN, &key, NULL); MPI_Attr_put(comm, key, &key); "
                     "MPI_Comm_dup(comm, &comm);",
    "operation": "MPI_Op_create(add, 1, &op); MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, comm);",
}
OBJECTS = "MPI_Comm comm; MPI_Op op; MPI_Errhandler handler; int key, sum;\nMPI_Comm_dup(MPI_COMM_WORLD, &comm);\n"


@pytest.fixture(name="called")
def fixture_called(end):
    """The same as `end` for a program with the functions that the library calls."""
    def called(deed, body, size=2):
        head = CALLED.replace("DEED", deed)
        return end(OBJECTS + body, size=size, head=head)

    return called


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_the_end_within_a_call_is_refused(called, way):
    """Nothing goes from under the function that is at work; the same call afterwards is good."""
    handling = "MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n"
    done = called("if (done < 0) done = MPI_Finalize()",
                  f'{handling}{way}\nif (done >= 0) printf("%d", done == MPI_ERR_OTHER);\n')
    assert (done.returncode, set(done.stdout), done.stderr) == (0, {"1"}, "")  # not every process need reduce
    done = called("if (done < 0) done = MPI_Finalize()", f"{way}\n")
    assert done.returncode == 16 and "MPI_Finalize: called by a function that another MPI function" in done.stderr


def test_an_error_handler_may_end_the_library(called):
    """The call that failed is at its end: nothing is in use any more."""
    done = called("done = MPI_Finalize()", "MPI_Errhandler_create(hear, &handler);\n"
                  "MPI_Errhandler_set(comm, handler);\nMPI_Bcast(&rank, 1, MPI_INT, 7, comm);\n"
                  'printf("%d", told == 1 && done == MPI_SUCCESS);\nreturn 0;\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, "11", "")


def test_an_error_handler_is_told_once_of_a_refused_end(called):
    """It tries to end in its turn, and is refused without being called again."""
    done = called("MPI_Finalize()", "MPI_Errhandler_create(hear, &handler);\n"
                  f"MPI_Errhandler_set(MPI_COMM_WORLD, handler);\n{WAYS['delete function']}\n"
                  'printf("%d", told);\ndone = 1;\nMPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, "11", "")


@pytest.mark.parametrize("way", [*WAYS.values(), "MPI_Errhandler_create(hear, &handler); "
                                 "MPI_Errhandler_set(comm, handler); MPI_Bcast(&rank, 1, MPI_INT, 7, comm);"],
                         ids=[*WAYS.keys(), "error handler"])
def test_abort_within_a_call(called, way):
    done = called("MPI_Abort(MPI_COMM_WORLD, 5)", f'{way}\nputs("never");\n')
    assert (done.returncode, done.stdout) == (5, "") and "MPI_Abort with error code 5" in done.stderr
