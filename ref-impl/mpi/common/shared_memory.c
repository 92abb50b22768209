/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory that processes of one machine share: see shared_memory.h.
 */
#include "ref-impl/mpi/common/shared_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps the file, if it is as long as it has to be. */
static void *map(int file, size_t octets)
{
    struct stat status;
    void *memory;

    if (file < 0 || fstat(file, &status) != 0 || (size_t)status.st_size != octets) {
        return NULL;
    }
    memory = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The octets of memory that could be had now, as the system tells; if it does not, no bound. */
static uint64_t available(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    unsigned long long kibibytes = UINT64_MAX / 1024;
    char line[128];

    while (file && fgets(line, sizeof(line), file) && sscanf(line, "MemAvailable: %llu kB", &kibibytes) != 1) {
    }
    if (file) {
        (void)fclose(file);
    }
    return kibibytes * 1024;
}

/* It is set aside at once: a later write could only die of it. What the machine does not have is not asked for, since
 * the system would end other processes to find it. */
void *shared_memory_make(const char *name, size_t octets, struct shared_memory_offer *offer)
{
    void *memory = NULL;

    *offer = (struct shared_memory_offer){(long)getpid(), memfd_create(name, MFD_CLOEXEC), 0};
    if (offer->file >= 0 && octets < available() &&
        getrandom(&offer->secret, sizeof(offer->secret), 0) == (ssize_t)sizeof(offer->secret) &&
        posix_fallocate(offer->file, 0, (off_t)octets) == 0) {
        memory = map(offer->file, octets);
    }
    if (memory) {
        *(uint64_t *)memory = offer->secret;
    } else {
        shared_memory_withdraw(offer);
    }
    return memory;
}

void shared_memory_withdraw(struct shared_memory_offer *offer)
{
    if (offer->file >= 0) {
        (void)close(offer->file);
        offer->file = -1;
    }
}

void *shared_memory_find(const struct shared_memory_offer *offer, size_t octets)
{
    void *memory;
    char path[64];
    int file;

    (void)snprintf(path, sizeof(path), "/proc/%ld/fd/%d", offer->process, offer->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    memory = map(file, octets);
    if (memory && *(const uint64_t *)memory != offer->secret) {
        (void)munmap(memory, octets);
        memory = NULL;
    }
    if (file >= 0) {
        (void)close(file);
    }
    return memory;
}
