/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How many requests somebody may make in a minute. Who that is, an account or an address, is the caller's word of 64
 * bits. A whole minute's requests may come at once; after that each has to wait for its share of the minute.
 */
#ifndef WEB_HTTP_RATE_H
#define WEB_HTTP_RATE_H

#include <netinet/in.h>
#include <stdint.h>

struct rate;

/* rate_new makes an empty table for so many requests a minute. NULL: no memory. */
struct rate *rate_new(unsigned per_minute);

/* rate_free frees it; NULL is allowed. */
void rate_free(struct rate *rate);

/* rate_take counts one request at the time `now_us` of a clock that never goes back. 0: it may be made. Otherwise it
 * was not counted, and may be made in so many microseconds. From any thread; does not wait. Of more people than the
 * table has room for, those who ask least are forgotten. */
uint64_t rate_take(struct rate *rate, uint64_t who, uint64_t now_us);

/* rate_now_us is such a clock. */
uint64_t rate_now_us(void);

/* rate_who_account, rate_who_address give the word for an account, and for a client's address: of IPv6 the network of
 * 64 bits, all of whose addresses one person may have. NULL and unknown families are one person. */
uint64_t rate_who_account(int64_t account);
uint64_t rate_who_address(const struct sockaddr *address);

#endif
