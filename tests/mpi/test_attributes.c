/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes: those that every communicator has, in worlds of several clients and hosts, and those of programs.
 */
#include <stdint.h>

#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

/* The value under a predefined key. */
static int value_of(MPI_Comm comm, int keyval)
{
    int *value = NULL, flag = 0;

    if (MPI_Attr_get(comm, keyval, &value, &flag) != MPI_SUCCESS || !flag || !value) {
        return -99;
    }
    return *value;
}

/* Checks the four attributes of IMPI in the world of one process. */
static void is(int rank, const char *clients, const char *hosts, const int expected[4])
{
    static const int keys[4] = {IMPI_CLIENT_SIZE, IMPI_CLIENT_COLOR, IMPI_HOST_SIZE, IMPI_HOST_COLOR};

    play_open(rank, clients, hosts);
    for (int i = 0; i < 4; i++) {
        int got = value_of(MPI_COMM_WORLD, keys[i]);

        CHECK(got == expected[i], "clients %s, hosts %s, rank %d, key %d: %d (is %d)", clients, hosts, rank, i,
              expected[i], got);
        CHECK(value_of(MPI_COMM_SELF, keys[i]) == (i % 2 ? 0 : 1), "alone in MPI_COMM_SELF");
    }
    play_close();
}

static void of_worlds(void)
{
    is(0, "0", "0", (int[]){1, 0, 1, 0});
    is(2, "0011", "0011", (int[]){2, 1, 2, 1});
    /* Client 1 has hosts 1 and 2. */
    is(3, "001112", "001123", (int[]){3, 1, 4, 1});
    is(4, "001112", "001123", (int[]){3, 1, 4, 2});
    is(5, "001112", "001123", (int[]){3, 2, 4, 3});
}

static void of_parts(void)
{
    MPI_Comm part;

    /* Without ranks 0 and 1 client 0 is not there, and the others are counted from 0, whatever the order of ranks. */
    play_open(5, "001112", "001123");
    play_ready((unsigned long long[]){1}, 8);
    play_ready((int[]){MPI_UNDEFINED, 0, 0, MPI_UNDEFINED, 0, 1, 0, 9, 2, 0, 8, 3, 0, 7, 4, 0, 6, 5}, 72);
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, 0, 6, &part), MPI_SUCCESS, "a part");
    CHECK_EQ(value_of(part, IMPI_CLIENT_SIZE), 2, "two clients");
    CHECK_EQ(value_of(part, IMPI_CLIENT_COLOR), 1, "the second");
    CHECK_EQ(value_of(part, IMPI_HOST_SIZE), 3, "three hosts");
    CHECK_EQ(value_of(part, IMPI_HOST_COLOR), 2, "the third");
    play_close();
}

static void of_mpi(void)
{
    play_open(1, "01", "01");
    CHECK_EQ(value_of(MPI_COMM_WORLD, MPI_TAG_UB), 40000, "the tag that all can carry");
    CHECK(value_of(MPI_COMM_WORLD, MPI_HOST) == MPI_PROC_NULL, "no process is a host");
    CHECK(value_of(MPI_COMM_SELF, MPI_IO) == MPI_ANY_SOURCE, "all have input and output");
    CHECK_EQ(value_of(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL), 0, "clocks differ");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, NULL), MPI_ERR_ARG, "they cannot be changed");
    CHECK_EQ(MPI_Attr_delete(MPI_COMM_WORLD, IMPI_HOST_SIZE), MPI_ERR_ARG, "nor deleted");
    CHECK_EQ(MPI_Keyval_free(&(int){MPI_IO}), MPI_ERR_ARG, "nor their keys freed");
    play_close();
}

static char calls[64];
static int answer;

static void note(char what, void *value)
{
    size_t len = strlen(calls);

    snprintf(calls + len, sizeof(calls) - len, "%c%d ", what, (int)(intptr_t)value);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    note('c', in);
    *(void **)out = (char *)in + (intptr_t)extra;
    *flag = (intptr_t)in != 13;
    return answer;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    note('d', value);
    return answer;
}

static void *number(intptr_t value)
{
    return (void *)value;
}

/* The value under a program's key, or -1. */
static int own_value(MPI_Comm comm, int keyval)
{
    void *value = NULL;
    int flag = 0;

    CHECK_EQ(MPI_Attr_get(comm, keyval, &value, &flag), MPI_SUCCESS, "MPI_Attr_get");
    return flag ? (int)(intptr_t)value : -1;
}

static void of_programs(void)
{
    int key, unlucky, kept, stale;
    MPI_Comm dup;

    play_open(0, "0", "0");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Keyval_create(copy, delete, &key, number(100));
    MPI_Keyval_create(copy, delete, &unlucky, number(0));
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &kept, NULL);
    CHECK_EQ((unsigned)own_value(MPI_COMM_WORLD, key), (unsigned)-1, "nothing at first");
    MPI_Attr_put(MPI_COMM_WORLD, key, number(7));
    MPI_Attr_put(MPI_COMM_WORLD, unlucky, number(13));
    MPI_Attr_put(MPI_COMM_WORLD, kept, number(5));
    CHECK_EQ(own_value(MPI_COMM_WORLD, key), 7, "what was put");
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_STR(calls, "c7 c13 ", "copies are asked for in order");
    CHECK_EQ(own_value(dup, key), 107, "as the copy function wants it");
    CHECK_EQ((unsigned)own_value(dup, unlucky), (unsigned)-1, "or not at all");
    CHECK_EQ(own_value(dup, kept), 5, "MPI_DUP_FN copies");
    calls[0] = '\0';
    MPI_Attr_put(dup, key, number(8));
    CHECK_STR(calls, "d107 ", "a new value deletes the old");
    stale = key;
    MPI_Keyval_free(&key);
    CHECK(key == MPI_KEYVAL_INVALID, "a freed key");
    CHECK_EQ(MPI_Attr_put(dup, stale, NULL), MPI_ERR_ARG, "cannot be used for new attributes");
    CHECK_EQ(own_value(dup, stale), 8, "but those under it are still there");
    CHECK_EQ(MPI_Attr_delete(MPI_COMM_WORLD, stale), MPI_SUCCESS, "and can be deleted");
    CHECK_EQ((unsigned)own_value(MPI_COMM_WORLD, stale), (unsigned)-1, "one by one");
    calls[0] = '\0';
    answer = MPI_ERR_OTHER;
    CHECK_EQ(MPI_Comm_free(&dup), MPI_ERR_OTHER, "a delete function that fails holds the communicator");
    CHECK(dup != MPI_COMM_NULL, "which is still there");
    answer = MPI_SUCCESS;
    CHECK_EQ(MPI_Comm_free(&dup), MPI_SUCCESS, "until it does not");
    CHECK_STR(calls, "d8 d8 ", "also under a freed key");
    answer = MPI_ERR_OTHER;
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &dup), MPI_ERR_OTHER, "a copy function that fails");
    CHECK(dup == MPI_COMM_NULL, "makes no communicator");
    CHECK_EQ(MPI_Attr_delete(MPI_COMM_WORLD, unlucky), MPI_ERR_OTHER, "a deletion that fails");
    answer = MPI_SUCCESS;
    CHECK_EQ(MPI_Attr_delete(MPI_COMM_WORLD, unlucky), MPI_SUCCESS, "one that does not");
    CHECK_EQ(MPI_Attr_delete(MPI_COMM_WORLD, unlucky), MPI_ERR_ARG, "nothing left");
    play_close();
}

/* What a function of an attribute does to the communicator that it is called for, and what came of it. */
static enum deed { NOTHING, DELETE_SAME, PUT_SAME, DELETE_OTHER, PUT_OTHER, FREE_KEY, MAKE_KEYS, FREE_COMM } deed;
static int other_key, outcome;

static void do_deed(MPI_Comm comm, int keyval)
{
    int key = keyval, more;

    switch (deed) {
    case NOTHING:
        break;
    case DELETE_SAME:
        outcome = MPI_Attr_delete(comm, keyval);
        break;
    case PUT_SAME:
        outcome = MPI_Attr_put(comm, keyval, number(99));
        break;
    case DELETE_OTHER:
        outcome = MPI_Attr_delete(comm, other_key);
        break;
    case PUT_OTHER:
        outcome = MPI_Attr_put(comm, other_key, number(77));
        break;
    case FREE_KEY:
        outcome = MPI_Keyval_free(&key);
        break;
    case MAKE_KEYS:
        for (int i = 0; i < 1000; i++) {
            outcome = MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &more, NULL);
        }
        break;
    case FREE_COMM:
        outcome = MPI_Comm_free(&comm);
        break;
    }
}

static int meddling_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)extra;
    note('d', value);
    do_deed(comm, keyval);
    return answer;
}

static int meddling_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)extra;
    note('c', in);
    *(void **)out = in;
    *flag = 1;
    do_deed(comm, keyval);
    return MPI_SUCCESS;
}

/* A communicator with an attribute of value 1 under the other key, whose functions do nothing, and one of value 2. */
static MPI_Comm meddled(enum deed by, int *key)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Errhandler_set(comm, MPI_ERRORS_RETURN);
    MPI_Keyval_create(copy, delete, &other_key, number(0));
    MPI_Keyval_create(meddling_copy, meddling_delete, key, NULL);
    MPI_Attr_put(comm, other_key, number(1));
    MPI_Attr_put(comm, *key, number(2));
    calls[0] = '\0';
    outcome = answer = MPI_SUCCESS;
    deed = by;
    return comm;
}

static void done(MPI_Comm *comm)
{
    deed = NOTHING;
    CHECK_EQ(MPI_Comm_free(comm), MPI_SUCCESS, "the communicator can be freed");
}

/* Delete functions that use attributes of the communicator that they are called for. */
static void meddled_with_when_deleted(void)
{
    MPI_Comm comm;
    int key;

    play_open(0, "0", "0");
    comm = meddled(DELETE_SAME, &key);
    CHECK_EQ(MPI_Attr_delete(comm, key), MPI_SUCCESS, "a delete function deletes its own attribute");
    CHECK_EQ(outcome, MPI_ERR_ARG, "which it is told not to");
    CHECK_STR(calls, "d2 ", "and is called once");
    CHECK_EQ((unsigned)own_value(comm, key), (unsigned)-1, "then it is gone");
    done(&comm);

    comm = meddled(PUT_SAME, &key);
    CHECK_EQ(MPI_Attr_put(comm, key, number(3)), MPI_SUCCESS, "one puts its own attribute again");
    CHECK_EQ(outcome, MPI_ERR_ARG, "which it is told not to");
    CHECK_EQ(own_value(comm, key), 3, "the new value is the program's");
    done(&comm);
    CHECK_STR(calls, "d2 d3 d1 ", "and each is deleted once");

    comm = meddled(DELETE_OTHER, &key);
    CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS, "one deletes another attribute while all go");
    CHECK_EQ(outcome, MPI_SUCCESS, "which it may");
    CHECK_STR(calls, "d2 d1 ", "each once");

    comm = meddled(PUT_OTHER, &key);
    CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS, "one puts another one while all go");
    CHECK_STR(calls, "d2 d1 d77 ", "which goes too");
    play_close();
}

static void meddled_with_keys_and_communicators(void)
{
    MPI_Comm comm;
    int key;

    play_open(0, "0", "0");
    comm = meddled(FREE_KEY, &key);
    CHECK_EQ(MPI_Attr_put(comm, key, number(3)), MPI_ERR_ARG, "nothing is put under a key that its function has freed");
    done(&comm);
    CHECK_STR(calls, "d2 d1 ", "what was there is deleted");

    comm = meddled(MAKE_KEYS, &key);
    CHECK_EQ(MPI_Attr_put(comm, key, number(3)), MPI_SUCCESS, "a function makes many keys");
    CHECK_EQ(own_value(comm, key), 3, "the attribute is under the right one");
    done(&comm);

    comm = meddled(FREE_COMM, &key);
    CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS, "a delete function frees the communicator");
    CHECK_EQ(outcome, MPI_ERR_OTHER, "which it is told not to");
    CHECK_STR(calls, "d2 d1 ", "each attribute goes once");

    comm = meddled(DELETE_OTHER, &key);
    answer = MPI_ERR_OTHER;
    CHECK_EQ(MPI_Attr_delete(comm, key), MPI_ERR_OTHER, "one deletes another and objects to its own");
    CHECK_EQ(own_value(comm, key), 2, "which stays");
    answer = MPI_SUCCESS;
    done(&comm);
    play_close();
}

/* Copy functions that do so. */
static void meddled_with_when_copied(void)
{
    static const struct {
        enum deed deed;
        int outcome, here, there; /* the value in either communicator */
    } rows[] = {{DELETE_SAME, MPI_SUCCESS, -1, 2}, {PUT_SAME, MPI_SUCCESS, 99, 2}, {DELETE_OTHER, MPI_SUCCESS, 2, 2},
                {PUT_OTHER, MPI_SUCCESS, 2, 2},    {MAKE_KEYS, MPI_SUCCESS, 2, 2}, {FREE_COMM, MPI_ERR_OTHER, 2, 2}};
    MPI_Comm comm, dup;
    int key;

    play_open(0, "0", "0");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        comm = meddled(rows[i].deed, &key);
        CHECK(MPI_Comm_dup(comm, &dup) == MPI_SUCCESS, "a copy function does deed %d", rows[i].deed);
        deed = NOTHING;
        CHECK_EQ(outcome, rows[i].outcome, "with the outcome that it has elsewhere");
        CHECK(own_value(comm, key) == rows[i].here, "the old attribute");
        CHECK(own_value(dup, key) == rows[i].there, "the copy");
        CHECK_EQ(own_value(dup, other_key), 1, "the other's copy was made before");
        done(&dup);
        done(&comm);
    }
    /* The older attribute's function takes the newer one away before its turn. */
    comm = meddled(NOTHING, &key);
    CHECK_EQ(MPI_Attr_delete(comm, other_key), MPI_SUCCESS, "the newest attribute");
    CHECK_EQ(MPI_Attr_put(comm, other_key, number(1)), MPI_SUCCESS, "is now the other");
    deed = DELETE_OTHER;
    CHECK_EQ(MPI_Comm_dup(comm, &dup), MPI_SUCCESS, "a copy function deletes one whose turn is to come");
    CHECK(own_value(dup, other_key) == -1, "which is not copied");
    CHECK_EQ(own_value(dup, key), 2, "while its own is");
    done(&dup);
    done(&comm);
    play_close();
}

int main(void)
{
    TAP_RUN(of_worlds);
    TAP_RUN(of_parts);
    TAP_RUN(of_mpi);
    TAP_RUN(of_programs);
    TAP_RUN(meddled_with_when_deleted);
    TAP_RUN(meddled_with_keys_and_communicators);
    TAP_RUN(meddled_with_when_copied);
    return tap_done();
}
