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
#include "ref-impl/mpi/api/attr.h"

#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/callback.h"
#include "ref-impl/mpi/communicators/attr_set.h"
#include "ref-impl/mpi/communicators/errors.h"

/* Asks the delete function of an attribute, and takes it away if there is no objection. */
static int delete_one(struct mpi_comm *comm, struct attr_entry *entry)
{
    const struct attr_key *key = attr_key_at(entry->keyval);
    int code = MPI_SUCCESS;

    if (entry->leaving) {
        return MPI_ERR_ARG;
    }
    if (key->remove) {
        entry->leaving = true;
        comm->attributes.calls++;
        callback_begin();
        code = key->remove(comm->handle, entry->keyval, entry->value, key->extra);
        callback_end();
        comm->attributes.calls--;
        entry->leaving = false;
    }
    if (code == MPI_SUCCESS) {
        attr_take(&comm->attributes, entry);
    }
    return code;
}

/* Asks the copy function of the key of an attribute, if there still is one under it, what `to` shall have. */
static int copy_one(int keyval, struct mpi_comm *from, struct mpi_comm *to)
{
    const struct attr_entry *entry = attr_find(&from->attributes, keyval);
    void *value = NULL;
    int flag = 0;
    int code = MPI_SUCCESS;

    if (!entry || !attr_key_at(keyval)->copy) {
        return MPI_SUCCESS;
    }
    attr_key_at(keyval)->holders++;
    from->attributes.calls++;
    callback_begin();
    code = attr_key_at(keyval)->copy(from->handle, keyval, attr_key_at(keyval)->extra, entry->value, &value, &flag);
    callback_end();
    from->attributes.calls--;
    if (code == MPI_SUCCESS && flag && !attr_add(&to->attributes, keyval, value)) {
        code = MPI_ERR_OTHER;
    }
    attr_key_at(keyval)->holders--;
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

API int MPI_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                   int *flag)
{
    (void)oldcomm, (void)keyval, (void)extra_state;
    *(void **)attribute_val_out = attribute_val_in;
    *flag = 1;
    return MPI_SUCCESS;
}

API int MPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    struct mpi_call call = call_without("MPI_Keyval_create");
    int made;

    call_output(&call, keyval, "keyval");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    made = attr_key_new((struct attr_key){copy_fn, delete_fn, extra_state, 1, true});
    if (made < 0) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    *keyval = made;
    return MPI_SUCCESS;
}

/* A key that the program may use: its own, and not freed. */
static void check_own_key(struct mpi_call *call, int keyval)
{
    if (keyval >= 0 && keyval < ATTR_FIXED) {
        call_fail(call, MPI_ERR_ARG, "the predefined key %d cannot be changed", keyval);
    } else if (!attr_key_at(keyval) || !attr_key_at(keyval)->named) {
        call_fail(call, MPI_ERR_ARG, "keyval %d is no key, or has been freed", keyval);
    }
}

/* A key whose attributes the program may ask for and delete: its own, also freed, as long as there are any under it. */
static void check_known_key(struct mpi_call *call, int keyval)
{
    if (!attr_key_at(keyval) || attr_key_at(keyval)->holders == 0) {
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
        attr_key_at(*keyval)->named = false;
        attr_key_at(*keyval)->holders--;
        *keyval = MPI_KEYVAL_INVALID;
    }
    return call_end(&call);
}

/* Takes away what a new attribute replaces, and whose delete function may free the key. */
static void make_room(struct mpi_call *call, int keyval)
{
    struct attr_entry *old = attr_find(&call->comm->attributes, keyval);
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
    if (call.code == MPI_SUCCESS && !attr_add(&call.comm->attributes, keyval, attribute_val)) {
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
        call.comm->attributes.fixed[MPI_LASTUSEDCODE] = errors_last();
        *(int **)attribute_val = &call.comm->attributes.fixed[keyval]; //= IMPI-098
        *flag = 1;
        return MPI_SUCCESS;
    }
    check_known_key(&call, keyval);
    if (call.code == MPI_SUCCESS) {
        entry = attr_find(&call.comm->attributes, keyval);
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
        entry = attr_find(&call.comm->attributes, keyval);
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

RENAMED(MPI_Comm_create_keyval, MPI_Keyval_create);
RENAMED(MPI_Comm_free_keyval, MPI_Keyval_free);
RENAMED(MPI_Comm_set_attr, MPI_Attr_put);
RENAMED(MPI_Comm_get_attr, MPI_Attr_get);
RENAMED(MPI_Comm_delete_attr, MPI_Attr_delete);
