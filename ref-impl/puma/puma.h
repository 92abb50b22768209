/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The four kinds of memory descriptors of Puma, made of Portals 3.0. Chapter 1.2 of the paper on MPI for Puma.
 *
 *      list:   [ entry ] --> [ entry ] --> ... --> [ end ]
 *                  |             |
 *              descriptor    descriptor       single, dynamic, independent or combined block
 *
 * A message goes to the first entry that it matches and whose descriptor takes it; where bits or sender differ, no
 * buffer is free, or the free one is too small, it goes on to the next entry, and where there is none it is dropped.
 *
 * Functions that make something give NULL when memory or a limit of Portals is used up, or when the kind has no such
 * option. What they are given as buffers stays the caller's, and must stay until puma_drop. One thread at a time calls.
 */
#ifndef REF_IMPL_PUMA_PUMA_H
#define REF_IMPL_PUMA_PUMA_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>

struct puma_list;
struct puma_descriptor;

/* What is kept of a message. PUMA_MARKED, of overlays alone: the header, and in place of Puma's user data the offset
 * that the sender gave, less than PUMA_MARKS. The body goes to memory that nobody reads, as far as there is some behind
 * that offset: a large mark costs less. */
enum puma_save { PUMA_BOTH, PUMA_HEADER, PUMA_BODY, PUMA_MARKED };

enum { PUMA_MARKS = 1 << 16 };

/* Who decides where in a block a message goes. */
enum puma_offset { PUMA_RECEIVER, PUMA_SENDER };

/* What others may do with the memory. */
enum puma_access { PUMA_WRITE, PUMA_READ };

struct puma_options {
    enum puma_save save;
    enum puma_offset offset;
    enum puma_access access;
    bool acknowledge; /* whoever asks for it */
    bool circular;    /* buffers are used again when they are released */
    bool closed;      /* takes nothing before puma_open; of a descriptor of one buffer */
    bool cuts;        /* of a message that is too long keeps what there is room for */
    unsigned headers; /* room for so many that nobody has taken yet; 0: 64 */
};

struct puma_buffer {
    void *start;
    size_t len;
};

/* Which messages an entry takes. */
struct puma_match {
    ptl_process_id_t from; /* may have PTL_ID_ANY */
    ptl_match_bits_t bits, ignored;
};

/* A message that has come, or been answered, as its header tells. */
struct puma_message {
    ptl_process_id_t initiator;
    ptl_match_bits_t bits;
    size_t sent; /* octets of the message */
    size_t kept; /* of them in memory */
    void *octets;
    size_t offset; /* in its buffer */
    void *place;   /* for puma_release */
};

/* puma_list_new - the list of a portal, empty, in the place of what was there.
 * puma_list_free - takes a list away; its descriptors must be gone. */
struct puma_list *puma_list_new(ptl_handle_ni_t interface, ptl_pt_index_t portal);
void puma_list_free(struct puma_list *list);

/* puma_in_front - entries made from now on go in front of those of a descriptor, one behind the other; NULL: to the end
 * of the list again. So receives that are posted later come before what takes messages that nobody has asked for. */
void puma_in_front(struct puma_list *list, const struct puma_descriptor *descriptor);

/* puma_any - matches all messages: a portal without match list is a list of one such entry. */
struct puma_match puma_any(void);

/* puma_single - one block; a message goes anywhere in it. In Portals 3.0: a descriptor without bound; its own offset or
 * PTL_MD_MANAGE_REMOTE; a header alone by length 0 and PTL_MD_TRUNCATE, a body alone by no event queue.
 *
 * puma_dynamic - a heap: a message takes space in it and joins a queue, until it is released. In Portals 3.0: four
 * segments with an offset of their own, one entry behind the other; a message that a segment has no room for goes on to
 * the next. The largest message is a fourth of the heap. Not PUMA_BODY, PUMA_SENDER or PUMA_READ.
 *
 * puma_independent - a table of buffers, the next free one for each message, which must be large enough; linear, or
 * circular. In Portals 3.0: a list of descriptors with threshold 1. Not PUMA_BODY or PUMA_SENDER.
 *
 * puma_combined - a table of buffers that one message fills one after the other. Nothing in Portals 3.0 does so: the
 * message comes to memory of the library's and is copied when puma_next takes it; what can be read is what was in the
 * buffers when the descriptor was made, or in the last puma_refresh. Not PUMA_HEADER or PUMA_BODY. */
struct puma_descriptor *puma_single(struct puma_list *list, const struct puma_match *match, struct puma_buffer block,
                                    const struct puma_options *options);
struct puma_descriptor *puma_dynamic(struct puma_list *list, const struct puma_match *match, struct puma_buffer heap,
                                     const struct puma_options *options);
struct puma_descriptor *puma_independent(struct puma_list *list, const struct puma_match *match,
                                         const struct puma_buffer *buffers, unsigned count,
                                         const struct puma_options *options);
struct puma_descriptor *puma_combined(struct puma_list *list, const struct puma_match *match,
                                      const struct puma_buffer *buffers, unsigned count,
                                      const struct puma_options *options);

/* puma_overlay - another entry, here at the end of the list, over a descriptor: its messages join the same queue, so
 * that puma_next of the one below gives all in the order in which they came. With PUMA_HEADER or PUMA_MARKED over any
 * kind; with PUMA_BOTH over a single block with PUMA_SENDER, of which it shares the memory. NULL for what Portals 3.0
 * has not. */
struct puma_descriptor *puma_overlay(struct puma_list *list, const struct puma_match *match,
                                     struct puma_descriptor *below, enum puma_save save);

/* puma_drop - takes a descriptor and its entries away; overlays first. */
void puma_drop(struct puma_descriptor *descriptor);

/* puma_open - opens a closed descriptor in one step with the finding that nothing has come, or is just coming, to
 * `heap`. False: something has, and it stays closed; take that first, and try again. */
bool puma_open(struct puma_descriptor *descriptor, const struct puma_descriptor *heap);

/* puma_close - closes a descriptor of one buffer. False: a message has come to it, or is just coming. */
bool puma_close(struct puma_descriptor *descriptor);

/* puma_next - takes the oldest message out of the queue; false: there is none.
 * puma_release - the space of a message may be used again; an independent block must be circular for that.
 * puma_is_empty - whether all space of a heap is free again, but for what puma_next has not taken yet.
 * puma_written - octets that have come to a descriptor, of messages that puma_next has taken.
 * puma_refresh - what can be read of a combined block is what is in its buffers now. */
bool puma_next(struct puma_descriptor *descriptor, struct puma_message *message);
void puma_release(struct puma_descriptor *descriptor, const struct puma_message *message);
bool puma_is_empty(struct puma_descriptor *descriptor);
size_t puma_written(const struct puma_descriptor *descriptor);
void puma_refresh(struct puma_descriptor *descriptor);

/* Where a message goes. */
struct puma_target {
    ptl_process_id_t process;
    ptl_pt_index_t portal;
    ptl_match_bits_t bits;
    size_t offset;
};

/* What became of a message on its way out. */
struct puma_sending {
    ptl_handle_md_t descriptor;
    ptl_handle_eq_t events;
    bool wants_answer;
    bool left, answered; /* its memory may be used again; it was acknowledged, or what it asked for is here */
    size_t kept;         /* octets, as the answer says: 0 of a message of which only the header was kept */
};

/* puma_send - sends a block; `acknowledge`: and wants to hear of it.
 * puma_read - asks for so many octets of a block that can be read, which come to `into`.
 * puma_heard - looks at what has become of it; `wait`: blocks until all has that will: the message has left, and, if
 * that was asked for, the answer is here. True when it has.
 * puma_sent - frees what it takes, answered or not. */
bool puma_send(const struct puma_list *list, struct puma_buffer block, const struct puma_target *target,
               bool acknowledge, struct puma_sending *sending);
bool puma_read(const struct puma_list *list, struct puma_buffer into, const struct puma_target *target,
               struct puma_sending *sending);
bool puma_heard(struct puma_sending *sending, bool wait);
void puma_sent(struct puma_sending *sending);

#endif
