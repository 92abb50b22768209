/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Readings that a run has found (readings.h): a JSON object by the switches' names, of which nothing is ever replaced.
 */
#include "tester/judging/readings.h"

#include "tester/base/memory.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>

struct readings {
    pthread_mutex_t lock; /* guards the object; its values never change */
    json_t *found;
};

struct readings *readings_open(void)
{
    struct readings *readings = memory_zero(sizeof *readings);

    pthread_mutex_init(&readings->lock, NULL);
    readings->found = json_object();
    return readings;
}

void readings_close(struct readings *readings)
{
    json_decref(readings->found);
    pthread_mutex_destroy(&readings->lock);
    free(readings);
}

void readings_found(struct readings *readings, const char *name, const char *value)
{
    pthread_mutex_lock(&readings->lock);
    if (!json_object_get(readings->found, name)) {
        json_object_set_new_nocheck(readings->found, name, json_string(value));
    }
    pthread_mutex_unlock(&readings->lock);
}

const char *readings_of(struct readings *readings, const char *name)
{
    pthread_mutex_lock(&readings->lock);
    const char *value = json_string_value(json_object_get(readings->found, name));
    pthread_mutex_unlock(&readings->lock);
    return value;
}
