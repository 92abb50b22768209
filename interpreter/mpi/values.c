/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From the text of a pair to what an MPI library is given. specs/interpreter.md, section 7.1.
 */
#include "call.h"

#include <stdint.h>
#include <string.h>

/* text_number reads an int or a constant. */
static bool text_number(const char *text, int *number)
{
    struct integer integer;
    unsigned long long bits;

    if (constant_number(text, number))
        return true;
    if (!text_read_integer(text, &integer) || !text_integer_bits(&integer, sizeof *number, &bits))
        return false;
    *number = (int)(unsigned int)bits;
    return true;
}

int call_number(struct call *call, const char *key)
{
    const char *text = call_value(call, key);
    int number = 0;

    if (!text_number(text, &number))
        failure_set(&call->failure, "bad-value", "%s: '%.40s' is neither an int nor a constant that may stand here",
                    key, text);
    return number;
}

int call_flag(struct call *call, const char *key)
{
    const char *text = call_value(call, key);
    int number = call_is(call, key, "true");

    if (!number && !call_is(call, key, "false") && !text_number(text, &number))
        failure_set(&call->failure, "bad-value", "%s: '%.40s' is neither true nor false, and no int", key, text);
    return number;
}

MPI_Aint call_extent(struct call *call, const char *key)
{
    return (MPI_Aint)call_bits(call, key, sizeof(MPI_Aint), NULL, 0);
}

void *call_buffer(struct call *call, const char *key)
{
    return call_is(call, key, "MPI_BOTTOM") ? MPI_BOTTOM : call_address(call, key);
}

/* find_object reads one name or constant. */
static void find_object(struct call *call, const char *key, const char *name, int kind, void *object)
{
    struct meaning meaning;

    memset(object, 0, kind_octets(kind));
    if (constant_object(kind, name, object))
        return;
    if (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "IMPI_", 5) == 0)
        failure_set(&call->failure, "unknown-name", "%s: the header has no %s %.40s", key, kind_title(kind), name);
    else if (!text_is_name(name))
        failure_set(&call->failure, "bad-value", "%s: '%.40s' is not a name", key, name);
    else if (!names_get(name, &meaning))
        failure_set(&call->failure, "unknown-name", "%s: nothing is called %s", key, name);
    else if (meaning.kind != kind)
        failure_set(&call->failure, "wrong-kind", "%s: %s is a %s, not a %s", key, name, kind_title(meaning.kind),
                    kind_title(kind));
    else
        memcpy(object, meaning.object.octets, kind_octets(kind));
}

void call_object(struct call *call, const char *key, int kind, void *object)
{
    find_object(call, key, call_value(call, key), kind, object);
}

MPI_Comm call_comm(struct call *call, const char *key)
{
    MPI_Comm comm;

    call_object(call, key, KIND_COMM, &comm);
    return comm;
}

MPI_Datatype call_type(struct call *call, const char *key)
{
    MPI_Datatype type;

    call_object(call, key, KIND_TYPE, &type);
    return type;
}

MPI_Group call_group(struct call *call, const char *key)
{
    MPI_Group group;

    call_object(call, key, KIND_GROUP, &group);
    return group;
}

MPI_Op call_op(struct call *call, const char *key)
{
    MPI_Op op;

    call_object(call, key, KIND_OP, &op);
    return op;
}

void call_objects(struct call *call, const char *key, int kind, struct name_list *list)
{
    size_t octets = kind_octets(kind);

    list->objects = NULL;
    list->names = call_words(call, key, LIST_MOST, &list->len);
    if (!list->names)
        return;
    list->objects = call_memory(call, list->len * octets);
    for (size_t i = 0; i < list->len && list->objects; i++)
        find_object(call, key, list->names[i], kind, (unsigned char *)list->objects + i * octets);
}

int *call_numbers(struct call *call, const char *key, size_t *len)
{
    char **words = call_words(call, key, LIST_MOST, len);
    int *numbers = words && *len ? call_memory(call, LIST_MOST * sizeof *numbers) : NULL;

    for (size_t i = 0; i < *len && numbers; i++)
        if (!text_number(words[i], &numbers[i]))
            failure_set(&call->failure, "bad-value", "%s: '%.40s' is not an int", key, words[i]);
    return numbers;
}

MPI_Aint *call_extents(struct call *call, const char *key, size_t *len)
{
    char **words = call_words(call, key, LIST_MOST, len);
    MPI_Aint *extents = words && *len ? call_memory(call, LIST_MOST * sizeof *extents) : NULL;

    for (size_t i = 0; i < *len && extents; i++) {
        struct integer integer;
        unsigned long long bits = 0;
        if (!text_read_integer(words[i], &integer) || !text_integer_bits(&integer, sizeof *extents, &bits))
            failure_set(&call->failure, "bad-value", "%s: '%.40s' is not an integer", key, words[i]);
        extents[i] = (MPI_Aint)bits;
    }
    return extents;
}

int call_length(struct call *call, const char *key, size_t len)
{
    int length = command_value(&call->command, key) ? call_number(call, key) : (int)len;

    if (length > (int)len)
        failure_set(&call->failure, "bad-value", "%s is %d, but the list has %d values", key, length, (int)len);
    return length;
}

void call_new(struct call *call, const char *key)
{
    names_check_settable(call_value(call, key), &call->failure);
}

void call_new_status(struct call *call)
{
    if (command_value(&call->command, "status"))
        call_new(call, "status");
}

void call_give(struct call *call, const char *name, int kind, const void *object)
{
    struct meaning meaning;

    if (!text_is_name(name))
        return;
    memset(&meaning, 0, sizeof meaning);
    meaning.kind = kind;
    memcpy(meaning.object.octets, object, kind_octets(kind));
    names_set(name, &meaning, &call->failure);
}
