-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a system may refuse because it has no more of it. The document leaves sizes and numbers to the implementation
-- (3.5.1, 3.6.2, 3.7.2, 3.8.3): where set-up asks for more than the system has, the case cannot be tried on it and is
-- skipped. A refusal is believed where more was asked for than the system's conformance statement declares
-- (specs/statement.md), and without a declaration where it was more than every system of use has.

-- Rank.queue_places(count): how many events a queue for so many is asked to hold; later revisions change it.
function Rank.queue_places(count) return count end

-- Interfaces that there are, or that can be open at once.
local INTERFACES = { "interfaces", 1, function(_, given)
  local number = given.interface or "default"
  return number == "default" and 1 or math.tointeger(number) and number + 1 or 2
end }

local function entries(rank) return rank.made.PtlMEInsert + 2 end

-- By function and code: the limit's name in the statement, what every system has of it, and how much a call asks for;
-- then another limit of which the code may tell.
local LIMITS = {
  PtlNIInit = {
    PTL_INV_PSIZE = { "portal_table_entries", 8, function(_, given) return given.ptl_size or 8 end },
    PTL_INV_ASIZE = { "access_table_entries", 4, function(_, given) return given.acl_size or 4 end },
    PTL_INIT_INV = INTERFACES, PTL_NOSPACE = INTERFACES,
  },
  PtlEQAlloc = {
    PTL_NOSPACE = { "queue_events", 64, function(_, given) return Rank.queue_places(given.count or 16) end,
      { "event_queues", 4, function(rank) return rank.made.PtlEQAlloc + 1 end } },
  },
  PtlMEInsert = {
    PTL_NOSPACE = { "match_entries", 32, entries, { "match_list_entries", 8, entries } },
    PTL_ML_TOOLONG = { "match_list_entries", 8, entries },
  },
  PtlMDAttach = {}, PtlMDInsert = {}, PtlMDBind = {}, PtlNIFini = {},
}
local function region_octets(rank, given) return (rank.descs or {})[given.mem_desc or "desc"] or 0 end

for verb in pairs { PtlMDAttach = 1, PtlMDInsert = 1, PtlMDBind = 1 } do
  LIMITS[verb].PTL_ILL_MD = { "region_octets", 1 << 20, region_octets }
  LIMITS[verb].PTL_NOSPACE = { "region_octets", 1 << 20, region_octets, { "descriptors", 32, function(rank)
    return rank.made.PtlMDAttach + rank.made.PtlMDInsert + rank.made.PtlMDBind + 1
  end } }
end

-- Why a refusal is believed, or nil.
local function beyond(limit, rank, given)
  local declared = Test:declared("limits", limit[1])
  local asked = limit[3](rank, given)
  if asked > (declared or limit[2]) then
    return string.format("%s: %d asked for, %s", limit[1], asked, declared and declared .. " declared" or
      "and no statement declares it")
  end
  return limit[4] and beyond(limit[4], rank, given)
end

-- Later revisions grant an interface and say how much of what was asked for it has: why a table is smaller than it was
-- asked for, and than every system's is, or nil.
local function granted_less(given, result)
  local limits = LIMITS.PtlNIInit
  for size, limit in pairs { ptl_size = limits.PTL_INV_PSIZE, acl_size = limits.PTL_INV_ASIZE } do
    local asked, granted = given[size], result.actual and result.actual[size]
    if math.type(asked) == "integer" and math.type(granted) == "integer" and granted < asked and asked > limit[2] then
      return string.format("the system's limit of %s: %d asked for, %d granted", limit[1], asked, granted)
    end
  end
end

-- Whether an interface that has a number is open only since it is the default one, which may be one of the others
-- (3.2.5). Not all can be it: another number tells that from a system which takes every interface for open.
local function is_the_default(rank, given)
  return rank:PtlNIInit { interface = given.interface + 1, handle = "other" }.rc ~= "PTL_INIT_DUP"
end

-- Which interfaces a rank has closed and not opened again, from the calls that did well.
local function note_interface(verb, rank, given, result)
  local opened, closed = rank.opened or {}, rank.closed or {}
  rank.opened, rank.closed = opened, closed
  if verb == "PtlNIInit" then
    local number = given.interface or "default"
    opened[given.handle or "ni"], closed[number] = number, nil
    rank.grants = rank.grants or {}
    rank.grants[given.handle or "ni"] = result.actual
  elseif verb == "PtlNIFini" then
    closed[opened[given.interface or "ni"] or ""] = true
  end
end

-- Notes what a call made, or that it is beyond a limit, in its result.
local function note(verb, rank, given, result)
  rank.made = rank.made or setmetatable({}, { __index = function() return 0 end })
  local limit = LIMITS[verb][result.rc]
  if result.rc == "PTL_OK" then
    rank.made[verb] = rank.made[verb] + 1
    note_interface(verb, rank, given or {}, result)
    result.beyond = verb == "PtlNIInit" and granted_less(given or {}, result) or nil
  elseif limit then
    local why = beyond(limit, rank, given or {})
    result.beyond = why and string.format("the system's limit of %s; %s returned %s", why, result.call, result.rc)
  elseif result.rc == "PTL_INIT_DUP" and (rank.closed or {})[(given or {}).interface or "default"] then
    result.beyond = "a process opens an interface once only: " .. result.call .. " returned PTL_INIT_DUP"
  elseif result.rc == "PTL_INIT_DUP" and math.type((given or {}).interface) == "integer" then
    result.is_the_default = function() return is_the_default(rank, given) end
  end
  return result
end

for verb in pairs(LIMITS) do
  local start = Rank["start_" .. verb]
  Rank["start_" .. verb] = function(rank, given)
    local pending = start(rank, given)
    local finish = pending.finish
    function pending.finish(self) return note(verb, rank, given, finish(self)) end
    return pending
  end
end

-- How large the region of each structure is, for what asks for a descriptor of it.
local make_md = Rank.md
Rank.md = function(self, given)
  local name = make_md(self, given)
  self.descs = self.descs or {}
  local length = given.length or self.regions[given.region or "buf"] or 0
  self.descs[name] = math.tointeger(length) and math.tointeger(length) >= 0 and math.tointeger(length) or nil
  return name
end

local setup = Test.setup
Test.setup = function(self, result, wanted)
  if result.beyond then self:skip(result.beyond) end
  if result.is_the_default and wanted ~= "PTL_INIT_DUP" and result.is_the_default() then
    self:skip("the interface of that number is the default one, which is open already")
  end
  return setup(self, result, wanted)
end

-- t:opens_again(req, rank [, given]): PtlNIInit of an interface that the rank has closed. Whether it is open: to
-- initialise it more than once in a process may be an error whatever lies between (3.5.1).
function Test.opens_again(t, req, rank, given)
  local result = rank:PtlNIInit(given)
  return t:reading(req, "interface_opened_again", "PtlNIInit of an interface that was closed returns", result.rc,
    { { "open", "PTL_OK" }, { "refuse", "PTL_INIT_DUP" } }) == "open"
end

-- rank:open_again{..}: PtlNIInit of an interface that is open. A code of its own (P33-078) becomes PTL_OK; the result
-- has it in `code`.
function Rank:open_again(given)
  local result = self:PtlNIInit(given)
  result.code = result.rc
  if result.rc == "PTL_IFACE_DUP" then result.rc = "PTL_OK" end
  return result
end

-- rank:granted(limit, asked [, ni]): how much of a limit an interface has: what a later revision said when it was
-- opened, or just what was asked for.
function Rank:granted(limit, asked, ni)
  local told = self.grants and self.grants[ni or "ni"]
  return told and told[limit] or asked
end

-- rank:eq_up_to(name, counts): a queue for as many events as the first of these numbers, the largest standing first,
-- that the system has. Returns that number.
function Rank:eq_up_to(name, counts)
  for i, count in ipairs(counts) do
    local result = self:PtlEQAlloc { handle = name, count = count }
    if i == #counts or not result.beyond then return Test:setup(result) and count end
  end
end

-- t:within_limits(result, verb, wanted): skips the case where a batch of so many rounds was ended by `verb` for a limit
-- of the system, having made as many as every system has of it.
function Test:within_limits(result, verb, wanted)
  local limit = result.runs < wanted and LIMITS[verb][result.rc]
  while limit do
    local most = self:declared("limits", limit[1]) or limit[2]
    self:skip_if(result.runs >= most - 2, string.format("the system's limit of %s: %d asked for, %d made",
      limit[1], wanted, result.runs))
    limit = limit[4]
  end
end
