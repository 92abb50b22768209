/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a capture file of any content is examined without harm, and never has more packets than it has octets.
 */
#include "tester/capture/examine.h"
#include "tester/capture/read.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

static void examine_file(const char *path, size_t size)
{
    struct examine examine;
    struct capture_packet packet;
    char message[256] = "";
    enum capture_result result;
    struct capture *capture = capture_open(path, message, sizeof message);

    if (!capture) {
        FUZZ_DEMAND(message[0]);
        return;
    }
    examine_open(&examine, 64, (const uint64_t[2]){0, 0});
    while ((result = capture_next(capture, &packet, message, sizeof message)) == CAPTURE_PACKET) {
        FUZZ_DEMAND(packet.len <= size && packet.number <= size);
        examine_packet(&examine, &packet);
    }
    FUZZ_DEMAND(result == CAPTURE_END || message[0]);
    examine_finish(&examine);
    FUZZ_DEMAND(examine.streams <= examine.connections && examine.connections <= examine.packets);
    examine_close(&examine);
    capture_close(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("capture", MFD_CLOEXEC);

    FUZZ_DEMAND(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    examine_file(path, size);
    close(fd);
    return 0;
}
