/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The core as the NAL of an interface sees it: what arrives, and what becomes of what was sent (chapter 4.2).
 */
#ifndef REF_IMPL_CORE_MESSAGES_UPCALLS_H
#define REF_IMPL_CORE_MESSAGES_UPCALLS_H

#include "ref-impl/nal/nal.h"

/* message_upcalls - for nal_open, with the struct ni as `core`. Each upcall takes the interface's lock, and gives it
 * back while an answer is sent. */
extern const struct nal_upcalls message_upcalls;

#endif
