/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The preflight (preflight.h): the right interpreter, one that refuses what it does not know, all 26 functions, a
 * library that can be initialised, and whether the system under test speaks the TCP binding with a peer of the manager.
 */
#include "tester/preflight.h"

#include "tester/clock.h"
#include "tester/job.h"
#include "tester/memory.h"
#include "tester/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_MS = 10000, WIRE_MS = 5000 };

/* The functions of Portals 3.0, table 3. */
static const char *const functions[] = {
    "PtlInit",     "PtlFini",   "PtlGetId",    "PtlTransId",  "PtlNIInit",   "PtlNIFini",   "PtlNIBarrier",
    "PtlNIStatus", "PtlNIDist", "PtlNIHandle", "PtlMEAttach", "PtlMEInsert", "PtlMEUnlink", "PtlMDAttach",
    "PtlMDInsert", "PtlMDBind", "PtlMDUnlink", "PtlMDUpdate", "PtlEQAlloc",  "PtlEQFree",   "PtlEQCount",
    "PtlEQGet",    "PtlEQWait", "PtlACEntry",  "PtlPut",      "PtlGet",
};

struct preflight {
    struct engine_run *run;
    struct rank *rank;
    char *reply; /* of the latest command */
};

struct wait {
    struct rank *rank;
    struct dialogue_command *command;
};

static bool replied(void *context)
{
    struct wait *wait = context;

    return wait->command->reply || wait->rank->dialogue.end != DIALOGUE_OPEN;
}

/* Sends a command; its reply is in self->reply. False, with a problem noted, when none comes. */
static bool ask(struct preflight *self, const char *text)
{
    struct dialogue *dialogue = &self->rank->dialogue;
    uint32_t id = dialogue_send(dialogue, COMMAND_MS, NULL, text, NULL, 0);
    struct wait wait = {self->rank, id ? dialogue_find(dialogue, id) : NULL};

    free(self->reply);
    self->reply = NULL;
    if (wait.command) {
        run_pump(self->run, replied, &wait, wait.command->late_ms);
        self->reply = wait.command->reply ? memory_text(wait.command->reply) : NULL;
        dialogue_forget(dialogue, id);
    }
    if (!self->reply) {
        run_problem(self->run, "preflight: %.*s: %s", (int)strcspn(text, " "), text,
                    dialogue->why ? dialogue->why : "the interpreter does not answer");
    }
    return self->reply != NULL;
}

/* The same, and the reply must be `ok`. */
static bool ask_ok(struct preflight *self, const char *text)
{
    if (!ask(self, text)) {
        return false;
    }
    if (strncmp(self->reply, "ok", 2) != 0) {
        run_problem(self->run, "preflight: the interpreter refused \"%.60s\": %.200s", text, self->reply);
        return false;
    }
    return true;
}

/* The same, and the library must return PTL_OK. */
static bool ask_rc(struct preflight *self, const char *text)
{
    char rc[64];

    if (!ask_ok(self, text)) {
        return false;
    }
    dialogue_field(self->reply, "rc", rc, sizeof rc);
    if (strcmp(rc, "PTL_OK") != 0) {
        run_problem(self->run, "preflight: %.*s returned %s: the library cannot be used as it is set up here",
                    (int)strcspn(text, " "), text, rc);
        return false;
    }
    return true;
}

static bool check_hello(struct preflight *self)
{
    struct run_facts *facts = &self->run->facts;
    const char *hello = self->rank->dialogue.hello;
    char api[64], order[16];

    dialogue_field(hello, "api", api, sizeof api);
    dialogue_field(hello, "order", order, sizeof order);
    dialogue_field(hello, "name", facts->interpreter, sizeof facts->interpreter);
    dialogue_field(hello, "features", facts->features, sizeof facts->features);
    if (strcmp(api, self->run->profile) != 0) {
        run_problem(self->run, "preflight: the interpreter %s was built for \"%s\", the profile is \"%s\"",
                    facts->interpreter, api, self->run->profile);
        return false;
    }
    if (strcmp(order, "little") != 0 && strcmp(order, "big") != 0) {
        run_problem(self->run, "preflight: the interpreter %s says \"%s\" of its byte order", facts->interpreter,
                    order);
        return false;
    }
    run_note(self->run, "preflight", "interpreter %s, %s-endian", facts->interpreter, order);
    return true;
}

static bool check_commands(struct preflight *self)
{
    struct run_facts *facts = &self->run->facts;

    if (!ask(self, "assay-probe")) {
        return false;
    }
    if (strncmp(self->reply, "error unknown-command", 21) != 0) {
        run_problem(self->run,
                    "preflight: the interpreter answers an unknown command with \"%.100s\": nothing that it says "
                    "can be trusted",
                    self->reply);
        return false;
    }
    if (!ask_ok(self, "commands")) {
        return false;
    }
    size_t room = strlen(self->reply) + 1;
    facts->verbs = memory_zero(room);
    dialogue_field(self->reply, "verbs", facts->verbs, room);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (!dialogue_list_has(facts->verbs, functions[i])) {
            run_problem(self->run, "preflight: the interpreter %s lacks the function %s", facts->interpreter,
                        functions[i]);
            return false;
        }
    }
    return true;
}

static bool check_library(struct preflight *self)
{
    if (!ask_ok(self, "describe")) {
        return false;
    }
    run_note(self->run, "preflight", "%.400s", self->reply + 2 + (self->reply[2] == ' '));
    return ask_rc(self, "PtlInit") && ask_rc(self, "PtlGetId id=out gsize=out") &&
           ask_rc(self, "PtlNIInit interface=default ptl_size=8 acl_size=4 handle=ni");
}

static bool hello_came(void *context)
{
    struct peer *peer = context;
    struct wire_portals_header header;
    size_t header_octets, data_octets;

    for (unsigned i = 0; i < peer->all->stream_count; i++) {
        if (stream_next(peer->all->streams[i], &header, &header_octets, &data_octets) != STREAM_NOTHING) {
            return true;
        }
    }
    return false;
}

static void wire_missing(struct preflight *self, const char *why)
{
    snprintf(self->run->facts.no_wire, sizeof self->run->facts.no_wire,
             "the system under test does not speak the TCP binding with the manager's peers: %s", why);
}

/* A put to a peer must open a stream whose first message is a HELLO. */
static void probe_wire(struct preflight *self, struct peer *peer)
{
    struct wire_portals_header header = {0};
    size_t header_octets, data_octets;
    char text[128], rc[64] = "no answer";

    snprintf(text, sizeof text,
             "PtlPut mem_desc=md ack_req=PTL_NOACK_REQ target=nid/%u/%u portal=0 cookie=0 match_bits=0 offset=0",
             peer->id.nid, peer->id.pid);
    if (!ask_ok(self, "md name=desc start=null length=0 threshold=inf options=0 user_ptr=0 eventq=none") ||
        !ask_rc(self, "PtlMDBind interface=ni mem_desc=desc handle=md") || !ask_ok(self, text)) {
        self->run->problem[0] = 0; /* what is wrong with these calls is for the cases to judge, on the wire too */
        self->run->facts.wire = true;
        return;
    }
    dialogue_field(self->reply, "rc", rc, sizeof rc);
    if (strcmp(rc, "PTL_OK") != 0) {
        snprintf(text, sizeof text, "a put to a process outside the job returned %s", rc);
        wire_missing(self, text);
        return;
    }
    run_pump(self->run, hello_came, peer, clock_now_ms() + WIRE_MS);
    if (peer->all->stream_count == 0) {
        snprintf(text, sizeof text, "after a put no stream came to %s within %d s", self->run->peer_address,
                 WIRE_MS / 1000);
        wire_missing(self, text);
    } else if (stream_next(peer->all->streams[0], &header, &header_octets, &data_octets) != STREAM_MESSAGE ||
               header.operation != WIRE_PORTALS_HELLO) {
        wire_missing(self, "a put opened a stream that does not begin with a HELLO");
    } else {
        self->run->facts.wire = true;
    }
}

static void check_wire(struct preflight *self)
{
    struct peers peers;
    char message[256];

    peer_open_all(&peers, self->run->loop, self->run->evidence);
    struct peer *peer = peer_new(&peers, self->run->peer_address, message, sizeof message);
    if (peer) {
        probe_wire(self, peer);
    } else {
        wire_missing(self, message);
    }
    peer_close_all(&peers);
    run_note(self->run, self->run->facts.wire ? "preflight" : "warning", "%s",
             self->run->facts.wire ? "the system under test speaks the TCP binding" : self->run->facts.no_wire);
}

bool preflight_run(struct engine_run *run)
{
    struct preflight self = {.run = run};
    char message[700];
    bool fatal, good = false;

    run->evidence = evidence_open(run->report_directory, "preflight", "preflight: a look at the system under test");
    struct job *job = job_start(run, 1, &fatal, message, sizeof message);
    if (!job) {
        run_problem(run, "preflight: %s", message);
    } else {
        self.rank = &job->ranks[0];
        good = check_hello(&self) && check_commands(&self) && check_library(&self);
        if (good) {
            check_wire(&self);
        }
        job_stop(job);
    }
    free(self.reply);
    if (!evidence_close(run->evidence, message, sizeof message)) {
        run_note(run, "warning", "%s", message);
    }
    evidence_free(run->evidence);
    run->evidence = NULL;
    return good && !run_ended(run);
}
