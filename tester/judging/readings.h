/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which readings of the profile's switches (specs/PROFILE.switches.json) the system under test follows, as far as the
 * run has found. A switch belongs to the run: what one case has found holds for those that come later.
 */
#ifndef TESTER_JUDGING_READINGS_H
#define TESTER_JUDGING_READINGS_H

struct readings;

/* readings_open begins with none; readings_close frees all. The functions below may be called on any thread. */
struct readings *readings_open(void);
void readings_close(struct readings *readings);

/* readings_found notes what a case has found; the first that is found of a switch stands. readings_of gives the value
 * of a switch, which stays as long as the readings, or NULL. */
void readings_found(struct readings *readings, const char *name, const char *value);
const char *readings_of(struct readings *readings, const char *name);

#endif
