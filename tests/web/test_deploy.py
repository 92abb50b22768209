# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The unit for systemd is one that systemd takes. The container's packages are those that the build and the programs
need, and its command starts the service; the container itself is not built. The examples for proxies are run, in
test_operation.py and test_several.py."""

import json
import re
import shutil
import subprocess

import pytest

from service import PATIENCE


def test_unit(root, bin_dir, tmp_path):
    """With the program where it was built."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    text = (root / "web" / "deploy" / "assayd.service").read_text()
    assert "ExecStart=/usr/local/bin/assayd " in text
    (tmp_path / "assayd.service").write_text(text.replace("/usr/local/bin/assayd", str(bin_dir / "assayd")))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", tmp_path / "assayd.service"], capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0 and "assayd.service:" not in done.stderr, done.stderr


def stages(root):
    """The instructions of the container's file, by stage: pairs of word and rest, lines joined."""
    text = (root / "web" / "deploy" / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
    firsts = [number for number, (word, _) in enumerate(lines) if word == "FROM"]
    return [lines[first:end] for first, end in zip(firsts, [*firsts[1:], None])]


def packages_of(stage):
    """The packages that a stage installs."""
    found = re.search(r"--no-install-recommends ([^&]*)", " ".join(rest for word, rest in stage if word == "RUN"))
    return set(found[1].split())


def test_container_packages(root, bin_dir):
    """What compiles is what deps.sh installs for it; what runs has a package for each library that a program asks
    for."""
    build, run = stages(root)
    wanted = re.search(r'^build="([^"]*)"', (root / "tests" / "deps.sh").read_text(), re.M)
    assert packages_of(build) == set(wanted[1].split())
    for program in ("assayd", "assay", "sut-agent", "impirun", "portalsrun"):
        said = subprocess.run(["ldd", bin_dir / program], capture_output=True, text=True, check=True).stdout
        dynamic = subprocess.run(["readelf", "-d", bin_dir / program], capture_output=True, text=True, check=True)
        for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic.stdout):
            path = re.search(rf"{re.escape(library)} => (\S+)", said)
            if not path or library == "libc.so.6" or re.match(r"lib[at]san\.|libubsan\.", library):
                continue
            owner = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True, check=True)
            assert owner.stdout.split(":")[0] in packages_of(run), f"{program} needs {library}"


def test_container_command(root, bin_dir, tmp_path):
    """The container's command is one that the service takes, and the folder of its data the volume."""
    _, run = stages(root)
    of = dict(run)
    words = json.loads(of["ENTRYPOINT"]) + json.loads(of["CMD"])
    assert words[:3] == ["assayd", "--data", of["VOLUME"]] and words[-1] == f"0.0.0.0:{of['EXPOSE']}"
    words = [bin_dir / "assayd", "--data", tmp_path / "data", *words[3:-1], "0.0.0.0:0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as service:
        try:
            said = service.stdout.readline() + service.stdout.readline()
        finally:
            service.terminate()
        assert "http" in said, said
    assert service.returncode == 0
