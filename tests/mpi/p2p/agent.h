/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The other end of the link of one MPI process: a test plays its host agent, and with it all processes of the other
 * client, octet by octet. The process under test is the test itself, as rank 0 of client 0, alone there; ranks 1 and 2
 * are the processes of client 1.
 *
 * Packets are written and read by the offsets that chapter 3.5 of the IMPI document gives; the codec of the library is
 * not used.
 */
#ifndef TESTS_MPI_P2P_AGENT_H
#define TESTS_MPI_P2P_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATA, DATASYNC, PROTOACK, SYNCACK, CANCEL, CANCELYES, CANCELNO, FINI };
enum { AGENT_DATA_MAX = 4096, AGENT_NOBODY = -1 /* all zeros */ };

struct agent_packet {
    uint32_t type, len;
    int src, dest; /* ranks; AGENT_NOBODY; others are processes that the job does not have */
    uint64_t srqid, drqid, msglen;
    int32_t lsrank, tag;
    uint64_t cid;
    uint64_t rest; /* what stands in all fields that the packet's type does not use */
    unsigned char data[AGENT_DATA_MAX];
};

/* agent_begin - makes the link, and MPI with these values.
 * agent_end - lets MPI_Finalize come to its end. */
void agent_begin(uint32_t datalen, uint32_t ackmark, uint32_t hiwater);
void agent_end(void);

/* agent_send - sends a packet, data included if its type has any.
 * agent_send_octets - octets as they are. */
void agent_send(const struct agent_packet *packet);
void agent_send_octets(const void *octets, size_t len);

/* agent_octets - the packet as octets, returned in a static buffer; their number. */
size_t agent_octets(const struct agent_packet *packet, const unsigned char **octets);

/* agent_read - the next packet from the process; type 99 when none came within a minute. */
struct agent_packet agent_read(void);

/* agent_waiting - whether the process has sent something that was not read. Does not wait for it. */
bool agent_waiting(void);

/* agent_nothing - whether the process has sent nothing that was not read: asks rank 2's channel for an answer, which
 * must be the next packet. */
bool agent_nothing(void);

/* agent_settled - returns when the library's thread has dealt with all that was sent to it. The same as
 * agent_nothing, for those who expect that it is. */
void agent_settled(void);

/* agent_data - a DATA packet from a rank on cid 0 with `len` octets, pk_msglen the same; octet i is i. */
struct agent_packet agent_data(int src, int tag, uint32_t len);

/* agent_answer - a packet without data from a rank, about this pk_srqid; its unused fields hold ones. */
struct agent_packet agent_answer(uint32_t type, int src, uint64_t srqid);

#endif
