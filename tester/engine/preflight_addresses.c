/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether two jobs of Portals can be there at once (preflight_addresses.h). Two that have the same addresses may still
 * be apart, each on a network of its own: that is only warned of. A second one that does not come to life beside the
 * first is not judged at all.
 */
#include "tester/engine/preflight_addresses.h"

#include "tester/base/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS_ROOM = 64 };

/* The address of an initialised process: node and process of its id, "17/4711". */
static bool ask_address(struct conversation *self, bool later, char address[ADDRESS_ROOM])
{
    char id[96];
    unsigned long long nid, pid;

    if (!conversation_ask_ok(self, later ? "PtlGetId interface=ni id=out" : "PtlGetId id=out gsize=out") ||
        !pairs_value(self->reply, "id", id, sizeof id) || sscanf(id, "%*[a-z]/%llu/%llu", &nid, &pid) != 2) {
        return false;
    }
    snprintf(address, ADDRESS_ROOM, "node %llu, process %llu", nid, pid);
    return true;
}

/* Brings the library of a process up. */
static bool bring_up(struct conversation *self)
{
    static const char *const calls[] = {"PtlInit", "PtlNIInit interface=default ptl_size=8 acl_size=4 handle=ni"};
    char rc[64];

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (!conversation_ask_ok(self, calls[i]) || !pairs_value(self->reply, "rc", rc, sizeof rc)) {
            return false;
        }
        if (strcmp(rc, "PTL_OK") != 0) {
            sut_problem(self->sut, "%.*s returned %s", (int)strcspn(calls[i], " "), calls[i], rc);
            return false;
        }
    }
    return true;
}

/* Says why the second job does not come to life. */
static void refuse(struct sut *sut, const char *why)
{
    char text[sizeof sut->problem];

    snprintf(text, sizeof text, "%s", why);
    sut->problem[0] = 0;
    sut_problem(sut,
                "preflight: beside one job a second one does not start (%.400s): their addresses collide, or only one "
                "is allowed; let the command give each job its own, or use --jobs 1",
                text);
}

bool preflight_addresses(struct conversation *first, bool later)
{
    struct conversation second = {.sut = first->sut, .api = first->api};
    char one[ADDRESS_ROOM], other[ADDRESS_ROOM], message[700];
    bool fatal, good = false;

    if (!ask_address(first, later, one)) {
        first->sut->problem[0] = 0; /* what is wrong with it is for the cases to judge */
        return true;
    }
    struct job *job = job_start(first->sut, 1, &fatal, message, sizeof message);
    if (!job) {
        refuse(first->sut, message);
        return false;
    }
    second.rank = &job->ranks[0];
    good = bring_up(&second);
    if (!good) {
        refuse(first->sut, first->sut->problem);
    } else if (!ask_address(&second, later, other)) {
        first->sut->problem[0] = 0;
    } else if (strcmp(one, other) == 0) {
        sut_note(first->sut, "warning",
                 "two jobs at a time have the same address (%s): where they share a network their addresses collide, "
                 "and --jobs 1 is needed",
                 one);
    }
    job_stop(job);
    free(second.reply);
    return good;
}
