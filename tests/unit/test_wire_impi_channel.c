/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of channels between IMPI hosts: what breaks a rule, by conversations as in tests/unit/impi_play.h.
 */
#include "tests/unit/impi_play.h"
#include "tests/unit/tap.h"

static void play(const char *const *lines)
{
    struct wire_impi_channel channel;

    play_begin(&channel);
    play_lines(&channel, false, lines);
}

#define PLAY(...) play((const char *const[]){__VA_ARGS__, NULL})

static void a_good_channel(void)
{
    PLAY("c rank 1", "c DATA 2>0 s1 l5/5 t7", "c DATASYNC 2>0 s2 l10/10", "a PROTOACK 0>2", "a SYNCACK 0>2 s2 d9",
         "a DATASYNC 0>3 s2 l10/25 t1", "a DATA 0>3 s9 l3/3 t2", "c SYNCACK 3>0 s2 d5", "a DATA 0>3 s2 d5 l10/25 t1",
         "c PROTOACK 3>0", "a DATA 0>3 s2 d5 l5/25 t1", "c PROTOACK 3>0", "c FINI", "a DATA 1>2 l0/0 t110 c1", "a FINI",
         "a end", "c end");
}

static void ranks_open_a_channel(void)
{
    PLAY("c rank 0 ! rank-order", "a end", "c DATA 2>0 l100");
    PLAY("c rank 2 ! rank-form");
    play_job.clients[1].joined = true;
    PLAY("c rank 1 ! connected-early", "c DATA 2>0 l1");
    play_job.clients[1].told_done = true;
    PLAY("c rank 1");
    play_job.clients[1].joined = false;
    PLAY("c rank 0xffffffff ! rank-form");
}

/* Who accepts need not be known for it: nobody is below the first host. */
static void first_host_connects_to_nobody(void)
{
    struct wire_impi_channel channel;

    play_begin(&channel);
    channel.hosts[WIRE_IMPI_ACCEPTOR] = -1;
    if (CHECK_EQ(wire_impi_channel_rank(&channel, 0), 1, "rank 0 connects")) {
        CHECK(channel.findings.at[0].expected == 1 && channel.findings.at[0].observed == 0, "1 is the least");
    }
}

/* One more channel to the same host, in the same job. */
static void begin_another(struct wire_impi_channel *channel)
{
    wire_impi_channel_begin(channel,
                            &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, play_requests, PLAY_REQUESTS},
                            &play_limits);
    channel->job = &play_job;
    channel->hosts[WIRE_IMPI_ACCEPTOR] = 0;
}

/* Two hosts have one channel, and may make another when it is closed or when nobody has seen what became of it. */
static void one_channel_for_two_hosts(void)
{
    struct wire_impi_channel first, second;

    play_begin(&first);
    play_lines(&first, false, (const char *const[]){"c rank 1", NULL});
    begin_another(&second);
    play_lines(&second, false, (const char *const[]){"c rank 1 ! rank-twice", "c DATA 2>0 l1", NULL});
    play_lines(&first, false, (const char *const[]){"c gone", NULL});
    begin_another(&second);
    play_lines(&second, false, (const char *const[]){"c rank 1", "c lacks", NULL});
    begin_another(&second);
    play_lines(&second, false, (const char *const[]){"c rank 1", "c FINI", "a FINI", "a end", NULL});
    begin_another(&second);
    play_lines(&second, false, (const char *const[]){"c rank 1", NULL});
}

static void processes_belong_to_hosts(void)
{
    PLAY("c rank 1", "c DATA 0>1 l0 r0 ! packet-source", "c DATA 2>3 l0 ! packet-dest",
         "c DATA x>0 l0 r2 c7 ! packet-source", "a PROTOACK 2>0 ! packet-source packet-dest protoack-early",
         "a DATA 0>x l0 ! packet-dest");
}

static void lengths(void)
{
    PLAY("c DATA 2>0 l10/10", "c DATA 2>0 l11/11 ! data-limit long-by-data", "c DATA 2>1 l6/5 ! data-above-message",
         "c DATA 3>0 l4/5 ! short-in-parts", "c DATASYNC 3>1 s4 l4/5 ! short-in-parts");
}

static void tags_and_ranks(void)
{
    PLAY("c DATA 2>0 l0 t32767", "c DATA 2>0 l0 t32768 ! tag-range", "c DATA 2>0 l0 t-1 ! tag-range",
         "a DATA 0>2 l0 r1 ! lsrank", "a DATA 0>2 l0 c1 r1 ! lsrank", "a DATA 0>2 l0 c2 r3",
         "a DATA 1>2 l0 c2 r4 ! lsrank", "a DATA 1>2 l0 c2 r-1 ! lsrank");
}

static void long_messages(void)
{
    PLAY("c DATA 2>0 s1 l10/30 ! long-by-data", "c DATASYNC 2>0 s1 l10/30", "c DATA 2>0 s1 l10/30 ! long-unacked",
         "a PROTOACK 0>2", "a SYNCACK 0>2 s1 d5", "c DATA 2>0 s1 d6 l1/30 ! long-drqid",
         "c DATA 2>0 s1 d5 l1/30 t1 ! long-echo", "a PROTOACK 0>2", "c DATA 2>0 s1 d5 l1/30 c2 ! long-echo",
         "c DATA 2>0 s1 d5 l1/31 ! long-echo", "a PROTOACK 0>2", "c DATA 2>0 s2 d5 l1/30 ! long-echo",
         "c DATA 2>0 s1 d5 l10/30", "a PROTOACK 0>2", "c DATA 2>0 s1 d5 l10/30 ! long-too-much",
         "c DATA 2>0 s1 d5 l1/30 ! long-too-much");
    PLAY("c DATASYNC 2>0 s1 l10/30", "a SYNCACK 0>2 s1 d5", "c DATA 2>0 s1 d5 l10/30", "c FINI", "a FINI", "a end",
         "c end ! long-unfinished");
}

/* Where start-up was not seen, a long message shows by its first packet. */
static void long_messages_without_a_limit(void)
{
    struct wire_impi_channel channel;
    const char *const lines[] = {"c rank 9",
                                 "c DATASYNC 2>0 s1 l10/30 r77",
                                 "a SYNCACK 0>2 s1 d5",
                                 "c DATA 2>0 s1 d5 l10/30 r77",
                                 "c DATA 2>0 s3 l10000/10000 r77",
                                 "c DATA 2>0 s3 l10000/10001 r77 ! long-echo",
                                 "c DATA 2>0 s1 d5 l10/30 r77",
                                 "c DATA 2>0 s3 l10000/10001 r77 ! long-by-data",
                                 "c DATA x>0 s3 l1 r1",
                                 "a PROTOACK 0>2",
                                 NULL};

    wire_impi_channel_begin(&channel,
                            &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, play_requests, PLAY_REQUESTS},
                            &(struct wire_impi_limits){0});
    play_lines(&channel, false, lines);
}

static void synchronous_messages(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "a SYNCACK 0>2 s2 ! syncack-unasked", "a SYNCACK 1>2 s1 ! syncack-unasked",
         "a SYNCACK 0>2 s1", "a SYNCACK 0>2 s1 ! syncack-again");
    PLAY("c DATASYNC 2>0 s1 l1", "c DATASYNC 2>1 s1 l1 ! srqid-twice", "c DATASYNC 3>1 s1 l1", "a SYNCACK 1>2 s1",
         "a SYNCACK 0>2 s1", "c DATASYNC 2>0 s1 l1", "a SYNCACK 0>2 s1");
    PLAY("c DATA 2>0 s1 l1", "a SYNCACK 0>2 s1 ! syncack-unasked");
}

static void cancelling(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "c CANCEL 2>0 s1", "a PROTOACK 0>2", "a CANCELYES 0>2 s1",
         "a CANCELYES 0>2 s1 ! cancel-unasked", "a SYNCACK 0>2 s1 ! syncack-destroyed", "c FINI", "a FINI", "a end",
         "c end");
    PLAY("c DATASYNC 2>0 s1 l1", "a SYNCACK 0>2 s1", "c CANCEL 2>0 s1", "a CANCELYES 0>2 s1 ! cancelyes-matched");
    PLAY("c DATASYNC 2>0 s1 l1", "c CANCEL 2>0 s1", "a SYNCACK 0>2 s1", "a CANCELNO 0>2 s1");
    PLAY("c DATASYNC 2>0 s1 l10/20", "c CANCEL 2>0 s1", "a CANCELYES 0>2 s1", "c DATA 2>0 s1 l10/20 ! long-cancelled");
    PLAY("a CANCELNO 0>2 s1 ! cancel-unasked", "c CANCEL 3>0 s5", "a CANCELNO 1>3 s5 ! cancel-unasked",
         "a CANCELNO 0>3 s5");
    PLAY("c DATA 2>0 s5 l1", "c CANCEL 2>0 s5", "c FINI", "a FINI", "a end ! cancel-unanswered", "c end");
    /* what is sent behind FINI is owed nothing, and may be answered */
    PLAY("c DATA 2>0 s5 l1", "c FINI", "c CANCEL 2>0 s5 ! data-after-fini", "a FINI", "a end", "c end");
    PLAY("c DATA 2>0 s5 l1", "c FINI", "c CANCEL 2>0 s5 ! data-after-fini", "a CANCELYES 0>2 s5", "a FINI", "a end");
    PLAY("c DATA 2>0 s5 l1", "c CANCEL 2>0 s5", "c FINI", "c CANCEL 2>0 s5 ! data-after-fini", "a CANCELYES 0>2 s5",
         "a FINI", "a end", "c end");
    PLAY("c DATA 2>0 s5 l1", "c CANCEL 2>0 s5", "c FINI", "c CANCEL 2>0 s5 ! data-after-fini", "a FINI",
         "a end ! cancel-unanswered", "c end");
}

/* A short message takes over the srqid of one that is settled: cancelling it says nothing about the old one. */
static void srqids_come_again(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "a SYNCACK 0>2 s1", "c DATA 2>0 s1 l1", "c CANCEL 2>0 s1", "a CANCELYES 0>2 s1");
}

/* The violation is reported of who gives a srqid twice, not of who answers both. */
static void srqids_twice(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "c DATASYNC 2>0 s1 l1 ! srqid-twice", "a SYNCACK 0>2 s1 d4", "a SYNCACK 0>2 s1 d5",
         "a SYNCACK 0>2 s1 d6 ! syncack-again");
}

/* A srqid is free as soon as its message has its SYNCACK, also while a CANCEL of it is not answered. */
static void srqids_of_cancelled_messages(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "c CANCEL 2>0 s1", "a SYNCACK 0>2 s1 d5", "c DATASYNC 2>0 s1 l1", "a PROTOACK 0>2",
         "a CANCELNO 0>2 s1", "c PROTOACK 2>0", "a SYNCACK 0>2 s1 d6", "a CANCELNO 0>2 s1 ! cancel-unasked");
    PLAY("c DATASYNC 2>0 s1 l1", "c CANCEL 2>0 s1", "a SYNCACK 0>2 s1 d5", "c DATA 2>0 s1 l1", "a PROTOACK 0>2",
         "a CANCELNO 0>2 s1", "a CANCELNO 0>2 s1 ! cancel-unasked");
    PLAY("c DATASYNC 2>0 s1 l1", "c CANCEL 2>0 s1", "a SYNCACK 0>2 s1 d5", "c DATASYNC 2>0 s1 l1", "a PROTOACK 0>2",
         "c CANCEL 2>0 s1", "a CANCELNO 0>2 s1", "c PROTOACK 2>0", "a CANCELYES 0>2 s1",
         "a SYNCACK 0>2 s1 ! syncack-destroyed");
}

/* One source gives the same srqid to so many that nobody looks through all of them: no answer is held to be unasked. */
static void srqids_without_end(void)
{
    static struct wire_impi_request many[2000];
    struct wire_impi_channel channel;
    struct wire_impi_packet packet = {.type = WIRE_IMPI_DATASYNC, .srqid = 1, .len = 1, .msglen = 1};
    unsigned unasked = 0;

    wire_impi_channel_begin(&channel, &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, many, 2000},
                            &(struct wire_impi_limits){0});
    for (uint64_t i = 0; i < 2000; i++) {
        packet.dest.pid = i == 0 ? 7 : 8;
        (void)wire_impi_channel_packet(&channel, WIRE_IMPI_CONNECTOR, &packet, i + 1);
    }
    packet = (struct wire_impi_packet){.type = WIRE_IMPI_SYNCACK, .srqid = 1, .src = {.pid = 7}};
    if (wire_impi_channel_packet(&channel, WIRE_IMPI_ACCEPTOR, &packet, 3000)) {
        unasked++;
    }
    CHECK(unasked == 0 && channel.forgotten > 0, "what was not found is counted as forgotten");
}

static void flow_control(void)
{
    PLAY("c DATA 2>0 l1", "c DATA 2>0 l1", "c DATA 2>0 l1", "c DATA 2>1 l1", "c DATA 3>0 l1", "a DATA 0>2 l1",
         "c DATA 2>0 l1 ! above-hiwater", "c DATA 2>0 l1", "a PROTOACK 0>2", "c DATA 2>0 l1 ! above-hiwater",
         "a PROTOACK 0>2", "a PROTOACK 0>2", "a PROTOACK 0>2 ! protoack-early", "c DATA 2>0 l1");
    PLAY("a PROTOACK 0>2 ! protoack-early", "c DATA 2>0 l1", "a PROTOACK 0>2 ! protoack-early", "c DATA 3>0 l1",
         "a PROTOACK 0>2 ! protoack-early", "c PROTOACK 2>0 ! protoack-early", "c DATASYNC 2>0 s1 l1",
         "a PROTOACK 0>2");
    PLAY("c DATA 2>0 l1", "a PROTOACK 0>2 ! protoack-early", "c DATA 2>0 l1", "c DATA 2>0 l1", "c DATA 2>0 l1",
         "c DATA 2>0 l1", "c DATA 2>0 l1 ! above-hiwater", "a PROTOACK 0>2", "c DATA 2>0 l1",
         "c DATA 2>0 l1 ! above-hiwater");
}

/* Everything but PROTOACK and FINI counts. */
static void answers_count(void)
{
    PLAY("c DATASYNC 2>0 s1 l1", "a SYNCACK 0>2 s1", "c DATASYNC 2>0 s2 l1", "a PROTOACK 0>2", "a SYNCACK 0>2 s2",
         "c DATASYNC 2>0 s3 l1", "a SYNCACK 0>2 s3", "c DATASYNC 2>0 s4 l1", "a SYNCACK 0>2 s4 ! above-hiwater-syncack",
         "c PROTOACK 2>0", "a DATA 0>2 l1", "a DATA 0>2 l1 ! above-hiwater-syncack");
    PLAY("c CANCEL 2>0 s1", "c CANCEL 2>0 s2", "a PROTOACK 0>2", "c CANCEL 2>0 s3", "c CANCEL 2>0 s4",
         "c CANCEL 2>0 s5", "c CANCEL 2>0 s6 ! above-hiwater-cancel", "a CANCELNO 0>2 s1", "a CANCELNO 0>2 s2",
         "a CANCELNO 0>2 s3", "a CANCELNO 0>2 s4 ! above-hiwater-reply");
}

static void the_end(void)
{
    PLAY("c FINI", "c FINI ! fini-again", "c DATA 2>0 l1 ! data-after-fini", "c CANCEL 2>0 s1 ! data-after-fini",
         "a DATA 0>2 l1", "a DATA 0>2 l1", "c PROTOACK 2>0", "a CANCELNO 0>2 s1");
    PLAY("c end ! closed-without-fini", "a end");
    PLAY("c rank 1", "a end", "c end");
    PLAY("c FINI", "c end ! closed-before-fini", "a end");
    PLAY("c FINI", "a end ! closed-without-fini", "c end");
    PLAY("a DATA 0>2 l1", "a end inside ! closed-inside", "c end");
    PLAY("c broken ! packet-type", "c broken", "c DATA 2>0 l11/12", "a end", "c end");
    PLAY("c DATA 2>0 l1", "c DATA 2>0 l1", "c DATA 2>0 l1", "c FINI", "a FINI", "a end ! protoack-missing", "c end");
    PLAY("c DATA 2>0 l1", "c DATA 2>0 l1", "c FINI", "a FINI", "a end", "c end");
}

/* With no room at all, and with little, nothing is told that is not certain. */
static void little_room(void)
{
    struct wire_impi_channel channel;
    const char *const lines[] = {"c DATASYNC 2>0 s1 l1",
                                 "c DATASYNC 2>1 s2 l1",
                                 "c DATASYNC 3>0 s3 l1",
                                 "a SYNCACK 0>2 s1",
                                 "a SYNCACK 1>2 s2",
                                 "a SYNCACK 0>3 s3",
                                 "c DATA 2>0 s1 l11/11 ! data-limit",
                                 "a CANCELYES 0>2 s1",
                                 NULL};

    for (uint32_t room = 0; room < 3; room++) {
        wire_impi_channel_begin(
            &channel, &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, play_requests, room}, &play_limits);
        play_lines(&channel, false, lines);
        CHECK(channel.forgotten > 0, "with room for %u messages some are given up", room);
        wire_impi_channel_begin(
            &channel, &(struct wire_impi_channel_tables){play_pairs, room, play_requests, PLAY_REQUESTS}, &play_limits);
        play_lines(&channel, false, lines);
        CHECK(channel.forgotten > 0, "with room for %u pairs too", room);
    }
}

/* Messages that are settled make room for others, however many there are. */
static void settled_messages_give_way(void)
{
    struct wire_impi_channel channel;
    bool good = true;

    wire_impi_channel_begin(&channel,
                            &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, play_requests, PLAY_REQUESTS},
                            &(struct wire_impi_limits){.datalen = 10});
    for (uint64_t i = 1; i <= 10 * PLAY_REQUESTS; i++) {
        struct wire_impi_packet packet = {
            .type = WIRE_IMPI_DATASYNC, .src = {.pid = 102}, .dest = {.pid = 100}, .srqid = i, .lsrank = 2};
        struct wire_impi_packet answer = {
            .type = WIRE_IMPI_SYNCACK, .src = {.pid = 100}, .dest = {.pid = 102}, .srqid = i};

        good = good && wire_impi_channel_packet(&channel, WIRE_IMPI_CONNECTOR, &packet, i) == 0;
        good = good && wire_impi_channel_packet(&channel, WIRE_IMPI_ACCEPTOR, &answer, i) == 0;
    }
    CHECK(good && channel.forgotten == 0, "ten times as many messages as there is room for");
}

static void rules_are_whole(void)
{
    for (int i = 1; i < WIRE_IMPI_VIOLATIONS; i++) {
        const struct wire_impi_rule *rule = wire_impi_rule_of((enum wire_impi_violation)i);

        CHECK(rule->name && strncmp(rule->requirement, "IMPI-", 5) == 0 && rule->text, "rule %d is described", i);
        for (int j = 1; j < i; j++) {
            if (strcmp(rule->name, wire_impi_rule_of((enum wire_impi_violation)j)->name) == 0) {
                CHECK(false, "%s is the name of two rules", rule->name);
            }
        }
    }
}

int main(void)
{
    play_make_job();
    TAP_RUN(a_good_channel);
    TAP_RUN(ranks_open_a_channel);
    TAP_RUN(first_host_connects_to_nobody);
    TAP_RUN(one_channel_for_two_hosts);
    TAP_RUN(processes_belong_to_hosts);
    TAP_RUN(lengths);
    TAP_RUN(tags_and_ranks);
    TAP_RUN(long_messages);
    TAP_RUN(long_messages_without_a_limit);
    TAP_RUN(synchronous_messages);
    TAP_RUN(cancelling);
    TAP_RUN(srqids_come_again);
    TAP_RUN(srqids_twice);
    TAP_RUN(srqids_of_cancelled_messages);
    TAP_RUN(srqids_without_end);
    TAP_RUN(flow_control);
    TAP_RUN(answers_count);
    TAP_RUN(the_end);
    TAP_RUN(little_room);
    TAP_RUN(settled_messages_give_way);
    TAP_RUN(rules_are_whole);
    return tap_done();
}
