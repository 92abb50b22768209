/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of whatever can have them: see attr_any.h.
 *
 * The functions of a key may use attributes themselves, also of the same object. So nothing is remembered across such a
 * call but what cannot go meanwhile: a key that is held, and an attribute that is being deleted, which nobody else can
 * delete or replace before its function has decided. Neither can its object be freed in a function's call.
 */
#include "ref-impl/mpi/api/objects/attr_any.h"

#include <stdlib.h>

#include "ref-impl/mpi/common/callback.h"

/* What an object of the kind is called in errors. */
static const char *called(enum attr_kind kind)
{
    return kind == ATTR_COMM ? "comm" : kind == ATTR_TYPE ? "the datatype" : "win";
}

/* The error class of a key that is none. */
static int key_error(enum attr_kind kind)
{
    return kind == ATTR_COMM ? MPI_ERR_ARG : MPI_ERR_KEYVAL;
}

static bool has_remove(const struct attr_key *key)
{
    return key->kind == ATTR_COMM   ? key->remove.comm != NULL
           : key->kind == ATTR_TYPE ? key->remove.type != NULL
                                    : key->remove.win != NULL;
}

static bool has_copy(const struct attr_key *key)
{
    return key->kind == ATTR_COMM   ? key->copy.comm != NULL
           : key->kind == ATTR_TYPE ? key->copy.type != NULL
                                    : key->copy.win != NULL;
}

static int call_remove(const struct attr_key *key, const struct attr_owner *owner, const struct attr_entry *entry)
{
    switch (key->kind) {
    case ATTR_COMM:
        return key->remove.comm(owner->handle.comm, entry->keyval, entry->value, key->extra);
    case ATTR_TYPE:
        return key->remove.type(owner->handle.type, entry->keyval, entry->value, key->extra);
    case ATTR_WIN:
        return key->remove.win(owner->handle.win, entry->keyval, entry->value, key->extra);
    }
    return MPI_ERR_INTERN;
}

/* Windows are never copied. */
static int call_copy(const struct attr_key *key, const struct attr_owner *owner, const struct attr_entry *entry,
                     void **value, int *flag)
{
    return key->kind == ATTR_COMM
               ? key->copy.comm(owner->handle.comm, entry->keyval, key->extra, entry->value, (void *)value, flag)
               : key->copy.type(owner->handle.type, entry->keyval, key->extra, entry->value, (void *)value, flag);
}

/* Asks the delete function of an attribute, and takes it away if there is no objection. */
static int delete_one(const struct attr_owner *owner, struct attr_entry *entry)
{
    const struct attr_key *key = attribute_key_at(entry->keyval);
    int code = MPI_SUCCESS;

    if (entry->leaving) {
        return MPI_ERR_ARG;
    }
    if (has_remove(key)) {
        entry->leaving = true;
        owner->list->calls++;
        callback_begin();
        code = call_remove(key, owner, entry);
        callback_end();
        owner->list->calls--;
        entry->leaving = false;
    }
    if (code == MPI_SUCCESS) {
        attribute_take(owner->list, entry);
    }
    return code;
}

/* Asks the copy function of the key of an attribute, if there still is one under it, what `to` shall have. */
static int copy_one(int keyval, const struct attr_owner *from, struct attr_list *to)
{
    const struct attr_entry *entry = attribute_find(from->list, keyval);
    void *value = NULL;
    int flag = 0;
    int code = MPI_SUCCESS;

    if (!entry || !has_copy(attribute_key_at(keyval))) {
        return MPI_SUCCESS;
    }
    attribute_key_at(keyval)->holders++;
    from->list->calls++;
    callback_begin();
    code = call_copy(attribute_key_at(keyval), from, entry, &value, &flag);
    callback_end();
    from->list->calls--;
    if (code == MPI_SUCCESS && flag && !attribute_add(to, keyval, value)) {
        code = MPI_ERR_OTHER;
    }
    attribute_key_at(keyval)->holders--;
    return code;
}

/* Copies attributes in the order in which they were attached. */
int attr_copy_all(const struct attr_owner *from, struct attr_list *to)
{
    size_t count = 0;
    int code = MPI_SUCCESS;
    int *keyvals;

    for (const struct attr_entry *entry = from->list->newest; entry; entry = entry->older) {
        count++;
    }
    keyvals = malloc((count + 1) * sizeof(*keyvals));
    if (!keyvals) {
        return MPI_ERR_OTHER;
    }
    count = 0;
    for (const struct attr_entry *entry = from->list->newest; entry; entry = entry->older) {
        keyvals[count++] = entry->keyval;
    }
    while (count > 0 && code == MPI_SUCCESS) {
        code = copy_one(keyvals[--count], from, to);
    }
    free(keyvals);
    return code;
}

int attr_delete_all(const struct attr_owner *owner)
{
    int code = owner->list->calls > 0 ? MPI_ERR_OTHER : MPI_SUCCESS;

    while (owner->list->newest && code == MPI_SUCCESS) {
        code = delete_one(owner, owner->list->newest);
    }
    return code;
}

int attr_create(struct mpi_call *call, struct attr_key key, int *keyval)
{
    int made;

    call_output(call, keyval, "keyval");
    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    key.holders = 1;
    key.named = true;
    made = attribute_key_new(key);
    if (made < 0) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    *keyval = made;
    return MPI_SUCCESS;
}

/* The key of a number that is, or was, one of this kind. */
static struct attr_key *find_key(enum attr_kind kind, int keyval)
{
    struct attr_key *key = attribute_key_at(keyval);

    return key && key->kind == kind ? key : NULL;
}

/* A key that the program may use: its own, and not freed. */
static void check_own_key(struct mpi_call *call, enum attr_kind kind, int keyval)
{
    const struct attr_key *key = find_key(kind, keyval);

    if (keyval >= 0 && keyval < ATTR_FIRST) {
        call_fail(call, key_error(kind), "the predefined key %d cannot be changed", keyval);
    } else if (!key || !key->named) {
        call_fail(call, key_error(kind), "keyval %d is no key of such objects, or has been freed", keyval);
    }
}

/* A key whose attributes the program may ask for and delete: its own, also freed, as long as there are any under it. */
static void check_known_key(struct mpi_call *call, enum attr_kind kind, int keyval)
{
    const struct attr_key *key = find_key(kind, keyval);

    if (!key || key->holders == 0) {
        check_own_key(call, kind, keyval);
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

int attr_forget(struct mpi_call *call, enum attr_kind kind, int *keyval)
{
    call_output(call, keyval, "keyval");
    if (call->code == MPI_SUCCESS) {
        check_own_key(call, kind, *keyval);
    }
    if (call->code == MPI_SUCCESS) {
        attribute_key_at(*keyval)->named = false;
        attribute_key_at(*keyval)->holders--;
        *keyval = MPI_KEYVAL_INVALID;
    }
    return call_end(call);
}

static void delete_or_fail(struct mpi_call *call, const struct attr_owner *owner, struct attr_entry *entry)
{
    int keyval = entry->keyval;
    int code;

    check_not_leaving(call, entry);
    if (call->code != MPI_SUCCESS) {
        return;
    }
    code = delete_one(owner, entry);
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "the delete function of key %d failed", keyval);
    }
}

int attr_put(struct mpi_call *call, const struct attr_owner *owner, int keyval, void *value)
{
    struct attr_entry *old = NULL;

    check_own_key(call, owner->kind, keyval);
    if (call->code == MPI_SUCCESS) {
        old = attribute_find(owner->list, keyval);
    }
    if (old) {
        delete_or_fail(call, owner, old);
        check_own_key(call, owner->kind, keyval); /* the delete function may have freed the key */
    }
    if (call->code == MPI_SUCCESS && !attribute_add(owner->list, keyval, value)) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
    return call_end(call);
}

int attr_get(struct mpi_call *call, const struct attr_owner *owner, int keyval, void *value, int *flag)
{
    struct attr_entry *entry = NULL;

    call_output(call, value, "attribute_val");
    call_output(call, flag, "flag");
    check_known_key(call, owner->kind, keyval);
    if (call->code == MPI_SUCCESS) {
        entry = attribute_find(owner->list, keyval);
        *flag = entry != NULL;
    }
    if (entry) {
        *(void **)value = entry->value;
    }
    return call_end(call);
}

int attr_delete(struct mpi_call *call, const struct attr_owner *owner, int keyval)
{
    struct attr_entry *entry = NULL;

    check_known_key(call, owner->kind, keyval);
    if (call->code == MPI_SUCCESS) {
        entry = attribute_find(owner->list, keyval);
    }
    if (entry) {
        delete_or_fail(call, owner, entry);
    } else {
        call_fail(call, key_error(owner->kind), "%s has no attribute under key %d", called(owner->kind), keyval);
    }
    return call_end(call);
}
