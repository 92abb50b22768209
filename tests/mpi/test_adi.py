# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""MPI on Puma's portals, which ASSAY_MPI chooses, does what our own device does."""

import os
import pathlib
import subprocess

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
DEADLINE = 600
PUMA = {**os.environ, "ASSAY_MPI": "puma"}


def run(command, environment):
    """How a command ended, and what it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                          check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(name="compiled", scope="module")
def fixture_compiled(bin_dir, tmp_path_factory):
    """Compiles a program, once."""
    folder = tmp_path_factory.mktemp("adi")

    def compiled(name):
        program = folder / name
        if not program.exists():
            source = next(FOLDER.glob(f"**/{name}.c"))
            subprocess.run([bin_dir / "assay-mpicc", "-O1", "-o", program, source, "-lm"], check=True,
                           timeout=DEADLINE)
        return program

    return compiled


#= PUMA-183
@pytest.mark.parametrize("ranks", (pytest.param(1, marks=pytest.mark.long), 4))
@pytest.mark.parametrize("name", ("collectives", "exchange_sizes", "ring", "statuses", "windows", "fetches"))
def test_same_as_our_device(name, ranks, compiled, bin_dir):
    """Programs print the same."""
    command = [bin_dir / "portalsrun", "-np", ranks, compiled(name)]
    ours, puma = run(command, os.environ), run(command, PUMA)
    assert ours[0] == 0 and puma == ours


@pytest.mark.parametrize("device", ("assay", "puma"))
@pytest.mark.parametrize("network", ("shm", "tcp"))
@pytest.mark.parametrize("ranks", (pytest.param(2, marks=pytest.mark.long), 5))
def test_promises(ranks, network, device, compiled, bin_dir):
    """What the paper promises of messages holds on both devices, where collective operations go by messages."""
    command = [bin_dir / "portalsrun", "-np", ranks, "--nal", network, compiled("promises")]
    status, said, errors = run(command, {**os.environ, "ASSAY_MPI": device, "ASSAY_COLLECTIVES": "messages"})
    assert (status, errors) == (0, "")
    assert [line.rpartition(": ")[2] for line in said.splitlines()] == ["0 wrong"] * 7


#= PUMA-030
#= PUMA-040
#= PUMA-041
#= PUMA-047
#= PUMA-052
#= PUMA-061
#= PUMA-069
#= PUMA-072
#= PUMA-077
@pytest.mark.parametrize("network", ("shm", pytest.param("tcp", marks=pytest.mark.long)))
@pytest.mark.parametrize("name, ranks, arguments", (("modes", 1, ()), ("modes", 3, ()), ("stress", 4, (7, 600)),
                                                     ("many", 2, (3000, "long")), ("many", 9, (300, "long"))))
def test_messages(name, ranks, arguments, network, bin_dir, root):
    """Modes, lengths, rooms and wildcards, each with each; random traffic in order and complete; many at once."""
    folder = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "mpi"
    command = [bin_dir / "portalsrun", "-np", ranks, "--nal", network, folder / f"p2p_{name}", *arguments]
    assert run(command, PUMA) == (0, "good\n", "")


@pytest.mark.parametrize("device", ("assay", "puma"))
def test_synchronous_sends_wait(device, bin_dir, tmp_path):
    """A synchronous send, however short, is done when its receive has begun, and not before."""
    source, program = tmp_path / "waits.c", tmp_path / "waits"
    source.write_text(WAITS)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=DEADLINE)
    done = run([bin_dir / "portalsrun", "-np", 2, program], {**os.environ, "ASSAY_MPI": device})
    assert done == (0, "done early: 0, late: 3\n", "")


WAITS = r"""
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    static char out[2000], in[2000];
    static const int lengths[] = {0, 8, 2000};
    int rank, early = 0, late = 0, go = 1;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        if (rank == 0) {
            MPI_Request request;
            int flag = 0;
            MPI_Issend(out, lengths[i], MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
            for (double until = MPI_Wtime() + 0.2; !flag && MPI_Wtime() < until;) {
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            }
            early += flag;
            MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            late++;
        } else {
            MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(in, 2000, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (rank == 0) {
        printf("done early: %d, late: %d\n", early, late);
    }
    MPI_Finalize();
    return 0;
}
"""


#= PUMA-048
#= PUMA-168
@pytest.mark.parametrize("ranks", (pytest.param(2, marks=pytest.mark.long), 3))
def test_more_than_the_heap_holds(ranks, bin_dir, tmp_path):
    """A receiver that comes late loses nothing, and keeps nobody from sending to others."""
    source, program = tmp_path / "late.c", tmp_path / "late"
    source.write_text(LATE)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=DEADLINE)
    assert run([bin_dir / "portalsrun", "-np", ranks, program], PUMA) == (0, "in order\n", "")


LATE = r"""
#include <mpi.h>
#include <stdio.h>
enum { MANY = 6000 };
int main(void)
{
    int rank, size, good = 1, sent[500], came[500];
    MPI_Status status;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; rank > 0 && i < MANY; i++) {
        sent[0] = sent[499] = i;
        MPI_Send(sent, i % 2 ? 500 : 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD);
    }
    for (int from = size - 1; rank == 0 && from > 0; from--) {
        for (int i = 0; i < MANY; i++) {
            int count;
            MPI_Recv(came, 500, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            good = good && came[0] == i && count == (i % 2 ? 500 : 1) && came[count - 1] == i;
        }
    }
    if (rank == 0) {
        printf("%s\n", good ? "in order" : "not in order");
    }
    return MPI_Finalize();
}
"""


#= PUMA-035
@pytest.mark.long
def test_more_communicators_than_contexts(bin_dir, tmp_path):
    """Thirteen bits of context are used up by 4,000 communicators or so; that is an error, and no harm."""
    source, program = tmp_path / "contexts.c", tmp_path / "contexts"
    source.write_text(CONTEXTS)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=DEADLINE)
    assert run([bin_dir / "portalsrun", "-np", 2, program], PUMA) == (0, "refused, and goes on\n", "")


CONTEXTS = r"""
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int rank, sum = 0, code = MPI_SUCCESS;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4200 && code == MPI_SUCCESS; i++) {
        MPI_Comm copy;
        code = MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        if (code == MPI_SUCCESS) {
            MPI_Comm_free(&copy);
        }
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s, and %s\n", code != MPI_SUCCESS ? "refused" : "not refused", sum == 1 ? "goes on" : "is lost");
    }
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("name, status, said", (
    ("assay", 0, ""), ("", 0, ""), ("lam", 1, 'mpi: ASSAY_MPI is "lam"; it can be assay or puma')))
def test_choice(name, status, said, compiled, bin_dir):
    """What there is not is said."""
    done = run([bin_dir / "portalsrun", "-np", 1, compiled("ring")], {**os.environ, "ASSAY_MPI": name})
    assert (done[0], said in done[2], said == "" or done[1] == "") == (status, True, True)


@pytest.mark.parametrize("name, status, said", (
    ("memory", 0, ""), ("messages", 0, ""), ("", 0, ""),
    ("shm", 1, 'mpi: ASSAY_COLLECTIVES is "shm"; it can be memory or messages')))
def test_choice_of_collectives(name, status, said, compiled, bin_dir):
    done = run([bin_dir / "portalsrun", "-np", 1, compiled("ring")], {**os.environ, "ASSAY_COLLECTIVES": name})
    assert (done[0], said in done[2], said == "" or done[1] == "") == (status, True, True)


# The receiver's buffers tell which message it got: two long ones of one tag, the first into a posted receive; then two
# that nobody has asked for; rooms that are larger and smaller than the message, whose other octets stay as they are.
WHICH = r"""
#include <mpi.h>
#include <stdio.h>
#include <string.h>
enum { LONG = 5000, SHORT = 10 };
static char sent[4][LONG], came[4][2 * LONG];
static int bad;
static void receive(int which, int room, int length)
{
    MPI_Status status;
    int code, count;
    memset(came[which], '.', sizeof(came[which]));
    code = MPI_Recv(came[which], room, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    bad += room < length ? code == MPI_SUCCESS : code != MPI_SUCCESS || count != length;
    length = room < length ? room : length;
    for (int i = 0; i < 2 * LONG; i++) {
        bad += came[which][i] != (i < length ? 'a' + which : '.');
    }
}
int main(void)
{
    int rank, code = 0;
    MPI_Request posted, all[4];
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) {
        memset(sent[i], 'a' + i, LONG);
    }
    if (rank == 0) {
        MPI_Irecv(came[3], LONG, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &posted);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Isend(sent[0], LONG, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &all[0]);
        MPI_Isend(sent[1], LONG, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &all[1]);
        MPI_Isend(sent[2], LONG, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &all[2]);
        MPI_Isend(sent[3], SHORT, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &all[3]);
        MPI_Send(sent[0], 0, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
        MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(came[0], 0, MPI_CHAR, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        code = MPI_Wait(&posted, MPI_STATUS_IGNORE);
        bad += code != MPI_SUCCESS || came[3][0] != 'a' || came[3][LONG - 1] != 'a';
        receive(1, 2 * LONG, LONG);
        receive(2, LONG / 2, LONG);
        receive(3, LONG, SHORT);
        printf("%d wrong\n", bad);
    }
    return MPI_Finalize();
}
"""


#= PUMA-044
#= PUMA-046
#= PUMA-065
#= PUMA-147
#= PUMA-148
#= PUMA-151
#= PUMA-159
#= PUMA-160
#= PUMA-161
@pytest.mark.parametrize("device", ("assay", "puma"))
def test_which_message(device, bin_dir, tmp_path):
    """Each receive has its own message, and no octet besides."""
    source, program = tmp_path / "which.c", tmp_path / "which"
    source.write_text(WHICH)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=DEADLINE)
    assert run([bin_dir / "portalsrun", "-np", 2, program], {**os.environ, "ASSAY_MPI": device}) == (
        0, "0 wrong\n", "")


# A ready message comes to where no receive is posted. The one behind it tells that it has come, or has not.
READY = r"""
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int rank, there = -1;
    char octet = 'r';
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Rsend(&octet, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&octet, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&octet, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        printf("%s\n", there ? "kept" : "lost");
        if (there) {
            MPI_Recv(&octet, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return MPI_Finalize();
}
"""


@pytest.fixture(name="written")
def fixture_written(bin_dir, tmp_path):
    """Compiles a program that stands in this file."""

    def written(text, *options):
        source, program = tmp_path / "program.c", tmp_path / "program"
        source.write_text(text)
        subprocess.run([bin_dir / "assay-mpicc", "-o", program, source, *options], check=True, timeout=DEADLINE)
        return program

    return written


#= PUMA-043
@pytest.mark.parametrize("device, what", (("assay", "kept"), ("puma", "lost")))
def test_ready_without_receive(device, what, written, bin_dir):
    """MPI on Puma has no room for what must be expected; our device treats it as any other message."""
    command = [bin_dir / "portalsrun", "-np", 2, written(READY)]
    assert run(command, {**os.environ, "ASSAY_MPI": device}) == (0, f"{what}\n", "")


# A receive of a collective operation is posted; then the program watches its memory, and calls nothing of MPI until
# the last octet is there. What had to be copied by the library would never come.
WATCHED = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    int rank, length = atoi(argv[1]);
    time_t end = time(0) + 60;
    char *octets = calloc(1, length);
    volatile char *last = octets + length - 1;
    MPI_Request request;
    (void)argc;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(0, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        *last = 'x';
    }
    MPI_Ibcast(octets, length, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) {
        MPI_Send(0, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        while (*last != 'x' && time(0) < end) {
        }
        printf("%s\n", *last == 'x' ? "in its place" : "not there");
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(octets);
    return MPI_Finalize();
}
"""


#= PUMA-087
@pytest.mark.parametrize("network", ("shm", "tcp"))
@pytest.mark.parametrize("device, length", (("assay", 1000), ("assay", 50000), ("puma", 8), ("puma", 50000)))
def test_nothing_is_copied(device, length, network, written, bin_dir):
    """What comes to a receive that is posted goes to its place by the network alone."""
    command = [bin_dir / "portalsrun", "-np", 2, "--nal", network, written(WATCHED), length]
    environment = {**os.environ, "ASSAY_MPI": device, "ASSAY_COLLECTIVES": "messages"}
    assert run(command, environment) == (0, "in its place\n", "")


# Between the making of a receive's entry and its opening, which is when PtlMDUpdate is called, a message comes.
WINDOW = r"""
#include <mpi.h>
#include <portals.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int armed, first = -1, told[2];
int __real_PtlMDUpdate(ptl_handle_md_t md, ptl_md_t *old, ptl_md_t *new, ptl_handle_eq_t queue);
int __wrap_PtlMDUpdate(ptl_handle_md_t md, ptl_md_t *old, ptl_md_t *new, ptl_handle_eq_t queue)
{
    ptl_size_t count = 0;
    time_t end = time(0) + 60;
    int mine = armed, code;
    armed = 0;
    if (mine && write(told[1], "", 1) == 1) {
        while (PtlEQCount(queue, &count) == PTL_OK && count == 0 && time(0) < end) {
        }
    }
    code = __real_PtlMDUpdate(md, old, new, queue);
    first = mine ? code : first;
    return code;
}
int main(int argc, char **argv)
{
    int rank;
    char octets[1000] = "";
    MPI_Request request;
    (void)argc;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *meeting = fopen(argv[1], rank ? "r" : "w");
    if (rank == 0) {
        told[1] = fileno(meeting);
        armed = 1;
        MPI_Irecv(octets, 1000, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        printf("%s, %s\n", first == PTL_NOUPDATE ? "closed" : "open", octets[999] == 'x' ? "received" : "lost");
    } else if (fgetc(meeting) == 0) {
        octets[999] = 'x';
        MPI_Send(octets, 1000, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    fclose(meeting);
    return MPI_Finalize();
}
"""


#= PUMA-136
@pytest.mark.parametrize("network", ("shm", "tcp"))
@pytest.mark.parametrize("device", ("assay", "puma"))
def test_closed_until_activated(device, network, written, bin_dir, tmp_path):
    """A message that comes before a receive is activated goes to where those go that nobody has asked for."""
    program = written(WINDOW, "-Wl,--wrap=PtlMDUpdate")
    os.mkfifo(tmp_path / "meeting")
    command = [bin_dir / "portalsrun", "-np", 2, "--nal", network, program, tmp_path / "meeting"]
    assert run(command, {**os.environ, "ASSAY_MPI": device}) == (0, "closed, received\n", "")


# Threads post receives, one at a time, and each gets what was sent to its tag, in order.
THREADS = r"""
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
enum { THREADS = 4, EACH = 300 };
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static int wrong[THREADS];
static void *receive(void *number)
{
    int tag = (int)(intptr_t)number;
    for (int i = 0; i < EACH; i++) {
        int came[200] = {-1}, done = 0, wanted = i % 2 ? 200 : 1;
        MPI_Request request;
        pthread_mutex_lock(&one);
        MPI_Irecv(came, wanted, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            pthread_mutex_unlock(&one);
            pthread_mutex_lock(&one);
        }
        pthread_mutex_unlock(&one);
        wrong[tag] += came[0] != i || came[wanted - 1] != i;
    }
    return 0;
}
int main(void)
{
    int rank, provided, sent[200] = {0}, all = 0;
    pthread_t thread[THREADS];
    MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 1 && i < EACH * THREADS; i++) {
        sent[0] = sent[199] = i / THREADS;
        MPI_Send(sent, i / THREADS % 2 ? 200 : 1, MPI_INT, 0, i % THREADS, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 0 && i < THREADS; i++) {
        pthread_create(&thread[i], 0, receive, (void *)(intptr_t)i);
    }
    for (int i = 0; rank == 0 && i < THREADS; i++) {
        pthread_join(thread[i], 0);
        all += wrong[i];
    }
    if (rank == 0) {
        printf("%d wrong, level %s\n", all, provided >= MPI_THREAD_SERIALIZED ? "serialized" : "less");
    }
    return MPI_Finalize();
}
"""


#= PUMA-176
@pytest.mark.parametrize("device", ("assay", "puma"))
def test_threads_that_receive(device, written, bin_dir):
    """Several threads have receives posted at once."""
    command = [bin_dir / "portalsrun", "-np", 2, written(THREADS, "-lpthread")]
    assert run(command, {**os.environ, "ASSAY_MPI": device}) == (0, "0 wrong, level serialized\n", "")


# All sends are done before anybody asks for one of the messages, whatever room there is for them.
UNASKED = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { COUNT = 20000 };
int main(void)
{
    int rank, came, wrong = 0, *sent = malloc(COUNT * sizeof(*sent));
    MPI_Request *requests = malloc(COUNT * sizeof(*requests));
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 1 && i < COUNT; i++) {
        sent[i] = i;
        MPI_Isend(&sent[i], 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD, &requests[i]);
    }
    if (rank == 1) {
        MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE);
        MPI_Ssend(0, 0, MPI_INT, 0, 4, MPI_COMM_WORLD);
    } else {
        MPI_Recv(0, 0, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int tag = 2; rank == 0 && tag >= 0; tag--) {
        for (int i = tag; i < COUNT; i += 3) {
            MPI_Recv(&came, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            wrong += came != i;
        }
    }
    if (rank == 0) {
        printf("%d wrong\n", wrong);
    }
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("device", ("assay", "puma"))
def test_sends_that_nobody_has_asked_for(device, written, bin_dir):
    """Short messages that nobody has asked for let their senders go on, and each is received in its order."""
    command = [bin_dir / "portalsrun", "-np", 2, written(UNASKED)]
    assert run(command, {**os.environ, "ASSAY_MPI": device}) == (0, "0 wrong\n", "")
