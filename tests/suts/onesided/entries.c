/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries, memory descriptors and access control: what a process says about who may reach which memory.
 */
#include "tests/suts/onesided/library.h"

static bool is_legal(ptl_process_id_t id)
{
    return id.nid == PTL_NID_ANY || id.nid == NODE;
}

/* ---- match entries ---- */

static int length_of(int portal)
{
    int length = 0;

    for (int at = self->lists[portal]; at != NOTHING; at = self->entries[at].next) {
        length++;
    }
    return length;
}

/* Puts an entry with these values into the list at that place. */
static int insert(int *place, const struct me *values, ptl_handle_me_t *handle)
{
    if (length_of(values->portal) >= LIST_MOST) {
        return PTL_ME_LIST_TOO_LONG;
    }
    struct me *me = me_new();
    if (!me) {
        return PTL_NO_SPACE;
    }
    const struct place life = me->place;
    *me = *values;
    me->place = life;
    me->md = NOTHING;
    me->next = *place;
    *place = (int)(me - self->entries);
    *handle = handle_of(KIND_ME, me);
    return PTL_OK;
}

int PtlMEAttach(ptl_handle_ni_t ni, ptl_pt_index_t portal, ptl_process_id_t id, ptl_match_bits_t bits,
                ptl_match_bits_t ignored, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_me_t *handle)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if (portal >= PORTALS) {
        return leave(PTL_PT_INDEX_INVALID);
    }
    if (!is_legal(id)) {
        return leave(PTL_PROCESS_INVALID);
    }
    if (!handle) {
        return leave(PTL_SEGV);
    }
    const struct me values = {.id = id, .bits = bits, .ignored = ignored, .unlink = unlink, .portal = portal};
    int *place = &self->lists[portal];
    while (position == PTL_INS_AFTER && *place != NOTHING) {
        place = &self->entries[*place].next;
    }
    return leave(insert(place, &values, handle));
}

int PtlMEAttachAny(ptl_handle_ni_t ni, ptl_pt_index_t *portal, ptl_process_id_t id, ptl_match_bits_t bits,
                   ptl_match_bits_t ignored, ptl_unlink_t unlink, ptl_handle_me_t *handle)
{
    int at = HIGHEST ? 0 : PORTALS - 1;

    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if (!is_legal(id)) {
        return leave(PTL_PROCESS_INVALID);
    }
    if (!portal || !handle) {
        return leave(PTL_SEGV);
    }
    while (at >= 0 && at < PORTALS && self->lists[at] != NOTHING) {
        at += HIGHEST ? 1 : -1;
    }
    if (at < 0 || at == PORTALS) {
        return leave(PTL_PT_FULL);
    }
    const struct me values = {.id = id, .bits = bits, .ignored = ignored, .unlink = unlink, .portal = at};
    const int code = insert(&self->lists[at], &values, handle);
    if (code == PTL_OK) {
        *portal = (ptl_pt_index_t)at;
    }
    return leave(code);
}

int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t id, ptl_match_bits_t bits, ptl_match_bits_t ignored,
                ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_me_t *handle)
{
    ENTER;
    struct me *neighbour = me_of(base);
    if (!neighbour) {
        return leave(PTL_ME_INVALID);
    }
    if (!is_legal(id)) {
        return leave(PTL_PROCESS_INVALID);
    }
    if (!handle) {
        return leave(PTL_SEGV);
    }
    const struct me values = {
        .id = id, .bits = bits, .ignored = ignored, .unlink = unlink, .portal = neighbour->portal};
    int *place = &neighbour->next;
    if (position == PTL_INS_BEFORE) {
        place = &self->lists[neighbour->portal];
        while (&self->entries[*place] != neighbour) {
            place = &self->entries[*place].next;
        }
    }
    return leave(insert(place, &values, handle));
}

int PtlMEUnlink(ptl_handle_me_t handle)
{
    ENTER;
    struct me *me = me_of(handle);
    if (!me) {
        return leave(PTL_ME_INVALID);
    }
    entry_end(self, me);
    return leave(PTL_OK);
}

/* ---- memory descriptors ---- */

static int judge(const ptl_md_t *value)
{
    const uintptr_t start = (uintptr_t)value->start;

    if ((!start && value->length) || value->length > UINTPTR_MAX - start || value->threshold < PTL_MD_THRESH_INF ||
        value->options & PTL_MD_IOVEC) {
        return PTL_MD_ILLEGAL;
    }
    return value->eq_handle == PTL_EQ_NONE || eq_of(value->eq_handle) ? PTL_OK : PTL_EQ_INVALID;
}

static int describe(int me, const ptl_md_t *value, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    struct md *md = md_new();

    if (!md) {
        return PTL_NO_SPACE;
    }
    md->value = *value;
    md->unlink = unlink;
    md->me = me;
    if (me != NOTHING) {
        self->entries[me].md = (int)(md - self->descriptors);
    }
    if (handle) {
        *handle = handle_of(KIND_MD, md);
    }
    return PTL_OK;
}

int PtlMDAttach(ptl_handle_me_t match, ptl_md_t value, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    ENTER;
    const struct me *me = me_of(match);
    if (!me) {
        return leave(PTL_ME_INVALID);
    }
    int code = judge(&value);
    if (code == PTL_OK) {
        code = me->md == NOTHING ? describe((int)(me - self->entries), &value, unlink, handle) : PTL_ME_IN_USE;
    }
    return leave(code);
}

int PtlMDBind(ptl_handle_ni_t ni, ptl_md_t value, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    int code = judge(&value);
    if (code == PTL_OK) {
        code = handle ? describe(NOTHING, &value, unlink, handle) : PTL_SEGV;
    }
    return leave(code);
}

int PtlMDUnlink(ptl_handle_md_t handle)
{
    ENTER;
    struct md *md = md_of(handle);
    if (!md) {
        return leave(PTL_MD_INVALID);
    }
    descriptor_end(self, md);
    return leave(PTL_OK);
}

int PtlMDUpdate(ptl_handle_md_t handle, ptl_md_t *old, ptl_md_t *new, ptl_handle_eq_t test)
{
    ENTER;
    struct md *md = md_of(handle);
    const struct eq *eq = eq_of(test);
    if (!md) {
        return leave(PTL_MD_INVALID);
    }
    if (new &&test != PTL_EQ_NONE && !eq) {
        return leave(PTL_EQ_INVALID);
    }
    const ptl_md_t wanted = new ? *new : md->value; /* old and new may be one place */
    const int code = judge(&wanted);
    if (new &&code != PTL_OK) {
        return leave(code);
    }
    if (old) {
        *old = md->value;
    }
    if (new &&eq && eq->taken != eq->logged) {
        return leave(PTL_MD_NO_UPDATE);
    }
    if (new) {
        md->value = wanted;
        md->offset = 0;
        md->spent = false;
    }
    return leave(PTL_OK);
}

/* ---- access control ---- */

int PtlACEntry(ptl_handle_ni_t ni, ptl_ac_index_t index, ptl_process_id_t id, ptl_uid_t uid, ptl_jid_t jid,
               ptl_pt_index_t portal)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if (index >= ACCESS) {
        return leave(PTL_AC_INDEX_INVALID);
    }
    if (!is_legal(id)) {
        return leave(PTL_PROCESS_INVALID);
    }
    if (portal != PTL_PT_INDEX_ANY && portal >= PORTALS) {
        return leave(PTL_PT_INDEX_INVALID);
    }
    self->access[index] = (struct access){true, id, uid, jid, portal};
    return leave(PTL_OK);
}
