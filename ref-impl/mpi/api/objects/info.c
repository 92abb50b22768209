/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Info: hints of a program, as pairs of a key and a value in the order in which they were set. Chapter 4.10 of
 * MPI-2; only windows keep some hints (../windows/hints.c).
 */
#include "ref-impl/mpi/api/objects/info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"

struct hint {
    TAILQ_ENTRY(hint) link;
    char *value;
    char key[]; /* the value stands behind it */
};

TAILQ_HEAD(hints, hint);

/* The hints of a handle; NULL once the call has failed. */
static struct hints *find(struct mpi_call *call, MPI_Info info)
{
    struct hints *found = call->code == MPI_SUCCESS ? handle_find(HANDLE_INFO, info) : NULL;

    if (!found) {
        call_fail(call, MPI_ERR_INFO, "%s", info == MPI_INFO_NULL ? "info is MPI_INFO_NULL" : "info is none, or freed");
    }
    return found;
}

/* A text of at least one character, and at most so many. */
static void check_text(struct mpi_call *call, const char *text, size_t most, int code, const char *name)
{
    call_output(call, text, name);
    if (call->code == MPI_SUCCESS && (!*text || strlen(text) > most)) {
        call_fail(call, code, "%s has no characters, or more than %zu", name, most);
    }
}

static void check_key(struct mpi_call *call, const char *key)
{
    check_text(call, key, MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY, "key");
}

static struct hint *look_up(const struct hints *hints, const char *key)
{
    struct hint *at;

    TAILQ_FOREACH(at, hints, link)
    {
        if (strcmp(at->key, key) == 0) {
            return at;
        }
    }
    return NULL;
}

/* Appends a pair; false: memory is used up. */
static bool add(struct hints *hints, const char *key, const char *value)
{
    size_t key_octets = strlen(key) + 1, value_octets = strlen(value) + 1;
    struct hint *made = malloc(sizeof(*made) + key_octets + value_octets);

    if (!made) {
        return false;
    }
    made->value = made->key + key_octets;
    memcpy(made->key, key, key_octets);
    memcpy(made->value, value, value_octets);
    TAILQ_INSERT_TAIL(hints, made, link);
    return true;
}

static void drop(struct hints *hints, struct hint *hint)
{
    TAILQ_REMOVE(hints, hint, link);
    free(hint);
}

static void drop_all(struct hints *hints)
{
    while (!TAILQ_EMPTY(hints)) {
        drop(hints, TAILQ_FIRST(hints));
    }
    free(hints);
}

void info_close(void)
{
    struct hints *hints;
    size_t place = 0;

    while ((hints = handle_next(HANDLE_INFO, &place))) {
        drop_all(hints);
    }
    handle_close(HANDLE_INFO);
}

/* What mpiexec would have been given of this process's client, as far as it is known here. */
bool info_open(void)
{
    struct hints *made = malloc(sizeof(*made));
    char processes[16], *folder = getcwd(NULL, 0);
    bool good = made && handle_set(HANDLE_INFO, MPI_INFO_ENV, made);

    if (!good) {
        free(made);
        free(folder);
        return false;
    }
    TAILQ_INIT(made);
    (void)snprintf(processes, sizeof(processes), "%d", world_now()->native);
    good = add(made, "command", program_invocation_name) && add(made, "maxprocs", processes) &&
           (!folder || add(made, "wdir", folder));
    free(folder);
    return good;
}

/* The hints of a handle that may be changed; NULL once the call has failed. */
static struct hints *find_own(struct mpi_call *call, MPI_Info info)
{
    if (call->code == MPI_SUCCESS && info == MPI_INFO_ENV) {
        call_fail(call, MPI_ERR_INFO, "info is MPI_INFO_ENV, which stays as it is");
    }
    return find(call, info);
}

/* A new list under a new handle. NULL: the call has failed. */
static struct hints *make(struct mpi_call *call, MPI_Info *info)
{
    struct hints *made = malloc(sizeof(*made));
    MPI_Info handle = made ? handle_new(HANDLE_INFO, made) : NULL;

    if (!handle) {
        free(made);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return NULL;
    }
    TAILQ_INIT(made);
    *info = handle;
    return made;
}

API int MPI_Info_create(MPI_Info *info)
{
    struct mpi_call call = call_without("MPI_Info_create");

    call_output(&call, info, "info");
    if (call.code == MPI_SUCCESS) {
        make(&call, info);
    }
    return call_end(&call);
}

API int MPI_Info_free(MPI_Info *info)
{
    struct mpi_call call = call_without("MPI_Info_free");
    struct hints *hints;

    call_output(&call, info, "info");
    hints = call.code == MPI_SUCCESS ? find_own(&call, *info) : NULL;
    if (hints) {
        handle_free(HANDLE_INFO, *info);
        drop_all(hints);
        *info = MPI_INFO_NULL;
    }
    return call_end(&call);
}

API int MPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    struct mpi_call call = call_without("MPI_Info_dup");
    const struct hints *from = find(&call, info);
    MPI_Info handle = MPI_INFO_NULL;
    struct hints *to;
    struct hint *at;
    bool good = true;

    call_output(&call, newinfo, "newinfo");
    to = call.code == MPI_SUCCESS ? make(&call, &handle) : NULL;
    if (!to || !from) {
        return call_end(&call);
    }
    TAILQ_FOREACH(at, from, link)
    {
        good = good && add(to, at->key, at->value);
    }
    if (good) {
        *newinfo = handle;
    } else {
        handle_free(HANDLE_INFO, handle);
        drop_all(to);
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    return call_end(&call);
}

API int MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    struct mpi_call call = call_without("MPI_Info_set");
    struct hints *hints = find_own(&call, info);
    struct hint *old;

    check_key(&call, key);
    check_text(&call, value, MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE, "value");
    if (call.code != MPI_SUCCESS || !hints) {
        return call_end(&call);
    }
    old = look_up(hints, key);
    if (!add(hints, key, value)) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    } else if (old) {
        drop(hints, old);
    }
    return call_end(&call);
}

API int MPI_Info_delete(MPI_Info info, const char *key)
{
    struct mpi_call call = call_without("MPI_Info_delete");
    struct hints *hints = find_own(&call, info);
    struct hint *hint = NULL;

    check_key(&call, key);
    if (call.code == MPI_SUCCESS && hints && !(hint = look_up(hints, key))) {
        call_fail(&call, MPI_ERR_INFO_NOKEY, "info has no key %s", key);
    }
    if (hint) {
        drop(hints, hint);
    }
    return call_end(&call);
}

/* Cuts a value that is longer than `valuelen`, as the standard says. */
API int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    struct mpi_call call = call_without("MPI_Info_get");
    const struct hints *hints = find(&call, info);
    const struct hint *hint;

    check_key(&call, key);
    call_count(&call, valuelen, "valuelen");
    call_output(&call, value, "value");
    call_output(&call, flag, "flag");
    if (call.code != MPI_SUCCESS || !hints) {
        return call_end(&call);
    }
    hint = look_up(hints, key);
    *flag = hint != NULL;
    if (hint) {
        size_t len = strnlen(hint->value, (size_t)valuelen);

        memcpy(value, hint->value, len);
        value[len] = '\0';
    }
    return MPI_SUCCESS;
}

/* Of MPI-4: `*buflen` counts the end of the text, and becomes what the whole value takes; with 0 nothing is stored. */
API int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    struct mpi_call call = call_without("MPI_Info_get_string");
    const struct hints *hints = find(&call, info);
    const struct hint *hint;

    check_key(&call, key);
    call_output(&call, buflen, "buflen");
    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        call_count(&call, *buflen, "buflen");
    }
    if (call.code == MPI_SUCCESS && *buflen > 0) {
        call_output(&call, value, "value");
    }
    if (call.code != MPI_SUCCESS || !hints) {
        return call_end(&call);
    }
    hint = look_up(hints, key);
    *flag = hint != NULL;
    if (hint) {
        size_t len = strlen(hint->value), room = (size_t)*buflen;

        if (room > 0) {
            size_t stored = len < room ? len : room - 1;

            memcpy(value, hint->value, stored);
            value[stored] = '\0';
        }
        *buflen = (int)len + 1;
    }
    return MPI_SUCCESS;
}

API int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    struct mpi_call call = call_without("MPI_Info_get_valuelen");
    const struct hints *hints = find(&call, info);
    const struct hint *hint;

    check_key(&call, key);
    call_output(&call, valuelen, "valuelen");
    call_output(&call, flag, "flag");
    if (call.code != MPI_SUCCESS || !hints) {
        return call_end(&call);
    }
    hint = look_up(hints, key);
    *flag = hint != NULL;
    if (hint) {
        *valuelen = (int)strlen(hint->value);
    }
    return MPI_SUCCESS;
}

API int MPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    struct mpi_call call = call_without("MPI_Info_get_nkeys");
    const struct hints *hints = find(&call, info);
    const struct hint *at;

    call_output(&call, nkeys, "nkeys");
    if (call.code == MPI_SUCCESS && hints) {
        *nkeys = 0;
        TAILQ_FOREACH(at, hints, link)
        {
            ++*nkeys;
        }
    }
    return call_end(&call);
}

API int MPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    struct mpi_call call = call_without("MPI_Info_get_nthkey");
    const struct hints *hints = find(&call, info);
    const struct hint *at = hints && n >= 0 ? TAILQ_FIRST(hints) : NULL;

    call_output(&call, key, "key");
    for (int i = 0; at && i < n; i++) {
        at = TAILQ_NEXT(at, link);
    }
    if (call.code == MPI_SUCCESS && !at) {
        call_fail(&call, MPI_ERR_ARG, "info has no key number %d", n);
    }
    if (call.code == MPI_SUCCESS && at) {
        memcpy(key, at->key, strlen(at->key) + 1);
    }
    return call_end(&call);
}
