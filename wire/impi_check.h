/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What can be wrong in an IMPI job, as its two checkers say it: wire/impi_check_job.h follows start-up between clients
 * and server, wire/impi_check_channel.h the packets between two hosts. Both are passive and pure: messages, directions
 * and marks are arguments, storage is the caller's, nothing blocks. The tester watches systems under test with them,
 * `assay check` reads captures with them, and the dissector draws its expert information from them.
 *
 * Rules are those of the document, and where it is silent or can be read in two ways nobody is blamed: pk_len of a
 * packet without data, the form of an IPv4 address in 16 octets, what a first packet of a long message leaves to the
 * rest.
 */
#ifndef WIRE_IMPI_CHECK_H
#define WIRE_IMPI_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Everything that can be wrong. */
enum wire_impi_misstep {
    WIRE_IMPI_IN_STEP = 0,
    /* what a client says to the server */
    WIRE_IMPI_NO_AUTH,
    WIRE_IMPI_AUTH_NO_MASK,
    WIRE_IMPI_AUTH_NOTHING,
    WIRE_IMPI_METHOD_TAKEN,
    WIRE_IMPI_NOT_JOINED,
    WIRE_IMPI_JOIN_FORM,
    WIRE_IMPI_JOIN_RANK,
    WIRE_IMPI_JOIN_AGAIN,
    WIRE_IMPI_COLL_FORM,
    WIRE_IMPI_LABEL_ZERO,
    WIRE_IMPI_LABEL_ORDER,
    WIRE_IMPI_LABEL_MISSING,
    WIRE_IMPI_VERSION_FORM,
    WIRE_IMPI_VERSION_ORDER,
    WIRE_IMPI_VERSION_FIRST,
    WIRE_IMPI_COUNT_FORM,
    WIRE_IMPI_COUNT_ZERO,
    WIRE_IMPI_DATALEN_FORM,
    WIRE_IMPI_TAGUB_FORM,
    WIRE_IMPI_CHOSEN_FORM,
    WIRE_IMPI_CHOSEN_RANGE,
    WIRE_IMPI_LIMIT_RANGE,
    WIRE_IMPI_HOST_COUNT,
    WIRE_IMPI_PORT_RANGE,
    WIRE_IMPI_HOST_NPROCS,
    WIRE_IMPI_PROCESS_COUNT,
    WIRE_IMPI_PID_TWICE,
    WIRE_IMPI_DONE_FORM,
    WIRE_IMPI_AFTER_DONE,
    WIRE_IMPI_FINI_FORM,
    WIRE_IMPI_FINI_EARLY,
    WIRE_IMPI_AFTER_FINI,
    WIRE_IMPI_DIFFERENT_CHOICES,
    WIRE_IMPI_LIMITS_IGNORED,
    WIRE_IMPI_COMMAND_LENGTH,
    WIRE_IMPI_COMMAND_CUT,
    /* what the server says */
    WIRE_IMPI_CHOICE_EARLY,
    WIRE_IMPI_CHOICE_NOT_OFFERED,
    WIRE_IMPI_CHOICE_FOLLOW_ON,
    WIRE_IMPI_SIZE_FORM,
    WIRE_IMPI_SIZE_EARLY,
    WIRE_IMPI_SIZE_DIFFERS,
    WIRE_IMPI_RANK_OUTSIDE,
    WIRE_IMPI_RANK_TAKEN,
    WIRE_IMPI_SPREAD_FORM,
    WIRE_IMPI_SPREAD_UNSIZED,
    WIRE_IMPI_SPREAD_EARLY,
    WIRE_IMPI_SPREAD_MASK,
    WIRE_IMPI_SPREAD_DATA,
    WIRE_IMPI_SPREAD_AGAIN,
    WIRE_IMPI_SPREAD_MISSING,
    WIRE_IMPI_ALL_DONE_FORM,
    WIRE_IMPI_ALL_DONE_EARLY,
    WIRE_IMPI_AFTER_ALL_DONE,
    WIRE_IMPI_SERVER_AFTER_FINI,
    /* packets between hosts */
    WIRE_IMPI_CONNECTED_EARLY,
    WIRE_IMPI_RANK_FORM,
    WIRE_IMPI_RANK_ORDER,
    WIRE_IMPI_PACKET_TYPE,
    WIRE_IMPI_PACKET_SOURCE,
    WIRE_IMPI_PACKET_DEST,
    WIRE_IMPI_DATA_LIMIT,
    WIRE_IMPI_DATA_ABOVE_MESSAGE,
    WIRE_IMPI_SHORT_IN_PARTS,
    WIRE_IMPI_LONG_BY_DATA,
    WIRE_IMPI_LONG_UNACKED,
    WIRE_IMPI_LONG_DRQID,
    WIRE_IMPI_LONG_ECHO,
    WIRE_IMPI_LONG_TOO_MUCH,
    WIRE_IMPI_LONG_UNFINISHED,
    WIRE_IMPI_LONG_CANCELLED,
    WIRE_IMPI_SRQID_TWICE,
    WIRE_IMPI_TAG_RANGE,
    WIRE_IMPI_LSRANK,
    WIRE_IMPI_SYNCACK_UNASKED,
    WIRE_IMPI_SYNCACK_AGAIN,
    WIRE_IMPI_SYNCACK_DESTROYED,
    WIRE_IMPI_CANCEL_UNASKED,
    WIRE_IMPI_CANCEL_UNANSWERED,
    WIRE_IMPI_CANCELYES_MATCHED,
    WIRE_IMPI_ABOVE_HIWATER,
    WIRE_IMPI_ABOVE_HIWATER_SYNCACK,
    WIRE_IMPI_ABOVE_HIWATER_CANCEL,
    WIRE_IMPI_ABOVE_HIWATER_REPLY,
    WIRE_IMPI_PROTOACK_EARLY,
    WIRE_IMPI_PROTOACK_MISSING,
    WIRE_IMPI_FINI_AGAIN,
    WIRE_IMPI_DATA_AFTER_FINI,
    WIRE_IMPI_CLOSED_WITHOUT_FINI,
    WIRE_IMPI_CLOSED_BEFORE_FINI,
    WIRE_IMPI_CLOSED_INSIDE,
    WIRE_IMPI_MISSTEPS, /* how many there are */
};

/* One rule. */
struct wire_impi_rule {
    const char *name;        /* for machines: "label-order" */
    const char *requirement; /* "IMPI-052" */
    const char *text;        /* the breach in one sentence, without a full stop */
    bool inferred;           /* the document does not say it in so many words */
    bool needs_all;          /* only who has seen every connection of the job can tell */
};

/* wire_impi_rule_of - the rule that the misstep breaks. Never NULL. */
const struct wire_impi_rule *wire_impi_rule_of(enum wire_impi_misstep misstep);

enum { WIRE_IMPI_FINDINGS_MAX = 8 }; /* one message cannot have more */

/* What is wrong with a message. Texts are static. */
struct wire_impi_finding {
    enum wire_impi_misstep misstep;
    const struct wire_impi_rule *rule;
    const char *field; /* what it is about, in the document's words, or NULL */
    bool compared;     /* the field differs; else these two mean nothing */
    int64_t expected;
    int64_t observed;
    uint64_t related; /* the mark of the other message concerned, or 0 */
};

/* The findings of the latest call. */
struct wire_impi_findings {
    struct wire_impi_finding at[WIRE_IMPI_FINDINGS_MAX];
    unsigned count;
};

/* wire_impi_blame - notes a misstep; the checkers' own. Returns the finding for details to be filled in, never NULL. */
struct wire_impi_finding *wire_impi_blame(struct wire_impi_findings *findings, enum wire_impi_misstep misstep);

/* wire_impi_blame_field - the same with what differs. */
void wire_impi_blame_field(struct wire_impi_findings *findings, enum wire_impi_misstep misstep, const char *field,
                           int64_t expected, int64_t observed);

#endif
