# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay replay`: the frames of an Intercept capture as steps, with their calls; what is no such capture is said."""

import json
import subprocess

import pytest

PATIENCE = 120
LESSONS = ("short-put", "long-put-lost-frame", "get-dead-plane")


@pytest.fixture(name="replay")
def fixture_replay(bin_dir):
    def run(*words):
        return subprocess.run([bin_dir / "assay", "replay", *words], capture_output=True, text=True, timeout=PATIENCE,
                              check=False)
    return run


@pytest.fixture(name="lesson")
def fixture_lesson(replay, root):
    def read(name):
        done = replay(root / "web" / "pages" / "lessons" / f"{name}.pcapng")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)
    return read


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_is_explained(lesson, root, name):
    """Each has a card, a plane, a time not before the last, a cause, and a requirement of the catalogue."""
    known = {row["id"] for row in json.loads((root / "specs" / "intercept-1.0.json").read_text())}
    shown = lesson(name)
    assert shown["left_out"] == 0
    assert sorted(card["name"] for card in shown["cards"]) == ["rank 0", "rank 1"]
    last = 0
    for step in shown["steps"]:
        assert 0 <= step["card"] < 2 and 0 <= step["plane"] < 4 and step["time_us"] >= last
        assert step["fields"][0][0] == "Kind" and step["requirements"] and set(step["requirements"]) <= known
        assert 0 <= step["cause"] < len(shown["causes"]), step
        last = step["time_us"]


def told(shown, call):
    """The messages on the cables that a call caused, in their order, without what links say."""
    causes = [i for i, cause in enumerate(shown["causes"]) if cause["call"].startswith(call)]
    return [step["message"] for step in shown["steps"]
            if step["cause"] in causes and step["message"] not in ("acknowledge", "retransmit")]


def test_short_put(lesson):
    """RTS and MSGEND, each over two cables."""
    shown = lesson("short-put")
    assert told(shown, "PtlPut") == ["rts", "rts", "msgend", "msgend"]
    cause = next(one for one in shown["causes"] if one["call"] == "PtlPut")
    assert (shown["cards"][cause["by"]]["name"], shown["cards"][cause["to"]]["name"], cause["octets"]) == \
        ("rank 1", "rank 0", 40)


def test_long_put_that_loses_a_frame(lesson):
    """The connection and its credit belong to the put that needed them; one packet of the slice is lost, asked for, and
    sent again on the same cable."""
    shown = lesson("long-put-lost-frame")
    put = told(shown, "PtlPut")
    assert put[:2] == ["upd_conn", "upd_conn"] and {"command", "try_match", "vdma_get", "match_reply"} <= set(put)
    steps = shown["steps"]
    lost = [i for i, step in enumerate(steps) if step["condition"] == "lost"]
    assert [steps[i]["message"] for i in lost] == ["vdma_data"]
    way = [(step["card"], step["plane"]) for step in steps]
    behind = [step for i, step in enumerate(steps) if i > lost[0] and way[i] == way[lost[0]]]
    assert any(step["message"] == "retransmit" and step["up"] for step in behind)
    again = [step for step in behind if step["again"] and not step["up"]]
    assert any(step["fields"] == steps[lost[0]]["fields"] for step in again)


def test_get_with_a_dead_plane(lesson):
    """Nothing travels over the plane that is cut; the answer belongs to the call of the other side."""
    shown = lesson("get-dead-plane")
    assert {step["plane"] for step in shown["steps"]} == {0, 1, 3}
    assert set(told(shown, "PtlGet")) == {"rts", "msgend", "cts", "data", "last_data"}
    assert {shown["cards"][cause["by"]]["name"] for cause in shown["causes"] if cause["call"].startswith("PtlGet")} == \
        {"rank 1"}


def test_cut_off_and_spoilt(replay, root, tmp_path):
    """A capture that ends anywhere, or is damaged, is shown as far as it goes, or refused with a line."""
    whole = (root / "web" / "pages" / "lessons" / "short-put.pcapng").read_bytes()
    path = tmp_path / "cut.pcapng"
    for end in range(0, len(whole), 97):
        path.write_bytes(whole[:end])
        done = replay(path)
        assert done.returncode in (0, 2) and (done.returncode == 0) == (done.stderr == "")
        assert done.returncode == 2 or json.loads(done.stdout)["steps"]
    for at in range(200, len(whole), 331):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xff]) + whole[at + 1:])
        assert replay(path).returncode in (0, 2)


def test_what_is_none(replay, root, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    for words, said in (([], "name one capture"), (["a", "b"], "name one capture"), (["--what"], "name one capture"),
                        ([tmp_path / "nowhere"], "cannot be opened"), ([tmp_path / "empty"], "is empty"),
                        ([root / "tests" / "captures" / "lam-impi.pcap"], "holds no frame of an Intercept card")):
        done = replay(*words)
        assert (done.returncode, done.stdout) == (2, "") and said in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1
    assert "usage: assay replay" in replay("--help").stdout
