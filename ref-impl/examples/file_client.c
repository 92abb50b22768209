/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A parallel application that uses the parallel file server: chapter 5.1 of the specification. Each rank writes its
 * block of the file, reads its neighbour's and then the whole, and looks at every octet.
 *
 *      portalsrun -np 3 file_client NID:PID:GID...
 *
 * The arguments are what file_server prints of its processes; rank r asks the one at place r, from the beginning again
 * when there are fewer. Whichever is asked, the answer comes from all.
 *
 * A connection is a portal and an access control entry that admits every process of the servers' group to it, and
 * nobody else: in the end each rank and its neighbour try the other's door with the servers' cookie, and the servers'
 * inner door, and are refused.
 */
#include <string.h>

#include "ref-impl/examples/file_protocol.h"
#include "ref-impl/examples/must.h"

enum {
    PORTAL_DATA = 5,
    PORTAL_WORD = 6,
    COOKIE_SERVERS = 2,
    COOKIE_GROUP = 0,
    BLOCK = 7 * FILE_STRIPE + 123,
    QUEUE = 4096
};

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t ni;
static ptl_process_id_t server; /* the one that this rank asks */

/* What the file is to hold at a place. */
static unsigned char octet_at(ptl_size_t place)
{
    return (unsigned char)(place * 2654435761u >> 13 ^ place >> 20);
}

static bool is_as_written(const unsigned char *octets, ptl_size_t length, ptl_size_t offset)
{
    for (ptl_size_t i = 0; i < length; i++) {
        if (octets[i] != octet_at(offset + i)) {
            fprintf(stderr, "file_client: rank %u: octet %llu is wrong\n", (unsigned)self.rid,
                    (unsigned long long)(offset + i));
            return false;
        }
    }
    return true;
}

/* Puts a struct to a portal, and returns when it has left. */
static void say(const ptl_process_id_t *target, ptl_pt_index_t portal, ptl_ac_index_t cookie, void *start,
                ptl_size_t length)
{
    ptl_md_t md = {.start = start, .length = length, .threshold = PTL_MD_THRESH_INF};
    ptl_handle_md_t handle;

    MUST(PtlEQAlloc(ni, 1, &md.eventq));
    MUST(PtlMDBind(ni, md, &handle));
    MUST(PtlPut(handle, PTL_NOACK_REQ, *target, portal, cookie, 0, 0));
    (void)must_event(md.eventq);
    MUST(PtlMDUnlink(handle));
    MUST(PtlEQFree(md.eventq));
}

static void ask(struct file_request request)
{
    say(&server, FILE_PORTAL_REQUESTS, FILE_COOKIE_CLIENTS, &request, sizeof(request));
}

/* Reads or writes a part of the file: opens the memory to the servers, asks one of them, and waits until all of it has
 * been filled or fetched. */
static void operate(enum file_kind kind, void *start, ptl_size_t offset, ptl_size_t length)
{
    static ptl_match_bits_t operation;
    ptl_process_id_t servers = {.addr_kind = PTL_ADDR_GID, .gid = server.gid, .rid = PTL_ID_ANY};
    ptl_md_t md = {
        .start = start,
        .length = length,
        .threshold = PTL_MD_THRESH_INF,
        .options = PTL_MD_MANAGE_REMOTE | (kind == FILE_READ ? PTL_MD_OP_PUT : PTL_MD_OP_GET),
    };
    ptl_size_t done = 0;
    ptl_handle_me_t entry;

    operation++;
    MUST(PtlEQAlloc(ni, QUEUE, &md.eventq));
    MUST(PtlMEAttach(ni, PORTAL_DATA, servers, operation, 0, PTL_UNLINK, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
    ask((struct file_request){.kind = kind, .operation = operation, .offset = offset, .length = length});
    while (done < length) {
        done += must_event(md.eventq).mlength;
    }
    must_hold(done == length, "file_client: more was moved than asked for");
    MUST(PtlMEUnlink(entry));
    MUST(PtlEQFree(md.eventq));
}

static void introduce(void)
{
    ptl_process_id_t servers = {.addr_kind = PTL_ADDR_GID, .gid = server.gid, .rid = PTL_ID_ANY};

    MUST(PtlACEntry(ni, COOKIE_SERVERS, servers, PORTAL_DATA));
    ask((struct file_request){.kind = FILE_OPEN, .portal = PORTAL_DATA, .cookie = COOKIE_SERVERS});
}

/* Makes a list that takes whatever comes to a portal. */
static void open_door(ptl_pt_index_t portal, ptl_md_t md)
{
    ptl_handle_me_t entry;

    MUST(PtlMEAttach(ni, portal, must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
}

/* Every rank tries its neighbour's door with a cookie that is not for it. Says how many messages this rank refused. */
static ptl_sr_value_t trespass(void)
{
    ptl_process_id_t neighbour = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = (self.rid + 1) % size};
    struct file_request forged = {.kind = FILE_CLOSE, .client = self};
    unsigned char treasure[8] = {0}, loot[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    ptl_md_t md = {
        .start = treasure, .length = sizeof(treasure), .threshold = PTL_MD_THRESH_INF, .options = PTL_MD_OP_PUT};
    ptl_sr_value_t refused;

    MUST(PtlEQAlloc(ni, QUEUE, &md.eventq));
    open_door(PORTAL_DATA, md);
    open_door(PORTAL_WORD, md);
    MUST(PtlNIBarrier(ni));
    say(&neighbour, PORTAL_DATA, COOKIE_SERVERS, loot, sizeof(loot)); /* not of the servers' group */
    say(&neighbour, PORTAL_WORD, COOKIE_SERVERS, loot, sizeof(loot)); /* an entry is for one portal */
    say(&neighbour, PORTAL_WORD, COOKIE_GROUP, NULL, 0);              /* this is allowed, and the last */
    must_hold(must_event(md.eventq).mlength == 0, "file_client: a process of another group was admitted");
    must_hold(memcmp(treasure, (unsigned char[8]){0}, sizeof(treasure)) == 0,
              "file_client: a process of another group wrote here");
    MUST(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &refused));
    say(&server, FILE_PORTAL_FORWARDED, FILE_COOKIE_CLIENTS, &forged, sizeof(forged)); /* not the clients' portal */
    say(&server, FILE_PORTAL_FORWARDED, 0, &forged, sizeof(forged));                   /* not the clients' entry */
    return refused;
}

static void run(void)
{
    ptl_size_t whole_length = (ptl_size_t)size * BLOCK, next = (self.rid + 1) % size;
    unsigned char *block = malloc(BLOCK), *whole = calloc(size, BLOCK);
    ptl_sr_value_t refused;

    must_hold(block && whole, "file_client: no memory");
    for (ptl_size_t i = 0; i < BLOCK; i++) {
        block[i] = octet_at(self.rid * (ptl_size_t)BLOCK + i);
    }
    introduce();
    operate(FILE_WRITE, block, self.rid * (ptl_size_t)BLOCK, BLOCK);
    MUST(PtlNIBarrier(ni));
    memset(block, 0, BLOCK);
    operate(FILE_READ, block, next * BLOCK, BLOCK);
    must_hold(is_as_written(block, BLOCK, next * BLOCK), "file_client: the neighbour's block is not as written");
    operate(FILE_READ, whole, 0, whole_length);
    must_hold(is_as_written(whole, whole_length, 0), "file_client: the file is not as written");
    refused = trespass();
    ask((struct file_request){.kind = FILE_CLOSE});
    printf("client %u: wrote %d octets, read %llu as written, refused %lld messages\n", (unsigned)self.rid, (int)BLOCK,
           (unsigned long long)(BLOCK + whole_length), (long long)refused);
    free(block);
    free(whole);
}

int main(int argc, char **argv)
{
    unsigned nid, pid, gid;

    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    if (argc < 2 || sscanf(argv[1 + self.rid % (unsigned)(argc - 1)], "%u:%u:%u", &nid, &pid, &gid) != 3) {
        fprintf(stderr,
                "file_client: call it as portalsrun -np N file_client NID:PID:GID..., as file_server prints them\n");
        PtlFini();
        return 2;
    }
    server = (ptl_process_id_t){.addr_kind = PTL_ADDR_NID, .nid = nid, .pid = pid, .gid = gid};
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, FILE_PORTALS, FILE_COOKIES, &ni));
    run();
    MUST(PtlNIBarrier(ni));
    MUST(PtlNIFini(ni));
    PtlFini();
    return 0;
}
