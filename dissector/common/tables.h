/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What Wireshark's menus "Statistics" and "File / Export Objects" show of a protocol: a tree of counts, the service
 * response times, conversations and endpoints by rank, and the data of messages as files. All of them are made of what
 * is told about each message here.
 */
#ifndef DISSECTOR_COMMON_TABLES_H
#define DISSECTOR_COMMON_TABLES_H

#include "dissector/common/wireshark_compat.h"

#include <epan/conversation_table.h>
#include <epan/packet.h>

/* The table of response times: one row for each kind of answer. It is one for each protocol: of several, Wireshark 4's
 * window shows each once more, empty, whenever another window reads the capture again. */
struct tables_answers {
    const char *title;
    const char *filter;       /* a row's number behind it filters for the answers; NULL: there is none */
    const char *const *names; /* by row; ends with NULL */
};

/* A protocol. Constant, but for what Wireshark gives; it lives as long as Wireshark does. */
struct tables_protocol {
    const char *abbrev, *title;      /* "portals", "Portals" */
    const char *from_rank, *to_rank; /* fields with the ranks of both processes */
    struct tables_answers answers;
    int tap, export_tap;
    ct_dissector_info_t conversation;
    et_dissector_info_t endpoint;
};

/* One message. Lives as long as its packet. */
struct tables_message {
    struct tables_protocol *protocol;
    const char *kind;      /* for people: "Put request" */
    const char *pair;      /* "rank 0 -> rank 1"; NULL: it is not between processes */
    const char *from, *to; /* a process' rank, or where that is not known its address; good where there is a pair */
    const char *portal;    /* "portal 4"; NULL: none */
    int64_t octets;        /* of data that it brings; negative: it cannot have any */
    uint64_t span;         /* octets of the message with its header */
    const nstime_t *asked; /* when was sent what it answers; NULL: it answers nothing */
    unsigned row;          /* of answers, where it answers */
};

/* tables_register - registers all of them for the protocol with Wireshark's number `proto`. Once, at start-up. */
void tables_register(struct tables_protocol *protocol, int proto);

/* tables_wanted - whether anybody listens.
 * tables_tell - tells about a message, which the packet's memory holds.
 * tables_export_wanted - whether files are collected.
 * tables_export - offers the data of a message, all of which `data` holds, as a file `name` from the process `from`. */
bool tables_wanted(const struct tables_protocol *protocol);
bool tables_export_wanted(const struct tables_protocol *protocol);
void tables_tell(packet_info *pinfo, const struct tables_message *message);
void tables_export(const struct tables_protocol *protocol, packet_info *pinfo, tvbuff_t *data, const char *from,
                   const char *name);

#endif
