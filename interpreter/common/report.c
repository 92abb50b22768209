/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One line on stderr for a person. Written with a single write, so that the lines of several processes do not mix.
 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *report_program = "?";

void report_name(const char *program)
{
    report_program = program;
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
