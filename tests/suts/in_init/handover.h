/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the two halves of this client agree on: a process that is in MPI_Init listens on a local socket, and what the
 * IMPI client has started for it connects there and gives what it has, its environment and one descriptor.
 */
#ifndef SUTS_IN_INIT_HANDOVER_H
#define SUTS_IN_INIT_HANDOVER_H

#include <stddef.h>
#include <sys/un.h>

enum { HANDOVER_OCTETS = 65536 };

/* handover_address fills in where the process of this rank listens, in the folder that SITE names. */
void handover_address(struct sockaddr_un *address, int rank);

/* handover_rank gives the number that this variable of the environment holds; ends the program when there is none. */
int handover_rank(const char *variable);

/* handover_give sends a text with its NUL and a descriptor (-1: none). handover_take waits for them, at most
 * HANDOVER_OCTETS. Both end the program when that fails. */
void handover_give(int socket, const char *text, size_t len, int fd);
size_t handover_take(int socket, char *text, int *fd);

/* handover_fail ends the program with status 1 and says why. */
void handover_fail(const char *what);

#endif
