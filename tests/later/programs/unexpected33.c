/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the message layer of a parallel file system did with Portals 3.3. A message goes to the portal of receives.
 * Where one has been posted, its descriptor takes it; else an entry without memory at the tail takes note of it, and
 * whoever posts the receive fetches it from the sender's portal. A receive becomes active only while nothing unexpected
 * waits to be looked at: that is what PtlMDUpdate tests.
 */
#include <stdint.h>

#include "tests/later/programs/member33.h"

enum { RECEIVES = 9, SENDS, MESSAGES = 24, LARGEST = 40000, EVENTS = 4096 };

/* A send or a receive. */
struct operation {
    unsigned peer, tag, done;
    ptl_handle_me_t me;
    ptl_handle_md_t md; /* of a send, from where it is put; of a receive, into what it comes */
    unsigned acknowledged, fetched, taken;
    ptl_size_t length;
    char *buffer;
};

struct unexpected {
    ptl_process_id_t from;
    ptl_match_bits_t bits;
    ptl_size_t length;
    unsigned is_new;
};

static ptl_handle_eq_t unexpected_queue, own_queue;
static ptl_handle_me_t tail;
static unsigned found_count, updates_refused;
static struct unexpected found[EVENTS];

static ptl_size_t length_of(unsigned tag)
{
    return tag % 5 == 0 ? 0 : (ptl_size_t)(tag * 1667) % LARGEST + 1;
}

static char octet(ptl_size_t at, unsigned from, unsigned tag)
{
    return (char)(at * 5 + from * 31 + tag);
}

static ptl_match_bits_t bits_of(unsigned from, unsigned tag)
{
    return (ptl_match_bits_t)from << 32 | tag;
}

static ptl_process_id_t process_of(unsigned peer)
{
    ptl_process_id_t id;

    OK(PtlGetRankId(ni, peer, &id));
    return id;
}

static ptl_md_t region(struct operation *op, int threshold, unsigned options)
{
    ptl_md_t md = {0};

    md.start = op->buffer;
    md.length = op->length;
    md.threshold = threshold;
    md.options = options | PTL_MD_EVENT_START_DISABLE;
    md.user_ptr = op;
    md.eq_handle = own_queue;
    return md;
}

static void open_tail(void)
{
    ptl_md_t md = {0};

    md.threshold = PTL_MD_THRESH_INF;
    md.options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_EVENT_START_DISABLE;
    md.eq_handle = unexpected_queue;
    OK(PtlMEAttach(ni, RECEIVES, anybody, 0, ~(ptl_match_bits_t)0, PTL_RETAIN, PTL_INS_AFTER, &tail));
    OK(PtlMDAttach(tail, md, PTL_RETAIN, NULL));
}

static void send_begin(struct operation *op)
{
    ptl_match_bits_t bits = bits_of(rank, op->tag);

    OK(PtlMEAttach(ni, SENDS, process_of(op->peer), bits, 0, PTL_UNLINK, PTL_INS_AFTER, &op->me));
    OK(PtlMDAttach(op->me, region(op, 1, PTL_MD_OP_GET), PTL_UNLINK, NULL));
    OK(PtlMDBind(ni, region(op, 2, 0), PTL_RETAIN, &op->md));
    OK(PtlPut(op->md, PTL_ACK_REQ, process_of(op->peer), RECEIVES, 0, bits, 0, op->length));
}

/* A send is done when all of it was taken, or fetched. */
static void send_progress(struct operation *op)
{
    if (!op->acknowledged || op->done || (!op->taken && !op->fetched)) {
        return;
    }
    if (op->taken) {
        OK(PtlMEUnlink(op->me)); /* nobody will fetch it */
    }
    OK(PtlMDUnlink(op->md));
    op->done = 1;
}

static void take(const ptl_event_t *event)
{
    struct operation *op = event->md.user_ptr;

    MUST(event->ni_fail_type == PTL_NI_OK);
    switch (event->type) {
    case PTL_EVENT_ACK:
        op->acknowledged = 1;
        op->taken = event->mlength == op->length;
        send_progress(op);
        break;
    case PTL_EVENT_GET_END:
        op->fetched = 1;
        send_progress(op);
        break;
    case PTL_EVENT_PUT_END:
        MUST(event->hdr_data == op->length && event->mlength == op->length);
        op->done = 1;
        break;
    case PTL_EVENT_REPLY_END:
        MUST(event->mlength == op->length);
        OK(PtlMDUnlink(op->md));
        op->done = 1;
        break;
    default:
        MUST(event->type == PTL_EVENT_SEND_END || event->type == PTL_EVENT_UNLINK);
    }
}

static void note(const ptl_event_t *event)
{
    MUST(event->type == PTL_EVENT_PUT_END && event->mlength == 0 && found_count < EVENTS);
    found[found_count++] = (struct unexpected){event->initiator, event->match_bits, event->rlength, 1};
}

static void progress(ptl_time_t timeout)
{
    ptl_handle_eq_t queues[2] = {unexpected_queue, own_queue};
    ptl_event_t event;
    int which, code = PtlEQPoll(queues, 2, timeout, &event, &which);

    if (code == PTL_EQ_EMPTY) {
        return;
    }
    if (code != PTL_OK) {
        fprintf(stderr, "PtlEQPoll: %s\n", PtlErrorStr((unsigned)code));
        exit(1);
    }
    if (which == 0) {
        note(&event);
    } else {
        take(&event);
    }
}

/* Whether this receive has come unexpectedly; then it is fetched, if there is anything of it. */
static int receive_was_unexpected(struct operation *op)
{
    for (unsigned i = 0; i < found_count; i++) {
        if (!found[i].is_new || found[i].bits != bits_of(op->peer, op->tag)) {
            continue;
        }
        found[i].is_new = 0;
        MUST(found[i].length == op->length);
        if (op->length == 0) {
            op->done = 1;
            return 1;
        }
        OK(PtlMDBind(ni, region(op, 1, 0), PTL_RETAIN, &op->md));
        OK(PtlGet(op->md, found[i].from, SENDS, 0, found[i].bits, 0));
        return 1;
    }
    return 0;
}

static void receive_begin(struct operation *op)
{
    ptl_md_t active = region(op, 1, PTL_MD_OP_PUT);
    int code;

    OK(PtlMEInsert(tail, process_of(op->peer), bits_of(op->peer, op->tag), 0, PTL_UNLINK, PTL_INS_BEFORE, &op->me));
    OK(PtlMDAttach(op->me, region(op, 0, PTL_MD_OP_PUT), PTL_UNLINK, &op->md));
    for (;;) {
        if (receive_was_unexpected(op)) {
            OK(PtlMEUnlink(op->me));
            return;
        }
        code = PtlMDUpdate(op->md, NULL, &active, unexpected_queue);
        if (code == PTL_OK) {
            return;
        }
        MUST(code == PTL_MD_NO_UPDATE);
        updates_refused++;
        progress(0);
    }
}

/* The receives of a round: `which` of two halves. */
static void begin_half(struct operation *receives, unsigned count, unsigned which)
{
    for (unsigned i = which; i < count; i += 2) {
        unsigned at = count - 1 - i; /* in another order than they are sent in */

        receive_begin(&receives[at]);
    }
}

static struct operation *operations(unsigned *count)
{
    struct operation *ops = calloc((size_t)size * MESSAGES, sizeof *ops);

    MUST(ops != NULL);
    *count = 0;
    for (unsigned i = 0; i < size * MESSAGES; i++) {
        struct operation *op = &ops[*count];

        op->peer = i % size;
        op->tag = i / size;
        op->length = length_of(op->tag);
        op->buffer = calloc(LARGEST, 1);
        MUST(op->buffer != NULL);
        ++*count;
    }
    return ops;
}

static void check(const struct operation *op)
{
    for (ptl_size_t i = 0; i < op->length; i++) {
        MUST(op->buffer[i] == octet(i, op->peer, op->tag));
    }
}

static void finish(struct operation *ops, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        while (!ops[i].done) {
            progress(PTL_TIME_FOREVER);
        }
    }
}

int main(void)
{
    ptl_ni_limits_t desired = {
        .max_mes = 512, .max_mds = 1024, .max_eqs = 8, .max_pt_index = SENDS, .max_me_list = 512};
    struct operation *sends, *receives;
    unsigned count;

    member_begin(&desired);
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &unexpected_queue));
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &own_queue));
    open_tail();
    sends = operations(&count);
    receives = operations(&count);
    OK(PtlRTBarrier(ni));

    begin_half(receives, count, 0);
    for (unsigned i = 0; i < count; i++) {
        for (ptl_size_t at = 0; at < sends[i].length; at++) {
            sends[i].buffer[at] = octet(at, rank, sends[i].tag);
        }
        send_begin(&sends[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        while (!sends[i].acknowledged) { /* in the meantime nobody looks at what is unexpected */
            ptl_event_t event;

            OK(PtlEQWait(own_queue, &event));
            take(&event);
        }
    }
    OK(PtlRTBarrier(ni));
    begin_half(receives, count, 1);
    MUST(updates_refused > 0);
    finish(receives, count);
    finish(sends, count);
    for (unsigned i = 0; i < count; i++) {
        check(&receives[i]);
    }
    OK(PtlRTBarrier(ni));
    OK(PtlMEUnlink(tail));
    return member_end();
}
