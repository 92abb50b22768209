/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The link of the wide-area device to its host agent: see link.c.
 */
#ifndef REF_IMPL_MPI_WIDE_LINK_H
#define REF_IMPL_MPI_WIDE_LINK_H

#include <stdbool.h>

#include "ref-impl/mpi/wide/packet.h"

/* wide_link_arrived - what is called, with the engine's lock, for each whole packet that has been read; `octets`
 * (pk_len of them, or NULL) is where wide_link_place said, or the callee's, to be freed. */
typedef void wide_link_arrived(const struct wire_impi_packet *packet, unsigned char *octets);

/* wide_link_place - what is called, with the engine's lock, when the head of a packet with data has been read: where
 * pk_len octets are to be read to. NULL: to memory of their own. */
typedef unsigned char *wide_link_place(const struct wire_impi_packet *packet);

/* wide_link_open - starts the thread; false, and a line on stderr, when there is none to be had.
 * wide_link_finish - says FINI; engine's lock held.
 * wide_link_close - waits until the agent has said so too; engine's lock not held. */
bool wide_link_open(int fd, wide_link_place *place, wide_link_arrived *arrived);
void wide_link_finish(void);
void wide_link_close(void);

/* wide_link_wait - reads what comes in the thread's place, and waits for it where nothing is there; the program's
 * thread, engine's lock held, and given away meanwhile. Returns at once where the thread is reading. False: there is no
 * link. */
bool wide_link_wait(void);

/* wide_link_new - a packet to be filled in.
 * wide_link_push - hands it to the link, before all others that have not begun to leave if it is urgent; writes what
 * can be written without blocking. */
struct wide_packet *wide_link_new(void);
void wide_link_push(struct wide_packet *packet, const struct wire_impi_packet *head, bool urgent);

#endif
