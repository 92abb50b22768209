/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's memory of requests (wire/portals/check.h) and the judging of answers by it. A request stands in one
 * bucket of a hash table, by everything that its answer must repeat (tables 7 and 9), by whether it waits and by
 * whether it must be discarded, oldest first, and in one of three lists by age: waiting for its answer; settled, kept
 * so that a second answer is known for what it is; free. Several requests may be alike in all of this; since messages
 * between two processes keep their order, the oldest that waits is then the one meant. So the first that fits is the
 * right one, and thousands that are alike cost no more than one. Where no request fits, the one that fits best is taken
 * and the differences are named.
 */
#include "wire/portals/check_own.h"

#include "wire/portals/check.h"

#include "wire/octets/keyed_hash.h"

#include <stddef.h>
#include <string.h>

/* An index that is none: the first element is but a bucket. */
enum { NONE = 0 };

/* Age lists */

static void age_append(struct wire_portals_check *check, struct wire_portals_check_ages *ages, uint32_t index)
{
    struct wire_portals_check_request *all = check->tables.requests;

    all[index].older = ages->newest;
    all[index].newer = NONE;
    if (ages->newest == NONE) {
        ages->oldest = index;
    } else {
        all[ages->newest].newer = index;
    }
    ages->newest = index;
    ages->count++;
}

static void age_remove(struct wire_portals_check *check, struct wire_portals_check_ages *ages, uint32_t index)
{
    struct wire_portals_check_request *all = check->tables.requests;
    const struct wire_portals_check_request *one = &all[index];

    *(one->older == NONE ? &ages->oldest : &all[one->older].newer) = one->newer;
    *(one->newer == NONE ? &ages->newest : &all[one->newer].older) = one->older;
    ages->count--;
}

/* Buckets */

static bool same_process(const struct wire_portals_id *one, const struct wire_portals_id *other)
{
    return one->nid == other->nid && one->pid == other->pid;
}

static bool same_pair(const struct wire_portals_check_request *one, const struct wire_portals_check_request *other)
{
    return same_process(&one->requester, &other->requester) && same_process(&one->server, &other->server) &&
           one->interface == other->interface;
}

/* Such a request is what an answer answers only where there is no other. */
static bool must_discard(const struct wire_portals_check_request *one)
{
    return one->header_violation != WIRE_PORTALS_LEGAL;
}

static bool same_request(const struct wire_portals_check_request *one, const struct wire_portals_check_request *other)
{
    return one->md == other->md && one->offset == other->offset && one->match_bits == other->match_bits &&
           one->rlength == other->rlength && one->portal == other->portal && one->operation == other->operation &&
           one->tagged == other->tagged && one->hdr_data == other->hdr_data &&
           one->local_offset == other->local_offset && one->settled == other->settled &&
           must_discard(one) == must_discard(other) && same_pair(one, other);
}

/* Of all but the two that may change as long as the request is remembered. */
static uint64_t hash_of(const struct wire_portals_check *check, const struct wire_portals_check_request *key)
{
    const uint64_t words[] = {key->md,
                              key->offset,
                              key->match_bits,
                              key->rlength,
                              (uint64_t)key->portal << 32 | key->operation,
                              (uint64_t)key->requester.nid << 32 | key->requester.pid,
                              (uint64_t)key->server.nid << 32 | key->server.pid,
                              key->interface};

    return wire_keyed_hash(check->tables.key, words, sizeof words / sizeof words[0]);
}

static uint32_t bucket_of(const struct wire_portals_check *check, const struct wire_portals_check_request *key)
{
    uint64_t kind = (uint64_t)key->settled << 1 | must_discard(key);

    return (uint32_t)((key->hash + kind * UINT64_C(0x9e3779b97f4a7c15)) % check->tables.request_count);
}

static void bucket_append(struct wire_portals_check *check, uint32_t index)
{
    struct wire_portals_check_request *all = check->tables.requests;
    struct wire_portals_check_request *bucket;

    all[index].bucket = bucket_of(check, &all[index]);
    bucket = &all[all[index].bucket];
    all[index].bucket_next = NONE;
    all[index].bucket_before = bucket->bucket_last;
    *(bucket->bucket_last == NONE ? &bucket->bucket_first : &all[bucket->bucket_last].bucket_next) = index;
    bucket->bucket_last = index;
}

static void bucket_remove(struct wire_portals_check *check, uint32_t index)
{
    struct wire_portals_check_request *all = check->tables.requests;
    const struct wire_portals_check_request *one = &all[index];
    struct wire_portals_check_request *bucket = &all[one->bucket];

    *(one->bucket_before == NONE ? &bucket->bucket_first : &all[one->bucket_before].bucket_next) = one->bucket_next;
    *(one->bucket_next == NONE ? &bucket->bucket_last : &all[one->bucket_next].bucket_before) = one->bucket_before;
}

/* The oldest request that is the same in everything, or NONE. */
static uint32_t find_same(struct wire_portals_check *check, const struct wire_portals_check_request *key)
{
    const struct wire_portals_check_request *all = check->tables.requests;
    uint32_t at = check->tables.request_count ? all[bucket_of(check, key)].bucket_first : NONE;

    while (at != NONE && !same_request(&all[at], key)) {
        check->steps++;
        at = all[at].bucket_next;
    }
    check->steps++;
    return at;
}

/* The oldest request like `key` that waits, or that is settled, best one that need not be discarded. NONE when there is
 * none. */
static uint32_t find_exact(struct wire_portals_check *check, const struct wire_portals_check_request *key, bool settled)
{
    struct wire_portals_check_request wanted = *key;
    uint32_t found;

    wanted.settled = settled;
    wanted.header_violation = WIRE_PORTALS_LEGAL;
    found = find_same(check, &wanted);
    if (found != NONE) {
        return found;
    }
    wanted.header_violation = WIRE_PORTALS_HEADER_VIOLATIONS; /* any */
    return find_same(check, &wanted);
}

/* Life of a request */

static bool is_early_answer(const struct wire_portals_check_request *one)
{
    return one->operation == WIRE_PORTALS_ACK || one->operation == WIRE_PORTALS_REPLY;
}

static void request_free(struct wire_portals_check *check, uint32_t index)
{
    check->early -= is_early_answer(&check->tables.requests[index]);
    check->tables.requests[index].mark = 0;
    bucket_remove(check, index);
    age_remove(check, check->tables.requests[index].settled ? &check->settled : &check->waiting, index);
    age_append(check, &check->free, index);
}

/* Of requests that are alike one settled one is enough. */
static void request_settle(struct wire_portals_check *check, uint32_t index)
{
    struct wire_portals_check_request *one = &check->tables.requests[index];
    struct wire_portals_check_request wanted = *one;
    uint32_t twin;

    if (one->settled) {
        return;
    }
    wanted.settled = true;
    twin = find_same(check, &wanted);
    if (twin != NONE) {
        one->early = one->early || check->tables.requests[twin].early;
        request_free(check, twin);
    }
    bucket_remove(check, index);
    age_remove(check, &check->waiting, index);
    one->settled = true;
    bucket_append(check, index);
    age_append(check, &check->settled, index);
}

/* What a message says that its answer repeats, or that an answer repeats. By the ends of the stream, not by the ids in
 * the header, which may be forged. */
static struct wire_portals_check_request key_of(const struct wire_portals_judged *judged, bool answer)
{
    const struct wire_portals_header *header = judged->header;
    const struct wire_portals_id *sender = &judged->way->hello.initiator;
    bool put = header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_ACK;

    return (struct wire_portals_check_request){
        .requester = answer ? judged->receiver : *sender,
        .server = answer ? *sender : judged->receiver,
        .interface = judged->interface,
        .operation = put ? WIRE_PORTALS_PUT : WIRE_PORTALS_GET,
        .portal = header->portal,
        .match_bits = header->match_bits,
        .offset = header->offset,
        .md = header->md,
        .rlength = header->rlength,
        .tagged = header->tagged,
        .hdr_data = header->hdr_data,
        .local_offset = header->local_offset,
    };
}

/* A place for one more; NONE, where the table has no room at all. */
static uint32_t request_place(struct wire_portals_check *check)
{
    uint32_t index;

    if (check->tables.request_count == 0) {
        check->forgotten++;
        return NONE;
    }
    if (check->used == check->tables.request_count && check->free.count == 0) {
        /* A settled one is no loss: without it a second answer is still one that nothing waits for. */
        check->forgotten += check->settled.count == 0;
        request_free(check, check->settled.count ? check->settled.oldest : check->waiting.oldest);
    }
    if (check->free.count == 0) {
        return ++check->used;
    }
    index = check->free.oldest;
    age_remove(check, &check->free, index);
    return index;
}

static void request_put(struct wire_portals_check *check, uint32_t index, const struct wire_portals_check_request *made)
{
    struct wire_portals_check_request *one = &check->tables.requests[index];
    uint32_t first = one->bucket_first, last = one->bucket_last;

    *one = *made;
    one->bucket_first = first;
    one->bucket_last = last;
    bucket_append(check, index);
    age_append(check, one->settled ? &check->settled : &check->waiting, index);
}

/* Its answer was another one's: it waits on. */
static void request_unsettle(struct wire_portals_check *check, uint32_t index, uint64_t mark)
{
    struct wire_portals_check_request *one = &check->tables.requests[index];

    if (index != NONE && one->mark == mark && one->settled) {
        bucket_remove(check, index);
        age_remove(check, &check->settled, index);
        one->settled = false;
        bucket_append(check, index);
        age_append(check, &check->waiting, index);
    }
}

/* The answer to this request that was seen before it, or NONE. One in which something was found must be close, and not
 * on the same stream, whose order is known. */
static uint32_t find_early(struct wire_portals_check *check, const struct wire_portals_check_request *one)
{
    const struct wire_portals_check_request *all = check->tables.requests;
    struct wire_portals_check_request answer = *one;
    uint32_t found;

    answer.operation = one->operation == WIRE_PORTALS_PUT ? WIRE_PORTALS_ACK : WIRE_PORTALS_REPLY;
    answer.settled = true;
    answer.hash = hash_of(check, &answer);
    while ((found = find_same(check, &answer)) != NONE && all[found].message &&
           !wire_portals_check_is_unordered(check, all[found].stream, all[found].mark)) {
        request_free(check, found);
    }
    return found;
}

/* The request may have been seen behind its answer. */
static void meet_early(struct wire_portals_check *check, uint32_t index)
{
    struct wire_portals_check_request *one = &check->tables.requests[index];
    uint32_t found = check->early && !must_discard(one) ? find_early(check, one) : NONE;
    const struct wire_portals_check_request *answer = &check->tables.requests[found];

    if (found == NONE) {
        return;
    }
    check->answered = one->mark;
    check->answer = answer->mark;
    if (answer->message) {
        wire_portals_check_explain(check, answer->message);
        request_unsettle(check, answer->taken_index, answer->taken);
    } else {
        check->unjudged--;
        one->early = true;
    }
    request_free(check, found);
    request_settle(check, index);
}

void wire_portals_check_request(const struct wire_portals_judged *judged)
{
    struct wire_portals_check *check = judged->check;
    bool quiet = judged->header->operation == WIRE_PORTALS_PUT && judged->header->md == WIRE_PORTALS_MD_NONE;
    struct wire_portals_check_request made = key_of(judged, false);
    uint32_t index = request_place(check);

    if (index == NONE) {
        return;
    }
    check->requests++;
    made.mark = judged->mark;
    made.header_violation = judged->header_violation;
    made.hash = hash_of(check, &made);
    request_put(check, index, &made);
    if (quiet) {
        request_settle(check, index);
    } else {
        meet_early(check, index);
    }
}

/* Answers */

/* How well a request fits an answer that repeats something wrongly. 0: not at all. The descriptor tells most: it is
 * the requester's own name for the operation. The tag tells least, and only between those that fit equally well. */
static unsigned fit_of(const struct wire_portals_check_request *one, const struct wire_portals_check_request *key)
{
    unsigned others = (unsigned)(one->portal == key->portal) + (unsigned)(one->match_bits == key->match_bits) +
                      (unsigned)(one->offset == key->offset) + (unsigned)(one->rlength == key->rlength);
    unsigned tag = (unsigned)(one->tagged == key->tagged) + (unsigned)(one->hdr_data == key->hdr_data) +
                   (unsigned)(one->local_offset == key->local_offset);

    if (one->operation != key->operation || !same_pair(one, key) || (one->md != key->md && others < 4)) {
        return 0;
    }
    return (one->md == key->md ? 5 + others : 5) * 4 + tag;
}

/* Looks among the youngest of a list; of those that fit equally well the oldest. */
static uint32_t find_similar(struct wire_portals_check *check, const struct wire_portals_check_ages *ages,
                             const struct wire_portals_check_request *key)
{
    const struct wire_portals_check_request *all = check->tables.requests;
    uint32_t best = NONE;
    unsigned best_fit = 1;
    unsigned looked = 0;

    for (uint32_t at = ages->newest; at != NONE && looked < WIRE_PORTALS_CHECK_SCAN_MAX; at = all[at].older, looked++) {
        unsigned fit = fit_of(&all[at], key);
        check->steps++;
        if (fit >= best_fit) {
            best = at;
            best_fit = fit;
        }
    }
    return best;
}

static void name_difference(struct wire_portals_check *check, enum wire_portals_violation violation,
                            const struct wire_portals_check_request *one, const char *field, const uint64_t *values)
{
    struct wire_portals_finding *finding;

    if (values[0] == values[1]) {
        return;
    }
    finding = wire_portals_check_find(check, violation, one->mark);
    finding->field = field;
    finding->expected = values[0];
    finding->observed = values[1];
}

/* Names each field that the answer should have repeated. */
static void name_differences(struct wire_portals_check *check, const struct wire_portals_check_request *one,
                             const struct wire_portals_check_request *key)
{
    bool put = one->operation == WIRE_PORTALS_PUT;
    const struct {
        enum wire_portals_violation violation;
        const char *field;
        uint64_t values[2];
    } fields[] = {
        {WIRE_PORTALS_ACK_PORTAL, "portal", {one->portal, key->portal}},
        {WIRE_PORTALS_ACK_MATCH_BITS, "match_bits", {one->match_bits, key->match_bits}},
        {WIRE_PORTALS_ACK_OFFSET, "offset", {one->offset, key->offset}},
        {WIRE_PORTALS_ACK_MD, "md", {one->md, key->md}},
        {WIRE_PORTALS_ACK_RLENGTH, "rlength", {one->rlength, key->rlength}},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        name_difference(check, put ? fields[i].violation : WIRE_PORTALS_REPLY_ECHO, one, fields[i].field,
                        fields[i].values);
    }
    name_difference(check, WIRE_PORTALS_ANSWER_UNTAGGED, one, "tagged", (uint64_t[]){one->tagged, key->tagged});
    name_difference(check, WIRE_PORTALS_ANSWER_TAG, one, "hdr_data", (uint64_t[]){one->hdr_data, key->hdr_data});
    name_difference(check, WIRE_PORTALS_ANSWER_TAG, one, "local_offset",
                    (uint64_t[]){one->local_offset, key->local_offset});
}

/* The answer repeats some request exactly, though that request may want none, or no such, or no second one. */
static bool judge_exact(const struct wire_portals_judged *judged, const struct wire_portals_check_request *key)
{
    struct wire_portals_check *check = judged->check;
    bool ack = judged->header->operation == WIRE_PORTALS_ACK;
    uint32_t waiting = find_exact(check, key, false);
    uint32_t index = waiting != NONE ? waiting : find_exact(check, key, true);
    const struct wire_portals_check_request *one = index == NONE ? NULL : &check->tables.requests[index];

    if (!one) {
        return false;
    }
    if (one->header_violation != WIRE_PORTALS_LEGAL) {
        //= P30-329
        wire_portals_check_find(check, WIRE_PORTALS_INVALID_ANSWERED, one->mark);
    } else if (ack && one->md == WIRE_PORTALS_MD_NONE) {
        //= P30-285
        wire_portals_check_find(check, WIRE_PORTALS_ACK_UNWANTED, one->mark);
    } else if (waiting == NONE && !one->early && !judged->disorder && !check->forgotten) {
        wire_portals_check_find(check, ack ? WIRE_PORTALS_ACK_AGAIN : WIRE_PORTALS_REPLY_AGAIN, one->mark);
    }
    check->answered = waiting != NONE ? one->mark : 0;
    check->answer = judged->mark;
    request_settle(check, index);
    return true;
}

/* The answer repeats a request of the other kind. */
static bool judge_kind(const struct wire_portals_judged *judged, const struct wire_portals_check_request *key)
{
    bool ack = judged->header->operation == WIRE_PORTALS_ACK;
    struct wire_portals_check_request other = *key;
    uint32_t index;

    other.operation = ack ? WIRE_PORTALS_GET : WIRE_PORTALS_PUT;
    other.hash = hash_of(judged->check, &other);
    index = find_exact(judged->check, &other, false);
    if (index == NONE) {
        return false;
    }
    wire_portals_check_find(judged->check, ack ? WIRE_PORTALS_ACK_FOR_GET : WIRE_PORTALS_REPLY_FOR_PUT,
                            judged->check->tables.requests[index].mark);
    judged->check->taken = index;
    request_settle(judged->check, index);
    return true;
}

/* The answer repeats no request: which one may it be for? By another descriptor nobody finds the request, which waits
 * on. */
static void judge_similar(const struct wire_portals_judged *judged, const struct wire_portals_check_request *key)
{
    struct wire_portals_check *check = judged->check;
    bool ack = judged->header->operation == WIRE_PORTALS_ACK;

    uint32_t waiting = find_similar(check, &check->waiting, key);
    uint32_t settled = waiting == NONE ? find_similar(check, &check->settled, key) : NONE;

    if (waiting != NONE) {
        const struct wire_portals_check_request *one = &check->tables.requests[waiting];
        name_differences(check, one, key);
        if (one->md == key->md) {
            check->taken = waiting;
            request_settle(check, waiting);
        }
    } else if (settled != NONE && ack && check->tables.requests[settled].md == WIRE_PORTALS_MD_NONE) {
        wire_portals_check_find(check, WIRE_PORTALS_ACK_UNWANTED, check->tables.requests[settled].mark);
    } else {
        wire_portals_check_find(check, ack ? WIRE_PORTALS_ACK_UNASKED : WIRE_PORTALS_REPLY_UNASKED, 0);
    }
}

/* Whether the sender may have been asked by what was not seen so far. */
static bool may_be_early(struct wire_portals_check *check)
{
    struct wire_portals_finding unasked = {.violation = WIRE_PORTALS_ACK_UNASKED};

    memcpy(unasked.ends, check->ends, sizeof unasked.ends);
    return wire_portals_check_lacks(check, &unasked);
}

/* An answer before whose request another one would have to be forgotten is not remembered. `message`: in which
 * something was found that the request would explain, or 0. */
static void remember_early(const struct wire_portals_judged *judged, const struct wire_portals_check_request *key,
                           uint64_t message)
{
    struct wire_portals_check *check = judged->check;
    struct wire_portals_check_request made = *key;

    if (check->used == check->tables.request_count && check->free.count + check->settled.count == 0) {
        return;
    }
    made.operation = judged->header->operation;
    made.mark = judged->mark;
    made.message = message;
    made.stream = check->stream;
    made.taken_index = check->taken;
    made.taken = check->tables.requests[check->taken].mark;
    made.settled = made.early = true;
    made.hash = hash_of(check, &made);
    request_put(check, request_place(check), &made);
    check->early++;
}

static void judge_answer(const struct wire_portals_judged *judged, const struct wire_portals_check_request *key)
{
    struct wire_portals_check *check = judged->check;

    if (judge_exact(judged, key)) {
        return;
    }
    if (judged->header_violation != WIRE_PORTALS_LEGAL) {
        wire_portals_check_report(check, judged->header_violation);
    } else if (may_be_early(check)) {
        check->unjudged++;
        remember_early(judged, key, 0);
    } else if (judged->disorder || check->forgotten) {
        check->unjudged++; /* its request may be one that is not remembered any more */
    } else if (!judge_kind(judged, key)) {
        judge_similar(judged, key);
    }
}

void wire_portals_check_answer(const struct wire_portals_judged *judged)
{
    const struct wire_portals_header *header = judged->header;
    struct wire_portals_check_request key = key_of(judged, true);
    struct wire_portals_check *check = judged->check;
    unsigned told;

    if (judged->header_violation != WIRE_PORTALS_LEGAL && judged->header_violation != WIRE_PORTALS_ANSWER_WITHOUT_MD) {
        return; /* what is wrong has been said; the receiver discards it, and the request still waits for its answer */
    }
    if (header->target.gid == WIRE_PORTALS_ID_UNKNOWN || header->target.rid == WIRE_PORTALS_ID_UNKNOWN) {
        wire_portals_check_find(check, WIRE_PORTALS_ANSWER_NAMELESS, 0);
    }
    key.hash = hash_of(check, &key);
    told = check->finding_count;
    check->taken = NONE;
    judge_answer(judged, &key);
    if (check->close && check->finding_count > told && judged->header_violation == WIRE_PORTALS_LEGAL) {
        remember_early(judged, &key, check->messages);
    }
}
