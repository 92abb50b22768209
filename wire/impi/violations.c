/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What can go wrong in an IMPI job, and what is worth a note, as a table: name, requirement, a sentence
 * (wire/impi/check.h). The counterpart of wire/portals/violations.c.
 */
#include "wire/impi/check.h"

#include <stddef.h>

#define STATED(name, requirement, text)                                                                                \
    {                                                                                                                  \
        name, requirement, text, false, false, WIRE_IMPI_VIOLATION, NULL                                               \
    }
#define INFERRED(name, requirement, text)                                                                              \
    {                                                                                                                  \
        name, requirement, text, true, false, WIRE_IMPI_VIOLATION, NULL                                                \
    }
#define READING(name, requirement, reading, text)                                                                      \
    {                                                                                                                  \
        name, requirement, text, true, false, WIRE_IMPI_NOTE, reading                                                  \
    }
#define NOTED(name, requirement, text) READING(name, requirement, NULL, text)
#define UNUSED(name, requirement, packet)                                                                              \
    NOTED(name, requirement, packet " has left something in a field that its type does not use (table 3.1)")

static const struct wire_impi_rule rules[WIRE_IMPI_VIOLATIONS] = {
    [WIRE_IMPI_NO_VIOLATION] = STATED("none", "", "the message breaks no rule"),
    [WIRE_IMPI_NO_AUTH] = STATED("no-auth", "IMPI-026", "a client's first command is not AUTH"),
    [WIRE_IMPI_AUTH_NO_MASK] = STATED("auth-no-mask", "IMPI-026", "an AUTH does not carry whole masks of 4 octets"),
    [WIRE_IMPI_AUTH_NOTHING] = STATED("auth-nothing", "IMPI-028", "a client offers no authentication method at all"),
    [WIRE_IMPI_METHOD_TAKEN] = INFERRED("method-taken", "IMPI-037",
                                        "a client goes on although the server chose a method that it did not offer"),
    [WIRE_IMPI_KEY_WRONG] = STATED("key-wrong", "IMPI-030", "a client's key is not the one that the job has"),
    [WIRE_IMPI_NOT_JOINED] = STATED("not-joined", "IMPI-040", "what follows AUTH is not IMPI"),
    [WIRE_IMPI_JOIN_FORM] =
        STATED("join-form", "IMPI-040", "an IMPI does not carry a rank of 4 octets and nothing else"),
    [WIRE_IMPI_JOIN_RANK] = STATED("join-rank", "IMPI-040", "a client joins with a rank that no job has"),
    [WIRE_IMPI_JOIN_TAKEN] =
        INFERRED("join-taken", "IMPI-040", "a client joins with the rank of another one that is still there"),
    [WIRE_IMPI_JOIN_AGAIN] = STATED("join-again", "IMPI-040", "a client joins a second time"),
    [WIRE_IMPI_COLL_FORM] = STATED("coll-form", "IMPI-044", "a COLL has no label"),
    [WIRE_IMPI_LABEL_ZERO] = STATED("label-zero", "IMPI-053", "a client sends the reserved label 0"),
    [WIRE_IMPI_LABEL_ORDER] = STATED("label-order", "IMPI-052", "a label is not above the one before it"),
    [WIRE_IMPI_LABEL_MISSING] = STATED("label-missing", "IMPI-053", "a client is done without a label of version 0.0"),
    [WIRE_IMPI_VERSION_FORM] = STATED("version-form", "IMPI-058", "C_VERSION is not one or more pairs of numbers"),
    [WIRE_IMPI_VERSION_ORDER] = STATED("version-order", "IMPI-058", "the versions of a client are not ascending"),
    [WIRE_IMPI_VERSION_FIRST] = STATED("version-first", "IMPI-058", "a client does not support version 0.0"),
    [WIRE_IMPI_COUNT_FORM] = STATED("count-form", "IMPI-060", "a number of hosts or processes is not one number"),
    [WIRE_IMPI_COUNT_ZERO] = STATED("count-zero", "IMPI-060", "a client has no host or no process"),
    [WIRE_IMPI_DATALEN_FORM] = STATED("datalen-form", "IMPI-061", "C_DATALEN is not one number"),
    [WIRE_IMPI_TAGUB_FORM] = STATED("tagub-form", "IMPI-062", "C_TAGUB is not one number"),
    [WIRE_IMPI_CHOSEN_FORM] = STATED("chosen-form", "IMPI-063", "a value for collectives is not one number"),
    [WIRE_IMPI_CHOSEN_RANGE] = STATED("chosen-range", "IMPI-064", "a value for collectives is below -1"),
    [WIRE_IMPI_LIMIT_RANGE] = STATED("limit-range", "IMPI-138", "a value is outside what section 3.9 mandates"),
    [WIRE_IMPI_HOST_COUNT] =
        STATED("host-count", "IMPI-068", "a host label does not have one value for each host of the client"),
    [WIRE_IMPI_PORT_RANGE] = STATED("port-range", "IMPI-068", "a host's port is no TCP port"),
    [WIRE_IMPI_HOST_NPROCS] =
        STATED("host-nprocs", "IMPI-069", "the processes of the hosts do not add up to those of the client"),
    [WIRE_IMPI_PROCESS_COUNT] =
        STATED("process-count", "IMPI-071", "a process label does not have one value for each process of the client"),
    [WIRE_IMPI_PID_TWICE] = STATED("pid-twice", "IMPI-072", "two processes of one host identifier have the same pid"),
    [WIRE_IMPI_DONE_FORM] = STATED("done-form", "IMPI-074", "a client's DONE has a payload"),
    [WIRE_IMPI_AFTER_DONE] = STATED("after-done", "IMPI-074", "a client sends a label, or DONE again, after DONE"),
    [WIRE_IMPI_FINI_FORM] = STATED("fini-form", "IMPI-077", "a client's FINI has a payload"),
    [WIRE_IMPI_FINI_EARLY] = STATED("fini-early", "IMPI-077", "a client has finished before the server was done"),
    [WIRE_IMPI_AFTER_FINI] = STATED("after-fini", "IMPI-077", "a client says something after FINI"),
    [WIRE_IMPI_DIFFERENT_CHOICES] = STATED(
        "different-choices", "IMPI-065", "a client ends in order although the clients' values for collectives differ"),
    [WIRE_IMPI_LIMITS_IGNORED] = INFERRED(
        "limits-ignored", "IMPI-139", "a client ends in order although another one broke the limits of section 3.9"),
    [WIRE_IMPI_COMMAND_LENGTH] = STATED("command-length", "IMPI-021", "a command has a negative length"),
    [WIRE_IMPI_COMMAND_CUT] = STATED("command-cut", "IMPI-021", "the connection is closed inside a message"),

    [WIRE_IMPI_CHOICE_EARLY] = STATED("choice-early", "IMPI-029", "the server speaks before the client's AUTH"),
    [WIRE_IMPI_CHOICE_NOT_OFFERED] =
        STATED("choice-not-offered", "IMPI-034", "the server chooses a method that the client does not offer"),
    [WIRE_IMPI_CHOICE_FOLLOW_ON] =
        STATED("choice-follow-on", "IMPI-029", "the choice of a method of version 0.0 announces messages behind it"),
    [WIRE_IMPI_SIZE_FORM] = STATED("size-form", "IMPI-042", "the server's IMPI is not one with a size of 4 octets"),
    [WIRE_IMPI_SIZE_EARLY] = {"size-early", "IMPI-041", "the server tells the size before all clients have joined",
                              false, true, WIRE_IMPI_VIOLATION, NULL},
    [WIRE_IMPI_SIZE_DIFFERS] =
        STATED("size-differs", "IMPI-042", "the server tells clients of one job different sizes"),
    [WIRE_IMPI_RANK_OUTSIDE] =
        INFERRED("rank-outside", "IMPI-245", "a client with a rank outside the job is not refused"),
    [WIRE_IMPI_RANK_TAKEN] = INFERRED("rank-taken", "IMPI-244", "a client with a rank that is taken is not refused"),
    [WIRE_IMPI_SPREAD_FORM] = STATED("spread-form", "IMPI-044", "the server's COLL has no label and client mask"),
    [WIRE_IMPI_SPREAD_UNSIZED] = STATED("spread-unsized", "IMPI-042", "the server sends values before the job's size"),
    [WIRE_IMPI_SPREAD_EARLY] =
        STATED("spread-early", "IMPI-049", "the server sends a label's values before a client has given or skipped it"),
    [WIRE_IMPI_SPREAD_MASK] =
        STATED("spread-mask", "IMPI-046", "the client mask is not that of the clients that gave values"),
    [WIRE_IMPI_SPREAD_DATA] =
        STATED("spread-data", "IMPI-045", "the values are not those of the clients in the order of their ranks"),
    [WIRE_IMPI_SPREAD_AGAIN] = STATED("spread-again", "IMPI-045", "the server sends a label's values twice"),
    [WIRE_IMPI_SPREAD_MISSING] =
        STATED("spread-missing", "IMPI-047", "the server is done without having sent this client all labels"),
    [WIRE_IMPI_ALL_DONE_FORM] = STATED("all-done-form", "IMPI-075", "the server's DONE has a payload"),
    [WIRE_IMPI_ALL_DONE_EARLY] = STATED("all-done-early", "IMPI-075", "the server is done before all clients are"),
    [WIRE_IMPI_AFTER_ALL_DONE] =
        STATED("after-all-done", "IMPI-075", "the server sends values, or DONE again, after DONE"),
    [WIRE_IMPI_SERVER_AFTER_FINI] = STATED("server-after-fini", "IMPI-078", "the server says something after FINI"),

    [WIRE_IMPI_CONNECTED_EARLY] =
        STATED("connected-early", "IMPI-076", "a host connects before the server has told its client DONE"),
    [WIRE_IMPI_RANK_FORM] =
        STATED("rank-form", "IMPI-084", "the rank that opens a connection is not one of a host of the job"),
    [WIRE_IMPI_RANK_ORDER] = STATED("rank-order", "IMPI-082", "a host connects to one of higher rank"),
    [WIRE_IMPI_RANK_TWICE] = INFERRED("rank-twice", "IMPI-084", "a host connects to one to which it is connected"),
    [WIRE_IMPI_PACKET_TYPE] = STATED("packet-type", "IMPI-109", "what follows is no packet"),
    [WIRE_IMPI_PACKET_SOURCE] =
        STATED("packet-source", "IMPI-112", "a packet's source is no process of the host that sends it"),
    [WIRE_IMPI_PACKET_DEST] =
        STATED("packet-dest", "IMPI-112", "a packet's destination is no process of the host that receives it"),
    [WIRE_IMPI_DATA_LIMIT] = STATED("data-limit", "IMPI-111", "a packet has more data than was negotiated"),
    [WIRE_IMPI_DATA_ABOVE_MESSAGE] =
        STATED("data-above-message", "IMPI-115", "a packet has more data than its message"),
    [WIRE_IMPI_SHORT_IN_PARTS] = STATED("short-in-parts", "IMPI-140", "a short message is not in one packet"),
    [WIRE_IMPI_LONG_BY_DATA] = STATED("long-by-data", "IMPI-148", "a long message does not begin with a DATASYNC"),
    [WIRE_IMPI_LONG_UNACKED] = STATED("long-unacked", "IMPI-150", "more of a long message is sent before its SYNCACK"),
    [WIRE_IMPI_LONG_DRQID] =
        STATED("long-drqid", "IMPI-151", "the rest of a long message does not carry the SYNCACK's drqid"),
    [WIRE_IMPI_LONG_ECHO] =
        INFERRED("long-echo", "IMPI-152", "the rest of a long message differs from its first packet"),
    [WIRE_IMPI_LONG_TOO_MUCH] =
        INFERRED("long-too-much", "IMPI-152", "a long message has more data than its length says"),
    [WIRE_IMPI_LONG_UNFINISHED] =
        INFERRED("long-unfinished", "IMPI-152", "a long message that was acknowledged is not sent to its end"),
    [WIRE_IMPI_LONG_CANCELLED] =
        INFERRED("long-cancelled", "IMPI-174", "more of a message is sent after it was cancelled"),
    [WIRE_IMPI_SRQID_TWICE] =
        STATED("srqid-twice", "IMPI-113", "two messages of one process that wait for a SYNCACK have the same srqid"),
    [WIRE_IMPI_TAG_RANGE] = STATED("tag-range", "IMPI-107", "a tag is negative or above the negotiated bound"),
    [WIRE_IMPI_LSRANK] = STATED("lsrank", "IMPI-116", "pk_lsrank is not the sender's rank in the communicator"),
    [WIRE_IMPI_SYNCACK_UNASKED] =
        STATED("syncack-unasked", "IMPI-146", "a SYNCACK answers no message that waits for one"),
    [WIRE_IMPI_SYNCACK_AGAIN] = STATED("syncack-again", "IMPI-146", "a message gets a second SYNCACK"),
    [WIRE_IMPI_SYNCACK_DESTROYED] =
        STATED("syncack-destroyed", "IMPI-168", "a message gets a SYNCACK after it was destroyed by CANCELYES"),
    [WIRE_IMPI_CANCEL_UNASKED] = STATED("cancel-unasked", "IMPI-170", "a cancel reply answers no CANCEL"),
    [WIRE_IMPI_CANCEL_UNANSWERED] = STATED("cancel-unanswered", "IMPI-170", "a CANCEL was not answered"),
    [WIRE_IMPI_CANCELYES_MATCHED] =
        STATED("cancelyes-matched", "IMPI-169", "a message that had its SYNCACK is said to be cancelled"),
    [WIRE_IMPI_ABOVE_HIWATER] =
        STATED("above-hiwater", "IMPI-126", "a process sends more packets than hiwater without an acknowledgement"),
    [WIRE_IMPI_ABOVE_HIWATER_SYNCACK] =
        INFERRED("above-hiwater-syncack", "IMPI-132", "a SYNCACK goes beyond hiwater: it counts like data"),
    [WIRE_IMPI_ABOVE_HIWATER_CANCEL] =
        INFERRED("above-hiwater-cancel", "IMPI-133", "a CANCEL goes beyond hiwater: it counts like data"),
    [WIRE_IMPI_ABOVE_HIWATER_REPLY] =
        INFERRED("above-hiwater-reply", "IMPI-134", "a cancel reply goes beyond hiwater: it counts like data"),
    [WIRE_IMPI_PROTOACK_EARLY] = STATED("protoack-early", "IMPI-129", "a PROTOACK comes before ackmark packets"),
    [WIRE_IMPI_PROTOACK_MISSING] = STATED("protoack-missing", "IMPI-129", "a PROTOACK that was due did not come"),
    [WIRE_IMPI_FINI_AGAIN] = STATED("fini-again", "IMPI-089", "a host sends a second FINI"),
    [WIRE_IMPI_DATA_AFTER_FINI] =
        STATED("data-after-fini", "IMPI-177", "a host sends something else than acknowledgements after its FINI"),
    [WIRE_IMPI_CLOSED_WITHOUT_FINI] =
        STATED("closed-without-fini", "IMPI-090", "a host closes the channel without a FINI"),
    [WIRE_IMPI_CLOSED_BEFORE_FINI] =
        STATED("closed-before-fini", "IMPI-090", "a host closes the channel before the other host's FINI"),
    [WIRE_IMPI_CLOSED_INSIDE] = STATED("closed-inside", "IMPI-090", "a host closes the channel inside a packet"),
    [WIRE_IMPI_BARRIER_MASTER] = STATED(
        "barrier-master", "IMPI-183",
        "a message of a Barrier of the world is from or to a process that is not the one of lowest rank of its client"),
    [WIRE_IMPI_BARRIER_FORM] =
        STATED("barrier-form", "IMPI-214",
               "two masters exchange a message of a Barrier although, with so many masters, it does not pair them"),
    [WIRE_IMPI_BARRIER_MIXED] =
        STATED("barrier-mixed", "IMPI-215",
               "two masters exchange a message of a Barrier although the form that it had before does not pair them"),
    [WIRE_IMPI_BARRIER_LEFT] =
        STATED("barrier-left", "IMPI-211", "a master goes on before the Barrier that it is in was answered"),

    [WIRE_IMPI_NOTE_ADDRESS_FORM] = READING("address-form", "IMPI-007", "ipv4_form=compatible",
                                            "an IPv4 address has twelve octets of zero before it, not ten of zero and "
                                            "two of ff"),
    [WIRE_IMPI_NOTE_LABEL_AT_ONCE] = READING("label-at-once", "IMPI-043", "labels_before_size=at_once",
                                             "a client sends labels before it knows how many clients there are"),
    [WIRE_IMPI_NOTE_FINI_BEFORE_CLOSED] = NOTED(
        "fini-before-closed", "IMPI-092",
        "a client says FINI while one of its hosts has not closed a channel; it may have, unseen, at that moment"),

    [WIRE_IMPI_NOTE_SRQID_ZERO] =
        READING("srqid-zero", "IMPI-114", "eager_request_identifier=zero",
                "short messages have the pk_srqid 0, so that none can be told from another: they cannot be cancelled"),
    [WIRE_IMPI_NOTE_RESERVED] = READING("reserved-used", "IMPI-118", "reserved_field=anything",
                                        "a packet with data has something else than zero in pk_reserved"),
    [WIRE_IMPI_NOTE_LENGTH_WITHOUT_DATA] =
        NOTED("length-without-data", "IMPI-120",
              "a packet without data has a pk_len above zero; the reading header_only_length=ignored makes that "
              "harmless, one that counts would wait for octets that never come"),
    [WIRE_IMPI_NOTE_UNUSED_SYNCACK] = UNUSED("unused-syncack", "IMPI-121", "a SYNCACK"),
    [WIRE_IMPI_NOTE_UNUSED_PROTOACK] = UNUSED("unused-protoack", "IMPI-122", "a PROTOACK"),
    [WIRE_IMPI_NOTE_UNUSED_CANCEL] = UNUSED("unused-cancel", "IMPI-123", "a CANCEL or an answer to one"),
    [WIRE_IMPI_NOTE_UNUSED_FINI] = UNUSED("unused-fini", "IMPI-124", "a FINI"),
    [WIRE_IMPI_NOTE_FIRST_PACKET] =
        READING("first-packet-smaller", "IMPI-149", "first_packet=smaller",
                "the first packet of a long message has less data than one packet may have"),
    [WIRE_IMPI_NOTE_REDUCE_CONTEXT] =
        NOTED("reduce-context", "IMPI-223",
              "a message with the tag of MPI_Reduce goes over the context of point-to-point messages, in the midst of "
              "collective operations; unless the program itself has sent it with that tag, it is of the wrong context"),
    [WIRE_IMPI_NOTE_COLLECTIVE_CONTEXT] =
        NOTED("collective-context", "IMPI-238",
              "a message with the tag of a collective operation goes over the context of point-to-point messages, in "
              "the midst of collective operations; unless the program itself has sent it, it is of the wrong context"),
    [WIRE_IMPI_NOTE_MOVE_CONTEXT] =
        NOTED("move-context", "IMPI-239",
              "a message with the tag of an operation that collects or distributes data goes over the context of "
              "point-to-point messages, in the midst of collective operations; unless the program itself has sent it, "
              "it is of the wrong context"),
    [WIRE_IMPI_NOTE_COLLECTIVE_TAG] =
        NOTED("collective-tag", "IMPI-238", "a message of a collective context has a tag that no operation has there"),
    [WIRE_IMPI_NOTE_NATIVE_ORDER] =
        NOTED("native-order", "IMPI-002",
              "many messages of 4 or 8 octets make sense as numbers only with their octets in reverse, and none only "
              "as they stand: the data seem to be in the order of a little-endian machine, not in external32; a "
              "guess, for nobody outside can know what they mean"),
    [WIRE_IMPI_NOTE_LIMITS_OF_PAIR] =
        READING("limits-of-pair", "IMPI-137", "limits_in_force=per_pair",
                "flow control keeps to the ackmark and hiwater of the two hosts, not to the smallest of all hosts"),
    [WIRE_IMPI_NOTE_FINALIZE_BARRIER] =
        NOTED("finalize-barrier", "IMPI-237",
              "hosts finish although the masters of their clients have not met in a barrier of the world, of which "
              "MPI_Finalize has one"),
    [WIRE_IMPI_NOTE_BARRIER_OCTETS] = NOTED("barrier-octets", "IMPI-209", "a message of a Barrier has data"),
    [WIRE_IMPI_NOTE_BARRIER_EARLY] =
        NOTED("barrier-early", "IMPI-213",
              "a master passes a Barrier on, or is answered, before all those below it have entered, as far as the "
              "capture has the order of different channels right"),
    [WIRE_IMPI_NOTE_BARRIER_UNMET] =
        NOTED("barrier-unmet", "IMPI-213",
              "the job ends although a master has not entered a Barrier that others have, or was never answered"),
    [WIRE_IMPI_NOTE_BCAST_MASTER] =
        NOTED("bcast-master", "IMPI-219", "a Bcast goes to a process that is not the master of its client"),
    [WIRE_IMPI_NOTE_BCAST_TREE] =
        NOTED("bcast-tree", "IMPI-220",
              "a Bcast goes from one client to another although, whatever the root, no tree of so many masters does"),
    [WIRE_IMPI_NOTE_BCAST_UNREACHED] =
        NOTED("bcast-unreached", "IMPI-219", "the job ends although a Bcast has not reached every client"),
    [WIRE_IMPI_NOTE_REDUCE_UNSENT] =
        NOTED("reduce-unsent", "IMPI-224", "the job ends although not every client has sent its part of a Reduce"),
    [WIRE_IMPI_NOTE_SCAN_ORDER] =
        NOTED("scan-order", "IMPI-229", "a Scan goes to another process than the one of the next rank"),
    [WIRE_IMPI_NOTE_GATHER_UNSENT] =
        NOTED("gather-unsent", "IMPI-231",
              "the job ends although two clients or more have sent nothing for any Gather of a communicator of theirs"),
    [WIRE_IMPI_NOTE_SCATTER_UNREACHED] =
        NOTED("scatter-unreached", "IMPI-232",
              "the job ends although two clients or more have got nothing of any Scatter of a communicator of theirs"),
    [WIRE_IMPI_NOTE_ALLTOALL_UNMET] = NOTED(
        "alltoall-unmet", "IMPI-235",
        "the job ends although a client has sent or has got nothing in any Alltoall of a communicator of its own"),
    [WIRE_IMPI_NOTE_COMMUNICATOR_MASTER] =
        NOTED("communicator-master", "IMPI-183",
              "a message of a Barrier of another communicator than the world is from or to a process although one of "
              "the same client has a lower rank there"),
    [WIRE_IMPI_NOTE_COMMUNICATOR_FORM] =
        NOTED("communicator-form", "IMPI-214",
              "two masters of another communicator than the world exchange a message of a Barrier although, with as "
              "many masters as have shown, it does not pair them"),
};

const struct wire_impi_rule *wire_impi_rule_of(enum wire_impi_violation violation)
{
    return &rules[(unsigned)violation < WIRE_IMPI_VIOLATIONS ? violation : WIRE_IMPI_NO_VIOLATION];
}

struct wire_impi_finding *wire_impi_report(struct wire_impi_findings *findings, enum wire_impi_violation violation)
{
    /* No message has so many; if one had, the last would be told instead of the one before. */
    unsigned at = findings->count < WIRE_IMPI_FINDINGS_MAX ? findings->count++ : WIRE_IMPI_FINDINGS_MAX - 1;

    findings->at[at] = (struct wire_impi_finding){
        .violation = violation, .rule = wire_impi_rule_of(violation), .hearsay = findings->hearsay};
    return &findings->at[at];
}

struct wire_impi_finding *wire_impi_note(struct wire_impi_findings *notes, enum wire_impi_violation violation,
                                         struct wire_impi_tally *tally)
{
    struct wire_impi_finding *finding;

    tally->times++;
    if (tally->told) {
        return NULL;
    }
    tally->told = true;
    finding = wire_impi_report(notes, violation);
    finding->tally = tally;
    return finding;
}

void wire_impi_report_field(struct wire_impi_findings *findings, enum wire_impi_violation violation, const char *field,
                            int64_t expected, int64_t observed)
{
    struct wire_impi_finding *finding = wire_impi_report(findings, violation);

    finding->field = field;
    finding->compared = field != NULL;
    finding->expected = expected;
    finding->observed = observed;
}
