/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pouring lent payload (ref-impl/nal/shm/pour.h). In most tests one side is played by hand, so that it can stop, and
 * write nonsense, where it likes; what it pours differs from what it lends, which shows by which way octets came.
 */
#include "ref-impl/nal/shm/brief.h"
#include "ref-impl/nal/shm/net.h"
#include "tests/refshm/node.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

enum { LENGTH = 3 * SHM_POUR_OCTETS + 1001, LENT = 1, POURED = 2 };

static struct node a, b;
static unsigned char data[LENGTH], room[LENGTH];

/* ---- the sender by hand ------------------------------------------------------------------------------------------ */

/* Has node a lend `data`, as its payload `number`; the room where it lands is filled with zeros before. */
static void lend(uint64_t number)
{
    struct shm_endpoint *endpoint = &a.net->peers[0].endpoints[0];
    const struct shm_record record = {
        .form = SHM_FORM_WHOLE, .header = node_put(&a, &b, number, LENGTH), .lent_at = (uint64_t)(uintptr_t)data};

    memset(room, 0, sizeof room);
    recorder_sink(&b.core, room, sizeof room, &b);
    lock_take(&a.net->lock);
    (void)shm_endpoint_usable(endpoint);
    shm_ring_write(endpoint->out, sizeof record.form, (const unsigned char *)&record + sizeof record.form,
                   sizeof record - sizeof record.form);
    shm_ring_end(endpoint->out, sizeof record);
    shm_ring_begin(endpoint->out, record.form);
    shm_ring_publish(endpoint->out, sizeof record);
    shm_bell_mark(endpoint->peer->inbox, 0, 0);
    lock_give(&a.net->lock);
}

/* Two nodes of which b believes that there are processors enough, and the ring from a to b. */
static struct shm_ring *sender_by_hand(void)
{
    struct shm_ring *ring;

    node_pair(&a, &b);
    b.net->drive.spin.crowded = false;
    ring = a.net->peers[0].endpoints[0].out;
    memset(data, LENT, sizeof data);
    memset(ring->pour, POURED, sizeof ring->pour);
    return ring;
}

static void end_both(void)
{
    node_end(&a);
    node_end(&b);
}

static size_t came(unsigned char value)
{
    size_t count = 0;

    while (count < LENGTH && room[count] == value) {
        count++;
    }
    return count;
}

static void what_is_not_poured_is_fetched(void)
{
    struct shm_ring *ring = sender_by_hand();
    size_t poured;

    atomic_store(&ring->poured, 20000);
    atomic_store(&ring->poured_of, 1);
    lend(1);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a payload of which the beginning is poured lands");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 0, "complete");
    poured = came(POURED);
    /* as much of it as was taken before the receiver, who may have been kept waiting, went its own way */
    CHECK(poured <= 20000, "the beginning as it was poured: %zu octets", poured);
    CHECK(room[LENGTH - 1] == LENT && room[poured] == LENT, "and the rest from where it was lent");
    end_both();
}

static void nonsense_is_not_taken(void)
{
    struct shm_ring *ring = sender_by_hand();

    atomic_store(&ring->poured, UINT64_MAX - 5);
    atomic_store(&ring->poured_of, 1);
    lend(1);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a payload lands of which more is poured than there can be");
    CHECK_EQ(came(LENT), LENGTH, "from where it was lent");
    end_both();
}

static void nobody_waits_for_the_next_one_to_be_poured(void)
{
    struct shm_ring *ring = sender_by_hand();

    atomic_store(&ring->poured, SHM_POUR_OCTETS);
    atomic_store(&ring->poured_of, 7);
    lend(1);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a payload lands while another one is poured");
    CHECK_EQ(came(LENT), LENGTH, "from where it was lent");
    atomic_store(&ring->asked, 0);
    lend(2);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 2), "so does the next one");
    CHECK_EQ(atomic_load(&ring->asked), 0, "for which the sender, who had not answered, is not asked");
    end_both();
}

/* ---- the receiver by hand ---------------------------------------------------------------------------------------- */

/* What a caller does that waits. */
static void drive(void)
{
    while (!nal_drive_take(a.nal)) {
    }
    nal_drive(a.nal, false);
    nal_drive_give(a.nal);
}

/* Node a lends `data`, the number 1, to b, whose thread does not run yet. */
static struct shm_ring *receiver_by_hand(void)
{
    struct shm_ring *ring;

    node_prepare(&a, 0);
    node_prepare(&b, 1);
    node_join(&a, 2);
    node_open(&a, 0);
    ring = a.net->peers[0].endpoints[0].out;
    atomic_store(&ring->fetches, 1);
    for (size_t i = 0; i < LENGTH; i++) {
        data[i] = (unsigned char)(i * 2654435761U >> 24);
    }
    (void)node_send(&a, &b, 1, data, LENGTH, &a);
    return ring;
}

static void ask(struct shm_ring *ring, uint64_t number)
{
    atomic_store(&ring->drained, 0);
    atomic_store(&ring->asked, number);
}

/* Drives until so many octets are poured, and then some more. */
static uint64_t pour_until(struct shm_ring *ring, uint64_t octets)
{
    for (int more = 20; more > 0;) {
        shm_bell_mark(a.net->segment.inbox, 1, 0);
        drive();
        more -= atomic_load(&ring->poured) >= octets;
    }
    return atomic_load(&ring->poured);
}

static void no_more_is_poured_than_there_is_room_for(void)
{
    struct shm_ring *ring = receiver_by_hand();
    size_t got = 0;

    for (int i = 0; i < 20; i++) {
        drive();
    }
    CHECK_EQ(atomic_load(&ring->poured_of), 0, "nothing is poured for which nobody asks");
    ask(ring, 1);
    CHECK_EQ(pour_until(ring, SHM_POUR_OCTETS), SHM_POUR_OCTETS, "as much is poured as there is room for");
    CHECK_EQ(atomic_load(&ring->poured_of), 1, "of the payload that was asked for");
    while (got < LENGTH) {
        size_t poured = pour_until(ring, LENGTH - got < SHM_POUR_OCTETS ? LENGTH : got + SHM_POUR_OCTETS);

        for (; got < poured; got++) {
            room[got] = ring->pour[got % SHM_POUR_OCTETS];
        }
        atomic_store(&ring->drained, got);
    }
    CHECK_MEM(room, data, LENGTH, "all octets come, in order");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 0, "the payload is the receiver's until it says otherwise");
    atomic_store(&ring->fetched, 1);
    shm_bell_mark(a.net->segment.inbox, 1, 0);
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "then it is given back");
    end_both();
}

static void who_asks_no_more_gets_no_more(void)
{
    struct shm_ring *ring = receiver_by_hand();

    ask(ring, 1);
    (void)pour_until(ring, SHM_POUR_OCTETS);
    atomic_store(&ring->asked, 0);
    atomic_store(&ring->drained, SHM_POUR_OCTETS);
    CHECK_EQ(pour_until(ring, 0), SHM_POUR_OCTETS, "who asks no more gets no more");
    ask(ring, 2);
    CHECK_EQ(pour_until(ring, 0), SHM_POUR_OCTETS, "nor who asks for what is not lent");
    atomic_store(&ring->asked, 1);
    atomic_store(&ring->drained, 10 * SHM_POUR_OCTETS);
    CHECK_EQ(pour_until(ring, 0), SHM_POUR_OCTETS, "nor who has taken more than there was");
    end_both();
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static _Atomic bool over;

static void *drive_until_over(void *node)
{
    struct nal *nal = ((struct node *)node)->nal;

    while (!over) {
        if (nal_drive_take(nal)) {
            nal_drive(nal, true);
            nal_drive_give(nal);
        }
    }
    return NULL;
}

static void both_send_at_once(void)
{
    enum { TIMES = 200 };
    static unsigned char other[LENGTH];
    pthread_t threads[2];

    node_pair(&a, &b);
    a.net->drive.spin.crowded = b.net->drive.spin.crowded = false;
    over = false;
    pthread_create(&threads[0], NULL, drive_until_over, &a);
    pthread_create(&threads[1], NULL, drive_until_over, &b);
    memset(data, 3, sizeof data);
    recorder_sink(&a.core, other, sizeof other, &a);
    recorder_sink(&b.core, room, sizeof room, &b);
    for (unsigned i = 0; i < TIMES; i++) {
        (void)node_send(&a, &b, i, data, SHM_LEND_OCTETS + 1 + (i * 977) % (LENGTH - SHM_LEND_OCTETS), &a);
        (void)node_send(&b, &a, i, data, LENGTH - i, &b);
    }
    CHECK(recorder_await(&a.core, RECORDER_LANDED, TIMES), "all of the one land");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, TIMES), "and all of the other");
    CHECK(recorder_await(&a.core, RECORDER_SENT, TIMES), "the one is told so");
    CHECK(recorder_await(&b.core, RECORDER_SENT, TIMES), "so is the other");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_LANDED) + recorder_incomplete(&b.core, RECORDER_LANDED), 0,
             "complete");
    over = true;
    nal_drive_wake(a.nal);
    nal_drive_wake(b.nal);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    end_both();
    CHECK_MEM(other, data, LENGTH, "octet by octet");
}

int main(void)
{
    TAP_RUN(what_is_not_poured_is_fetched);
    TAP_RUN(nonsense_is_not_taken);
    TAP_RUN(nobody_waits_for_the_next_one_to_be_poured);
    TAP_RUN(no_more_is_poured_than_there_is_room_for);
    TAP_RUN(who_asks_no_more_gets_no_more);
    TAP_RUN(both_send_at_once);
    return tap_done();
}
