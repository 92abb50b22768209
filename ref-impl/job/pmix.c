/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Joining through PMIx, so that the same program runs under mpirun, prterun or srun (specs/portals-wire.md, "Joining a
 * job"). Every process publishes "NID PID" under the key portals.address, a fence makes all of them known, and each
 * then reads everybody's. The group id is a hash of the namespace's name, the rank id is the PMIx rank.
 *
 * libpmix is loaded when it is wanted, so that a library built here also runs on machines that have none.
 */
#include "ref-impl/job/join.h"

#include <dlfcn.h>
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB_PMIX_KEY "portals.address"

/* The calls that are used, by the names that libpmix exports them under. */
static struct {
    void *library;
    bool begun;
    __typeof__(&PMIx_Init) init;
    __typeof__(&PMIx_Finalize) finalize;
    __typeof__(&PMIx_Put) put;
    __typeof__(&PMIx_Commit) commit;
    __typeof__(&PMIx_Fence) fence;
    __typeof__(&PMIx_Get) get;
} pmix;

static bool pmix_symbol(const char *name, void *place)
{
    void *found = dlsym(pmix.library, name);

    if (!found) {
        job_complain("libpmix.so.2 has no %s: %s", name, dlerror());
        return false;
    }
    memcpy(place, &found, sizeof found); /* ISO C knows no cast from an object's pointer to a function's */
    return true;
}

static bool pmix_load(void)
{
    if (pmix.library) {
        return true;
    }
    pmix.library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!pmix.library) {
        job_complain(
            "started by a PMIx launcher, but its library cannot be loaded: %s; install libpmix2, or use portalsrun",
            dlerror());
        return false;
    }
    if (pmix_symbol("PMIx_Init", &pmix.init) && pmix_symbol("PMIx_Finalize", &pmix.finalize) &&
        pmix_symbol("PMIx_Put", &pmix.put) && pmix_symbol("PMIx_Commit", &pmix.commit) &&
        pmix_symbol("PMIx_Fence", &pmix.fence) && pmix_symbol("PMIx_Get", &pmix.get)) {
        return true;
    }
    dlclose(pmix.library);
    pmix.library = NULL;
    return false;
}

/* FNV-1a, 32 bits: the group id of a namespace. 0 and all ones ("not known" on the wire) are not given to a group. */
static uint32_t pmix_group_of(const char *name)
{
    uint32_t hash = 0x811c9dc5U;

    for (; *name; name++) {
        hash = (hash ^ (uint8_t)*name) * 0x01000193U;
    }
    return hash == 0 || hash == WIRE_PORTALS_ID_UNKNOWN ? 1 : hash;
}

static void pmix_value_free(pmix_value_t *value)
{
    if (value->type == PMIX_STRING) {
        free(value->data.string);
    }
    free(value);
}

static bool pmix_size(const pmix_proc_t *self, uint32_t *size)
{
    pmix_proc_t all = *self;
    pmix_value_t *value = NULL;

    all.rank = PMIX_RANK_WILDCARD;
    if (pmix.get(&all, PMIX_JOB_SIZE, NULL, 0, &value) != PMIX_SUCCESS || !value) {
        return false;
    }
    bool good = value->type == PMIX_UINT32 && value->data.uint32 > 0 && value->data.uint32 <= JOB_SIZE_MAX;
    if (good) {
        *size = value->data.uint32;
    }
    pmix_value_free(value);
    return good;
}

/* Publishes our address and waits until everybody has published theirs. */
static bool pmix_exchange(const pmix_proc_t *self, uint32_t nid, uint32_t pid)
{
    char text[32];
    pmix_value_t value = {.type = PMIX_STRING, .data.string = text};
    pmix_proc_t all = *self;
    pmix_info_t collect = {.flags = 0};

    all.rank = PMIX_RANK_WILDCARD;
    snprintf(text, sizeof text, "%u %u", (unsigned)nid, (unsigned)pid);
    snprintf(collect.key, sizeof collect.key, "%s", PMIX_COLLECT_DATA);
    collect.value.type = PMIX_BOOL;
    collect.value.data.flag = true;
    return pmix.put(PMIX_GLOBAL, JOB_PMIX_KEY, &value) == PMIX_SUCCESS && pmix.commit() == PMIX_SUCCESS &&
           pmix.fence(&all, 1, &collect, 1) == PMIX_SUCCESS;
}

/* Reads "NID PID" of one rank. */
static bool pmix_member(const pmix_proc_t *self, uint32_t rank, struct wire_portals_id *member)
{
    pmix_proc_t who = *self;
    pmix_value_t *value = NULL;
    bool good = false;

    who.rank = rank;
    if (pmix.get(&who, JOB_PMIX_KEY, NULL, 0, &value) != PMIX_SUCCESS || !value) {
        return false;
    }
    if (value->type == PMIX_STRING && value->data.string) {
        char *space = strchr(value->data.string, ' ');
        if (space) {
            *space = '\0';
            good = job_number_parse(value->data.string, UINT32_MAX, &member->nid) &&
                   job_number_parse(space + 1, UINT32_MAX, &member->pid);
        }
    }
    pmix_value_free(value);
    return good;
}

static enum job_status pmix_members(const pmix_proc_t *self, uint32_t size, struct job_facts *facts)
{
    enum job_status status = job_members_allocate(pmix_group_of(self->nspace), size, facts);
    for (uint32_t rank = 0; status == JOB_OK && rank < size; rank++) {
        if (!pmix_member(self, rank, &facts->members[rank])) {
            job_complain("PMIx does not say where rank %u is: it did not publish %s", (unsigned)rank, JOB_PMIX_KEY);
            free(facts->members);
            facts->members = NULL;
            status = JOB_REFUSED;
        }
    }
    return status;
}

enum job_status job_pmix_join(struct job_facts *facts)
{
    pmix_proc_t self = {.rank = 0};
    uint32_t nid = 0;
    uint32_t pid = 0;
    uint32_t size = 0;
    enum job_status status = JOB_UNREACHABLE;

    if (!pmix_load()) {
        return JOB_UNREACHABLE;
    }
    pmix_status_t begun = pmix.init(&self, NULL, 0);
    if (begun != PMIX_SUCCESS) {
        job_complain("the PMIx server named in the environment does not answer (PMIx status %d)", (int)begun);
        return JOB_UNREACHABLE;
    }
    pmix.begun = true;
    if (!pmix_size(&self, &size) || self.rank >= size) {
        job_complain("PMIx does not say how many processes this job has");
        status = JOB_REFUSED;
        goto leave;
    }
    if (!job_address_choose(job_address_outward(), &nid) || !job_place_take(&nid, size, &pid)) {
        goto leave;
    }
    if (!pmix_exchange(&self, nid, pid)) {
        job_complain("the processes of the job could not exchange their addresses through PMIx");
        goto leave;
    }
    status = pmix_members(&self, size, facts);
    if (status != JOB_OK) {
        goto leave;
    }
    facts->self = facts->members[self.rank];
    return JOB_OK;

leave:
    job_pmix_leave();
    return status;
}

void job_pmix_leave(void)
{
    if (pmix.begun) {
        pmix.finalize(NULL, 0);
        pmix.begun = false;
    }
}
