/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Follows each conversation of the second run in the first. Where nothing differs but the first one says more, the
 * first event that is left over there is the difference.
 */
#include "web/runs/differ.h"

#include <stdbool.h>
#include <string.h>

enum { PAIRS_MAX = 256 };

/* A conversation, and where it has got to in the first run. */
struct pair {
    const char *from, *to;
    size_t next;
};

struct pairs {
    struct pair of[PAIRS_MAX];
    size_t count;
};

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));

    return text ? text : "";
}

static bool equal(const json_t *one, const json_t *other, const char *key)
{
    return strcmp(text_of(one, key), text_of(other, key)) == 0;
}

/* The conversation of an event; NULL: there are too many. */
static struct pair *pair_of(struct pairs *pairs, const json_t *event)
{
    const char *from = text_of(event, "from"), *to = text_of(event, "to");

    for (size_t i = 0; i < pairs->count; i++) {
        if (strcmp(pairs->of[i].from, from) == 0 && strcmp(pairs->of[i].to, to) == 0) {
            return &pairs->of[i];
        }
    }
    if (pairs->count == PAIRS_MAX) {
        return NULL;
    }
    pairs->of[pairs->count] = (struct pair){from, to, 0};
    return &pairs->of[pairs->count++];
}

/* The next event of the conversation in a ladder, after which it goes on; NULL: there is none. */
static json_t *take_next(const json_t *ladder, struct pair *pair)
{
    while (pair->next < json_array_size(ladder)) {
        json_t *event = json_array_get(ladder, pair->next++);

        if (strcmp(text_of(event, "from"), pair->from) == 0 && strcmp(text_of(event, "to"), pair->to) == 0) {
            return event;
        }
    }
    return NULL;
}

/* The first event of the first run that the second has not got to. */
static json_t *left_over(struct pairs *pairs, const json_t *before)
{
    for (size_t i = 0; i < json_array_size(before); i++) {
        json_t *event = json_array_get(before, i);
        const struct pair *pair = pair_of(pairs, event);

        if (pair && i >= pair->next) {
            return event;
        }
    }
    return NULL;
}

json_t *differ_first(const json_t *before, const json_t *after)
{
    struct pairs pairs = {.count = 0};
    size_t i;

    for (i = 0; i < json_array_size(after); i++) {
        json_t *event = json_array_get(after, i);
        struct pair *pair = pair_of(&pairs, event);
        json_t *was = pair ? take_next(before, pair) : event;

        if (!was || !equal(was, event, "kind") || !equal(was, event, "label")) {
            return json_pack("{s:I,s:O?,s:O}", "same", (json_int_t)i, "before", was, "after", event);
        }
    }
    return json_pack("{s:I,s:O?,s:n}", "same", (json_int_t)i, "before", left_over(&pairs, before), "after");
}
