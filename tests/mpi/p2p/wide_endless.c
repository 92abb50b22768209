/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device under a peer that asks without end and acknowledges nothing: IMPI 3.6. Its questions must be
 * answered, the answers may not leave, and so they gather; there must be an end of it, and it must be told.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { MOST = 4 << 20 /* questions: 512 MB */, DEADLINE_SECONDS = 600, ROOM = 512 };

/* The job under test: asks until it ends. Exits with 0 only if nothing has stopped it. */
static void flood(int said)
{
    struct agent_packet ask = agent_answer(CANCEL, 1, 7);

    dup2(said, STDERR_FILENO);
    alarm(DEADLINE_SECONDS);
    agent_begin(10, 4, 8);
    for (int i = 0; i < MOST; i++) {
        agent_send(&ask);
    }
    _exit(0);
}

/* All that the job says, as a string. */
static void listen_to(int said, char *text, size_t room)
{
    size_t len = 0;
    ssize_t got;

    while (len < room - 1 && ((got = read(said, text + len, room - 1 - len)) > 0 || (got < 0 && errno == EINTR))) {
        len += got > 0 ? (size_t)got : 0;
    }
    text[len] = '\0';
}

int main(void)
{
    char text[ROOM];
    int ends[2], status = 0;
    pid_t job;

    if (pipe(ends) != 0 || (job = fork()) < 0) {
        CHECK(false, "no pipe or process: %s", strerror(errno));
        return tap_done();
    }
    if (job == 0) {
        close(ends[0]);
        flood(ends[1]);
    }
    close(ends[1]);
    listen_to(ends[0], text, sizeof(text));
    CHECK(waitpid(job, &status, 0) == job, "the job ends");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1, "as a failure, not by a signal: %#x", (unsigned)status);
    CHECK(strstr(text, "rank 1 acknowledges no packets") != NULL, "and says why: %s", text);
    return tap_done();
}
