/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker can find (check.h): name, requirement, words.
 */
#include "wire/intercept/check.h"

static const struct {
    const char *name, *requirement, *text;
} texts[WIRE_INTERCEPT_VIOLATIONS] = {
    [WIRE_INTERCEPT_BREAKS_RULE] = {"rule", "", "a rule about single frames"},
    [WIRE_INTERCEPT_WINDOW_FULL] = {"window-full", "ICPT-009", "an eighth packet while seven are not acknowledged"},
    [WIRE_INTERCEPT_SEQUENCE_JUMPS] = {"sequence-jumps", "IW-20",
                                       "a sequence that is neither the next nor one of the last seven"},
    [WIRE_INTERCEPT_CHANGED] = {"changed", "IW-22", "a packet that is sent again with other octets"},
    [WIRE_INTERCEPT_ACK_OF_NOTHING] = {"ack-of-nothing", "ICPT-007",
                                       "an acknowledgement of a packet that was not sent"},
    [WIRE_INTERCEPT_ASKS_FOR_NOTHING] = {"asks-for-nothing", "ICPT-008", "a request for a packet that is not due"},
    [WIRE_INTERCEPT_WRONG_PLANE] = {"wrong-plane", "ICPT-014", "a plane that the frame's mask does not permit"},
    [WIRE_INTERCEPT_FOREIGN_SOURCE] = {"foreign-source", "IW-08",
                                       "a source that is not the address of the card that sends"},
    [WIRE_INTERCEPT_NUMBER_AGAIN] = {"number-again", "ICPT-171", "a message with a number that another one has had"},
    [WIRE_INTERCEPT_BOOT_FIRST] = {"boot-first", "ICPT-177", "a message while the boot message is not answered"},
    [WIRE_INTERCEPT_RTS_NOT_FULL] = {"rts-not-full", "IW-34",
                                     "an RTS without as much of the message as it has room for"},
    [WIRE_INTERCEPT_CTS_OF_NOTHING] = {"cts-of-nothing", "ICPT-186", "a grant for a message that is not open"},
    [WIRE_INTERCEPT_CTS_AGAIN] = {"cts-again", "ICPT-145", "a second CTS of a message"},
    [WIRE_INTERCEPT_CTS_LENGTH] = {"cts-length", "ICPT-160", "a CTS that wants no more than the RTS has brought"},
    [WIRE_INTERCEPT_CTS_BEYOND] = {"cts-beyond", "ICPT-221", "a CTS that wants more octets than the message has"},
    [WIRE_INTERCEPT_GRANT_TOO_LARGE] = {"grant-too-large", "ICPT-164",
                                        "a grant of more than 16 packets, or of more than are needed"},
    [WIRE_INTERCEPT_DATA_OF_NOTHING] = {"data-of-nothing", "ICPT-186", "data of a message that is not open"},
    [WIRE_INTERCEPT_DATA_NOT_GRANTED] = {"data-not-granted", "ICPT-142", "a data packet beyond what has been granted"},
    [WIRE_INTERCEPT_DATA_AGAIN] = {"data-again", "ICPT-143", "a data packet that was sent before"},
    [WIRE_INTERCEPT_DATA_LENGTH] = {"data-length", "ICPT-291", "a data packet that is neither full nor the rest"},
    [WIRE_INTERCEPT_DATA_TYPE] = {"data-type", "IW-37",
                                  "a data packet of another type than its place in grant and message demands"},
    [WIRE_INTERCEPT_END_OF_NOTHING] = {"end-of-nothing", "ICPT-150", "the end of a message that is not open"},
    [WIRE_INTERCEPT_END_EARLY] = {"end-early", "ICPT-161",
                                  "the end of a message behind its last data packet, while others have not come"},
    [WIRE_INTERCEPT_NO_CREDIT] = {"no-credit", "ICPT-090", "a control message for which there is no credit"},
    [WIRE_INTERCEPT_GET_OF_NOTHING] = {"get-of-nothing", "IW-43", "a GET with the key of no transfer"},
    [WIRE_INTERCEPT_GET_BEYOND] = {"get-beyond", "ICPT-125", "GETs of octets that the message does not have"},
    [WIRE_INTERCEPT_GET_SLICES] = {"get-slices", "ICPT-096",
                                   "more GETs than slices, or another number of slices than before"},
    [WIRE_INTERCEPT_BLOCKS_OF_NOTHING] = {"blocks-of-nothing", "ICPT-115", "a GET_EXT_REPLY that nobody has asked for"},
    [WIRE_INTERCEPT_BLOCKS_DIFFER] = {"blocks-differ", "ICPT-112",
                                      "a GET_EXT_REPLY with another key or other lengths than asked for"},
    [WIRE_INTERCEPT_SLICE_OF_NOTHING] = {"slice-of-nothing", "ICPT-097",
                                         "a VDMA packet for a channel that was not granted to its sender"},
    [WIRE_INTERCEPT_SLICE_BEYOND] = {"slice-beyond", "IW-13",
                                     "a VDMA packet outside of its slice, or more than the slice has"},
    [WIRE_INTERCEPT_REPLY_OF_NOTHING] = {"reply-of-nothing", "IW-48",
                                         "the final answer to a transfer that is not open"},
    [WIRE_INTERCEPT_REPLY_EARLY] = {"reply-early", "ICPT-126", "a final answer before all that was asked for has come"},
    [WIRE_INTERCEPT_REPLY_LENGTH] = {"reply-length", "ICPT-299",
                                     "a MATCH_REPLY that says another length than was taken"},
    [WIRE_INTERCEPT_OTHER_RANK] =
        {"other-rank", "ICPT-105",
         "a rank that is not that of its sender, of the process which its Portals header names"},
    [WIRE_INTERCEPT_UNKNOWN_KIND] = {"unknown-kind", "IW-09", "a kind that no frame has, under a right CRC"},
    [WIRE_INTERCEPT_BAD_LENGTH] = {"bad-length", "IW-03", "a length that no such frame has, under a right CRC"},
};

struct wire_intercept_finding wire_intercept_violation_text(enum wire_intercept_violation violation)
{
    return (struct wire_intercept_finding){violation, texts[violation].name, texts[violation].requirement,
                                           texts[violation].text};
}
