/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A whole capture under the checkers: finds the Portals streams among its TCP connections by their HELLO, the IMPI jobs
 * by their AUTH and the ports that they announce, and collects what breaks a rule.
 */
#ifndef TESTER_CAPTURE_EXAMINE_H
#define TESTER_CAPTURE_EXAMINE_H

#include "tester/capture/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* examine_open begins; it remembers at most `room` requests (EXAMINE_ROOM does for any capture), and finds them again
 * by `key`, which should be random, so that no capture can make that slow. examine_packet takes the next packet;
 * examine_finish settles the counts and sorts out what a capture that does not show everything cannot prove.
 * examine_close frees all. */
void examine_open(struct examine *examine, uint32_t room, const uint64_t key[2]);
void examine_packet(struct examine *examine, const struct capture_packet *packet);
void examine_finish(struct examine *examine);
void examine_close(struct examine *examine);

#endif
