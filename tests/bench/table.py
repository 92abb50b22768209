#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""table.py: the reference beside those who do nothing else: Open MPI, MPICH, UCX, libfabric, and the bare floor.

Rounds of all of them interleaved, so that all meet the same machine; what counts are ratios of medians. `make
bench-table` runs it and writes build/bench.json. What is not installed is left out.
"""

import argparse
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

from bench_mpi import between

HERE = pathlib.Path(__file__).parent
DEADLINE = 120
ROUNDS = 3
SMALL = 8
STARTED = (2, 64)  # processes of the jobs of which only beginning and end count

# System, row, unit, and with whom it is compared: system and row of each.
ROWS = [
    ("portals-shm", "trip", "us", [("floor", "flag"), ("openmpi-shm", "trip"), ("mpich-shm", "trip"),
                                   ("ucx-shm", "trip")]),
    ("portals-shm", "rate", "M/s", [("openmpi-shm", "rate"), ("mpich-shm", "rate"), ("ucx-shm", "rate")]),
    ("portals-shm", "put_ack", "us", [("openmpi-shm", "put_ack"), ("mpich-shm", "put_ack")]),
    ("portals-shm", "get", "us", [("openmpi-shm", "get"), ("mpich-shm", "get")]),
    ("portals-shm", "posted_10000", "us", [("openmpi-shm", "posted_10000"), ("mpich-shm", "posted_10000")]),
    ("portals-shm", "posted_50000", "us", [("openmpi-shm", "posted_10000")]),
    ("portals-tcp", "trip", "us", [("floor", "stream_polled"), ("floor", "stream_waited"), ("openmpi-tcp", "trip"),
                                   ("mpich-tcp", "trip"), ("libfabric-tcp", "trip")]),
    ("portals-tcp", "rate", "M/s", [("openmpi-tcp", "rate"), ("mpich-tcp", "rate")]),
    ("portals-tcp", "put_ack", "us", [("openmpi-tcp", "put_ack"), ("mpich-tcp", "put_ack")]),
    ("portals-tcp", "get", "us", [("openmpi-tcp", "get"), ("mpich-tcp", "get")]),
    *[(f"mpi-{net}", row, unit, [(f"openmpi-{net}", row), (f"mpich-{net}", row)])
      for net in ("shm", "tcp")
      for row, unit in (("trip", "us"), ("rate", "M/s"), ("mib_gb", "GB/s"), ("posted_1000", "us"),
                        ("posted_10000", "us"), ("unexpected_10000", "us"), ("barrier", "us"), ("bcast", "us"),
                        ("allreduce", "us"))],
    *[(f"mpi-shm-{ranks}", row, "us", [(f"openmpi-shm-{ranks}", row)])
      for ranks in (4, 8) for row in ("barrier", "bcast", "allreduce")],
    ("impi", "trip", "us", [("relay", "trip")]),
    ("impi", "mib_gb", "GB/s", [("relay", "mib_gb")]),
    *[("impi-8", row, "us", [("relay-8", row)]) for row in ("barrier", "bcast", "allreduce")],
    *[("mpi-start", f"start_{ranks}", "ms", [("openmpi-start", f"start_{ranks}"), ("mpich-start", f"start_{ranks}")])
      for ranks in STARTED],
]


def run(command, timeout=DEADLINE, **environment):
    """What a command printed; None when it failed."""
    try:
        done = subprocess.run([*(["env"] + [f"{k}={v}" for k, v in environment.items()]), *map(str, command)],
                              capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def values(said):
    """The rows that a program of ours has told."""
    pairs = (line.split() for line in (said or "").splitlines())
    return {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}


def compiled(compiler, folder):
    """rows_mpi.c, compiled with an MPI that is installed, or None."""
    program = pathlib.Path(folder) / f"rows.{compiler}"
    made = shutil.which(compiler) and run([compiler, "-O2", "-o", program, HERE / "rows_mpi.c"]) is not None
    return program if made else None


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        return end.getsockname()[1]


def pair(server, client):
    """What the client of a pair of programs says, each on a processor of its own."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(["taskset", "-c", "0", *server], **quiet) as first:
        said = None
        for _ in range(20):
            said = run(["taskset", "-c", "1", *client], timeout=30)
            if said is not None:
                break
        first.terminate()
    return said


def ucx():
    """UCX's own benchmark, tag matching over shared memory."""
    found = {}
    for row, test in (("trip", "tag_lat"), ("rate", "tag_bw")):
        port = str(free_port())
        words = ["ucx_perftest", "-p", port, "-t", test, "-n", "20000", "-f", "-s", str(SMALL)]
        env = ["env", "UCX_TLS=shm,self"]
        said = pair([*env, *words], [*env, *words, "127.0.0.1"])
        numbers = re.findall(r"[0-9.]+", (said or "").strip().splitlines()[-1]) if said and said.strip() else []
        if row == "trip" and len(numbers) > 2:
            found[row] = float(numbers[2])
        elif row == "rate" and numbers:
            found[row] = float(numbers[-1]) / 1e6
    return found


def fabric():
    """libfabric's own benchmark."""
    port = str(free_port())
    words = ["fi_pingpong", "-p", "tcp;ofi_rxm", "-e", "rdm", "-I", "2000", "-S", str(SMALL)]
    said = pair([*words, "-B", port], [*words, "-P", port, "127.0.0.1"])
    lines = [line.split() for line in (said or "").splitlines() if line.strip()]
    return {"trip": float(lines[-1][-2])} if len(lines) > 1 else {}


def started(launch, program):
    """How long jobs take that begin and end and do nothing else, in milliseconds."""
    found = {}
    for ranks in STARTED:
        begun = time.monotonic()
        if run([*launch, str(ranks), program, "start"]) is not None:
            found[f"start_{ranks}"] = (time.monotonic() - begun) * 1000
    return found


def starts(binaries, own, openmpi, mpich):
    """Jobs of each MPI, from the command line to the end."""
    yield "mpi-start", lambda: started([binaries / "portalsrun", "-np"], own)
    if openmpi:
        yield "openmpi-start", lambda: started(["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np"],
                                               openmpi)
    if mpich:
        yield "mpich-start", lambda: started(["mpirun.mpich", "-np"], mpich)


def systems(binaries, own, portals, relay, folder):
    """Who is measured: a name, and what measures one round."""
    yield "impi", lambda: values(between(binaries, own, "ends"))
    yield "relay", lambda: values(run([relay]))
    yield "impi-8", lambda: values(between(binaries, own, size="4"))
    yield "relay-8", lambda: values(run([relay, "tree"]))
    launch = [binaries / "portalsrun", "-np"]
    for net in ("shm", "tcp"):
        yield f"portals-{net}", lambda net=net: values(run([*launch, "2", "--nal", net, portals]))
        yield f"mpi-{net}", lambda net=net: values(run([*launch, "2", "--nal", net, own]))
    for ranks in (4, 8):
        yield f"mpi-shm-{ranks}", lambda ranks=ranks: values(run([*launch, str(ranks), "--nal", "shm", own]))
    openmpi, mpich = compiled("mpicc.openmpi", folder), compiled("mpicc.mpich", folder)
    yield from starts(binaries, own, openmpi, mpich)
    if openmpi:
        start = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "pml", "ob1",
                 "--mca", "osc", "pt2pt,rdma,sm", "--mca", "btl"]
        for name, layers, ranks in (("shm", "self,vader", 2), ("tcp", "self,tcp", 2), ("shm-4", "self,vader", 4),
                                    ("shm-8", "self,vader", 8)):
            command = [*start, layers, "-np", str(ranks), openmpi]
            yield f"openmpi-{name}", lambda command=command: values(run(command))
    if mpich:
        start = ["mpirun.mpich", "-np", "2", mpich]
        yield "mpich-shm", lambda: values(run(start))
        yield "mpich-tcp", lambda: values(run(start, MPIR_CVAR_NOLOCAL="1", FI_PROVIDER="tcp", UCX_TLS="tcp,self",
                                              UCX_NET_DEVICES="lo"))
    if shutil.which("ucx_perftest"):
        yield "ucx-shm", ucx
    if shutil.which("fi_pingpong"):
        yield "libfabric-tcp", fabric


def measure(chosen, rounds):
    """All rounds: system -> row -> values."""
    found = {}
    for _ in range(rounds):
        for name, one in chosen:
            for row, value in one().items():
                owner = "floor" if row in ("flag", "stream_polled", "stream_waited") else name
                found.setdefault(owner, {}).setdefault(row, []).append(value)
    return found


def compare(found):
    """The table as data."""
    for system, row, unit, peers in ROWS:
        mine = found.get(system, {}).get(row)
        others = {f"{peer} {its}" if its != row else peer: statistics.median(found[peer][its])
                  for peer, its in peers if its in found.get(peer, {})}
        entry = {"system": system, "row": row, "unit": unit, "rounds": mine, "peers": others}
        if mine:
            middle = statistics.median(mine)
            more_is_better = unit in ("M/s", "GB/s")
            entry["median"] = middle
            entry["beats"] = [name for name, value in others.items()
                              if (middle > value if more_is_better else middle < value)]
        yield entry


def show(entry):
    """One line."""
    if not entry["rounds"]:
        print(f"{entry['system']:14} {entry['row']:17} did not run")
        return
    peers = "  ".join(f"{name} {value:.3g} ({entry['median'] / value:.2f}x"
                      f"{', beaten' if name in entry['beats'] else ''})" for name, value in entry["peers"].items())
    print(f"{entry['system']:14} {entry['row']:17} {entry['median']:9.3f} {entry['unit']:4} "
          f"[{min(entry['rounds']):.3g} .. {max(entry['rounds']):.3g}]  {peers}")


def main():
    """Measures, shows, writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of portalsrun")
    parser.add_argument("--json", type=pathlib.Path, required=True, help="where the table goes as data")
    parser.add_argument("--only", default="", help="only systems whose name contains one of these words, with commas")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--relay", type=pathlib.Path, required=True, help="bare_relay.c")
    parser.add_argument("mpi", type=pathlib.Path, help="rows_mpi.c, compiled with this library")
    parser.add_argument("portals", type=pathlib.Path, help="rows_portals.c")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = arguments.only.split(",")
        chosen = [(name, one) for name, one in systems(arguments.bin, arguments.mpi, arguments.portals,
                                                           arguments.relay, folder)
                  if any(word in name for word in words)]
        table = list(compare(measure(chosen, arguments.rounds)))
    print(f"{'':14} {'row':17} {'median':>9}      [rounds]  peers: median (ours to theirs)")
    for entry in table:
        if entry["rounds"] or not arguments.only:
            show(entry)
    arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
