/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The time of the network; see netclock.h. Nobody is woken up when time passes: who waits for a time looks again every
 * millisecond. A process that ends without a word, or a frame that the machine has thrown away, would stop time: the
 * switch looks for such when nothing has moved for a while.
 */
#include "ref-impl/nal/intercept/netclock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    SLOTS = 1024,
    BEGIN_NS = 1000000000, /* no time is 0 */
    TICK_MS = 1,           /* of who waits for a time */
    GLANCE_NS = 20000,     /* of the switch, while somebody works */
    STUCK_NS = 50000000,   /* nothing has moved for so long: somebody may be dead */
    STUCK_TIMES = 40,      /* so often: a frame has been thrown away */
    SECOND_NS = 1000000000,
};

/* The switch, NETCLOCK_SWITCH, or a process. */
struct slot {
    _Atomic int32_t pid; /* 0: free */
    _Atomic uint32_t iuca;
    _Atomic uint64_t until_ns; /* for which it waits; 0: it works */
    _Atomic int64_t frames;    /* for it, in its sockets or being worked at */
};

struct page {
    _Atomic uint64_t now_ns;
    struct slot slots[SLOTS];
};

static const char time_name[] = "ASSAY_INTERCEPT_TIME";
static const char clock_name[] = "ASSAY_INTERCEPT_CLOCK";

/* This process's. */
static struct page *page;
static struct slot *own;
static int page_fd = -1;

static uint64_t machine_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

bool netclock_is_virtual(void)
{
    return page != NULL;
}

uint64_t netclock_now_ns(void)
{
    return page ? atomic_load(&page->now_ns) : machine_ns();
}

int netclock_find(uint16_t iuca)
{
    for (int i = NETCLOCK_SWITCH + 1; page && i < SLOTS; i++) {
        if (atomic_load(&page->slots[i].pid) != 0 && atomic_load(&page->slots[i].iuca) == iuca) {
            return i;
        }
    }
    return NETCLOCK_NOBODY;
}

/* Behind a count that was put right a late frame may be taken: never fewer than none. */
static void frame_less(struct slot *slot)
{
    if (atomic_fetch_sub(&slot->frames, 1) <= 0) {
        atomic_fetch_add(&slot->frames, 1);
    }
}

void netclock_frame_leaves(int receiver)
{
    if (page && receiver != NETCLOCK_NOBODY) {
        atomic_fetch_add(&page->slots[receiver].frames, 1);
    }
}

void netclock_frame_is_lost(int receiver)
{
    if (page && receiver != NETCLOCK_NOBODY) {
        frame_less(&page->slots[receiver]);
    }
}

void netclock_frame_is_taken(void)
{
    if (own) {
        frame_less(own);
    }
}

/* ---- beginning and end ---- */

static bool page_map(int fd)
{
    void *memory = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    page = memory == MAP_FAILED ? NULL : memory;
    return page;
}

static void page_unmap(void)
{
    if (page) {
        munmap(page, sizeof *page);
    }
    page = NULL;
    own = NULL;
}

bool netclock_host(void)
{
    const char *text = getenv(time_name);
    char place[64];

    unsetenv(clock_name);
    if (!text || !*text || strcmp(text, "live") == 0) {
        return true;
    }
    if (strcmp(text, "virtual") != 0) {
        fprintf(stderr, "portals: ASSAY_INTERCEPT_TIME=%s is neither live nor virtual\n", text);
        return false;
    }
    page_fd = memfd_create("intercept-clock", MFD_CLOEXEC);
    snprintf(place, sizeof place, "/proc/%ld/fd/%d", (long)getpid(), page_fd);
    if (page_fd < 0 || ftruncate(page_fd, sizeof *page) != 0 || !page_map(page_fd) ||
        setenv(clock_name, place, 1) != 0) {
        fprintf(stderr, "portals: cannot make the clock of the network intercept: %s\n", strerror(errno));
        netclock_unhost();
        return false;
    }
    own = &page->slots[NETCLOCK_SWITCH];
    atomic_store(&own->pid, (int32_t)getpid());
    atomic_store(&page->now_ns, BEGIN_NS);
    return true;
}

void netclock_unhost(void)
{
    page_unmap();
    if (page_fd >= 0) {
        close(page_fd);
    }
    page_fd = -1;
}

static void slot_free(struct slot *slot)
{
    atomic_store(&slot->until_ns, 0);
    atomic_store(&slot->frames, 0);
    atomic_store(&slot->pid, 0);
}

static struct slot *slot_take(void)
{
    for (int i = NETCLOCK_SWITCH + 1; i < SLOTS; i++) {
        int32_t is_free = 0;

        if (atomic_compare_exchange_strong(&page->slots[i].pid, &is_free, (int32_t)getpid())) {
            return &page->slots[i];
        }
    }
    return NULL;
}

bool netclock_attach(uint16_t iuca)
{
    const char *place = getenv(clock_name);
    int fd;

    if (!place) {
        return true;
    }
    fd = open(place, O_RDWR | O_CLOEXEC);
    if (fd < 0 || !page_map(fd)) {
        fprintf(stderr, "portals: cannot share the clock of the network intercept at %s: %s\n", place, strerror(errno));
    } else if (!(own = slot_take())) {
        fprintf(stderr, "portals: the clock of the network intercept has room for %d processes\n", (int)SLOTS);
        page_unmap();
    } else {
        atomic_store(&own->iuca, iuca);
    }
    if (fd >= 0) {
        close(fd);
    }
    return page;
}

void netclock_detach(void)
{
    if (own) {
        slot_free(own);
    }
    page_unmap();
}

/* ---- waiting ---- */

static int machine_wait(struct pollfd *fds, unsigned count, uint64_t ns)
{
    struct timespec wait = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};

    return ppoll(fds, count, ns == UINT64_MAX ? NULL : &wait, NULL);
}

static int live_wait(struct pollfd *fds, unsigned count, uint64_t until_ns)
{
    uint64_t now = machine_ns();

    return machine_wait(fds, count, until_ns == UINT64_MAX ? until_ns : until_ns > now ? until_ns - now : 0);
}

static bool is_dead(int32_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

int netclock_wait(struct pollfd *fds, unsigned count, uint64_t until_ns)
{
    int ready;

    if (!page) {
        return live_wait(fds, count, until_ns);
    }
    atomic_store(&own->until_ns, until_ns);
    do {
        ready = poll(fds, count, until_ns == UINT64_MAX ? -1 : TICK_MS);
        if (ready == 0 && is_dead(atomic_load(&page->slots[NETCLOCK_SWITCH].pid))) {
            atomic_store(&page->now_ns, until_ns);
        }
    } while (ready == 0 && netclock_now_ns() < until_ns);
    atomic_store(&own->until_ns, 0);
    return ready;
}

/* Whether every process waits for something that is still to come, and nobody has a frame before it; *next is then the
 * time of the first, if that is before it. */
static bool is_still(uint64_t *next)
{
    uint64_t now = netclock_now_ns();
    uint64_t first = *next;

    if (atomic_load(&own->frames) != 0) {
        return false;
    }
    for (int i = NETCLOCK_SWITCH + 1; i < SLOTS; i++) {
        struct slot *slot = &page->slots[i];

        if (atomic_load(&slot->pid) != 0) {
            uint64_t until = atomic_load(&slot->until_ns);

            if (until <= now || atomic_load(&slot->frames) != 0) {
                return false;
            }
            first = until < first ? until : first;
        }
    }
    *next = first;
    return true;
}

/* Nothing moves: forgets the dead, and at last frames that nobody will take. */
static void stuck_clear(bool frames)
{
    for (int i = NETCLOCK_SWITCH; i < SLOTS; i++) {
        struct slot *slot = &page->slots[i];
        int32_t pid = atomic_load(&slot->pid);

        if (pid != 0 && is_dead(pid)) {
            slot_free(slot);
        } else if (frames) {
            atomic_store(&slot->frames, 0);
        }
    }
}

int netclock_wait_switch(struct pollfd *fds, unsigned count, uint64_t until_ns)
{
    uint64_t moved = machine_ns();
    unsigned stuck = 0;

    if (!page) {
        return live_wait(fds, count, until_ns);
    }
    for (uint64_t glance_ns = 0;;) {
        uint64_t next = until_ns;
        int ready = machine_wait(fds, count, glance_ns);

        if (ready != 0) {
            return ready;
        }
        bool still = is_still(&next);
        if (still && next != UINT64_MAX) {
            atomic_store(&page->now_ns, next);
        }
        if (still) {
            moved = machine_ns();
            stuck = 0;
        } else if (machine_ns() - moved > STUCK_NS) {
            moved = machine_ns();
            stuck_clear(++stuck % STUCK_TIMES == 0);
        }
        if (netclock_now_ns() >= until_ns) {
            return 0;
        }
        glance_ns = still && next == UINT64_MAX ? (uint64_t)TICK_MS * 1000000 : GLANCE_NS;
    }
}
