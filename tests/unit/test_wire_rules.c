/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The rules about single headers: every file in vectors/invalid breaks the one that it names, no other vector between A
 * and B breaks any, and what a receiver has to do is what the binding's table says.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/portals/rules.h"

static const struct wire_portals_id process_a = {0x7f000001, 50001, 7, 0};
static const struct wire_portals_id process_b = {0x7f000001, 50002, 7, 1};

static void invalid_vector(const struct vector *vector)
{
    bool opening = strncmp(vector->name, "hello-", 6) == 0;
    struct wire_portals_header header = {0};
    size_t octets = 0;
    uint64_t payload = 0;
    enum wire_status status = wire_portals_decode(vector->octets, vector->len, &header, &octets, &payload);
    enum wire_portals_header_violation violation = wire_portals_header_violation_of(status);

    if (strcmp(vector->expect, "short") == 0) {
        CHECK(status == WIRE_SHORT || octets + payload > vector->len, "%s: is too short", vector->name);
        return;
    }
    if (opening && status == WIRE_UNKNOWN) {
        violation = WIRE_PORTALS_BAD_MAGIC;
    } else if (opening && status == WIRE_OK) {
        violation = wire_portals_validate_hello(&header, &process_b, NULL);
    } else if (status == WIRE_OK) {
        violation = wire_portals_validate(&header, &process_a, &process_b);
        CHECK_EQ(octets + payload, vector->len, "the message is whole");
    }
    CHECK_STR(wire_portals_rule_of(violation)->name, vector->expect, vector->name);
}

static void valid_vector(const struct vector *vector)
{
    struct wire_portals_header header = {0};

    if (strstr(vector->name, "ones") || strstr(vector->name, "zeros")) {
        return; /* extreme ids are those of nobody */
    }
    CHECK_EQ(wire_portals_decode(vector->octets, vector->len, &header, NULL, NULL), WIRE_OK, vector->name);
    if (header.operation == WIRE_PORTALS_HELLO) {
        CHECK_EQ(wire_portals_validate_hello(&header, NULL, NULL), WIRE_PORTALS_LEGAL, vector->name);
        return;
    }
    if (header.initiator.pid == process_a.pid) {
        CHECK_EQ(wire_portals_validate(&header, &process_a, &process_b), WIRE_PORTALS_LEGAL, vector->name);
    } else {
        CHECK_EQ(wire_portals_validate(&header, &process_b, &process_a), WIRE_PORTALS_LEGAL, vector->name);
    }
}

static void every_vector(void)
{
    vector_each(VECTORS "/invalid", invalid_vector);
    vector_each(VECTORS, valid_vector);
}

static void answers_to_a_hello(void)
{
    struct wire_portals_header sent = {.operation = WIRE_PORTALS_HELLO,
                                       .version_major = 1,
                                       .initiator = process_a,
                                       .target = process_b,
                                       .group_size = 2};
    struct wire_portals_header answer = sent;

    answer.initiator = process_b;
    answer.target = process_a;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_LEGAL, "the right process answers");
    sent.target.gid = WIRE_PORTALS_ID_UNKNOWN;
    sent.target.rid = WIRE_PORTALS_ID_UNKNOWN;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_LEGAL, "its rank was not known");
    sent.target.rid = 0;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_WRONG_PEER, "another rank answers");
    sent.target = (struct wire_portals_id){0x7f000001, 50003, 7, 1};
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_WRONG_PEER, "another port answers");
    sent.target = process_b;
    answer.interface = 1;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_WRONG_INTERFACE, "interface 1");
    answer.interface = 0;
    answer.target.gid = 8;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_LEGAL, "only nid and pid count");
    answer.target.nid++;
    CHECK_EQ(wire_portals_validate_hello(&answer, &process_a, &sent), WIRE_PORTALS_WRONG_PEER, "but they do");
}

static void senders_that_cannot_be(void)
{
    struct wire_portals_header hello = {.operation = WIRE_PORTALS_HELLO,
                                        .version_major = 1,
                                        .initiator = process_a,
                                        .target = process_b,
                                        .group_size = 1};

    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_LEGAL, "a group of one");
    hello.group_size = 0;
    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_BAD_SENDER, "a group of none");
    hello.group_size = 1;
    hello.initiator.nid = 0;
    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_BAD_SENDER, "no address");
    hello.initiator.nid = UINT32_MAX;
    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_BAD_SENDER, "the wildcard");
    hello.initiator = process_a;
    hello.initiator.gid = UINT32_MAX;
    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_BAD_SENDER, "group not known");
    hello.initiator = process_a;
    hello.initiator.pid = 65535;
    CHECK_EQ(wire_portals_validate_hello(&hello, &process_b, NULL), WIRE_PORTALS_LEGAL, "the last port");
}

/* The column "what the receiver does" of the binding's chapter 5, by hand. */
static void actions_are_the_bindings(void)
{
    static const struct {
        enum wire_portals_header_violation violation;
        enum wire_portals_action action;
    } table[] = {
        {WIRE_PORTALS_LEGAL, WIRE_PORTALS_DELIVER},
        {WIRE_PORTALS_BAD_MAGIC, WIRE_PORTALS_REFUSE},
        {WIRE_PORTALS_BAD_VERSION, WIRE_PORTALS_REFUSE},
        {WIRE_PORTALS_BAD_SENDER, WIRE_PORTALS_REFUSE},
        {WIRE_PORTALS_WRONG_PEER, WIRE_PORTALS_REFUSE},
        {WIRE_PORTALS_WRONG_INTERFACE, WIRE_PORTALS_REFUSE},
        {WIRE_PORTALS_BAD_OPERATION, WIRE_PORTALS_CLOSE},
        {WIRE_PORTALS_HELLO_AGAIN, WIRE_PORTALS_CLOSE},
        {WIRE_PORTALS_BAD_LENGTH, WIRE_PORTALS_CLOSE},
        {WIRE_PORTALS_FORGED_INITIATOR, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_WRONG_TARGET, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_WRONG_RANK, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_OVERFULL_ANSWER, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_GET_WITHOUT_MD, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_ANSWER_WITHOUT_MD, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_FOREIGN_BARRIER, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_BAD_ROUND, WIRE_PORTALS_DISCARD},
        {WIRE_PORTALS_BAD_NUMBER, WIRE_PORTALS_CLOSE},
        {WIRE_PORTALS_BAD_ACKNOWLEDGE, WIRE_PORTALS_DISCARD},
    };

    CHECK_EQ(sizeof table / sizeof table[0], WIRE_PORTALS_HEADER_VIOLATIONS, "every violation is in the table");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct wire_portals_rule *rule = wire_portals_rule_of(table[i].violation);

        CHECK(rule->action == table[i].action, "%s: action", rule->name);
        CHECK(rule->requirement && rule->text[0], "%s: names its requirement", rule->name);
    }
}

static void header_alone(void)
{
    struct wire_portals_header header = {.operation = WIRE_PORTALS_PUT, .rlength = WIRE_PORTALS_LENGTH_MAX + 1};

    CHECK_EQ(wire_portals_validate(&header, NULL, NULL), WIRE_PORTALS_BAD_LENGTH, "a length, whoever sends it");
    header.rlength--;
    CHECK_EQ(wire_portals_validate(&header, NULL, NULL), WIRE_PORTALS_LEGAL, "without ids nothing is said about them");
    header.operation = 0;
    CHECK_EQ(wire_portals_validate(&header, NULL, NULL), WIRE_PORTALS_BAD_OPERATION, "operation 0");
    header = (struct wire_portals_header){.operation = WIRE_PORTALS_BARRIER, .target = process_b, .sequence = 1};
    header.initiator = process_a;
    header.initiator.gid = 8;
    CHECK_EQ(wire_portals_validate(&header, NULL, NULL), WIRE_PORTALS_FOREIGN_BARRIER, "a barrier of two groups");
    CHECK_EQ(wire_portals_header_violation_of(WIRE_SHORT), WIRE_PORTALS_LEGAL, "short is no violation yet");
}

int main(void)
{
    TAP_RUN(every_vector);
    TAP_RUN(answers_to_a_hello);
    TAP_RUN(senders_that_cannot_be);
    TAP_RUN(actions_are_the_bindings);
    TAP_RUN(header_alone);
    return tap_done();
}
