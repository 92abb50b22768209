/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 */
#include "ref-impl/api33/group.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES, PROCESSES, MAPS };

/* How many ranks are believed. */
#define SIZE_MAX_DECLARED 65536U

static struct {
    pthread_mutex_t lock;
    unsigned rank, size; /* 0: none is declared */
    uint32_t *map[MAPS]; /* of `size` each, NULL: not known */
} group = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Makes these the group; the maps are the group's then. */
static void replace(unsigned rank, unsigned size, uint32_t *const map[MAPS])
{
    pthread_mutex_lock(&group.lock);
    for (int i = 0; i < MAPS; i++) {
        free(group.map[i]);
        group.map[i] = map[i];
    }
    group.rank = rank;
    group.size = size;
    pthread_mutex_unlock(&group.lock);
}

/* A number at the beginning of *text, which is moved behind it; as in C, so that node ids may be hexadecimal. */
static bool take_number(const char **text, uint32_t *value)
{
    char *end = NULL;

    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    errno = 0;
    unsigned long number = strtoul(*text, &end, 0);
    if (errno || number > UINT32_MAX) {
        return false;
    }
    *text = end;
    *value = (uint32_t)number;
    return true;
}

static unsigned fields_of(const char *text)
{
    unsigned count = 1;

    for (; *text; text++) {
        count += *text == ':';
    }
    return count;
}

/* The numbers of a variable, exactly `size`; NULL, with a line on stderr, where it is not so. */
static uint32_t *read_map(const char *name, unsigned size)
{
    const char *text = getenv(name);
    uint32_t *map = text && fields_of(text) == size ? calloc(size, sizeof *map) : NULL;

    for (unsigned i = 0; map && i < size; i++) {
        if (!take_number(&text, &map[i]) || *text != (i + 1 < size ? ':' : '\0')) {
            free(map);
            map = NULL;
        } else if (*text) {
            text++;
        }
    }
    if (!map) {
        fprintf(stderr, "portals: %s must be %u numbers with colons between them\n", name, size);
    }
    return map;
}

int group_read(void)
{
    const char *rid = getenv("PTL_MY_RID"), *nodes = getenv("PTL_NIDMAP");
    uint32_t rank = 0, *map[MAPS] = {NULL};

    if (!rid) {
        return PTL_OK;
    }
    unsigned size = nodes ? fields_of(nodes) : 0;
    if (!take_number(&rid, &rank) || *rid || rank >= size || size > SIZE_MAX_DECLARED) {
        fprintf(stderr, "portals: PTL_MY_RID must be the rank of this process, below the %u of PTL_NIDMAP\n", size);
        return PTL_FAIL;
    }
    map[NODES] = read_map("PTL_NIDMAP", size);
    map[PROCESSES] = map[NODES] ? read_map("PTL_PIDMAP", size) : NULL;
    if (!map[PROCESSES]) {
        free(map[NODES]);
        return PTL_FAIL;
    }
    replace(rank, size, map);
    return PTL_OK;
}

int group_declare(unsigned rank, unsigned size)
{
    if (rank >= size || size > SIZE_MAX_DECLARED) {
        return PTL_FAIL;
    }
    replace(rank, size, (uint32_t *const[MAPS]){NULL});
    return PTL_OK;
}

int group_declare_map(const uint32_t *map, unsigned size, bool node)
{
    uint32_t *copy = size > 0 && size <= SIZE_MAX_DECLARED ? malloc(size * sizeof *copy) : NULL;
    int which = node ? NODES : PROCESSES, code = PTL_FAIL;

    if (!copy) {
        return PTL_FAIL;
    }
    memcpy(copy, map, size * sizeof *copy);
    pthread_mutex_lock(&group.lock);
    if (size == group.size) {
        uint32_t *former = group.map[which];

        group.map[which] = copy;
        copy = former;
        code = PTL_OK;
    }
    pthread_mutex_unlock(&group.lock);
    free(copy);
    return code;
}

bool group_self(unsigned *rank, unsigned *size)
{
    pthread_mutex_lock(&group.lock);
    bool declared = group.size > 0;
    if (declared) {
        *rank = group.rank;
        *size = group.size;
    }
    pthread_mutex_unlock(&group.lock);
    return declared;
}

bool group_find(unsigned rank, ptl_process_id_t *id)
{
    pthread_mutex_lock(&group.lock);
    bool known = rank < group.size && group.map[NODES] && group.map[PROCESSES];
    if (known) {
        *id = (ptl_process_id_t){.nid = group.map[NODES][rank], .pid = group.map[PROCESSES][rank]};
    }
    pthread_mutex_unlock(&group.lock);
    return known;
}
