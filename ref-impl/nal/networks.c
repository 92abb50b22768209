/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The one list of networks; see networks.h. To add a network: write its folder, and its row here.
 */
#include "ref-impl/nal/networks.h"

#include "ref-impl/nal/intercept/intercept.h"
#include "ref-impl/nal/loop.h"
#include "ref-impl/nal/shm/shm.h"
#include "ref-impl/nal/tcp/tcp.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const struct network *const rows[] = {&tcp_network, &shm_network, &intercept_network, &loop_network};

enum { ROWS = sizeof rows / sizeof rows[0] };

static_assert(ROWS <= (int)NETWORKS_MAX, "NETWORKS_MAX holds all rows");

size_t networks_count(void)
{
    return ROWS;
}

const struct network *networks_row(size_t index)
{
    return rows[index];
}

const struct network *networks_find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(name, rows[i]->name) == 0) {
            return rows[i];
        }
    }
    return NULL;
}

const char *networks_names(const char *last, char *text)
{
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < ROWS && len < NETWORKS_NAMES_OCTETS; i++) {
        bool first = i == 0;
        bool final = i + 1 == ROWS;
        int put = snprintf(text + len, NETWORKS_NAMES_OCTETS - len, "%s%s%s%s",
                           first   ? ""
                           : final ? " "
                                   : ", ",
                           final && !first ? last : "", final && !first ? " " : "", rows[i]->name);

        len += put > 0 ? (size_t)put : 0;
    }
    return text;
}

/* Whether a row is used where the user has named the network `wanted`, or none. */
static bool row_chosen(const struct network *row, const struct network *wanted, bool numbered)
{
    if (!wanted) {
        return row->mixes && (!numbered || row->greet);
    }
    return row == wanted || (wanted->with && strcmp(row->name, wanted->with) == 0);
}

size_t networks_choose(const char *name, bool numbered, const struct network **chosen)
{
    const struct network *wanted = name ? networks_find(name) : NULL;
    size_t count = 0;

    if (name && !wanted) {
        return 0;
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (row_chosen(rows[i], wanted, numbered)) {
            chosen[count++] = rows[i];
        }
    }
    return count;
}
