/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The four kinds of descriptors of Puma over Portals 3.0, with their options, overlays and failures: ref-impl/puma.
 * Over the loop, so what was sent is there.
 */
#include <pthread.h>
#include <string.h>

#include "ref-impl/puma/puma.h"
#include "tests/refimpl/support.h"

enum { PORTAL = 3, BARE_PORTAL = 5, FLOOD = 4000 };

static ptl_handle_ni_t ni;
static struct puma_list *list;

static const struct puma_options plain;

static struct puma_match match(ptl_match_bits_t bits)
{
    struct puma_match match = puma_any();

    match.bits = bits;
    match.ignored = 0;
    return match;
}

static struct puma_target target(ptl_match_bits_t bits, size_t offset)
{
    return (struct puma_target){support_self(), PORTAL, bits, offset};
}

/* Sends a text; octets that the target says it kept, -1: no answer. */
static int send(const char *text, ptl_match_bits_t bits, size_t offset)
{
    struct puma_target where = target(bits, offset);
    struct puma_sending sending;
    int kept = -1;

    CHECK(puma_send(list, (struct puma_buffer){(void *)(uintptr_t)text, strlen(text)}, &where, true, &sending),
          "a message can be sent");
    if (puma_heard(&sending, false)) {
        kept = (int)sending.kept;
    }
    CHECK(sending.left, "it has left");
    puma_sent(&sending);
    return kept;
}

static struct puma_descriptor *single(void *start, size_t len, ptl_match_bits_t bits, struct puma_options options)
{
    struct puma_match which = match(bits);

    return puma_single(list, &which, (struct puma_buffer){start, len}, &options);
}

/* ---- single ---- */

static void single_block(void)
{
    char memory[10] = "..........";
    struct puma_descriptor *block = single(memory, 10, 1, (struct puma_options){.acknowledge = true});
    struct puma_message message;

    //= PUMA-003
    //= PUMA-014
    //= PUMA-015
    CHECK_EQ(send("abc", 1, 7), 3, "kept and acknowledged");
    CHECK_EQ(send("def", 1, 7), 3, "the receiver manages the offset");
    CHECK_MEM(memory, "abcdef....", 10, "one behind the other");
    CHECK_EQ(send("no", 2, 0), -1, "other bits do not match");
    CHECK(puma_next(block, &message), "the first one");
    CHECK_EQ(message.kept, 3, "its octets");
    CHECK_EQ(message.bits, 1, "its bits");
    CHECK(message.octets == memory, "its place");
    CHECK(puma_next(block, &message) && message.offset == 3, "the second one");
    CHECK(!puma_next(block, &message), "no other");
    CHECK_EQ(puma_written(block), 6, "octets written"); //= PUMA-053
    CHECK_EQ(send("toolong", 1, 0), -1, "what does not fit is not taken");
    puma_drop(block);
    block = single(memory, 4, 1, (struct puma_options){.acknowledge = true, .cuts = true});
    CHECK_EQ(send("toolong", 1, 0), 4, "it is cut");
    CHECK(puma_next(block, &message) && message.sent == 7 && message.kept == 4, "and so its header says");
    CHECK_EQ(puma_written(block), 4, "octets that are there are counted, not those that were cut"); //= PUMA-097
    puma_drop(block);
}

static void single_options(void)
{
    char memory[8] = "........", got[4] = "";
    struct puma_target where = target(5, 2);
    struct puma_descriptor *block;
    struct puma_message message;
    struct puma_sending sending;
    ptl_sr_value_t drops;

    //= PUMA-017
    block = single(memory, 8, 2, (struct puma_options){.offset = PUMA_SENDER, .save = PUMA_BODY, .acknowledge = true});
    CHECK_EQ(send("xy", 2, 5), 2, "the sender says where");
    CHECK_MEM(memory, ".....xy.", 8, "and there it is");
    CHECK(!puma_next(block, &message), "the body alone is kept");
    puma_drop(block);
    //= PUMA-012
    //= PUMA-016
    block = single(memory, 8, 3, (struct puma_options){.save = PUMA_HEADER, .acknowledge = true});
    CHECK_EQ(send("longer than it", 3, 0), 0, "the header alone is kept, and the answer says so"); //= PUMA-060
    CHECK_MEM(memory, ".....xy.", 8, "nothing is written");
    CHECK(puma_next(block, &message) && message.sent == 14 && message.kept == 0 && !message.octets, "a header");
    puma_drop(block);
    block = single(memory, 8, 4, plain);
    CHECK_EQ(send("q", 4, 0), -1, "no answer unless the descriptor gives one"); //= PUMA-028
    puma_drop(block);
    block = single(
        memory, 8, 5,
        (struct puma_options){.access = PUMA_READ, .offset = PUMA_SENDER, .save = PUMA_BODY, .acknowledge = true});
    drops = support_drops(ni);
    CHECK_EQ(send("z", 5, 2), -1, "what can be read cannot be written");
    CHECK_EQ(support_drops(ni), drops + 1, "the message is dropped");
    CHECK(puma_read(list, (struct puma_buffer){got, 3}, &where, &sending), "it can be asked for");
    CHECK(puma_heard(&sending, true) && sending.kept == 3, "and answers"); //= PUMA-029
    CHECK_MEM(got, "...", 3, "with its octets");
    puma_sent(&sending);
    puma_drop(block);
}

/* ---- dynamic ---- */

static void dynamic_block(void)
{
    static char heap[64];
    static const char text[16] = "sixteen octets.";
    struct puma_match which = match(6);
    struct puma_descriptor *block = puma_dynamic(list, &which, (struct puma_buffer){heap, sizeof(heap)}, &plain);
    struct puma_message message[8];
    ptl_sr_value_t drops = support_drops(ni);

    //= PUMA-018
    for (int i = 0; i < 4; i++) {
        send(text, 6, 0);
    }
    send("a", 6, 0);
    send("b", 6, 0); /* no segment has both */
    for (int i = 0; i < 4; i++) {
        CHECK(puma_next(block, &message[i]) && message[i].kept == 15 && memcmp(message[i].octets, text, 15) == 0,
              "messages wait in order, each as it came");
    }
    CHECK(puma_next(block, &message[4]) && *(char *)message[4].octets == 'a', "a small one found room");
    CHECK(puma_next(block, &message[5]) && *(char *)message[5].octets == 'b', "another one too");
    //= PUMA-006
    //= PUMA-020
    send(text, 6, 0);
    CHECK_EQ(support_drops(ni), drops + 1, "where there is no room, it is lost and counted");
    puma_release(block, &message[2]);
    send(text, 6, 0);
    CHECK(puma_next(block, &message[6]) && memcmp(message[6].octets, text, 15) == 0, "room is used again");
    CHECK(message[6].octets == message[2].octets, "that which was freed");
    for (int i = 0; i < 7; i++) {
        if (i != 2) {
            puma_release(block, &message[i]);
        }
    }
    for (int i = 0; i < 100; i++) {
        send(text, 6, 0);
        CHECK(puma_next(block, message) && message->kept == 15, "for ever");
        puma_release(block, message);
    }
    puma_drop(block);
    //= PUMA-019
    block = puma_dynamic(list, &which, (struct puma_buffer){heap, sizeof(heap)},
                         &(struct puma_options){.save = PUMA_HEADER, .headers = 2, .acknowledge = true});
    CHECK_EQ(send(text, 6, 0), 0, "headers alone");
    CHECK_EQ(send(text, 6, 0), 0, "a second one");
    CHECK_EQ(send(text, 6, 0), -1, "no more than there is room for: none is taken and then lost");
    puma_drop(block);
    CHECK(!puma_dynamic(list, &which, (struct puma_buffer){heap, 8}, &(struct puma_options){.save = PUMA_BODY}),
          "a heap keeps headers");
}

/* ---- independent ---- */

static void independent_block(void)
{
    char first[4] = "", second[8] = "";
    const struct puma_buffer table[] = {{first, sizeof(first)}, {second, sizeof(second)}};
    struct puma_match which = match(7);
    struct puma_options options = {.acknowledge = true};
    struct puma_descriptor *block = puma_independent(list, &which, table, 2, &options);
    struct puma_message message;

    //= PUMA-021
    //= PUMA-022
    CHECK_EQ(send("12345", 7, 0), -1, "the next buffer is too small, and no other is looked at"); //= PUMA-006
    CHECK_EQ(send("1", 7, 0), 1, "a buffer for each message");
    CHECK_EQ(send("12345", 7, 0), 5, "the next one");
    CHECK_EQ(send("2", 7, 0), -1, "n + 1 messages to n buffers"); //= PUMA-023
    CHECK_MEM(first, "1\0\0\0", 4, "one message in it");
    CHECK_MEM(second, "12345", 5, "and in the other");
    CHECK(puma_next(block, &message) && message.octets == first, "in order");
    puma_release(block, &message);
    CHECK_EQ(send("2", 7, 0), -1, "a linear table is used once");
    puma_drop(block);
    options.circular = true;
    block = puma_independent(list, &which, table, 2, &options);
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(send("abc", 7, 0), 3, "a circular one again and again");
        CHECK(puma_next(block, &message) && message.octets == table[i % 2].start, "one buffer after the other");
        puma_release(block, &message);
    }
    CHECK(send("d", 7, 0) == 1 && send("e", 7, 0) == 1 && send("f", 7, 0) == -1, "until all are full");
    puma_drop(block);
}

/* ---- combined ---- */

static void combined_block(void)
{
    char parts[3][4] = {"", "", ""};
    const struct puma_buffer table[] = {{parts[0], 2}, {parts[1], 4}, {parts[2], 3}};
    struct puma_match which = match(8);
    struct puma_options options = {.acknowledge = true};
    struct puma_descriptor *block = puma_combined(list, &which, table, 3, &options);
    struct puma_target where = target(8, 1);
    struct puma_message message;
    struct puma_sending sending;
    char got[7] = "";

    //= PUMA-024
    CHECK_EQ(send("abcde", 8, 0), 5, "one message");
    CHECK(puma_next(block, &message), "is taken");
    CHECK(memcmp(parts[0], "ab", 2) == 0 && memcmp(parts[1], "cde\0", 4) == 0, "and fills one buffer after the other");
    CHECK_EQ(send("fghi", 8, 0), 4, "the next one goes on where that ended");
    CHECK(puma_next(block, &message), "taken too");
    CHECK(memcmp(parts[1], "cdef", 4) == 0 && memcmp(parts[2], "ghi", 3) == 0, "across two buffers");
    CHECK_EQ(send("j", 8, 0), -1, "full is full");
    puma_drop(block);
    //= PUMA-025
    //= PUMA-026
    options.offset = PUMA_SENDER;
    options.access = PUMA_READ;
    block = puma_combined(list, &which, table, 3, &options);
    parts[1][3] = '!';
    puma_refresh(block);
    CHECK(puma_read(list, (struct puma_buffer){got, 6}, &where, &sending) && puma_heard(&sending, true), "it is read");
    CHECK_MEM(got, "bcde!g", 6, "from the sender's offset on, as one");
    puma_sent(&sending);
    puma_drop(block);
    options.save = PUMA_HEADER;
    CHECK(!puma_combined(list, &which, table, 3, &options), "it has no such option");
}

/* ---- lists ---- */

static void goes_on(void)
{
    char small[2], large[16];
    struct puma_descriptor *first = single(small, sizeof(small), 9, (struct puma_options){.acknowledge = true});
    struct puma_descriptor *second = single(large, sizeof(large), 9, (struct puma_options){.acknowledge = true});
    struct puma_match from_nobody = match(9), all = puma_any();
    struct puma_descriptor *others, *rest;
    struct puma_message message;

    //= PUMA-004
    //= PUMA-005
    //= PUMA-007
    //= PUMA-008
    from_nobody.from.gid = support_self().gid;
    from_nobody.from.rid = support_self().rid + 1;
    puma_in_front(list, first);
    others = puma_single(list, &from_nobody, (struct puma_buffer){large, 16}, &plain);
    puma_in_front(list, NULL);
    rest = puma_single(list, &all, (struct puma_buffer){NULL, 0}, &(struct puma_options){.save = PUMA_HEADER});
    CHECK_EQ(send("abc", 9, 0), 3, "too large for the first: the next one has it");
    CHECK_EQ(send("ab", 9, 0), 2, "the first one that can has it");
    CHECK_EQ(send("zz", 77, 0), -1, "what matches nothing goes to the end");
    CHECK(!puma_next(others, &message), "another sender's entry is not for it");
    CHECK(puma_next(first, &message) && message.kept == 2, "by size");
    CHECK(puma_next(second, &message) && message.kept == 3, "by size");
    CHECK(puma_next(rest, &message) && message.bits == 77, "bits do not count without match list"); //= PUMA-011
    puma_drop(others);
    puma_drop(first);
    puma_drop(second);
    puma_drop(rest);
    CHECK(!puma_list_new(ni, SUPPORT_PORTALS), "no portal beyond the table"); //= PUMA-001
}

/* Short messages are kept, long ones told of; both wait in one queue. */
static void overlays(void)
{
    char heap[64], window[4] = "....";
    struct puma_match small = match(0), large = match(1);
    struct puma_descriptor *bodies, *headers, *below, *above;
    struct puma_message message;

    //= PUMA-013
    //= PUMA-027
    //= PUMA-042
    bodies = puma_dynamic(list, &small, (struct puma_buffer){heap, sizeof(heap)}, &plain);
    headers = puma_overlay(list, &large, bodies, PUMA_HEADER);
    send("one", 0, 0);
    send("two, which is long", 1, 0);
    send("three", 0, 0);
    CHECK(puma_next(bodies, &message) && message.kept == 3, "the first");
    CHECK(puma_next(bodies, &message) && message.kept == 0 && message.sent == 18, "then the header of the second");
    CHECK(puma_next(bodies, &message) && message.kept == 5, "then the third");
    CHECK(!puma_overlay(list, &large, bodies, PUMA_BOTH), "space in a heap cannot be shared");
    puma_drop(headers);
    puma_drop(bodies);
    below = single(window, 4, 20, (struct puma_options){.offset = PUMA_SENDER});
    large = match(21);
    above = puma_overlay(list, &large, below, PUMA_BOTH);
    send("a", 20, 1);
    send("b", 21, 2);
    CHECK_MEM(window, ".ab.", 4, "one block under two entries");
    puma_drop(above);
    puma_drop(below);
}

/* What MPI on Puma needs besides: headers with a mark, receives that cut and that can be taken back, a heap's room. */
static void marks_and_receives(void)
{
    char heap[64], room[4] = "....";
    struct puma_match small = match(0), large = match(1), wanted = match(2);
    struct puma_buffer buffer = {room, sizeof(room)};
    struct puma_options options = {.closed = true, .cuts = true, .headers = 1};
    struct puma_descriptor *bodies, *headers, *receive;
    struct puma_message message;

    bodies = puma_dynamic(list, &small, (struct puma_buffer){heap, sizeof(heap)}, &plain);
    headers = puma_overlay(list, &large, bodies, PUMA_MARKED);
    send("long, with a mark", 1, PUMA_MARKS - 1);
    CHECK(puma_next(bodies, &message) && message.offset == PUMA_MARKS - 1, "the mark");
    CHECK(message.kept == 0 && message.sent == 17 && !message.octets, "and nothing of the body");
    puma_release(bodies, &message);
    CHECK(puma_is_empty(bodies), "nothing has come to the heap");
    send("one", 0, 0);
    CHECK(puma_next(bodies, &message) && !puma_is_empty(bodies), "space is used");
    puma_release(bodies, &message);
    CHECK(puma_is_empty(bodies), "and free again");

    receive = puma_independent(list, &wanted, &buffer, 1, &options);
    CHECK(puma_open(receive, bodies) && puma_close(receive), "a receive is taken back");
    send("none", 2, 0);
    CHECK(!puma_next(receive, &message), "and takes nothing then");
    CHECK(puma_open(receive, bodies), "opened again");
    send("too long", 2, 0);
    CHECK(!puma_close(receive), "what has come cannot be taken back");
    CHECK(puma_next(receive, &message) && message.kept == 4 && message.sent == 8, "a message is cut");
    CHECK_MEM(room, "too ", 4, "to what there is room for");
    puma_drop(receive);
    puma_drop(headers);
    puma_drop(bodies);
}

/* ---- what of Portals all this stands on ---- */

static ptl_size_t mlength_of_next(ptl_handle_eq_t queue, ptl_event_kind_t type)
{
    ptl_event_t event = {0};

    SUPPORT_IS(PtlEQGet(queue, &event), PTL_OK);
    CHECK_EQ(event.type, type, "the kind of the event");
    return event.mlength;
}

/* Two descriptors under one entry, which share a queue: the one goes by itself when it is used up, the other is closed
 * and is opened when nothing is in the queue. */
//= PUMA-184
static void portals_beneath(void)
{
    char first[4] = "....", second[4] = "....", sent[3] = "abc";
    ptl_handle_eq_t queue = support_eq(ni, 8), own = support_eq(ni, 8);
    ptl_handle_me_t entry = support_entry(ni, BARE_PORTAL, 9);
    ptl_handle_md_t source = support_bind(ni, support_md(sent, sizeof(sent), 0, own)), one, other;
    ptl_md_t md = support_md(first, 2, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, queue);
    ptl_sr_value_t drops = support_drops(ni);

    md.threshold = 1;
    one = support_attach(entry, md, PTL_UNLINK);
    md = support_md(second, sizeof(second), PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, queue);
    md.threshold = 0;
    SUPPORT_IS(PtlMDInsert(md, PTL_RETAIN, PTL_INS_AFTER, one, &other), PTL_OK);
    SUPPORT_IS(PtlPut(source, PTL_ACK_REQ, support_self(), BARE_PORTAL, 0, 9, 0), PTL_OK);
    CHECK_MEM(first, "ab..", 4, "the first of the list has the message");
    CHECK_EQ(mlength_of_next(own, PTL_EVENT_SENT), 3, "octets sent");
    CHECK_EQ(mlength_of_next(own, PTL_EVENT_ACK), 2, "of which so many were kept");
    SUPPORT_IS(PtlMDUnlink(one), PTL_INV_MD);
    support_put(source, BARE_PORTAL, 9, 0);
    CHECK_EQ(support_drops(ni), drops + 1, "threshold 0 takes nothing, and what nobody takes is counted");
    md.threshold = PTL_MD_THRESH_INF;
    SUPPORT_IS(PtlMDUpdate(other, NULL, &md, queue), PTL_NOUPDATE);
    CHECK_EQ(mlength_of_next(queue, PTL_EVENT_PUT), 2, "what has come first");
    SUPPORT_IS(PtlMDUpdate(other, NULL, &md, queue), PTL_OK);
    support_put(source, BARE_PORTAL, 9, 0);
    CHECK_EQ(mlength_of_next(queue, PTL_EVENT_PUT), 3, "the second shares the queue");
    memcpy(second, "xyz", 3);
    support_get(source, BARE_PORTAL, 8, 0);
    CHECK_EQ(support_drops(ni), drops + 2, "a get of other bits");
    support_get(source, BARE_PORTAL, 9, 0);
    CHECK_MEM(sent, "xyz", 3, "one of these");
    SUPPORT_IS(PtlMEUnlink(entry), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(source), PTL_OK);
    SUPPORT_IS(PtlEQFree(queue), PTL_OK);
    SUPPORT_IS(PtlEQFree(own), PTL_OK);
}

/* Who sent is told so that it can be asked in return. */
//= PUMA-153
static void initiator_as_target(void)
{
    char octets[4] = "abcd", got[4] = "....";
    ptl_handle_eq_t queue = support_eq(ni, 2);
    ptl_handle_me_t entry = support_entry(ni, BARE_PORTAL, 9);
    ptl_handle_md_t source = support_bind(ni, support_md(got, sizeof(got), 0, PTL_EQ_NONE));
    ptl_event_t event;

    support_attach(entry, support_md(octets, 4, PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, queue),
                   PTL_RETAIN);
    support_put(source, BARE_PORTAL, 9, 0);
    memcpy(octets, "efgh", 4);
    SUPPORT_IS(PtlEQGet(queue, &event), PTL_OK);
    SUPPORT_IS(PtlGet(source, event.initiator, BARE_PORTAL, 0, 9, 0), PTL_OK);
    CHECK_MEM(got, "efgh", 4, "the initiator of an event, all of whose ids are given, is a target");
    SUPPORT_IS(PtlMEUnlink(entry), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(source), PTL_OK);
    SUPPORT_IS(PtlEQFree(queue), PTL_OK);
}

/* A block of no octets counts what comes: so a neighbour can say that it is ready. */
//= PUMA-099
static void nothing_but_counted(void)
{
    struct puma_descriptor *block = single(NULL, 0, 40, plain);
    struct puma_message message;

    send("", 40, 0);
    send("", 40, 0);
    CHECK(puma_next(block, &message) && message.kept == 0 && message.bits == 40, "one is ready");
    CHECK(puma_next(block, &message) && !puma_next(block, &message), "and another one");
    puma_drop(block);
}

/* ---- the race of posting a receive ---- */

static void *flood(void *unused)
{
    struct puma_target where = target(30, 0);

    for (int i = 0; i < FLOOD; i++) {
        struct puma_sending sending;

        if (puma_send(list, (struct puma_buffer){&i, sizeof(i)}, &where, false, &sending)) {
            (void)puma_heard(&sending, true);
            puma_sent(&sending);
        }
    }
    return unused;
}

/* Receives one number: from the heap, or by an entry that is opened only if the heap stays empty. */
static int receive(struct puma_descriptor *heap)
{
    struct puma_match which = match(30);
    struct puma_message message;
    struct puma_descriptor *posted;
    int number = -1;
    const struct puma_buffer buffer = {&number, sizeof(number)};

    puma_in_front(list, heap);
    posted = puma_independent(list, &which, &buffer, 1, &(struct puma_options){.closed = true});
    while (!puma_open(posted, heap)) {
        if (puma_next(heap, &message)) {
            memcpy(&number, message.octets, sizeof(number));
            puma_release(heap, &message);
            puma_drop(posted);
            return number;
        }
    }
    while (!puma_next(posted, &message)) {
    }
    puma_drop(posted);
    return number;
}

//= PUMA-032
//= PUMA-036
//= PUMA-050
//= PUMA-051
//= PUMA-102
static void race(void)
{
    static char heap[FLOOD * 4 * sizeof(int)];
    struct puma_match which = match(30);
    struct puma_descriptor *unexpected =
        puma_dynamic(list, &which, (struct puma_buffer){heap, sizeof(heap)}, &(struct puma_options){.headers = FLOOD});
    pthread_t sender;
    int wrong = 0;

    if (pthread_create(&sender, NULL, flood, NULL) != 0) {
        CHECK(false, "a thread starts");
        return;
    }
    for (int i = 0; i < FLOOD; i++) {
        wrong += receive(unexpected) != i;
    }
    pthread_join(sender, NULL);
    CHECK_EQ(wrong, 0, "each message comes once and in order, posted or not");
    puma_in_front(list, NULL);
    puma_drop(unexpected);
}

int main(void)
{
    ni = support_open();
    list = puma_list_new(ni, PORTAL);
    single_block();
    single_options();
    dynamic_block();
    independent_block();
    combined_block();
    goes_on();
    overlays();
    marks_and_receives();
    portals_beneath();
    initiator_as_target();
    nothing_but_counted();
    race();
    puma_list_free(list);
    PtlFini();
    return tap_done();
}
