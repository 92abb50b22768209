/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The way to the manager: TCP, one HTTP request that turns the connection into one of lines, greeting
 * (specs/interpreter.md, sections 1 and 2.1).
 */
#ifndef INTERPRETER_COMMON_CONNECTION_H
#define INTERPRETER_COMMON_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "lines.h"

/* connection_check_token tells whether the text may be a token: 16 to 128 characters of A-Z a-z 0-9 _ -. */
bool connection_check_token(const char *token);

enum connection_status {
    CONNECTION_OPEN,
    CONNECTION_LATER,   /* nobody answers, or the manager is not ready: it may be worth another try */
    CONNECTION_WAIT,    /* the manager says that it will be ready, whenever that is (503): connection_wait_ms */
    CONNECTION_REFUSED, /* it will not be any better next time */
};

/* connection_dial connects to ADDRESS ("HOST:PORT" or "[IPV6]:PORT") by TCP. -1 when that fails: told. */
int connection_dial(const char *address);

/* connection_open connects to ADDRESS ("HOST:PORT" or "[IPV6]:PORT"), presents the token, says `hello` and waits until
 * the manager welcomes us. Each step may take 30 seconds. On success the lines that follow can be read from `lines`,
 * whose descriptor is the connection. Otherwise one line on stderr has said where and why. */
enum connection_status connection_open(const char *address, const char *token, const char *hello, struct lines *lines);

/* connection_wait_ms gives what the manager has asked for with its last CONNECTION_WAIT: to come again in so many
 * milliseconds; 0: it has not said. */
int connection_wait_ms(void);

/* connection_send writes all octets, however often the system takes only some of them. No SIGPIPE. False when the
 * manager is gone, or has taken nothing for 30 seconds. */
bool connection_send(int fd, const char *octets, size_t len);

/* connection_finish says that no more will be sent and reads, for a second at most, until the other side has closed. A
 * connection that is closed with unread octets is reset, and the reset may overtake what was sent last. */
void connection_finish(int fd);

#endif
