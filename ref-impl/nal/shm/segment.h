/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The shared memory itself: what is in it, how it is made and found, and how a process sees that another one is gone.
 *
 * Every process owns one inbox, a POSIX shared memory object. At its beginning stands `struct shm_inbox`, behind it one
 * ring for each rank and interface; only the process of that rank writes to those. Room is set aside by the system when
 * a ring is used for the first time, not before.
 *
 *    inbox of rank 1: | struct shm_inbox | rank 0, interface 0 | rank 0, interface 1 | ... | rank 1, interface 0 | ...
 *
 * Nothing stays behind. The name of an inbox goes as soon as all others have found it, so that the memory ends with the
 * last process that has it, however that process ends. Names that were left by processes killed before that are removed
 * by the next process that makes an inbox: a living owner holds a lock on its own (segment.c).
 *
 * Both sides are the same program code on one machine; this is checked when an inbox is found. So structures stand in
 * the memory as they are. Positions and lengths are checked all the same: they come from another process.
 */
#ifndef REF_IMPL_NAL_SHM_SEGMENT_H
#define REF_IMPL_NAL_SHM_SEGMENT_H

#include "wire/portals/messages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHM_INTERFACES = 4,          /* numbers of interfaces that have rings */
    SHM_RING_OCTETS = 64 * 1024, /* a power of two */
    SHM_RANKS = 65536,           /* the most that a job may have */
    SHM_PENDING_BITS = 64,       /* of one word */
    SHM_PENDING_WORDS = SHM_RANKS * SHM_INTERFACES / SHM_PENDING_BITS,
    SHM_LINE = 64,                              /* octets that processors exchange as one */
    SHM_RING_MOST = SHM_RING_OCTETS - SHM_LINE, /* octets that are in a ring at most */
    SHM_POUR_OCTETS = 64 * 1024,                /* of the place for pouring */
    SHM_CLAIMED = 3 * SHM_LINE, /* so many behind the last message are fetched before the next is written there */
};

/* struct shm_ring carries the messages of one process to one interface of another: octets, in order. Positions count
 * from the beginning of time and never wrap. Each group has one writer. */
struct shm_ring {
    /* The sender. */
    _Alignas(SHM_LINE) _Atomic uint64_t written; /* octets written */
    _Atomic uint64_t withdrawn;                  /* lent payloads up to this number are not valid any more */
    _Alignas(SHM_LINE) _Atomic uint64_t poured;  /* octets of a lent payload that it has poured (pour.h) */
    _Atomic uint64_t poured_of;                  /* the number of that payload */
    /* Both: set by the one, taken back by the other. */
    _Alignas(SHM_LINE) _Atomic uint64_t cut; /* where the sender gave up a message; nothing is written until it is 0 */
    _Atomic uint32_t starved;                /* the sender waits for room, or for its payloads to be fetched */
    /* The receiver, now and then. */
    _Atomic uint32_t watched; /* it looks at `written` itself: nobody needs to set the bit (watch.c) */
    _Atomic uint32_t fetches; /* it can read the sender's memory: payload may be lent */
    /* The receiver, all the time. */
    _Alignas(SHM_LINE) _Atomic uint64_t read;    /* octets read */
    _Atomic uint64_t fetched;                    /* lent payloads that it is through with */
    _Atomic uint32_t within;                     /* what it reads next is no beginning of a message */
    _Alignas(SHM_LINE) _Atomic uint64_t drained; /* octets that it has taken of what was poured */
    _Atomic uint64_t asked;                      /* the number of the lent payload that it wants to be poured */
    _Alignas(SHM_LINE) unsigned char octets[SHM_RING_OCTETS];
    _Alignas(SHM_LINE) unsigned char pour[SHM_POUR_OCTETS];
};

/* struct shm_inbox is the head of what a process owns. */
struct shm_inbox {
    char magic[8];
    uint32_t ring_octets, record_octets; /* another build has other sizes */
    uint64_t secret;                     /* a hash of what the job has in common */
    int32_t process;                     /* the owner, as the operating system calls it */
    uint64_t probe_address, probe_value; /* whoever finds the value there, in the owner's memory, can read it */
    pthread_mutex_t alive;               /* held by the owner's thread as long as it lives */
    _Atomic uint32_t found;              /* how many others have it */
    /* Both: whoever has written to a ring that is not watched sets its bit, then rings. */
    _Alignas(SHM_LINE) _Atomic uint32_t bell; /* how often it has rung, and how many threads sleep since */
    _Alignas(SHM_LINE) _Atomic uint64_t pending[SHM_PENDING_WORDS];
};

/* struct shm_segment is this process's own inbox. */
struct shm_segment {
    int fd;
    bool named;
    char name[64];
    struct shm_inbox *inbox;
    unsigned char *rings; /* of all ranks, once they are mapped */
    size_t rings_octets;
    uint64_t probe; /* what probe_address names */
};

/* shm_segment_make - makes the inbox of a process; false with errno.
 * shm_segment_map - maps the rings of `size` ranks; false without memory.
 * shm_segment_unname - takes the name away.
 * shm_segment_release - frees all. */
bool shm_segment_make(struct shm_segment *segment, uint32_t nid, uint32_t pid, const char *secret);
bool shm_segment_map(struct shm_segment *segment, uint32_t size);
void shm_segment_unname(struct shm_segment *segment);
void shm_segment_release(struct shm_segment *segment);
/* shm_segment_ring - the ring in which `rank` writes to that interface. */
struct shm_ring *shm_segment_ring(const struct shm_segment *segment, uint32_t rank, uint32_t interface);
/* shm_ring_reserve - has the system set the memory of a ring aside, which a later write could only die of. False when
 * there is none left.
 * shm_pour_reserve - the same of the memory for pouring. */
bool shm_ring_reserve(struct shm_ring *ring);
bool shm_pour_reserve(struct shm_ring *ring);

/* shm_inbox_find - maps the inbox of another process, and the rings in it that `rank` writes, SHM_INTERFACES of them.
 * `others` is how many processes will find it: the last one takes its name away. False when there is none, or one of
 * another build or job.
 * shm_inbox_release - unmaps both. */
bool shm_inbox_find(const struct wire_portals_id *owner, const struct shm_inbox *own, uint32_t rank, uint32_t others,
                    struct shm_inbox **inbox, unsigned char **rings);
void shm_inbox_release(struct shm_inbox *inbox, unsigned char *rings);
/* shm_inbox_ring - the ring of that interface among those that shm_inbox_find mapped. */
struct shm_ring *shm_inbox_ring(unsigned char *rings, uint32_t interface);
/* shm_inbox_alive - whether the owner lives and has not left. Does not block. */
bool shm_inbox_alive(struct shm_inbox *inbox);
/* shm_inbox_readable - whether this process may read its owner's memory. */
bool shm_inbox_readable(const struct shm_inbox *inbox);

/* shm_bell_mark - sets the bit of a ring and rings.
 * shm_bell_ring - wakes the owner of the inbox where it sleeps.
 * shm_bell_sleep - the owner sleeps until it rings, at most `timeout_ms` (-1: for ever); returns at once where a bit of
 * the first `words` is set, or any of *wanted, which whoever sets it does before ringing, or where a ring is *watched.
 * shm_bell_sleepers - whether anybody sleeps, or is about to. */
void shm_bell_mark(struct shm_inbox *inbox, uint32_t rank, uint32_t interface);
void shm_bell_ring(struct shm_inbox *inbox);
void shm_bell_sleep(struct shm_inbox *inbox, _Atomic uint32_t *wanted, _Atomic bool *watched, uint32_t words,
                    int timeout_ms);
bool shm_bell_sleepers(struct shm_inbox *inbox);
/* shm_bell_pending - whether any bit of the first `words` is set. */
bool shm_bell_pending(struct shm_inbox *inbox, uint32_t words);

#endif
