/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The job's memory, its lock, and the way from one process's memory to another's. The launcher (pipes/launch.sh) gives
 * a folder, the number of processes and the rank.
 */
#include "tests/suts/onesided/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

struct job *job;
struct rank *self;
bool up;

/* Before the job is joined there is nothing to be guarded but the joining. */
static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

void lock(void)
{
    if (LAZY_US) {
        usleep(LAZY_US);
    }
    pthread_mutex_lock(&joining);
    if (job && pthread_mutex_lock(&job->lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&job->lock);
    }
    pthread_mutex_unlock(&joining);
}

int leave(int code)
{
    if (job) {
        pthread_mutex_unlock(&job->lock);
    }
    return code;
}

static void make(struct job *fresh, unsigned size)
{
    pthread_mutexattr_t shared;
    pthread_condattr_t timed;

    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&fresh->lock, &shared);
    pthread_condattr_init(&timed);
    pthread_condattr_setpshared(&timed, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setclock(&timed, CLOCK_MONOTONIC);
    pthread_cond_init(&fresh->news, &timed);
    fresh->size = size;
    fresh->jid = (ptl_jid_t)getpid();
    fresh->made = true;
}

/* The first process to come makes it. */
static struct job *map(const char *site, unsigned size)
{
    char path[512];
    struct job *mapped;

    snprintf(path, sizeof path, "%s/job", site);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX) || ftruncate(fd, sizeof *mapped)) {
        return NULL;
    }
    mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED && !mapped->made) {
        make(mapped, size);
    }
    flock(fd, LOCK_UN); /* a mapping would hold it */
    close(fd);
    return mapped == MAP_FAILED ? NULL : mapped;
}

bool job_join(void)
{
    const char *site = getenv("SITE"), *size = getenv("SIZE"), *rank = getenv("RANK");

    if (job || !site || !size || !rank || atoi(size) > RANKS) {
        return job;
    }
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* so that the others may read and write here */
    pthread_mutex_lock(&joining);
    job = map(site, (unsigned)atoi(size));
    if (job) {
        self = &job->ranks[atoi(rank)];
        self->os_pid = getpid();
        self->uid = getuid();
    }
    pthread_mutex_unlock(&joining);
    return job;
}

bool copy(const struct rank *from, const void *source, const struct rank *to, void *sink, ptl_size_t octets)
{
    for (ptl_size_t done = 0; done < octets;) {
        size_t part = octets - done < 1 << 26 ? octets - done : 1 << 26;
        struct iovec out = {(char *)source + done, part}, in = {(char *)sink + done, part};
        ssize_t moved = from == self ? process_vm_writev(to->os_pid, &out, 1, &in, 1, 0)
                                     : process_vm_readv(from->os_pid, &in, 1, &out, 1, 0);
        if (moved <= 0) {
            return false;
        }
        done += (ptl_size_t)moved;
    }
    return true;
}
