# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The archive that vendors get: builds alone, against the reference as it is installed, and is always the same."""

import os
import pathlib
import re
import subprocess
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def test_contents(tarball):
    with tarfile.open(tarball) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    [folder] = {name.split("/")[0] for name in names}
    assert folder.startswith("assay-interpreter-")
    assert names == sorted(names)
    assert {(member.mtime, member.uid, member.gid) for member in members} == {(0, 0, 0)}
    assert {f"{folder}/{name}" for name in ("README.md", "PROTOCOL.md", "LICENSE", "Makefile", "VERSION")} <= set(names)


def test_builds_alone_and_runs(unpack, root, lib_dir, variant, run, manager):
    if variant != "release":
        pytest.skip("one variant is enough")
    inside = unpack()
    made = subprocess.run(["make", "-j2", "CFLAGS=-O0 -Werror", f"PORTALS_CFLAGS=-I{root}/ref-impl/include",
                           f"PORTALS_LIBS={lib_dir}/libportals.a -lpthread -ldl"],
                          cwd=inside, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    run(inside / "interp-portals")
    peer = manager.accept()
    assert peer.hello["name"] == "interp-portals/" + (inside / "VERSION").read_text().strip()
    assert peer.do("PtlInit") == {"rc": "PTL_OK"}
    assert peer.do("PtlFini") == {"rc": "void"}
    assert peer.do("quit") == {}


def test_a_header_without_return_codes(unpack, tmp_path):
    """Every return code that the header may lack can be missing: the interpreter compiles, and says which are."""
    header = (HERE / "badlib" / "portals.h").read_text()
    lacking = re.findall(r"PTL_\w+", re.search(r"names='(.*?)'", (unpack() / "probe.sh").read_text(), re.S)[1])
    for name in lacking:
        header = re.sub(rf"\b{name} = [^,]*,", "", header)
    (tmp_path / "portals.h").write_text(header)
    inside = unpack()
    objects = [str(source.with_suffix(".o").relative_to(inside)) for source in inside.glob("portals/*.c")]
    made = subprocess.run(["make", "-j2", *objects, "CFLAGS=-O0 -Werror -DHANDLES_ARE_INTEGERS",
                           f"PORTALS_CFLAGS=-I{tmp_path}"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "this portals.h has no " + " ".join(lacking) in made.stderr


def test_without_a_header(unpack):
    """A header that cannot be found is said in so many words; the agent does not need one."""
    inside = unpack()
    made = subprocess.run(["make"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode != 0
    assert "set PORTALS_CFLAGS" in made.stderr
    made = subprocess.run(["make", "interp-mpi", "MPICC=gcc"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode != 0
    assert "mpi.h cannot be compiled; set MPICC" in made.stderr
    made = subprocess.run(["make", "-j2", "sut-agent", "CFLAGS=-O0"], cwd=inside, capture_output=True, text=True,
                          check=False)
    assert made.returncode == 0 and made.stderr == ""
    assert (inside / "sut-agent").exists()
