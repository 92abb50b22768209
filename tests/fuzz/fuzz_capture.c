/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a capture file of any content is examined without harm, and never has more packets than it has octets.
 */
#include "tester/capture/findings.h"
#include "tester/capture/read.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

static void wire_examine_file(const char *path, size_t size)
{
    struct findings findings;
    struct capture_packet packet;
    char message[256] = "";
    enum capture_result result;
    struct capture *capture = capture_open(path, message, sizeof message);

    if (!capture) {
        FUZZ_DEMAND(message[0]);
        return;
    }
    findings_open(&findings, 64);
    while ((result = capture_next(capture, &packet, message, sizeof message)) == CAPTURE_PACKET) {
        FUZZ_DEMAND(packet.len <= size && packet.number <= size);
        findings_packet(&findings, &packet);
    }
    FUZZ_DEMAND(result == CAPTURE_END || message[0]);
    findings_finish(&findings);
    FUZZ_DEMAND(findings.examine.streams <= findings.examine.connections &&
                findings.examine.connections <= findings.packets);
    findings_close(&findings);
    capture_close(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("capture", MFD_CLOEXEC);

    FUZZ_DEMAND(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    wire_examine_file(path, size);
    close(fd);
    return 0;
}
