# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A negative case that is wrong about its own forgery judges nobody: it is found out by the checkers of wire/."""

import pytest

REFUSED = "does not hold: an honest put"
HEAD = """case { id = "ID", title = "T", purpose = "P.", suite = "s", chapter = "4.2", requirements = { "P30-321" },
  wire = true, NEGATIVE run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    local put = { operation = "put", portal = Receiver.PORTAL, cookie = Receiver.COOKIE, md = 5, data = "data" }
    local bad, with = { state = "portal" }, Receiver.with_field
    BODY
    t:rc("P30-321", rank:PtlNIStatus {}, "PTL_OK")
  end }
"""
HONEST = "Receiver.accepts(t, rank, stream, put)\n"
GET = """rank:region("in", 8) rank:bind { region = "in", md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) } local get = stream:receive()
"""

# name: whether it says that it is negative, what it does, and what its reason says, or that it passes
CASES = {
    "rule": (True, 't:send_invalid("P30-321", stream, with(put, "target", peer.id), "wrong-target")' + HONEST,
             None),
    "rule-of-conversation": (True, GET + 'stream:answer(get) stream:answer(get)'
                             ' t:confirm_violation("reply-again", stream)',
                             None),
    "state": (True, 't:send_invalid("P30-321", stream, with(put, "portal", 8), bad)' + HONEST, None),
    "state-with-its-twin-before": (True, HONEST
                                   + 't:send_invalid("P30-321", stream, with(put, "portal", 8), bad)', None),
    "valid": (True, 't:send_invalid("P30-321", stream, put, "wrong-target")' + HONEST,
              'which does not break "wrong-target": it breaks no rule'),
    "valid-answer": (True, GET + 't:send_invalid("P30-321", stream, stream:answer_of(get), "reply-unasked")',
                     'which does not break "reply-unasked": it breaks no rule'),
    "another-rule": (True, 't:send_invalid("P30-321", stream, with(put, "initiator", rank.id), "wrong-target")',
                     'does not break "wrong-target": it breaks PW-20 (forged-initiator)'),
    "unknown-rule": (True, 't:send_invalid("P30-321", stream, put, "wrong-colour")', "it breaks no rule"),
    "on-another-stream": (True, 'local other = Receiver.open_another(t, rank)'
                          ' other:send(with(put, "target", peer.id)) t:confirm_violation("wrong-target", stream)',
                          "it breaks no rule"),
    "once-for-two": (True, 't:send_invalid("P30-321", stream, with(put, "target", peer.id), "wrong-target")'
                     ' t:confirm_violation("wrong-target", stream)', "it breaks no rule"),
    "undeclared": (True, 't:send_invalid("P30-321", stream, with(put, "target", peer.id), "wrong-target")'
                   ' stream:send { operation = "reply", md = 99 }',
                   "a scripted peer breaks a rule and the case does not declare it: P30-011 (reply-unasked)"),
    "undeclared-and-not-negative": (False, 'stream:send { operation = "reply", md = 99 }',
                                    "the case does not declare it: P30-011 (reply-unasked)"),
    "state-that-breaks-a-rule": (True, 'local wrong = with(put, "portal", 8) wrong.target = peer.id'
                                 ' t:send_invalid("P30-321", stream, wrong, bad)' + HONEST,
                                 "the case does not declare it: P30-305"),
    "no-twin": (True, 't:send_invalid("P30-321", stream, with(put, "portal", 8), bad)',
                "nothing shows that the same message is accepted in another state: put"),
    "no-twin-but-another-message": (True, 't:send_invalid("P30-321", stream, with(put, "portal", 8), bad)'
                                    ' Receiver.check_alive(t, rank, stream)', "nothing shows that the same message"),
    "twin-that-is-refused": (True, 't:send_invalid("P30-321", stream, with(put, "portal", 8), bad)'
                             ' t:valid_counterpart(stream, put, false)', REFUSED),
    "unknown-state": (True, 't:send_invalid("P30-321", stream, put, { state = "mood" })', "or by one of the states"),
    "forges-nothing": (True, HONEST, "has not shown any message to be invalid"),
    "says-nothing": (False, 't:send_invalid("P30-321", stream, with(put, "target", peer.id), "wrong-target")',
                     "the case forges and does not say that it is negative"),
}

BARE = """case { id = "bare", title = "T", purpose = "P.", suite = "s", chapter = "4.2", requirements = { "P30-321" },
  wire = true, negative = true, run = function(t)
    t:open {}
    local stream = t:connect(t:peer {}, t.ranks[0])
    t:send_invalid("P30-321", stream, { operation = "ack", md = 99 }, "ack-unasked")
    t:rc("P30-321", t.ranks[0]:PtlNIStatus {}, "PTL_OK")
  end }
"""


def write(assay):
    texts = [HEAD.replace("ID", name).replace("NEGATIVE", "negative = true," if negative else "").replace("BODY", body)
             for name, (negative, body, _) in CASES.items()]
    assay.write("".join(texts) + BARE)


@pytest.fixture(name="outcome")
def fixture_outcome(assay):
    write(assay)
    return assay.run(template=assay.reference_template())


def test_forgeries_are_proven_or_the_case_is_inconclusive(outcome):
    for name, (_, _, reason) in CASES.items():
        case = outcome.case(name)
        whose = "sut" if reason == REFUSED else "tester"  # it does not let itself be judged
        wanted = ("pass", "") if reason is None else ("inconclusive", whose)
        assert (case["verdict"], case["axis"]) == wanted, case
        assert reason is None or reason in case["reason"], case
    bare = outcome.case("bare")
    assert (bare["verdict"], bare["axis"]) == ("inconclusive", "tester")
    assert "has no sanity step" in bare["reason"]


def test_transcript_shows_what_is_wrong(outcome):
    text = (outcome.folder / outcome.case("rule-of-conversation")["transcript"]).read_text()
    assert "P30-011 (reply-again): a get is replied to again" in text
    assert "forged: reply-again" in text
