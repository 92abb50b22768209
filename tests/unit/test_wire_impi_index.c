/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ranks of processes in a job of thousands: found in few steps, whichever way an address is written.
 */
#include "tests/unit/tap.h"
#include "wire/impi/check_job.h"
#include "wire/impi/check_own.h"

#include <string.h>

enum { PROCESSES = 4096, A_HOST = 64, CHAIN_MAX = 12 };

static struct wire_impi_job_process processes[PROCESSES];

/* Process number `i`: on host 10.0.x.1, with the same pids on every host, as batch systems give them. */
static struct wire_impi_process id_of(uint32_t i, bool mapped)
{
    struct wire_impi_process id = {.pid = 1000 + i % A_HOST};

    id.host[10] = id.host[11] = mapped ? 0xff : 0;
    id.host[12] = 10;
    id.host[14] = (unsigned char)(i / A_HOST);
    id.host[15] = 1;
    return id;
}

static struct wire_impi_job job_of(uint32_t count)
{
    struct wire_impi_job job;

    wire_impi_job_begin(&job, &(struct wire_impi_job_tables){.processes = processes, .process_count = PROCESSES});
    job.processes = count;
    for (uint32_t i = 0; i < count; i++) {
        processes[i] = (struct wire_impi_job_process){.id = id_of(i, i % 3 == 0), .chain = 7, .next = 7};
    }
    return job;
}

static void every_process_is_found(void)
{
    struct wire_impi_job job = job_of(PROCESSES);
    uint32_t wrong = 0, longest = 0;

    wire_impi_index_make(&job);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        struct wire_impi_process plain = id_of(i, false), mapped = id_of(i, true);
        uint32_t chain = 0;

        wrong += wire_impi_job_process_of(&job, &plain) != i;
        wrong += wire_impi_job_process_of(&job, &mapped) != i;
        for (uint32_t at = processes[i].chain; at != 0 && chain <= PROCESSES; at = processes[at - 1].next) {
            chain++;
        }
        longest = chain > longest ? chain : longest;
    }
    CHECK_EQ(wrong, 0, "each of them, by either form of its address");
    CHECK(longest <= CHAIN_MAX, "in few steps: at most %u", longest);
}

static void outsiders_are_not(void)
{
    struct wire_impi_job job = job_of(PROCESSES);
    struct wire_impi_process id = id_of(0, false);

    wire_impi_index_make(&job);
    id.pid = 999;
    CHECK_EQ(wire_impi_job_process_of(&job, &id), -1, "another pid");
    id = id_of(0, false);
    id.host[13] = 1;
    CHECK_EQ(wire_impi_job_process_of(&job, &id), -1, "another host");
    id = id_of(0, false);
    id.host[0] = 0x20; /* an IPv6 address that ends alike: in the same chain, and not the same */
    CHECK_EQ(wire_impi_job_process_of(&job, &id), -1, "another kind of address");
}

static void the_first_of_two_that_are_alike(void)
{
    struct wire_impi_job job = job_of(PROCESSES);
    struct wire_impi_process id = id_of(5, false);

    processes[3000].id = id;
    CHECK_EQ(wire_impi_job_process_of(&job, &id), 5, "before there is an index");
    wire_impi_index_make(&job);
    CHECK_EQ(wire_impi_job_process_of(&job, &id), 5, "and with it");
}

static void a_job_of_one(void)
{
    struct wire_impi_job job = job_of(1);
    struct wire_impi_process id = id_of(0, true), other = id_of(1, true);

    wire_impi_index_make(&job);
    CHECK_EQ(wire_impi_job_process_of(&job, &id), 0, "it is found");
    CHECK_EQ(wire_impi_job_process_of(&job, &other), -1, "and nobody else");
}

int main(void)
{
    TAP_RUN(every_process_is_found);
    TAP_RUN(outsiders_are_not);
    TAP_RUN(the_first_of_two_that_are_alike);
    TAP_RUN(a_job_of_one);
    return tap_done();
}
