# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The last message of a command, read alone, tells what happened and what to do: whatever is wrong with its arguments,
with what it reads, or with where it writes."""

import os
import re
import subprocess

import pytest

DEADLINE = 180
PROGRAMS = ("assay", "portalsrun", "impirun", "assayd", "interp-portals", "interp-mpi", "sut-agent", "assay-mpicc",
            "assay-mpicxx", "assay-mpif77", "assay-mpif90")
CAPTURE, VECTOR = "tests/captures/lam-impi.pcap", "wire/vectors/put.hex"
PRINT = [*([program, word] for program in PROGRAMS for word in ("--help", "--version")), ["assay-mpicc", "-show"],
         ["assay", "help"], ["assay", "cases"], ["assay", "cases", "--json"], ["assay", "profiles"],
         ["assay", "profiles", "--json"], ["assay", "profiles", "--templates"], ["assay", "spec", "P30-141"],
         ["assay", "spec", "--json", "P30-141"], ["assay", "check", CAPTURE], ["assay", "check", "--json", CAPTURE],
         ["assay", "decode", "--proto", "portals", "--hex", VECTOR],
         *(["assay", word, "--help"] for word in ("run", "certify", "verify", "check", "decode", "encode", "spec")),
         ["impirun", "-server", "1"], ["assayd", "--list-routes"]]


def called(bin_dir, root, *words, **more):
    """A command in the root of the tree; what it says on standard error is its last message."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("ASSAY_", "IMPI_"))}
    return subprocess.run([bin_dir / words[0], *words[1:]], cwd=root, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, timeout=DEADLINE, check=False, env={**env, "IMPI_AUTH_NONE": "1"}, **more)


@pytest.mark.parametrize("words", PRINT, ids=" ".join)
def test_output_that_is_lost(bin_dir, root, words):
    """On a full disk, and where standard output was closed: told, and the status is not that of success."""
    with open("/dev/full", "wb") as full:
        for more in ({"stdout": full}, {"preexec_fn": lambda: os.close(1)}):
            done = called(bin_dir, root, *words, **more)
            lines = done.stderr.splitlines()
            assert done.returncode in (1, 2) and lines and lines[0].startswith(words[0]), done
            assert "standard output cannot be written" in done.stderr, done


def test_a_file_does_not_take_the_place_of_a_closed_stream(bin_dir, root, tmp_path):
    """With all three closed a run writes what a run writes, and nothing of its talk gets into it."""
    def close_all():
        for fd in range(3):
            os.close(fd)
    words = ["assay", "run", "--case", "smoke-put", "--report", tmp_path, "--", bin_dir / "portalsrun", "-np", "{np}",
             bin_dir / "interp-portals", "{args}"]
    done = subprocess.run([bin_dir / words[0], *words[1:]], cwd=root, timeout=DEADLINE, check=False,
                          preexec_fn=close_all)
    assert done.returncode == 2
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert {"report.json", "junit.xml", "report.html"} <= {file.name for file in written}
    for file in written:
        assert b"agent-connected" not in file.read_bytes() or file.name == "report.json", file


WRONG = [
    (["assay"], "name a command: run, cases, "), (["assay", "sing"], 'there is no command "sing"'),
    *((["assay", word, "--colour"], "--colour is no option") for word in
      ("run", "certify", "cases", "profiles", "spec", "check", "verify", "decode", "encode")),
    *((["assay", *words], f"{words[-1]} needs a value") for words in
      (["run", "--suite"], ["certify", "--url"], ["cases", "--profile"], ["verify", "--key"], ["decode", "--proto"])),
    (["assay", "check", "--json=7", CAPTURE], "--json=7 takes no value"),
    (["assayd", "--colour"], "--colour is no option"), (["assayd", "--data"], "--data needs a value"),
    (["assayd"], "--data DIR is missing"), (["assayd", "--data", "x", "y"], "an argument too many"),
    (["portalsrun", "--colour"], "unknown option --colour"), (["portalsrun"], "say how many processes"),
    (["impirun"], "say -server N, or -client RANK HOST:PORT"),
    (["interp-portals", "--colour"], "unknown argument --colour"), (["interp-mpi"], "--manager is missing"),
    (["sut-agent", "--colour"], "--colour"),
]


@pytest.mark.parametrize("words, said", WRONG, ids=lambda value: value if isinstance(value, str) else " ".join(value))
def test_wrong_arguments(bin_dir, root, words, said):
    """One line: which program, what is wrong, where to look; nothing on standard output."""
    done = called(bin_dir, root, *words, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert done.stderr.startswith(words[0]) and said in done.stderr
    assert re.search(r"--help( tells more)?$", done.stderr.strip()), done.stderr


FILES = [["check", "{}"], ["verify", "{}"], ["decode", "--proto", "portals", "{}"],
         ["encode", "--proto", "portals", "{}"]]


@pytest.mark.parametrize("words", FILES, ids=" ".join)
def test_files_that_cannot_be_read(bin_dir, root, tmp_path, words):
    """A file that is missing, and a folder: the system's reason after the name."""
    for path, reason in ((tmp_path / "missing", "No such file or directory"), (tmp_path, "Is a directory")):
        done = called(bin_dir, root, "assay", *[word.format(path) for word in words], stdout=subprocess.PIPE)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
        assert done.stderr.startswith(f"assay {words[0]}: {path}: ") and reason in done.stderr, done.stderr


@pytest.mark.parametrize("template, status, said", [
    (["false"], 1, "inconclusive: preflight: the job ended with status 1 before all interpreters had connected"),
    (["/no/such/launcher"], 2, "inconclusive: preflight: the system under test cannot be started: cannot execute "
                               "'/no/such/launcher': No such file or directory")])
def test_a_run_that_judges_nothing(bin_dir, root, tmp_path, template, status, said):
    """The last line tells the outcome, its reason, and where to read on."""
    done = called(bin_dir, root, "assay", "run", "--case", "smoke-put", "--report", tmp_path, "--", *template,
                  stdout=subprocess.PIPE)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == status and last.startswith(f"assay run: {said}"), done.stderr
    assert last.endswith(f"; read on in {tmp_path}/report.html") and (tmp_path / "report.html").is_file()


def test_no_service(bin_dir, root):
    """Who is not there is asked for."""
    done = called(bin_dir, root, "assay", "certify", "--url", "http://127.0.0.1:1", "--token", "x" * 20, "--profile",
                  "portals-3.0", "--", "true", stdout=subprocess.PIPE)
    assert done.returncode == 2 and done.stderr.endswith("does assayd listen there? It prints its address when it "
                                                         "starts\n")
