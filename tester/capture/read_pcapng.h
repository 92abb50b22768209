/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading the blocks of pcapng.
 */
#ifndef TESTER_CAPTURE_READ_PCAPNG_H
#define TESTER_CAPTURE_READ_PCAPNG_H

#include "tester/capture/read_file.h"

#include <stddef.h>

/* capture_pcapng_next reads blocks up to the next packet. The file stands at a block. */
enum capture_result capture_pcapng_next(struct capture *capture, struct capture_packet *packet, char *message,
                                        size_t message_octets);

#endif
