/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Groups: section 5.3 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

static void finish_group(struct call *call, int code, const MPI_Group *group)
{
    if (result_code(call, code))
        result_object(call, "newgroup", KIND_GROUP, group);
}

static void run_size(struct call *call)
{
    MPI_Group group = call_group(call, "group");
    int size = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Group_size(group, &size))))
        line_add(&call->result, " size=%d", size);
}

static void run_rank(struct call *call)
{
    MPI_Group group = call_group(call, "group");
    int rank = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Group_rank(group, &rank))))
        result_number(call, "rank", NUMBER_UNDEFINED, rank);
}

static void run_compare(struct call *call)
{
    MPI_Group one = call_group(call, "group1"), other = call_group(call, "group2");
    int result = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Group_compare(one, other, &result))))
        result_number(call, "result", NUMBER_COMPARISON, result);
}

static void run_translate_ranks(struct call *call)
{
    MPI_Group one = call_group(call, "group1"), other = call_group(call, "group2");
    size_t len;
    int *ranks = call_numbers(call, "ranks1", &len), n = call_length(call, "n", len);
    int *translated = call_memory(call, len * sizeof *translated);

    if (call_failed(call) ||
        !result_code(call, CALLED(call, MPI_Group_translate_ranks(one, n, ranks, other, translated))))
        return;
    line_add(&call->result, " ranks2=");
    for (int i = 0; i < n; i++) {
        line_add(&call->result, "%s", i ? "," : "");
        result_add_named(&call->result, NUMBER_UNDEFINED, translated[i]);
    }
}

static void run_union(struct call *call)
{
    MPI_Group one = call_group(call, "group1"), other = call_group(call, "group2"), new = MPI_GROUP_NULL;

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_union(one, other, &new)), &new);
}

static void run_intersection(struct call *call)
{
    MPI_Group one = call_group(call, "group1"), other = call_group(call, "group2"), new = MPI_GROUP_NULL;

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_intersection(one, other, &new)), &new);
}

static void run_difference(struct call *call)
{
    MPI_Group one = call_group(call, "group1"), other = call_group(call, "group2"), new = MPI_GROUP_NULL;

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_difference(one, other, &new)), &new);
}

static void run_incl(struct call *call)
{
    MPI_Group group = call_group(call, "group"), new = MPI_GROUP_NULL;
    size_t len;
    int *ranks = call_numbers(call, "ranks", &len), n = call_length(call, "n", len);

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_incl(group, n, ranks, &new)), &new);
}

static void run_excl(struct call *call)
{
    MPI_Group group = call_group(call, "group"), new = MPI_GROUP_NULL;
    size_t len;
    int *ranks = call_numbers(call, "ranks", &len), n = call_length(call, "n", len);

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_excl(group, n, ranks, &new)), &new);
}

/* read_range takes FIRST/LAST/STRIDE. */
static bool read_range(char *text, int range[3])
{
    for (int i = 0; i < 3; i++) {
        size_t len = strcspn(text, "/");
        bool last = text[len] == '\0';
        struct integer integer;
        unsigned long long bits;
        text[len] = '\0';
        if (last != (i == 2) || !text_read_integer(text, &integer) || !text_integer_bits(&integer, sizeof(int), &bits))
            return false;
        range[i] = (int)(unsigned int)bits;
        text += len + 1;
    }
    return true;
}

/* read_ranges reads the pair `ranges`. */
static int (*read_ranges(struct call *call, size_t *len))[3]
{
    char **words = call_words(call, "ranges", LIST_MOST, len);
    int(*ranges)[3] = words && *len ? call_memory(call, *len * sizeof *ranges) : NULL;

    for (size_t i = 0; i < *len && ranges; i++)
        if (!read_range(words[i], ranges[i]))
            failure_set(&call->failure, "bad-value", "a range is FIRST/LAST/STRIDE");
    return ranges;
}

static void run_range_incl(struct call *call)
{
    MPI_Group group = call_group(call, "group"), new = MPI_GROUP_NULL;
    size_t len;
    int(*ranges)[3] = read_ranges(call, &len), n = call_length(call, "n", len);

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_range_incl(group, n, ranges, &new)), &new);
}

static void run_range_excl(struct call *call)
{
    MPI_Group group = call_group(call, "group"), new = MPI_GROUP_NULL;
    size_t len;
    int(*ranges)[3] = read_ranges(call, &len), n = call_length(call, "n", len);

    call_new(call, "newgroup");
    if (!call_failed(call))
        finish_group(call, CALLED(call, MPI_Group_range_excl(group, n, ranges, &new)), &new);
}

static void run_free(struct call *call)
{
    MPI_Group group = call_group(call, "group");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Group_free(&group))))
        result_object(call, "group", KIND_GROUP, &group);
}

const struct verb mpi_groups[] = {
    {"MPI_Group_size", "group", run_size, false},
    {"MPI_Group_rank", "group", run_rank, false},
    {"MPI_Group_compare", "group1 group2", run_compare, false},
    {"MPI_Group_translate_ranks", "[n] group1 ranks1 group2", run_translate_ranks, false},
    {"MPI_Group_union", "group1 group2 newgroup", run_union, false},
    {"MPI_Group_intersection", "group1 group2 newgroup", run_intersection, false},
    {"MPI_Group_difference", "group1 group2 newgroup", run_difference, false},
    {"MPI_Group_incl", "[n] group ranks newgroup", run_incl, false},
    {"MPI_Group_excl", "[n] group ranks newgroup", run_excl, false},
    {"MPI_Group_range_incl", "[n] group ranges newgroup", run_range_incl, false},
    {"MPI_Group_range_excl", "[n] group ranges newgroup", run_range_excl, false},
    {"MPI_Group_free", "group", run_free, false},
    {NULL, NULL, NULL, false},
};
