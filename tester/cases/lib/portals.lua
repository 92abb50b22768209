-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Portals 3.0 as cases speak it. Two kinds of wrapper:
--
--   rank:PtlMDAttach{...}   the call itself: parameters by the document's names, defaults for those that are
--                           left out; the result has `rc` and is for the case to judge: t:rc("P30-...", result, ..)
--   rank:attach{...}        set-up, in small letters: must return PTL_OK, else the case is inconclusive
--
-- Default names: interface handle "ni", match entry "me", memory descriptor structure "desc", memory descriptor
-- handle "md", event queue "eq", region "buf". All names live in one space for each process.

-- How long a wait lasts when nobody says, and what a command's deadline is longer than the wait in it.
local WAIT_MS, SLACK_MS = 5000, 10000
local UNLINK_ASKS, UNLINK_PAUSE_MS = 100, 20 -- how often, and how far apart, a late unlinking is looked for

-- One row a function: its parameters in the document's order, each with its default (or nil: must be given).
local FUNCTIONS = {
  PtlInit = {},
  PtlFini = {},
  PtlGetId = { { "id", "out" }, { "gsize", "out" } },
  PtlTransId = { { "id" } },
  PtlNIInit = { { "interface", "default" }, { "ptl_size", 8 }, { "acl_size", 4 }, { "handle", "ni" } },
  PtlNIFini = { { "interface", "ni" } },
  PtlNIBarrier = { { "interface", "ni" } },
  PtlNIStatus = { { "interface", "ni" }, { "register", "PTL_SR_DROP_COUNT" }, { "status", "out" } },
  PtlNIDist = { { "interface", "ni" }, { "process" }, { "distance", "out" } },
  PtlNIHandle = { { "handle" }, { "interface", "ni-of" } },
  PtlMEAttach = { { "interface", "ni" }, { "index", 0 }, { "matchid", Test.any_gid }, { "match_bits", 0 },
    { "ignorebits", 0 }, { "unlink", "PTL_RETAIN" }, { "handle", "me" } },
  PtlMEInsert = { { "matchid", Test.any_gid }, { "match_bits", 0 }, { "ignorebits", 0 }, { "unlink", "PTL_RETAIN" },
    { "position", "PTL_INS_AFTER" }, { "current", "me" }, { "handle", "me2" } },
  PtlMEUnlink = { { "entry", "me" } },
  PtlMDAttach = { { "match", "me" }, { "mem_desc", "desc" }, { "unlink", "PTL_RETAIN" }, { "handle", "md" } },
  PtlMDInsert = { { "mem_desc", "desc" }, { "unlink", "PTL_RETAIN" }, { "position", "PTL_INS_AFTER" },
    { "current", "md" }, { "handle", "md2" } },
  PtlMDBind = { { "interface", "ni" }, { "mem_desc", "desc" }, { "handle", "md" } },
  PtlMDUnlink = { { "mem_desc", "md" } },
  PtlMDUpdate = { { "mem_desc", "md" }, { "old", "null" }, { "new", "null" }, { "testq", "none" } },
  PtlEQAlloc = { { "interface", "ni" }, { "count", 16 }, { "handle", "eq" } },
  PtlEQFree = { { "eventq", "eq" } },
  PtlEQCount = { { "eventq", "eq" }, { "count", "out" } },
  PtlEQGet = { { "eventq", "eq" }, { "event", "out" } },
  PtlEQWait = { { "eventq", "eq" }, { "event", "out" } },
  PtlACEntry = { { "interface", "ni" }, { "index", 2 }, { "matchid", Test.any_gid }, { "portal", "any" } },
  PtlPut = { { "mem_desc", "md" }, { "ack_req", "PTL_NOACK_REQ" }, { "target" }, { "portal", 0 }, { "cookie", 0 },
    { "match_bits", 0 }, { "offset", 0 } },
  PtlGet = { { "mem_desc", "md" }, { "target" }, { "portal", 0 }, { "cookie", 0 }, { "match_bits", 0 },
    { "offset", 0 } },
  -- what later revisions have in addition; pairs that may be left out are given by name
  PtlGetUid = { { "interface", "ni" }, { "uid", "out" } },
  PtlGetJid = { { "interface", "ni" }, { "jid", "out" } },
  PtlNIFailStr = { { "interface", "ni" }, { "fail_type", "PTL_NI_OK" } },
  PtlHandleIsEqual = { { "a" }, { "b" } },
  PtlMEAttachAny = { { "interface", "ni" }, { "index", "out" }, { "matchid", Test.any_nid }, { "match_bits", 0 },
    { "ignorebits", 0 }, { "unlink", "PTL_RETAIN" }, { "handle", "me" } },
  PtlEQPoll = { { "queues", "eq" }, { "timeout", 0 }, { "event", "out" }, { "which", "out" } },
  PtlPutRegion = { { "mem_desc", "md" }, { "local", 0 }, { "length" }, { "ack_req", "PTL_NOACK_REQ" }, { "target" },
    { "portal", 0 }, { "cookie", 0 }, { "match_bits", 0 }, { "offset", 0 } },
  PtlGetRegion = { { "mem_desc", "md" }, { "local", 0 }, { "length" }, { "target" }, { "portal", 0 }, { "cookie", 0 },
    { "match_bits", 0 }, { "offset", 0 } },
  PtlGetPut = { { "mem_desc", "md" }, { "put_desc" }, { "target" }, { "portal", 0 }, { "cookie", 0 },
    { "match_bits", 0 }, { "offset", 0 } },
}

Rank.CALLS.wait, Rank.CALLS.collect, Rank.CALLS.quiet = "PtlEQGet", "PtlEQGet", "PtlEQGet"
Rank.CALLS.status = "PtlNIStatus"

local function target_of(value)
  return getmetatable(value) == Rank and Test.gid(value.id) or value
end

local function with_defaults(verb, rows, given)
  local values = {}
  for key, value in pairs(given) do values[key] = target_of(value) end
  for _, row in ipairs(rows) do
    if values[row[1]] == nil then values[row[1]] = row[2] end
    if values[row[1]] == nil then error(verb .. " needs " .. row[1], 0) end
  end
  return values
end

-- rank:PtlXxx{pairs.., deadline=ms, thread=name} -> result; rank:start_PtlXxx{..} -> pending. A rank given where a
-- process id is wanted stands for its gid/rid addressing.
for verb, rows in pairs(FUNCTIONS) do
  local order = {}
  for i, row in ipairs(rows) do order[i] = row[1] end
  Rank.PARAMETERS[verb] = order
  Rank["start_" .. verb] = function(rank, given)
    local values = with_defaults(verb, rows, given or {})
    local options = { deadline = values.deadline, thread = values.thread }
    values.deadline, values.thread = nil, nil
    return rank:start(verb, values, options)
  end
  Rank[verb] = function(rank, given) return rank["start_" .. verb](rank, given):finish() end
end

-- The document prints several names for one code, and a library may have a code for each of them (A05, A06): what a
-- function returns by another name that is printed for it is shown by the name that cases use.
local SPELLINGS = {
  PtlNIStatus = { PTL_INV_SR_INDEX = "PTL_INV_SR_INDX", PTL_INV_REG = "PTL_INV_SR_INDX" },
  PtlACEntry = { PTL_PT_INV_INDEX = "PTL_INV_PTINDEX" },
}
for verb, names in pairs(SPELLINGS) do
  local call = Rank[verb]
  Rank[verb] = function(rank, given)
    local result = call(rank, given)
    result.rc = names[result.rc] or result.rc
    return result
  end
end

-- Set-up wrappers of single functions: parameters as above, must return PTL_OK; the result is returned.
local SETUP = {
  ni_init = "PtlNIInit", ni_fini = "PtlNIFini", barrier = "PtlNIBarrier",
  me_attach = "PtlMEAttach", me_insert = "PtlMEInsert",
  me_unlink = "PtlMEUnlink", md_attach = "PtlMDAttach", md_insert = "PtlMDInsert", md_bind = "PtlMDBind",
  md_unlink = "PtlMDUnlink", md_update = "PtlMDUpdate", eq_alloc = "PtlEQAlloc", eq_free = "PtlEQFree",
  ac_entry = "PtlACEntry", put = "PtlPut", get = "PtlGet",
}
for name, verb in pairs(SETUP) do
  Rank[name] = function(rank, given) return Test:setup(rank[verb](rank, given)) end
end

-- The entries that set-up has made, by their portal. A library that follows the later reading of the switch
-- attach_to_occupied_index makes no second list at a portal; set-up then ends the first one by itself and asks again.
-- No code of table 4 tells of that, so it may say that there is no space.
local REFUSES = { PTL_INUSE = true, PTL_NOSPACE = true }

local function entries_at(rank, portal)
  rank.entries = rank.entries or {}
  rank.entries[portal] = rank.entries[portal] or {}
  return rank.entries[portal]
end

function Rank:me_attach(given)
  given = given or {}
  local portal = (given.interface or "ni") .. " " .. (given.index or 0)
  local result = self:PtlMEAttach(given)
  local entries = entries_at(self, portal)
  if REFUSES[result.rc] and #entries > 0 then
    for _, entry in ipairs(entries) do self:PtlMEUnlink { entry = entry } end
    result = self:PtlMEAttach(given)
  end
  self.entries = self.entries or {}
  self.entries[portal] = { given.handle or "me" }
  return Test:setup(result)
end

function Rank:me_insert(given)
  given = given or {}
  for _, entries in pairs(self.entries or {}) do
    for _, entry in ipairs(entries) do
      if entry == (given.current or "me") then
        entries[#entries + 1] = given.handle or "me2"
        break
      end
    end
  end
  return Test:setup(self:PtlMEInsert(given))
end

---- the job -----------------------------------------------------------------------------------------------------------

-- t:init(): PtlInit in all ranks at once, then PtlGetId; t.ranks is put into the order of rids, rank.id and t.size
-- are set. Returns the ranks in this order.
function Test:init()
  local pending = {}
  for i = 0, self.count - 1 do pending[i] = self.ranks[i]:start_PtlInit() end
  for i = 0, self.count - 1 do self:setup(pending[i]:finish()) end
  local order = {}
  for i = 0, self.count - 1 do
    local rank = self.ranks[i]
    local result = self:setup(rank:PtlGetId())
    rank.id, self.size = result.id, result.gsize
    if not Values.is_id(rank.id) or math.type(rank.id.rid) ~= "integer" then
      self:inconclusive("sut", "set-up: PtlGetId gave no rank id: " .. Values.show(rank.id))
    end
    order[#order + 1] = rank
  end
  table.sort(order, function(a, b)
    return a.id.rid < b.id.rid or (a.id.rid == b.id.rid and a.index < b.index)
  end)
  for i, rank in ipairs(order) do
    self.ranks[i - 1] = rank
    rank.label = "rank " .. (i - 1)
    core.label(rank.index, rank.label, rank.id.nid, rank.id.pid)
  end
  self.initialised = true
  return table.unpack(self.ranks, 0, self.count - 1)
end

-- t:open{ptl_size=, acl_size=, interface=, handle=}: t:init() if need be, then PtlNIInit in every rank; the handle
-- is "ni". Returns the ranks.
function Test:open(given)
  if not self.initialised then self:init() end
  local pending = {}
  for i = 0, self.count - 1 do pending[i] = self.ranks[i]:start_PtlNIInit(given) end
  for i = 0, self.count - 1 do self:setup(pending[i]:finish()) end
  return table.unpack(self.ranks, 0, self.count - 1)
end

-- t:barrier(): PtlNIBarrier in all ranks at once (set-up: must return PTL_OK).
function Test:barrier(given)
  local pending = {}
  for i = 0, self.count - 1 do pending[i] = self.ranks[i]:start_PtlNIBarrier(given) end
  for i = 0, self.count - 1 do self:setup(pending[i]:finish()) end
end

---- descriptors -------------------------------------------------------------------------------------------------------

-- rank:md{name="desc", region="buf", start=, length=, threshold="inf", options="0", user_ptr=0, eventq="none"}:
-- makes the structure. `region` gives start and length unless these are given. Returns the structure's name.
function Rank:md(given)
  local region = given.region or "buf"
  local known = self.regions[region]
  local start = given.start or (known and region) or "null"
  local name = given.name or "desc"
  self:call("md", { name = name, start = start, length = given.length or known or 0,
    threshold = given.threshold or "inf",
    options = given.options or 0, user_ptr = given.user_ptr or 0, eventq = given.eventq or "none",
    max_offset = given.max_offset, max_size = given.max_size })
  return name
end
Rank.PARAMETERS.md = { "name", "start", "length", "threshold", "options", "user_ptr", "eventq" }

local MD_FIELDS = { "region", "start", "length", "threshold", "options", "user_ptr", "eventq", "max_offset",
  "max_size" }

local function make_desc(rank, given)
  local values = { name = given.desc or "desc" }
  for _, field in ipairs(MD_FIELDS) do values[field] = given[field] end
  return rank:md(values)
end

-- Makes the region of a descriptor when `octets` says how large it is to be.
local function provide_region(rank, given)
  if given.octets then
    rank:region(given.region or "buf", given.octets, { fill = given.fill, guard = given.guard })
  end
end

local function attach_md(rank, given)
  given.options = given.options or "PTL_MD_OP_PUT"
  local desc = make_desc(rank, given)
  rank:md_attach { match = given.me, mem_desc = desc, unlink = given.md_unlink, nofit = given.nofit,
    handle = given.md }
end

-- rank:attach{index=0, matchid=, match_bits=0, ignorebits=0, unlink="PTL_RETAIN", me="me", md="md",
-- md_unlink="PTL_RETAIN", and the fields of rank:md}: a match entry with one memory descriptor, ready to receive.
-- options: PTL_MD_OP_PUT unless given. With `octets` the region is made first, and with `fill` and `guard` as for
-- rank:region; likewise in the two functions below.
function Rank:attach(given)
  given = given or {}
  provide_region(self, given)
  self:me_attach { interface = given.interface, index = given.index, matchid = given.matchid,
    match_bits = given.match_bits, ignorebits = given.ignorebits, unlink = given.unlink, position = given.position,
    handle = given.me }
  attach_md(self, given)
end

-- rank:add_md{me="me", md="md", md_unlink=, and the fields of rank:md}: a memory descriptor at the end of an
-- entry's list.
function Rank:add_md(given)
  provide_region(self, given)
  attach_md(self, given)
end

-- rank:bind{md="md", and the fields of rank:md}: a memory descriptor outside every list, to put from or get into.
function Rank:bind(given)
  given = given or {}
  provide_region(self, given)
  local desc = make_desc(self, given)
  self.mute = self.mute or {}
  self.mute[given.md or "md"] = (given.eventq or "none") == "none"
  self:md_bind { interface = given.interface, mem_desc = desc, unlink = given.md_unlink, handle = given.md }
end

---- events and registers ----------------------------------------------------------------------------------------------


-- rank:eq([name [, count]]): an event queue; returns its name.
function Rank:eq(name, count)
  name = name or "eq"
  self:eq_alloc { handle = name, count = count or 16 }
  return name
end

-- A library that follows the reading "yes" of the switch sent_for_get logs PTL_EVENT_SENT for a get as well. One case
-- judges that; for the others such an event is no event. It is known by a portal and bits with which the process has
-- called PtlGet, and by there being no put of its own with these that has not been told as sent. Where a batch puts,
-- nobody keeps count, and nothing is passed over.
local function key_of(values)
  return (values.portal or 0) .. " " .. (values.match_bits or 0)
end

for verb, list in pairs { PtlPut = "puts", PtlGet = "gets" } do
  local start = Rank["start_" .. verb]
  Rank["start_" .. verb] = function(rank, given)
    local counts, key = rank[list] or {}, key_of(given)
    if not (rank.mute or {})[given.mem_desc] then
      rank[list], counts[key] = counts, (counts[key] or 0) + 1
    end
    return start(rank, given)
  end
end

-- Rank.passes_over(event): whether this event is none to cases of an earlier revision (portals/revision.lua).
function Rank.passes_over()
  return false
end

local function is_sent_of_get(rank, event)
  if Rank.passes_over(event) then return true end
  if not event or event.type ~= "PTL_EVENT_SENT" or rank.batched then return false end
  local key = key_of(event)
  for _, counts in ipairs { rank.puts or {}, rank.gets or {} } do
    if (counts[key] or 0) > 0 then
      counts[key] = counts[key] - 1
      return counts == rank.gets
    end
  end
  return false
end

-- Calls `ask` until its result has no event of this kind.
local function but_sent_of_gets(rank, ask)
  local result
  repeat
    result = ask()
  until not is_sent_of_get(rank, result.event)
  return result
end

-- Where no event has ever come in a run, and several cases have waited for one, the others do not wait so long; nor for
-- a drop count to rise.
local EVENT, DROP, VAIN_MS = "an event comes", "a drop is counted", 1000

local function note_wait(step, ms, taken)
  if taken then
    core.worked(step)
  elseif ms >= VAIN_MS then
    core.missed(step)
  end
end

-- rank:wait_any([eq [, ms]]): PtlEQGet until there is an event; result: rc and event (rc is PTL_EQ_EMPTY when none
-- came). rank:wait([eq [, ms]]): the same, and PTL_EVENT_SENT of a get is passed over.
function Rank:wait_any(eq, ms)
  ms = core.patience(EVENT, ms or WAIT_MS)
  local result = Rank.patiently(ms, function(wait)
    return self:call("wait", { eventq = eq or "eq", ms = wait }, { deadline = wait + SLACK_MS })
  end, function(found) return found.rc ~= "PTL_EQ_EMPTY" end)
  note_wait(EVENT, ms, result.event)
  return result
end

function Rank:wait(eq, ms)
  return but_sent_of_gets(self, function() return self:wait_any(eq, ms) end)
end

-- rank:wait_done(eq [, ms]): the same, and what later revisions log before the end of an operation is passed over.
function Rank:wait_done(eq, ms)
  local result
  repeat
    result = self:wait(eq, ms)
  until not (result.event and tostring(result.event.type):find("_START$"))
  return result
end

-- rank:collect(eq, count [, ms]): up to `count` events as a list (each with rc, type, ...), and the last return code.
function Rank:collect(eq, count, ms)
  ms = core.patience(EVENT, ms or WAIT_MS)
  local list = {}
  if count == 0 then return list end
  local last = Rank.patiently(ms, function(wait)
    local result
    repeat
      local wanted = count - #list
      result = self:call("collect", { eventq = eq, count = wanted, ms = wait }, { deadline = wait + SLACK_MS })
      for i = 1, result.events do
        local event = result["e" .. (i - 1)]
        if not is_sent_of_get(self, event) then list[#list + 1] = event end
      end
    until #list == count or result.events < wanted
    return result
  end, function(found) return #list == count or found.rc ~= "PTL_EQ_EMPTY" end)
  note_wait(EVENT, ms, #list > 0)
  return list, last.rc
end

-- rank:count_events([eq]): takes out all events that are in the queue now and says how many there were.
function Rank:count_events(eq)
  local count = 0
  while self:wait(eq, 0).event do
    count = count + 1
  end
  return count
end

-- rank:quiet([eq [, ms]]): result with rc PTL_EQ_EMPTY when nothing came for so long, else the event that did.
function Rank:quiet(eq, ms)
  ms = ms or 200
  return but_sent_of_gets(self, function()
    return self:call("quiet", { eventq = eq or "eq", ms = ms }, { deadline = ms + SLACK_MS })
  end)
end

-- t:event(req, rank, eq, {type=.., mlength=.., ..} [, ms]): waits for an event and judges that it comes and has
-- these fields. Returns the event.
function Test:event(req, rank, eq, fields, ms)
  local wanted = fields.type or "an event"
  local step = "no " .. wanted .. " comes"
  ms = core.patience(step, ms or WAIT_MS)
  local result = rank:wait(eq, ms)
  note_wait(step, ms, result.event)
  self:step_taken(step, result.event ~= nil)
  self:check(req, string.format("%s: %s comes to %s", rank.label, wanted, eq), result.event ~= nil, wanted, result.rc)
  local names = {}
  for name in pairs(fields) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    self:equal(req, string.format("%s: %s of the event", rank.label, name), result.event[name], fields[name])
  end
  return result.event
end

-- t:no_event(req, rank, eq [, ms]): judges that no event comes in that time.
function Test:no_event(req, rank, eq, ms)
  local result = rank:quiet(eq, ms)
  self:check(req, rank.label .. ": no event comes to " .. eq, result.rc == "PTL_EQ_EMPTY", "no event",
    result.event and result.event or result.rc)
end

-- rank:drop_count([ni]): the drop count now (set-up: PtlNIStatus must return PTL_OK).
function Rank:drop_count(ni)
  return Test:setup(self:PtlNIStatus { interface = ni }).status
end

-- rank:wait_drop_count(value [, ms [, ni]]): waits until the drop count is at least `value`; returns the count that was
-- reached.
function Rank:wait_drop_count(value, ms, ni)
  ms = core.patience(DROP, ms or WAIT_MS)
  local status = Rank.patiently(ms, function(wait)
    local values = { interface = ni or "ni", register = "PTL_SR_DROP_COUNT", value = value, ms = wait }
    return Test:setup(self:call("status", values, { deadline = wait + SLACK_MS })).status
  end, function(found) return found >= value end)
  if value > 0 then note_wait(DROP, ms, status >= value) end
  return status
end

-- t:drops(req, rank, before, count [, ms [, ni]]): judges that the drop count rises from `before` by exactly `count`.
-- Where it rises by less, either a message was not counted or it never came: in a run that loses messages nothing is
-- said of it.
function Test:drops(req, rank, before, count, ms, ni)
  local found = rank:wait_drop_count(before + count, ms, ni)
  if count > 0 then self:step_taken("the drop count does not rise", found > before) end
  if found > before then
    self:step_taken("the drop count rises by less than was to be dropped", found - before >= count)
  end
  self:equal(req, rank.label .. ": the drop count rises by", found - before, count)
end

-- t:unlinked(req, rank, what, ask, dead): judges that what an operation has just exhausted is unlinked: the code that
-- ask() returns, which leaves a living object as it is, is `dead`. Under the reading "after" of the switch
-- unlink_before_event that may come a moment later than the event can be seen: then ask() is called until it does.
-- Where one of `others`, made by t:flush since then, has the value of `handle`, the object has gone.
function Test:unlinked(req, rank, what, ask, dead, handle, others)
  local observed = ask()
  if observed ~= dead and self:alike(req, rank, handle, others) then return end
  if observed ~= dead then
    for _ = 1, UNLINK_ASKS do
      rank:pause(UNLINK_PAUSE_MS)
      if ask() == dead then
        observed = dead .. ", but not at once"
        break
      end
    end
  end
  self:reading(req, "unlink_before_event", what, observed,
    { { "before", dead }, { "after", dead .. ", but not at once" } })
end

-- t:md_unlinked(req, rank [, md]), t:me_unlinked(req, rank [, me]): the same of a descriptor, and of an entry.
function Test:md_unlinked(req, rank, md)
  self:unlinked(req, rank, "PtlMDUpdate of the exhausted descriptor returns", function()
    return rank:PtlMDUpdate { mem_desc = md, old = "was" }.rc
  end, "PTL_INV_MD", md or "md", rank:settling_handles("md"))
end

function Test:me_unlinked(req, rank, me)
  self:unlinked(req, rank, "PtlMEInsert behind the emptied entry returns", function()
    local result = rank:PtlMEInsert { current = me, match_bits = -1, handle = "unlinked-probe" }
    if result.rc == "PTL_OK" then rank:me_unlink { entry = "unlinked-probe" } end
    return result.rc
  end, "PTL_INV_ME", me or "me", rank:settling_handles("me"))
end

---- the rest of the interpreter ---------------------------------------------------------------------------------------

-- rank:compute(ms): works without calling the library; rank:start_compute(ms): the same, pending.
function Rank:start_compute(ms)
  return self:start("compute", { ms = ms }, { deadline = ms + SLACK_MS })
end

function Rank:compute(ms)
  return self:start_compute(ms):finish()
end

-- rank:pause(ms): sleeps, calling nothing.
function Rank:pause(ms)
  return self:call("pause", { ms = ms }, { deadline = ms + SLACK_MS })
end

-- rank:wait_octet(name, offset, value [, ms]): waits, without calling the library, until the octet has the value; true
-- or false.
function Rank:wait_octet(name, offset, value, ms)
  ms = ms or WAIT_MS
  return Rank.patiently(ms, function(wait)
    return self:call("memory", { name = name, offset = offset, value = value, ms = wait },
      { deadline = wait + SLACK_MS }).reached
  end, function(reached) return reached end)
end

-- t:octets_by_then(order, content, what, rank, name, pattern [, offset [, octets]]): judges that the memory holds the
-- pattern now. Where it comes to hold it a little later, what told of it was too early, and `order` is broken; where it
-- stays wrong, `content` is.
local LATER, LATER_MS = 20, 50
function Test:octets_by_then(order, content, what, rank, name, pattern, offset, octets)
  local rounds = 0
  while rounds <= LATER and not rank:compare(name, pattern, offset, octets).equal do
    rank:pause(LATER_MS)
    rounds = rounds + 1
  end
  if rounds <= LATER then
    self:check(order, what .. " when it is told of", rounds == 0, pattern,
      string.format("it is there %d ms later only", rounds * LATER_MS))
  end
  self:octets(content, what, rank, name, pattern, offset, octets)
end

-- rank:poison([desc]): overwrites the structure. rank:same(a, b): whether two handles have the same octets.
function Rank:poison(desc)
  return self:call("md-poison", { name = desc or "desc" })
end

function Rank:same(a, b)
  return self:call("same", { a = a, b = b }).same
end

-- rank:roundtrip(handle, to): the handle through ptl_handle_any_t and back; whether it is the same.
function Rank:roundtrip(handle, to)
  return self:call("any-roundtrip", { handle = handle, to = to }).same
end

-- rank:thread(name), rank:join(name): a thread of the process (the case needs features = {"threads"}).
function Rank:thread(name)
  return self:call("thread", { name = name })
end

function Rank:join(name)
  return self:call("join", { name = name })
end

-- rank:largest(type [, most]): the largest positive value of an integer type of the library, 0x7fffffff (or `most`) at
-- most: types may be as narrow as a vendor likes.
function Rank:largest(type, most)
  local fact = self:describe()[type]
  local octets = fact and fact.octets or 4 -- what interpreters of an earlier build do not tell
  return math.min(most or 0x7fffffff, octets < 8 and (1 << (8 * octets - 1)) - 1 or math.maxinteger)
end

-- rank:id_bit(bit): that bit for ids to differ by, or the highest positive one of ptl_id_t where it has no such bit.
function Rank:id_bit(bit)
  return math.min(bit, (self:largest("ptl_id_t") + 1) >> 1)
end

-- rank:ac_close(index, ..): sees to it that these entries of a fresh access control table admit nobody. They do so at
-- first, but for 3.3, where they may be open (P33-036): there each is set to a process that is not there, or where
-- the library refuses that, to another user.
function Rank:ac_close(...)
  if Revision.name ~= "portals-3.3" then return end
  local nobody = { kind = "nid", nid = self.id.nid, pid = self.id.pid ~ self:id_bit(0x40000000) }
  for _, index in ipairs { ... } do
    if not Test:named(self:PtlACEntry { index = index, matchid = nobody }) then
      self:ac_entry { index = index, uid = Test:setup(self:PtlGetUid()).uid ~ 1 }
    end
  end
end

-- rank:describe(): the facts of specs/interpreter.md, 4.6.
function Rank:describe()
  return self:call("describe", {})
end
