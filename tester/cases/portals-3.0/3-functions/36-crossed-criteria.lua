-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6 and 4.2: a list in which entries of one family of criteria come and go, and requests of all kinds.
-- Before each request a model of the list says which entry must take it. So criteria meet each other, both kinds of
-- request, two senders, places in the list, and descriptors that are used up, in ways that nobody has thought of one by
-- one.

defaults { suite = "match-entries", chapter = "3.6", ranks = 2, deadline = 60, still = { "P32-110" } }

local BOTH = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local MASKS = { 0, 0xf0, 0xf00000000000000f, 0, 1 << 63, 0xffff }
local BITS = { 0, 0x100, 0x2500000000, 0x7f00 }
local ORDER = "P30-315"
local SHORTEST <const> = 8 -- as many entries as every system's lists have room for

-- Numbers that are the same in every run.
local function numbers(seed)
  local state = seed * 16807 + 1
  return function(count)
    state = state * 48271 % 0x7fffffff
    return state % count + 1
  end
end

-- The criteria for processes that a family has, for one of the senders and for nobody: an id that differs by a bit.
local FAMILIES = {
  any = { row = "P30-113", all = true, make = function() return { kind = "gid", gid = "any", rid = "any" } end },
  rank = { row = "P30-105", make = function(id, other, bit)
    return { kind = "gid", gid = id.gid, rid = other and id.rid ~ bit(0x10000) or id.rid }
  end },
  node = { row = "P30-105", make = function(id, other, bit)
    return { kind = "nid", nid = other and id.nid ~ bit(0x1000000) or id.nid, pid = id.pid }
  end },
  ["rank-of-any-group"] = { row = "P30-109", make = function(id, other, bit)
    return { kind = "gid", gid = "any", rid = other and id.rid ~ bit(0x10000) or id.rid }
  end },
  ["all-of-a-group"] = { row = "P30-108", make = function(id, other, bit)
    return { kind = "gid", gid = other and id.gid ~ bit(0x10000) or id.gid, rid = "any" }
  end },
  ["all-of-a-node"] = { row = "P30-110", make = function(id, other, bit)
    return { kind = "nid", nid = other and id.nid ~ bit(0x1000000) or id.nid, pid = "any" }
  end },
  ["process-of-any-node"] = { row = "P30-110", make = function(id, other, bit)
    return { kind = "nid", nid = "any", pid = other and id.pid ~ bit(0x40000000) or id.pid }
  end },
  ["both-pairs"] = { row = "P30-105", both = true, make = function(id, other, bit)
    local wrong = ({ "nid", "pid", "gid", "rid" })[other]
    local made = { kind = "both", nid = id.nid, pid = id.pid, gid = id.gid, rid = id.rid }
    if wrong then made[wrong] = made[wrong] ~ bit(0x10000) end
    return made
  end },
  ["both-pairs-any-rank"] = { row = "P30-108", both = true, make = function(id, other, bit)
    return { kind = "both", nid = id.nid, pid = id.pid, gid = other and id.gid ~ bit(0x10000) or id.gid, rid = "any" }
  end },
}

-- The members of a process id that criteria with PTL_ADDR_BOTH are compared in. What a library does with these is left
-- open (P30-064): it may refuse them, look at both pairs, or at one of them.
local MEMBERS = { nobody = { "nid", "pid", "gid", "rid" }, first = { "nid", "pid" }, second = { "gid", "rid" } }

local function fits_process(criterion, id, members)
  for _, member in ipairs(members) do
    local wanted = criterion[member]
    if wanted and wanted ~= "any" and wanted ~= id[member] then return false end
  end
  return true
end

local function fits_bits(entry, bits)
  return (bits ~ entry.bits) & ~entry.mask == 0
end

local List = {}
List.__index = List

function List.new(t, family, length, seed)
  local self = setmetatable({ t = t, family = family, pick = numbers(seed), entries = {}, judged = {},
    serial = 0, most = length == 0 and SHORTEST or 14, members = MEMBERS.nobody }, List)
  self.from, self.to = t:open {}
  for i = 0, 1 do t.ranks[i]:bind { desc = "void", start = "null", length = 0, md = "out-md" } end
  self.to:eq("eq", 16)
  if family.both then self.members = self:members_looked_at() end
  self.to:me_attach { match_bits = 1 << 62, handle = "me0" }
  for i = 1, length do
    self.to:me_insert { match_bits = (1 << 62) + i, position = "PTL_INS_BEFORE", current = "me0", handle = "filler" }
  end
  self.entries[1] = { mark = 0, bits = 1 << 62, mask = 0, who = {}, keeps = true, since = 0 }
  return self
end

-- Tries which pair of criteria with PTL_ADDR_BOTH counts: an entry has node and process of the one rank, and group and
-- rank of the other.
function List:members_looked_at()
  local t, from, to, admitted = self.t, self.from, self.to, "nobody"
  local mixed = { kind = "both", nid = from.id.nid, pid = from.id.pid, gid = to.id.gid, rid = to.id.rid }
  local result = to:PtlMEAttach { index = 1, matchid = mixed, handle = "mixed" }
  if result.rc == "PTL_INV_PROC" then return MEMBERS.nobody end
  t:setup(result)
  to:add_md { me = "mixed", md = "mixed-md", options = BOTH, start = "null", length = 0, eventq = "eq" }
  for name, rank in pairs { first = from, second = to } do
    rank:put { mem_desc = "out-md", target = to, portal = 1 }
    t:flush(rank, to)
    if to:count_events("eq") > 0 then admitted = name end
  end
  t:equal_or_warn(self.family.row, "whom an entry with the pairs of two processes admits", admitted, "nobody",
    { first = "group and rank are not looked at", second = "node and process are not looked at" })
  to:me_unlink { entry = "mixed" }
  return MEMBERS[admitted]
end

function List:place(entry)
  for i, known in ipairs(self.entries) do
    if known == entry then return i end
  end
end

-- Gives an entry a descriptor.
function List:fill(entry)
  entry.left = ({ 1, 2, "inf" })[self.pick(3)]
  entry.goes = self.pick(2) == 1
  self.to:add_md { me = "me" .. entry.mark, md = "md" .. entry.mark, threshold = entry.left, options = BOTH,
    start = "null", length = 0, eventq = "eq", user_ptr = entry.mark, md_unlink = entry.goes and "PTL_UNLINK" or nil }
end

-- Inserts an entry: one like another that is there, or one of its own.
function List:insert(like)
  local place = self.pick(#self.entries)
  local before = self.pick(2) == 1
  local current = self.entries[place]
  local mark = self.serial + 1
  local id = self.pick(2) == 1 and self.from.id or self.to.id
  like = like or { mask = MASKS[self.pick(#MASKS)], bits = BITS[self.pick(#BITS)],
    who = self.family.make(id, self.pick(3) == 1 and self.pick(4) or nil,
      function(bit) return self.to:id_bit(bit) end) }
  local mask = like.mask
  local entry = { mark = mark, mask = mask, bits = like.bits & ~mask, how = before and "P30-122" or "P30-123",
    keeps = self.pick(3) > 1, who = like.who }
  local result = self.to:PtlMEInsert { matchid = entry.who, match_bits = entry.bits, ignorebits = mask,
    unlink = entry.keeps and "PTL_RETAIN" or "PTL_UNLINK", position = before and "PTL_INS_BEFORE" or "PTL_INS_AFTER",
    current = "me" .. current.mark, handle = "me" .. mark }
  -- A library may know who there is, and refuse others, or criteria that name both pairs.
  if result.rc == "PTL_INV_PROC" then return nil end
  self.t:setup(result)
  self.serial, self.clock = mark, (self.clock or 0) + 1
  entry.since = self.clock
  table.insert(self.entries, before and place or place + 1, entry)
  if self.pick(4) > 1 then self:fill(entry) end
  return entry
end

function List:unlink(entry)
  self.to:me_unlink { entry = "me" .. entry.mark }
  table.remove(self.entries, self:place(entry))
  self.clock = self.clock + 1
  self.unlinked = self.clock
end

-- What the entry is for, by row: process, bits.
function List:rows(entry)
  return { self.family.row, entry.mask == 0 and "P30-112" or "P30-111" }
end

function List:takes(entry, sender, bits)
  return entry.left and entry.left ~= 0 and fits_process(entry.who, sender.id, self.members)
    and fits_bits(entry, bits)
end

-- Which row is broken when `observed` takes what is for `expected`; either may be nil.
function List:row_of_fault(expected, observed, sender, bits)
  local wrong = observed and (not expected or self:place(observed) < self:place(expected))
  if observed and self:takes(observed, sender, bits) then
    local since = math.max(expected.since, observed.since)
    local latest = math.max(since, self.unlinked or 0, self.gone or 0)
    if latest == since then return (expected.since == since and expected or observed).how end
    return latest == self.unlinked and "P30-131" or ORDER
  end
  local entry = wrong and observed or expected
  local rows = self:rows(entry)
  if not wrong then return self.family.all and rows[2] or rows[1] end
  if not fits_process(entry.who, sender.id, self.members) then return rows[1] end
  return fits_bits(entry, bits) and ORDER or rows[2]
end

-- The entry that must take the request, and the one that would without it; or nil.
function List:expected(sender, bits)
  local fit = {}
  for _, entry in ipairs(self.entries) do
    if self:takes(entry, sender, bits) then fit[#fit + 1] = entry end
  end
  return fit[1], fit[2]
end

function List:served(entry)
  if entry.left == "inf" then return end
  entry.left = entry.left - 1
  if entry.left == 0 and entry.goes and not entry.keeps then
    table.remove(self.entries, self:place(entry))
    self.clock = self.clock + 1
    self.gone = self.clock
  end
end

function List:by_mark(mark)
  for _, entry in ipairs(self.entries) do
    if entry.mark == mark then return entry end
  end
end

function List:request(sender, verb, bits)
  local t, to = self.t, self.to
  local expected, more = self:expected(sender, bits)
  local before = to:drop_count()
  sender[verb](sender, { mem_desc = "out-md", target = to, match_bits = bits })
  local event
  if expected then
    event = to:wait("eq", 5000).event
    t:step_taken("no " .. (verb == "put" and "PTL_EVENT_PUT" or "PTL_EVENT_GET") .. " comes", event ~= nil)
  else
    t:flush(sender, to)
    event = to:wait("eq", 0).event
  end
  local mark = event and event.mem_desc.user_ptr
  local observed = mark and self:by_mark(mark)
  if mark ~= (expected and expected.mark) then
    local row = (expected or observed) and self:row_of_fault(expected, observed, sender, bits) or ORDER
    t:equal(row, string.format("%s of %s with bits %s: the entry that takes it", verb, sender.label, t.hex(bits)),
      mark or "none", expected and expected.mark or "none")
  end
  if not expected then
    t:drops(ORDER, to, before, 1)
    return
  end
  local rows = self:rows(expected)
  if more then table.move({ ORDER, expected.how, more.how }, 1, 3, 3, rows) end
  if more and self.unlinked then rows[#rows + 1] = "P30-131" end
  for _, row in ipairs(rows) do
    t:equal(row, "the entry that takes the request", mark, expected.mark)
    self.judged[row] = true
  end
  self:served(expected)
end

-- Bits that an entry takes, or that differ from these in one place or in both halves.
function List:bits_for(entry)
  local bits = entry.bits | (entry.mask & (self.pick(2) == 1 and -1 or 0x5555555555555555 << self.pick(2)))
  local kind = self.pick(6)
  if kind == 1 then return bits ~ (1 << (self.pick(64) - 1)) end
  if kind == 2 then return bits ~ (0x100000001 << self.pick(20)) end
  return bits
end

function List:step()
  local what = self.pick(8)
  local entry = self.entries[self.pick(#self.entries)]
  if what <= 2 and #self.entries < self.most then
    self:insert(entry.mark > 0 and self.pick(3) > 1 and entry or nil)
  elseif what == 3 and entry.mark > 0 then
    self:unlink(entry)
  elseif what == 4 and entry.mark > 0 and not entry.left then
    self:fill(entry)
  else
    self:request(self.pick(2) == 1 and self.from or self.to, self.pick(2) == 1 and "put" or "get", self:bits_for(entry))
  end
end

-- Many steps, and more where a row has not been judged yet.
function List:steps(rows)
  local count, left = 0, 1
  while count < 72 or (left > 0 and count < 500) do
    self:step()
    count, left = count + 1, 0
    for _, row in ipairs(rows) do left = left + (self.judged[row] and 0 or 1) end
  end
end

local NAMES = { "any", "rank", "node", "rank-of-any-group", "all-of-a-group", "all-of-a-node", "process-of-any-node",
  "both-pairs-any-rank", "both-pairs" }

for place, name in ipairs(NAMES) do
  local family = FAMILIES[name]
  for _, row in ipairs { { "short", 0 }, { "long", 40 } } do
    case {
      id = "match-crossed-" .. name .. "-" .. row[1],
      only = name ~= "any" and not name:find("node"), -- later revisions know no group and rank
      title = "In a " .. row[1] .. " list entries that come and go take what a model says they take: " .. name,
      purpose = "Entries with criteria of this kind, exact and with masks, are inserted before and behind each other, unlinked, given descriptors that end. Puts and gets of two processes, with bits that fit, differ in one place or in both halves, are each taken by the first entry that fits, or dropped.",
      requirements = { family.row, "P30-111", "P30-112", "P30-122", "P30-123", "P30-131", ORDER },
      run = function(t)
        local list = List.new(t, family, row[2], 7 * place + row[2])
        local like = { mask = 0, bits = 0, who = family.make(list.from.id) }
        t:skip_if(not list:insert(like), "criteria of this kind are refused (PTL_INV_PROC)")
        for _ = 1, SHORTEST - 2 do list:insert() end
        list:steps { family.row, "P30-111", "P30-112", "P30-122", "P30-123", "P30-131", ORDER }
      end,
    }
  end
end
