/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What elements become when they are packed, in both forms, and what packed octets count as. The octets are written by
 * hand: external32 is big-endian, a long has 4 octets in it.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "ref-impl/mpi/types/type.h"
#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

struct person {
    char initial;
    double height;
    short year;
};

static MPI_Datatype person_type(void)
{
    MPI_Datatype type;

    MPI_Type_struct(
        4, (int[]){1, 1, 1, 1},
        (MPI_Aint[]){0, offsetof(struct person, height), offsetof(struct person, year), sizeof(struct person)},
        (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_UB}, &type);
    MPI_Type_commit(&type);
    return type;
}

static void external_elements(void)
{
    const struct person people[2] = {{'A', 1.5, 1815}, {'G', -2.0, -2}};
    const unsigned char expected[22] = {'A', 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0x07, 0x17,
                                        'G', 0xc0, 0,    0, 0, 0, 0, 0, 0, 0xff, 0xfe};
    struct person back[2];
    unsigned char packed[22];
    MPI_Datatype handle = person_type();
    const struct mpi_type *type = type_find(handle);

    CHECK_EQ(type_octets(type, 2, TYPE_EXTERNAL), 22, "1 + 8 + 2 octets, twice");
    CHECK_EQ(type_pack(type, 2, TYPE_EXTERNAL, people, packed, sizeof(packed)), MPI_SUCCESS, "packed");
    CHECK_MEM(packed, expected, sizeof(expected), "in the order of the type map, without gaps");
    memset(back, 0x55, sizeof(back));
    CHECK_EQ(type_unpack(type, 2, TYPE_EXTERNAL, packed, sizeof(packed), back), MPI_SUCCESS, "unpacked");
    CHECK(back[1].initial == 'G' && back[1].height == -2.0 && back[1].year == -2, "as it was");
    CHECK(((unsigned char *)back)[1] == 0x55 && ((unsigned char *)back)[sizeof(back) - 1] == 0x55,
          "gaps are untouched");
    MPI_Type_free(&handle);
}

static void order_of_the_map(void)
{
    const unsigned char text[] = "abcdefghijklmnopqrstuvwx";
    unsigned char packed[12] = {0};
    MPI_Datatype handle;

    MPI_Type_indexed(3, (int[]){2, 1, 3}, (int[]){5, 0, 8}, MPI_CHAR, &handle);
    CHECK_EQ(type_pack(type_find(handle), 2, TYPE_NATIVE, text, packed, 12), MPI_SUCCESS, "packed");
    /* The second element begins 11 octets after the first. */
    CHECK_MEM(packed, "fgaijkqrltuv", 12, "blocks come in their order, not in that of memory");
    MPI_Type_free(&handle);
}

static void places_in_a_row(void)
{
    int numbers[16], expected[4] = {2, 3, 10, 11};
    unsigned char packed[16] = {0};
    MPI_Datatype handle;

    for (int i = 0; i < 16; i++) {
        numbers[i] = i;
    }
    /* 2 ints, 8 octets from the beginning of 32. */
    MPI_Type_struct(3, (int[]){1, 2, 1}, (MPI_Aint[]){0, 8, 32}, (MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &handle);
    CHECK_EQ(type_pack(type_find(handle), 2, TYPE_NATIVE, numbers, packed, 16), MPI_SUCCESS, "packed");
    CHECK_MEM(packed, expected, 16, "each from its place");
    MPI_Type_free(&handle);
}

static void longs(void)
{
    const long good[3] = {INT32_MIN, -1, INT32_MAX}, bad[2] = {1, (long)INT32_MAX + 1};
    const unsigned char expected[12] = {0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff};
    const struct mpi_type *type = type_find(MPI_LONG);
    unsigned char packed[12];
    long back[3];

    CHECK_EQ(type_pack(type, 3, TYPE_EXTERNAL, good, packed, sizeof(packed)), MPI_SUCCESS, "packed");
    CHECK_MEM(packed, expected, sizeof(expected), "4 octets each");
    CHECK_EQ(type_unpack(type, 3, TYPE_EXTERNAL, packed, 12, back), MPI_SUCCESS, "unpacked");
    CHECK_MEM(back, good, sizeof(good), "with their signs");
    CHECK_EQ(type_pack(type, 2, TYPE_EXTERNAL, bad, packed, sizeof(packed)), MPI_ERR_TYPE,
             "too large a long is refused");
    CHECK_EQ(type_pack(type, 2, TYPE_NATIVE, bad, (char[16]){0}, 16), MPI_SUCCESS, "but not in native form");
}

static void room(void)
{
    const int in[4] = {1, 2, 3, 4};
    int out[4] = {9, 9, 9, 9};
    char packed[16];

    CHECK_EQ(type_pack(type_find(MPI_INT), 4, TYPE_NATIVE, in, packed, 15), MPI_ERR_TRUNCATE,
             "too little room to pack");
    CHECK_EQ(type_pack(type_find(MPI_INT), 4, TYPE_NATIVE, in, packed, 16), MPI_SUCCESS, "enough");
    CHECK_EQ(type_unpack(type_find(MPI_INT), 4, TYPE_NATIVE, packed, 11, out), MPI_SUCCESS, "fewer octets");
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 9 && out[3] == 9, "fill fewer elements, whole ones only");
    CHECK_EQ(type_unpack(type_find(MPI_INT), 2, TYPE_NATIVE, packed, 16, out), MPI_ERR_TRUNCATE, "more octets");
    CHECK(out[1] == 2 && out[2] == 9, "fill what there is");
    CHECK_EQ(type_unpack(type_find(MPI_INT), 0, TYPE_NATIVE, packed, 0, NULL), MPI_SUCCESS, "nothing into nothing");
    CHECK_EQ(type_unpack(type_find(MPI_INT), 0, TYPE_NATIVE, packed, 1, NULL), MPI_ERR_TRUNCATE,
             "something into nothing");
}

static void as_is(void)
{
    ptrdiff_t offset = 99;
    MPI_Datatype row, gaps, shifted;

    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_indexed(2, (int[]){2, 2}, (int[]){3, 5}, MPI_INT, &shifted);
    CHECK(type_as_is(type_find(row), 7, TYPE_NATIVE, &offset) && offset == 0, "rows of ints need no copy");
    CHECK(!type_as_is(type_find(row), 7, TYPE_EXTERNAL, &offset), "but for external32");
    CHECK(!type_as_is(type_find(gaps), 1, TYPE_NATIVE, &offset), "gaps do");
    CHECK(type_as_is(type_find(shifted), 1, TYPE_NATIVE, &offset) && offset == 12, "from where the elements begin");
    CHECK(type_as_is(type_find(shifted), 3, TYPE_NATIVE, &offset) && offset == 12, "also several, with extent 16");
    CHECK(type_as_is(type_find(MPI_CHAR), 3, TYPE_EXTERNAL, &offset) && offset == 0, "characters are external32");
    MPI_Type_free(&row);
    MPI_Type_vector(3, 2, 2, MPI_INT, &row);
    CHECK(type_as_is(type_find(row), 2, TYPE_NATIVE, &offset) && offset == 0, "blocks that touch need none");
    CHECK(!type_as_is(type_find(MPI_DOUBLE_INT), 1, TYPE_NATIVE, &offset), "pairs are of two types");
    MPI_Type_free(&row);
    MPI_Type_free(&gaps);
    MPI_Type_free(&shifted);
}

static void counts(void)
{
    MPI_Datatype handle = person_type();
    const struct mpi_type *type = type_find(handle);
    MPI_Status status = {.assay_octets = 22, .assay_external = 1};
    int count;

    CHECK_EQ(type_count(type, TYPE_EXTERNAL, 22), 2, "22 octets are 2 of 11");
    CHECK(type_count(type, TYPE_EXTERNAL, 20) == MPI_UNDEFINED, "20 are no whole number");
    CHECK_EQ(type_elements(type, TYPE_EXTERNAL, 20), 5, "but 5 basic elements: 3, char, double");
    CHECK(type_elements(type, TYPE_EXTERNAL, 21) == MPI_UNDEFINED, "21 end within the short");
    CHECK_EQ(type_elements(type, TYPE_EXTERNAL, 0), 0, "no octets, no elements");
    CHECK_EQ(type_count(type_find(MPI_LONG), TYPE_EXTERNAL, 8), 2, "a long has 4 octets in external32");
    CHECK(type_count(type_find(MPI_BYTE), TYPE_NATIVE, (size_t)INT_MAX + 1) == MPI_UNDEFINED, "more than an int");
    CHECK(MPI_Get_count(&status, handle, &count) == MPI_SUCCESS && count == 2, "MPI_Get_count");
    CHECK(MPI_Get_elements(&status, handle, &count) == MPI_SUCCESS && count == 6, "MPI_Get_elements");
    MPI_Type_free(&handle);
}

static void by_address(void)
{
    int values[3] = {7, 8, 9}, back[3] = {0};
    MPI_Datatype handle;
    MPI_Aint at[2];
    unsigned char packed[8];

    MPI_Address(&values[0], &at[0]);
    MPI_Address(&values[2], &at[1]);
    MPI_Type_hindexed(2, (int[]){1, 1}, at, MPI_INT, &handle);
    CHECK_EQ(type_pack(type_find(handle), 1, TYPE_NATIVE, MPI_BOTTOM, packed, 8), MPI_SUCCESS,
             "packed from MPI_BOTTOM");
    memcpy(back, packed, 8);
    CHECK(back[0] == 7 && back[1] == 9, "what the addresses name");
    MPI_Type_free(&handle);
}

/* MPI_Pack where all processes are in one client, and where they are not. */
static void pack_calls(bool external)
{
    const int in[3] = {1, 2, 0x01020304};
    const unsigned char expected[12] = {0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4};
    const long number = 5;
    unsigned char packed[32];
    int position = 4, size = 0, back[3] = {0};

    CHECK(MPI_Pack_size(1, MPI_LONG, MPI_COMM_WORLD, &size) == MPI_SUCCESS &&
              size == (external ? 4 : (int)sizeof(long)),
          "a long takes %d octets", size);
    CHECK_EQ(MPI_Pack(in, 3, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_SUCCESS, "packed to a position");
    CHECK(position == 16, "which has moved");
    CHECK_MEM(packed + 4, external ? (const void *)expected : in, 12, "bare octets, without head or tail");
    CHECK_EQ(MPI_Pack(&number, 1, MPI_LONG, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_BUFFER, "no room");
    CHECK(position == 16, "the position stays");
    position = 4;
    CHECK_EQ(MPI_Unpack(packed, 16, &position, back, 3, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS, "unpacked");
    CHECK_MEM(back, in, 12, "as it was");
    CHECK_EQ(MPI_Unpack(packed, 16, &position, back, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TRUNCATE, "no more octets");
    CHECK_EQ(MPI_Pack(in, 3, MPI_INT, packed, 16, NULL, MPI_COMM_WORLD), MPI_ERR_ARG, "no position");
    position = 17;
    CHECK_EQ(MPI_Pack(in, 0, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_ARG, "a position outside");
}

static void pack_in_one_client(void)
{
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    pack_calls(false);
}

static void pack_in_two_clients(void)
{
    play_close();
    play_open(0, "01", "01");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    pack_calls(true); //= IMPI-181
}

int main(void)
{
    play_open(0, "00", "00");
    TAP_RUN(external_elements);
    TAP_RUN(order_of_the_map);
    TAP_RUN(places_in_a_row);
    TAP_RUN(longs);
    TAP_RUN(room);
    TAP_RUN(as_is);
    TAP_RUN(counts);
    TAP_RUN(by_address);
    TAP_RUN(pack_in_one_client);
    TAP_RUN(pack_in_two_clients);
    play_close();
    return tap_done();
}
