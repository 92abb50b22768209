/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How joining a job can end.
 */
#ifndef REF_IMPL_JOB_STATUS_H
#define REF_IMPL_JOB_STATUS_H

enum job_status {
    JOB_OK,
    JOB_NO_MEMORY,
    JOB_UNREACHABLE, /* nobody answers who knows the others */
    JOB_REFUSED,     /* whoever knows them does not tell, or says what cannot be */
};

#endif
