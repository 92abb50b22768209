/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The shared memory network between presences that keep the rules: delivery, order, both ways for long payload.
 */
#include "tests/refshm/node.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

static struct node a, b;

static void pair_end(void)
{
    node_end(&a);
    node_end(&b);
}

static void a_put_arrives_with_its_data(void)
{
    char data[] = "eight oc";
    char room[16] = "................";
    int token, cookie;

    node_pair(&a, &b);
    recorder_sink(&b.core, room, sizeof room, &token);
    struct wire_portals_header put = node_put(&a, &b, 0xfedcba9876543210, 8);
    put.cookie = 2;
    put.offset = 3;
    put.md = 0x8877665544332211;
    CHECK_EQ(nal_send(a.nal, &put, data, 8, &cookie), NAL_OK, "the message is taken");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "it lands");
    struct wire_portals_header got = recorder_note(&b.core, RECORDER_ARRIVE, 0).header;
    CHECK(got.portal == 4 && got.cookie == 2 && got.offset == 3 && got.rlength == 8, "numbers arrive");
    CHECK(got.match_bits == put.match_bits && got.md == put.md, "match bits and descriptor arrive bit by bit");
    CHECK(memcmp(&got.initiator, &a.self, sizeof a.self) == 0, "with all four ids of the sender");
    CHECK_MEM(room, "eight oc........", 16, "the data is in place, and nothing behind it is touched");
    CHECK(recorder_note(&b.core, RECORDER_LANDED, 0).token == &token, "landed names the token");
    CHECK(recorder_note(&b.core, RECORDER_LANDED, 0).complete, "complete");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "the sender is told");
    CHECK(recorder_note(&a.core, RECORDER_SENT, 0).token == &cookie, "with its cookie");
    pair_end();
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 1, "exactly once");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), 1, "landed exactly once");
}

/* Lengths around everything that has a length: nothing, a record, a piece, the ring, more than the ring. */
static uint64_t odd_length(unsigned i)
{
    static const uint64_t lengths[] = {0, 1, 8, 129, 16383, 16384, 16385, 65535, 65536, 65537, 300000};

    return i % 5 == 0 ? lengths[i / 5 % (sizeof lengths / sizeof lengths[0])] : i % 7 * 100;
}

/* Every message carries other octets, all into the same memory: the last one stays. */
static void order_is_kept(bool denied)
{
    enum { COUNT = 1000, BIG = 300000 };
    unsigned char *data = malloc(COUNT + BIG);
    unsigned char *room = malloc(BIG);
    unsigned wrong = 0;

    for (unsigned i = 0; i < COUNT + BIG; i++) {
        data[i] = (unsigned char)(i * 2654435761U >> 24);
    }
    node_prepare(&a, 0);
    node_prepare(&b, 1);
    if (denied) {
        node_deny(&a);
    }
    node_join(&a, 2);
    node_join(&b, 2);
    node_open(&a, 0);
    node_open(&b, 0);
    recorder_sink(&b.core, room, BIG, &b);
    for (unsigned i = 0; i < COUNT; i++) {
        wrong += node_send(&a, &b, i, data + i, odd_length(i), &a) != NAL_OK;
    }
    wrong += node_send(&a, &b, COUNT, data + COUNT, BIG, &a) != NAL_OK;
    CHECK_EQ(wrong, 0, "all are taken without waiting");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, COUNT + 1), "all land");
    for (unsigned i = 0; i <= COUNT; i++) {
        wrong += recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in the order of sending");
    CHECK(recorder_await(&a.core, RECORDER_SENT, COUNT + 1), "every sending is reported");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "as complete");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 0, "and every landing");
    CHECK_MEM(room, data + COUNT, BIG, "the last one's data is whole");
    pair_end();
    free(data);
    free(room);
}

static void many_messages_keep_their_order(void)
{
    order_is_kept(false);
}

static void they_do_also_where_memory_cannot_be_read(void)
{
    order_is_kept(true);
}

static void surplus_is_thrown_away(void)
{
    enum { LENGTH = 1 << 20, TIMES = 4 };
    unsigned char *data = calloc(1, LENGTH);
    char room[4] = "....";

    node_pair(&a, &b);
    memcpy(data, "abcd", 4);
    /* The first goes through the ring, for the sender does not know yet that the others may be lent. The sink is given
     * anew each time: its lock tells a thread checker that what we did with `room` is over when the next one lands. */
    for (unsigned i = 0; i < TIMES; i++) {
        recorder_sink(&b.core, room, 3, &b);
        (void)node_send(&a, &b, i, data, LENGTH, NULL);
        CHECK(recorder_await(&b.core, RECORDER_LANDED, i + 1), "a truncated message lands");
        CHECK_MEM(room, "abc.", 4, "no more than wanted is stored");
        memset(room, '.', sizeof room);
    }
    recorder_sink(&b.core, NULL, 0, NULL);
    (void)node_send(&a, &b, TIMES, data, LENGTH, NULL);
    (void)node_send(&a, &b, 9, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, TIMES + 2), "what follows an unwanted message arrives");
    CHECK_EQ(recorder_note(&b.core, RECORDER_ARRIVE, TIMES + 1).header.match_bits, 9, "and is understood");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), TIMES, "without a token nothing is reported as landed");
    pair_end();
    free(data);
}

static void answer(struct node *node, bool answers)
{
    pthread_mutex_lock(&node->core.lock);
    node->core.answers = answers;
    pthread_mutex_unlock(&node->core.lock);
}

static void everybody_to_everybody(void)
{
    enum { NODES = 5, COUNT = 300 };
    static struct node nodes[NODES];
    static unsigned char room[1 << 16], data[1 << 16];
    unsigned wrong = 0;

    for (uint32_t rank = 0; rank < NODES; rank++) {
        node_prepare(&nodes[rank], rank);
    }
    for (uint32_t rank = 0; rank < NODES; rank++) {
        node_join(&nodes[rank], NODES);
        recorder_sink(&nodes[rank].core, room + rank, 1, &room);
        node_open(&nodes[rank], 0);
        answer(&nodes[rank], true);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        for (uint32_t from = 0; from < NODES; from++) {
            for (uint32_t to = 0; to < NODES; to++) {
                wrong += to != from && node_send(&nodes[from], &nodes[to], i, data, i * 100, NULL) != NAL_OK;
            }
        }
    }
    CHECK_EQ(wrong, 0, "all messages are taken");
    for (uint32_t rank = 0; rank < NODES; rank++) {
        /* Answers are answered, and so on: at least the messages themselves arrive. */
        wrong += !recorder_await(&nodes[rank].core, RECORDER_ARRIVE, (NODES - 1) * COUNT);
        answer(&nodes[rank], false);
    }
    CHECK_EQ(wrong, 0, "and arrive, while everybody answers everybody");
    for (uint32_t rank = 0; rank < NODES; rank++) {
        node_end(&nodes[rank]);
    }
}

static void revoked_memory_is_left_alone(void)
{
    enum { LENGTH = 8 << 20, TIMES = 30 };
    unsigned char *data = malloc(LENGTH);
    unsigned char *room = malloc(LENGTH);
    unsigned wrong = 0;

    memset(data, 0x77, LENGTH);
    node_pair(&a, &b);
    for (unsigned i = 0; i < TIMES; i++) {
        recorder_sink(&b.core, room, LENGTH, room + i);
        (void)node_send(&a, &b, i, data, LENGTH, NULL);
        (void)recorder_await(&b.core, RECORDER_ARRIVE, i + 1);
        nal_revoke(b.nal, room + i);
        memset(room, 0, LENGTH);
        wrong += !recorder_await(&b.core, RECORDER_LANDED, i + 1);
        for (size_t at = 0; at < LENGTH; at += 4096) {
            wrong += room[at] != 0;
        }
    }
    CHECK_EQ(wrong, 0, "once revoked, memory stays as it is, and the landing is reported");
    nal_revoke(b.nal, &data);
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), TIMES, "an unknown token is no error");
    recorder_sink(&b.core, room, LENGTH, &b);
    (void)node_send(&a, &b, TIMES, data, LENGTH, NULL);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, TIMES + 1), "the next message lands");
    CHECK_MEM(room, data, LENGTH, "whole");
    pair_end();
    free(data);
    free(room);
}

int main(void)
{
    TAP_RUN(a_put_arrives_with_its_data);
    TAP_RUN(many_messages_keep_their_order);
    TAP_RUN(they_do_also_where_memory_cannot_be_read);
    TAP_RUN(surplus_is_thrown_away);
    TAP_RUN(everybody_to_everybody);
    TAP_RUN(revoked_memory_is_left_alone);
    return tap_done();
}
