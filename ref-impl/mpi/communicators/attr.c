/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: keys, values, and what happens to them when a communicator is copied or freed. Chapter
 * 5.7 of MPI; attr_impi.c computes the predefined ones.
 *
 * A key is counted: the program's own hold on it, and one for each attribute under it, so that the functions of a key
 * that has been freed are still called for the attributes that are left.
 *
 * Those functions may use attributes themselves, also of the same communicator. So nothing is remembered across such a
 * call but what cannot go meanwhile: a key that is held, and an attribute that is being deleted, which nobody else can
 * delete or replace before its function has decided. Neither can its communicator be freed in a function's call.
 */
#include "ref-impl/mpi/communicators/attr.h"

#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"

struct key {
    MPI_Copy_function *copy;
    MPI_Delete_function *remove;
    void *extra;
    unsigned holders; /* 0: the place is free */
    bool named;       /* the program has not freed it */
};

struct attr_entry {
    struct attr_entry *older;
    int keyval;
    void *value;
    bool leaving; /* its delete function has been asked and has not answered yet */
};

static struct key *keys; /* key i is keys[i - ATTR_FIXED] */
static int key_count;

static struct key *key_of(int keyval)
{
    return &keys[keyval - ATTR_FIXED];
}

/* The attribute under a key, or NULL. */
static struct attr_entry *find(const struct mpi_comm *comm, int keyval)
{
    struct attr_entry *entry = comm->attributes.newest;

    while (entry && entry->keyval != keyval) {
        entry = entry->older;
    }
    return entry;
}

static bool add(struct mpi_comm *comm, int keyval, void *value)
{
    struct attr_entry *entry = malloc(sizeof(*entry));

    if (!entry) {
        return false;
    }
    *entry = (struct attr_entry){comm->attributes.newest, keyval, value, false};
    comm->attributes.newest = entry;
    key_of(keyval)->holders++;
    return true;
}

/* Takes an attribute out of the list, and away. */
static void take(struct mpi_comm *comm, struct attr_entry *entry)
{
    struct attr_entry **place = &comm->attributes.newest;

    while (*place != entry) {
        place = &(*place)->older;
    }
    key_of(entry->keyval)->holders--;
    *place = entry->older;
    free(entry);
}

/* Asks the delete function of an attribute, and takes it away if there is no objection. */
static int delete_one(struct mpi_comm *comm, struct attr_entry *entry)
{
    const struct key *key = key_of(entry->keyval);
    int code = MPI_SUCCESS;

    if (entry->leaving) {
        return MPI_ERR_ARG;
    }
    if (key->remove) {
        entry->leaving = true;
        comm->attributes.calls++;
        call_out_begin();
        code = key->remove(comm->handle, entry->keyval, entry->value, key->extra);
        call_out_end();
        comm->attributes.calls--;
        entry->leaving = false;
    }
    if (code == MPI_SUCCESS) {
        take(comm, entry);
    }
    return code;
}

/* Asks the copy function of the key of an attribute, if there still is one under it, what `to` shall have. */
static int copy_one(int keyval, struct mpi_comm *from, struct mpi_comm *to)
{
    const struct attr_entry *entry = find(from, keyval);
    void *value = NULL;
    int flag = 0;
    int code = MPI_SUCCESS;

    if (!entry || !key_of(keyval)->copy) {
        return MPI_SUCCESS;
    }
    key_of(keyval)->holders++;
    from->attributes.calls++;
    call_out_begin();
    code = key_of(keyval)->copy(from->handle, keyval, key_of(keyval)->extra, entry->value, &value, &flag);
    call_out_end();
    from->attributes.calls--;
    if (code == MPI_SUCCESS && flag && !add(to, keyval, value)) {
        code = MPI_ERR_OTHER;
    }
    key_of(keyval)->holders--;
    return code;
}

/* Copies attributes in the order in which they were attached. */
int attr_copy_all(struct mpi_comm *from, struct mpi_comm *to)
{
    size_t count = 0;
    int code = MPI_SUCCESS;
    int *keyvals;

    for (const struct attr_entry *entry = from->attributes.newest; entry; entry = entry->older) {
        count++;
    }
    keyvals = malloc((count + 1) * sizeof(*keyvals));
    if (!keyvals) {
        return MPI_ERR_OTHER;
    }
    count = 0;
    for (const struct attr_entry *entry = from->attributes.newest; entry; entry = entry->older) {
        keyvals[count++] = entry->keyval;
    }
    while (count > 0 && code == MPI_SUCCESS) {
        code = copy_one(keyvals[--count], from, to);
    }
    free(keyvals);
    return code;
}

int attr_delete_all(struct mpi_comm *comm)
{
    int code = comm->attributes.calls > 0 ? MPI_ERR_OTHER : MPI_SUCCESS;

    while (comm->attributes.newest && code == MPI_SUCCESS) {
        code = delete_one(comm, comm->attributes.newest);
    }
    return code;
}

void attr_drop(struct mpi_comm *comm)
{
    while (comm->attributes.newest) {
        take(comm, comm->attributes.newest);
    }
}

void attr_close(void)
{
    free(keys);
    keys = NULL;
    key_count = 0;
}

API int MPI_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                   int *flag)
{
    (void)oldcomm, (void)keyval, (void)extra_state;
    *(void **)attribute_val_out = attribute_val_in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* A key that nobody uses, or -1 when memory is used up. */
static int free_key(void)
{
    struct key *more;
    int index = 0;

    while (index < key_count && keys[index].holders > 0) {
        index++;
    }
    if (index < key_count) {
        return index;
    }
    more = realloc(keys, ((size_t)key_count + 1) * sizeof(*keys));
    if (!more) {
        return -1;
    }
    keys = more;
    return key_count++;
}

API int MPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    struct mpi_call call = call_without("MPI_Keyval_create");
    int index;

    call_output(&call, keyval, "keyval");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    index = free_key();
    if (index < 0) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    keys[index] = (struct key){copy_fn, delete_fn, extra_state, 1, true};
    *keyval = index + ATTR_FIXED;
    return MPI_SUCCESS;
}

/* A key that the program may use: its own, and not freed. */
static void check_own_key(struct mpi_call *call, int keyval)
{
    if (keyval >= 0 && keyval < ATTR_FIXED) {
        call_fail(call, MPI_ERR_ARG, "the predefined key %d cannot be changed", keyval);
    } else if (keyval < 0 || keyval - ATTR_FIXED >= key_count || !key_of(keyval)->named) {
        call_fail(call, MPI_ERR_ARG, "keyval %d is no key, or has been freed", keyval);
    }
}

/* A key whose attributes the program may ask for and delete: its own, also freed, as long as there are any under it. */
static void check_known_key(struct mpi_call *call, int keyval)
{
    if (keyval < ATTR_FIXED || keyval - ATTR_FIXED >= key_count || key_of(keyval)->holders == 0) {
        check_own_key(call, keyval);
    }
}

/* An attribute that can be deleted or replaced: not by its own delete function. */
static void check_not_leaving(struct mpi_call *call, const struct attr_entry *entry)
{
    if (entry->leaving) {
        call_fail(call, MPI_ERR_ARG,
                  "the attribute under key %d is being deleted; its delete function cannot do so too", entry->keyval);
    }
}

API int MPI_Keyval_free(int *keyval)
{
    struct mpi_call call = call_without("MPI_Keyval_free");

    call_output(&call, keyval, "keyval");
    if (call.code == MPI_SUCCESS) {
        check_own_key(&call, *keyval);
    }
    if (call.code == MPI_SUCCESS) {
        key_of(*keyval)->named = false;
        key_of(*keyval)->holders--;
        *keyval = MPI_KEYVAL_INVALID;
    }
    return call_end(&call);
}

/* Takes away what a new attribute replaces, and whose delete function may free the key. */
static void make_room(struct mpi_call *call, int keyval)
{
    struct attr_entry *old = find(call->comm, keyval);
    int code;

    if (!old) {
        return;
    }
    check_not_leaving(call, old);
    if (call->code != MPI_SUCCESS) {
        return;
    }
    code = delete_one(call->comm, old);
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "the delete function of key %d failed", keyval);
    } else {
        check_own_key(call, keyval);
    }
}

API int MPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val)
{
    struct mpi_call call = call_on("MPI_Attr_put", comm);

    check_own_key(&call, keyval);
    if (call.code == MPI_SUCCESS) {
        make_room(&call, keyval);
    }
    if (call.code == MPI_SUCCESS && !add(call.comm, keyval, attribute_val)) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    return call_end(&call);
}

API int MPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    struct mpi_call call = call_on("MPI_Attr_get", comm);
    struct attr_entry *entry = NULL;

    call_output(&call, attribute_val, "attribute_val");
    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS && keyval >= 0 && keyval < ATTR_FIXED) {
        *(int **)attribute_val = &call.comm->attributes.fixed[keyval]; //= IMPI-098
        *flag = 1;
        return MPI_SUCCESS;
    }
    check_known_key(&call, keyval);
    if (call.code == MPI_SUCCESS) {
        entry = find(call.comm, keyval);
        *flag = entry != NULL;
    }
    if (entry) {
        *(void **)attribute_val = entry->value;
    }
    return call_end(&call);
}

API int MPI_Attr_delete(MPI_Comm comm, int keyval)
{
    struct mpi_call call = call_on("MPI_Attr_delete", comm);
    struct attr_entry *entry = NULL;
    int code;

    check_known_key(&call, keyval);
    if (call.code == MPI_SUCCESS) {
        entry = find(call.comm, keyval);
        if (entry) {
            check_not_leaving(&call, entry);
        } else {
            call_fail(&call, MPI_ERR_ARG, "comm has no attribute under key %d", keyval);
        }
    }
    if (call.code != MPI_SUCCESS || !entry) {
        return call_end(&call);
    }
    code = delete_one(call.comm, entry);
    if (code != MPI_SUCCESS) {
        call_fail(&call, code, "the delete function of key %d failed", keyval);
    }
    return call_end(&call);
}
