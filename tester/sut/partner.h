/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whoever takes part in a job beside the system under test: the reference's IMPI client and server, as programs on this
 * machine. Each has a launch agent of its own, which a run starts when its first case asks for it, at a listener
 * of the run (listener.h). A vendor's own server is none: the vendor's agent starts it (own_server.h).
 *
 * In place of the reference's client there may be a guest: another vendor's clients, on that vendor's machine, with a
 * launch agent of their own, which comes as the first one does. Neither vendor sees the other's machine: of a guest's
 * jobs there are calls and answers, and no output, host or address (rank.c, job.c).
 */
#ifndef TESTER_SUT_PARTNER_H
#define TESTER_SUT_PARTNER_H

#include "tester/sut/registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dialogue;
struct partners;
struct sut;

enum partner { PARTNER_CLIENT, PARTNER_SERVER, PARTNER_COUNT };

/* The tags of the agents' tokens; jobs have the numbers below. */
enum { PARTNER_TAG = 0x7ffffff0 };

/* partner_open_all prepares for partners whose programs are in the folder `reference`, NULL being the folder of the
 * running program; none is started yet. guest_token is what a guest's launch agent presents; NULL: there is no guest.
 * partner_close_all ends all agents, and with them what they have started, and frees; NULL is allowed. `over`: a
 * guest's agent may leave; else it is only disconnected, and comes again. */
struct partners *partner_open_all(struct sut *sut, const char *reference, const char *guest_token);
void partner_close_all(struct partners *partners, bool over);

/* partner_await_guest waits until the guest's agent is there, at most `ms`; true at once without a guest. False and a
 * message when it does not come or cannot take part. */
bool partner_await_guest(struct partners *partners, int64_t ms, char *message, size_t message_octets);

/* partner_is_guest tells whether this partner is a guest. */
bool partner_is_guest(const struct partners *partners, enum partner which);

/* partner_named finds a partner by its name in cases: "client", "server"; PARTNER_COUNT: none has it. */
enum partner partner_named(const char *name);

/* partner_agent gives the agent of a partner, which is started if it does not run yet; NULL and a message when there is
 * no such partner or it cannot be started. It waits some seconds at most. */
struct dialogue *partner_agent(struct partners *partners, enum partner which, char *message, size_t message_octets);

/* partner_lacks tells why the reference's programs cannot take part in the run; NULL when they can. */
const char *partner_lacks(const struct partners *partners);

/* partner_attach takes over an agent's connection, by its tag. */
void partner_attach(struct partners *partners, unsigned tag, struct registry_link *link);

#endif
