/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The rows of every message of the Intercept network: specs/intercept-wire.md, chapters 3 to 5, line by line. For
 * messages.c, which makes tables of them, and frame.c, which makes the codec.
 *
 * ROW(member, label, clause, offset, width, base, values, help); the member of struct wire_intercept_frame is the row's
 * name.
 */
#ifndef WIRE_INTERCEPT_MESSAGE_ROWS_H
#define WIRE_INTERCEPT_MESSAGE_ROWS_H

/* clang-format off */

#define ICPT_COMMON_ROWS(ROW)                                                                                          \
    ROW(kind, "Kind", "binding 3.1", 0, 1, WIRE_ENUM, kind_values,                                                     \
        "Kind of frame.")                                                                                              \
    ROW(planes, "Planes", "binding 3.1", 1, 1, WIRE_HEX, NULL,                                                         \
        "Mask of the planes over which the packet may travel.")                                                        \
    ROW(flags, "Flags", "binding 3.1", 2, 1, WIRE_HEX, NULL,                                                           \
        "1: raise the VNIC's interrupt; 2: multicast.")                                                                \
    ROW(sequence, "Sequence", "binding 3.1", 3, 1, WIRE_DEC, NULL,                                                     \
        "Of the frame on this link; of an acknowledgement or request, the one that is meant.")                         \
    ROW(destination, "Destination", "binding 3.1", 4, 2, WIRE_DEC, NULL,                                               \
        "Intercept unicast address of the receiver, or a multicast group.")                                            \
    ROW(source, "Source", "binding 3.1", 6, 2, WIRE_DEC, NULL,                                                         \
        "Intercept unicast address of the sender.")

#define ICPT_VDMA_DATA_ROWS(ROW)                                                                                       \
    ICPT_COMMON_ROWS(ROW)                                                                                              \
    ROW(channel, "Channel", "binding 3.3", 8, 2, WIRE_DEC, NULL,                                                       \
        "The receiver's VDMA channel.")                                                                                \
    ROW(length, "Length", "binding 3.3", 10, 2, WIRE_DEC, NULL,                                                        \
        "Octets of payload, in whole quadwords.")                                                                      \
    ROW(window_address, "Window address", "binding 3.3", 12, 4, WIRE_HEX, NULL,                                        \
        "Channel virtual address: where the payload goes in the channel's window, in octets.")

#define ICPT_VNIC_ROWS(ROW)                                                                                            \
    ICPT_COMMON_ROWS(ROW)                                                                                              \
    ROW(destination_vnic, "Destination VNIC", "binding 3.4", 8, 1, WIRE_DEC, NULL,                                     \
        "Virtual NIC at the receiver; 0 is the VDMA handler's.")                                                       \
    ROW(source_vnic, "Source VNIC", "binding 3.4", 9, 1, WIRE_DEC, NULL,                                               \
        "Virtual NIC at the sender; 0 is the VDMA handler's.")                                                         \
    ROW(length, "Length", "binding 3.4", 10, 2, WIRE_DEC, NULL,                                                        \
        "Octets of payload, in whole quadwords.")

#define ICPT_SHORT_ROWS(ROW)                                                                                           \
    ICPT_VNIC_ROWS(ROW)                                                                                                \
    ROW(reserved, "Reserved", "binding 3.4", 12, 4, WIRE_HEX, NULL,                                                    \
        "Zero.")

#define ICPT_CREDIT_ROWS(ROW)                                                                                          \
    ICPT_VNIC_ROWS(ROW)                                                                                                \
    ROW(command, "Command", "binding 3.5", 12, 2, WIRE_ENUM, command_values,                                           \
        "Flow-control command.")                                                                                       \
    ROW(amount, "Amount", "binding 3.5", 14, 2, WIRE_DEC, NULL,                                                        \
        "How many more control messages may be sent.")

#define ICPT_RMPP_ROWS(ROW)                                                                                            \
    ICPT_SHORT_ROWS(ROW)                                                                                               \
    ROW(rmpp_type, "RMPP type", "table 5.1", 16, 4, WIRE_ENUM, rmpp_values,                                            \
        "Type of the RMPP packet.")                                                                                    \
    ROW(rmpp_length, "RMPP length", "binding 4", 20, 4, WIRE_DEC, NULL,                                                \
        "Octets of this header and all that follows, without padding.")                                                \
    ROW(message_number, "Message number", "binding 4.1", 24, 8, WIRE_DEC, NULL,                                        \
        "Of the message, counted for each pair of nodes; 0 boots the count.")

#define ICPT_GRANT_ROWS(ROW)                                                                                           \
    ICPT_RMPP_ROWS(ROW)                                                                                                \
    ROW(n, "Grant", "binding 4.3", 32, 4, WIRE_DEC, NULL,                                                              \
        "Data packets that may be sent.")                                                                              \
    ROW(body_reserved, "Reserved", "binding 4.3", 36, 4, WIRE_HEX, NULL,                                               \
        "Zero.")

#define ICPT_CTS_ROWS(ROW)                                                                                             \
    ICPT_GRANT_ROWS(ROW)                                                                                               \
    ROW(mlength, "Wanted length", "binding 4.3", 40, 8, WIRE_DEC, NULL,                                                \
        "Octets of the message that Portals wants.")

#define ICPT_PACKET_ROWS(ROW)                                                                                          \
    ICPT_RMPP_ROWS(ROW)                                                                                                \
    ROW(packet_number, "Packet number", "binding 4.4", 32, 4, WIRE_DEC, NULL,                                          \
        "Of the data packet, from 0, over the whole message.")                                                         \
    ROW(body_reserved, "Reserved", "binding 4.4", 36, 4, WIRE_HEX, NULL,                                               \
        "Zero.")

#define ICPT_MSGERROR_ROWS(ROW)                                                                                        \
    ICPT_RMPP_ROWS(ROW)                                                                                                \
    ROW(status, "Status", "binding 4.5", 32, 4, WIRE_INT, status_values,                                               \
        "Why the transmission is aborted.")                                                                            \
    ROW(body_reserved, "Reserved", "binding 4.5", 36, 4, WIRE_HEX, NULL,                                               \
        "Zero.")

#define ICPT_CONTROL_ROWS(ROW)                                                                                         \
    ICPT_SHORT_ROWS(ROW)                                                                                               \
    ROW(control_type, "Control type", "binding 5", 16, 2, WIRE_ENUM, control_values,                                   \
        "Type of the VDMA handler's control message.")                                                                 \
    ROW(version, "Version", "binding 5", 18, 2, WIRE_DEC, NULL,                                                        \
        "Of the control messages.")                                                                                    \
    ROW(control_length, "Control length", "binding 5", 20, 4, WIRE_DEC, NULL,                                          \
        "Octets of this header and all that follows, without padding.")                                                \
    ROW(rank, "Physical rank", "binding 5", 24, 8, WIRE_HEX, NULL,                                                     \
        "Of the sending process: nid x 65536 + pid.")                                                                  \
    ROW(key, "Request key", "binding 5", 32, 8, WIRE_HEX, NULL,                                                        \
        "The request that the message belongs to.")

#define ICPT_CONNECT_ROWS(ROW)                                                                                         \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(peer_rank, "Peer's rank", "binding 5.1", 40, 8, WIRE_HEX, NULL,                                                \
        "Physical rank of the process to which the connection is made.")

/* REFUSE and DONE; MATCH_REPLY goes on behind it. */
#define ICPT_STATUS_ROWS(ROW)                                                                                          \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(status, "Status", "binding 5.6", 40, 4, WIRE_INT, status_values,                                               \
        "What became of the request.")                                                                                 \
    ROW(body_reserved, "Reserved", "binding 5.6", 44, 4, WIRE_HEX, NULL,                                               \
        "Zero.")

#define ICPT_GET_ROWS(ROW)                                                                                             \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(channel_granted, "Channel", "binding 5.3", 40, 4, WIRE_DEC, NULL,                                              \
        "The receiver's VDMA channel, whose page table is ready.")                                                     \
    ROW(slice, "Slice", "binding 5.3", 44, 4, WIRE_DEC, NULL,                                                          \
        "Which slice of the transfer, from 0.")                                                                        \
    ROW(slices, "Slices", "binding 5.3", 48, 4, WIRE_DEC, NULL,                                                        \
        "How many slices the transfer has.")                                                                           \
    ROW(window_start, "Window start", "binding 5.3", 52, 4, WIRE_HEX, NULL,                                            \
        "Where the slice's first octet goes in the channel's window.")                                                 \
    ROW(address, "Address", "binding 5.3", 56, 8, WIRE_HEX, NULL,                                                      \
        "Of the slice in the memory of the data's sender.")                                                            \
    ROW(slice_length, "Slice length", "binding 5.3", 64, 8, WIRE_DEC, NULL,                                            \
        "Octets of the slice.")                                                                                        \
    ROW(key_remaining, "Key of the remainder", "5.2.2", 72, 8, WIRE_HEX, NULL,                                         \
        "The wait for first and last block; 0 where there are none.")                                                  \
    ROW(first_block_length, "First block length", "5.2.2", 80, 8, WIRE_DEC, NULL,                                      \
        "Octets before the first slice.")                                                                              \
    ROW(first_block_addr, "First block address", "5.2.2", 88, 8, WIRE_HEX, NULL,                                       \
        "Where they are at the data's sender.")                                                                        \
    ROW(last_block_length, "Last block length", "5.2.2", 96, 8, WIRE_DEC, NULL,                                        \
        "Octets behind the last slice.")                                                                               \
    ROW(last_block_addr, "Last block address", "5.2.2", 104, 8, WIRE_HEX, NULL,                                        \
        "Where they are at the data's sender.")

#define ICPT_PUT_ROWS(ROW)                                                                                             \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(address, "Address", "binding 5.4", 40, 8, WIRE_HEX, NULL,                                                      \
        "Of the data at its sender.")                                                                                  \
    ROW(put_length, "Put length", "binding 5.4", 48, 8, WIRE_DEC, NULL,                                                \
        "Octets of the data.")

#define ICPT_GET_EXT_REPLY_ROWS(ROW)                                                                                   \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(key_remaining, "Key of the remainder", "binding 5.5", 40, 8, WIRE_HEX, NULL,                                   \
        "As in the GET that asked for it.")                                                                            \
    ROW(first_length, "First block length", "binding 5.5", 48, 4, WIRE_DEC, NULL,                                      \
        "Octets of the first block, which begins the data.")                                                           \
    ROW(last_length, "Last block length", "binding 5.5", 52, 4, WIRE_DEC, NULL,                                        \
        "Octets of the last block, which follows at the next quadword.")

#define ICPT_TRY_MATCH_ROWS(ROW)                                                                                       \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(message_number, "Message number", "binding 5.6", 40, 8, WIRE_DEC, NULL,                                        \
        "Of the message, in the sequence of RTS.")                                                                     \
    ROW(address, "Address", "binding 5.6", 48, 8, WIRE_HEX, NULL,                                                      \
        "Of the data at its sender.")                                                                                  \
    ROW(match_length, "Match length", "binding 5.6", 56, 8, WIRE_DEC, NULL,                                            \
        "Octets of the message.")

#define ICPT_MATCH_REPLY_ROWS(ROW)                                                                                     \
    ICPT_STATUS_ROWS(ROW)                                                                                              \
    ROW(mlength, "Manipulated length", "binding 5.6", 48, 8, WIRE_DEC, NULL,                                           \
        "Octets of the message that were taken.")

#define ICPT_UPD_CONN_ROWS(ROW)                                                                                        \
    ICPT_CONTROL_ROWS(ROW)                                                                                             \
    ROW(nic_count, "NICs", "binding 5.7", 40, 4, WIRE_DEC, NULL,                                                       \
        "NICs of the sender; the data has the address of each.")                                                       \
    ROW(body_reserved, "Reserved", "binding 5.7", 44, 4, WIRE_HEX, NULL,                                               \
        "Zero.")

/* clang-format on */

/* MESSAGE(index, name, label, clause, kind, list of rows, row of the length of its data or -1), in the order of enum
 * wire_intercept_message. */
/* clang-format off */
#define ICPT_MESSAGES(MESSAGE)                                                                                         \
    MESSAGE(VDMA_DATA, "vdma_data", "VDMA packet", "2.1.2", VDMA, ICPT_VDMA_DATA_ROWS, 7)                              \
    MESSAGE(SHORT_MESSAGE, "short_message", "Short message", "2.1.2", SHORT, ICPT_SHORT_ROWS, 8)                       \
    MESSAGE(CREDIT, "command", "Flow-control command", "2.1.2", COMMAND, ICPT_CREDIT_ROWS, -1)                         \
    MESSAGE(LINK_ACKNOWLEDGE, "acknowledge", "Link acknowledgement", "2.1.1", ACKNOWLEDGE, ICPT_SHORT_ROWS, -1)        \
    MESSAGE(LINK_RETRANSMIT, "retransmit", "Retransmission request", "2.1.1", RETRANSMIT, ICPT_SHORT_ROWS, -1)         \
    MESSAGE(RTS, "rts", "Request to send", "table 5.1", SHORT, ICPT_RMPP_ROWS, 11)                                     \
    MESSAGE(CTS, "cts", "Clear to send", "table 5.1", SHORT, ICPT_CTS_ROWS, -1)                                        \
    MESSAGE(NEXT_CTS, "next_cts", "Clear to send more", "table 5.1", SHORT, ICPT_GRANT_ROWS, -1)                       \
    MESSAGE(DATA, "data", "Data packet", "table 5.1", SHORT, ICPT_PACKET_ROWS, 11)                                     \
    MESSAGE(STOP_DATA, "stop_data", "Data packet, last of the grant", "table 5.1", SHORT, ICPT_PACKET_ROWS, 11)        \
    MESSAGE(LAST_DATA, "last_data", "Data packet, last of the message", "table 5.1", SHORT, ICPT_PACKET_ROWS, 11)      \
    MESSAGE(MSGEND, "msgend", "End of message", "table 5.1", SHORT, ICPT_RMPP_ROWS, -1)                                \
    MESSAGE(MSGERROR, "msgerror", "Transmission aborted", "table 5.1", SHORT, ICPT_MSGERROR_ROWS, 11)                  \
    MESSAGE(CONNECT, "connect", "Connect", "5.2.2", SHORT, ICPT_CONNECT_ROWS, -1)                                      \
    MESSAGE(REFUSE, "refuse", "Connection refused", "5.2.2", SHORT, ICPT_STATUS_ROWS, -1)                              \
    MESSAGE(GET, "vdma_get", "VDMA_GET", "2.2.2", SHORT, ICPT_GET_ROWS, -1)                                            \
    MESSAGE(PUT, "vdma_put", "VDMA_PUT", "2.2.2", SHORT, ICPT_PUT_ROWS, -1)                                            \
    MESSAGE(DONE, "done", "VDMA_DONE", "2.2.2", SHORT, ICPT_STATUS_ROWS, -1)                                           \
    MESSAGE(GET_EXT_REPLY, "get_ext_reply", "VDMA_PORTALS_GET_EXT_REPLY", "5.2.2", SHORT, ICPT_GET_EXT_REPLY_ROWS, 12) \
    MESSAGE(TRY_MATCH, "try_match", "VDMA_PORTALS_TRY_MATCH", "5.2.2", SHORT, ICPT_TRY_MATCH_ROWS, 12)                 \
    MESSAGE(MATCH_REPLY, "match_reply", "VDMA_PORTALS_MATCH_REPLY", "5.2.2", SHORT, ICPT_MATCH_REPLY_ROWS, -1)         \
    MESSAGE(UPD_CONN, "upd_conn", "VDMA_PORTALS_UPD_CONN", "5.2.2", SHORT, ICPT_UPD_CONN_ROWS, 12)
/* clang-format on */

#endif
