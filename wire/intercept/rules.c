/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The rules about single frames: one predicate for each, asked in the order of enum wire_intercept_rule, which is that
 * of specs/intercept-wire.md. A predicate says whether the frame breaks the rule.
 */
#include "wire/intercept/rules.h"

#include <stdbool.h>

enum { PAGE_OCTETS = 4096, SLICE_MAX = 1 << 20, SLICE_LEAST = 24, VDMA_ALIGNMENT = 32 };

static bool is_link_frame(const struct wire_intercept_frame *frame)
{
    return frame->kind == WIRE_INTERCEPT_ACKNOWLEDGE || frame->kind == WIRE_INTERCEPT_RETRANSMIT;
}

static bool has_one_plane(const struct wire_intercept_frame *frame)
{
    return frame->planes && (frame->planes & (frame->planes - 1)) == 0;
}

//= ICPT-014
static bool breaks_planes(const struct wire_intercept_frame *frame)
{
    return frame->planes == 0 || frame->planes > WIRE_INTERCEPT_PLANES_ALL;
}

static bool breaks_flags(const struct wire_intercept_frame *frame)
{
    unsigned allowed = WIRE_INTERCEPT_FLAG_INTERRUPT | WIRE_INTERCEPT_FLAG_MULTICAST;

    if (frame->kind == WIRE_INTERCEPT_VDMA) {
        allowed = WIRE_INTERCEPT_FLAG_INTERRUPT;
    } else if (frame->kind == WIRE_INTERCEPT_COMMAND) {
        allowed = WIRE_INTERCEPT_FLAG_MULTICAST;
    } else if (is_link_frame(frame)) {
        allowed = 0;
    }
    return (frame->flags & ~allowed) != 0;
}

static bool breaks_link_frame(const struct wire_intercept_frame *frame)
{
    return is_link_frame(frame) && (!has_one_plane(frame) || frame->destination || frame->source ||
                                    frame->destination_vnic || frame->source_vnic || frame->reserved);
}

//= ICPT-025
static bool breaks_channel(const struct wire_intercept_frame *frame)
{
    return frame->channel >= WIRE_INTERCEPT_CHANNELS || frame->channel_granted >= WIRE_INTERCEPT_CHANNELS;
}

//= ICPT-026
static bool breaks_window(const struct wire_intercept_frame *frame)
{
    return frame->kind == WIRE_INTERCEPT_VDMA &&
           (frame->length == 0 || frame->window_address >= WIRE_INTERCEPT_WINDOW_END ||
            frame->window_address % WIRE_INTERCEPT_QUADWORD ||
            frame->window_address % PAGE_OCTETS + frame->length > PAGE_OCTETS);
}

static bool breaks_vnic(const struct wire_intercept_frame *frame)
{
    return frame->destination_vnic >= WIRE_INTERCEPT_VNICS || frame->source_vnic >= WIRE_INTERCEPT_VNICS;
}

static bool breaks_reserved(const struct wire_intercept_frame *frame)
{
    return frame->reserved || frame->body_reserved;
}

static bool breaks_command(const struct wire_intercept_frame *frame)
{
    return frame->kind == WIRE_INTERCEPT_COMMAND &&
           (frame->command != WIRE_INTERCEPT_COMMAND_CREDIT || frame->amount == 0);
}

/* A packet of no octets for a NIC's own address is how the NIC makes itself known, and no content. */
static bool breaks_content(const struct wire_intercept_frame *frame)
{
    return frame->content != WIRE_OK && !(frame->length == 0 && frame->destination == frame->source &&
                                          frame->destination_vnic == WIRE_INTERCEPT_HANDLER_VNIC);
}

static bool breaks_control_way(const struct wire_intercept_frame *frame)
{
    return frame->control_type &&
           (!has_one_plane(frame) || frame->source_vnic != WIRE_INTERCEPT_HANDLER_VNIC ||
            (frame->flags & WIRE_INTERCEPT_FLAG_MULTICAST) || frame->destination == frame->source);
}

static bool breaks_count(const struct wire_intercept_frame *frame)
{
    bool grant = frame->message == WIRE_INTERCEPT_CTS || frame->message == WIRE_INTERCEPT_NEXT_CTS;

    return (grant && frame->n == 0) || (frame->message == WIRE_INTERCEPT_UPD_CONN && frame->nic_count == 0);
}

/* Of a slice that has no octet the place in the window says nothing. */
static bool breaks_slice(const struct wire_intercept_frame *frame)
{
    return frame->message == WIRE_INTERCEPT_GET &&
           (frame->slice >= frame->slices ||
            (frame->slice_length &&
             (frame->window_start % VDMA_ALIGNMENT || frame->window_start >= SLICE_MAX ||
              frame->slice_length > SLICE_MAX - frame->window_start || frame->slice_length % WIRE_INTERCEPT_QUADWORD ||
              frame->slice_length < SLICE_LEAST)));
}

static bool breaks_remainder(const struct wire_intercept_frame *frame)
{
    bool any =
        frame->first_block_length || frame->first_block_addr || frame->last_block_length || frame->last_block_addr;

    return frame->message == WIRE_INTERCEPT_GET &&
           ((frame->slice && (any || frame->key_remaining)) || (any && !frame->key_remaining) ||
            frame->first_block_length > WIRE_INTERCEPT_BLOCK_MAX ||
            frame->last_block_length > WIRE_INTERCEPT_BLOCK_MAX);
}

static const struct {
    bool (*breaks)(const struct wire_intercept_frame *frame);
    struct wire_intercept_rule_text text;
} rules[WIRE_INTERCEPT_RULES] = {
    [WIRE_INTERCEPT_LEGAL] = {NULL, {"legal", "", "the frame breaks no rule"}},
    [WIRE_INTERCEPT_BAD_PLANES] = {breaks_planes,
                                   {"planes", "IW-04", "the mask has no plane, or one that does not exist"}},
    [WIRE_INTERCEPT_BAD_FLAGS] = {breaks_flags, {"flags", "IW-05", "a flag that this kind of frame cannot have"}},
    [WIRE_INTERCEPT_BAD_LINK_FRAME] = {breaks_link_frame,
                                       {"link-frame", "3.6", "a link frame says more than its plane and sequence"}},
    [WIRE_INTERCEPT_BAD_CHANNEL] = {breaks_channel, {"channel", "IW-12", "a VDMA channel that does not exist"}},
    [WIRE_INTERCEPT_BAD_WINDOW] = {breaks_window,
                                   {"window", "IW-12", "payload that does not lie within one page of a window"}},
    [WIRE_INTERCEPT_BAD_VNIC] = {breaks_vnic, {"vnic", "IW-14", "a virtual NIC that does not exist"}},
    [WIRE_INTERCEPT_BAD_RESERVED] = {breaks_reserved, {"reserved", "IW-02", "a reserved field is not zero"}},
    [WIRE_INTERCEPT_BAD_COMMAND] = {breaks_command, {"command", "IW-16", "a command that is none, or no credit"}},
    [WIRE_INTERCEPT_BAD_CONTENT] = {breaks_content,
                                    {"content", "IW-30", "content that is neither RMPP nor a control message"}},
    [WIRE_INTERCEPT_BAD_CONTROL_WAY] = {breaks_control_way,
                                        {"control-way", "IW-40",
                                         "a control message not from handler to handler over one plane"}},
    [WIRE_INTERCEPT_BAD_COUNT] = {breaks_count, {"count", "IW-35", "a grant of no packets, or a list of no NICs"}},
    [WIRE_INTERCEPT_BAD_SLICE] = {breaks_slice, {"slice", "IW-45", "a slice that VDMA cannot move"}},
    [WIRE_INTERCEPT_BAD_REMAINDER] = {breaks_remainder,
                                      {"remainder", "IW-44", "first and last block that cannot be asked for"}},
};

enum wire_intercept_rule wire_intercept_judge(const struct wire_intercept_frame *frame)
{
    for (int rule = WIRE_INTERCEPT_LEGAL + 1; rule < WIRE_INTERCEPT_RULES; rule++) {
        if (rules[rule].breaks(frame)) {
            return (enum wire_intercept_rule)rule;
        }
    }
    return WIRE_INTERCEPT_LEGAL;
}

const struct wire_intercept_rule_text *wire_intercept_rule_text(enum wire_intercept_rule rule)
{
    return &rules[rule].text;
}
