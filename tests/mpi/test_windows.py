# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""One-sided communication: what is refused and told how, windows that stay to the end, several clients.

What it does when it is used well shows programs/windows.c (test_programs.py).
"""

import os
import subprocess

import pytest

from clients import printed

DEADLINE = 300
HEAD = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void told(MPI_Win *win, int *code, ...)
{
    (void)win;
    printf("told %d\\n", *code == MPI_ERR_RMA_SYNC);
}
static void own(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
}
int main(int argc, char **argv)
{
    int rank, size, here[4] = {0}, there[4] = {0}, code = MPI_SUCCESS;
    MPI_Win win = MPI_WIN_NULL;
    MPI_Group group;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Op_create(own, 1, &op);
    (void)told, (void)here;
"""
MAKE = """    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
"""
END = "    MPI_Finalize();\n    return 0;\n}\n"


@pytest.fixture(name="build", scope="module")
def fixture_build(bin_dir, tmp_path_factory):
    """Compiles the body of a main function."""

    def build(body):
        folder = tmp_path_factory.mktemp("window")
        source, program = folder / "window.c", folder / "window"
        source.write_text(HEAD + body + END, encoding="ascii")
        subprocess.run([bin_dir / "assay-mpicc", "-w", "-o", program, source], check=True, timeout=DEADLINE)
        return program

    return build


@pytest.fixture(name="run_two")
def fixture_run_two(bin_dir):
    """Runs a program as a job of two; what it prints, line by line, and its status and stderr."""

    def run_two(*command):
        done = subprocess.run([bin_dir / "portalsrun", "-np", "2", *command], capture_output=True, text=True,
                              timeout=DEADLINE, check=False, env=dict(os.environ))
        return done.stdout.split("\n")[:-1], done.returncode, done.stderr

    return run_two


@pytest.fixture(name="said")
def fixture_said(build, run_two):
    """The same of such a body."""
    return lambda body: run_two(build(body))


PUT = "MPI_Put(here, {count}, {type}, {rank}, {disp}, {there}, {type}, win)"
FENCE = "MPI_Win_fence(0, win);"


def put(count=1, kind="MPI_INT", rank=1, disp="0", there=None):
    """A put with one thing wrong."""
    return PUT.format(count=count, type=kind, rank=rank, disp=disp, there=count if there is None else there)


REFUSED = [  # what comes before, the call, and the code that it returns
    (FENCE, put(rank=2), "MPI_ERR_RANK"),
    (FENCE, put(rank=-7), "MPI_ERR_RANK"),
    (FENCE, put(disp=4), "MPI_ERR_DISP"),
    (FENCE, put(count=2, disp=3), "MPI_ERR_DISP"),
    (FENCE, put(disp=-1), "MPI_ERR_DISP"),
    (FENCE, put(disp="(MPI_Aint)1 << 62"), "MPI_ERR_DISP"),
    (FENCE, put(count=-1), "MPI_ERR_COUNT"),
    (FENCE, put(count=2, there=1), "MPI_ERR_TYPE"),
    (FENCE, put(kind="MPI_DATATYPE_NULL"), "MPI_ERR_TYPE"),
    ("", put(), "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_fence(0, win); MPI_Win_fence(MPI_MODE_NOSUCCEED, win);", put(), "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", put() + "; MPI_Win_unlock(0, win)", "MPI_ERR_RMA_SYNC"),
    ("", "MPI_Win_complete(win)", "MPI_ERR_RMA_SYNC"),
    ("", "MPI_Win_wait(win)", "MPI_ERR_RMA_SYNC"),
    ("", "MPI_Win_test(win, here)", "MPI_ERR_RMA_SYNC"),
    ("", "MPI_Win_unlock(0, win)", "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); MPI_Win_unlock(0, win)",
     "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", "MPI_Win_free(&win); MPI_Win_unlock(0, win)", "MPI_ERR_RMA_SYNC"),
    (f"{FENCE} {put()};", f"MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); {FENCE}", "MPI_ERR_RMA_SYNC"),
    (f"{FENCE} {put()};", f"MPI_Win_start(group, 0, win); {FENCE}", "MPI_ERR_RMA_SYNC"),
    (FENCE, f"MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); MPI_Win_unlock(0, win); {FENCE}", "MPI_SUCCESS"),
    (f"{FENCE} MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); MPI_Win_unlock(0, win);", put(), "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", "MPI_Win_fence(0, win); MPI_Win_unlock(0, win)", "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", "MPI_Win_start(group, 0, win); MPI_Win_unlock(0, win)",
     "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_post(group, 0, win); MPI_Win_start(group, 0, win);",
     "MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win); MPI_Win_complete(win); MPI_Win_wait(win)", "MPI_ERR_RMA_SYNC"),
    ("MPI_Win_post(group, 0, win);",
     "MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); MPI_Win_start(group, 0, win); MPI_Win_complete(win);"
     "MPI_Win_wait(win)", "MPI_ERR_RMA_SYNC"),
    ("", "MPI_Win_lock(77, 0, 0, win)", "MPI_ERR_LOCKTYPE"),
    ("", "MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win)", "MPI_ERR_RANK"),
    ("", "MPI_Win_fence(MPI_MODE_NOCHECK, win)", "MPI_ERR_ASSERT"),
    ("", "MPI_Win_post(MPI_GROUP_NULL, 0, win)", "MPI_ERR_GROUP"),
    ("", "MPI_Win_fence(0, MPI_WIN_NULL)", "MPI_ERR_WIN"),
    ("", "MPI_Win_get_attr(win, 99, &argv, here)", "MPI_ERR_KEYVAL"),
    (FENCE, "MPI_Accumulate(here, 1, MPI_INT, 1, 0, 1, MPI_INT, op, win)", "MPI_ERR_OP"),
    (FENCE, "MPI_Accumulate(here, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, MPI_BAND, win)", "MPI_ERR_OP"),
    (FENCE, "MPI_Accumulate(here, 1, MPI_FLOAT, 1, 0, 1, MPI_INT, MPI_SUM, win)", "MPI_ERR_TYPE"),
    ("", "MPI_Reduce(here, there, 1, MPI_INT, MPI_REPLACE, 0, MPI_COMM_WORLD)", "MPI_ERR_OP"),
]


def refused(number, before, call, code):
    """The branch of a program that makes this call and prints whether it returned the code."""
    first, _, rest = call.partition(";")
    return (f"    case {number}:\n{MAKE}    {before}\n    code = {first};\n    {rest};\n"
            f"    printf(\"%d\\n\", code == {code});\n    break;\n")


@pytest.fixture(name="refusing", scope="module")
def fixture_refusing(build):
    """A program that makes the call of REFUSED whose number it is given."""
    return build("    switch (atoi(argv[1])) {\n" + "".join(refused(at, *row) for at, row in enumerate(REFUSED))
                 + "    }\n")


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=[call.split(";")[0] for _, call, _ in REFUSED])
def test_refused(run_two, refusing, number):
    """The class of the error, and the other process is not harmed."""
    lines, status, errors = run_two(refusing, str(number))
    assert (lines, status, errors) == (["1", "1"], 0, ""), REFUSED[number]


@pytest.mark.parametrize("call, code", [
    ("MPI_Win_create(there, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win)", "MPI_ERR_SIZE"),
    ("MPI_Win_create(there, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win)", "MPI_ERR_DISP"),
    ("MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win)", "MPI_ERR_BUFFER"),
    ("MPI_Win_create(there, 4, 1, (MPI_Info)8, MPI_COMM_WORLD, &win)", "MPI_ERR_INFO"),
    ("MPI_Alloc_mem(-1, MPI_INFO_NULL, &argv)", "MPI_ERR_SIZE"),
    ("MPI_Alloc_mem((MPI_Aint)1 << 62, MPI_INFO_NULL, &argv)", "MPI_ERR_NO_MEM"),
])
def test_not_made(said, call, code):
    """Before there is a window, the communicator hears of errors."""
    lines, status, errors = said(f"    code = {call};\n    printf(\"%d\\n\", code == {code});\n")
    assert (lines, status, errors) == (["1", "1"], 0, "")


def test_handler_of_a_window(said):
    """A window's own handler is called, and can be asked for."""
    body = MAKE + """    MPI_Errhandler handler, again;
    MPI_Win_create_errhandler(told, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_get_errhandler(win, &again);
    code = MPI_Win_complete(win);
    printf("%d %d\\n", code == MPI_ERR_RMA_SYNC, again == handler);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&again);
    MPI_Win_free(&win);
"""
    lines, status, errors = said(body)
    assert (sorted(lines), status, errors) == (["1 1"] * 2 + ["told 1"] * 2, 0, "")


def test_fatal_at_first(said):
    """The handler of a new window ends the job, whatever that of the communicator does."""
    made = MAKE.split("    MPI_Win_set_errhandler", maxsplit=1)[0]
    lines, status, errors = said(made + '    MPI_Win_complete(win);\n    printf("not here\\n");\n')
    assert (lines, status != 0) == ([], True)
    assert "MPI_Win_complete: MPI_Win_start has not been called" in errors


@pytest.mark.parametrize("access", ["MPI_Put(here, 4, MPI_INT, 1 - rank, {at}, 4, MPI_INT, win)",
                                    "MPI_Get(here, 4, MPI_INT, 1 - rank, {at}, 4, MPI_INT, win)",
                                    "MPI_Accumulate(here, 4, MPI_INT, 1 - rank, {at}, 4, MPI_INT, MPI_SUM, win)",
                                    "MPI_Fetch_and_op(here, here, MPI_INT, 1 - rank, {at} + 8, MPI_SUM, win)"])
@pytest.mark.parametrize("ends", ["MPI_Win_flush(1 - rank, win)", "MPI_Win_flush_all(win)", "MPI_Win_unlock_all(win)"])
def test_not_attached(said, access, ends):
    """What goes beyond what is attached is not done and told at its end, once; the window goes on."""
    lines, status, errors = said("""    MPI_Aint at[2];
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_attach(win, there, 2 * sizeof(int));
    MPI_Get_address(there, &at[rank]);
    MPI_Allgather(MPI_IN_PLACE, 1, MPI_AINT, at, 1, MPI_AINT, MPI_COMM_WORLD);
    here[0] = here[3] = 7;
    MPI_Win_lock_all(0, win);
    """ + access.format(at="at[1 - rank]") + f""";
    code = {ends};
    """ + ("MPI_Win_lock_all(0, win);" if "unlock" in ends else "") + """
    MPI_Put(&here[3], 1, MPI_INT, 1 - rank, at[1 - rank] + 4, 1, MPI_INT, win);
    int good = MPI_Win_unlock_all(win) == MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d %d %d %d\\n", code == MPI_ERR_RMA_RANGE, good, there[0], there[1], there[2]);
    MPI_Win_free(&win);
""")
    assert (lines, status, errors) == (["1 1 0 7 0"] * 2, 0, "")


def test_left_open(said):
    """MPI_Finalize takes windows away that the program has left, whatever was in them."""
    body = """    MPI_Win_fence(0, win);
    MPI_Put(here, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    printf("well\\n");
"""
    lines, status, errors = said(MAKE + MAKE + body)
    assert (lines, status, errors) == (["well"] * 2, 0, "")


def test_first_come_first_served(said):
    """A lock is exclusive: nobody sees what another has read and not yet written back."""
    lines, status, errors = said(MAKE + """    for (int round = 0; round < 300; round++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(here, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        if (round % 2) {
            MPI_Get(here + 1, 2, MPI_INT, 0, 1, 2, MPI_INT, win);
        } else {
            here[1] = here[2] = rank * 1000 + round;
            MPI_Put(here + 1, 2, MPI_INT, 0, 1, 2, MPI_INT, win);
        }
        MPI_Win_unlock(0, win);
        if (here[1] != here[2]) {
            printf("torn: %d %d\\n", here[1], here[2]);
        }
    }
    MPI_Win_free(&win);
""")
    assert (lines, status, errors) == ([], 0, "")


def test_several_clients(bin_dir, build):
    """A window over clients is refused; one of each client is good."""
    program = build("""    int *color, flag;
    MPI_Comm mine;
    code = MPI_Win_create(there, sizeof(there), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Attr_get(MPI_COMM_WORLD, IMPI_CLIENT_COLOR, &color, &flag);
    MPI_Comm_split(MPI_COMM_WORLD, *color, rank, &mine);
    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, mine, &win);
    MPI_Win_fence(0, win);
    here[0] = 40 + rank;
    MPI_Put(here, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Comm_free(&mine);
    if (rank % 2) {
        printf("%d %d\\n", code == MPI_ERR_COMM, there[2] == 40 + rank || there[2] == 39 + rank);
    }
""")
    assert printed(bin_dir / "impirun", program, (2, 2)) == "1 1\n" * 2


ATTENDED = """
    int seen = -1, ascending = 1;
    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 6000; i++) {
        int one = 1, before, target = i / 1000 % 2 ? 0 : 1 - rank; /* each other's, or both rank 0's */
        MPI_Fetch_and_op(&one, &before, MPI_INT, target, target, MPI_SUM, win);
        MPI_Win_flush(target, win);
        ascending &= i % 1000 == 0 || before > seen;
        seen = before;
        if (i % 1000 == 999 && i % 2000 == 999) {
            MPI_Barrier(MPI_COMM_WORLD);
        } else if (i % 1000 == 999) {
            MPI_Sendrecv(here, 1, MPI_INT, 1 - rank, 0, here + 1, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        } else if (i % 1000 == 500) {
            for (double until = MPI_Wtime() + 0.001; MPI_Wtime() < until;) continue;
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\\n", ascending, rank == 0 ? there[0] : there[1]);
    MPI_Win_free(&win);
"""


@pytest.mark.parametrize("kind", ("adaptive", "spin", "sleep"))
def test_everybody_may_attend(build, run_two, monkeypatch, kind):
    """Questions are answered one after the other, be it by a program that waits or by its thread."""
    monkeypatch.setenv("ASSAY_WAIT", kind)
    lines, status, said = run_two(build(ATTENDED))
    assert (sorted(lines), status, said) == (["1 3000", "1 9000"], 0, "")
