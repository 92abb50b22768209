# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The profile impi-0.0 as the engine runs it: roles, what a template lacks, jobs that a case starts, their ends."""

import pathlib
import sys

import pytest

from waiting import ended

FAKE = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "fake_impi.py")]


def case(name, run, role="server", more="", requirements='"IMPI-010"'):
    return f"""
case {{ id = "{name}", title = "t", purpose = "p", role = "{role}", suite = "s", chapter = "2", {more}
  requirements = {{ {requirements} }}, run = function(t) {run} end }}
"""


PASS = 't:equal("IMPI-010", "one", 1, 1)'


@pytest.fixture
def impi(assay):
    """The program with cases of the profile impi-0.0; impi.serve(BEHAVIOUR) judges a fake server by them."""
    (assay.cases / "impi-0.0").mkdir()
    assay.cases_of = lambda *texts: (assay.cases / "impi-0.0" / "cases.lua").write_text("".join(texts))
    assay.serve = lambda behaviour, *arguments, **options: assay.run(
        "--profile", "impi-0.0", *arguments, template=[*FAKE, behaviour, "{clients}", "{options}"], **options)
    assay.join = lambda behaviour, *arguments, **options: assay.run(
        "--profile", "impi-0.0", *arguments, template=[*FAKE, behaviour, "{server}", "{client}", "{args}"], **options)
    return assay


def test_the_template_decides_the_role(impi):
    """Cases of the other role are no part of the run, and the report says which role was judged."""
    impi.cases_of(case("one", PASS), case("two", PASS, role="client"))
    outcome = impi.serve("silent")
    assert [one["id"] for one in outcome.report["cases"]] == ["one"] and outcome.report["sut"]["role"] == "server"
    assert outcome.status == 0 and outcome.report["verdict"] == "conforms"


def test_a_long_template_decides_the_role(impi):
    """However much stands before the word that decides."""
    impi.cases_of(case("one", PASS), case("two", PASS, role="client"))
    outcome = impi.run("--profile", "impi-0.0", template=[*FAKE, "never", "x" * 5000, "{client}", "{server}"])
    assert outcome.report["sut"]["role"] == "client", outcome.report


def test_a_selection_of_the_other_role_is_a_problem(impi):
    impi.cases_of(case("one", PASS), case("two", PASS, role="client"))
    outcome = impi.serve("silent", "--case", "two")
    assert outcome.status == 1 and outcome.report["cases"] == []
    problem = outcome.report["problem"]
    assert "no selected case judges the role server, but the command template has no {client}" in problem


@pytest.mark.parametrize("role, problem", [("", "the profile impi-0.0 wants a role"),
                                           ("host", 'wants a role, one of: "client", "server"')])
def test_a_case_without_a_role_is_refused(impi, role, problem):
    text = case("one", PASS, role=role)
    impi.cases_of(text.replace('role = "",', "") if not role else text)
    process = impi.call("cases", "--profile", "impi-0.0")
    assert process.returncode == 2 and problem.replace("\\", "") in process.stderr


@pytest.mark.parametrize("need, reason", [("hosts", "no {hosts}"), ("options", "no {options}")])
def test_what_the_template_lacks_skips_the_case(impi, need, reason):
    impi.cases_of(case("one", PASS), case("two", PASS, more=f"{need} = true,"))
    outcome = impi.run("--profile", "impi-0.0", template=[*FAKE, "silent", "{clients}"])
    assert outcome.case("two")["verdict"] == "skip" and reason in outcome.case("two")["reason"]
    assert outcome.case("one")["verdict"] == "pass"


@pytest.mark.parametrize("template", [[*FAKE, "words"], ["/bin/echo", "no address here"]], ids=["stays", "ends"])
def test_a_server_without_an_address_is_a_matter_of_configuration(impi, template):
    impi.cases_of(case("one", PASS))
    outcome = impi.run("--profile", "impi-0.0", template=template)
    assert outcome.status == 1 and outcome.report["cases"] == []
    assert outcome.report["verdict"] == "inconclusive" and "names no address:port" in outcome.report["problem"]


def test_a_command_that_is_not_there(impi):
    impi.cases_of(case("one", PASS))
    outcome = impi.run("--profile", "impi-0.0", template=["/nowhere/impirun", "{clients}"])
    assert outcome.status == 2 and "/nowhere/impirun" in outcome.report["problem"]


@pytest.mark.parametrize("when", ["crash", "crash-late"])
def test_a_crash_fails_the_case_that_waits(impi, when):
    """A server that a signal ends while the case waits for something else; the requirement is the one being judged.
    That it does the same in the preflight, before its end or behind it, keeps no case from judging it."""
    impi.cases_of(case("one", """
      local server = t:server {}
      t:judging("IMPI-022")
      local client = server:connect()
      client:ended(10000)
      server:ended(10000)""" + PASS, requirements='"IMPI-010", "IMPI-022"'))
    outcome = impi.serve(when)
    one = outcome.case("one")
    assert (one["verdict"], one["axis"], one["requirement"]) == ("fail", "sut", "IMPI-022")
    assert "SIGSEGV" in one["reason"] and outcome.report["verdict"] == "does-not-conform"


@pytest.mark.parametrize("serves, when", [(True, "crash-early"), (False, "fall"), (False, "fall-late")])
def test_a_crash_in_the_preflight_is_for_the_cases(impi, serves, when):
    impi.cases_of(case("one", PASS, role="server" if serves else "client"))
    outcome = (impi.serve if serves else impi.join)(when)
    assert outcome.case("one")["verdict"] == "pass", outcome.report


@pytest.mark.parametrize("serves, when", [(True, "crash-at-once"), (False, "fall-at-once")])
def test_a_command_that_crashes_before_it_begins_is_not_judged(impi, serves, when):
    impi.cases_of(case("one", PASS, role="server" if serves else "client"))
    outcome = (impi.serve if serves else impi.join)(when)
    assert outcome.report["cases"] == [] and "SIGSEGV" in outcome.report["problem"], outcome.report


def test_the_end_of_a_job_is_told(impi):
    impi.cases_of(case("one", """
      local server = t:server {}
      server:connect()
      t:equal("IMPI-010", "how it ended", server:ended(), "status 3")"""))
    assert impi.serve("leave").case("one")["verdict"] == "pass"


def test_lines_of_a_job_are_waited_for(impi):
    impi.cases_of(case("one", """
      local server = t:server {}
      server:mark_output()
      t:equal("IMPI-010", "before", server:new_output(100), nil)
      server:connect()
      t:equal("IMPI-010", "what it said", server:new_output(), "somebody came")"""))
    assert impi.serve("tell").case("one")["verdict"] == "pass"


def test_environment_and_options_reach_the_job(impi):
    """Variables are set, taken away, or left as the case says; the options of the template are replaced by words."""
    impi.cases_of(case("one", """
      local server = t:server { clients = 3, options = "-port 5001 -auth 1-0",
        env = { IMPI_AUTH_NONE = false, IMPI_AUTH_KEY = "a b" } }
      server:mark_output()
      local said = table.concat(server:output(), "|", 2)
      t:equal("IMPI-010", "what it was given", said, "IMPI_AUTH_KEY=a b|arguments 3 -port 5001 -auth 1-0")"""))
    outcome = impi.serve("environment", environment={"IMPI_AUTH_NONE": "inherited"})
    assert outcome.case("one")["verdict"] == "pass", outcome.case("one")


def test_several_jobs_at_once(impi):
    impi.cases_of(case("one", """
      local servers = {}
      for i = 1, 4 do servers[i] = t:server {} end
      for i = 1, 4 do servers[i]:open_connection() end
      t:check("IMPI-010", "ports", servers[1].port ~= servers[4].port, "differ", "are the same")"""))
    outcome = impi.serve("silent")
    assert outcome.case("one")["verdict"] == "pass"


def test_a_stubborn_job_is_gone_afterwards(impi, tmp_path):
    impi.cases_of(case("one", "local server = t:server {} " + PASS))
    pid = tmp_path / "pid"
    outcome = impi.serve("stubborn", environment={"FAKE_PID": str(pid)})
    assert outcome.case("one")["verdict"] == "pass"
    assert ended([pid.read_text()], 0)


def test_a_case_sees_what_it_asked_for(impi):
    """Streams tell why nothing came; a wait that is over in vain is no crash of the case."""
    impi.cases_of(case("one", """
      local server = t:server {}
      local client = server:open_connection()
      t:equal("IMPI-010", "nothing", select(2, client:receive(50)), "timeout")
      t:equal("IMPI-010", "silence", client:silence(50), true)
      t:equal("IMPI-010", "nobody there", select(2, t:impi_server():accept(50)), "timeout")
      client:reset()
      t:equal("IMPI-010", "behind a reset", select(2, client:send("DONE")), "closed")"""))
    assert impi.serve("silent").case("one")["verdict"] == "pass"


def test_the_passive_checker_hears_what_a_case_does_not_ask(impi):
    """The case is content; the checker of wire/ is not, and says by which requirement."""
    impi.cases_of(case("one", """
      local client = t:server {}:open_connection()
      client:offer(1)
      t:equal("IMPI-010", "the method", client:choice().which, 0)"""))
    outcome = impi.serve("talkative")
    one = outcome.case("one")
    assert (one["verdict"], one["axis"], one["requirement"]) == ("fail", "sut", "IMPI-029")
    assert "did not ask about" in one["reason"] and "checker" in (outcome.folder / one["transcript"]).read_text()


def test_the_agent_refuses_what_no_option_is(impi):
    """A job that the agent does not start for this case's sake does not end the run."""
    impi.cases_of(case("bad", 't:start_server { options = "-rm -rf" } ' + PASS), case("good", PASS))
    outcome = impi.serve("silent")
    assert outcome.case("bad")["verdict"] == "inconclusive" and "refuses" in outcome.case("bad")["reason"]
    assert outcome.case("good")["verdict"] == "pass"


CLIENT = """
      local job = t:impi_job {}
      job:start()
      t:command("IMPI-010", job.server_link, "AUTH")"""


def test_a_client_that_never_connects(impi):
    impi.cases_of(case("one", CLIENT, role="client"))
    outcome = impi.join("never")
    assert outcome.status == 1 and "does not connect to the server" in outcome.report["problem"]


@pytest.mark.parametrize("behaviour", ["one-octet", "rude"])
def test_a_client_whose_start_up_is_wrong_is_judged(impi, behaviour):
    """The preflight sees a connection and leaves the rest, the passive checker's findings too, to the cases."""
    impi.cases_of(case("one", CLIENT, role="client"))
    outcome = impi.join(behaviour)
    assert outcome.report["sut"]["role"] == "client"
    assert outcome.case("one")["verdict"] == "fail" and outcome.case("one")["requirement"] == "IMPI-010"


@pytest.mark.parametrize("behaviour, broken", [("key-alone", "IMPI-027"), ("no-method", "IMPI-028")])
def test_a_client_that_does_not_offer_what_it_is_given(impi, behaviour, broken):
    """It fails for that; the server has chosen as the document says. What rests on the choice is blocked."""
    run = "t:impi_job {}:start():authenticate():join()"
    impi.cases_of(case("one", run, role="client"), case("two", run, role="client"))
    outcome = impi.join(behaviour)
    one, two = outcome.case("one"), outcome.case("two")
    assert (one["verdict"], one["axis"], one["requirement"]) == ("fail", "sut", broken), one
    assert (two["verdict"], two["axis"]) == ("inconclusive", "sut"), two
    assert two["blocked_by"] == {"requirement": broken, "case": "one"}, two
