/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * See steps.h.
 */
#include "dissector/common/steps.h"

#include <epan/wmem_scopes.h>

struct entry {
    struct wire_impi_step *step;
    const struct wire_impi_job *job;
};

static GArray *steps;

void steps_begin(void)
{
    steps = g_array_new(FALSE, FALSE, sizeof(struct entry));
}

void steps_end(void)
{
    g_array_free(steps, TRUE);
}

const struct wire_impi_step *steps_add(const struct wire_impi_job *job, const struct wire_impi_step *step)
{
    struct entry entry = {wmem_memdup(wmem_file_scope(), step, sizeof *step), job};

    g_array_append_val(steps, entry);
    return entry.step;
}

static guint hash(gconstpointer pointer)
{
    const struct entry *entry = pointer;
    const struct wire_impi_step *step = entry->step;

    return g_str_hash(step->operation) ^ (guint)(step->number * 31 + step->cid * 17 + step->group);
}

static gboolean is_same_operation(gconstpointer one, gconstpointer other)
{
    const struct entry *a = one, *b = other;

    return a->job == b->job && a->step->number == b->step->number && a->step->cid == b->step->cid &&
           a->step->group == b->step->group && a->step->misplaced == b->step->misplaced &&
           g_str_equal(a->step->operation, b->step->operation);
}

void steps_settle(const struct wire_examine *examine)
{
    GHashTable *latest = g_hash_table_new(hash, is_same_operation), *places = g_hash_table_new(NULL, NULL);
    const struct wire_impi_job *job;
    struct wire_end server;

    for (size_t place = 0; (job = wire_examine_job(examine, place, &server)) != NULL; place++) {
        g_hash_table_insert(places, (gpointer)job, GSIZE_TO_POINTER(place));
    }
    for (guint i = 0; i < steps->len; i++) {
        const struct entry *at = &g_array_index(steps, struct entry, i);
        gpointer place;

        if (g_hash_table_lookup_extended(places, at->job, NULL, &place)) {
            wire_impi_collectives_settle(wire_examine_collectives(examine, GPOINTER_TO_SIZE(place)), at->step);
        }
    }
    g_hash_table_destroy(places);
    for (guint i = steps->len; i > 0; i--) {
        struct entry *at = &g_array_index(steps, struct entry, i - 1);
        const struct entry *last = g_hash_table_lookup(latest, at);

        if (last) {
            at->step->root = last->step->root;
        } else if (at->step->number) {
            g_hash_table_insert(latest, at, at);
        }
    }
    g_hash_table_destroy(latest);
}
