/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tiny messages: to copy a few octets costs less than to hear that they have left. So the library sends copies of its
 * own, and whoever sends is done at once. The messages are the same as those of put_short in local/send.c.
 *
 *      a ring of copies for each process
 *      +---+---+- ... -+---+---+---+- ... -+---+
 *      |   |   |       | M |   |   |       | M |      M: an event tells that this one has left
 *      +---+---+- ... -+---+---+---+- ... -+---+
 *        first half          second half
 *
 * What goes to one process leaves in the order of the puts. So when the last one of a half has left, all of that half
 * have, and its places are free. Before that they are not used again.
 */
#include "ref-impl/mpi/local/tiny.h"

#include <string.h>
#include <sys/mman.h>

#include "ref-impl/mpi/local/state.h"

enum { OCTETS = 64, HALF = 16, PLACES = 2 * HALF };

/* A copy, and the descriptor of these octets, which mostly has the right length already. */
struct place {
    unsigned char octets[OCTETS];
    size_t length;
    bool bound;
    ptl_handle_md_t descriptor;
};

struct ring {
    struct place place[PLACES];
    unsigned next;    /* place */
    unsigned leaving; /* halves of which the last message has been sent, and has not been heard of */
};

static struct ring *rings;
static size_t rings_octets;

/* Memory that is not used is not there. */
bool local_tiny_open(int size)
{
    void *memory;

    rings_octets = (size_t)size * sizeof(*rings);
    memory = mmap(NULL, rings_octets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rings = memory == MAP_FAILED ? NULL : memory;
    return rings;
}

void local_tiny_close(void)
{
    munmap(rings, rings_octets);
    rings = NULL;
}

bool local_tiny_is_full(int rid)
{
    return rings[rid].next % HALF == 0 && rings[rid].leaving == PLACES / HALF;
}

/* Makes the descriptor of a place one for so many octets. */
static void describe(struct place *place, size_t length, bool tells)
{
    ptl_md_t value = {
        .start = place->octets,
        .length = length,
        .threshold = 1,
        .eventq = tells ? local_device.done : PTL_EQ_NONE,
    };

    if (place->bound) {
        local_must(PtlMDUpdate(place->descriptor, NULL, &value, PTL_EQ_NONE));
    } else {
        local_must(PtlMDBind(local_device.interface, value, &place->descriptor));
    }
    place->bound = true;
    place->length = length;
}

bool local_tiny_put(int rid, ptl_match_bits_t bits, const void *octets, size_t length)
{
    struct ring *ring = &rings[rid];
    struct place *place = &ring->place[ring->next];
    bool tells = ring->next % HALF == HALF - 1;

    if (length > OCTETS || local_tiny_is_full(rid)) {
        return false;
    }
    if (!place->bound || place->length != length) {
        describe(place, length, tells);
    }
    if (length > 0) {
        memcpy(place->octets, octets, length);
    }
    ring->next = (ring->next + 1) % PLACES;
    ring->leaving += tells;
    local_must(PtlPut(place->descriptor, PTL_NOACK_REQ, local_process(rid), LOCAL_ARRIVE, LOCAL_COOKIE, bits, 0));
    return true;
}

bool local_tiny_left(const void *start)
{
    uintptr_t from = (uintptr_t)start - (uintptr_t)rings;

    if (from >= rings_octets) {
        return false;
    }
    rings[from / sizeof(*rings)].leaving--;
    return true;
}
