/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The second witness: what the system under test does wrong on the wire fails a case that did not ask about it; what a
 * scripted peer does wrong is nobody's fault; no verdict about the system is taken back.
 */
#include "tester/witness.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>

static const char *const requirements[] = {"P30-286", NULL};
static const struct engine_case about = {.id = "x", .requirements = requirements};
static const struct wire_portals_id sut = {0x7f000001, 50001, 7, 0}, peer = {0x7f000001, 50002, 0x7e000001, 0};
static bool all_read = true;

/* A case with its judge, its witness and a stream that the system under test has opened to the peer. */
struct scene {
    struct judge judge;
    struct witness *witness;
    struct flow flow;
};

static bool is_quiet(void *context)
{
    return *(const bool *)context;
}

static struct flow flow_new(void)
{
    struct flow flow = {.interface = PCAPNG_WIRE};

    for (int side = FLOW_MANAGER; side <= FLOW_SUT; side++) {
        flow.ends[side].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        flow.ends[side].sin_port = htons((uint16_t)(50001 + side));
    }
    return flow;
}

static void say(struct flow *flow, enum flow_side from, const struct wire_portals_header *header)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX + 16] = {0};
    size_t len = 0;

    if (wire_portals_encode(header, octets, WIRE_PORTALS_HEADER_MAX, &len) != WIRE_OK) {
        abort();
    }
    flow_data(NULL, flow, from, octets, len + (header->operation == WIRE_PORTALS_PUT ? (size_t)header->rlength : 0));
}

static struct wire_portals_header message(uint32_t operation, const struct wire_portals_id *from,
                                          const struct wire_portals_id *to)
{
    return (struct wire_portals_header){.operation = operation,
                                        .initiator = *from,
                                        .target = *to,
                                        .version_major = operation == WIRE_PORTALS_HELLO,
                                        .group_size = operation == WIRE_PORTALS_HELLO,
                                        .md = 5,
                                        .rlength = operation == WIRE_PORTALS_HELLO ? 0 : 8,
                                        .mlength = operation == WIRE_PORTALS_ACK ? 8 : 0};
}

static void greet(struct flow *flow)
{
    struct wire_portals_header hello = message(WIRE_PORTALS_HELLO, &sut, &peer);
    struct wire_portals_header answer = message(WIRE_PORTALS_HELLO, &peer, &sut);

    flow_open(NULL, flow, FLOW_SUT);
    say(flow, FLOW_SUT, &hello);
    say(flow, FLOW_MANAGER, &answer);
}

static void scene_open(struct scene *scene)
{
    judge_open(&scene->judge, &about);
    scene->witness = witness_open(NULL, is_quiet, &all_read);
    scene->flow = flow_new();
    witness_listen(scene->witness, &scene->flow, &peer);
    greet(&scene->flow);
}

static void scene_close(struct scene *scene)
{
    witness_close(scene->witness);
    judge_release(&scene->judge);
}

/* An acknowledgement by the system under test, and how many puts the peer made for it. */
static void acknowledge(struct scene *scene, unsigned puts)
{
    struct wire_portals_header put = message(WIRE_PORTALS_PUT, &peer, &sut);
    struct wire_portals_header ack = message(WIRE_PORTALS_ACK, &sut, &peer);

    for (unsigned i = 0; i < puts; i++) {
        say(&scene->flow, FLOW_MANAGER, &put);
    }
    say(&scene->flow, FLOW_SUT, &ack);
}

static void nothing_wrong(void)
{
    struct scene scene;

    scene_open(&scene);
    acknowledge(&scene, 1);
    judge_pass(&scene.judge, "P30-286");
    witness_judge(scene.witness, &scene.judge, false);
    judge_complete(&scene.judge);
    CHECK(scene.judge.verdict == ENGINE_PASS, "a good conversation leaves the verdict alone");
    scene_close(&scene);
}

static void breach_fails_the_case(void)
{
    struct scene scene;

    scene_open(&scene);
    acknowledge(&scene, 1);
    acknowledge(&scene, 0);
    judge_pass(&scene.judge, "P30-286");
    witness_judge(scene.witness, &scene.judge, false);
    judge_complete(&scene.judge);
    CHECK(scene.judge.verdict == ENGINE_FAIL, "a second acknowledgement");
    CHECK_STR(scene.judge.requirement, "P30-010", "by its requirement");
    CHECK_STR(scene.judge.axis, "sut", "is the system's fault");
    CHECK(strstr(scene.judge.observed, "ack-again") != NULL, "and is described: %s", scene.judge.observed);
    scene_close(&scene);
}

static void forgery_is_no_breach(void)
{
    struct scene scene;
    struct wire_portals_header put = message(WIRE_PORTALS_PUT, &sut, &peer); /* not who the peer is */

    scene_open(&scene);
    say(&scene.flow, FLOW_MANAGER, &put);
    witness_judge(scene.witness, &scene.judge, false);
    CHECK(!scene.judge.ended, "what a peer forges is not judged");
    struct wire_portals_header ack = message(WIRE_PORTALS_ACK, &sut, &peer);
    say(&scene.flow, FLOW_SUT, &ack);
    witness_judge(scene.witness, &scene.judge, false);
    CHECK_STR(scene.judge.requirement, "P30-329", "answering it is");
    scene_close(&scene);
}

static void who_is_overruled(void)
{
    static const struct {
        enum engine_verdict verdict, becomes;
        const char *axis, *requirement, *what;
    } ends[] = {
        {ENGINE_FAIL, ENGINE_FAIL, "sut", "P30-286", "a failure stays what it is"},
        {ENGINE_SKIP, ENGINE_SKIP, "configuration", "", "a skipped case stays skipped"},
        {ENGINE_INCONCLUSIVE, ENGINE_INCONCLUSIVE, "configuration", "", "the configuration's fault stays"},
        {ENGINE_INCONCLUSIVE, ENGINE_FAIL, "tester", "P30-010", "a case that came to nothing is explained"},
        {ENGINE_INCONCLUSIVE, ENGINE_FAIL, "sut", "P30-010", "so is one whose preparation failed"},
    };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct scene scene;

        scene_open(&scene);
        acknowledge(&scene, 0);
        judge_end(&scene.judge, ends[i].verdict, ends[i].axis, ends[i].verdict == ENGINE_FAIL ? "P30-286" : "", "so",
                  "", "");
        witness_judge(scene.witness, &scene.judge, false);
        CHECK(scene.judge.verdict == ends[i].becomes, "%s", ends[i].what);
        CHECK_STR(scene.judge.requirement, ends[i].requirement, "the requirement");
        scene_close(&scene);
    }
}

static void known_reading_stays_a_warning(void)
{
    struct scene scene;

    scene_open(&scene);
    acknowledge(&scene, 0);
    judge_warn(&scene.judge, "P30-010", "a later reading", "", "");
    witness_judge(scene.witness, &scene.judge, false);
    CHECK(scene.judge.verdict == ENGINE_WARN, "what the case has warned of stays a warning");
    scene_close(&scene);
}

static void end_inside_a_message(void)
{
    for (int lost = 0; lost < 2; lost++) {
        struct scene scene;

        scene_open(&scene);
        flow_data(NULL, &scene.flow, FLOW_SUT, "\0\0\0\1", 4);
        flow_finish(NULL, &scene.flow, FLOW_SUT);
        witness_judge(scene.witness, &scene.judge, lost);
        CHECK_STR(scene.judge.requirement, lost ? "" : "PW-19", lost ? "of a lost process" : "of a living one");
        scene_close(&scene);
    }
}

static void second_stream(void)
{
    for (int read = 0; read < 2; read++) {
        struct scene scene;
        struct flow other = flow_new();
        struct wire_portals_header put = message(WIRE_PORTALS_PUT, &sut, &peer);

        scene_open(&scene);
        say(&scene.flow, FLOW_SUT, &put);
        witness_listen(scene.witness, &other, &peer);
        greet(&other);
        all_read = read;
        say(&other, FLOW_SUT, &put);
        witness_judge(scene.witness, &scene.judge, false);
        CHECK_STR(scene.judge.requirement, read ? "PW-18" : "",
                  read ? "the order between streams is certain" : "the end of the first may not have been read");
        all_read = true;
        scene_close(&scene);
    }
}

int main(void)
{
    TAP_RUN(nothing_wrong);
    TAP_RUN(breach_fails_the_case);
    TAP_RUN(forgery_is_no_breach);
    TAP_RUN(who_is_overruled);
    TAP_RUN(known_reading_stays_a_warning);
    TAP_RUN(end_inside_a_message);
    TAP_RUN(second_stream);
    return tap_done();
}
