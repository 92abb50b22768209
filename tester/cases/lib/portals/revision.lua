-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Cases that were written for Portals 3.0 under a later revision: the table `Revision` says which one a run judges by
-- (`name`, `renames`) and for which one the case was written (`source`). Here is all in which their calls differ; a
-- case whose requirements have changed is not among them (specs/README.md, "A catalogue that is derived").
--
-- Return codes are those of 3.0 in the cases of all revisions, and those of the revision in commands, transcripts and
-- reports. The events of 3.0 are the ends of operations.

local FIRST <const> = "portals-3.0"
local EVENTS_OF_ONE <const> = 3 -- a start, an end, an unlinking: so many places a case's event takes in a queue
local TIGHT <const> = "the system's queues are too short for what the case logs, with starts and unlinking"

-- The names of 3.0 for those of this revision.
local OURS = {}
for first, later in pairs(Revision.renames) do OURS[later] = first end

-- Whether this run's revision is a later one, and whether the case was written for 3.0.
local later = Revision.name ~= FIRST and next(Revision.renames) ~= nil

local function inherited()
  return Revision.source == FIRST
end

---- what is said ------------------------------------------------------------------------------------------------------

local function native(text)
  if type(text) ~= "string" then return text end
  return (text:gsub("PTL_[%u%d_]+", Revision.renames))
end

local function speak_natively(name, first)
  local say = core[name]
  core[name] = say and function(...)
    local words = table.pack(...)
    for i = first, words.n do words[i] = native(words[i]) end
    return say(table.unpack(words, 1, words.n))
  end
end

---- calls -------------------------------------------------------------------------------------------------------------

-- A process id as the later revisions have it. Groups are gone, and with them the addressing by rank.
local function address(id)
  if id.kind == "nid" then return id end
  if id.kind == "gid" then return { kind = "nid", nid = "any", pid = "any" } end
  return { kind = "nid", nid = id.nid, pid = id.pid }
end

local CHANGED = {
  -- Only the case about it leaves out the place for the number of interfaces.
  PtlInit = function(values)
    values.max_interfaces = values.max_interfaces ~= "null" and (values.max_interfaces or "out") or nil
  end,
  PtlGetId = function(values)
    values.gsize = nil
    values.interface = values.interface or "ni"
  end,
  PtlEQAlloc = function(values, rank)
    if not rank.takes_less then values.count = Rank.queue_places(values.count) end
  end,
}

local function translated(rank, verb, values)
  local copy = {}
  for key, value in pairs(values or {}) do copy[key] = Values.is_id(value) and address(value) or value end
  if CHANGED[verb] then CHANGED[verb](copy, rank) end
  return copy
end

-- rank:told_by_starts(): from here on what arrives at the rank is told to a case of 3.0 by the start of the operation,
-- and its end is passed over: later revisions promise the order of starts only.
function Rank:told_by_starts()
  self.by_starts = true
end

local STARTS_AS = { PTL_EVENT_PUT_START = "PTL_EVENT_PUT_END", PTL_EVENT_GET_START = "PTL_EVENT_GET_END" }
local PASSED_THEN = { PTL_EVENT_PUT_END = true, PTL_EVENT_GET_END = true }

local function rename_events(result, by_starts)
  for _, value in pairs(result) do
    if type(value) == "table" then
      if by_starts and PASSED_THEN[value.type] then value.passed = true end
      value.type = by_starts and STARTS_AS[value.type] or value.type
      value.type = inherited() and OURS[value.type] or value.type
      value.rc = OURS[value.rc] or value.rc
    end
  end
end

-- Whether events were lost before one that was taken.
local function overflowed(result)
  if result.rc == "PTL_EQ_DROPPED" then return true end
  for _, value in pairs(result) do
    if type(value) == "table" and value.rc == "PTL_EQ_DROPPED" then return true end
  end
  return false
end

-- rank:opened(handle): asks who the process is, once it has an interface.
local function identify(test, handle)
  for i = 0, test.count - 1 do
    local rank = test.ranks[i]
    rank.id = Test:setup(rank:PtlGetId { interface = handle }).id
    if not Values.is_id(rank.id) then
      test:inconclusive("sut", "set-up: PtlGetId gave no id: " .. Values.show(rank.id))
    end
    rank.label = "rank " .. i
    core.label(rank.index, rank.label, rank.id.nid, rank.id.pid)
  end
  test.size = test.count
end

local function in_all(test, verb, given)
  local pending = {}
  for i = 0, test.count - 1 do pending[i] = test.ranks[i]["start_" .. verb](test.ranks[i], given) end
  for i = 0, test.count - 1 do test:setup(pending[i]:finish()) end
end

-- Calls take(rank, given) until what comes is an event of 3.0, or none.
local function passing_over(verb)
  local take = Rank[verb]
  Rank[verb] = function(rank, given)
    local result
    repeat
      result = take(rank, given)
    until not Rank.passes_over(result.event)
    return result
  end
end

-- A process id in a message, of which a case sees what the later revisions have; what the octets have beyond it is
-- there for the answer.
local function seen(id)
  return setmetatable(address(id), { __index = { gid = id.gid, rid = id.rid } })
end

if later then
  function Rank.queue_places(count)
    local several = inherited() and math.type(count) == "integer" and count > 0 and count < 1 << 20
    return several and EVENTS_OF_ONE * count or count
  end

  for _, name in ipairs { "judge", "warn", "finish" } do speak_natively(name, 2) end

  local start, start_batch, finish = Rank.start, Rank.start_batch, Pending.finish

  Rank.start = function(self, verb, values, options)
    local pending = start(self, verb, translated(self, verb, values), options)
    pending.tight = self.tight and self.tight[values and values.eventq]
    return pending
  end

  Rank.start_batch = function(self, repeats, commands, options)
    local changed = {}
    for i, command in ipairs(commands) do changed[i] = { command[1], translated(self, command[1], command[2]) } end
    return start_batch(self, repeats, changed, options)
  end

  Pending.finish = function(self)
    local known = self.result
    local result = finish(self)
    if not known then
      result.rc = OURS[result.rc] or result.rc
      rename_events(result, inherited() and self.rank.by_starts)
      if self.tight and overflowed(result) then Test:skip(TIGHT) end
    end
    return result
  end

  -- Where a system has no queue of so many places, one for as many events as the case expects is taken. Most need less;
  -- a case in which it overflows is skipped.
  local alloc = Rank.PtlEQAlloc
  function Rank:PtlEQAlloc(given)
    local queue, result = given and given.handle or "eq", alloc(self, given)
    self.tight = self.tight or {}
    self.tight[queue] = nil
    if result.beyond and inherited() then
      self.takes_less = true
      local smaller = alloc(self, given)
      self.takes_less = nil
      if smaller.rc == "PTL_OK" then result, self.tight[queue] = smaller, true end
    end
    return result
  end

  -- To cases of 3.0 the start of an operation, and the unlinking of a descriptor, is no event.
  Rank.passes_over = function(event)
    return inherited() and event ~= nil
      and (event.passed or event.type == "PTL_EVENT_UNLINK" or tostring(event.type):find("_START$") ~= nil)
  end
  passing_over("PtlEQGet")
  passing_over("PtlEQWait")

  -- There is no PtlEQCount: who wants to know takes the events out.
  function Rank:PtlEQCount(given)
    local count, result = 0, nil
    repeat
      result = self:wait(given and given.eventq, 0)
      if result.event then count = count + 1 end
    until not result.event
    return { rc = result.rc == "PTL_EQ_EMPTY" and "PTL_OK" or result.rc, call = result.call, count = count }
  end

  -- A list at a portal stays when another entry is attached: cases of 3.0 begin anew with it.
  local attach = Rank.me_attach
  function Rank:me_attach(given)
    given = given or {}
    local portal, entry = (given.interface or "ni") .. " " .. (given.index or 0), given.handle or "me"
    self.attached = self.attached or {}
    if inherited() then
      for other, place in pairs(self.attached) do
        if place == portal then
          self:PtlMEUnlink { entry = other }
          self.attached[other] = nil
        end
      end
    end
    self.attached[entry] = portal
    return attach(self, given)
  end

  local receive = Stream.receive
  Stream.receive = function(self, ms)
    local message, reason = receive(self, ms)
    if message then message.initiator, message.origin = seen(message.initiator), message.initiator end
    return message, reason
  end

  local answer_of = Stream.answer_of
  Stream.answer_of = function(self, request, overrides)
    local message = answer_of(self, request, overrides)
    if not (overrides and overrides.target) then message.target = request.origin or message.target end
    return message
  end

  Test.gid = Test.nid
  Test.any_gid = Test.any_nid

  -- Later revisions tell a process who it is on an interface.
  function Test:init()
    in_all(self, "PtlInit")
    in_all(self, "PtlNIInit", { handle = "first" })
    identify(self, "first")
    in_all(self, "PtlNIFini", { interface = "first" })
    self.initialised = true
    return table.unpack(self.ranks, 0, self.count - 1)
  end

  function Test:open(given)
    if self.initialised then
      in_all(self, "PtlNIInit", given)
    else
      in_all(self, "PtlInit")
      in_all(self, "PtlNIInit", given)
      identify(self, given and given.handle or "ni")
      self.initialised = true
    end
    return table.unpack(self.ranks, 0, self.count - 1)
  end

  -- There is no barrier any more. A manager that has the answers of all processes needs none.
  function Test:barrier()
    return self
  end

  function Rank:barrier()
    return self
  end
end
