/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the checker (check.h), shared by its files and by nobody else. All that it knows are entries of one
 * table, found by their kind and two words.
 */
#ifndef WIRE_INTERCEPT_CHECK_OWN_H
#define WIRE_INTERCEPT_CHECK_OWN_H

#include "wire/intercept/check.h"

enum {
    CHECK_WINDOW = 7,     /* packets outstanding on a link */
    CHECK_SLOTS = 8,      /* a power of two above that */
    CHECK_NUMBERS = 1024, /* messages of a pair that are told apart at a time */
    CHECK_PACKETS = 1024, /* data packets of a message that are */
    CHECK_PACKET_DATA = 480,
    CHECK_GRANT = 16,
    CHECK_CLOSE = 8, /* frames: so far from its place one may be in a capture */
    CHECK_PLANES = 4,
};

enum check_kind {
    CHECK_FREE,
    CHECK_LINK,
    CHECK_CARD,
    CHECK_PAIR,
    CHECK_MESSAGE,
    CHECK_TRANSFER,
    CHECK_CHANNEL,
    CHECK_SETTLED
};

/* One direction of a link. */
struct check_way {
    bool used;                                  /* by more than what announced the card */
    bool synced;                                /* `next` is known */
    uint64_t heard_at;                          /* the last new packet: the frame, counted from 1 */
    uint32_t skipped;                           /* packets that were not heard when it was their turn */
    struct wire_intercept_gap packets, answers; /* that were not heard; answers to its packets */
    uint8_t oldest, next;                       /* of the packets that are outstanding; the next new one */
    bool has_jumped; /* the packet before was of a sequence `jumped` that is none of the window's */
    uint8_t jumped;
    uint64_t leapt_from; /* where it has gone on from a jump: `heard_at` before that, plus 1; 0: nowhere */
    bool leapt_back;     /* behind where it was */
    bool claimed, full; /* suspects: somebody has answered packet `claim`, which was not heard; an eighth was sent while
                         * `full_from` was outstanding */
    bool doubted;       /* another suspect: its last packets may be missing, see wire_icpt_doubt */
    uint8_t claim, full_from;
    uint64_t claimed_at; /* how many frames had been heard then */
    uint64_t asked_at;   /* the latest frame that asks for a packet once more */
    uint64_t renewed_at; /* the frame with which the link began anew, plus 1; 0: it has one life only */
    uint8_t past;        /* the packet that would have come next in the life before */
    uint64_t other_at;   /* the last frame that contradicts one sent before; 0: none does */
    uint8_t other;       /* the packet behind it */
    struct wire_intercept_basis crowded[CHECK_SLOTS]; /* by sequence: packets that were one too many; `at` 0: none */
    struct {
        uint64_t sent_at;
        bool waiting, seen;
        uint64_t digest; /* of the packet, when it was seen */
    } slots[CHECK_SLOTS];
};

struct check_link {
    struct check_way ways[2];
    bool known;    /* the card at one end is */
    uint8_t side;  /* where the card is */
    uint8_t plane; /* its number + 1; 0: not known */
    uint16_t iuca;
};

/* A card, by its IUCA. */
struct check_card {
    uint64_t links[CHECK_PLANES]; /* one a plane, 0: none is known */
    uint64_t known_at;            /* the frame by which it made itself known first */
    uint64_t begun_at;            /* the last one by which it did so again on one of its planes; 0: none */
    bool lacks_link;              /* it has another one, of which the capture had nothing so far */
};

/* What is known of the order in which packets of a pair were captured. */
struct check_order {
    uint64_t misplaced_from, misplaced_until;           /* frames of those in a wrong place; 0: there is none */
    uint32_t sent[CHECK_PLANES], arrived[CHECK_PLANES]; /* on the links of the one card, and of the other */
    uint64_t ahead_at; /* the frame since which more have arrived than were sent; 0: they have not */
};

struct check_pair {
    bool begun, answered;   /* its boot message has been seen, and its answer */
    uint64_t top;           /* the highest number that was seen */
    uint32_t boots;         /* how often it has begun anew */
    uint64_t looked_at;     /* the frame since which no card is known to have done so */
    bool known, is_renewed; /* it has been heard of; and before its cards made themselves known again */
    bool credited;          /* the receiver has given credit */
    uint64_t given, taken;  /* control messages that may be sent, and were */
    struct check_order order;
};

struct check_message {
    uint64_t number;
    uint32_t boots;  /* of its pair when it began */
    uint64_t length; /* of the whole message, where the Portals header of a PUT says it; 0: not known */
    bool is_long, has_cts, is_over;
    uint64_t data, room, wanted; /* octets in the RTS; that it has room for; those that CTS asks for */
    uint32_t packets, granted, count, top;
    uint32_t doubtful; /* data packets that a CTS which wants too much may have brought about */
    uint64_t seen[CHECK_PACKETS / 64];
};

struct check_transfer {
    uint64_t number, address, length, asked;
    bool is_put, is_over, has_blocks, has_reply;
    uint32_t slices, slices_asked;
    uint64_t blocks_key, first_len, last_len;
    uint64_t awaited, moved; /* octets of slices: asked for, seen */
};

struct check_channel {
    bool is_busy;
    uint16_t from;
    uint64_t key, start, len, moved;
};

struct wire_intercept_check_entry {
    enum check_kind kind;
    uint64_t words[2];
    union {
        struct check_link link;
        struct check_card card;
        struct check_pair pair;
        struct check_message message;
        struct check_transfer transfer;
        struct check_channel channel;
    } of;
};

/* wire_icpt_find - the entry, or NULL.
 * wire_icpt_make - the entry, a zeroed one where there was none; NULL: no room. */
struct wire_intercept_check_entry *wire_icpt_find(struct wire_intercept_check *check, enum check_kind kind,
                                                  uint64_t one, uint64_t other);
struct wire_intercept_check_entry *wire_icpt_make(struct wire_intercept_check *check, enum check_kind kind,
                                                  uint64_t one, uint64_t other);

/* wire_icpt_pair_of, wire_icpt_message_of - of a sender, a receiver, a number; NULL: none is known.
 * wire_icpt_digest - a number that stands for a packet, whatever its plane, sequence and CRC. */
struct check_pair *wire_icpt_pair_of(struct wire_intercept_check *check, uint16_t from, uint16_t to);
struct check_message *wire_icpt_message_of(struct wire_intercept_check *check, uint16_t from, uint16_t to,
                                           uint64_t number);
uint64_t wire_icpt_digest(const struct wire_intercept_check *check, const unsigned char *octets, size_t len);

/* wire_icpt_tell - adds a finding. */
void wire_icpt_tell(struct wire_intercept_heard *heard, enum wire_intercept_violation violation);

/* wire_icpt_missed - something of a way was sent behind frame `from` that was not heard.
 * wire_icpt_suspected - perhaps.
 * wire_icpt_cleared - one of those suspects was not, or has come.
 * wire_icpt_late - it comes now, close behind its answer: it stands in a wrong place of the capture.
 * wire_icpt_gap_move - adds what a gap counts to another one, where it is never cleared. */
void wire_icpt_missed(struct wire_intercept_check *check, struct wire_intercept_gap *gap, uint64_t from);
void wire_icpt_suspected(struct wire_intercept_check *check, struct wire_intercept_gap *gap, uint64_t from);
void wire_icpt_cleared(struct wire_intercept_check *check, struct wire_intercept_gap *gap);
void wire_icpt_late(const struct wire_intercept_check *check, struct wire_intercept_gap *gap);
void wire_icpt_gap_move(struct wire_intercept_gap *to, const struct wire_intercept_gap *from);

/* wire_icpt_has_links - a card, if it is known, has links on these planes. */
void wire_icpt_has_links(struct wire_intercept_check *check, uint16_t iuca, unsigned planes);

/* wire_icpt_packets, wire_icpt_answers - the gaps of a way where the link's card is known, else those of nobody. */
struct wire_intercept_gap *wire_icpt_packets(struct wire_intercept_check *check, struct check_link *at, unsigned side);
struct wire_intercept_gap *wire_icpt_answers(struct wire_intercept_check *check, struct check_link *at, unsigned side);

/* wire_icpt_doubt - something has been told that packets of `from` to `to` would explain. If they are the last ones of
 * a plane, no gap shows that they are missing: each plane is a suspect until its next packet comes. */
void wire_icpt_doubt(struct wire_intercept_check *check, uint16_t from, uint16_t to);

/* wire_icpt_number - a message begins, by RTS or TRY_MATCH: its number. NULL: it has been seen before, or there is no
 * room. */
struct check_message *wire_icpt_number(struct wire_intercept_check *check, struct wire_intercept_heard *heard);

/* wire_icpt_is_control - whether it is a control message, which has a rank.
 * wire_icpt_rts, wire_icpt_rank - what an RTS, or the rank of a control message, breaks by itself, whatever was missed
 * before it. */
bool wire_icpt_is_control(enum wire_intercept_message message);
void wire_icpt_rts(struct wire_intercept_heard *heard);
void wire_icpt_rank(struct wire_intercept_heard *heard);

/* wire_icpt_touch - an entry is about to be changed, perhaps.
 * wire_icpt_settle - what was found there is explained by what came close behind.
 * wire_icpt_judge - a sound packet that counts, with its octets: what it means for messages; check_order.c.
 * wire_icpt_pass - a packet is on a link, whether it counts there or not.
 * wire_icpt_rmpp, wire_icpt_vdma - what it means by the order in which the frames stand. */
void wire_icpt_touch(struct wire_intercept_check *check, const struct wire_intercept_check_entry *entry);
void wire_icpt_settle(struct wire_intercept_check *check, const struct wire_intercept_basis *basis,
                      enum wire_intercept_violation violation);
void wire_icpt_pass(struct wire_intercept_check *check, const struct check_link *at,
                    const struct wire_intercept_heard *heard);
void wire_icpt_judge(struct wire_intercept_check *check, struct wire_intercept_heard *heard,
                     const unsigned char *octets, size_t len);
void wire_icpt_rmpp(struct wire_intercept_check *check, struct wire_intercept_heard *heard);
void wire_icpt_vdma(struct wire_intercept_check *check, struct wire_intercept_heard *heard);

#endif
