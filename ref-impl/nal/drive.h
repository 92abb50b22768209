/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How this library waits: who drives a network, and how long one looks before one sleeps.
 *
 * A network has something to do when octets have come, or when a thread of the process asks for something. Somebody
 * must notice. The progress thread always can, so that messages arrive while the program computes (P30-008, application
 * bypass). But it has to be woken, and then has to wake the thread that waits for the message: each costs ten times
 * what the message itself takes. So the thread that waits does the work itself:
 *
 *   The turn. Whoever does the network's work has the turn, one thread at a time. A caller takes it when it polls or
 *   waits, and gives it back when it has what it came for. The progress thread takes it when no caller has it.
 *
 *   Claiming. Who has the turn may sleep with it for long, such as a thread that waits for what hardly ever comes.
 *   Whoever comes later to wait claims the turn: wakes that one, which gives it up and sleeps outside until it is told
 *   that what it waits for has come. So a message is taken by a thread that is awake, where there is one.
 *
 *   Standing aside. When the progress thread sees that callers drive, it sleeps a moment without anybody having to wake
 *   it, DRIVE_ASIDE_LEAST_US at first and up to DRIVE_ASIDE_MOST_US, and looks again. If no caller has had the turn
 *   meanwhile, it takes over: so long, at most, can a message lie when a program turns from waiting to computing. When
 *   the caller that has the turn is itself asleep, and was at the last look, the thread sleeps until that one gives the
 *   turn back.
 *
 *      SERVING: asleep until the network has something <--- no caller since the last look --- ASIDE: a timed sleep
 *           |                                                                               ^    |
 *           +-------------------------- callers drive --------------------------------------+    | the caller sleeps
 *                                                         ^                                      v
 *                                                         +---------- turn given back ------- DORMANT
 *
 *   Sending. A caller that sends many messages and looks for nothing counts too, where the network holds them back to
 *   send several at once (tcp/queue.c): the thread then looks every DRIVE_ASIDE_LEAST_US.
 *
 *   Relying. Who waits and does not get the turn sleeps, and relies on the one who has it. The progress thread does not
 *   stand aside from what such a one waits for, and the caller who gives the turn back wakes it for that.
 *
 *   Spinning. To sleep and be woken takes 10 to 50 us, an answer from a process that runs takes 1 to 10. Hence
 *   whoever waits looks again and again for a while, at first without a pause, and then sleeps. How long is learned:
 *   four times as long as it took to find something, where something was found while looking; else half as long as
 *   before, since looking takes away the processor that the peer may need to answer. One wait in some looks longer,
 *   to find out whether that has changed. Where the processes of the job are more than the processors, the processor
 *   is yielded between two looks. And where a processor was gone for longer than a sleep takes, the machine is busy
 *   with other things: then the next waits sleep at once.
 *
 * ASSAY_WAIT=spin never sleeps, ASSAY_WAIT=sleep never looks twice, ASSAY_WAIT=adaptive, or nothing, is the above.
 *
 * A caller takes the turn from above the network (nal.h). The link from an MPI program to its host agent is driven so,
 * too (mpi/wide/link.c).
 */
#ifndef REF_IMPL_NAL_DRIVE_H
#define REF_IMPL_NAL_DRIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DRIVE_ASIDE_LEAST_US = 50,
    DRIVE_ASIDE_MOST_US = 1000,
    DRIVE_SPIN_LEAST_US = 2,
    DRIVE_SPIN_MOST_US = 100, /* more than a sleep costs would be wasted */
};

/* struct drive_spin is what one waiting place has learned. One thread at a time uses it. */
struct drive_spin {
    bool crowded;       /* more processes than processors */
    uint32_t budget_us; /* how long to look */
    uint32_t penalty;   /* so many waits sleep at once */
    uint32_t punished;  /* how many will, the next time */
    uint32_t waits;     /* there have been */
    uint32_t looks;     /* of this wait */
    uint64_t begun_ns;  /* when the clock was first read in this wait; 0: not yet */
    uint64_t looked_ns; /* when it was last read */
};

/* drive_spin_init - nothing learned; `processes` of the job are on this node.
 * drive_spin_begin - a wait begins.
 * drive_spin_again - whether to look once more; false: sleep now. Gives the processor away between looks where that is
 * right.
 * drive_spin_end - it is over; `found` while looking: not after sleeping. */
void drive_spin_init(struct drive_spin *spin, uint32_t processes);
void drive_spin_begin(struct drive_spin *spin);
bool drive_spin_again(struct drive_spin *spin);
void drive_spin_end(struct drive_spin *spin, bool found);
/* drive_spin_may_sleep - whether sleeping is allowed at all; where it is not, the wait ends without anything found. */
bool drive_spin_may_sleep(void);

/* struct drive is who drives a network. */
struct drive {
    _Atomic uint32_t turn;  /* whose it is */
    _Atomic uint32_t taken; /* how often callers have taken it, or looked */
    _Atomic uint32_t sent;  /* how often callers have sent, where that counts (drive_send) */
    _Atomic bool asleep;    /* the caller that has the turn sleeps */
    _Atomic bool claimed;   /* a caller claims the turn: nobody else takes it */
    _Atomic bool relied;    /* a caller has gone to sleep without the turn, since the progress thread last asked */
    _Atomic uint32_t rest;  /* how the progress thread sleeps while callers drive */
    _Atomic bool soon;      /* it stands aside, or does what it woke up for in between */
    struct drive_spin spin; /* of whoever has the turn */

    /* The progress thread's own. */
    uint32_t seen;      /* of `taken` */
    uint32_t sent_seen; /* of `sent` */
    uint32_t aside_us;  /* how long to stand aside next */
    bool still;         /* `taken` was the same at the last two looks */
};

/* drive_init - nobody has the turn; `processes` of the job are on this node. */
void drive_init(struct drive *drive, uint32_t processes);

/* drive_take - takes the turn for a caller; false: it is another one's. Where the progress thread has it, waits a
 * moment for it to end what it is doing.
 * drive_give - gives it back. No lock is needed for either, any may be held.
 * drive_look - a caller looks whether there is anything to do, without the turn: it drives all the same.
 * drive_send - a caller sends, and may do so again before it looks: where the progress thread stands aside it goes on
 * to, but looks every DRIVE_ASIDE_LEAST_US.
 * drive_sleeps - says that the caller goes to sleep, or has woken. */
bool drive_take(struct drive *drive);
void drive_give(struct drive *drive);
void drive_look(struct drive *drive);
void drive_send(struct drive *drive);
void drive_sleeps(struct drive *drive, bool asleep);

/* drive_rely - a caller that has not got the turn is about to sleep until it is told. */
void drive_rely(struct drive *drive);

/* drive_claim_begin - claims the turn of a caller that sleeps, or never will; false: there is none, or another claims
 * it. The caller then wakes the one who has the turn.
 * drive_claim_end - waits until that one has given the turn, for a bounded number of looks; false: it has not. No lock
 * may be held that whoever drives takes. */
bool drive_claim_begin(struct drive *drive);
bool drive_claim_end(struct drive *drive);

/* drive_looks_soon - whether somebody looks at what is to be done within a moment, without having to be woken. Once the
 * progress thread does not any more, it looks at what others have left to it before it sleeps. */
bool drive_looks_soon(struct drive *drive);

/* drive_thread_take, drive_thread_give - the same for the progress thread.
 * drive_thread_spared - whether callers have driven, or sent, since it last asked, and none has come to rely on it.
 * drive_thread_aside - sleeps as long as they do so, or a moment. */
bool drive_thread_take(struct drive *drive);
void drive_thread_give(struct drive *drive);
bool drive_thread_spared(struct drive *drive);
void drive_thread_aside(struct drive *drive);

#endif
