/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starts the user's launcher and sees it to its end: see launcher.h. No shell is asked: the words are those that stand
 * there.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ref-impl/impi/client/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_MS = 10000, CANNOT_RUN = 126, NOT_FOUND = 127 };

/* One word of the command, with its number in. The caller frees it. */
static char *word_make(const char *begin, size_t len, uint32_t processes)
{
    static const char mark[] = "{np}";
    char *word = malloc(len + 16);
    const char *at = memmem(begin, len, mark, sizeof mark - 1);

    if (word && at) {
        int tail = (int)(len - (size_t)(at - begin) - (sizeof mark - 1));

        snprintf(word, len + 16, "%.*s%" PRIu32 "%.*s", (int)(at - begin), begin, processes, tail,
                 at + sizeof mark - 1);
    } else if (word) {
        snprintf(word, len + 16, "%.*s", (int)len, begin);
    }
    return word;
}

static void words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++) {
        free(words[i]);
    }
    free(words);
}

/* The command's words and those behind, ended by NULL, to be freed by words_free. NULL: no memory. */
static char **words_make(const char *command, uint32_t processes, char *const more[])
{
    size_t most = strlen(command) / 2 + 2, count = 0;

    for (size_t i = 0; more[i]; i++) {
        most++;
    }
    char **words = calloc(most, sizeof *words);
    while (words && *(command += strspn(command, " "))) {
        size_t len = strcspn(command, " ");

        words[count] = word_make(command, len, processes);
        if (!words[count++]) {
            words_free(words);
            return NULL;
        }
        command += len;
    }
    for (size_t i = 0; words && more[i]; i++) {
        words[count] = strdup(more[i]);
        if (!words[count++]) {
            words_free(words);
            return NULL;
        }
    }
    return words;
}

/* The launcher's process; it says on `failure` why it cannot be run, if it cannot. */
static _Noreturn void launcher_process(char **words, pid_t parent, int failure)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent) {
        (void)execvp(words[0], words);
    }
    int error = errno;
    (void)!write(failure, &error, sizeof error);
    _exit(CANNOT_RUN);
}

static bool launcher_fork(struct launcher *l, char **words)
{
    int failure[2], error = 0;
    pid_t parent = getpid();

    if (pipe2(failure, O_CLOEXEC) != 0) {
        return false;
    }
    l->pid = fork();
    if (l->pid == 0) {
        launcher_process(words, parent, failure[1]);
    }
    close(failure[1]);
    if (l->pid > 0 && read(failure[0], &error, sizeof error) == (ssize_t)sizeof error) {
        (void)waitpid(l->pid, NULL, 0);
        errno = error;
    }
    close(failure[0]);
    if (l->pid < 0 || error != 0) {
        errno = error != 0 ? error : errno;
        return false;
    }
    l->running = true;
    l->fd = (int)syscall(SYS_pidfd_open, l->pid, 0);
    return l->fd >= 0;
}

bool launcher_start(struct launcher *l, const char *command, uint32_t processes, char *const more[])
{
    char **words = words_make(command, processes, more);

    errno = ENOMEM;
    if (words && launcher_fork(l, words)) {
        words_free(words);
        return true;
    }
    l->status = errno == ENOENT ? NOT_FOUND : CANNOT_RUN;
    fprintf(stderr, "impirun: cannot run the launcher %s: %s\n", words ? words[0] : command, strerror(errno));
    words_free(words);
    return false;
}

void launcher_reap(struct launcher *l)
{
    int status = 0;

    if (l->running && waitpid(l->pid, &status, WNOHANG) == l->pid) {
        l->running = false;
        l->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

void launcher_end(struct launcher *l)
{
    struct pollfd end = {l->fd, POLLIN, 0};

    launcher_reap(l);
    for (int signal = SIGTERM; l->running && signal != 0; signal = signal == SIGTERM ? SIGKILL : 0) {
        (void)kill(l->pid, signal);
        (void)poll(&end, 1, GRACE_MS);
        launcher_reap(l);
    }
    if (l->fd >= 0) {
        close(l->fd);
    }
    l->fd = -1;
}
