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
