/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A Portals library that misbehaves on demand, to see what the interpreter makes of it. BADLIB="FUNCTION:ACT" in the
 * environment chooses where and how:
 *
 *   segv abort fpe overflow pipe   a fatal signal (a null pointer, abort, a division, endless recursion, a write into a
 * closed pipe) thread                         the same segv on a thread of the library hang never returns; nor does it
 * leave malloc's lock to anybody exit _exit                     ends the process with status 9 code=N returns N
 *
 * What is not asked to misbehave returns PTL_OK. Arguments are printed on stderr where a test wants to see them as the
 * library got them.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <portals.h>

static volatile int zero;
static short counter = 100;

static int recurse(int depth)
{
    volatile char room[4096];

    room[0] = (char)depth;
    return zero ? 0 : recurse(depth + 1) + room[0];
}

static void *crash(void *nowhere)
{
    *(volatile int *)nowhere = 1;
    return NULL;
}

static int misbehave(const char *act)
{
    pthread_t thread;
    int ends[2];

    if (strcmp(act, "segv") == 0)
        crash(NULL);
    if (strcmp(act, "abort") == 0)
        abort();
    if (strcmp(act, "fpe") == 0)
        raise(1 / zero ? SIGFPE : SIGFPE);
    if (strcmp(act, "overflow") == 0)
        return recurse(0);
    if (strcmp(act, "pipe") == 0 && pipe(ends) == 0 && close(ends[0]) == 0)
        return write(ends[1], "x", 1) == 1;
    if (strcmp(act, "thread") == 0 && pthread_create(&thread, NULL, crash, NULL) == 0)
        pthread_join(thread, NULL);
    if (strcmp(act, "exit") == 0)
        exit(9);
    if (strcmp(act, "_exit") == 0)
        _exit(9);
    while (strcmp(act, "hang") == 0)
        pause();
    return strncmp(act, "code=", 5) == 0 ? atoi(act + 5) : PTL_OK;
}

static int act(const char *function)
{
    const char *order = getenv("BADLIB");
    size_t len = strlen(function);

    if (order && strncmp(order, function, len) == 0 && order[len] == ':')
        return misbehave(order + len + 1);
    return PTL_OK;
}

static int make(const char *function, short *handle)
{
    int code = act(function);

    if (!handle)
        return PTL_SEGV;
    if (code == PTL_OK)
        *handle = counter++;
    return code;
}

static void at_exit(void)
{
    act("exit");
}

int PtlInit(void)
{
    atexit(at_exit);
    return act("PtlInit");
}

void PtlFini(void)
{
    act("PtlFini");
}

int PtlGetId(ptl_process_id_t *id, ptl_id_t *gsize)
{
    id->addr_kind = PTL_ADDR_BOTH;
    id->nid = -5;
    id->pid = 6;
    id->gid = 7;
    id->rid = PTL_ID_ANY;
    *gsize = 8;
    return act("PtlGetId");
}

int PtlTransId(ptl_process_id_t *id)
{
    fprintf(stderr, "PtlTransId kind=%d nid=%d pid=%d gid=%d rid=%d\n", (int)id->addr_kind, id->nid, id->pid, id->gid,
            id->rid);
    return act("PtlTransId");
}

int PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size, ptl_handle_ni_t *handle)
{
    fprintf(stderr, "PtlNIInit interface=%d ptl_size=%d acl_size=%d\n", interface, ptl_size, acl_size);
    return make("PtlNIInit", handle);
}

int PtlNIFini(ptl_handle_ni_t interface)
{
    fprintf(stderr, "PtlNIFini interface=%d\n", interface);
    return act("PtlNIFini");
}

int PtlNIBarrier(ptl_handle_ni_t interface)
{
    (void)interface;
    return act("PtlNIBarrier");
}

int PtlNIStatus(ptl_handle_ni_t interface, ptl_sr_index_t index, ptl_sr_value_t *status)
{
    (void)interface;
    if (index != PTL_SR_DROP_COUNT)
        return PTL_INV_SR_INDEX;
    *status = -2;
    return act("PtlNIStatus");
}

int PtlNIDist(ptl_handle_ni_t interface, ptl_process_id_t process, double *distance)
{
    (void)interface;
    (void)process;
    *distance = 0.1;
    return act("PtlNIDist");
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *interface)
{
    *interface = (short)(handle - 1000); /* cannot be mistaken for the handle's own octets */
    fprintf(stderr, "PtlNIHandle handle=%ld\n", handle);
    return act("PtlNIHandle");
}

int PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid, ptl_match_bits_t bits,
                ptl_match_bits_t ignored, ptl_unlink_t unlink, ptl_handle_me_t *handle)
{
    fprintf(stderr, "PtlMEAttach interface=%d index=%d kind=%d gid=%d rid=%d bits=%llx ignored=%llx unlink=%d\n",
            interface, index, (int)matchid.addr_kind, matchid.gid, matchid.rid, bits, ignored, (int)unlink);
    return make("PtlMEAttach", handle);
}

int PtlMEInsert(ptl_process_id_t matchid, ptl_match_bits_t bits, ptl_match_bits_t ignored, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t current, ptl_handle_me_t *handle)
{
    (void)matchid;
    fprintf(stderr, "PtlMEInsert bits=%llx ignored=%llx unlink=%d position=%d current=%d\n", bits, ignored, (int)unlink,
            (int)position, current);
    return make("PtlMEInsert", handle);
}

int PtlMEUnlink(ptl_handle_me_t entry)
{
    (void)entry;
    return act("PtlMEUnlink");
}

static void show(const char *function, const ptl_md_t *md)
{
    fprintf(stderr, "%s length=%u threshold=%d options=%u user_ptr=%p eventq=%d\n", function, md->length, md->threshold,
            md->options, md->user_ptr, md->eventq);
}

int PtlMDAttach(ptl_handle_me_t match, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    (void)match;
    (void)unlink;
    show("PtlMDAttach", &md);
    return make("PtlMDAttach", handle);
}

int PtlMDInsert(ptl_md_t md, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_md_t current,
                ptl_handle_md_t *handle)
{
    (void)unlink;
    (void)position;
    (void)current;
    show("PtlMDInsert", &md);
    return make("PtlMDInsert", handle);
}

int PtlMDBind(ptl_handle_ni_t interface, ptl_md_t md, ptl_handle_md_t *handle)
{
    (void)interface;
    show("PtlMDBind", &md);
    return make("PtlMDBind", handle);
}

int PtlMDUnlink(ptl_handle_md_t md)
{
    fprintf(stderr, "PtlMDUnlink mem_desc=%d\n", md);
    return act("PtlMDUnlink");
}

int PtlMDUpdate(ptl_handle_md_t md, ptl_md_t *before, ptl_md_t *after, ptl_handle_eq_t testq)
{
    (void)md;
    if (before) {
        memset(before, 0, sizeof *before);
        before->threshold = 4;
        before->eventq = testq;
    }
    if (after)
        show("PtlMDUpdate", after);
    return act("PtlMDUpdate");
}

int PtlEQAlloc(ptl_handle_ni_t interface, ptl_size_t count, ptl_handle_eq_t *handle)
{
    fprintf(stderr, "PtlEQAlloc interface=%d count=%u\n", interface, count);
    return make("PtlEQAlloc", handle);
}

int PtlEQFree(ptl_handle_eq_t eventq)
{
    fprintf(stderr, "PtlEQFree eventq=%d\n", eventq);
    return act("PtlEQFree");
}

int PtlEQCount(ptl_handle_eq_t eventq, ptl_size_t *count)
{
    (void)eventq;
    *count = 4294967295u;
    return act("PtlEQCount");
}

/* An event full of values that no table knows. */
int PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    memset(event, 0, sizeof *event);
    event->type = (ptl_event_kind_t)77;
    event->initiator.addr_kind = (ptl_addr_kind_t)9;
    event->portal = -3;
    event->mem_desc.start = (void *)0x10;
    event->mem_desc.options = 16 | 0x8000;
    event->mem_desc.eventq = (short)(eventq + 1);
    return act("PtlEQGet");
}

int PtlEQWait(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    (void)eventq;
    (void)event;
    return act("PtlEQWait");
}

int PtlACEntry(ptl_handle_ni_t interface, ptl_ac_index_t index, ptl_process_id_t matchid, ptl_pt_index_t portal)
{
    (void)interface;
    (void)matchid;
    fprintf(stderr, "PtlACEntry index=%d portal=%d\n", index, portal);
    return act("PtlACEntry");
}

int PtlPut(ptl_handle_md_t md, ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t bits, ptl_size_t offset)
{
    (void)target;
    fprintf(stderr, "PtlPut mem_desc=%d ack_req=%d portal=%d cookie=%d bits=%llx offset=%u\n", md, (int)ack, portal,
            cookie, bits, offset);
    return act("PtlPut");
}

int PtlGet(ptl_handle_md_t md, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t bits, ptl_size_t offset)
{
    (void)target;
    fprintf(stderr, "PtlGet mem_desc=%d portal=%d cookie=%d bits=%llx offset=%u\n", md, portal, cookie, bits, offset);
    return act("PtlGet");
}
