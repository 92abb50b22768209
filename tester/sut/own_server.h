/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI server that a vendor of clients brings along: jobs of the vendor's clients and the reference's then meet
 * under it too. Its command is held, and executed, by the vendor's launch agent; the manager knows it to show it.
 */
#ifndef TESTER_SUT_OWN_SERVER_H
#define TESTER_SUT_OWN_SERVER_H

#include "tester/engine/run.h"

#include <stdbool.h>
#include <stddef.h>

/* own_server_check tells whether the text may be the command of an own server: at most OWN_SERVER_MAX printable
 * characters, with {clients} and without what only a client's command has, every quote closed. False: a message that
 * says what is wrong. */
enum { OWN_SERVER_MAX = 500 };
bool own_server_check(const char *text, char *message, size_t message_octets);

/* own_server_take notes what the agent's hello says about one. False, with the run's problem noted, when the run was
 * announced with one and the agent brings none. Once the role of the system under test is known. */
bool own_server_take(struct engine_run *run);

/* own_server_wanted tells whether a meeting under it is among the run's cases. */
bool own_server_wanted(const struct engine_run *run);

/* own_server_lacks gives why such a meeting cannot take place: the reference's clients cannot reach the server. NULL
 * when it can, and for all other cases. */
const char *own_server_lacks(const struct case_info *about, const struct run_facts *facts);

#endif
