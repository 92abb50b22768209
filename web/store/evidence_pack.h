/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Evidence in gzip's format, as it lies on the disk.
 */
#ifndef WEB_STORE_EVIDENCE_PACK_H
#define WEB_STORE_EVIDENCE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* evidence_pack_file and evidence_pack_octets write what is read of `from`, or the octets, to `to` in packed form. The
 * same octets always become the same. False: errno says why. The descriptors stay open. */
bool evidence_pack_file(int from, int to);
bool evidence_pack_octets(const void *octets, size_t len, int to);

/* evidence_unpack gives all of a file of `octets` octets when unpacked, which may be packed or not, ended by a zero;
 * the caller frees it. NULL: it has another size, cannot be read, or there is no memory. Closes the descriptor. */
char *evidence_unpack(int fd, uint64_t octets);

#endif
