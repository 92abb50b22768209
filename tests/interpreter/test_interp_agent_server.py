# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A second template of the launch agent: the vendor's own IMPI server beside clients (specs/interpreter.md, section
5)."""

import subprocess

import pytest

from manager import PATIENCE, TOKEN, Failure

CLIENT = ("sh", "-c", "exec sleep 1000")


def output(peer):
    _, pairs = peer.notice("output")
    return pairs["text"]


def test_hello_tells_both(agent):
    _, peer = agent(*CLIENT, arguments=("--server", "my-server -n {clients} {options}"))
    assert peer.hello["server"] == "my-server -n {clients} {options}" and peer.hello["template"] == " ".join(CLIENT)


def test_hello_without_one(agent):
    assert "server" not in agent(*CLIENT)[1].hello


def test_words_and_quotes(agent):
    """Blanks separate words, quotes keep them together; a server has no interpreter, hence no arguments of one."""
    words = r"""  printf   <%s>\n 'two words' a"  "b '' "it's" {clients} {options} """
    _, peer = agent(*CLIENT, arguments=("--server", words))
    assert int(peer.do("start", job=1, template="server", clients=7, options="-port%205001")["pid"]) > 1
    assert [output(peer) for _ in range(7)] == ["<two words>", "<a  b>", "<>", "<it's>", "<7>", "<-port>", "<5001>"]


def test_environment_reaches_it(agent):
    _, peer = agent(*CLIENT, arguments=("--server", "sh -c 'echo $IMPI_AUTH_KEY {clients}'"))
    peer.do("start", job=1, template="server", clients=2, **{"env.IMPI_AUTH_KEY": "5678"})
    assert output(peer) == "5678 2"


@pytest.mark.parametrize("arguments, values, code", [
    ((), {"template": "server"}, "missing"), (("--server", "true {clients}"), {"template": "client"}, "bad-value"),
    (("--server", "true {clients}"), {"template": ""}, "bad-value"),
    (("--server", "/no/such/program {clients}"), {"template": "server", "clients": 1}, "exec"),
    (("--server", "true {clients}"), {"template": "server"}, "missing")])
def test_what_cannot_be_started(agent, arguments, values, code):
    _, peer = agent(*CLIENT, arguments=arguments)
    with pytest.raises(Failure) as failure:
        peer.do("start", job=1, **values)
    assert failure.value.code == code
    assert peer.do("jobs") == {"jobs": ""}


@pytest.mark.parametrize("words, why", [
    ("", "it is empty"), ("   ", "it is empty"), ("server 'x {clients}", "a quote is not closed"),
    ("server 2", "it has no {clients}"), ("server {clients} {np}", "it has a word of a client's template"),
    ("server {clients} x={server}", "it has a word of a client's template")])
def test_words_that_are_no_server(bin_dir, words, why):
    done = subprocess.run([bin_dir / "sut-agent", "--manager", "127.0.0.1:1", "--token", TOKEN, "--server", words, "--",
                           "true"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and f"--server: {why}" in done.stderr, done.stderr
