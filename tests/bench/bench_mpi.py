#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_mpi.py: messages of this MPI, inside a client and between two, beside TCP and beside Debian's MPI libraries.

Each job measures TCP by itself at the same time, so that what else the machine does shows. `make bench-mpi` runs it.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).with_name("bench_mpi.c")
DEADLINE = 300


def run(command, **environment):
    """What a command printed; None when it failed."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                              check=False, env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def between(folder, *program, size="1", options=()):
    """A program, with its arguments, as a job of two clients of so many processes; options are for all of them."""
    environment = {**os.environ, "IMPI_AUTH_NONE": "1"}
    with subprocess.Popen([folder / "impirun", *options, "-server", "2"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, env=environment) as server:
        address = server.stdout.readline().strip()
        client = [folder / "impirun", *options, "-client"]
        with subprocess.Popen([*client, "1", address, "-np", size, *program], env=environment) as second:
            said = run([*client, "0", address, "-np", size, *program], IMPI_AUTH_NONE="1")
            second.wait(DEADLINE)
        server.wait(DEADLINE)
    return said


def compiled(compiler, folder):
    """The program, compiled with an MPI that is installed, or None."""
    program = pathlib.Path(folder) / f"bench.{compiler}"
    if not shutil.which(compiler) or run([compiler, "-O2", "-o", program, SOURCE]) is None:
        return None
    return program


def others(folder):
    """Jobs of the other libraries, over TCP and, as they do by themselves on one machine, over shared memory."""
    mpich, openmpi = compiled("mpicc.mpich", folder), compiled("mpicc.openmpi", folder)
    if mpich:
        command = ["mpirun.mpich", "-np", "2", mpich]
        # What carries MPICH's messages, UCX or libfabric, was chosen when it was built.
        yield "MPICH, tcp", lambda: run(command, MPIR_CVAR_NOLOCAL="1", UCX_TLS="tcp,self", UCX_NET_DEVICES="lo",
                                        FI_PROVIDER="tcp")
        yield "MPICH, shm", lambda: run(command)
    if openmpi:
        for path, layers in (("tcp", "self,tcp"), ("shm", "self,vader")):
            yield f"Open MPI, {path}", lambda layers=layers: run(
                ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "pml", "ob1", "--mca", "btl",
                 layers, "-np", "2", openmpi])


def show(name, said):
    """One line of the table."""
    if said is None:
        print(f"{name:24} did not run")
        return
    rows = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in said.splitlines()}
    (trip, rate), (tcp_trip, tcp_rate) = rows["mpi"], rows["tcp"]
    print(f"{name:24} {trip:9.2f} {tcp_trip:9.2f} {trip / tcp_trip:7.2f} "
          f"{rate:9.0f} {tcp_rate:9.0f} {rate / tcp_rate:7.2f}")


def main():
    """Runs one job after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of portalsrun and impirun")
    parser.add_argument("program", type=pathlib.Path, help="bench_mpi.c, compiled with this library")
    arguments = parser.parse_args()
    print(f"{'':24} {'8 octets, half a round trip':^27} {'1 MiB after 1 MiB':^27}")
    print(f"{'':24} {'mpi us':>9} {'tcp us':>9} {'ratio':>7} {'mpi MB/s':>9} {'tcp MB/s':>9} {'ratio':>7}")
    launch = [arguments.bin / "portalsrun", "-np", "2", "--nal"]
    for network in ("shm", "tcp"):
        for name, device in (("", "assay"), (", Puma's", "puma")):
            show(f"one client, {network}{name}", run([*launch, network, arguments.program], ASSAY_MPI=device))
    show("two clients, IMPI", between(arguments.bin, arguments.program))
    with tempfile.TemporaryDirectory() as folder:
        key = pathlib.Path(folder) / "key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(32))
        show("two clients, -tls", between(arguments.bin, arguments.program, options=("-tls", key)))
        for name, job in others(folder):
            show(name, job())


if __name__ == "__main__":
    main()
