/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The preflight of Portals (preflight.h): the right interpreter, one that refuses what it does not know, all functions
 * of the first revision that the later ones have, and the four that these lack where it is the first, a library that
 * can be initialised, whether the system under test speaks the TCP binding with a peer of the manager, which portals it
 * keeps for itself, and, where several cases are to run at once, whether two jobs can.
 */
#include "tester/engine/preflight.h"

#include "tester/base/clock.h"
#include "tester/base/pairs.h"
#include "tester/engine/lanes.h"
#include "tester/engine/preflight_addresses.h"
#include "tester/peers/peer.h"
#include "tester/peers/port.h"
#include "tester/profile/case_list.h"
#include "tester/profile/profile.h"
#include "tester/sut/conversation.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTALS = 8, MANY_PORTALS = 64 }; /* of the interface that is opened first; where some of these are not free */
enum { WIRE_MS = 15000 };                /* without the binding much is skipped: not because a machine was busy */

/* The functions of Portals 3.0, table 3; the first four are gone in later revisions. */
enum { GONE_LATER = 4 };
static const char *const functions[] = {
    "PtlTransId",  "PtlNIBarrier", "PtlMDInsert", "PtlEQCount",  "PtlInit",     "PtlFini",     "PtlGetId",
    "PtlNIInit",   "PtlNIFini",    "PtlNIStatus", "PtlNIDist",   "PtlNIHandle", "PtlMEAttach", "PtlMEInsert",
    "PtlMEUnlink", "PtlMDAttach",  "PtlMDBind",   "PtlMDUnlink", "PtlMDUpdate", "PtlEQAlloc",  "PtlEQFree",
    "PtlEQGet",    "PtlEQWait",    "PtlACEntry",  "PtlPut",      "PtlGet",
};

/* Sends a command; it must be executed, and the library must return PTL_OK. */
static bool ask_rc(struct conversation *self, const char *text)
{
    char rc[64];

    if (!conversation_ask_ok(self, text)) {
        return false;
    }
    pairs_value(self->reply, "rc", rc, sizeof rc);
    if (strcmp(rc, "PTL_OK") != 0) {
        sut_problem(self->sut, "preflight: %.*s returned %s: the library cannot be used as it is set up here",
                    (int)strcspn(text, " "), text, rc);
        return false;
    }
    return true;
}

static bool check_functions(struct conversation *self, bool later)
{
    size_t gone = later ? GONE_LATER : 0;

    return conversation_check_commands(self, functions + gone, sizeof functions / sizeof functions[0] - gone);
}

static bool check_library(struct conversation *self, bool later)
{
    if (!conversation_ask_ok(self, "describe")) {
        return false;
    }
    sut_note(self->sut, "preflight", "%.400s", self->reply + 2 + (self->reply[2] == ' '));
    return ask_rc(self, later ? "PtlInit max_interfaces=out" : "PtlInit") &&
           ask_rc(self, "PtlNIInit interface=default ptl_size=8 acl_size=4 handle=ni") &&
           ask_rc(self, later ? "PtlGetId interface=ni id=out" : "PtlGetId id=out gsize=out");
}

/* Whether a HELLO has come on any of the streams: one of them may be somebody else's, who connects to every port. */
static bool hello_came(void *context)
{
    struct streams *streams = context;
    struct wire_portals_header header;
    size_t header_octets, data_octets;

    for (unsigned i = 0; i < streams->stream_count; i++) {
        if (peer_next(streams->streams[i], &header, &header_octets, &data_octets) == STREAM_MESSAGE &&
            header.operation == WIRE_PORTALS_HELLO) {
            return true;
        }
    }
    return false;
}

static void wire_missing(struct conversation *self, const char *why)
{
    snprintf(self->sut->facts.no_wire, sizeof self->sut->facts.no_wire,
             "the system under test does not speak the TCP binding with the manager's peers: %s", why);
}

/* Whether the ids of the library are too narrow for the address and port that name a peer. */
static bool ids_too_narrow(const struct conversation *self)
{
    char code[16] = "";

    return self->reply && sscanf(self->reply, "error %15s", code) == 1 && strcmp(code, "too-wide") == 0;
}

/* A put to a peer must open a stream whose first message is a HELLO. */
static void probe_wire(struct conversation *self, struct peer *peer)
{
    struct streams *streams = peer->all->streams;
    char text[128], rc[64] = "no answer";

    snprintf(text, sizeof text,
             "PtlPut mem_desc=md ack_req=PTL_NOACK_REQ target=nid/%u/%u portal=0 cookie=0 match_bits=0 offset=0",
             peer->id.nid, peer->id.pid);
    if (!conversation_ask_ok(self, "md name=desc start=null length=0 threshold=inf options=0 user_ptr=0 eventq=none") ||
        !ask_rc(self, "PtlMDBind interface=ni mem_desc=desc handle=md") || !conversation_ask_ok(self, text)) {
        self->sut->problem[0] = 0; /* what is wrong with these calls is for the cases to judge, on the wire too */
        self->sut->facts.wire = !ids_too_narrow(self);
        if (!self->sut->facts.wire) {
            wire_missing(self, "its type for node and process ids is too narrow for the address of a peer");
        }
        return;
    }
    pairs_value(self->reply, "rc", rc, sizeof rc);
    if (strcmp(rc, "PTL_OK") != 0) {
        snprintf(text, sizeof text, "a put to a process outside the job returned %s", rc);
        wire_missing(self, text);
        return;
    }
    self->sut->facts.wire = sut_pump(self->sut, hello_came, streams, clock_now_ms() + WIRE_MS);
    if (streams->stream_count == 0) {
        snprintf(text, sizeof text, "after a put no stream came to %s within %d s", self->sut->peer_address,
                 WIRE_MS / 1000);
        wire_missing(self, text);
    } else if (!self->sut->facts.wire) {
        wire_missing(self, "a put opened a stream that does not begin with a HELLO");
    }
}

static void check_wire(struct conversation *self)
{
    struct streams streams;
    struct peers peers;
    char message[256];

    stream_open_all(&streams, self->sut->loop, self->sut->evidence);
    peer_open_all(&peers, &streams);
    struct peer *peer = peer_new(&peers, self->sut->peer_address, message, sizeof message);
    if (peer) {
        probe_wire(self, peer);
    } else {
        wire_missing(self, message);
    }
    stream_close_all(&streams);
    port_close_all(&streams);
    peer_close_all(&peers);
    sut_note(self->sut, self->sut->facts.wire ? "preflight" : "warning", "%s",
             self->sut->facts.wire ? "the system under test speaks the TCP binding" : self->sut->facts.no_wire);
}

/* The index behind the last of `count` portals at which no match list can be attached because there is no such portal.
 * What else a call returns, or that it fails, is for the cases to judge. */
static unsigned behind_the_kept(struct conversation *self, unsigned count)
{
    char text[160], rc[64];
    unsigned behind = 0;

    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof text,
                 "PtlMEAttach interface=ni index=%u matchid=nid/any/any match_bits=0 ignorebits=0 unlink=PTL_RETAIN "
                 "handle=me",
                 i);
        if (!conversation_ask_ok(self, text)) {
            self->sut->problem[0] = 0;
            return 0;
        }
        pairs_value(self->reply, "rc", rc, sizeof rc);
        if (strcmp(rc, "PTL_INV_PTINDEX") == 0 || strcmp(rc, "PTL_PT_INV_INDEX") == 0 ||
            strcmp(rc, "PTL_PT_INDEX_INVALID") == 0) {
            behind = i + 1;
        }
    }
    return behind;
}

/* Which portals are the application's: the document does not say that all are (A56). */
static void find_portals(struct conversation *self)
{
    unsigned first = behind_the_kept(self, PORTALS);
    char text[96];

    if (first == 0) {
        return;
    }
    snprintf(text, sizeof text, "PtlNIInit interface=default ptl_size=%d acl_size=4 handle=ni", MANY_PORTALS);
    if (ask_rc(self, "PtlNIFini interface=ni") && ask_rc(self, text)) {
        first = behind_the_kept(self, MANY_PORTALS);
    }
    self->sut->problem[0] = 0;
    if (first <= MANY_PORTALS - PORTALS) {
        self->sut->facts.first_portal = first;
        sut_note(self->sut, "preflight",
                 "the system under test keeps portals below %u for itself; cases count from there", first);
    }
}

bool preflight_portals(struct engine_run *run)
{
    struct conversation self = {.sut = &run->sut, .api = run->profile->api};
    char message[700];
    bool fatal, good = false;

    evidence_room_open(&run->room, &run->sut, "preflight", "preflight: a look at the system under test");
    struct evidence *evidence = run->sut.evidence;
    struct job *job = job_start(&run->sut, 1, &fatal, message, sizeof message);
    if (!job) {
        sut_problem(&run->sut, "preflight: %s", message);
    } else {
        self.rank = &job->ranks[0];
        bool later = case_list_is_later(run->cases);
        good = conversation_check_hello(&self) && check_functions(&self, later) && check_library(&self, later);
        if (good && run->profile->preflight == PROFILE_PREFLIGHT_PORTALS) {
            check_wire(&self); /* another network's own preflight looks at its wire */
        }
        if (good) {
            find_portals(&self);
            good = lanes_count(run->lanes) == 0 || preflight_addresses(&self, later);
        }
        job_stop(job);
    }
    free(self.reply);
    evidence_room_close(&run->room, &run->sut);
    evidence_free(evidence);
    return good && !sut_ended(&run->sut);
}
