/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arrays of requests and statuses that functions with several requests take.
 */
#ifndef INTERPRETER_MPI_SEVERAL_H
#define INTERPRETER_MPI_SEVERAL_H

#include "call.h"

/* struct several: `count` is what the function is told, requests.len how many there are. */
struct several {
    struct name_list requests, status_names; /* status_names.len is 0 when nobody wants to keep them */
    MPI_Status *statuses;
    int *indices;
    int count;
};

/* several_read reads array_of_requests, array_of_statuses and the pair `length`; false when something is wrong. */
bool several_read(struct call *call, const char *length, struct several *several);

/* several_give gives the requests back to their names. */
void several_give(struct call *call, const struct several *several);

/* several_add_statuses keeps and writes the first `count` statuses. */
void several_add_statuses(struct call *call, const struct several *several, int count, bool with_errors);

/* several_finish gives the requests back and, where `flag` and the code say that there are some, writes the statuses.
 */
void several_finish(struct call *call, const struct several *several, int code, int flag);

#endif
