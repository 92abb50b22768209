/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The numbers of network interfaces, which only the local documentation tells (3.2.5).
 */
#ifndef INTERPRETER_PORTALS_INTERFACES_H
#define INTERPRETER_PORTALS_INTERFACES_H

#include "call.h"

/* interfaces_begin takes --interfaces LIST out of the arguments: the library's numbers for what the manager calls 0, 1
 * and so on. Gives what is wrong with the list, or NULL. */
const char *interfaces_begin(int *count, char **arguments);

/* interfaces_number reads the number of an interface; one that the list does not have becomes a number behind all of
 * them. */
ptl_interface_t interfaces_number(struct call *call, const char *key);

#endif
