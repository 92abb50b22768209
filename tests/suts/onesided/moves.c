/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Puts and gets. The caller does the target's half too: translates the address in the target's tables, moves the
 * octets, and logs what the target is to know.
 */
#include "tests/suts/onesided/library.h"

#include <string.h>

enum operation { PUT, GET, SWAP };

/* What a call asks for. `at` and `octets`: of the caller's region. */
struct request {
    enum operation operation;
    struct md *md;
    ptl_size_t at, octets;
    ptl_process_id_t target;
    ptl_pt_index_t portal;
    ptl_ac_index_t cookie;
    ptl_match_bits_t bits;
    ptl_size_t offset;
    ptl_hdr_data_t header;
    bool wants_ack;
};

/* ---- the target's half ---- */

static bool fits(ptl_process_id_t want, ptl_process_id_t is)
{
    return (want.nid == PTL_NID_ANY || want.nid == is.nid) && (want.pid == PTL_PID_ANY || want.pid == is.pid);
}

static bool admits(const struct access *access, const struct request *request)
{
    return access->open && fits(access->id, self->id) && (access->uid == PTL_UID_ANY || access->uid == self->uid) &&
           (access->jid == PTL_JID_ANY || access->jid == job->jid) &&
           (access->portal == PTL_PT_INDEX_ANY || access->portal == request->portal);
}

/* Whether the descriptor takes the request; then the event's offset and manipulated length. */
static bool accepts(const struct md *md, const struct request *request, ptl_event_t *event)
{
    static const unsigned needs[] = {
        [PUT] = PTL_MD_OP_PUT, [GET] = PTL_MD_OP_GET, [SWAP] = PTL_MD_OP_PUT | PTL_MD_OP_GET};
    const unsigned need = needs[request->operation];
    const ptl_md_t *value = &md->value;

    if (value->threshold == 0 || (value->options & need) != need || is_full(md)) {
        return false;
    }
    event->offset = value->options & PTL_MD_MANAGE_REMOTE ? request->offset : md->offset;
    const ptl_size_t room = event->offset < value->length ? value->length - event->offset : 0;
    event->mlength = request->octets < room ? request->octets : room;
    return event->mlength == request->octets || value->options & PTL_MD_TRUNCATE;
}

static struct md *translate(struct rank *rank, const struct request *request, ptl_event_t *event)
{
    if (!rank->open || request->portal >= PORTALS || request->cookie >= ACCESS ||
        !admits(&rank->access[request->cookie], request)) {
        return NULL;
    }
    for (int at = rank->lists[request->portal]; at != NOTHING; at = rank->entries[at].next) {
        const struct me *me = &rank->entries[at];
        if (fits(me->id, self->id) && !((me->bits ^ request->bits) & ~me->ignored) && me->md != NOTHING &&
            accepts(&rank->descriptors[me->md], request, event)) {
            return &rank->descriptors[me->md];
        }
    }
    return NULL;
}

static struct rank *rank_of(ptl_process_id_t id)
{
    for (unsigned i = 0; i < job->size; i++) {
        if (job->ranks[i].id.nid == id.nid && job->ranks[i].id.pid == id.pid) {
            return &job->ranks[i];
        }
    }
    return NULL;
}

/* `out` goes from the caller to the target, `in` the other way; a swap has both. */
static bool move(const struct note *note, const void *out, void *in)
{
    const ptl_size_t octets = note->event.mlength;
    char *place = (char *)note->md->value.start + note->event.offset;
    char swapped[SWAP_MOST];
    bool good = true;

    if (out && in) {
        good = copy(note->rank, place, self, swapped, octets) && copy(self, out, note->rank, place, octets);
        memcpy(in, swapped, octets);
    } else if (out) {
        good = copy(self, out, note->rank, place, octets);
        note->rank->pulled += (ptl_sr_value_t)octets;
    } else if (in) {
        good = copy(note->rank, place, self, in, octets);
    }
    return good;
}

/* All that happens at the target: false where it discards the request. `event` then has what the answer says. */
static bool serve(struct rank *rank, const struct request *request, ptl_event_t *event, const void *out, void *in)
{
    static const ptl_event_kind_t starts[] = {PTL_EVENT_PUT_START, PTL_EVENT_GET_START, PTL_EVENT_GETPUT_START};
    static const ptl_event_kind_t ends[] = {PTL_EVENT_PUT_END, PTL_EVENT_GET_END, PTL_EVENT_GETPUT_END};
    struct note note = {.rank = rank, .md = translate(rank, request, event), .link = rank->links++, .event = *event};

    if (!note.md) {
        rank->drops++;
        return false;
    }
    if (!(note.md->value.options & PTL_MD_MANAGE_REMOTE)) {
        note.md->offset += event->mlength;
    }
    count_down(&note);
    if (!START_LAST) {
        note_log(&note, starts[request->operation]);
    }
    if (!move(&note, out, in)) {
        note.event.ni_fail_type = event->ni_fail_type = PTL_NI_FAIL;
    }
    if (START_LAST) {
        note_log(&note, starts[request->operation]);
    }
    note_log(&note, ends[request->operation]);
    const bool silent = note.md->value.options & PTL_MD_ACK_DISABLE;
    settle(&note);
    return request->operation != PUT || !silent;
}

/* ---- the caller's half ---- */

static struct note own_note(struct md *md, const struct request *request)
{
    return (struct note){.rank = self,
                         .md = md,
                         .link = self->links++,
                         .event = {.ni_fail_type = PTL_NI_OK,
                                   .initiator = self->id,
                                   .uid = self->uid,
                                   .jid = job->jid,
                                   .pt_index = request->portal,
                                   .match_bits = request->bits,
                                   .hdr_data = request->header,
                                   .offset = request->offset,
                                   .mlength = request->octets,
                                   .rlength = request->octets}};
}

static void log_send(const struct note *note)
{
    note_log(note, PTL_EVENT_SEND_START);
    note_log(note, PTL_EVENT_SEND_END);
    settle(note);
}

/* An answer that comes to a descriptor that is used up, or gone, is counted, and nothing else. */
static void answer(ptl_handle_md_t handle, const struct note *said, ptl_event_kind_t start, ptl_event_kind_t end)
{
    struct note note = *said;

    note.md = md_of(handle);
    note.link = self->links++;
    if (!note.md || note.md->value.threshold == 0) {
        self->drops++;
        return;
    }
    count_down(&note);
    if (start != end) {
        note_log(&note, start);
    }
    note_log(&note, end);
    settle(&note);
}

static int put(const struct request *request)
{
    struct rank *rank = rank_of(request->target);
    struct note note = own_note(request->md, request);
    const ptl_handle_md_t handle = handle_of(KIND_MD, request->md);
    const char *out = (char *)request->md->value.start + request->at;

    if (!rank) {
        return PTL_PROCESS_INVALID;
    }
    count_down(&note);
    self->pushed += (ptl_sr_value_t)request->octets;
    struct note said = note;
    if (!SENT_LAST) {
        log_send(&note);
    }
    const bool answers = serve(rank, request, &said.event, out, NULL) && request->wants_ack;
    if (SENT_LAST && md_of(handle)) {
        log_send(&note);
    }
    if (answers) {
        answer(handle, &said, PTL_EVENT_ACK, PTL_EVENT_ACK);
    }
    return PTL_OK;
}

static int get(const struct request *request, struct md *from)
{
    struct rank *rank = rank_of(request->target);
    struct note note = own_note(request->md, request);
    const ptl_handle_md_t handle = handle_of(KIND_MD, request->md);
    char *in = (char *)request->md->value.start + request->at;
    const void *out = from ? from->value.start : NULL;

    if (!rank) {
        return PTL_PROCESS_INVALID;
    }
    if (from && from != request->md) {
        struct note sent = own_note(from, request);
        count_down(&sent);
        log_send(&sent);
    }
    if (serve(rank, request, &note.event, out, in)) {
        answer(handle, &note, PTL_EVENT_REPLY_START, PTL_EVENT_REPLY_END);
    }
    return PTL_OK;
}

/* The descriptor that a call names, when it can be used: PTL_OK. */
static int usable(const struct md *md, const struct request *request)
{
    if (!md || !md->value.threshold) {
        return PTL_MD_INVALID;
    }
    return request->at > md->value.length || request->octets > md->value.length - request->at ? PTL_MD_ILLEGAL : PTL_OK;
}

int PtlPutRegion(ptl_handle_md_t handle, ptl_size_t at, ptl_size_t octets, ptl_ack_req_t ack, ptl_process_id_t target,
                 ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t bits, ptl_size_t offset,
                 ptl_hdr_data_t header)
{
    ENTER;
    const struct request request = {PUT,    md_of(handle),     at, octets, target, portal, cookie, bits, offset,
                                    header, ack == PTL_ACK_REQ};
    const int code = usable(request.md, &request);
    return leave(code == PTL_OK ? put(&request) : code);
}

int PtlPut(ptl_handle_md_t handle, ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t portal,
           ptl_ac_index_t cookie, ptl_match_bits_t bits, ptl_size_t offset, ptl_hdr_data_t header)
{
    ENTER;
    struct md *md = md_of(handle);
    const struct request request = {PUT,  md,     0,      md ? md->value.length : 0, target, portal, cookie,
                                    bits, offset, header, ack == PTL_ACK_REQ};
    const int code = usable(md, &request);
    return leave(code == PTL_OK ? put(&request) : code);
}

int PtlGetRegion(ptl_handle_md_t handle, ptl_size_t at, ptl_size_t octets, ptl_process_id_t target,
                 ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t bits, ptl_size_t offset)
{
    ENTER;
    const struct request request = {GET, md_of(handle), at, octets, target, portal, cookie, bits, offset, 0, false};
    const int code = usable(request.md, &request);
    return leave(code == PTL_OK ? get(&request, NULL) : code);
}

int PtlGet(ptl_handle_md_t handle, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t bits, ptl_size_t offset)
{
    ENTER;
    struct md *md = md_of(handle);
    const struct request request = {GET,    md, 0,    md ? md->value.length : 0, target, portal, cookie, bits,
                                    offset, 0,  false};
    const int code = usable(md, &request);
    return leave(code == PTL_OK ? get(&request, NULL) : code);
}

int PtlGetPut(ptl_handle_md_t get_handle, ptl_handle_md_t put_handle, ptl_process_id_t target, ptl_pt_index_t portal,
              ptl_ac_index_t cookie, ptl_match_bits_t bits, ptl_size_t offset, ptl_hdr_data_t header)
{
    ENTER;
    struct md *to = md_of(get_handle), *from = md_of(put_handle);
    const struct request request = {SWAP,   to,     0,    from ? from->value.length : 0, target, portal, cookie, bits,
                                    offset, header, false};
    if (!from || !from->value.threshold) {
        return leave(PTL_MD_INVALID);
    }
    const int code = request.octets > SWAP_MOST ? PTL_MD_ILLEGAL : usable(to, &request);
    return leave(code == PTL_OK || !to ? (to ? get(&request, from) : PTL_MD_INVALID) : code);
}
