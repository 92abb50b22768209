-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How a negative case shows that what its scripted peers send is really wrong. The checkers of wire/ hear all that the
-- peers and the system under test say to each other in the case, in its order; a case names the rule that a message
-- breaks, and the checker must have found just that. What the checker finds and no case names, and what a case names
-- and the checker does not find, ends the case as inconclusive.
--
-- A message may also obey every rule and find no place all the same, by the state of its receiver, which no message
-- tells. Then the case names the state, and owes a valid counterpart: the same message, but for what meets that state,
-- is accepted in the same case.

-- The states by which a receiver has to discard a sound message, and the fields in which its valid counterpart may
-- differ. In one that differs in none, the state was another when it came.
local STATES = {
  ["portal"] = { "its portal table has no such index", "portal" },
  ["access"] = { "the access control entry does not admit the sender, or does not exist", "cookie" },
  ["match"] = { "no entry of the portal's match list accepts it", "portal", "match_bits" },
  ["room"] = { "there is no room behind the offset", "offset", "rlength" },
  ["descriptor"] = { "the descriptor was unlinked, or is not active", "md" },
  ["queue"] = { "its event has no place in the queue" },
  ["interface"] = { "the interface is not open" },
  ["exchange"] = { "its interface exchanges fewer octets", "rlength", "mlength" },
  ["numbering"] = { "it does not fit what was sent with a number", "incarnation", "epoch", "acknowledged" },
}

-- The fields by which a message asks for its place, or an answer for its descriptor.
local FIELDS = { "operation", "portal", "cookie", "match_bits", "offset", "rlength", "mlength", "incarnation", "epoch",
  "acknowledged", "missing" }
local ANSWERS = { ack = true, reply = true }

-- Fields of both messages that differ, as a set. A request's descriptor is the initiator's own affair.
local function differences(one, other)
  local differ = {}
  for _, name in ipairs(FIELDS) do differ[name] = one[name] ~= other[name] or nil end
  differ.data = #(one.data or "") ~= #(other.data or "") and not differ.rlength or nil
  differ.md = ANSWERS[one.operation] and one.md ~= other.md or nil
  for _, id in ipairs { "initiator", "target" } do differ[id] = not Values.same(one[id], other[id]) or nil end
  return differ
end

-- Whether the accepted message shows that the forged one was wrong by that state alone.
local function is_counterpart(state, forged, accepted)
  local differ = differences(forged, accepted)
  for i = 2, #STATES[state] do differ[STATES[state][i]] = nil end
  return next(differ) == nil
end

-- t:declare_undeliverable(stream, message, state): the message, which is sent on the stream by the case itself, finds
-- the receiver in that state.
function Test:declare_undeliverable(stream, message, state)
  if not STATES[state] then
    error("a message is wrong by a rule or by one of the states of forge.lua, not by " .. Values.show(state), 2)
  end
  local full = stream:with_defaults(message)
  local number = core.proof_due(core.describe(core.encode(full)) .. "; " .. STATES[state][1])
  self.owed = self.owed or {}
  self.owed[number] = { state = state, message = full }
  for _, accepted in ipairs(self.accepted or {}) do
    if self.owed[number] and is_counterpart(state, full, accepted) then
      core.proof_given(number)
      self.owed[number] = nil
    end
  end
end

-- t:no_forgery_possible(why): a negative case finds no occasion for its forgery, since the system under test does not
-- let it come so far.
function Test:no_forgery_possible(why)
  core.note(why)
  core.proof_given(core.proof_due(why))
end

-- t:valid_counterpart(stream, message, shown): a sanity step: the message, which was sent on the stream, was accepted,
-- as `shown` shows: an event, an answer, a condition. It is the valid counterpart of each message that was, or will be,
-- wrong by the receiver's state.
function Test:valid_counterpart(stream, message, shown)
  local full = stream:with_defaults(message)
  self:sanity("an honest " .. full.operation .. " is accepted", shown)
  self.accepted = self.accepted or {}
  table.insert(self.accepted, full)
  for number, debt in pairs(self.owed or {}) do
    if is_counterpart(debt.state, debt.message, full) then
      core.proof_given(number)
      self.owed[number] = nil
    end
  end
end

-- t:honest_job(req): a job of IMPI with one scripted client, from start to end.
function Test:honest_job(req)
  self:step("an honest job")
  self:impi_job({}):open():finish(req)
end

-- t:sanity_shown(what): a sanity step whose parts have been looked at one by one: any that failed has ended the case.
function Test:sanity_shown(what)
  core.note("sanity: " .. what .. " was served")
  core.sanity_held()
end

-- t:confirm_violation(rule [, stream]): makes sure that for the checkers of wire/ a scripted peer has broken the rule
-- of that name (rules.c, violations.c in wire/portals, violations.c in wire/impi) since the last time it was asked, on
-- that stream or on any. Of a message that breaks several rules all are named, in a list.
function Test:confirm_violation(rule, stream)
  if type(rule) == "table" then
    for _, each in ipairs(rule) do self:confirm_violation(each, stream) end
    return
  end
  local broken, instead = core.violation_found(rule, stream and (stream.index or stream.stream)) -- of Portals, of IMPI
  if not broken then
    core.finish("inconclusive", "tester", "", "the case is wrong about its forgery, which does not break \"" .. rule
      .. "\": " .. (instead and "it breaks " .. instead or "it breaks no rule that the checker of wire/ knows"), "", "")
  end
  core.note("forged: " .. rule)
end

-- What a receiver of IMPI refuses by what it knows of its job, and for which the checkers hold no rule.
local KNOWLEDGE = {
  ["size"] = "a number of hosts or processes that is sound in itself, and more than anybody can have",
}

-- t:declare_refusable(knowledge): what is sent next is of one of these kinds. That the receiver listens must be shown
-- by a sanity step: an honest start-up in the same case.
function Test:declare_refusable(knowledge)
  self:note_violation(KNOWLEDGE[knowledge] or error("no such kind: " .. Values.show(knowledge), 2))
end

-- t:ignore_violations(rules, stream): passes over violations that are nobody's concern on this stream: not to its
-- receiver, and not to the case, as what a client says of itself is nothing to a server that relays it unread.
function Test:ignore_violations(rules, stream)
  for _, rule in ipairs(rules) do core.ignore_violation(rule, stream.index or stream.stream) end
end

-- t:note_violation(rule, stream): the same for a rule that another checker of the case has found broken; the passive
-- checker may have.
function Test:note_violation(rule, stream)
  core.violation_found(rule, stream and (stream.index or stream.stream))
  core.proof_given(core.proof_due(rule))
  core.note("forged: " .. rule)
  return true
end

-- t:send_invalid(req, stream, what, wrong): sends a message, or octets, that a receiver must not take, and makes sure
-- of it: `wrong` is the name of the rule that it breaks (or a list, of several), or { state = one of STATES } for a
-- message that is sound in itself. A crash or hang from here on is judged by `req`.
function Test:send_invalid(req, stream, what, wrong)
  core.judging(req)
  if type(wrong) == "string" or type(wrong) == "table" and wrong[1] then
    if type(what) == "table" then
      stream:send(what)
    else
      stream:send_raw(what)
    end
    self:confirm_violation(wrong, stream)
    return
  end
  stream:send(what)
  self:declare_undeliverable(stream, what, wrong.state)
end
