/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Composing a notice without the C library's formatting, which a signal handler must not call. output.c sends it.
 */
#include "notice.h"

void notice_add(struct notice *notice, const char *text)
{
    while (*text && notice->len < sizeof notice->text - 1)
        notice->text[notice->len++] = *text++;
}

void notice_add_number(struct notice *notice, unsigned long number)
{
    char digits[24];
    size_t at = sizeof digits - 1;

    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    notice_add(notice, digits + at);
}
