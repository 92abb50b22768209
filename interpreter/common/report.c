/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One line on stderr for a person. Written with a single write, so that the lines of several processes do not mix.
 */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *report_program = "?";

void report_name(const char *program)
{
    int fd;

    report_program = program;
    for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", O_RDONLY); /* gets the lowest free number, this one; writing there fails */
    }
}

int report_printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    report_say("standard output cannot be written, and some of it is lost: %s", strerror(errno));
    return EXIT_MISUSED;
}

void report_say(const char *format, ...)
{
    char text[1024];
    size_t len;
    va_list arguments;
    ssize_t written;

    snprintf(text, sizeof text, "%s: ", report_program);
    len = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + len, sizeof text - len - 1, format, arguments);
    va_end(arguments);
    len = strlen(text);
    text[len++] = '\n';
    written = write(STDERR_FILENO, text, len);
    (void)written; /* there is nobody else to tell */
}
