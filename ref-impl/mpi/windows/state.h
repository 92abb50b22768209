/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication over Portals, for the files of this folder. Two portals hold the windows of a process, as
 * figure 11 of the paper has them, so that puts and gets are served by the network alone:
 *
 *      LOCAL_PUTS   [ window ] --> [ window ] --> ... --> [ end ]     each the whole window, writable
 *      LOCAL_GETS   [ window ] --> [ window ] --> ... --> [ end ]     each the whole window, readable
 *
 * What must be computed at the target is done by a thread there, or by the program while it waits in MPI (attend.h).
 * Each process has WINDOW_SLOTS slots in the memory of each other one, and writes what it asks for into a free slot of
 * its own, several questions if they wait; the answer frees that:
 *
 *      LOCAL_ASKS      [ slots of rank 0 | slots of rank 1 | ... ]    one region, the sender says where
 *      LOCAL_ANSWERS   [ slots of rank 0 | slots of rank 1 | ... ]    what is fetched; match bits say which slot,
 *                                                                   and WINDOW_SLOTS more that it is refused
 *
 * Match bits of a window:
 *
 *       63                      32 31                              0
 *      +--------------------------+---------------------------------+
 *      |  slot of the context     |           WINDOW_TAG            |
 *      +--------------------------+---------------------------------+
 */
#ifndef REF_IMPL_MPI_WINDOWS_STATE_H
#define REF_IMPL_MPI_WINDOWS_STATE_H

#include <portals.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    WINDOW_SLOTS = 4,           /* messages with questions of one process to another at a time */
    WINDOW_SLOT_OCTETS = 32768, /* of questions in one, and of their answers */
    WINDOW_PIECES_MAX = 4096,   /* messages under way at a time */
};

//= PUMA-113
#define WINDOW_TAG ((ptl_match_bits_t)0x524d4101)

enum window_wish {
    WINDOW_ACCUMULATE,
    WINDOW_SWAP, /* operands: what is expected, and what is put in its place where it is there */
    WINDOW_LOCK_SHARED,
    WINDOW_LOCK_EXCLUSIVE,
    WINDOW_UNLOCK,
};

/* A question to the thread at a target, in a slot, with the operands behind it; the next one begins where its alignment
 * lets it. */
struct window_ask {
    uint64_t offset;  /* where in the window, in octets */
    uint32_t window;  /* slot of its context */
    uint32_t octets;  /* of operands */
    uint32_t wish;    /* enum window_wish */
    uint32_t op, row; /* collectives/op.h: op_row */
    uint32_t fetched; /* octets of the answer: what was there before */
    alignas(max_align_t) unsigned char operands[];
};

enum { WINDOW_OPERAND_OCTETS = WINDOW_SLOT_OCTETS - (int)sizeof(struct window_ask) };

/* window_ask_octets - what a question with so many octets of operands takes in a slot. */
static inline size_t window_ask_octets(size_t operands)
{
    return (sizeof(struct window_ask) + operands + alignof(max_align_t) - 1) / alignof(max_align_t) *
           alignof(max_align_t);
}

struct mpi_win;
struct window_transfer;

STAILQ_HEAD(window_pieces, window_piece);

/* A put, a get or a question; or a message that carries questions, to one process. */
struct window_piece {
    struct window_transfer *transfer; /* NULL: of a lock or an unlock, or a carrier */
    struct mpi_win *win;              /* NULL: a carrier */
    int rank;                         /* of the target */
    bool lent;                        /* moves octets of the program, and none that were copied */
    unsigned awaited;                 /* events of a message still to come */
    ptl_handle_md_t descriptor;       /* of a message */
    struct window_ask *ask;           /* a question, or NULL */
    void *result;                     /* where what is fetched goes */
    STAILQ_ENTRY(window_piece) link;  /* of a question: those that wait, or one message's */
    struct window_pieces carried;
    void *octets; /* of several questions that are carried, or NULL */
};

/* What is asked of the thread at a process. */
struct window_target {
    struct window_piece *asking[WINDOW_SLOTS]; /* carriers: what is in the slots; NULL: free */
    unsigned sent;                             /* how many those are */
    struct window_pieces waiting;              /* questions, oldest first */
    size_t waiting_octets;
};

LIST_HEAD(window_list, mpi_win);

/* All of it. `lock` guards `windows` and the locks of each; who has the turn takes events from `asked`; the rest is for
 * the thread that calls MPI. */
struct windows_device {
    bool is_open;
    int self, size; /* in the client */
    ptl_handle_eq_t done, asked;
    ptl_handle_me_t put_end, get_end;
    ptl_handle_md_t nothing;
    unsigned char *slots, *answers; /* [size][WINDOW_SLOTS][WINDOW_SLOT_OCTETS] */
    pthread_t thread;
    pthread_mutex_t lock;
    struct window_list windows;
    struct window_target *target; /* [size] */
    unsigned under_way;
    struct window_pieces spare; /* those that are done, for the next ones */
};

extern struct windows_device windows_device;

/* windows_device_open - makes the portals and starts the thread, once; false: memory or threads are used up.
 * windows_device_close - takes all away, if there is any; no other process puts or gets any more. */
bool windows_device_open(void);
void windows_device_close(void);

/* window_slot_offset - where a slot of a process begins, in `slots` and in `answers`. */
static inline ptl_size_t window_slot_offset(int rid, unsigned slot)
{
    return ((ptl_size_t)rid * WINDOW_SLOTS + slot) * WINDOW_SLOT_OCTETS;
}

/* window_bits - the match bits of a window. */
static inline ptl_match_bits_t window_bits(uint32_t slot)
{
    return (ptl_match_bits_t)slot << 32 | WINDOW_TAG;
}

#endif
