/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation, the one network interface, and who is who.
 */
#include "tests/suts/onesided/library.h"

#include <string.h>

int PtlInit(int *max_interfaces)
{
    if (!job_join()) {
        return PTL_FAIL;
    }
    lock();
    up = true;
    if (max_interfaces) {
        *max_interfaces = 1;
    }
    return leave(PTL_OK);
}

void PtlFini(void)
{
    lock();
    const bool was_up = up;
    if (was_up) {
        interface_end();
        up = false;
    }
    leave(PTL_OK);
    if (was_up) {
        handlers_stop();
    }
}

/* The process id that is asked for, where nobody on this machine has it. */
static bool take_pid(ptl_pid_t wanted)
{
    const ptl_pid_t own = self->id.pid ? self->id.pid : (ptl_pid_t)(FIRST_PID + (self - job->ranks));
    const ptl_pid_t pid = wanted == PTL_PID_ANY ? own : wanted;

    for (unsigned i = 0; i < job->size; i++) {
        if (&job->ranks[i] != self && job->ranks[i].open && job->ranks[i].id.pid == pid) {
            return false;
        }
    }
    self->id = (ptl_process_id_t){.nid = NODE, .pid = pid};
    return true;
}

static void open_interface(void)
{
    const struct access own = {
        true, {.nid = PTL_NID_ANY, .pid = PTL_PID_ANY}, self->uid, PTL_JID_ANY, PTL_PT_INDEX_ANY};

    memset(self->access, 0, sizeof self->access);
    self->access[0] = own;
    for (int i = 0; i < PORTALS; i++) {
        self->lists[i] = NOTHING;
    }
    self->ni = (struct place){true, self->ni.life + 1};
    self->drops = 0;
    self->open = true;
}

int PtlNIInit(ptl_interface_t interface, ptl_pid_t pid, ptl_ni_limits_t *desired, ptl_ni_limits_t *actual,
              ptl_handle_ni_t *handle)
{
    ENTER;
    (void)desired; /* everybody gets all there is */
    if (interface != 0 && interface != PTL_IFACE_DEFAULT) {
        return leave(PTL_IFACE_INVALID);
    }
    if (!handle) {
        return leave(PTL_SEGV);
    }
    if (!self->open && !take_pid(pid)) {
        return leave(PTL_PID_INVALID);
    }
    if (!self->open) {
        open_interface();
    }
    if (actual) {
        *actual = (ptl_ni_limits_t){.max_mes = ENTRIES,
                                    .max_mds = DESCRIPTORS,
                                    .max_eqs = QUEUES,
                                    .max_me_list = LIST_MOST,
                                    .max_getput_md = SWAP_MOST,
                                    .max_pt_index = PORTALS - 1,
                                    .max_ac_index = ACCESS - 1};
    }
    *handle = handle_of(KIND_NI, &self->ni);
    return leave(PTL_OK);
}

int PtlNIFini(ptl_handle_ni_t ni)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    interface_end();
    return leave(PTL_OK);
}

int PtlNIStatus(ptl_handle_ni_t ni, ptl_sr_index_t index, ptl_sr_value_t *value)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if ((unsigned)index > PTL_SR_DROP_COUNT) {
        return leave(PTL_SR_INDEX_INVALID);
    }
    if (!value) {
        return leave(PTL_SEGV);
    }
    *value = index == PTL_SR_DROP_COUNT ? self->drops : index == PTL_SR_PUSHED ? self->pushed : self->pulled;
    return leave(PTL_OK);
}

int PtlNIDist(ptl_handle_ni_t ni, ptl_process_id_t id, unsigned long *distance)
{
    bool known = false;

    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    for (unsigned i = 0; i < job->size; i++) {
        known = known || (job->ranks[i].id.nid == id.nid && job->ranks[i].id.pid == id.pid);
    }
    if (!known) {
        return leave(PTL_PROCESS_INVALID);
    }
    if (!distance) {
        return leave(PTL_SEGV);
    }
    *distance = FAR + (id.pid != self->id.pid);
    return leave(PTL_OK);
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni)
{
    ENTER;
    if (!any_of(handle)) {
        return leave(PTL_HANDLE_INVALID);
    }
    if (!ni) {
        return leave(PTL_SEGV);
    }
    *ni = handle_of(KIND_NI, &self->ni);
    return leave(PTL_OK);
}

const char *PtlNIFailStr(ptl_handle_ni_t ni, ptl_ni_fail_t fail)
{
    (void)ni;
    return fail == PTL_NI_OK     ? "complete"
           : fail == PTL_NI_FAIL ? "the other process's memory could not be reached"
                                 : "unknown";
}

int PtlHandleIsEqual(ptl_handle_any_t one, ptl_handle_any_t other)
{
    return one == other ? PTL_OK : PTL_FAIL;
}

/* PtlGetId, PtlGetUid and PtlGetJid differ in what they tell. */
static int tell(ptl_handle_ni_t ni, void *to, const void *what, size_t octets)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if (!to) {
        return leave(PTL_SEGV);
    }
    memcpy(to, what, octets);
    return leave(PTL_OK);
}

int PtlGetId(ptl_handle_ni_t ni, ptl_process_id_t *id)
{
    return tell(ni, id, self ? &self->id : NULL, sizeof *id);
}

int PtlGetUid(ptl_handle_ni_t ni, ptl_uid_t *uid)
{
    return tell(ni, uid, self ? &self->uid : NULL, sizeof *uid);
}

int PtlGetJid(ptl_handle_ni_t ni, ptl_jid_t *jid)
{
    return tell(ni, jid, job ? &job->jid : NULL, sizeof *jid);
}
