/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI server that a vendor of clients brings along: jobs of the vendor's clients and the reference's then meet
 * under it too. Its command is held, and executed, by the vendor's launch agent; the manager knows it to show it.
 */
#ifndef TESTER_SUT_OWN_SERVER_H
#define TESTER_SUT_OWN_SERVER_H

#include "tester/profile/case_info.h"
#include "tester/sut/sut.h"

#include <stdbool.h>
#include <stddef.h>

/* own_server_check tells whether the text may be the command of an own server: at most OWN_SERVER_MAX printable
 * characters, with {clients} and without what only a client's command has, every quote closed. False: a message that
 * says what is wrong. */
enum { OWN_SERVER_MAX = 500 };
bool own_server_check(const char *text, char *message, size_t message_octets);

/* own_server_take notes what the agent's hello says about one; `announced` is the command with which the run was made,
 * or NULL. False, with a problem noted, when the run was made with one and the agent brings none. Once the role of the
 * system under test is known. */
bool own_server_take(struct sut *sut, const char *announced);

/* own_server_lacks gives why such a meeting cannot take place: the reference's clients cannot reach the server. NULL
 * when it can, and for all other cases. */
const char *own_server_lacks(const struct case_info *about, const struct sut_facts *facts);

#endif
