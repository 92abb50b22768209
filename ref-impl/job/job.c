/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Membership of a job: asks the sources of job.h in their order, keeps what they say, and answers from it. PtlInit
 * opens the job, PtlFini closes it. Chapter 3.4: process identification; translation is a local operation (3.4.3), so
 * everything is learnt at once, in the beginning.
 *
 * Opening the job also brings the process onto the network: from the moment in which others may know its address, what
 * they send must be received, and be discarded and counted while the interface is not initialised (4.2). The loop
 * network needs none of that.
 */
#include "ref-impl/job/job.h"

#include "ref-impl/job/join.h"
#include "ref-impl/job/launcher.h"
#include "ref-impl/nal/presence.h"

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The one job of this process. Written by job_open and job_close only, which nobody calls while others read. */
static struct {
    bool open;
    bool alone;  /* it was started by no launcher: nobody knows it by its process id */
    bool forked; /* all of this is a parent's */
    struct job_facts facts;
    struct wire_portals_id *by_address; /* the members again, ordered by nid, then pid */
} job;

void job_complain(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    flockfile(stderr);
    fputs("portals: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(args);
}

bool job_number_parse(const char *text, uint32_t max, uint32_t *value)
{
    uint64_t number = 0;

    if (!text || !*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        number = number * 10 + (uint64_t)(*text - '0');
        if (number > max) {
            return false;
        }
    }
    *value = (uint32_t)number;
    return true;
}

enum job_status job_members_allocate(uint32_t gid, uint32_t size, struct job_facts *facts)
{
    struct wire_portals_id *members = calloc(size, sizeof *members);

    if (!members) {
        job_complain("no memory for a job of %u processes", (unsigned)size);
        return JOB_NO_MEMORY;
    }
    for (uint32_t rank = 0; rank < size; rank++) {
        members[rank].gid = gid;
        members[rank].rid = rank; //= P30-059
    }
    facts->size = size;
    facts->members = members;
    return JOB_OK;
}

/* Started alone: a job of size one, whose group number is as good as its port is unique on this node. `nid` and `pid`
 * are the ids that are wanted, or 0. */
static enum job_status job_single_join(uint32_t nid, uint32_t pid, struct job_facts *facts)
{
    if (!job_address_choose(nid ? nid : 0x7f000001, &nid) || !job_place_take(&nid, 1, &pid)) {
        return JOB_UNREACHABLE;
    }
    enum job_status status = job_members_allocate(pid + 0x80000000U, 1, facts);
    if (status != JOB_OK) {
        return status;
    }
    facts->members[0].nid = nid;
    facts->members[0].pid = pid;
    facts->self = facts->members[0];
    return JOB_OK;
}

static int job_address_compare(const void *left, const void *right)
{
    const struct wire_portals_id *a = left;
    const struct wire_portals_id *b = right;

    if (a->nid != b->nid) {
        return a->nid < b->nid ? -1 : 1;
    }
    return a->pid == b->pid ? 0 : a->pid < b->pid ? -1 : 1;
}

/* Ends what the source had begun, in every state that a join may have left. */
static void job_facts_release(struct job_facts *facts)
{
    if (facts->connection >= 0) {
        job_directory_leave(facts->connection);
    }
    job_pmix_leave();
    free(facts->members);
}

static enum job_status job_join(uint32_t nid, uint32_t pid, struct job_facts *facts)
{
    job.alone = false;
    if (getenv("ASSAY_JOB")) {
        return job_directory_join(facts);
    }
    if (getenv("PMIX_NAMESPACE")) {
        return job_pmix_join(facts);
    }
    job.alone = true;
    return job_launcher_excluded() ? JOB_UNREACHABLE : job_single_join(nid, pid, facts);
}

/* Joins as job_open does, with the ids that are wanted, or 0. */
static enum job_status open_as(uint32_t nid, uint32_t pid)
{
    struct job_facts facts = {.connection = -1};
    enum job_status status = job_join(nid, pid, &facts);

    if (status != JOB_OK) {
        presence_end(); /* a source that failed may have begun */
        return status;
    }
    struct wire_portals_id *by_address = malloc(facts.size * sizeof *by_address);
    if (!by_address) {
        job_complain("no memory for a job of %u processes", (unsigned)facts.size);
        presence_end();
        job_facts_release(&facts);
        return JOB_NO_MEMORY;
    }
    for (uint32_t rank = 0; rank < facts.size; rank++) {
        by_address[rank] = facts.members[rank];
    }
    qsort(by_address, facts.size, sizeof *by_address, job_address_compare);
    if (!presence_join(&(struct network_job){
            .self = facts.self, .members = facts.members, .size = facts.size, .alone = job.alone})) {
        presence_end();
        free(by_address);
        job_facts_release(&facts);
        return JOB_NO_MEMORY;
    }
    job.facts = facts;
    job.by_address = by_address;
    job.open = true;
    return JOB_OK;
}

static void forget_in_child(void)
{
    job.forked = job.forked || job.open;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_in_child);
}

enum job_status job_open(void)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;

    pthread_once(&watching, watch_forks);
    if (job.forked) {
        job_complain(
            "a process that was forked by a member of a job cannot become one; it may start a program that does");
        return JOB_UNREACHABLE;
    }
    return job.open ? JOB_OK : open_as(0, 0);
}

bool job_is_alone(void)
{
    return job.open && job.alone;
}

bool job_take_place(uint32_t nid, uint32_t pid)
{
    if (!job_is_alone() || pid == 0) {
        return false;
    }
    job_close();
    return open_as(nid, pid) == JOB_OK && job.facts.self.pid == pid;
}

void job_close(void)
{
    if (!job.open) {
        return;
    }
    presence_end();
    job_facts_release(&job.facts);
    free(job.by_address);
    job.open = false;
}

const struct wire_portals_id *job_self(void)
{
    assert(job.open);
    return &job.facts.self;
}

uint32_t job_size(void)
{
    return job.open ? job.facts.size : 1;
}

//= P30-068
//= P30-071
bool job_by_rank(uint32_t gid, uint32_t rid, struct wire_portals_id *id)
{
    if (!job.open || gid != job.facts.self.gid || rid >= job.facts.size) {
        return false; //= P30-070
    }
    *id = job.facts.members[rid];
    return true;
}

//= P30-069
bool job_by_address(uint32_t nid, uint32_t pid, struct wire_portals_id *id)
{
    struct wire_portals_id wanted = {.nid = nid, .pid = pid};
    const struct wire_portals_id *found = NULL;

    if (job.open) {
        found = bsearch(&wanted, job.by_address, job.facts.size, sizeof wanted, job_address_compare);
    }
    if (!found) {
        return false;
    }
    *id = *found;
    return true;
}
