/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in the wide-area device: see receive.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_WIDE_RECEIVE_H
#define REF_IMPL_MPI_WIDE_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/impi/packet.h"

struct request;
struct request_match;
struct request_outcome;

/* wide_receive - takes a message that has come, unless the local device has one already, or posts the receive. */
void wide_receive(struct request *request);

/* wide_probe - looks for a message that has come and fits. */
bool wide_probe(const struct request_match *match, struct request_outcome *outcome);

/* wide_withdraw - takes a posted receive out of this device; false when its message is coming in. */
bool wide_withdraw(struct request *request);

/* wide_receive_place - where the data of a packet belong as they are: of a long message that is being received. NULL:
 * that is not known yet, or they do not. */
unsigned char *wide_receive_place(const struct wire_impi_packet *packet, int rank);

/* wide_receive_data - a DATA or DATASYNC packet has come. Its data, or NULL, are where wide_receive_place said, or this
 * module's from now on. */
void wide_receive_data(const struct wire_impi_packet *packet, int rank, unsigned char *octets);

/* wide_receive_forget - destroys the last message from that process with this pk_srqid that no receive has; false when
 * there is none. */
bool wide_receive_forget(int rank, uint64_t srqid);

/* wide_receive_open - begins anew.
 * wide_receive_close - throws away what nobody has received. */
void wide_receive_open(void);
void wide_receive_close(void);

#endif
