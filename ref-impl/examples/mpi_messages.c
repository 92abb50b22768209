/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of MPI: see mpi_messages.h. The names of chapter 5.3 are kept, so that this can be read beside it; README.md
 * says where its listings had to be corrected, and why.
 *
 * The list that receives (figure 6 of the specification):
 *
 *      [ posted receives, oldest first ] --> [ RcvMark ] --> [ ShortMatch ] --> [ LongMatch ]
 *                                             takes            a list of          cuts to
 *                                             nothing          buffers            nothing
 *
 * What reaches ShortMatch or LongMatch is unexpected; both log in UnexpQueue. The octets of a long message that nobody
 * expects stay with the sender, in the list of another portal, from where the receiver gets them:
 *
 *      [ long messages that are on offer ] --> [ EndGet ], which takes nothing
 *
 * Match bits hold context, sender and tag, and a number that tells long messages apart; receives ignore the number:
 *
 *      63   56 55         40 39              16 15      0
 *     +-------+-------------+------------------+---------+
 *     |   0   | sender rank |       tag        | number  |
 *     +-------+-------------+------------------+---------+
 */
#include "ref-impl/examples/mpi_messages.h"

#include <string.h>

#include "ref-impl/examples/must.h"

enum { MPI_SEND_PINDEX = 0, MPI_GET_PINDEX = 1, MPI_PORTALS = 4, MPI_AINDEX = 0 };
enum { TAG_SHIFT = 16, RANK_SHIFT = 40 };

#define NUMBER_BITS ((ptl_match_bits_t)0xffff)
#define TAG_BITS    ((ptl_match_bits_t)0xffffff << TAG_SHIFT)
#define ANY_TAG     ((ptl_match_bits_t)(MPI_TAG_NAMED - 1) << TAG_SHIFT)
#define RANK_BITS   ((ptl_match_bits_t)0xffff << RANK_SHIFT)
#define ALL_BITS    (~(ptl_match_bits_t)0)

/* An unexpected message, in order of arrival. */
typedef struct event_list_tag {
    ptl_event_t event;
    struct event_list_tag *next;
} event_list;

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t MPI_NI;
static ptl_handle_eq_t UnexpQueue;
static ptl_handle_eq_t done_queue; /* of all requests */
static ptl_handle_me_t EndGet, RcvMark, ShortMatch, LongMatch;
static ptl_handle_md_t short_last; /* the last buffer in the list of ShortMatch, if that is not empty */
static char *short_buffers;
static event_list *Rcvd, **rcvd_end = &Rcvd;
static uint16_t next_number;

static ptl_match_bits_t bits_of(ptl_id_t sender, uint32_t tag)
{
    return (ptl_match_bits_t)sender << RANK_SHIFT | (ptl_match_bits_t)tag << TAG_SHIFT;
}

/* ---- the sender ------------------------------------------------------------------------------------------------- */

void MPIsend(struct mpi_request *request, void *buf, ptl_size_t len, ptl_id_t to, uint32_t tag)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = to};
    ptl_match_bits_t match = bits_of(self.rid, tag) | next_number++;
    ptl_ack_req_t want_ack = PTL_NOACK_REQ;
    ptl_md_t mem_desc = {
        .start = buf,
        .length = len,
        .threshold = 1,
        .options = PTL_MD_OP_GET,
        .user_ptr = request,
        .eventq = done_queue,
    };

    *request = (struct mpi_request){.rank = to, .tag = tag, .length = len, .awaited = 1};
    if (len >= MPI_LONG_LENGTH) {
        request->is_long = true;
        request->awaited = 2; /* it has left; and it was received (an acknowledgement), or it was fetched (a get) */
        MUST(PtlMEInsert(target, match, 0, PTL_UNLINK, PTL_INS_BEFORE, EndGet, &request->get_entry));
        MUST(PtlMDAttach(request->get_entry, mem_desc, PTL_UNLINK, NULL));
        want_ack = PTL_ACK_REQ;
    }
    MUST(PtlMDBind(MPI_NI, mem_desc, &request->descriptor));
    MUST(PtlPut(request->descriptor, want_ack, target, MPI_SEND_PINDEX, MPI_AINDEX, match, 0));
}

/* ---- unexpected messages ---------------------------------------------------------------------------------------- */

static void AppendRcvd(const ptl_event_t *event)
{
    event_list *item = malloc(sizeof(*item));

    must_hold(item, "mpi: no memory for one more unexpected message");
    item->event = *event;
    item->next = NULL;
    *rcvd_end = item;
    rcvd_end = &item->next;
}

static bool MPIMatch(const ptl_event_t *event, ptl_match_bits_t match, ptl_match_bits_t ignore)
{
    return (event->match_bits & ~ignore) == (match & ~ignore);
}

/* Takes the oldest message that fits out of the list. */
static bool SearchRcvd(ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_event_t *event)
{
    for (event_list **at = &Rcvd; *at; at = &(*at)->next) {
        event_list *item = *at;

        if (MPIMatch(&item->event, match, ignore)) {
            *event = item->event;
            *at = item->next;
            if (!*at) {
                rcvd_end = at;
            }
            free(item);
            return true;
        }
    }
    return false;
}

/* Puts a buffer for an unexpected short message at the end of its list. Only the first of a list is ever used, and it
 * goes when it has been: if the last is gone, all are. */
static void recycle(ptl_md_t mem_desc)
{
    mem_desc.threshold = 1;
    int code = PtlMDInsert(mem_desc, PTL_UNLINK, PTL_INS_AFTER, short_last, &short_last);

    if (code == PTL_INV_MD) {
        code = PtlMDAttach(ShortMatch, mem_desc, PTL_UNLINK, &short_last);
    }
    must_succeed(code, "putting back a buffer");
}

static ptl_size_t smaller(ptl_size_t a, ptl_size_t b)
{
    return a < b ? a : b;
}

/* Says in the request what was received. */
static void describe(struct mpi_request *request, const ptl_event_t *event)
{
    request->rank = (ptl_id_t)((event->match_bits & RANK_BITS) >> RANK_SHIFT);
    request->tag = (uint32_t)((event->match_bits & TAG_BITS) >> TAG_SHIFT);
    request->length = event->rlength;
}

/* Brings an unexpected message to where it is wanted; md_buf describes that. */
static void CopyMsg(const ptl_event_t *event, ptl_md_t md_buf)
{
    struct mpi_request *request = md_buf.user_ptr;

    describe(request, event);
    if (event->rlength >= MPI_LONG_LENGTH) {
        request->awaited = 1;
        request->is_long = true;
        md_buf.length = smaller(md_buf.length, event->rlength);
        MUST(PtlMDBind(MPI_NI, md_buf, &request->descriptor));
        MUST(PtlGet(request->descriptor, event->initiator, MPI_GET_PINDEX, MPI_AINDEX, event->match_bits, 0));
        return;
    }
    must_hold(event->mlength == event->rlength, "mpi: more unexpected short messages than MPI_SHORT_BUFFERS");
    if (event->mlength > 0 && md_buf.length > 0) {
        memcpy(md_buf.start, (char *)event->mem_desc.start + event->offset, smaller(event->mlength, md_buf.length));
    }
    recycle(event->mem_desc);
    request->done = true;
}

/* ---- the receiver ----------------------------------------------------------------------------------------------- */

/* Looks at what has come unexpectedly since the last look: the first that fits is what is wanted, the others are kept.
 */
static bool search_queue(ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_event_t *event)
{
    int code;

    while ((code = PtlEQGet(UnexpQueue, event)) != PTL_EQ_EMPTY) {
        must_succeed(code, "PtlEQGet of UnexpQueue");
        if (MPIMatch(event, match, ignore)) {
            return true;
        }
        AppendRcvd(event);
    }
    return false;
}

/* Posts a receive that nothing that has come so far fits; false, and the message, when one came meanwhile. The entry
 * is there from the beginning, but closed: it opens in one step with the finding that nothing more has come. */
static bool post(ptl_md_t md_buf, ptl_process_id_t sender, ptl_match_bits_t match, ptl_match_bits_t ignore,
                 ptl_event_t *event)
{
    ptl_handle_me_t me_handle;
    ptl_handle_md_t md_handle;
    int code;

    md_buf.threshold = 0; /* closed */
    MUST(PtlMEInsert(sender, match, ignore, PTL_UNLINK, PTL_INS_BEFORE, RcvMark, &me_handle));
    MUST(PtlMDAttach(me_handle, md_buf, PTL_UNLINK, &md_handle));
    md_buf.threshold = 1;
    do {
        if (search_queue(match, ignore, event)) {
            MUST(PtlMEUnlink(me_handle)); /* the descriptor goes with it */
            return false;
        }
        code = PtlMDUpdate(md_handle, NULL, &md_buf, UnexpQueue);
    } while (code == PTL_NOUPDATE);
    must_succeed(code, "PtlMDUpdate");
    return true;
}

void MPIreceive(struct mpi_request *request, void *buf, ptl_size_t len, ptl_id_t from, uint32_t tag)
{
    ptl_process_id_t sender = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = from};
    ptl_match_bits_t ignore = NUMBER_BITS;
    ptl_match_bits_t match = bits_of(from == MPI_ANY_RANK ? 0 : from, tag == MPI_ANY_TAG ? 0 : tag);
    ptl_event_t event;
    ptl_md_t md_buf = {
        .start = buf,
        .length = len,
        .threshold = 1,
        .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE, /* what fits is received; that it was longer is told */
        .user_ptr = request,
        .eventq = done_queue,
    };

    ignore |= from == MPI_ANY_RANK ? RANK_BITS : 0;
    ignore |= tag == MPI_ANY_TAG ? ANY_TAG : 0;
    *request = (struct mpi_request){.awaited = 1};
    if (SearchRcvd(match, ignore, &event) || !post(md_buf, sender, match, ignore, &event)) {
        CopyMsg(&event, md_buf);
    }
}

/* ---- the end of requests ---------------------------------------------------------------------------------------- */

/* Takes note of one event of a request. */
static void note(struct mpi_request *request, const ptl_event_t *event)
{
    switch (event->type) {
    case PTL_EVENT_PUT: /* into a posted receive; its descriptor and entry have gone by themselves */
        describe(request, event);
        request->expected = true;
        request->done = true;
        return;
    case PTL_EVENT_ACK: /* received, so nobody will fetch it */
        MUST(PtlMEUnlink(request->get_entry));
        break;
    case PTL_EVENT_GET:
    case PTL_EVENT_SENT:
    case PTL_EVENT_REPLY:
        break;
    }
    if (--request->awaited == 0) {
        MUST(PtlMDUnlink(request->descriptor));
        request->done = true;
    }
}

void MPIwait(struct mpi_request *request)
{
    while (!request->done) {
        ptl_event_t event = must_event(done_queue);

        note(event.mem_desc.user_ptr, &event);
    }
}

/* ---- the beginning and the end ---------------------------------------------------------------------------------- */

/* Makes the list of buffers for unexpected short messages. */
static void buffers_open(void)
{
    ptl_md_t md = {
        .length = MPI_LONG_LENGTH - 1,
        .threshold = 1,
        .options = PTL_MD_OP_PUT, /* a long message does not fit, and goes on to LongMatch */
        .eventq = UnexpQueue,
    };

    short_buffers = malloc((size_t)MPI_SHORT_BUFFERS * MPI_LONG_LENGTH);
    must_hold(short_buffers, "mpi: no memory for unexpected messages");
    for (size_t i = 0; i < MPI_SHORT_BUFFERS; i++) {
        md.start = short_buffers + i * MPI_LONG_LENGTH;
        if (i == 0) {
            MUST(PtlMDAttach(ShortMatch, md, PTL_UNLINK, &short_last));
        } else {
            MUST(PtlMDInsert(md, PTL_UNLINK, PTL_INS_AFTER, short_last, &short_last));
        }
    }
}

void mpi_open(void)
{
    ptl_md_t nothing = {
        .threshold = PTL_MD_THRESH_INF,
        /* Without the last option a message that is kept waiting would be acknowledged as if it had been received. */
        .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE,
    };

    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, MPI_PORTALS, 2, &MPI_NI));
    MUST(PtlEQAlloc(MPI_NI, MPI_EVENTS, &UnexpQueue));
    MUST(PtlEQAlloc(MPI_NI, MPI_EVENTS, &done_queue));
    MUST(PtlMEAttach(MPI_NI, MPI_GET_PINDEX, must_anybody(), 0, ALL_BITS, PTL_RETAIN, &EndGet));
    MUST(PtlMEAttach(MPI_NI, MPI_SEND_PINDEX, must_anybody(), 0, ALL_BITS, PTL_RETAIN, &RcvMark));
    MUST(PtlMEInsert(must_anybody(), 0, ALL_BITS, PTL_RETAIN, PTL_INS_AFTER, RcvMark, &ShortMatch));
    MUST(PtlMEInsert(must_anybody(), 0, ALL_BITS, PTL_RETAIN, PTL_INS_AFTER, ShortMatch, &LongMatch));
    nothing.eventq = UnexpQueue;
    MUST(PtlMDAttach(LongMatch, nothing, PTL_RETAIN, NULL));
    buffers_open();
    MUST(PtlNIBarrier(MPI_NI)); /* everybody can receive */
}

void mpi_close(void)
{
    MUST(PtlNIBarrier(MPI_NI));
    MUST(PtlNIFini(MPI_NI));
    PtlFini();
    free(short_buffers);
    while (Rcvd) {
        event_list *next = Rcvd->next;

        free(Rcvd);
        Rcvd = next;
    }
    rcvd_end = &Rcvd;
}

ptl_id_t mpi_rank(void)
{
    return self.rid;
}

ptl_id_t mpi_size(void)
{
    return size;
}

ptl_sr_value_t mpi_dropped(void)
{
    ptl_sr_value_t dropped;

    MUST(PtlNIStatus(MPI_NI, PTL_SR_DROP_COUNT, &dropped));
    return dropped;
}
