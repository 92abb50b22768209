/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The rules about single Intercept frames: no vector breaks one but those that are extreme on purpose, and each rule is
 * broken by a legal frame of which one value has been changed.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/intercept/rules.h"

#include <stddef.h>
#include <string.h>

/* The vectors that are extreme, and what they break first. */
static const struct {
    const char *name;
    enum wire_intercept_rule rule;
} extremes[] = {
    {"short_message-multicast", WIRE_INTERCEPT_BAD_CONTENT},
    {"vdma_get-ones", WIRE_INTERCEPT_BAD_CHANNEL},
};

static void check_vector(const struct vector *vector)
{
    enum wire_intercept_rule want = WIRE_INTERCEPT_LEGAL;
    struct wire_intercept_frame frame;

    if (strncmp(vector->name, "content-", 8) == 0) {
        want = WIRE_INTERCEPT_BAD_CONTENT;
    }
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        want = strcmp(extremes[i].name, vector->name) == 0 ? extremes[i].rule : want;
    }
    CHECK(wire_intercept_decode(vector->octets, vector->len, &frame, NULL) == WIRE_OK, "%s decodes", vector->name);
    CHECK(wire_intercept_judge(&frame) == want, "%s: %s", vector->name,
          wire_intercept_rule_text(wire_intercept_judge(&frame))->text);
}

static void vectors_are_legal(void)
{
    vector_each(VECTORS "/intercept", check_vector);
}

#define CHANGE(vector, member, value, rule)                                                                            \
    {                                                                                                                  \
        vector, #member " = " #value, offsetof(struct wire_intercept_frame, member),                                   \
            sizeof(((struct wire_intercept_frame *)0)->member), value, WIRE_INTERCEPT_##rule                           \
    }

/* A vector, the value that is changed, and the rule that is broken then. */
static const struct change {
    const char *vector, *about;
    size_t offset, width;
    uint64_t value;
    enum wire_intercept_rule rule;
} changes[] = {
    CHANGE("rts", planes, 0, BAD_PLANES),
    CHANGE("rts", planes, 16, BAD_PLANES),
    CHANGE("rts", flags, 4, BAD_FLAGS),
    CHANGE("rts", flags, 3, LEGAL),
    CHANGE("vdma_data", flags, 2, BAD_FLAGS),
    CHANGE("command", flags, 1, BAD_FLAGS),
    CHANGE("acknowledge", flags, 1, BAD_FLAGS),
    CHANGE("acknowledge", planes, 3, BAD_LINK_FRAME),
    CHANGE("acknowledge", source, 1, BAD_LINK_FRAME),
    CHANGE("retransmit", destination, 1, BAD_LINK_FRAME),
    CHANGE("retransmit", source_vnic, 1, BAD_LINK_FRAME),
    CHANGE("vdma_data", channel, 4, BAD_CHANNEL),
    CHANGE("vdma_get", channel_granted, 4, BAD_CHANNEL),
    CHANGE("vdma_data", window_address, 4100, BAD_WINDOW),
    CHANGE("vdma_data", window_address, 8184, BAD_WINDOW),
    CHANGE("vdma_data", window_address, 0x2000000, BAD_WINDOW),
    CHANGE("vdma_data", length, 0, BAD_WINDOW),
    CHANGE("rts", destination_vnic, 16, BAD_VNIC),
    CHANGE("command", source_vnic, 16, BAD_VNIC),
    CHANGE("rts", reserved, 1, BAD_RESERVED),
    CHANGE("cts", body_reserved, 1, BAD_RESERVED),
    CHANGE("command", command, 2, BAD_COMMAND),
    CHANGE("command", amount, 0, BAD_COMMAND),
    CHANGE("short_message", destination, 2, BAD_CONTENT),
    CHANGE("done", planes, 3, BAD_CONTROL_WAY),
    CHANGE("done", source_vnic, 1, BAD_CONTROL_WAY),
    CHANGE("done", flags, 3, BAD_CONTROL_WAY),
    CHANGE("connect", source, 2, BAD_CONTROL_WAY),
    CHANGE("cts", n, 0, BAD_COUNT),
    CHANGE("next_cts", n, 0, BAD_COUNT),
    CHANGE("upd_conn", nic_count, 0, BAD_COUNT),
    CHANGE("vdma_get", slice, 2, BAD_SLICE),
    CHANGE("vdma_get", window_start, 0xfe8, BAD_SLICE),
    CHANGE("vdma_get", window_start, 0x100000, BAD_SLICE),
    CHANGE("vdma_get", slice_length, 1048576, BAD_SLICE),
    CHANGE("vdma_get", slice_length, 28, BAD_SLICE),
    CHANGE("vdma_get", slice_length, 16, BAD_SLICE),
    CHANGE("vdma_get", slice_length, 0, LEGAL),
    CHANGE("vdma_get", slice, 1, BAD_REMAINDER),
    CHANGE("vdma_get", key_remaining, 0, BAD_REMAINDER),
    CHANGE("vdma_get", first_block_length, 32, BAD_REMAINDER),
    CHANGE("vdma_get", last_block_length, 32, BAD_REMAINDER),
};

static void apply(struct wire_intercept_frame *frame, const struct change *change)
{
    void *member = (unsigned char *)frame + change->offset;

    switch (change->width) {
    case 1:
        *(uint8_t *)member = (uint8_t)change->value;
        break;
    case 2:
        *(uint16_t *)member = (uint16_t)change->value;
        break;
    case 4:
        *(uint32_t *)member = (uint32_t)change->value;
        break;
    default:
        *(uint64_t *)member = change->value;
        break;
    }
}

static void each_rule_is_broken_by_one_value(void)
{
    bool seen[WIRE_INTERCEPT_RULES] = {false};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        static struct vector vector;
        struct wire_intercept_frame frame;
        char path[256];

        snprintf(path, sizeof path, "%s/intercept/%s.hex", VECTORS, changes[i].vector);
        vector_load(path, &vector);
        CHECK_EQ(wire_intercept_decode(vector.octets, vector.len, &frame, NULL), WIRE_OK, "decodes");
        apply(&frame, &changes[i]);
        CHECK(wire_intercept_judge(&frame) == changes[i].rule, "%s with %s", changes[i].vector, changes[i].about);
        seen[changes[i].rule] = true;
    }
    for (int rule = 0; rule < WIRE_INTERCEPT_RULES; rule++) {
        const struct wire_intercept_rule_text *text = wire_intercept_rule_text((enum wire_intercept_rule)rule);

        CHECK(seen[rule] && text->name && text->clause && text->text, "rule %d is tried and has a text", rule);
    }
}

int main(void)
{
    TAP_RUN(vectors_are_legal);
    TAP_RUN(each_rule_is_broken_by_one_value);
    return tap_done();
}
