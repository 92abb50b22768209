/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker: what the system under test does wrong on the wire fails a case that did not ask about it; what a
 * scripted peer does wrong is nobody's fault, and must have been declared; no verdict about the system is taken back.
 */
#include "tester/judging/passive_checker.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>

static const char *const requirements[] = {"P30-286", NULL};
static const struct case_info about = {.id = "x", .requirements = requirements};
static const struct case_info negative_case = {.id = "y", .requirements = requirements, .negative = true};
static const struct wire_portals_id sut = {0x7f000001, 50001, 7, 0}, peer = {0x7f000001, 50002, 0x7e000001, 0};
static bool all_read = true;

/* A case with its judge, its passive checker and a stream that the system under test has opened to the peer. */
struct scene {
    struct judge judge;
    struct forgeries *forgeries;
    struct passive_checker *checker;
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
    scene->forgeries = forgery_open();
    scene->checker = passive_checker_open(NULL, scene->forgeries, is_quiet, &all_read);
    scene->flow = flow_new();
    passive_checker_listen(scene->checker, &scene->flow, &peer);
    greet(&scene->flow);
}

static void scene_close(struct scene *scene)
{
    passive_checker_close(scene->checker);
    forgery_close(scene->forgeries);
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
    passive_checker_judge(scene.checker, &scene.judge, false);
    judge_complete(&scene.judge);
    CHECK(scene.judge.verdict == VERDICT_PASS, "a good conversation leaves the verdict alone");
    scene_close(&scene);
}

static void violation_fails_the_case(void)
{
    struct scene scene;

    scene_open(&scene);
    acknowledge(&scene, 1);
    acknowledge(&scene, 0);
    judge_pass(&scene.judge, "P30-286");
    passive_checker_judge(scene.checker, &scene.judge, false);
    judge_complete(&scene.judge);
    CHECK(scene.judge.verdict == VERDICT_FAIL, "a second acknowledgement");
    CHECK_STR(scene.judge.requirement, "P30-010", "by its requirement");
    CHECK_STR(scene.judge.axis, "sut", "is the system's fault");
    CHECK(strstr(scene.judge.observed, "ack-again") != NULL, "and is described: %s", scene.judge.observed);
    scene_close(&scene);
}

static void forgery_is_no_violation(void)
{
    struct scene scene;
    struct wire_portals_header put = message(WIRE_PORTALS_PUT, &sut, &peer); /* not who the peer is */

    scene_open(&scene);
    say(&scene.flow, FLOW_MANAGER, &put);
    passive_checker_judge(scene.checker, &scene.judge, false);
    CHECK(!scene.judge.ended, "what a peer forges is not judged");
    struct wire_portals_header ack = message(WIRE_PORTALS_ACK, &sut, &peer);
    say(&scene.flow, FLOW_SUT, &ack);
    passive_checker_judge(scene.checker, &scene.judge, false);
    CHECK_STR(scene.judge.requirement, "P30-329", "answering it is");
    scene_close(&scene);
}

/* What a case declares of its peers, and what it makes of the verdict. */
static void forgery_must_be_declared(void)
{
    static const struct {
        const char *declares; /* the rule that the case names, or NULL */
        bool forges, sane, owes;
        const struct case_info *about;
        const char *reason; /* a part of it; NULL: the case is good */
    } cases[] = {
        {"forged-initiator", true, true, false, &negative_case, NULL},
        {NULL, false, false, false, &about, NULL},
        {"wrong-target", true, true, false, &negative_case, "does not declare it: PW-20 (forged-initiator)"},
        {NULL, true, true, false, &about, "does not declare it: PW-20 (forged-initiator)"},
        {NULL, false, true, false, &negative_case, "has not shown any message to be invalid"},
        {"forged-initiator", true, false, false, &negative_case, "has no sanity step"},
        {"forged-initiator", true, true, false, &about, "does not say that it is negative"},
        {"forged-initiator", true, true, true, &negative_case, "accepted in another state: a put"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene scene;
        struct wire_portals_header put = message(WIRE_PORTALS_PUT, cases[i].forges ? &sut : &peer, &sut);

        scene_open(&scene);
        scene.judge.about = cases[i].about;
        say(&scene.flow, FLOW_MANAGER, &put);
        if (cases[i].declares) {
            bool right = strcmp(cases[i].declares, "forged-initiator") == 0;
            CHECK(forgery_declare(scene.forgeries, NULL, cases[i].declares) == right, "the declaration is looked up");
            CHECK(!forgery_declare(scene.forgeries, &scene.flow, cases[i].declares), "and stands for what was heard");
        }
        if (cases[i].sane) {
            forgery_sane(scene.forgeries);
        }
        if (cases[i].owes) {
            forgery_settle(scene.forgeries, forgery_owe(scene.forgeries, "what is paid"));
            (void)forgery_owe(scene.forgeries, "a put");
        }
        forgery_judge(scene.forgeries, &scene.judge);
        CHECK(cases[i].reason ? strstr(scene.judge.reason, cases[i].reason) != NULL : !scene.judge.ended,
              "case %zu: %s", i, scene.judge.reason);
        scene_close(&scene);
    }
}

static void who_is_overruled(void)
{
    static const struct {
        enum verdict verdict, becomes;
        const char *axis, *requirement, *what;
    } ends[] = {
        {VERDICT_FAIL, VERDICT_FAIL, "sut", "P30-286", "a failure stays what it is"},
        {VERDICT_SKIP, VERDICT_SKIP, "configuration", "", "a skipped case stays skipped"},
        {VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE, "configuration", "", "the configuration's fault stays"},
        {VERDICT_INCONCLUSIVE, VERDICT_FAIL, "tester", "P30-010", "a case that came to nothing is explained"},
        {VERDICT_INCONCLUSIVE, VERDICT_FAIL, "sut", "P30-010", "so is one whose preparation failed"},
    };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct scene scene;

        scene_open(&scene);
        acknowledge(&scene, 0);
        judge_end(&scene.judge, ends[i].verdict, ends[i].axis, ends[i].verdict == VERDICT_FAIL ? "P30-286" : "", "so",
                  "", "");
        passive_checker_judge(scene.checker, &scene.judge, false);
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
    passive_checker_judge(scene.checker, &scene.judge, false);
    CHECK(scene.judge.verdict == VERDICT_WARN, "what the case has warned of stays a warning");
    scene_close(&scene);
}

static void end_inside_a_message(void)
{
    for (int lost = 0; lost < 2; lost++) {
        struct scene scene;

        scene_open(&scene);
        flow_data(NULL, &scene.flow, FLOW_SUT, "\0\0\0\1", 4);
        flow_finish(NULL, &scene.flow, FLOW_SUT);
        passive_checker_judge(scene.checker, &scene.judge, lost);
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
        passive_checker_listen(scene.checker, &other, &peer);
        greet(&other);
        all_read = read;
        say(&other, FLOW_SUT, &put);
        passive_checker_judge(scene.checker, &scene.judge, false);
        CHECK_STR(scene.judge.requirement, read ? "PW-18" : "",
                  read ? "the order between streams is certain" : "the end of the first may not have been read");
        all_read = true;
        scene_close(&scene);
    }
}

int main(void)
{
    TAP_RUN(nothing_wrong);
    TAP_RUN(violation_fails_the_case);
    TAP_RUN(forgery_is_no_violation);
    TAP_RUN(forgery_must_be_declared);
    TAP_RUN(who_is_overruled);
    TAP_RUN(known_reading_stays_a_warning);
    TAP_RUN(end_inside_a_message);
    TAP_RUN(second_stream);
    return tap_done();
}
