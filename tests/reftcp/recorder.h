/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A core for tests of networks: it writes down every upcall, gives arriving messages the memory that the test has
 * prepared, and lets the test wait for what shall happen, with a deadline.
 */
#ifndef TESTS_REFTCP_RECORDER_H
#define TESTS_REFTCP_RECORDER_H

#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/peer/arrivals.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { RECORDER_NOTES = 4096, RECORDER_DEADLINE_S = 60 };

enum recorder_kind { RECORDER_ARRIVE, RECORDER_LANDED, RECORDER_SENT, RECORDER_DROPPED, RECORDER_KINDS };

/* struct recorder_note is one upcall. */
struct recorder_note {
    enum recorder_kind kind;
    struct wire_portals_header header; /* arrive */
    void *token;                       /* landed: the token; sent: the cookie */
    bool complete;
};

/* struct recorder is the core. `sink` is what every arriving message gets. With `answers` every GET or PUT is answered
 * with an empty acknowledgement through `nal`. */
struct recorder {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct recorder_note notes[RECORDER_NOTES];
    unsigned count;
    unsigned long kinds[RECORDER_KINDS]; /* also of those that found no room in notes */
    unsigned long incomplete[RECORDER_KINDS];
    struct nal_sink sink;
    bool answers;
    struct nal *nal;
};

extern const struct nal_upcalls recorder_upcalls;

/* recorder_begin - an empty recorder.
 * recorder_sink - what the messages that arrive from now on get. */
void recorder_begin(struct recorder *recorder);
void recorder_sink(struct recorder *recorder, void *start, uint64_t length, void *token);

/* recorder_await - waits until `kind` was called at least `count` times; false when the deadline passes first. */
bool recorder_await(struct recorder *recorder, enum recorder_kind kind, unsigned long count);

/* drops_await - waits until `count` messages have been discarded for an interface that is not open; false when the
 * deadline passes first. Before that the interface may not be opened by a test that wants them discarded. */
bool drops_await(struct arrivals *arrivals, uint32_t interface, uint64_t count);

/* recorder_calls - how often `kind` was called so far.
 * recorder_incomplete - of these, with complete = false. */
unsigned long recorder_calls(struct recorder *recorder, enum recorder_kind kind);
unsigned long recorder_incomplete(struct recorder *recorder, enum recorder_kind kind);

/* recorder_note - a copy of the n-th note (from 0) of that kind; zeros when there is none. */
struct recorder_note recorder_note(struct recorder *recorder, enum recorder_kind kind, unsigned n);

#endif
