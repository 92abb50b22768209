/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What makes an interpreter one of Portals or one of MPI. The folder portals/ or mpi/ brings one `struct api`; what
 * is here serves both programs and knows no library.
 */
#ifndef INTERPRETER_CORE_API_H
#define INTERPRETER_CORE_API_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/line.h"

struct verb; /* a row of the table in verbs.h */

/* struct api_kind is one sort of object that a name can stand for: what people call it, and how many octets it takes.
 */
struct api_kind {
    const char *title;
    size_t octets;
};

struct api {
    const char *program; /* its name */
    const char *name;    /* as `hello` gives it */
    const char *library; /* for people: what it is linked with */

    /* The chapters of verbs, ended by NULL; each is an array that ends with a row without name. */
    const struct verb *const *chapters;

    /* Kinds of names, from KIND_OWN on. */
    const struct api_kind *kinds;

    /* begin sees the arguments before anybody reads them, and may change them. It gives further features for `hello`,
     * beginning with a comma, or "". */
    const char *(*begin)(int *count, char ***arguments);

    /* What --help says of further options, which begin takes out: whole lines, or "". */
    const char *options;

    /* The function of the library to which unknown arguments are left; NULL: none may come. */
    const char *leaves_to;

    /* ready is called on the main thread before the first command is executed, when crashes are told already. */
    void (*ready)(void);

    /* describe writes facts about the library, each with a space in front. */
    void (*describe)(struct line *line);
};

extern const struct api api;

#endif
