/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network that spoils another one's sending, on purpose and reproducibly: it loses, doubles, delays and reorders
 * messages. For finding out what a library above, or a test, makes of it.
 */
#ifndef REF_IMPL_NAL_WRAP_FAULT_FAULT_H
#define REF_IMPL_NAL_WRAP_FAULT_FAULT_H

#include "ref-impl/nal/network.h"

/* fault_open - opens the network `inner`, spoilt as `spec` says: parts separated by commas, each optional.
 *
 *     drop=P dup=P reorder=P   probabilities from 0 to 1, for each message
 *     delay_ms=N               every message waits so long, at most 60000
 *     seed=N                   of the random numbers, 1 where it is not given; decides what becomes of which message
 *     kinds=put|ack|get|reply  which messages; all four where it is not given
 *
 * A line on stderr at the close says what was done. NAL_NO_DEVICE, with a line on stderr, when the spec is malformed.
 */
enum nal_status fault_open(const char *spec, nal_opener *inner, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal);

/* fault_open_numbered - the same below a reliability layer: spoils nothing but what that layer will make good, that is
 * messages with a number (BARRIER too where `kinds` is not given) and ACKNOWLEDGE. A message and its number are one. */
enum nal_status fault_open_numbered(const char *spec, nal_opener *inner, const struct nal_config *config,
                                    const struct nal_upcalls *upcalls, void *core, struct nal **nal);

#endif
