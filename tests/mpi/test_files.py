# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Files: what other implementations do not answer alike. What they do is in programs/files."""

import subprocess

import pytest

DEADLINE = 60
FAR = """
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const MPI_Offset far = (MPI_Offset)1 << 62;
    MPI_File file;
    MPI_Offset place = 7, size = 7;
    double one = 1;
    int codes[4], ok = 1;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 8, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    codes[0] = MPI_File_write_at(file, far, &one, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    codes[1] = MPI_File_read_at(file, (far >> 2) - 1, &one, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    codes[2] = MPI_File_get_byte_offset(file, far, &place);
    MPI_File_seek(file, far, MPI_SEEK_SET);
    codes[3] = MPI_File_read(file, &one, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        MPI_Error_class(codes[i], &codes[i]);
        ok = ok && codes[i] == MPI_ERR_ARG;
    }
    MPI_File_get_size(file, &size);
    ok = ok && size == 0;
    printf("%d %lld %d %d %d %d\\n", ok, (long long)place, codes[0], codes[1], codes[2], codes[3]);
    MPI_File_close(&file);
    return MPI_Finalize();
}
"""

STEPS = """
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Offset place;
    int word = 1, codes[5];

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    codes[0] = MPI_File_read_all_end(file, &word, MPI_STATUS_IGNORE);
    MPI_File_write_all_begin(file, &word, 1, MPI_INT);
    codes[1] = MPI_File_write_at_all_begin(file, 8, &word, 1, MPI_INT);
    codes[2] = MPI_File_write_ordered_end(file, &word, MPI_STATUS_IGNORE);
    codes[3] = MPI_File_write_all_end(file, &word, MPI_STATUS_IGNORE);
    MPI_File_write_shared(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
    codes[4] = MPI_File_get_position_shared(file, &place);
    for (int i = 0; i < 5; i++) {
        MPI_Error_class(codes[i], &codes[i]);
    }
    printf("%d %d %d %d %d\\n", codes[0] == MPI_ERR_IO, codes[1] == MPI_ERR_IO, codes[2] == MPI_ERR_IO, codes[3],
           codes[4] == MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_File_close(&file);
    return MPI_Finalize();
}
"""


VIEWS = """
#include <mpi.h>
#include <stdio.h>

static int refused(MPI_File file, MPI_Offset from, int displacement, int other)
{
    int class, displacements[2] = {displacement, other}, lengths[2] = {2, 1};
    MPI_Datatype type;

    MPI_Type_indexed(2, lengths, displacements, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Error_class(MPI_File_set_view(file, from, MPI_INT, type, "native", MPI_INFO_NULL), &class);
    MPI_Type_free(&type);
    return class;
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Offset begin = -1;
    MPI_Datatype element, type;
    char form[MPI_MAX_DATAREP_STRING];
    int rank, size, word = -1, words[9] = {77, 0, 1, 2, 3, 4, 5, 6, 7}, codes[6];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_File_write(file, words, 9, MPI_INT, MPI_STATUS_IGNORE);
    }
    codes[0] = refused(file, MPI_DISPLACEMENT_CURRENT, 0, 2) == MPI_ERR_ARG;
    codes[1] = refused(file, 0, -2, 2) == MPI_ERR_IO;
    codes[2] = refused(file, 0, 3, 0) == MPI_ERR_IO;
    codes[3] = refused(file, 0, 0, 1) == MPI_ERR_IO;
    codes[4] = refused(file, 0, 0, 2);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_File_read_shared(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    codes[5] = refused(file, 0, 0, 2) == MPI_ERR_ARG && (rank > 0 || word == 77);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_get_view(file, &begin, &element, &type, form);
    MPI_File_read_ordered(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (begin != 4 || word != rank) {
        printf("%d: begin %lld, word %d\\n", rank, (long long)begin, word);
    }
    if (rank == 0) {
        printf("%d %d %d %d %d %d\\n", codes[0], codes[1], codes[2], codes[3], codes[4], codes[5]);
    }
    MPI_File_close(&file);
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("ranks", (1, 4))
def test_views(ranks, bin_dir, tmp_path):
    """A view of a sequential file begins at the shared pointer; what it shows goes on from 0, and never back."""
    source = tmp_path / "views.c"
    source.write_text(VIEWS)
    subprocess.run([bin_dir / "assay-mpicc", "-o", tmp_path / "views", source], check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", str(ranks), tmp_path / "views", tmp_path / "file"],
                          capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 1 1 1 0 1\n", "")


@pytest.mark.parametrize("ranks", (1, 3))
def test_steps_in_order(ranks, bin_dir, tmp_path):
    """The second step is of the kind that has begun, of which there is one; beside the file nothing is left."""
    source = tmp_path / "steps.c"
    source.write_text(STEPS)
    (tmp_path / "files").mkdir()
    subprocess.run([bin_dir / "assay-mpicc", "-o", tmp_path / "steps", source], check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", str(ranks), tmp_path / "steps", tmp_path / "files" / "file"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "1 1 1 0 1\n" * ranks)
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["file"]


@pytest.mark.parametrize("ranks", (1, 3))
def test_places_that_no_file_reaches(ranks, bin_dir, tmp_path):
    """An offset whose place cannot be told in octets is an error, if by the view alone; nothing is written."""
    source = tmp_path / "far.c"
    source.write_text(FAR)
    subprocess.run([bin_dir / "assay-mpicc", "-o", tmp_path / "far", source], check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", str(ranks), tmp_path / "far", tmp_path / "file"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:3] for line in done.stdout.splitlines()] == ["1 7"] * ranks, done.stdout


EXTERNAL = """
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static const char *name;
static MPI_File file;

static void begin(MPI_Datatype element, MPI_Datatype shown, int at)
{
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, at, element, shown, "external32", MPI_INFO_NULL);
}

static void show(const char *what)
{
    FILE *stream = fopen(name, "rb");

    printf("%s ", what);
    for (int octet = getc(stream); octet != EOF; octet = getc(stream)) {
        printf("%02x", (unsigned)octet);
    }
    printf("\\n");
    fclose(stream);
    MPI_File_close(&file);
}

static void check(const char *what, int good)
{
    if (!good) {
        printf("%s: wrong\\n", what);
    }
}

static void kinds(void)
{
    struct record {
        char letter;
        short number;
        long far;
        long double wide;
        wchar_t sign;
    } out = {'a', -2, 0x01020304, 1.0L, 0x20ac}, in;
    int lengths[5] = {1, 1, 1, 1, 1}, count, elements;
    MPI_Aint at[5] = {0, (char *)&out.number - &out.letter, (char *)&out.far - &out.letter,
                      (char *)&out.wide - &out.letter, (char *)&out.sign - &out.letter};
    MPI_Datatype types[5] = {MPI_CHAR, MPI_SHORT, MPI_LONG, MPI_LONG_DOUBLE, MPI_WCHAR}, record;
    MPI_Status status;
    MPI_Request request;

    MPI_Type_create_struct(5, lengths, at, types, &record);
    MPI_Type_commit(&record);
    memset(&in, 0, sizeof(in));
    begin(MPI_BYTE, MPI_BYTE, 0);
    MPI_File_write(file, &out, 1, record, &status);
    MPI_Get_count(&status, record, &count);
    check("count", count == 1);
    MPI_File_seek(file, 7, MPI_SEEK_SET);
    MPI_File_iread(file, &in.wide, 1, MPI_LONG_DOUBLE, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_LONG_DOUBLE, &count);
    check("long double", count == 1 && in.wide == 1.0L);
    MPI_File_set_size(file, 23);
    MPI_File_read_at_all_begin(file, 0, &in, 1, record);
    MPI_File_read_at_all_end(file, &in, &status);
    MPI_Get_elements(&status, record, &elements);
    check("record", in.letter == 'a' && in.number == -2 && in.far == 0x01020304 && in.wide == 1.0L && in.sign == 0);
    check("elements", elements == 4);
    MPI_File_write_at(file, 23, &out.sign, 1, MPI_WCHAR, MPI_STATUS_IGNORE);
    show("kinds");
    MPI_Type_free(&record);
}

/* Writes the longs 1 to 4 through a file type with one element after the other, and its extent. */
static void through(const char *what, MPI_Datatype shown)
{
    long out[4] = {1, 2, 3, 4}, in[4] = {0, 0, 0, 0};
    MPI_Aint extent;
    MPI_Offset place;

    MPI_Type_commit(&shown);
    begin(MPI_LONG, shown, 0);
    MPI_File_write(file, out, 4, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_File_seek(file, -1, MPI_SEEK_END);
    MPI_File_read(file, in, 1, MPI_LONG, MPI_STATUS_IGNORE);
    check(what, in[0] == 4);
    MPI_File_read_at(file, 0, in, 4, MPI_LONG, MPI_STATUS_IGNORE);
    check(what, memcmp(in, out, sizeof(in)) == 0);
    MPI_File_get_type_extent(file, shown, &extent);
    MPI_File_get_byte_offset(file, 2, &place);
    printf("%ld, third at %ld: ", (long)extent, (long)place);
    show(what);
    MPI_Type_free(&shown);
}

static void types(void)
{
    int two = 2, one = 1, lengths[2] = {1, 1}, from[2] = {0, 2};
    int block = MPI_DISTRIBUTE_CYCLIC, none = MPI_DISTRIBUTE_DFLT_DARG, four = 4;
    MPI_Aint octets[2] = {0, 6};
    MPI_Datatype type, inner;

    MPI_Type_vector(2, 1, 3, MPI_LONG, &type);
    through("vector", type);
    MPI_Type_indexed(2, lengths, from, MPI_LONG, &type);
    through("indexed", type);
    MPI_Type_create_indexed_block(2, 1, from, MPI_LONG, &type);
    through("indexed_block", type);
    MPI_Type_create_subarray(1, &two, &one, &one, MPI_ORDER_C, MPI_LONG, &type);
    through("subarray", type);
    MPI_Type_create_darray(2, 1, 1, &four, &block, &none, &two, MPI_ORDER_C, MPI_LONG, &type);
    through("darray", type);
    MPI_Type_create_hindexed(2, lengths, octets, MPI_LONG, &type);
    through("hindexed", type);
    MPI_Type_create_hvector(2, 1, 5, MPI_LONG, &type);
    through("hvector", type);
    MPI_Type_create_resized(MPI_LONG, 0, 8, &inner);
    MPI_Type_contiguous(2, inner, &type);
    MPI_Type_free(&inner);
    through("resized", type);
    MPI_Type_create_subarray(1, &two, &one, &one, MPI_ORDER_C, MPI_LONG, &inner);
    MPI_Type_dup(inner, &type);
    MPI_Type_free(&inner);
    MPI_Type_vector(2, 1, 2, type, &inner);
    MPI_Type_free(&type);
    through("nested", inner);
}

static void refused(void)
{
    long numbers[2] = {7, 1L << 31};
    MPI_Offset here, shared, octets;
    MPI_Aint extent;
    int code;

    begin(MPI_LONG, MPI_LONG, 0);
    code = MPI_File_write(file, numbers, 2, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &code);
    check("a long of 5 octets", code == MPI_ERR_TYPE);
    code = MPI_File_write_shared(file, numbers, 2, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &code);
    check("the same, shared", code == MPI_ERR_TYPE);
    code = MPI_File_write_ordered(file, numbers, 2, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &code);
    check("the same, in order", code == MPI_ERR_TYPE);
    MPI_File_get_position(file, &here);
    MPI_File_get_position_shared(file, &shared);
    MPI_File_get_size(file, &octets);
    check("nothing is moved", here == 0 && shared == 0 && octets == 0);
    code = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external", MPI_INFO_NULL);
    MPI_Error_class(code, &code);
    check("a name", code == MPI_ERR_UNSUPPORTED_DATAREP);
    MPI_File_get_type_extent(file, MPI_DOUBLE_INT, &extent);
    check("a pair has no gap", extent == 12);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    name = argv[1];
    kinds();
    types();
    refused();
    return MPI_Finalize();
}
"""
# A long has 4 octets, a long double 16, a wide character 2; displacements that count longs shrink with them, those in
# octets stay.
IN_FILES = """\
kinds 61fffe010203043fff000000000000000000000000000020ac
16, third at 16: vector 0000000100000000000000000000000200000003000000000000000000000004
12, third at 12: indexed 000000010000000000000002000000030000000000000004
12, third at 12: indexed_block 000000010000000000000002000000030000000000000004
8, third at 20: subarray 0000000000000001000000000000000200000000000000030000000000000004
16, third at 20: darray 0000000000000001000000000000000200000000000000030000000000000004
10, third at 10: hindexed 0000000100000000000200000003000000000004
9, third at 9: hvector 000000010000000002000000030000000004
16, third at 16: resized 00000001000000000000000200000000000000030000000000000004
24, third at 28: nested 000000000000000100000000000000000000000000000002000000000000000300000000000000000000000000000004
"""


def test_external32(bin_dir, tmp_path):
    """Octets of files in external32 are those of the standard's table, and come back as what they were."""
    (tmp_path / "external.c").write_text(EXTERNAL, encoding="ascii")
    subprocess.run([bin_dir / "assay-mpicc", "-Wall", "-Werror", "-o", tmp_path / "external", tmp_path / "external.c"],
                   check=True, timeout=DEADLINE)
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", tmp_path / "external", tmp_path / "file"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, IN_FILES), done.stderr
