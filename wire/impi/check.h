/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What can be wrong in an IMPI job, as its two checkers say it: wire/impi/check_job.h follows start-up between clients
 * and server, wire/impi/check_channel.h the packets between two hosts. Both are passive and pure: messages, directions
 * and marks are arguments, storage is the caller's, nothing blocks. The tester watches systems under test with them,
 * `assay check` reads captures with them, and the dissector draws its expert information from them.
 *
 * There are two classes of findings. A *violation* is against a rule of the document. Where the document is silent or
 * can be read in two ways there is no violation; what is remarkable all the same is a *note*: who takes another reading
 * of a switch than the usual one (specs/impi-0.0.switches.json), what breaks a requirement that is only reconstructed,
 * and what looks wrong but cannot be proven by who only listens. Notes stand apart from violations, and are told once
 * for a pair of processes, a direction of a channel or a connection; how often the same was seen is counted on.
 */
#ifndef WIRE_IMPI_CHECK_H
#define WIRE_IMPI_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Everything that can be wrong. */
enum wire_impi_violation {
    WIRE_IMPI_NO_VIOLATION = 0,
    /* what a client says to the server */
    WIRE_IMPI_NO_AUTH,
    WIRE_IMPI_AUTH_NO_MASK,
    WIRE_IMPI_AUTH_NOTHING,
    WIRE_IMPI_METHOD_TAKEN,
    WIRE_IMPI_KEY_WRONG,
    WIRE_IMPI_NOT_JOINED,
    WIRE_IMPI_JOIN_FORM,
    WIRE_IMPI_JOIN_RANK,
    WIRE_IMPI_JOIN_TAKEN,
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
    WIRE_IMPI_RANK_TWICE,
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
    /* collective operations */
    WIRE_IMPI_BARRIER_MASTER,
    WIRE_IMPI_BARRIER_FORM,
    WIRE_IMPI_BARRIER_MIXED,
    WIRE_IMPI_BARRIER_LEFT,
    /* notes: of start-up */
    WIRE_IMPI_NOTE_ADDRESS_FORM,
    WIRE_IMPI_NOTE_LABEL_AT_ONCE,
    WIRE_IMPI_NOTE_FINI_BEFORE_CLOSED,
    /* notes: of packets */
    WIRE_IMPI_NOTE_SRQID_ZERO,
    WIRE_IMPI_NOTE_RESERVED,
    WIRE_IMPI_NOTE_LENGTH_WITHOUT_DATA,
    WIRE_IMPI_NOTE_UNUSED_SYNCACK,
    WIRE_IMPI_NOTE_UNUSED_PROTOACK,
    WIRE_IMPI_NOTE_UNUSED_CANCEL,
    WIRE_IMPI_NOTE_UNUSED_FINI,
    WIRE_IMPI_NOTE_FIRST_PACKET,
    WIRE_IMPI_NOTE_REDUCE_CONTEXT,
    WIRE_IMPI_NOTE_COLLECTIVE_CONTEXT,
    WIRE_IMPI_NOTE_MOVE_CONTEXT,
    WIRE_IMPI_NOTE_COLLECTIVE_TAG,
    WIRE_IMPI_NOTE_NATIVE_ORDER,
    WIRE_IMPI_NOTE_LIMITS_OF_PAIR,
    WIRE_IMPI_NOTE_FINALIZE_BARRIER,
    /* notes: of collective operations */
    WIRE_IMPI_NOTE_BARRIER_OCTETS,
    WIRE_IMPI_NOTE_BARRIER_EARLY,
    WIRE_IMPI_NOTE_BARRIER_UNMET,
    WIRE_IMPI_NOTE_BCAST_MASTER,
    WIRE_IMPI_NOTE_BCAST_TREE,
    WIRE_IMPI_NOTE_BCAST_UNREACHED,
    WIRE_IMPI_NOTE_REDUCE_UNSENT,
    WIRE_IMPI_NOTE_SCAN_ORDER,
    WIRE_IMPI_NOTE_GATHER_UNSENT,
    WIRE_IMPI_NOTE_SCATTER_UNREACHED,
    WIRE_IMPI_NOTE_ALLTOALL_UNMET,
    WIRE_IMPI_NOTE_COMMUNICATOR_MASTER,
    WIRE_IMPI_NOTE_COMMUNICATOR_FORM,
    WIRE_IMPI_VIOLATIONS, /* how many there are */
};

enum wire_impi_severity { WIRE_IMPI_VIOLATION, WIRE_IMPI_NOTE };

/* One rule. */
struct wire_impi_rule {
    const char *name;        /* for machines: "label-order" */
    const char *requirement; /* "IMPI-052" */
    const char *text;        /* in one sentence, without a full stop */
    bool inferred;           /* the document does not say it in so many words */
    bool needs_all;          /* only who has seen every connection of the job can tell */
    enum wire_impi_severity severity;
    const char *reading; /* of a note: the reading that was taken, "ipv4_form=compatible", or NULL */
};

/* wire_impi_rule_of - the rule that the violation breaks. Never NULL. */
const struct wire_impi_rule *wire_impi_rule_of(enum wire_impi_violation violation);

enum { WIRE_IMPI_FINDINGS_MAX = 16 }; /* one message cannot have more */

/* How often the same note was due: where it is counted on after it was told. */
struct wire_impi_tally {
    uint64_t times;
    bool told;
};

/* What is wrong with a message. Texts are static. */
struct wire_impi_finding {
    enum wire_impi_violation violation;
    const struct wire_impi_rule *rule;
    const char *field; /* what it is about, in the document's words, or NULL */
    bool compared;     /* the field differs; else these two mean nothing */
    int64_t expected;
    int64_t observed;
    uint64_t related; /* the mark of the other message concerned, or 0 */
    /* of what did not come first: */
    uint32_t awaited; /* mask of the clients of whom it was to come */
    int32_t label;    /* which they had to give */
    /* of what the server passes on: */
    uint32_t hearsay; /* mask of the clients one of whom has given it, which was not captured; 0: the sender's own */
    /* of a note: */
    const struct wire_impi_tally *tally; /* goes on counting while the checker's storage is there; NULL: happens once */
    bool paired;                         /* counted for one pair of processes: */
    int64_t pids[2];                     /* who sends, who receives */
};

/* The findings of the latest call. */
struct wire_impi_findings {
    struct wire_impi_finding at[WIRE_IMPI_FINDINGS_MAX];
    unsigned count;
    uint32_t hearsay; /* of what is found now */
};

/* wire_impi_report - adds a violation; the checkers' own. Returns it, for details to be filled in; never NULL. */
struct wire_impi_finding *wire_impi_report(struct wire_impi_findings *findings, enum wire_impi_violation violation);

/* wire_impi_report_field - the same with what differs. */
void wire_impi_report_field(struct wire_impi_findings *findings, enum wire_impi_violation violation, const char *field,
                            int64_t expected, int64_t observed);

/* wire_impi_note - counts a note, and adds it when it was not told before. Returns the finding for details, or NULL. */
struct wire_impi_finding *wire_impi_note(struct wire_impi_findings *notes, enum wire_impi_violation violation,
                                         struct wire_impi_tally *tally);

#endif
