/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cases that are to be judged once more (again.h).
 */
#include "tester/engine/again.h"

#include "tester/base/memory.h"
#include "tester/profile/selection.h"

#include <stdlib.h>
#include <string.h>

struct again {
    pthread_mutex_t lock; /* guards all of it */
    json_t *asked;        /* ids, in order; the first may be under way */
    json_t *made;         /* for each id that was judged more than once, how often */
    bool released;        /* nobody will ask any more */
    bool ended;           /* nobody may */
};

struct again *again_open(void)
{
    struct again *again = memory_zero(sizeof *again);

    pthread_mutex_init(&again->lock, NULL);
    again->asked = json_array();
    again->made = json_object();
    return again;
}

void again_close(struct again *again)
{
    pthread_mutex_destroy(&again->lock);
    json_decref(again->asked);
    json_decref(again->made);
    free(again);
}

static bool find_place(const struct engine_run *run, const char *case_id, size_t *place)
{
    for (*place = 0; *place < run->selection.count; ++*place) {
        if (strcmp(selection_at(&run->selection, *place)->id, case_id) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_asked(const struct again *again, const char *case_id)
{
    for (size_t i = 0; i < json_array_size(again->asked); i++) {
        if (strcmp(json_string_value(json_array_get(again->asked, i)), case_id) == 0) {
            return true;
        }
    }
    return false;
}

bool again_ask(struct engine_run *run, const char *case_id)
{
    struct again *again = run->again;

    pthread_mutex_lock(&again->lock);
    bool good = !again->ended;
    if (good && !is_asked(again, case_id)) {
        json_array_append_new(again->asked, json_string(case_id));
    }
    pthread_mutex_unlock(&again->lock);
    return good;
}

bool again_take(struct engine_run *run, size_t *place, unsigned *attempt)
{
    struct again *again = run->again;
    bool found = false;

    pthread_mutex_lock(&again->lock);
    while (!found && json_array_size(again->asked) > 0) {
        const char *id = json_string_value(json_array_get(again->asked, 0));

        found = find_place(run, id, place);
        if (found) {
            json_int_t made = json_integer_value(json_object_get(again->made, id));
            *attempt = made > 0 ? (unsigned)made + 1 : 2;
            json_object_set_new(again->made, id, json_integer(*attempt));
        } else {
            json_array_remove(again->asked, 0); /* no case of this run */
        }
    }
    pthread_mutex_unlock(&again->lock);
    return found;
}

void again_told(struct engine_run *run)
{
    pthread_mutex_lock(&run->again->lock);
    json_array_remove(run->again->asked, 0);
    pthread_mutex_unlock(&run->again->lock);
}

void again_restore(struct engine_run *run, const char *case_id, unsigned attempt)
{
    pthread_mutex_lock(&run->again->lock);
    json_object_set_new(run->again->made, case_id, json_integer(attempt));
    pthread_mutex_unlock(&run->again->lock);
}

void again_release(struct engine_run *run)
{
    pthread_mutex_lock(&run->again->lock);
    run->again->released = true;
    pthread_mutex_unlock(&run->again->lock);
}

bool again_awaits(const struct engine_run *run)
{
    pthread_mutex_lock(&run->again->lock);
    bool awaits = !run->again->released && json_array_size(run->again->asked) == 0;
    pthread_mutex_unlock(&run->again->lock);
    return awaits;
}

bool again_end(struct engine_run *run)
{
    pthread_mutex_lock(&run->again->lock);
    run->again->ended = run->again->ended || json_array_size(run->again->asked) == 0;
    bool ended = run->again->ended;
    pthread_mutex_unlock(&run->again->lock);
    return ended;
}
