/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of the Intercept network: hears the frames of its links one after the other, and names the rules that
 * they break: of single frames (rules.h), of a link, of RMPP, of VDMA. It sees what an observer of the links sees, and
 * says nothing that a frame which the observer has missed could explain.
 *
 *      link level      sequences, windows, acknowledgements                    check_link.c
 *      messages        numbers, grants, data packets, answers                  check_rmpp.c
 *      long messages   credits, GET, slices, blocks, answers                   check_vdma.c
 *      packets whose order a capture has wrong                                 check_order.c
 *      what is missing where, and what that explains                           check_gap.c
 *
 * A packet crosses several links. Of messages it counts where its sender's card is, or where nothing of that card's
 * links is seen, at its receiver's; which card a link leads to is known from the packet by which it announces itself
 * (IW-52). Links without one are judged by themselves only.
 */
#ifndef WIRE_INTERCEPT_CHECK_H
#define WIRE_INTERCEPT_CHECK_H

#include "wire/intercept/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_intercept_violation {
    WIRE_INTERCEPT_BREAKS_RULE, /* of a single frame: the finding has its words */
    WIRE_INTERCEPT_WINDOW_FULL,
    WIRE_INTERCEPT_SEQUENCE_JUMPS,
    WIRE_INTERCEPT_CHANGED,
    WIRE_INTERCEPT_ACK_OF_NOTHING,
    WIRE_INTERCEPT_ASKS_FOR_NOTHING,
    WIRE_INTERCEPT_WRONG_PLANE,
    WIRE_INTERCEPT_FOREIGN_SOURCE,
    WIRE_INTERCEPT_NUMBER_AGAIN,
    WIRE_INTERCEPT_BOOT_FIRST,
    WIRE_INTERCEPT_RTS_NOT_FULL,
    WIRE_INTERCEPT_CTS_OF_NOTHING,
    WIRE_INTERCEPT_CTS_AGAIN,
    WIRE_INTERCEPT_CTS_LENGTH,
    WIRE_INTERCEPT_CTS_BEYOND,
    WIRE_INTERCEPT_GRANT_TOO_LARGE,
    WIRE_INTERCEPT_DATA_OF_NOTHING,
    WIRE_INTERCEPT_DATA_NOT_GRANTED,
    WIRE_INTERCEPT_DATA_AGAIN,
    WIRE_INTERCEPT_DATA_LENGTH,
    WIRE_INTERCEPT_DATA_TYPE,
    WIRE_INTERCEPT_END_OF_NOTHING,
    WIRE_INTERCEPT_END_EARLY,
    WIRE_INTERCEPT_NO_CREDIT,
    WIRE_INTERCEPT_GET_OF_NOTHING,
    WIRE_INTERCEPT_GET_BEYOND,
    WIRE_INTERCEPT_GET_SLICES,
    WIRE_INTERCEPT_BLOCKS_OF_NOTHING,
    WIRE_INTERCEPT_BLOCKS_DIFFER,
    WIRE_INTERCEPT_SLICE_OF_NOTHING,
    WIRE_INTERCEPT_SLICE_BEYOND,
    WIRE_INTERCEPT_REPLY_OF_NOTHING,
    WIRE_INTERCEPT_REPLY_EARLY,
    WIRE_INTERCEPT_REPLY_LENGTH,
    WIRE_INTERCEPT_OTHER_RANK,
    WIRE_INTERCEPT_UNKNOWN_KIND,
    WIRE_INTERCEPT_BAD_LENGTH,
    WIRE_INTERCEPT_VIOLATIONS
};

/* struct wire_intercept_finding - one broken rule. The texts last for ever. */
struct wire_intercept_finding {
    enum wire_intercept_violation violation;
    const char *name, *requirement, *text; /* "window-full", "ICPT-009", what is wrong */
};

enum { WIRE_INTERCEPT_FINDINGS_MAX = 4 };

enum wire_intercept_condition {
    WIRE_INTERCEPT_SOUND,     /* a frame, and its CRC is right */
    WIRE_INTERCEPT_CORRUPT,   /* its CRC is wrong, or, which is a finding, its kind or length */
    WIRE_INTERCEPT_WITHDRAWN, /* its CRC is the complement: a switch had found it corrupt (IW-26) */
};

/* struct wire_intercept_basis - where a finding was made: the frame, counted from 1; the link and from which of its
 * ends; who sends to whom. */
struct wire_intercept_basis {
    uint64_t at, link;
    uint16_t from, to;
    uint8_t side;
};

/* struct wire_intercept_heard - what there is to say of one frame. */
struct wire_intercept_heard {
    struct wire_intercept_basis basis; /* of its findings */
    enum wire_intercept_condition condition;
    struct wire_intercept_frame frame; /* of a sound one */
    bool announces;                    /* a card makes itself known */
    bool again;                        /* sent before, on this link or one that has died */
    bool counts;                       /* of the links that it crosses this is the one where its message is judged */
    bool late;                         /* one with a higher number has come before it */
    int plane;                         /* of the link; -1: not known yet */
    unsigned finding_count;
    struct wire_intercept_finding findings[WIRE_INTERCEPT_FINDINGS_MAX];
};

struct wire_intercept_check_entry;

/* struct wire_intercept_gap - what of one direction was not heard: surely, and perhaps. Of each, the last frame that
 * was heard there before the first of it, plus 1. */
struct wire_intercept_gap {
    uint64_t missed_from; /* 0: nothing is missing */
    uint64_t suspect_from;
    uint32_t suspects;
    uint64_t late_from, late_until; /* frames, plus 1, between which one was captured behind its answer; 0: none */
};

enum { WIRE_INTERCEPT_LOG = 24, WIRE_INTERCEPT_LOGS = 9 };

/* struct wire_intercept_log - a packet, what was found of it, and what the checker knew before it was judged. */
struct wire_intercept_log {
    struct wire_intercept_heard heard; /* before that, too */
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    bool is_whole; /* it can be taken back */
    unsigned broken;
    uint64_t found, told; /* violations, a bit each: in the order that is believed now; when it came */
    unsigned count;
    size_t places[WIRE_INTERCEPT_LOG];         /* of the entries that it touches */
    struct wire_intercept_check_entry *before; /* these entries */
    uint64_t begun;                            /* messages */
};

/* struct wire_intercept_check - begin with wire_intercept_check_begin. The counts may be read. `is_ordered` may be set:
 * the frames come in the order in which they were sent. */
struct wire_intercept_check {
    uint64_t frames, corrupt, again, messages; /* heard; of them, damaged; sent again; messages that began */
    uint64_t missed;                     /* signs that a frame was sent but not heard, as where a capture lacks it */
    uint64_t suspects;                   /* what such a frame would explain, unless it is still disproven */
    uint64_t begun_at;                   /* the last frame by which a card made itself known again; 0: none */
    uint64_t forgotten;                  /* what was given up for lack of room */
    struct wire_intercept_gap elsewhere; /* on links of which it is not known whose they are */
    struct wire_intercept_check_entry *entries;
    size_t entry_count;
    uint64_t key[2];
    bool is_ordered;
    bool is_trying;                                      /* packets are judged in an order that is only tried */
    bool in_vain;                                        /* the packet that is judged lacks another one */
    struct wire_intercept_log logs[WIRE_INTERCEPT_LOGS]; /* of the latest packets, */
    uint8_t log_order[WIRE_INTERCEPT_LOGS];              /* in the order in which they were sent, as far as is known */
    struct wire_intercept_log *log;                      /* of the packet that is judged */
    uint64_t settled;                                    /* findings that what came close behind has explained */
};

/* wire_intercept_check_octets - how many octets of memory so many entries take. One is needed for each link, card, pair
 * of nodes that talk, and message that is open.
 * wire_intercept_check_begin - a checker over zeroed memory of the caller's, aligned for uint64_t. `key` is random, so
 * that no capture can make look-ups slow. */
size_t wire_intercept_check_octets(size_t entries);
struct wire_intercept_check wire_intercept_check_begin(void *memory, size_t entries, const uint64_t key[2]);

/* wire_intercept_check_hear - the next datagram of a link: `link` is a number that both directions share, `side` (0 or
 * 1) says from which end it came. Fills in `heard`. */
void wire_intercept_check_hear(struct wire_intercept_check *check, uint64_t link, unsigned side, const void *octets,
                               size_t len, struct wire_intercept_heard *heard);

/* wire_intercept_check_cut - a datagram of a link that was captured in part.
 * wire_intercept_check_explains - whether what was not heard, as far as is known now, could explain the violation that
 * was found there.
 * wire_intercept_check_rests - whether a violation rests on other frames than that in which it is found.
 * wire_intercept_check_lacks - whether there is anything that was not heard. */
void wire_intercept_check_cut(struct wire_intercept_check *check, uint64_t link, unsigned side);
bool wire_intercept_check_explains(struct wire_intercept_check *check, enum wire_intercept_violation violation,
                                   const struct wire_intercept_basis *basis);
bool wire_intercept_check_rests(enum wire_intercept_violation violation);
static inline bool wire_intercept_check_lacks(const struct wire_intercept_check *check)
{
    return check->missed || check->suspects;
}

/* wire_intercept_check_looks - whether a datagram could be one of the network's: a frame of right or complemented CRC
 * that fills it. What belongs to a link that is known may be damaged. */
bool wire_intercept_check_looks(const void *octets, size_t len);

/* wire_intercept_violation_text - name, requirement and words of a violation. */
struct wire_intercept_finding wire_intercept_violation_text(enum wire_intercept_violation violation);

#endif
