/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The standard streams of a program (output.h).
 */
#include "tester/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void output_begin(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", O_RDONLY); /* it gets the lowest number that is free: this one */
        }
    }
}

bool output_flushed(const char *program)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return true;
    }
    fprintf(stderr, "%s: standard output cannot be written, and some of it is lost: %s\n", program,
            errno ? strerror(errno) : "an earlier write failed");
    clearerr(stdout);
    return false;
}
