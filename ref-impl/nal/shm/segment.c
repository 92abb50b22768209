/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Making, finding and leaving the shared memory; see segment.h.
 *
 * Names. /assay-shm-NAMESPACE-NID-PID: the process listens at that port of that node in that network namespace, so
 * nobody else alive has the name. The owner holds a lock (flock) on the object as long as it has it; an object that
 * nobody locks was left by a process that was killed, and whoever comes next removes it.
 *
 * Life. The owner's thread holds a robust mutex in the inbox; when it dies, in whatever way, the kernel marks that.
 */
#include "ref-impl/nal/shm/segment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHM_PLACE  "/dev/shm"
#define SHM_PREFIX "assay-shm-"
#define SHM_MAGIC  "ASSAYSH2"

enum { PAGE = 64 * 1024 /* the largest that any system has */, MAKE_TRIES = 16 };

static size_t pages(size_t octets)
{
    return (octets + PAGE - 1) / PAGE * PAGE;
}

/* Octets of the head of an inbox, and of the rings of one rank in it. */
static size_t head_octets(void)
{
    return pages(sizeof(struct shm_inbox));
}

static size_t rank_octets(void)
{
    return pages(SHM_INTERFACES * sizeof(struct shm_ring));
}

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (; *text; text++) {
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3U;
    }
    return hash;
}

static void name_of(uint32_t nid, uint32_t pid, char *name, size_t cap)
{
    struct stat space = {.st_ino = 0};

    (void)stat("/proc/self/ns/net", &space);
    snprintf(name, cap, "/" SHM_PREFIX "%llx-%08x-%u", (unsigned long long)space.st_ino, (unsigned)nid, (unsigned)pid);
}

/* Locks an object whatever signals come; with LOCK_NB in `how`, only where nobody else has it. */
static bool object_lock(int fd, int how)
{
    int status = 0;

    do {
        status = flock(fd, how);
    } while (status != 0 && errno == EINTR);
    return status == 0;
}

/* Whether a locked object still has its name: whoever locked it before may have taken that away, and the name may be
 * another one's by now. */
static bool object_named(int fd)
{
    struct stat state;

    return fstat(fd, &state) == 0 && state.st_nlink > 0;
}

/* Removes what killed processes have left. Names that are not ours to open are somebody else's business. */
static void left_overs_remove(void)
{
    DIR *place = opendir(SHM_PLACE);
    const struct dirent *entry;
    char name[sizeof entry->d_name + 1];

    while (place && (entry = readdir(place))) {
        if (strncmp(entry->d_name, SHM_PREFIX, sizeof SHM_PREFIX - 1) != 0) {
            continue;
        }
        snprintf(name, sizeof name, "/%s", entry->d_name);
        int fd = shm_open(name, O_RDWR | O_CLOEXEC, 0);
        if (fd >= 0 && object_lock(fd, LOCK_EX | LOCK_NB) && object_named(fd)) {
            (void)shm_unlink(name);
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    if (place) {
        closedir(place);
    }
}

/* Makes and locks a fresh object; -1 with errno. Between the two another process may take it for a left-over. */
static int object_make(const char *name)
{
    for (int tries = 0; tries < MAKE_TRIES; tries++) {
        int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);

        if (fd < 0) {
            return -1;
        }
        if (object_lock(fd, LOCK_EX) && object_named(fd)) {
            return fd;
        }
        close(fd);
    }
    errno = EBUSY;
    return -1;
}

/* Has the system set the memory of the head aside, whatever signals come; 0, or what errno would be. */
static int head_reserve(int fd)
{
    int error = 0;

    do {
        error = posix_fallocate(fd, 0, (off_t)head_octets());
    } while (error == EINTR);
    return error;
}

/* A mutex that stands in shared memory and outlives its owner. */
static int alive_init(pthread_mutex_t *alive)
{
    pthread_mutexattr_t how;

    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    int error = pthread_mutex_init(alive, &how);
    pthread_mutexattr_destroy(&how);
    return error;
}

static bool inbox_fill(struct shm_segment *segment, const char *secret)
{
    struct shm_inbox *inbox = segment->inbox;

    if (getrandom(&segment->probe, sizeof segment->probe, 0) != (ssize_t)sizeof segment->probe) {
        return false;
    }
    inbox->ring_octets = (uint32_t)sizeof(struct shm_ring);
    inbox->record_octets = (uint32_t)sizeof(struct wire_portals_header);
    inbox->secret = hash_of(secret);
    inbox->process = (int32_t)getpid();
    inbox->probe_address = (uint64_t)(uintptr_t)&segment->probe;
    inbox->probe_value = segment->probe;
    errno = alive_init(&inbox->alive);
    memcpy(inbox->magic, SHM_MAGIC, sizeof inbox->magic);
    return errno == 0;
}

bool shm_segment_make(struct shm_segment *segment, uint32_t nid, uint32_t pid, const char *secret)
{
    left_overs_remove();
    name_of(nid, pid, segment->name, sizeof segment->name);
    segment->inbox = MAP_FAILED;
    segment->fd = object_make(segment->name);
    if (segment->fd < 0) {
        return false;
    }
    segment->named = true;
    /* The head's memory must be there; that of the rings is set aside when they are used. */
    int error = head_reserve(segment->fd);
    if (error == 0 && ftruncate(segment->fd, (off_t)(head_octets() + SHM_RANKS * rank_octets())) != 0) {
        error = errno;
    }
    if (error == 0) {
        segment->inbox = mmap(NULL, head_octets(), PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd, 0);
        error = segment->inbox == MAP_FAILED || !inbox_fill(segment, secret) ? errno : 0;
    }
    if (error != 0) {
        shm_segment_release(segment);
        errno = error;
    }
    return error == 0;
}

bool shm_segment_map(struct shm_segment *segment, uint32_t size)
{
    size_t octets = size * rank_octets();
    void *rings =
        mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, segment->fd, (off_t)head_octets());

    if (rings == MAP_FAILED) {
        return false;
    }
    segment->rings = rings;
    segment->rings_octets = octets;
    return true;
}

void shm_segment_unname(struct shm_segment *segment)
{
    if (segment->named) {
        (void)shm_unlink(segment->name);
        segment->named = false;
    }
}

void shm_segment_release(struct shm_segment *segment)
{
    /* The last who found it has taken the name away; a new owner may have it since. */
    if (segment->inbox == MAP_FAILED || segment->fd < 0 || object_named(segment->fd)) {
        shm_segment_unname(segment);
    }
    if (segment->rings) {
        munmap(segment->rings, segment->rings_octets);
    }
    if (segment->inbox != MAP_FAILED) {
        munmap(segment->inbox, head_octets());
    }
    if (segment->fd >= 0) {
        close(segment->fd);
    }
}

struct shm_ring *shm_segment_ring(const struct shm_segment *segment, uint32_t rank, uint32_t interface)
{
    return shm_inbox_ring(segment->rings + rank * rank_octets(), interface);
}

struct shm_ring *shm_inbox_ring(unsigned char *rings, uint32_t interface)
{
    return (struct shm_ring *)(void *)rings + interface; /* rings of a rank begin on a page */
}

static bool reserve(const void *memory, size_t octets)
{
    uintptr_t begin = (uintptr_t)memory / 4096 * 4096;
    uintptr_t end = ((uintptr_t)memory + octets + 4095) / 4096 * 4096;

    /* Kernels before 5.14 cannot say; there it is as with any memory that the system has promised. */
    return madvise((void *)begin, end - begin, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
}

bool shm_ring_reserve(struct shm_ring *ring)
{
    return reserve(ring, offsetof(struct shm_ring, pour));
}

bool shm_pour_reserve(struct shm_ring *ring)
{
    return reserve(ring->pour, sizeof ring->pour);
}

bool shm_inbox_find(const struct wire_portals_id *owner, const struct shm_inbox *own, uint32_t rank, uint32_t others,
                    struct shm_inbox **inbox, unsigned char **rings)
{
    char name[64];
    struct stat state;

    name_of(owner->nid, owner->pid, name, sizeof name);
    int fd = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    *inbox = MAP_FAILED;
    *rings = MAP_FAILED;
    size_t octets = head_octets() + SHM_RANKS * rank_octets();
    if (fstat(fd, &state) == 0 && (uint64_t)state.st_size == octets) {
        *inbox = mmap(NULL, head_octets(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        *rings = mmap(NULL, rank_octets(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
                      (off_t)(head_octets() + rank * rank_octets()));
    }
    close(fd);
    if (*inbox == MAP_FAILED || *rings == MAP_FAILED || memcmp((*inbox)->magic, own->magic, sizeof own->magic) != 0 ||
        (*inbox)->ring_octets != own->ring_octets || (*inbox)->record_octets != own->record_octets ||
        (*inbox)->secret != own->secret) {
        shm_inbox_release(*inbox, *rings);
        return false;
    }
    if (atomic_fetch_add(&(*inbox)->found, 1) + 1 == others) {
        (void)shm_unlink(name);
    }
    return true;
}

void shm_inbox_release(struct shm_inbox *inbox, unsigned char *rings)
{
    if (inbox != MAP_FAILED) {
        munmap(inbox, head_octets());
    }
    if (rings != MAP_FAILED) {
        munmap(rings, rank_octets());
    }
}

bool shm_inbox_alive(struct shm_inbox *inbox)
{
    int status = pthread_mutex_trylock(&inbox->alive);

    if (status == 0 || status == EOWNERDEAD) {
        (void)pthread_mutex_unlock(&inbox->alive); /* of a dead owner: from now on nobody gets it */
    }
    return status == EBUSY;
}

bool shm_inbox_readable(const struct shm_inbox *inbox)
{
    uint64_t value = 0;
    struct iovec here = {&value, sizeof value};
    struct iovec there = {(void *)(uintptr_t)inbox->probe_address, sizeof value};

    return process_vm_readv(inbox->process, &here, 1, &there, 1, 0) == (ssize_t)sizeof value &&
           value == inbox->probe_value;
}
