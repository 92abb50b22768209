-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a case says with `t`: judgements, steps, and the few helpers that belong to no rank. The engine keeps the
-- verdict (core.judge, core.warn, core.finish); nothing here can take one back.

-- t:equal(req, what, observed, expected): judges `req`; tables are compared by content. Returns `observed`.
function Test:equal(req, what, observed, expected)
  if not Values.same(observed, expected) then
    core.finish("fail", "sut", req, what, Values.show(expected), Values.show(observed))
  end
  core.judge(req, what, Values.show(observed))
  return observed
end

-- t:check(req, what, condition, expected, observed): judges any condition; the last two are texts or values for the
-- report.
function Test:check(req, what, condition, expected, observed)
  if not condition then
    core.finish("fail", "sut", req, what, Values.show(expected), Values.show(observed))
  end
  core.judge(req, what) -- what cases say that they saw is for the case of failure
end

local BLOCK = 4096

-- The first place at which two texts differ.
local function first_difference(one, other)
  local at = 1
  while at <= #one and one:sub(at, at + BLOCK - 1) == other:sub(at, at + BLOCK - 1) do
    at = at + BLOCK
  end
  while at <= #one and one:byte(at) == other:byte(at) do
    at = at + 1
  end
  return at
end

-- t:same_octets(req, what, observed, expected): like equal for octets, which may be many: the report has their number
-- and the first place where they differ.
function Test:same_octets(req, what, observed, expected)
  if type(observed) ~= "string" or observed == expected then
    self:check(req, what, observed == expected, #expected .. " octets", observed)
    return
  end
  local at = first_difference(expected, observed)
  local function show(octets)
    return string.format("%d octets, octet %d is %s", #octets, at - 1, octets:byte(at) or "none")
  end
  self:check(req, what, false, show(expected), show(observed))
end

-- t:members(req, whole, observed, expected [, show]): judges each member that `expected` has, in the order of their
-- names, so that a run reports the same one every time; `whole` is what they are members of. show(name, value) gives
-- what is compared; without it, the value.
function Test:members(req, whole, observed, expected, show)
  local names = {}
  for name in pairs(expected or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local seen, wanted = observed[name], expected[name]
    if show then seen, wanted = show(name, seen), show(name, wanted) end
    self:equal(req, name .. " of the " .. whole, seen, wanted)
  end
end

-- t:equal_or_warn(req, what, observed, expected, readings): like equal, but a value that `readings` has gives a warning
-- with the reading's name, and the case goes on. Returns `observed`.
function Test:equal_or_warn(req, what, observed, expected, readings)
  if not Values.same(observed, expected) and readings[observed] then
    core.warn(req, what .. ": " .. readings[observed], Values.show(expected), Values.show(observed))
    return observed
  end
  return self:equal(req, what, observed, expected)
end

-- t:should(req, what, observed, expected): like equal for what the document only recommends: another value gives a
-- warning, and the case goes on. Returns `observed`.
function Test:should(req, what, observed, expected)
  if Values.same(observed, expected) then return self:equal(req, what, observed, expected) end
  core.warn(req, what .. ", which is recommended", Values.show(expected), Values.show(observed))
  return observed
end

-- t:reading(req, switch, what, observed, { {name, value}, .. }): judges what a switch of specs/<profile>.switches.json
-- leaves open. The first row is the switch's default; the value of another row gives a warning that names the switch
-- and the reading; a value that no row has fails, and so does another reading than the conformance statement declares.
-- Returns the name of the reading that the system under test follows.
function Test:reading(req, switch, what, observed, readings)
  local declared = self:declared("readings", switch)
  for i, row in ipairs(readings) do
    if Values.same(observed, row[2]) then
      core.reading_found(switch, row[1])
      if declared and declared ~= row[1] then
        core.finish("fail", "sut", req, string.format("%s: the reading %s = %s, where %s is declared", what, switch,
          row[1], declared), declared, row[1])
      end
      local text = string.format("%s: the reading %s = %s", what, switch, row[1])
      if i == 1 then
        core.judge(req, text, Values.show(observed))
      else
        core.warn(req, text, Values.show(readings[1][2]), Values.show(observed))
      end
      return row[1]
    end
  end
  core.finish("fail", "sut", req, what, Values.show(readings[1][2]), Values.show(observed))
end

-- t:follows(switch): the reading of a switch that the system under test follows: what its conformance statement
-- declares, or what a case of this run has found; nil as long as that is unknown. A switch belongs to the run: a case
-- that meets one on its way to something else asks this first.
function Test:follows(switch)
  return self:declared("readings", switch) or core.reading_of(switch)
end

-- t:declared(section, name): what the system's conformance statement declares (specs/statement.md): a number of
-- "limits", a text of "readings"; nil when it declares nothing of that name, or there is no statement.
function Test:declared(section, name)
  return core.declared(section, name)
end

-- A call that should do well and does not keeps a case from whatever comes behind it.
local GOOD = { PTL_OK = true, MPI_SUCCESS = true }

-- t:rc(req, result, wanted): judges a call's return code. `wanted` is a name, or a list of names that are all allowed
-- (then the first is the one in the report). Returns the result.
function Test:rc(req, result, wanted)
  if type(wanted) == "table" then
    for _, name in ipairs(wanted) do
      if result.rc == name then
        core.judge(req, result.call .. " returns", result.rc)
        return result
      end
    end
    wanted = table.concat(wanted, " or ")
  end
  if result.rc ~= wanted then
    core.symptom("returns", result.verb or result.call, tostring(result.rc), GOOD[wanted])
  end
  self:equal(req, result.call .. " returns", result.rc, wanted)
  return result
end

-- t:step_taken(step, taken): a step that many cases rest on, such as an event that comes: whether it was taken. A run
-- in which it never is tells so once, and not in each of them. Returns `taken`.
function Test:step_taken(step, taken)
  if taken then
    core.worked(step)
  else
    core.symptom("missing", step, "", true)
  end
  return taken
end

-- t:sanity(what, condition): what must hold for the case to mean anything; where it does not, that is the doing of the
-- system under test.
function Test:sanity(what, condition)
  if not condition then
    core.finish("inconclusive", "sut", "", "what the case rests on does not hold: " .. what, "", "")
  end
  core.note("sanity: " .. what)
  core.sanity_held()
end

-- t:skip(reason): ends the case; the system under test lacks what it needs.
function Test:skip(reason)
  core.finish("skip", "sut", "", reason, "", "")
end

-- t:skip_if(condition, reason): the same where the condition holds.
function Test:skip_if(condition, reason)
  if condition then self:skip(reason) end
end

-- t:inconclusive(axis, reason): ends the case; axis is "sut", "configuration", "network" or "tester".
function Test:inconclusive(axis, reason)
  local step = axis == "sut" and reason:match("^set%-up: ([^:]+)")
  if step then core.symptom("missing", step, "", true) end
  core.finish("inconclusive", axis, "", reason, "", "")
end

-- t:setup(result [, wanted]): a call that only prepares the case must return PTL_OK, else the case is inconclusive:
-- the case that judges this very call will say what is wrong. Returns the result.
function Test:setup(result, wanted)
  wanted = wanted or "PTL_OK"
  if result.rc ~= wanted then
    core.symptom("returns", result.verb or result.call, tostring(result.rc), true)
    core.finish("inconclusive", "sut", "", "set-up: " .. result.call .. " returned " .. tostring(result.rc),
      wanted, tostring(result.rc))
  end
  return result
end

-- t:step(text): what comes now. t:judging(req): by which requirement a crash or hang from here on is judged.
function Test:step(text)
  core.step(text)
end

function Test:judging(req)
  core.judging(req)
end

-- t:tolerate_crash(reading): from here on a crash (a fatal signal, not a hang) ends the case with a warning that names
-- the reading. For what the document leaves to the system. t:tolerate_crash("") takes it back.
function Test:tolerate_crash(reading)
  core.tolerate_crash(reading)
end

-- t:now(): milliseconds of a clock that never goes back (a float).
function Test:now()
  return core.now()
end

-- t.random(n): 1..n from the run's seed. t.mix(seed, count [, first]): octets of the pattern mix/seed.
-- t.hex(n): "0x..." of an integer's 64 bits.
Test.random = core.random
Test.mix = core.mix

function Test.hex(n)
  return string.format("0x%x", n)
end

-- t.nid(id), t.gid(id): the same process in one of its two addressings.
function Test.nid(id)
  return { kind = "nid", nid = id.nid, pid = id.pid }
end

function Test.gid(id)
  return { kind = "gid", gid = id.gid, rid = id.rid }
end

-- t.any_nid, t.any_gid: every process.
Test.any_nid = { kind = "nid", nid = "any", pid = "any" }
Test.any_gid = { kind = "gid", gid = "any", rid = "any" }
