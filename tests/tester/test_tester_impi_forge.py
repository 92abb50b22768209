# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The checker of channels as cases see it: which forged packet of IMPI it finds to be invalid, and which not."""

import pathlib
import sys

import pytest

FAKE = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "fake_impi.py")]

# Two hosts with one process each; limits of 8 octets, marks 2 and 3. Process 0 sends, its host accepts.
WORDS = """
local first = { id = string.rep("\\0", 15) .. "\\1", pid = 11, host = 0, label = "first" }
local second = { id = string.rep("\\0", 15) .. "\\2", pid = 12, host = 1, label = "second" }
local checker = core.impi_checker({ datalen = 8, tagub = 40000, ackmark = 2, hiwater = 3, hosts = 2, connector = 1,
  acceptor = 0 }, { first, second })
local function judge(packet)
  packet.src, packet.dest = packet.src or first, packet.dest or second
  return core.impi_judge(checker, false, IMPI.packet(packet):sub(1, 128)) or "nothing"
end
"""


@pytest.fixture
def look(assay):
    """look(LUA) executes it in a case behind WORDS, and returns the case's result; the case tells what it found."""
    (assay.cases / "impi-0.0").mkdir()

    def run(lua):
        (assay.cases / "impi-0.0" / "cases.lua").write_text(f"""
case {{ id = "one", title = "t", purpose = "p", role = "server", suite = "s", chapter = "2",
  requirements = {{ "IMPI-010" }}, run = function(t) {WORDS} {lua} end }}""")
        outcome = assay.run("--profile", "impi-0.0", template=[*FAKE, "silent", "{clients}", "{options}"])
        return outcome.case("one")
    return run


def found(look, lua):
    """What the checker says about the last packet, which is the value of the Lua expression."""
    return look(f't:equal("IMPI-010", "found", {lua}, "?")')["observed"]


@pytest.mark.parametrize("packet", ['{ type = "DATA", data = "12345678" }', '{ type = "DATASYNC", srqid = 1 }',
                                    '{ type = "CANCEL", srqid = 5, len = 128 }', '{ type = "FINI" }'])
def test_honest_packets_are_not_taken_for_forged_ones(look, packet):
    assert found(look, f"judge({packet})") == "nothing"


@pytest.mark.parametrize("packet, requirement", [
    ('{ type = 8 }', "IMPI-109"),
    ('{ type = "DATA", data = "123456789" }', "IMPI-111"),
    ('{ type = "DATA", data = "12345", msglen = 4 }', "IMPI-115"),
    ('{ type = "DATA", tag = 40001 }', "IMPI-107"),
    ('{ type = "DATA", lsrank = -1 }', "IMPI-116"),
    ('{ type = "DATA", dest = { id = second.id, pid = 13 } }', "IMPI-112"),
    ('{ type = "DATA", src = second }', "IMPI-112"),
    ('{ type = "SYNCACK", srqid = 4 }', "IMPI-146"),
    ('{ type = "CANCELYES", srqid = 4 }', "IMPI-170"),
    ('{ type = "PROTOACK" }', "IMPI-129"),
])
def test_forged_packets_are_found(look, packet, requirement):
    assert requirement in found(look, f"judge({packet})")


def test_flow_control_is_followed(look):
    """The fourth packet without an acknowledgement goes beyond hiwater; with one it does not."""
    three = 'for _ = 1, 3 do t:sanity("honest", judge { type = "DATA" } == "nothing") end '
    assert "IMPI-126" in look(three + 't:equal("IMPI-010", "f", judge { type = "DATA" }, "?")')["observed"]
    honest = ('core.impi_judge(checker, true, IMPI.packet { type = "PROTOACK", src = second, dest = first }) '
              't:equal("IMPI-010", "f", judge { type = "DATA" }, "?")')
    assert look(three + honest)["observed"] == "nothing"


def test_what_is_no_packet(look):
    assert "end before" in found(look, "core.impi_judge(checker, false, string.rep('x', 127))")


@pytest.mark.parametrize("processes", ['{ { id = "short", pid = 1, host = 0 } }', "{ {} }"])
def test_processes_without_an_identifier_are_a_mistake_of_the_case(look, processes):
    result = look(f"core.impi_checker({{}}, {processes})")
    assert result["verdict"] == "inconclusive" and "16 octets" in result["reason"]


@pytest.mark.parametrize("clients, key, rank, expected", [
    (2, "5678", 2, "true true"), (3, "1234", 2, "false false"), (32, "18446744073709556850", 32, "false true"),
    ("2", "18446744073709551615", 31, "true true"), ('"two"', "words", 31, "false false"), (2, "", 1, "false false"),
])
def test_wrong_keys_and_ranks_are_found_by_what_the_server_was_told(look, clients, key, rank, expected):
    """A client says the key 1234 and a rank; a text that is no number, or too large for a key, tells the passive
    checker nothing."""
    outcome = look(f"""
      local server = t:server {{ clients = {clients}, env = {{ IMPI_AUTH_KEY = "{key}" }} }}
      local client = server:open_connection()
      client:offer(IMPI.KEY_BIT)
      client:send_key(1234)
      client:join({rank})
      local found = {{}}
      for i, rule in ipairs {{ "key-wrong", "join-rank" }} do
        found[i] = tostring((core.violation_found(rule, client.stream)))
      end
      t:equal("IMPI-010", "found", table.concat(found, " "), "?")""")
    assert outcome["observed"].strip('"') == expected
