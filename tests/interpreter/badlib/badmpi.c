/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Stands in front of an MPI library, by its profiling interface, and misbehaves on demand. BADLIB="FUNCTION:ACT" in the
 * environment chooses where and how; the functions are MPI_Init, MPI_Barrier and MPI_Finalize:
 *
 *   segv abort   a fatal signal
 *   thread       the same segv on a thread of the library
 *   hang         never returns
 *   exit _exit   ends the process with status 9
 *   code=N       returns N without doing anything
 *   arguments    (MPI_Init) brings the program's arguments, the words of BADLIB_ARGUMENTS
 *
 * With BADLIB_HANDLERS set, MPI_Init leaves signal handlers of its own behind, as some libraries do.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

enum { ARGUMENTS_MOST = 16 };

static void *crash(void *nowhere)
{
    *(volatile int *)nowhere = 1;
    return NULL;
}

static void swallow(int number)
{
    _exit(100 + number);
}

/* act does what is ordered for this function; -1 when nothing is, or when the function shall go on. */
static int act(const char *function)
{
    const char *order = getenv("BADLIB"), *what;
    size_t len = strlen(function);
    pthread_t thread;

    if (!order || strncmp(order, function, len) != 0 || order[len] != ':')
        return -1;
    what = order + len + 1;
    if (strcmp(what, "segv") == 0)
        crash(NULL);
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "thread") == 0 && pthread_create(&thread, NULL, crash, NULL) == 0)
        pthread_join(thread, NULL);
    if (strcmp(what, "exit") == 0)
        exit(9);
    if (strcmp(what, "_exit") == 0)
        _exit(9);
    while (strcmp(what, "hang") == 0)
        pause();
    return strncmp(what, "code=", 5) == 0 ? atoi(what + 5) : -1;
}

/* bring_arguments puts the words of the environment behind the program's name. */
static void bring_arguments(int *count, char ***arguments)
{
    static char *words[ARGUMENTS_MOST + 2];
    char *text = getenv("BADLIB_ARGUMENTS");

    words[0] = (*arguments)[0];
    *count = 1;
    for (char *word = strtok(strdup(text ? text : ""), " "); word && *count < ARGUMENTS_MOST; word = strtok(NULL, " "))
        words[(*count)++] = word;
    *arguments = words;
}

int MPI_Init(int *count, char ***arguments)
{
    const char *order = getenv("BADLIB");
    int code = act("MPI_Init");

    if (code >= 0)
        return code;
    code = PMPI_Init(count, arguments);
    if (getenv("BADLIB_HANDLERS")) {
        signal(SIGSEGV, swallow);
        signal(SIGABRT, swallow);
    }
    if (order && strcmp(order, "MPI_Init:arguments") == 0)
        bring_arguments(count, arguments);
    return code;
}

int MPI_Barrier(MPI_Comm comm)
{
    int code = act("MPI_Barrier");

    return code >= 0 ? code : PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int code = act("MPI_Finalize");

    return code >= 0 ? code : PMPI_Finalize();
}
