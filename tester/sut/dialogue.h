/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A conversation with one interpreter or agent: greeting, commands, replies, notices (specs/interpreter.md, section 2).
 *
 *   GREETING --hello understood--> READY --connection over--> GONE
 *       |------refused, or closed-------------------------------^
 */
#ifndef TESTER_SUT_DIALOGUE_H
#define TESTER_SUT_DIALOGUE_H

#include "tester/sut/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dialogue_state { DIALOGUE_GREETING, DIALOGUE_READY, DIALOGUE_GONE };

/* Why a conversation is over, as far as its verdict differs. */
enum dialogue_end {
    DIALOGUE_OPEN,    /* it is not */
    DIALOGUE_CLOSED,  /* the connection closed without a notice */
    DIALOGUE_CRASHED, /* notice `crash` */
    DIALOGUE_EXITED,  /* notice `exit` */
    DIALOGUE_HUNG,    /* notice `hang`, or no reply long after the deadline */
    DIALOGUE_BROKEN,  /* what it said is not the protocol */
};

struct dialogue_command {
    struct dialogue_command *next;
    uint32_t id;
    char verb[64];
    char *reply;     /* NULL until it came: "ok ..." or "error ..." */
    int64_t late_ms; /* clock: when the manager stops waiting */
    bool forgotten;  /* nobody waits for the reply any more */
};

/* struct dialogue_events is who hears; any may be NULL. `sent` and `came` see lines as they are; `notice` gets the
 * words behind "! " of notices that are not about the end of the process. */
struct dialogue_events {
    void *context;
    void (*sent)(void *context, const char *line);
    void (*came)(void *context, const char *line);
    void (*notice)(void *context, const char *words);
    void (*octets)(void *context, bool incoming, const void *octets, size_t len);
    void (*over)(void *context); /* the connection closed, not by dialogue_close */
};

struct dialogue {
    struct session *session;
    struct dialogue_events events;
    enum dialogue_state state;
    enum dialogue_end end;
    const char *role;              /* "interpreter" or "agent": what the token was for */
    char *hello;                   /* the pairs of its hello, or NULL */
    char *why;                     /* the reason of the end, in words, or NULL */
    char function[64], signal[16]; /* of a notice `crash` or `hang`: in which function, by which signal; else "" */
    bool cut;                      /* DIALOGUE_BROKEN by a line that may be a reply cut off: the next line may be why */
    uint32_t last_id;
    struct dialogue_command *commands;
};

/* dialogue_open takes the link over and waits for the hello; `dialogue` is the caller's and must stay where it is. */
void dialogue_open(struct dialogue *dialogue, struct loop *loop, struct registry_link *link, const char *role,
                   const struct dialogue_events *events);

/* dialogue_feed reads what came behind the upgrade request; call it once, after dialogue_open. */
void dialogue_feed(struct dialogue *dialogue);

/* dialogue_send sends a command and returns its id, or 0 when the conversation is over. `lines` are sent behind it
 * (batch). */
uint32_t dialogue_send(struct dialogue *dialogue, unsigned deadline_ms, const char *thread, const char *text,
                       const char *const *lines, size_t line_count);

/* dialogue_find gives the command of that id, or NULL. dialogue_forget frees one that is no longer wanted; its reply,
 * if that is still to come, is passed over. */
struct dialogue_command *dialogue_find(struct dialogue *dialogue, uint32_t id);
void dialogue_forget(struct dialogue *dialogue, uint32_t id);

/* dialogue_over marks the end from our side, unless it ended already. */
void dialogue_over(struct dialogue *dialogue, enum dialogue_end end, const char *why);

/* dialogue_close closes the connection and frees everything inside `dialogue`. */
void dialogue_close(struct dialogue *dialogue);

#endif
