/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What has judged a run (digests.h).
 */
#include "tester/report/digests.h"

#include "tester/capture/evidence_file.h"

#include <pthread.h>

static struct evidence_file program = {.path = "exe"};

static void measure_program(void)
{
    if (!evidence_file_measure("/proc/self", &program)) {
        program.sha256[0] = 0;
    }
}

json_t *digests_json(const struct case_list *cases)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct case_list_digests digests;

    pthread_once(&once, measure_program);
    case_list_digests(cases, &digests);
    return json_pack("{s:s,s:s,s:s}", "tester", program.sha256, "catalogue", digests.catalogue, "cases", digests.cases);
}
