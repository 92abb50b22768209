/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory regions: what the library reads and writes, and what it must not touch. specs/interpreter.md, section 4.3.
 */
#include "verbs.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEX_MOST = 65536, SKEW_MOST = 1048576 };

enum guard { GUARD_NONE, GUARD_BEFORE, GUARD_AFTER };

static size_t page_octets(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* map_region maps a region with an inaccessible page before and behind it, and puts its start where guard and skew want
 * it. A mapping of its own means that a stray write of the library hits an inaccessible page, not the interpreter. */
static bool map_region(struct region *region, size_t octets, size_t skew, enum guard guard)
{
    size_t page = page_octets(), inside = (octets + skew) / page * page + page;
    unsigned char *base;
    int fd;

    memset(region, 0, sizeof *region);
    if (octets > SIZE_MAX / 2)
        return false;
    fd = open("/dev/zero", O_RDWR);
    if (fd < 0)
        return false;
    region->mapping_octets = inside + 2 * page;
    region->mapping = mmap(NULL, region->mapping_octets, PROT_NONE, MAP_PRIVATE, fd, 0);
    close(fd);
    if (region->mapping == MAP_FAILED)
        return false;
    base = (unsigned char *)region->mapping + page;
    if (mprotect(base, inside, PROT_READ | PROT_WRITE) != 0) {
        munmap(region->mapping, region->mapping_octets);
        return false;
    }
    region->octets = octets;
    region->start = guard == GUARD_AFTER ? base + inside - octets : base + skew;
    return true;
}

static enum guard read_guard(struct call *call)
{
    if (!command_value(&call->command, "guard") || call_is(call, "guard", "none"))
        return GUARD_NONE;
    if (call_is(call, "guard", "before"))
        return GUARD_BEFORE;
    if (!call_is(call, "guard", "after"))
        failure_set(&call->failure, "bad-value", "guard is none, before or after");
    return GUARD_AFTER;
}

static void run_alloc(struct call *call)
{
    size_t octets = (size_t)call_count(call, "octets", 0, SIZE_MAX), skew = 0;
    enum guard guard = read_guard(call);
    struct meaning meaning;

    if (command_value(&call->command, "skew"))
        skew = (size_t)call_count(call, "skew", 0, SKEW_MOST);
    if (skew && guard != GUARD_NONE)
        failure_set(&call->failure, "bad-value", "skew and guard exclude each other");
    if (call_failed(call))
        return;
    memset(&meaning, 0, sizeof meaning);
    meaning.kind = KIND_REGION;
    if (!map_region(&meaning.region, octets, skew, guard)) {
        failure_set(&call->failure, "no-memory", "no memory for a region of %llu octets", (unsigned long long)octets);
        return;
    }
    names_add(call_value(call, "name"), &meaning, &call->failure);
    if (call_failed(call))
        munmap(meaning.region.mapping, meaning.region.mapping_octets);
    else
        line_add(&call->result, " address=0x%llx", (unsigned long long)(uintptr_t)meaning.region.start);
}

static void run_free(struct call *call)
{
    struct meaning meaning;

    call_region(call, "name", 0, 0);
    if (call_failed(call) || !names_get(call_value(call, "name"), &meaning))
        return;
    names_remove(call_value(call, "name"));
    munmap(meaning.region.mapping, meaning.region.mapping_octets);
}

/* struct pattern gives every octet of a range a value: always the same, or one that depends on seed and place. */
struct pattern {
    bool mixed;
    uint32_t seed, first; /* seed is the value itself when not mixed */
};

static unsigned char pattern_octet(const struct pattern *pattern, size_t place)
{
    uint32_t x = pattern->seed * 2654435761u + pattern->first + (uint32_t)place;

    if (!pattern->mixed)
        return (unsigned char)pattern->seed;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (unsigned char)x;
}

/* number_from reads the number at *text up to a slash or the end, and moves *text behind it. */
static bool number_from(const char **text, unsigned long long most, uint32_t *number)
{
    size_t len = strcspn(*text, "/");
    char one[24] = "";
    unsigned long long value;

    if (len >= sizeof one)
        return false;
    memcpy(one, *text, len);
    if (!text_read_count(one, 0, most, &value))
        return false;
    *number = (uint32_t)value;
    *text += len;
    return true;
}

static void read_pattern(struct call *call, struct pattern *pattern)
{
    const char *text = call_value(call, "pattern"), *at = text;
    bool good = false;

    memset(pattern, 0, sizeof *pattern);
    if (strncmp(at, "byte/", 5) == 0) {
        at += 5;
        good = number_from(&at, 255, &pattern->seed);
    } else if (strncmp(at, "mix/", 4) == 0) {
        at += 4;
        pattern->mixed = true;
        good = number_from(&at, UINT32_MAX, &pattern->seed);
        if (good && *at == '/') {
            at++;
            good = number_from(&at, UINT32_MAX, &pattern->first);
        }
    }
    if (!good || *at)
        failure_set(&call->failure, "bad-value", "'%.40s' is not a pattern: byte/V, mix/SEED or mix/SEED/FIRST", text);
}

/* read_range reads name, offset and octets, and gives the first octet of the range. */
static unsigned char *read_range(struct call *call, size_t most, size_t *octets)
{
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);

    *octets = (size_t)call_count(call, "octets", 0, most);
    return call_region(call, "name", offset, *octets);
}

static void run_fill(struct call *call)
{
    size_t octets;
    unsigned char *at = read_range(call, SIZE_MAX, &octets);
    struct pattern pattern;

    read_pattern(call, &pattern);
    if (call_failed(call))
        return;
    for (size_t i = 0; i < octets; i++)
        at[i] = pattern_octet(&pattern, i);
}

static void run_compare(struct call *call)
{
    size_t octets, i = 0;
    const unsigned char *at = read_range(call, SIZE_MAX, &octets);
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);
    struct pattern pattern;

    read_pattern(call, &pattern);
    if (call_failed(call))
        return;
    while (i < octets && at[i] == pattern_octet(&pattern, i))
        i++;
    result_bool(call, "equal", i == octets);
    if (i < octets)
        line_add(&call->result, " at=%llu expected=%u found=%u", offset + i, pattern_octet(&pattern, i), at[i]);
}

static void run_write(struct call *call)
{
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);
    const char *hex = call_value(call, "hex");
    size_t len = strlen(hex);
    unsigned char *at;

    if (len % 2 || len / 2 > HEX_MOST || strspn(hex, "0123456789abcdefABCDEF") != len)
        failure_set(&call->failure, "bad-value", "hex is pairs of hexadecimal digits for at most %d octets", HEX_MOST);
    at = call_region(call, "name", offset, len / 2);
    if (call_failed(call))
        return;
    for (size_t i = 0; i < len / 2; i++)
        at[i] = (unsigned char)(text_hex_digit(hex[2 * i]) * 16 + text_hex_digit(hex[2 * i + 1]));
}

static void run_read(struct call *call)
{
    size_t octets;
    const unsigned char *at = read_range(call, HEX_MOST, &octets);

    if (call_failed(call))
        return;
    line_add(&call->result, " hex=");
    line_add_hex(&call->result, at, octets);
}

static void run_hash(struct call *call)
{
    uint64_t hash = 14695981039346656037u;
    size_t octets;
    const unsigned char *at = read_range(call, SIZE_MAX, &octets);

    if (call_failed(call))
        return;
    for (size_t i = 0; i < octets; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    line_add(&call->result, " fnv1a64=0x%llx", (unsigned long long)hash);
}

const struct verb verbs_memory[] = {
    {"alloc", "name octets [skew] [guard]", run_alloc, false},
    {"free", "name", run_free, false},
    {"fill", "name offset octets pattern", run_fill, false},
    {"compare", "name offset octets pattern", run_compare, false},
    {"write", "name offset hex", run_write, false},
    {"read", "name offset octets", run_read, false},
    {"hash", "name offset octets", run_hash, false},
    {NULL, NULL, NULL, false},
};
