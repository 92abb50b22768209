/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages from process to process, as the rest of the library sends them: what MPI_Send, MPI_Irecv and the collective
 * operations have in common. Arguments are good when they come here: the callers check what users give.
 *
 * A message is sent in a communicator under one of its two contexts. The point-to-point context is the users', the
 * collective one (IMPI 4.3) is the library's, so that neither ever takes a message of the other.
 *
 * One thread calls at a time. "Blocks" means: until the message is sent or received, as the standard's blocking calls
 * do. All functions give error classes: MPI_SUCCESS, MPI_ERR_TRUNCATE, MPI_ERR_TYPE (a value that external32 cannot
 * hold), MPI_ERR_BUFFER (no room in the attached buffer), MPI_ERR_OTHER (no memory). They raise nothing: callers do.
 */
#ifndef REF_IMPL_MPI_MESSAGES_P2P_H
#define REF_IMPL_MPI_MESSAGES_P2P_H

#include <mpi.h>
#include <stdbool.h>

#include "ref-impl/mpi/messages/message.h"

struct mpi_comm;
struct request;

/* p2p_send sends; blocks until the buffer may be used again, in P2P_SYNCHRONOUS until it is being received. */
int p2p_send(const struct p2p_message *message, enum p2p_mode mode);

/* p2p_receive receives; blocks. `status` may be NULL; it is written also with MPI_ERR_TRUNCATE. */
int p2p_receive(const struct p2p_message *message, MPI_Status *status);

/* p2p_exchange sends one message and receives another, in whatever order they go; blocks. `status` may be NULL. */
int p2p_exchange(const struct p2p_message *out, const struct p2p_message *in, MPI_Status *status);

/* p2p_start_send and p2p_start_receive begin the same, never wait for a call of another process, and store a request,
 * which p2p_wait frees. */
int p2p_start_send(const struct p2p_message *message, enum p2p_mode mode, struct request **request);
int p2p_start_receive(const struct p2p_message *message, struct request **request);

/* p2p_wait blocks until the request is done, frees it, and gives its error. `status` may be NULL. */
int p2p_wait(struct request *request, MPI_Status *status);

/* p2p_probe looks for a message that a receive with these arguments would take, and says in `status` what it is;
 * `wait`: blocks until there is one. True when there is. Buffer, count and type are not looked at. */
bool p2p_probe(const struct p2p_message *message, bool wait, MPI_Status *status);

/* p2p_progress lets messages go on, and the fibers; never waits for another process. */
void p2p_progress(void);

/* p2p_await_turn blocks until the nonblocking operations on this communicator are through: before the first message of
 * a blocking one under its collective context. In one of the former it does nothing. */
void p2p_await_turn(const struct mpi_comm *comm);

/* p2p_open begins to take messages from other processes, once the world is open; p2p_close ends it, after the barrier
 * of MPI_Finalize: what nobody has received is thrown away, and the way to other clients is closed in the document's
 * order (IMPI 2.4). Both block. False, and a line on stderr, when it cannot. */
bool p2p_open(void);
void p2p_close(void);

#endif
