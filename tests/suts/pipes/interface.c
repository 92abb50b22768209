/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Interfaces, their status and barriers, access control: chapters 3.5 and 3.9 of the document.
 */
#include "tests/suts/pipes/library.h"

#include <stdlib.h>

enum { ACCESS_MIN = 2 };

/* The number of an interface, or -1. */
static int number_of(ptl_interface_t interface)
{
    int number = interface == PTL_IFACE_DEFAULT ? 0 : interface;

    return number >= 0 && number < INTERFACES ? number : -1;
}

static struct ni *interface_new(unsigned number, ptl_pt_index_t portals, ptl_ac_index_t entries)
{
    struct ni *ni = object_new(KIND_NI, sizeof *ni, NULL);

    if (!ni) {
        return NULL;
    }
    ni->head.ni = ni;
    ni->number = number;
    ni->portals = portals;
    ni->entries = entries;
    ni->lists = calloc(portals, sizeof *ni->lists);
    ni->access = calloc(entries, sizeof *ni->access);
    if (!ni->lists || !ni->access) {
        free(ni->lists);
        free(ni->access);
        object_end(ni);
        return NULL;
    }
    ni->access[0] = (struct access){true, identity_of(0), PTL_PT_INDEX_ANY};
    ni->access[0].id.addr_kind = PTL_ADDR_GID;
    ni->access[0].id.rid = PTL_ID_ANY;
    ni->barriers = library.left[number];
    return ni;
}

int PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size, ptl_handle_ni_t *handle)
{
    int number = number_of(interface), code = PTL_OK;

    enter();
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!handle || !memory_is_there(handle, sizeof *handle)) {
        code = PTL_SEGV;
    } else if (number < 0) {
        code = PTL_INIT_INV;
    } else if (library.interfaces[number]) {
        code = PTL_INIT_DUP;
    } else if (ptl_size == 0 || ptl_size > PORTALS_MAX) {
        code = PTL_INV_PSIZE;
    } else if (acl_size < ACCESS_MIN || acl_size > ACCESS_MAX) {
        code = PTL_INV_ASIZE;
    } else if (!(library.interfaces[number] = interface_new((unsigned)number, ptl_size, acl_size))) {
        code = PTL_NOSPACE;
    } else {
        *handle = HANDLE(ptl_handle_ni_t, library.interfaces[number]);
    }
    return leave(code);
}

int PtlNIFini(ptl_handle_ni_t interface)
{
    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    int code = !library.up ? PTL_NOINIT : ni ? PTL_OK : PTL_INV_NI;

    if (code == PTL_OK) {
        interface_end(ni);
        wake();
    }
    return leave(code);
}

int PtlNIBarrier(ptl_handle_ni_t interface)
{
    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up || !ni) {
        return leave(library.up ? PTL_INV_NI : PTL_NOINIT);
    }
    unsigned number = ni->number, mine = ++ni->barriers;
    struct message message = {.operation = OPERATION_ENTER, .interface = number, .from = library.rank, .to = 0};

    pipes_send(&message, NULL);
    while (library.up && object_find(KIND_NI, VALUE(interface)) == ni && library.left[number] < mine) {
        wait_for_progress();
    }
    return leave(library.up && object_find(KIND_NI, VALUE(interface)) == ni ? PTL_OK : PTL_INV_NI);
}

int PtlNIStatus(ptl_handle_ni_t interface, ptl_sr_index_t index, ptl_sr_value_t *status)
{
    int code = PTL_OK;

    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!status || !memory_is_there(status, sizeof *status)) {
        code = PTL_SEGV;
    } else if (!ni) {
        code = PTL_INV_NI;
    } else if (index != PTL_SR_DROP_COUNT) {
        code = PTL_INV_REG;
    } else {
        *status = library.drops[ni->number];
    }
    return leave(code);
}

int PtlNIDist(ptl_handle_ni_t interface, ptl_process_id_t process, double *distance)
{
    int code = PTL_OK, rank;

    enter();
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!distance || !memory_is_there(distance, sizeof *distance)) {
        code = PTL_SEGV;
    } else if (!object_find(KIND_NI, VALUE(interface))) {
        code = PTL_INV_NI;
    } else if ((rank = identity_rank(&process)) < 0) {
        code = PTL_INV_PROC;
    } else {
        *distance = rank == (int)library.rank ? 0.25 : 1.5;
    }
    return leave(code);
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *interface)
{
    struct object *object = NULL;

    enter();
    if (!library.up) {
        return leave(PTL_NOINIT);
    }
    if (!interface || !memory_is_there(interface, sizeof *interface)) {
        return leave(PTL_SEGV);
    }
    for (enum kind kind = KIND_NI; kind < KINDS && !object; kind++) {
        object = object_find(kind, VALUE(handle));
    }
    if (!object) {
        return leave(PTL_INV_HANDLE);
    }
    *interface = HANDLE(ptl_handle_ni_t, object->ni);
    return leave(PTL_OK);
}

int PtlACEntry(ptl_handle_ni_t interface, ptl_ac_index_t index, ptl_process_id_t matchid, ptl_pt_index_t portal)
{
    int code = PTL_OK;

    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!ni) {
        code = PTL_INV_NI;
    } else if (index >= ni->entries) {
        code = PTL_AC_INV_INDEX;
    } else if (!identity_is_valid(&matchid)) {
        code = PTL_INV_PROC;
    } else if (portal >= ni->portals && portal != PTL_PT_INDEX_ANY) {
        code = PTL_PT_INV_INDEX;
    } else {
        ni->access[index] = (struct access){true, matchid, portal};
    }
    return leave(code);
}
