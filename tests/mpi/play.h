/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A world that a test makes up, for the MPI library without its devices: who the processes are is said by the test, and
 * messages go nowhere. Each message that the library sends or wants is written down as a word: "s4" is one sent to rank
 * 4, "r2" one wanted from rank 2; what is wanted is there at once, with the octets that the test has laid ready.
 */
#ifndef TESTS_MPI_PLAY_H
#define TESTS_MPI_PLAY_H

#include <stddef.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"

/* play_open - opens the library as process `rank` of a world in which process i belongs to clients[i] and hosts[i];
 * both are strings of digits. Ends the test when that fails.
 * play_close - closes it. */
void play_open(int rank, const char *clients, const char *hosts);
void play_close(void);

/* play_maxlinear - so many masters are served linearly from now on; 4 at first. */
void play_maxlinear(int masters);

/* play_ready - lays octets ready for the next message that is wanted, after those laid before. */
void play_ready(const void *octets, size_t len);

/* play_early - the message that is wanted next has come when the library looks whether there is one. Otherwise it comes
 * when the library waits for it. */
void play_early(void);

/* play_words - the messages since the last call, as words with blanks between them. Good until the next message. */
const char *play_words(void);

/* play_sent - the octets of the last message sent, and how many.
 * play_first_length - the octets of the first one that had any.
 * play_context - the context id of the last message sent or wanted.
 * play_tag - its tag. */
const unsigned char *play_sent(size_t *len);
size_t play_first_length(void);
uint64_t play_context(void);
int play_tag(void);

#endif
