# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A network is a file and a row: one that is added to a copy of the tree appears everywhere, without another line."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

PIGEON = """\
/* A network of this test: as the loop, under another name. */
#include "ref-impl/nal/pigeon.h"

#include "ref-impl/nal/loop.h"

static enum nal_status pigeon_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                   struct nal **nal)
{
    return loop_network.open(config, upcalls, core, nal);
}

const struct network pigeon_network = {
    .name = "pigeon",
    .about = "homing pigeons, which fly home only",
    .reach = NETWORK_REACHES_SELF,
    .open = pigeon_open,
};
"""
HEADER = '#include "ref-impl/nal/network.h"\nextern const struct network pigeon_network;\n'


@pytest.fixture(name="tree", scope="module")
def fixture_tree(root, tmp_path_factory):
    """A copy of the tree with one network more, of which launcher and library are built."""
    tree = tmp_path_factory.mktemp("pigeon")
    for part in ("Makefile", "wire", "ref-impl", "tests"):
        (shutil.copytree if (root / part).is_dir() else shutil.copy)(root / part, tree / part)
    nal = tree / "ref-impl" / "nal"
    (nal / "pigeon.c").write_text(PIGEON, encoding="utf-8")
    (nal / "pigeon.h").write_text(HEADER, encoding="utf-8")
    table = (nal / "networks.c").read_text(encoding="utf-8")
    table = table.replace("&loop_network}", "&loop_network, &pigeon_network}")
    include = '#include "ref-impl/nal/loop.h"\n'
    table = table.replace(include, include + include.replace("loop", "pigeon"))
    (nal / "networks.c").write_text(table, encoding="utf-8")
    env = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    probe = "build/release/scenario/job-probe"
    done = subprocess.run(["make", "-j2", "VARIANT=release", "LTO=", "B=build", "build/bin/portalsrun", probe],
                          cwd=tree, capture_output=True, text=True, timeout=900, check=False, env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

    def run(*words, **environment):
        env = {key: value for key, value in os.environ.items() if not key.startswith(("ASSAY_", "PMI"))}
        return subprocess.run([tree / "build" / "bin" / "portalsrun", *words], capture_output=True, text=True,
                              timeout=180, check=False, env={**env, **environment})

    return tree / probe, run


@pytest.mark.long
def test_a_network_is_a_row(tree):
    """Its row makes it a value of --nal and of ASSAY_NAL, and puts it into the help and the messages."""
    probe, run = tree
    assert re.search(r"^ +pigeon +homing pigeons, which fly home only$", run("--help").stdout, re.MULTILINE)
    done = run("-np", "1", "--nal", "pigeon", probe, "ring")
    assert (done.returncode, done.stdout) == (0, "rank 0 of 1: greetings from rank 0\n"), done.stderr
    assert "tcp, shm, intercept, loop and pigeon" in run("-np", "1", "--nal", "swallow", "true").stderr
    done = run("-np", "1", probe, "ring", ASSAY_NAL="swallow")
    assert done.returncode != 0
    assert 'unknown network "swallow"; this library has tcp, shm, intercept, loop and pigeon' in done.stderr


@pytest.mark.long
def test_a_network_mixes_only_where_its_row_says_so(tree):
    """Without a choice, a job uses the networks that mix: two processes reach each other."""
    probe, run = tree
    done = run("-np", "2", probe, "ring")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2), done.stderr


def test_documents_name_every_network(root, bin_dir):
    """Manuals and guide name what the launcher's help lists, with no network more or less."""
    shown = subprocess.run([bin_dir / "portalsrun", "--help"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^      (\w+) {2,}\S", shown, re.MULTILINE))
    assert names
    manual = (root / "ref-impl/man/portals.7").read_text(encoding="utf-8")
    section = manual[manual.index(".Ss Networks"):manual.index(".Sh RETURN CODES")]
    assert set(re.findall(r"^\.It Cm (\w+)$", section, re.MULTILINE)) == names
    launcher = pathlib.Path(root / "ref-impl/man/portalsrun.1").read_text(encoding="utf-8")
    option = launcher[launcher.index(r".It Fl \-nal"):launcher.index(r".It Fl \-trace")]
    assert set(re.findall(r"^\.Cm (\w+)", option, re.MULTILINE)) == names
    guide = (root / "ref-impl/README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"ASSAY_NAL=(\w+)", guide)) == names
