/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker of channels between IMPI hosts only notes, by conversations as in tests/unit/impi_play.h: where the
 * evidence suffices, where it does not, and that a note is told once and counted.
 */
#include "tests/unit/impi_play.h"
#include "tests/unit/tap.h"

static struct wire_impi_channel channel;

static void play(const char *const *lines)
{
    play_begin(&channel);
    channel.limits.hiwater = 0; /* flow control is not what this is about */
    play_lines(&channel, true, lines);
}

#define PLAY(...) play((const char *const[]){__VA_ARGS__, NULL})

static void nothing_to_note(void)
{
    PLAY("c rank 1", "c DATA 2>0 s1 l4/4 =01020304", "c DATASYNC 2>0 s2 l10/25 t11", "a SYNCACK 0>2 s2 d1",
         "c DATA 2>0 s2 d1 l10/25 t11", "c DATA 2>0 s2 d1 l5/25 t11", "c DATA 2>0 s3 l0 t110 c1",
         "a DATA 0>2 s1 l0 t110 c1", "a DATA 0>2 s1 l0 t190 c1", "c CANCEL 2>0 s3", "c FINI");
}

static void request_identifiers(void)
{
    PLAY("c DATA 2>0 s0 l1", "c DATA 2>0 s1 l1", "c DATA 3>0 s0 l1", "c DATA 2>0 s0 l1 ? srqid-zero",
         "c DATA 2>0 s0 l1", "c DATA 3>0 s0 l1 ? srqid-zero");
    CHECK_EQ(channel.notes.at[0].tally->times, 2, "the message that was no evidence yet counts too");
    CHECK_EQ(channel.notes.at[0].pids[0], 103, "the source of the note");
    CHECK_EQ(channel.notes.at[0].pids[1], 100, "its destination");
    PLAY("c DATASYNC 2>0 s0 l10/30", "a SYNCACK 0>2 s0 d1", "c DATA 2>0 s0 d1 l10/30", "c DATA 2>0 s0 d1 l10/30");
}

static void lengths(void)
{
    PLAY("a DATASYNC 0>2 s1 l1", "c SYNCACK 2>0 s1 l128/0 ? length-without-data", "c FINI 2>0 l128/0",
         "a FINI 0>2 l1/0 ? length-without-data");
    PLAY("c DATASYNC 2>0 s1 l9/11 ? first-packet-smaller", "c DATASYNC 2>0 s2 l1/11", "c DATASYNC 2>0 s3 l10/11");
    PLAY("c DATA 2>0 s1 l1 v1 ? reserved-used", "c DATA 2>0 s2 l1 v1", "a SYNCACK 0>2 ! syncack-unasked");
}

static void unused_fields(void)
{
    PLAY("a DATASYNC 0>2 s1 l1", "c SYNCACK 2>0 s1 d0 t5 ? unused-syncack",
         "c PROTOACK 2>0 c7 ! protoack-early ? unused-protoack", "c PROTOACK 2>0 c9 ! protoack-early",
         "a PROTOACK 0>2 s3 ! protoack-early ? unused-protoack", "a DATA 0>2 s2 l1",
         "a CANCEL 0>2 s2 c1 ? unused-cancel", "c CANCELNO 2>0 s2 v1 ? unused-cancel", "c FINI 2>0 d5 ? unused-fini");
    CHECK_EQ(channel.unused[WIRE_IMPI_CONNECTOR][WIRE_IMPI_PROTOACK].times, 2, "the second one counts too");
    PLAY("a DATASYNC 0>2 s1 l1", "c SYNCACK 2>0 s1 d0 t-1", "c PROTOACK 2>0 v-1 ! protoack-early",
         "c FINI 2>0 s-1 d-1");
}

static void contexts(void)
{
    PLAY("c DATA 2>0 s1 l0 t110 c1", "a DATA 0>2 s1 l4 t190 c0 ? reduce-context", "a DATA 0>2 s2 l4 t190 c0",
         "c DATA 2>0 s2 l4 t150 c0 ? move-context", "c DATA 2>0 s3 l4 t200 ? collective-context",
         "c DATA 2>0 s4 l4 t110 c0", "c DATA 2>0 s5 l4 t200");
    PLAY("c DATA 2>0 s1 l0 t190 c0", "c DATA 2>0 s2 l0 t110 c1", "c DATA 3>0 s3 l0 t190 c0", "c DATA 2>0 s4 l0 t190 c2",
         "c DATA 2>0 s5 l0 t110 c1", "c DATA 2>0 s6 l0 t7 c0", "c DATA 2>0 s7 l0 t190 c0");
    PLAY("c DATA 3>0 s1 l0 t190 c1", "c DATA 2>0 s1 l0 t110 c1", "c DATA 2>0 s2 l0 t190 c0");
    PLAY("c DATA 2>0 s1 l0 t7 c1 ? collective-tag", "c DATA 3>0 s1 l0 t210 c1", "a DATA 0>2 s1 l0 t220 c4");
}

static void order_of_octets(void)
{
    PLAY("c DATA 2>0 s1 l4 =01000000", "c DATA 2>0 s2 l4 =02000000", "c DATA 2>0 s3 l8 =0300000000000000",
         "c DATA 2>0 s4 l4 =04000000", "c DATA 2>0 s5 l4 =05000000", "c DATA 2>0 s6 l4 =06000000",
         "c DATA 2>0 s7 l4 =07000000", "c DATASYNC 2>0 s8 l4 =08000000 ? native-order", "c DATA 2>0 s9 l4 =09000000");
    PLAY("c DATA 2>0 s1 l4 =01000000", "c DATA 2>0 s2 l4 =02000000", "c DATA 2>0 s3 l4 =00000003",
         "c DATA 2>0 s4 l4 =04000000", "c DATA 2>0 s5 l4 =05000000", "c DATA 2>0 s6 l4 =06000000",
         "c DATA 2>0 s7 l4 =07000000", "c DATA 2>0 s8 l4 =08000000", "c DATA 2>0 s9 l4 =09000000");
}

/* What says nothing: one value again and again, floating point numbers whose octets look like small integers from the
 * other end, integers of two octets, zero, other lengths, data that were not seen. */
static void no_evidence_of_order(void)
{
    static const char *const data[] = {"l4 =61000000", "l4 =40000000",         "l8 =4000000000000000",
                                       "l4 =00050000", "l4 =00000000",         "l8 =0000000000000000",
                                       "l2 =0100",     "l8 =0100000002000000", "l4",
                                       "l4 =3f800000", "l8 =bff8000000000000", "l8 =0000000000000000"};

    play_begin(&channel);
    channel.limits.hiwater = 0;
    for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++) {
        for (unsigned again = 1; again < 20; again++) {
            char line[80];
            snprintf(line, sizeof line, "c DATA 2>0 s%u %s", again, data[i]);
            play_lines(&channel, true, (const char *const[]){line, NULL});
        }
    }
}

/* What was seen of one packet's data says nothing about the next one. */
static void data_belong_to_one_packet(void)
{
    PLAY("c DATA 2>0 s1 l10 =0100000000", "c DATA 2>0 s2 l4 =00000001", "a DATA 0>2 s1 l4 =00000002");
    CHECK(channel.head[0].len == 0 && channel.head[1].len == 0, "what is judged is forgotten");
}

/* The two hosts allow more than a third one: 3 and 4, where the job has 2 and 3. */
static void limits_of_two_hosts(void)
{
    struct wire_impi_job_host *hosts = play_job.tables.hosts;
    const char *const sender[] = {"c rank 1",
                                  "c DATA 2>0 s1 l1",
                                  "c DATA 2>0 s2 l1",
                                  "c DATA 2>0 s3 l1",
                                  "c DATA 2>0 s4 l1 ? limits-of-pair",
                                  "a PROTOACK 0>2",
                                  "c DATA 2>0 s5 l1",
                                  "c DATA 2>0 s6 l1",
                                  "c DATA 2>0 s7 l1",
                                  "c DATA 2>0 s8 l1 ! above-hiwater",
                                  NULL};
    const char *const receiver[] = {"c rank 1",
                                    "c DATA 3>0 s1 l1",
                                    "c DATA 3>0 s2 l1",
                                    "c DATA 3>0 s3 l1",
                                    "c FINI ? finalize-barrier",
                                    "a FINI",
                                    "a end ? limits-of-pair",
                                    NULL};

    hosts[0].ackmark = 3;
    hosts[0].hiwater = 5;
    hosts[1].ackmark = 4;
    hosts[1].hiwater = 4;
    play_begin(&channel);
    play_lines(&channel, true, sender);
    play_begin(&channel);
    play_lines(&channel, true, receiver);
    hosts[0].ackmark = 0;
    hosts[0].hiwater = 0;
}

/* Host 0 has the first master, host 1 that of the other client. */
static void barrier_of_finalize(void)
{
    PLAY("c rank 1", "a FINI ? finalize-barrier", "c FINI");
    PLAY("c rank 1", "a DATA 0>2 s1 l0 t110 c1", "c DATA 3>0 s1 l0 t110 c3", "c FINI ? finalize-barrier");
    PLAY("c rank 1", "a DATA 0>2 s1 l0 t110 c1", "c DATA 2>0 s1 l0 t110 c1", "c FINI", "a FINI");
    play_job.size = 4; /* with more clients only where their barrier is known to be linear */
    PLAY("c rank 1", "c FINI");
    play_job.maxlinear = 5;
    PLAY("c rank 1", "c FINI ? finalize-barrier");
    play_job.size = 2;
    play_job.maxlinear = -1;
    play_job.tables.hosts[1].client = 0;
    PLAY("c rank 1", "c FINI");
    play_job.tables.hosts[1].client = 1;
}

static void open_channels(void)
{
    struct wire_impi_job_host *hosts = play_job.tables.hosts;

    hosts[0].channels = hosts[1].channels = 0;
    PLAY("c rank 1", "c FINI ? finalize-barrier", "c end ! closed-before-fini");
    CHECK(hosts[0].channels == 1 && hosts[1].channels == 0, "who has closed has no channel any more");
    PLAY("c gone");
    hosts[0].channels = 0;
    PLAY("c rank 1", "c gone", "c gone", "c end ! closed-without-fini", "a end");
    CHECK(hosts[0].channels == 0 && hosts[1].channels == 0, "nor has anybody after a reset");
    PLAY("c rank 1", "a lacks", "c DATA 2>0 l1", "c end ! closed-without-fini");
    CHECK(hosts[0].channels == 0 && hosts[1].channels == 0, "nor where octets are missing");
    PLAY("c rank 7 ! rank-form", "c end");
    CHECK(hosts[0].channels == 0 && hosts[1].channels == 0, "nor where it is none");
}

int main(void)
{
    play_make_job();
    TAP_RUN(nothing_to_note);
    TAP_RUN(request_identifiers);
    TAP_RUN(lengths);
    TAP_RUN(unused_fields);
    TAP_RUN(contexts);
    TAP_RUN(order_of_octets);
    TAP_RUN(no_evidence_of_order);
    TAP_RUN(data_belong_to_one_packet);
    TAP_RUN(limits_of_two_hosts);
    TAP_RUN(barrier_of_finalize);
    TAP_RUN(open_channels);
    return tap_done();
}
