/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The index of a match list against the rule that it serves: whatever is inserted where and unlinked again, a request
 * finds the descriptor that a walk from the head finds, over a plain array that this test keeps (P30-015, P30-018 to
 * P30-021, P30-315). Lists, entries and requests are random; ASSAY_SEED repeats one that failed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/matching/translate.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/ni_open.h"
#include "tests/refimpl/script.h"
#include "tests/unit/tap.h"

enum { ENTRIES_MAX = 500, STEPS = 3000, ASKED = 4 };

/* How varied a list is. */
struct variety {
    const char *name;
    uint32_t most;  /* entries */
    uint32_t masks; /* different ignore bits */
    uint32_t bits;  /* different match bits */
    uint32_t ids;   /* different rank ids, and one in so many criteria names one at all */
    bool at_one_place;
};

/* An entry as the test remembers it. */
struct known {
    uint64_t entry, descriptor; /* CORE_NONE: it has none */
    struct me_criteria criteria;
    bool active;
};

static struct known known[ENTRIES_MAX];
static uint32_t known_count;
static uint64_t ni_handle, random_state;
static char region[8];

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* Masks are of all sorts: nothing, everything, single bits, halves. */
static uint64_t mask_numbered(uint32_t number)
{
    const uint64_t first[] = {0, UINT64_MAX, 0xffff, 0xffffffff00000000};

    return number < 4 ? first[number] : (uint64_t)0x9e3779b97f4a7c15 * number;
}

static struct me_criteria criteria_make(const struct variety *variety)
{
    struct me_criteria criteria = {
        .process = {CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID},
        .match_bits = (uint64_t)random_below(variety->bits) * 0x100010001,
        .ignore_bits = mask_numbered(random_below(variety->masks)),
    };

    if (random_below(variety->ids) == 0) {
        criteria.process.gid = script_self.gid;
    }
    if (random_below(variety->ids) == 0) {
        criteria.process.rid = random_below(variety->ids);
    }
    return criteria;
}

static struct wire_portals_header request_make(const struct variety *variety)
{
    struct wire_portals_header request = script_request(&script_first, WIRE_PORTALS_PUT, 4);

    request.initiator.rid = random_below(variety->ids);
    request.match_bits = (uint64_t)random_below(variety->bits) * 0x100010001;
    request.match_bits ^= random_below(3) == 0 ? mask_numbered(random_below(variety->masks)) : 0;
    return request;
}

/* Gives an entry a descriptor, or none: active, or one that refuses. */
static bool furnish(struct known *entry)
{
    struct core_md value = {.start = region,
                            .length = sizeof(region),
                            .options = CORE_SERVES_PUT | CORE_REMOTE_OFFSET,
                            .eventq = CORE_NONE};

    entry->active = random_below(3) > 0;
    entry->descriptor = CORE_NONE;
    value.threshold = entry->active ? CORE_ENDLESS : 0;
    if (!entry->active && random_below(2)) {
        return true;
    }
    return md_attach(entry->entry, &value, false, &entry->descriptor) == CORE_OK;
}

static bool insert(const struct variety *variety)
{
    uint32_t current = variety->at_one_place ? known_count / 2 : known_count ? random_below(known_count) : 0;
    bool before = random_below(2) || known_count == 0;
    uint32_t place = known_count == 0 ? 0 : before ? current : current + 1;
    struct known entry = {.criteria = criteria_make(variety)};
    enum core_status status;

    if (known_count == 0) {
        status = me_attach(ni_handle, 0, &entry.criteria, false, &entry.entry);
    } else {
        status = me_insert(known[current].entry, before, &entry.criteria, false, &entry.entry);
    }
    if (status != CORE_OK || !furnish(&entry)) {
        return false;
    }
    memmove(&known[place + 1], &known[place], (known_count - place) * sizeof(known[0]));
    known[place] = entry;
    known_count++;
    return true;
}

static bool take_out(uint32_t place)
{
    bool good = me_unlink(known[place].entry) == CORE_OK;

    known_count--;
    memmove(&known[place], &known[place + 1], (known_count - place) * sizeof(known[0]));
    return good;
}

static bool fits(const struct me_criteria *criteria, const struct wire_portals_header *request)
{
    uint64_t compared = ~criteria->ignore_bits;

    return (criteria->process.gid == CORE_ANY_ID || criteria->process.gid == request->initiator.gid) &&
           (criteria->process.rid == CORE_ANY_ID || criteria->process.rid == request->initiator.rid) &&
           (criteria->match_bits & compared) == (request->match_bits & compared);
}

/* The descriptor that the rule gives: from the head on, the first that fits and accepts. */
static uint64_t walk(const struct wire_portals_header *request)
{
    for (uint32_t i = 0; i < known_count; i++) {
        if (fits(&known[i].criteria, request) && known[i].active) {
            return known[i].descriptor;
        }
    }
    return CORE_NONE;
}

static uint64_t search(const struct wire_portals_header *request)
{
    struct ni *ni = ni_enter_interface(ni_handle);
    struct accept_part part;
    const struct md *md = translate_request(ni, request, &part);
    uint64_t found = md ? md->handle : CORE_NONE;

    ni_leave(ni);
    return found;
}

/* Everything that may match is offered, each once, in order. */
static bool offers_in_order(const struct wire_portals_header *request)
{
    struct ni *ni = ni_enter_interface(ni_handle);
    struct match_search under_way;
    uint32_t i = 0;
    bool good = true;

    for (const struct me *me = match_first(&under_way, &ni->portals[0], request); me; me = match_next(&under_way)) {
        while (i < known_count && known[i].entry != me->handle) {
            good = good && !fits(&known[i].criteria, request);
            i++;
        }
        good = good && i++ < known_count;
    }
    for (; i < known_count; i++) {
        good = good && !fits(&known[i].criteria, request);
    }
    ni_leave(ni);
    return good;
}

/* One step: the list changes; then requests are made. */
static bool step(const struct variety *variety, uint32_t *hits)
{
    bool grows = known_count == 0 || (known_count < variety->most && random_below(100) < 55);

    if (!(grows ? insert(variety) : take_out(random_below(known_count)))) {
        return false;
    }
    for (int i = 0; i < ASKED; i++) {
        struct wire_portals_header request = request_make(variety);
        uint64_t wanted = walk(&request);

        *hits += wanted != CORE_NONE;
        if (search(&request) != wanted || !offers_in_order(&request)) {
            return false;
        }
    }
    return true;
}

static void random_lists(void)
{
    static const struct variety varieties[] = {
        {"a short list", MATCH_INDEX_FROM - 1, 3, 4, 3, false},
        {"a list about as long as an index needs", MATCH_INDEX_FROM + 2, 2, 9, 4, false},
        {"exact bits", ENTRIES_MAX, 1, 300, 2, false},
        {"a few masks", ENTRIES_MAX, 4, 40, 9, false},
        {"more classes than an index has", ENTRIES_MAX, 60, 40, 5, false},
        {"all alike", ENTRIES_MAX, 1, 1, 1, false},
        {"always at the same place", ENTRIES_MAX, 4, 40, 9, true},
    };

    for (size_t i = 0; i < sizeof(varieties) / sizeof(varieties[0]); i++) {
        uint32_t hits = 0, steps = 0;

        ni_handle = script_open(&policy_3_0);
        known_count = 0;
        while (steps < STEPS && step(&varieties[i], &hits)) {
            steps++;
        }
        CHECK(steps == STEPS, "%s: found as by walking, %u steps", varieties[i].name, steps);
        CHECK(hits > STEPS / 10, "%s: %u of %d requests fit something", varieties[i].name, hits, STEPS * ASKED);
        while (known_count > 0 && take_out(known_count - 1)) {
        }
        CHECK_EQ(ni_close(ni_handle), CORE_OK, "closed");
    }
}

/* Inserting again and again at one place uses the numbers between two labels up. */
static void labels_run_out(void)
{
    const struct variety variety = {"", 0, 2, 5, 2, false};
    struct ni *ni;
    uint64_t before;
    bool good = true;

    ni_handle = script_open(&policy_3_0);
    for (int i = 0; i < 3; i++) {
        struct me_criteria criteria = criteria_make(&variety);
        uint64_t handle;

        good = good && (i == 0 ? me_attach(ni_handle, 0, &criteria, false, &before)
                               : me_insert(before, i == 1, &criteria, false, &handle)) == CORE_OK;
    }
    for (int i = 0; i < 20000; i++) {
        struct me_criteria criteria = criteria_make(&variety);
        uint64_t handle;

        /* first always in front of the same entry, then always behind the last one made */
        good = good && me_insert(before, i < 10000, &criteria, false, &handle) == CORE_OK;
        before = i < 10000 ? before : handle;
    }
    CHECK(good, "20000 entries at one place");
    ni = ni_enter_interface(ni_handle);
    for (struct list *at = ni->portals[0].entries.next; at->next != &ni->portals[0].entries; at = at->next) {
        const struct me *me = LIST_OWNER(at, struct me, link), *next = LIST_OWNER(at->next, struct me, link);

        good = good && me->label < next->label;
    }
    ni_leave(ni);
    CHECK(good, "labels grow along the list");
    CHECK_EQ(ni_close(ni_handle), CORE_OK, "closed");
}

int main(void)
{
    const char *seed = getenv("ASSAY_SEED");

    random_state = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("# ASSAY_SEED=%" PRIu64 "\n", random_state);
    TAP_RUN(random_lists);
    TAP_RUN(labels_run_out);
    return tap_done();
}
