/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Results of an earlier run (earlier.h).
 */
#include "tester/engine/earlier.h"

#include "tester/engine/again.h"
#include "tester/judging/faults.h"
#include "tester/judging/readings.h"
#include "tester/profile/case_entry.h"
#include "tester/profile/case_list.h"
#include "tester/report/attempts.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* A case that failed by a symptom of its own is what later cases with the same symptom are blocked by. */
static bool has_fault(const struct judge *judge)
{
    return judge->verdict == VERDICT_FAIL && !judge->blocked_by && *judge->requirement &&
           judge->symptom.kind != SYMPTOM_NONE && strcmp(judge->axis, "sut") == 0;
}

json_t *earlier_record(json_t *object, const struct judge *judge, struct build *build)
{
    const struct symptom *symptom = &judge->symptom;
    json_t *record = json_pack("{s:O,s:O}", "case", object, "readings", judge->readings);
    json_t *news = build_news(build);

    if (news) {
        json_object_set_new(record, "build", news);
    }

    if (has_fault(judge)) {
        json_object_set_new(record, "fault",
                            json_pack("{s:i,s:s,s:s,s:b}", "kind", (int)symptom->kind, "subject", symptom->subject,
                                      "detail", symptom->detail, "basic", symptom->basic));
    }
    return record;
}

/* The case of that id as it is today, or NULL. */
static const struct case_entry *find_entry(const struct engine_run *run, const char *id)
{
    for (size_t i = 0; i < run->selection.count; i++) {
        const struct case_entry *entry = case_list_entry(run->cases, run->selection.indexes[i]);

        if (strcmp(entry->about.id, id) == 0) {
            return entry;
        }
    }
    return NULL;
}

static void take_fault(struct engine_run *run, const json_t *fault, const json_t *object)
{
    const struct case_entry *entry = find_entry(run, text_of(object, "id"));
    json_int_t kind = json_integer_value(json_object_get(fault, "kind"));
    struct symptom symptom;

    if (kind <= SYMPTOM_NONE || kind > SYMPTOM_LOSES) {
        return;
    }
    symptom_set(&symptom, (enum symptom_kind)kind, text_of(fault, "subject"), text_of(fault, "detail"),
                json_is_true(json_object_get(fault, "basic")));
    if (!faults_find(run->faults, &symptom)) {
        faults_add(run->faults, &symptom, text_of(object, "requirement"), text_of(object, "id"),
                   entry && entry->about.foundation);
    }
}

static void take_readings(struct engine_run *run, json_t *readings)
{
    const char *name;
    json_t *value;

    json_object_foreach(readings, name, value)
    {
        if (json_is_string(value)) {
            readings_found(run->readings, name, json_string_value(value));
        }
    }
}

enum engine_status earlier_take(struct engine_run *run, const json_t *records, char *message, size_t message_octets)
{
    run->earlier = json_object();
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        json_t *object = json_object_get(record, "case");
        const char *id = text_of(object, "id");
        const struct case_entry *entry = find_entry(run, id);

        if (!entry || strcmp(entry->source_sha256, text_of(object, "source_sha256")) != 0) {
            snprintf(message, message_octets, "case %.72s has changed since it was judged: begin a new run", id);
            return ENGINE_BAD_EARLIER;
        }
        results_restore(&run->results, &entry->about, object);
        if (attempts_of(object) > 0) {
            again_restore(run, id, attempts_of(object));
        }
        take_fault(run, json_object_get(record, "fault"), object);
        take_readings(run, json_object_get(record, "readings"));
        build_restore(run->sut.build, json_object_get(record, "build"));
        json_object_set_new(run->earlier, id, json_true());
    }
    return ENGINE_OK;
}

bool earlier_has(const struct engine_run *run, size_t place)
{
    const struct case_entry *entry = case_list_entry(run->cases, run->selection.indexes[place]);

    return json_object_get(run->earlier, entry->about.id) != NULL;
}
