/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the tests of the reference have in common: a process that is its own peer. Over the loop everything has happened
 * when a call returns, so most tests need no waiting.
 */
#ifndef TESTS_REFIMPL_SUPPORT_H
#define TESTS_REFIMPL_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/include/portals.h"
#include "tests/unit/tap.h"

/* The sizes of the tables that support_open asks for. */
enum { SUPPORT_PORTALS = 8, SUPPORT_ACCESSES = 8 };

/* support_open initialises the library over the loop and the default interface; aborts the test when it cannot. */
ptl_handle_ni_t support_open(void);

/* support_self is the id of this process; support_anybody matches everybody. */
ptl_process_id_t support_self(void);
ptl_process_id_t support_anybody(void);

/* support_md is a descriptor of `length` octets at `start`, endless, without options. */
ptl_md_t support_md(void *start, ptl_size_t length, unsigned options, ptl_handle_eq_t eventq);

/* support_eq is a new queue for `count` events; support_bind a bound descriptor; support_entry a new match list
 * that matches `bits` on a portal; support_attach an entry for everything with one descriptor. All abort on failure. */
ptl_handle_eq_t support_eq(ptl_handle_ni_t ni, ptl_size_t count);
ptl_handle_md_t support_bind(ptl_handle_ni_t ni, ptl_md_t md);
ptl_handle_me_t support_entry(ptl_handle_ni_t ni, ptl_pt_index_t portal, ptl_match_bits_t bits);
ptl_handle_md_t support_attach(ptl_handle_me_t me, ptl_md_t md, ptl_unlink_t unlink);

/* support_put and support_get send to the process itself, with cookie 0; the code of PtlPut, PtlGet. */
int support_put(ptl_handle_md_t md, ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_size_t offset);
int support_get(ptl_handle_md_t md, ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_size_t offset);

/* support_drops is the drop count; support_events the number of events in a queue. */
ptl_sr_value_t support_drops(ptl_handle_ni_t ni);
ptl_size_t support_events(ptl_handle_eq_t eq);

/* support_unmapped is an address of a page where no memory is. */
void *support_unmapped(void);

/* support_must aborts the program with a word about where, when `code` is not PTL_OK: for steps that are not the test's
 * matter. */
void support_must(int code, const char *what);

/* SUPPORT_IS checks that a call returns a code, and shows both. */
#define SUPPORT_IS(call, code) CHECK_EQ((call), (code), #call " returns " #code)

#endif
