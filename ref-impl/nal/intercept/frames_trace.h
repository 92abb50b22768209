/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The frames of the live network as a capture: what the switch receives and sends, as the UDP datagrams that they are.
 */
#ifndef REF_IMPL_NAL_INTERCEPT_FRAMES_TRACE_H
#define REF_IMPL_NAL_INTERCEPT_FRAMES_TRACE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

struct pcapng;

/* struct frames_trace - a capture that is being written; NULL: none is. One thread at a time. */
struct frames_trace {
    struct pcapng *capture;
};

/* frames_trace_begin - writes to intercept-PID.pcapng in the folder that ASSAY_TRACE names; does nothing where it names
 * none. False, with a line on stderr: the file cannot be made.
 * frames_trace_show - adds a datagram; `word` says what became of it, or is NULL. What cannot be written ends the
 * capture, with a line on stderr.
 * frames_trace_end - closes it; also where there is none. */
bool frames_trace_begin(struct frames_trace *trace);
void frames_trace_show(struct frames_trace *trace, const struct sockaddr_in *from, const struct sockaddr_in *to,
                       const unsigned char *octets, size_t len, const char *word);
void frames_trace_end(struct frames_trace *trace);

#endif
