/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From the text of a pair to what the library is given. specs/interpreter.md, section 3.
 */
#include "call.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../common/times.h"

static void *values_nowhere;

bool values_open(void)
{
    int fd = open("/dev/zero", O_RDWR);

    /* Reserved for the life of the process: an address that was merely free might be mapped by anybody later. */
    values_nowhere = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) * 16, PROT_NONE, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    return values_nowhere != MAP_FAILED;
}

void *values_unmapped(void)
{
    return values_nowhere;
}

bool call_failed(const struct call *call)
{
    return call->failure.code != NULL;
}

const char *call_value(struct call *call, const char *key)
{
    const char *value = command_value(&call->command, key);

    if (!value)
        failure_set(&call->failure, "missing", "%s needs %s", call->command.verb, key);
    return value ? value : "";
}

bool call_is(const struct call *call, const char *key, const char *text)
{
    const char *value = command_value(&call->command, key);

    return value && strcmp(value, text) == 0;
}

unsigned long long call_bits(struct call *call, const char *key, size_t octets, const char *word,
                             unsigned long long word_bits)
{
    const char *text = call_value(call, key);
    struct integer integer;
    unsigned long long bits;

    if (word && strcmp(text, word) == 0)
        return word_bits;
    if (text_read_integer(text, &integer) && text_integer_bits(&integer, octets, &bits))
        return bits;
    failure_set(&call->failure, text_read_integer(text, &integer) ? "too-wide" : "bad-value",
                "%s: '%.40s' is not an integer of %u octets", key, text, (unsigned)octets);
    return 0;
}

unsigned long long call_count(struct call *call, const char *key, unsigned long long least, unsigned long long most)
{
    const char *text = call_value(call, key);
    unsigned long long count;

    if (text_read_count(text, least, most, &count))
        return count;
    failure_set(&call->failure, "bad-value", "%s: '%.40s' is not a number from %llu to %llu", key, text, least, most);
    return least;
}

bool call_lookup(struct call *call, const char *key, struct meaning *meaning)
{
    const char *name = call_value(call, key);

    if (names_get(name, meaning))
        return true;
    if (text_is_name(name))
        failure_set(&call->failure, "unknown-name", "%s: nothing is called %s", key, name);
    else
        failure_set(&call->failure, "bad-value", "%s: '%.40s' is not a name", key, name);
    return false;
}

void call_fail_kind(struct call *call, const char *key, const struct meaning *meaning, const char *wanted)
{
    failure_set(&call->failure, "wrong-kind", "%s: %.40s is a %s, not a %s", key, call_value(call, key),
                kind_title(meaning->kind), wanted);
}

unsigned char *call_region(struct call *call, const char *key, unsigned long long offset, unsigned long long octets)
{
    struct meaning meaning;

    if (!call_lookup(call, key, &meaning))
        return NULL;
    if (meaning.kind != KIND_REGION) {
        call_fail_kind(call, key, &meaning, "memory region");
        return NULL;
    }
    if (offset > meaning.region.octets || octets > meaning.region.octets - offset) {
        failure_set(&call->failure, "range", "%llu octets at %llu are not within the %llu octets of %.40s", octets,
                    offset, (unsigned long long)meaning.region.octets, call_value(call, key));
        return NULL;
    }
    return meaning.region.start + offset;
}

/* region_address takes NAME and NAME+OFFSET. The offset may lead out of the region: that is how bad regions are
 * described. */
static void *region_address(struct call *call, const char *key)
{
    const char *text = call_value(call, key);
    size_t len = strcspn(text, "+");
    char name[NAME_OCTETS] = "";
    struct meaning meaning;
    unsigned long long offset = 0;

    if (len < sizeof name)
        memcpy(name, text, len);
    if (!text_is_name(name) || (text[len] && !text_read_count(text + len + 1, 0, SIZE_MAX, &offset))) {
        failure_set(&call->failure, "bad-value", "%s: '%.40s' is not an address", key, text);
    } else if (!names_get(name, &meaning)) {
        failure_set(&call->failure, "unknown-name", "%s: nothing is called %s", key, name);
    } else if (meaning.kind != KIND_REGION) {
        call_fail_kind(call, key, &meaning, "memory region");
    } else {
        return (void *)((uintptr_t)meaning.region.start + (uintptr_t)offset);
    }
    return NULL;
}

void *call_address(struct call *call, const char *key)
{
    const char *text = call_value(call, key);
    struct integer integer;
    unsigned long long bits;

    if (strcmp(text, "null") == 0)
        return NULL;
    if (strcmp(text, "unmapped") == 0)
        return values_nowhere;
    if (text_read_integer(text, &integer) && text_integer_bits(&integer, sizeof(void *), &bits))
        return (void *)(uintptr_t)bits;
    return region_address(call, key);
}

/* Memory of a call is a chain of blocks, each with the address of the one before in front. */
union block {
    union block *before;
    long double alignment;
};

void *call_memory(struct call *call, size_t octets)
{
    union block *block = calloc(1, sizeof *block + octets);

    if (!block) {
        failure_set(&call->failure, "no-memory", "no memory for a list");
        return NULL;
    }
    block->before = call->memory;
    call->memory = block;
    return block + 1;
}

void call_release(struct call *call)
{
    union block *block = call->memory;

    while (block) {
        union block *before = block->before;
        free(block);
        block = before;
    }
    call->memory = NULL;
}

char **call_words(struct call *call, const char *key, size_t most, size_t *count)
{
    const char *text = call_value(call, key);
    size_t words = *text != '\0', len = strlen(text) + 1;
    char **list, *at;

    *count = 0;
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        words++;
    if (words > most)
        failure_set(&call->failure, "bad-value", "%s: more than %u values", key, (unsigned)most);
    list = call_failed(call) ? NULL : call_memory(call, (words + 1) * sizeof *list + len);
    if (!list)
        return NULL;
    at = memcpy(list + words + 1, text, len);
    for (*count = 0; *count < words; ++*count) {
        list[*count] = at;
        at += strcspn(at, ",");
        *at++ = '\0';
    }
    return list;
}

void *call_report(struct call *call, const char *key, void *storage)
{
    if (call_is(call, key, "out"))
        return storage;
    if (call_is(call, key, "null"))
        return NULL;
    if (!call_is(call, key, "unmapped"))
        failure_set(&call->failure, "bad-value", "%s is out, null or unmapped", key);
    return values_nowhere;
}

void call_unwritten(void *storage, size_t octets)
{
    memset(storage, 0xa5, octets);
}

void *call_output(struct call *call, const char *key, void *storage)
{
    if (call_is(call, key, "null"))
        return NULL;
    if (call_is(call, key, "unmapped"))
        return values_nowhere;
    names_check_settable(call_value(call, key), &call->failure);
    return storage;
}

void call_keep(struct call *call, const char *key, int kind, const void *object, bool copy)
{
    struct meaning meaning;

    if (call_is(call, key, "null") || call_is(call, key, "unmapped"))
        return;
    memset(&meaning, 0, sizeof meaning);
    meaning.kind = kind;
    meaning.copy = copy;
    memcpy(meaning.object.octets, object, kind_octets(kind));
    names_set(call_value(call, key), &meaning, &call->failure);
}

long long call_until(struct call *call)
{
    return times_now_ms() + (long long)call_count(call, "ms", 0, 3600000);
}

void call_enter(struct call *call, const char *function)
{
    call->executor->function = function;
}

void call_leave(struct call *call)
{
    call->executor->function = NULL;
}
