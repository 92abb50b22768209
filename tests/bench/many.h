/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A job in one process: thousands of endpoints, each with an interface 0 of its own, over a network that hands each
 * message from one to the other in memory, at once and in order. Its nal_open and its ni_table_at take the library's
 * place in the programs that link it. One thread, which acts for one endpoint at a time.
 *
 * All endpoints are of one group; the rank is the number of the endpoint.
 */
#ifndef TESTS_BENCH_MANY_H
#define TESTS_BENCH_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/core/ni.h"

enum { MANY_GROUP = 77 };

/* many_open makes a job of `count` endpoints; ends the program with a word when it cannot. One job at a time. */
void many_open(uint32_t count);

/* many_open_alone makes a job of which endpoint 0 alone is in this process: what it sends to one of the other `count` -
 * 1 leaves and is forgotten, what they send comes by many_arrive. */
void many_open_alone(uint32_t count);

/* many_arrive lets a message arrive at its target, which is here, with its payload. */
void many_arrive(const struct wire_portals_header *header, const void *payload, uint64_t length);

/* many_interface is the handle of the interface of an endpoint; the calls that follow are that endpoint's. */
uint64_t many_interface(uint32_t rank);

/* many_id is the id of an endpoint; rank CORE_ANY_ID: of all. */
struct wire_portals_id many_id(uint32_t rank);

/* many_hold lets payload and answers of puts wait from now on, until many_land: as if the octets of all were on their
 * way at once. many_land lets them land, in the order in which their messages came. */
void many_hold(void);
void many_land(void);

/* many_octets is how much memory the network of the job takes, apart from what the core holds. */
size_t many_octets(void);

/* many_messages is how many messages have been delivered since many_open. */
uint64_t many_messages(void);

/* many_close ends all endpoints. */
void many_close(void);

#endif
