# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What this library has no more than the names of: processes and jobs that come later, and variables for tools.

A program that has them links, and is told by the standard's classes of error that they cannot be had.
"""

import subprocess

import pytest

DEADLINE = 120
HEAD = """#include <mpi.h>
#include <stdio.h>
#include <string.h>
static void refused(const char *what, int code, int expected)
{
    int class;
    MPI_Error_class(code, &class);
    if (class != expected)
        printf("%s: class %d, not %d\\n", what, class, expected);
}
#define REFUSED(call, class) refused(#call, call, class)
"""
C_PROGRAM = HEAD + """
int main(int argc, char **argv)
{
    int rank, codes[5] = {7, 7, 7, 7, 7}, most[2] = {1, 2}, flag;
    char port[MPI_MAX_PORT_NAME] = "x", value[MPI_MAX_INFO_VAL + 1] = "";
    char *commands[2] = {"a", "b"}, *none[1] = {NULL};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL}, copy;
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_parent(&made);
    if (made != MPI_COMM_NULL)
        printf("a parent\\n");
    made = MPI_COMM_SELF;
    /* what is not significant at others is not looked at there */
    REFUSED(MPI_Comm_spawn(rank == 1 ? "worker" : NULL, none, rank == 1 ? 2 : -5, MPI_INFO_NULL, 1, MPI_COMM_WORLD,
                           &made, codes), MPI_ERR_SPAWN);
    if (made != MPI_COMM_SELF || codes[1] != (rank == 1 ? MPI_ERR_SPAWN : 7) || codes[2] != 7)
        printf("codes %d %d\\n", codes[1], codes[2]);
    REFUSED(MPI_Comm_spawn_multiple(rank == 0 ? 2 : -1, commands, MPI_ARGVS_NULL, most, infos, 0, MPI_COMM_WORLD,
                                    &made, codes), MPI_ERR_SPAWN);
    if (codes[2] != (rank == 0 ? MPI_ERR_SPAWN : 7) || codes[3] != 7)
        printf("codes of several %d %d\\n", codes[2], codes[3]);
    REFUSED(MPI_Comm_spawn("worker", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 9, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE),
            MPI_ERR_ROOT);
    REFUSED(MPI_Open_port(MPI_INFO_NULL, port), MPI_ERR_UNSUPPORTED_OPERATION);
    REFUSED(MPI_Close_port(port), MPI_ERR_PORT);
    REFUSED(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made), MPI_ERR_PORT);
    REFUSED(MPI_Comm_connect(rank == 0 ? port : NULL, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made), MPI_ERR_PORT);
    REFUSED(MPI_Publish_name("service", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
    REFUSED(MPI_Unpublish_name("service", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
    REFUSED(MPI_Lookup_name("service", MPI_INFO_NULL, port), MPI_ERR_NAME);
    REFUSED(MPI_Register_datarep("own", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL),
            MPI_ERR_UNSUPPORTED_OPERATION);
    if (made != MPI_COMM_SELF || strcmp(port, "x") != 0)
        printf("an output was written\\n");
    REFUSED(MPI_Comm_join(0, &made), MPI_SUCCESS);
    if (made != MPI_COMM_NULL)
        printf("joined\\n");
    MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL, value, &flag);
    if (!flag || strcmp(value, "2") != 0)
        printf("maxprocs %s\\n", value);
    MPI_Info_get(MPI_INFO_ENV, "command", MPI_MAX_INFO_VAL, value, &flag);
    if (!flag || strcmp(value, argv[0]) != 0)
        printf("command %s\\n", value);
    REFUSED(MPI_Info_set(MPI_INFO_ENV, "maxprocs", "3"), MPI_ERR_INFO);
    REFUSED(MPI_Info_delete(MPI_INFO_ENV, "maxprocs"), MPI_ERR_INFO);
    copy = MPI_INFO_ENV;
    REFUSED(MPI_Info_free(&copy), MPI_ERR_INFO);
    MPI_Info_dup(MPI_INFO_ENV, &copy);
    MPI_Info_set(copy, "maxprocs", "3");
    MPI_Info_free(&copy);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("done\\n");
    MPI_Finalize();
    return 0;
}
"""
TOOL_PROGRAM = HEAD + """
static void number(const char *what, int got)
{
    if (got != 0)
        printf("%s: %d, not 0\\n", what, got);
}
int main(int argc, char **argv)
{
    int provided = -1, count = 7, length = 0, index = 5;
    char name[16] = "x";
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL, gone;
    MPI_T_pvar_handle variable = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_num(&count) != MPI_T_ERR_NOT_INITIALIZED || count != 7)
        printf("before\\n");
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (provided != MPI_THREAD_SERIALIZED)
        printf("provided %d\\n", provided);
    MPI_T_cvar_get_num(&count);
    number("control variables", count);
    MPI_T_pvar_get_num(&count);
    number("performance variables", count);
    MPI_T_category_get_num(&count);
    number("categories", count);
    MPI_T_category_changed(&count);
    number("changes", count);
    REFUSED(MPI_T_cvar_get_num(NULL), MPI_T_ERR_INVALID);
    REFUSED(MPI_T_cvar_get_info(0, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
    REFUSED(MPI_T_pvar_get_info(0, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            MPI_T_ERR_INVALID_INDEX);
    REFUSED(MPI_T_cvar_get_index("any", &index), MPI_T_ERR_INVALID_NAME);
    REFUSED(MPI_T_pvar_get_index("any", MPI_T_PVAR_CLASS_TIMER, &index), MPI_T_ERR_INVALID_NAME);
    REFUSED(MPI_T_category_get_index("any", &index), MPI_T_ERR_INVALID_NAME);
    REFUSED(MPI_T_cvar_handle_alloc(0, NULL, &control, &count), MPI_T_ERR_INVALID_INDEX);
    REFUSED(MPI_T_cvar_read(control, &count), MPI_T_ERR_INVALID_HANDLE);
    REFUSED(MPI_T_pvar_handle_alloc(session, 0, NULL, &variable, &count), MPI_T_ERR_INVALID_SESSION);
    REFUSED(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    REFUSED(MPI_T_pvar_handle_alloc(session, 0, NULL, &variable, &count), MPI_T_ERR_INVALID_INDEX);
    REFUSED(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    REFUSED(MPI_T_pvar_stop(session, variable), MPI_T_ERR_INVALID_HANDLE);
    gone = session;
    REFUSED(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    REFUSED(MPI_T_pvar_session_free(&gone), MPI_T_ERR_INVALID_SESSION);
    if (session != MPI_T_PVAR_SESSION_NULL || strcmp(name, "x") != 0 || index != 5)
        printf("an output was written\\n");
    MPI_T_finalize();
    REFUSED(MPI_T_pvar_get_num(&count), MPI_SUCCESS);
    MPI_Finalize();
    MPI_T_pvar_session_create(&session);
    if (MPI_T_finalize() != MPI_SUCCESS || MPI_T_finalize() != MPI_T_ERR_NOT_INITIALIZED)
        printf("after\\n");
    printf("done\\n");
    return 0;
}
"""
F_PROGRAM = """      PROGRAM LATER
      INCLUDE 'mpif.h'
      INTEGER IERR, KIND, MADE, CODES(2), IGNORED
      CHARACTER*8 COMMANDS(2)
      CHARACTER*(MPI_MAX_PORT_NAME) PORT
      INTEGER MOST(2), INFOS(2)
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN,
     &                             IERR)
      CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_SELF, MPI_ERRORS_RETURN,
     &                             IERR)
      CODES(1) = 0
      CODES(2) = 0
      CALL MPI_COMM_SPAWN('worker', MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0,
     &     MPI_COMM_SELF, MADE, CODES, IERR)
      CALL MPI_ERROR_CLASS(IERR, KIND, IGNORED)
      IF (KIND .NE. MPI_ERR_SPAWN) PRINT *, 'spawn', KIND
      IF (CODES(1) .NE. MPI_ERR_SPAWN) PRINT *, 'code', CODES(1)
      IF (CODES(2) .NE. 0) PRINT *, 'more codes', CODES(2)
      COMMANDS(1) = 'one'
      COMMANDS(2) = 'two'
      MOST(1) = 1
      MOST(2) = 1
      INFOS(1) = MPI_INFO_NULL
      INFOS(2) = MPI_INFO_NULL
      CALL MPI_COMM_SPAWN_MULTIPLE(2, COMMANDS, MPI_ARGVS_NULL, MOST,
     &     INFOS, 0, MPI_COMM_SELF, MADE, MPI_ERRCODES_IGNORE, IERR)
      CALL MPI_ERROR_CLASS(IERR, KIND, IGNORED)
      IF (KIND .NE. MPI_ERR_SPAWN) PRINT *, 'spawn of two', KIND
      IF (MPI_ERRCODES_IGNORE(1) .NE. 0) PRINT *, 'ignored'
      PORT = 'nowhere'
      CALL MPI_COMM_CONNECT(PORT, MPI_INFO_NULL, 0, MPI_COMM_SELF, MADE,
     &                      IERR)
      IF (IERR .NE. MPI_ERR_PORT) PRINT *, 'connect', IERR
      CALL MPI_LOOKUP_NAME('service', MPI_INFO_NULL, PORT, IERR)
      IF (IERR .NE. MPI_ERR_NAME) PRINT *, 'look up', IERR
      CALL MPI_FINALIZE(IERR)
      PRINT '(A)', 'done'
      END
"""


@pytest.mark.parametrize("compiler, name, program, size", [("assay-mpicc", "later.c", C_PROGRAM, 2),
                                                           ("assay-mpicc", "tool.c", TOOL_PROGRAM, 1),
                                                           ("assay-mpif77", "later.f", F_PROGRAM, 1)],
                         ids=["C", "tool", "Fortran"])
def test_refused(bin_dir, tmp_path, compiler, name, program, size):
    """The class of each error; outputs are as they were; and the program goes on to its end."""
    source, made = tmp_path / name, tmp_path / "made"
    source.write_text(program, encoding="ascii")
    subprocess.run([bin_dir / compiler, "-w", "-o", made, source], check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", str(size), made], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert (done.stdout, done.returncode, done.stderr) == ("done\n", 0, "")


def test_fatal(bin_dir, tmp_path):
    """Without a handler of its own a program that asks for processes ends, and it is said why."""
    source, made = tmp_path / "fatal.c", tmp_path / "fatal"
    source.write_text("#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Comm made;\n"
                      "    MPI_Init(&argc, &argv);\n    MPI_Comm_spawn(\"worker\", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, "
                      "MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);\n    MPI_Finalize();\n    return 0;\n}\n",
                      encoding="ascii")
    subprocess.run([bin_dir / "assay-mpicc", "-o", made, source], check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", made], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert done.returncode != 0
    assert "MPI_Comm_spawn: a job has the processes that it was started with" in done.stderr
