/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent's command `measure` (measure.h).
 */
#include "tester/sut/measure.h"

#include "tester/base/pairs.h"

#include <stdbool.h>

enum { MEASURE_MS = 60000 };

uint32_t measure_begin(struct dialogue *agent)
{
    char features[128] = "";

    if (agent->state == DIALOGUE_READY) {
        pairs_value(agent->hello, "features", features, sizeof features);
    }
    return pairs_list_has(features, "measure") ? dialogue_send(agent, MEASURE_MS, NULL, "measure", NULL, 0) : 0;
}

static bool has_answer(void *context)
{
    const struct dialogue_command *command = context;

    return command->reply != NULL;
}

void measure_end(struct sut *sut, struct dialogue *agent, uint32_t id)
{
    struct dialogue_command *command = id ? dialogue_find(agent, id) : NULL;

    if (command) {
        sut_pump(sut, has_answer, command, command->late_ms);
        dialogue_forget(agent, id);
    }
}
