-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.1: descriptors of all kinds, and requests that meet them in all ways: put or get, offset of their own or
-- of the request, cut or not, used up, armed again. Before each request a model of the descriptor says what must come
-- of it. What the descriptor refuses a second entry takes, which takes anything and stores nothing.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 2, deadline = 60 }

local SIZE, OTHER = 100, 99
local LENGTHS = { 0, 1, 16, 40, 99, 100, 101, 160 }
local OFFSETS = { 0, 1, 7, 60, 84, 99, 100 }
local TYPES = { put = "PTL_EVENT_PUT", get = "PTL_EVENT_GET" }
local OPTIONS = { put = "PTL_MD_OP_PUT", get = "PTL_MD_OP_GET" }
local SERVES, REFUSES = { put = "P30-153", get = "P30-154" }, { put = "P30-151", get = "P30-152" }

-- Numbers that are the same in every run.
local function numbers(seed)
  local state = seed * 16807 + 1
  return function(count)
    state = state * 48271 % 0x7fffffff
    return state % count + 1
  end
end

local Trial = {}
Trial.__index = Trial

-- `kind` has verb, remote, cuts.
function Trial.new(t, kind, seed)
  local self = setmetatable({ t = t, kind = kind, pick = numbers(seed), judged = {}, life = 0 }, Trial)
  local from, to = t:open {}
  self.to, self.senders = to, { from, to }
  for _, rank in ipairs(self.senders) do
    rank:region("out", 160, { fill = "mix/9" })
    rank:region("in", 160)
    rank:eq("own-eq", 8)
  end
  to:eq("eq", 8)
  to:region("buf", SIZE, { fill = "mix/4" })
  self.memory = t.mix(4, SIZE)
  to:me_attach { ignorebits = -1, handle = "me" }
  to:me_insert { ignorebits = -1, current = "me", handle = "other" }
  to:add_md { me = "other", md = "other-md", start = "null", length = 0, eventq = "eq", user_ptr = OTHER,
    options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE" }
  return self
end

function Trial:equal(row, what, observed, expected)
  self.t:equal(row, what, observed, expected)
  self.judged[row] = true
end

-- A new descriptor in the place of the one before.
function Trial:renew()
  local to, kind = self.to, self.kind
  if self.md then
    if not self.md.gone then to:md_unlink { mem_desc = "md" } end
    for _, sender in ipairs(self.senders) do
      self.t:flush(sender, to)
      self:equal(kind.verb == "put" and "P30-170" or "P30-172", "events that nobody has asked for",
        sender:count_events("own-eq"), 0)
    end
  end
  self.life = self.life + 1
  local md = { left = ({ 1, 2, 3, "inf" })[self.pick(4)], goes = self.pick(2) == 1, offset = 0,
    silent = kind.verb == "put" and self.pick(3) == 1, both = kind.remote and self.pick(3) == 1 }
  local options = { OPTIONS[kind.verb] }
  if md.both then options = { OPTIONS.put, OPTIONS.get } end
  if kind.remote then options[#options + 1] = "PTL_MD_MANAGE_REMOTE" end
  if kind.cuts then options[#options + 1] = "PTL_MD_TRUNCATE" end
  if md.silent then options[#options + 1] = "PTL_MD_ACK_DISABLE" end
  to:add_md { me = "me", md = "md", region = "buf", threshold = md.left, options = table.concat(options, "|"),
    eventq = "eq", user_ptr = self.life, md_unlink = md.goes and "PTL_UNLINK" or nil }
  md.options = options
  self.md = md
end

-- The row by which the descriptor must refuse a request, or nil; what it moves, and from where on, where it does not.
function Trial:verdict(request)
  local md, kind = self.md, self.kind
  if md.left == 0 then return "P30-145" end
  if not md.both and request.verb ~= kind.verb then return REFUSES[request.verb] end
  local offset = kind.remote and request.offset or md.offset
  if request.length > SIZE - offset and not kind.cuts then return "P30-165" end
  return nil, math.min(request.length, SIZE - offset), offset
end

-- Which row is broken where the descriptor refuses what it must take.
function Trial:row_of_refusal(request, moved)
  if self.md.armed then return "P30-180" end
  if not self.kind.remote and request.offset > SIZE then return "P30-159" end
  if moved < request.length then return self.kind.verb == "put" and "P30-166" or "P30-169" end
  if self.md.used then return "P30-141" end
  return SERVES[request.verb]
end

function Trial:send(request)
  local sender = request.sender
  local mine = { mem_desc = "own-md", target = self.to, match_bits = request.bits, offset = request.offset }
  sender:bind { desc = "own", region = request.verb == "put" and "out" or "in", length = request.length, md = "own-md",
    eventq = "own-eq" }
  if request.verb == "put" then mine.ack_req = "PTL_ACK_REQ" end
  sender[request.verb](sender, mine)
end

-- What the initiator is told: of a put that it is sent and perhaps acknowledged, of a get the reply.
function Trial:initiator_hears(request, moved, silent)
  local t, sender = self.t, request.sender
  if request.verb == "get" then
    local reply = t:event("P30-271", sender, "own-eq", { type = "PTL_EVENT_REPLY" })
    self.judged["P30-271"] = true
    self:equal("P30-169", "mlength of the reply", reply.mlength, moved)
  else
    local types, acknowledged = {}, nil
    for _ = 1, silent and 1 or 2 do
      local event = sender:wait("own-eq").event
      types[#types + 1] = event
      if event and event.type == "PTL_EVENT_ACK" then acknowledged = event end
    end
    if silent then
      self:equal("P30-170", "acknowledgements of a put that must not be acknowledged", acknowledged, nil)
    else
      self:equal("P30-171", "events of a put: one that it is sent, one that it is acknowledged", t.types(types),
        { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      self:equal("P30-294", "mlength of the acknowledgement", acknowledged.mlength, moved)
    end
  end
  sender:md_unlink { mem_desc = "own-md" }
end

-- Where the octets are: in the memory of the target, or in that of who asked for them.
function Trial:octets(request, moved, offset)
  local row = self.kind.remote and "P30-162" or "P30-158"
  if request.verb == "put" then
    local wanted = self.memory:sub(1, offset) .. self.t.mix(9, moved) .. self.memory:sub(offset + moved + 1)
    local found = self.to:read("buf", 0, SIZE)
    local place = found:sub(1, offset) == wanted:sub(1, offset)
    local cut = place and moved < request.length and self.kind.verb == "put"
    self:equal(cut and "P30-166" or row, "whether the region holds what was put, and nothing else has changed",
      found == wanted, true)
    self.memory = wanted
  elseif moved > 0 then
    local found = request.sender:read("in", 0, moved)
    self:equal(row, "whether the octets that came are those at the offset",
      found == self.memory:sub(offset + 1, offset + moved), true)
    self:equal("P30-271", "whether they begin at the start of the region", found:byte(1), self.memory:byte(offset + 1))
  end
end

function Trial:event_tells(event, request, moved, offset)
  self:equal("P30-226", "type of the event", event.type, TYPES[request.verb])
  self:equal("P30-230", "rlength of the event", event.rlength, request.length)
  self:equal("P30-231", "mlength of the event", event.mlength, moved)
  self:equal("P30-233", "offset of the event", event.offset, offset)
  self:equal("P30-229", "match bits of the event", event.match_bits, request.bits)
  self:equal("P30-061", "initiator of the event", event.initiator, request.sender.id)
end

-- The descriptor after an operation: one less, or gone.
function Trial:account(event, offset, moved)
  local t, to, md = self.t, self.to, self.md
  md.used, md.offset = true, offset + moved
  if md.left ~= "inf" then md.left = md.left - 1 end
  if md.left == 0 and md.goes then
    t:md_unlinked("P30-179", to, "md")
    self.judged["P30-179"], md.gone = true, true
    return
  end
  local now = t:rc("P30-142", to:PtlMDUpdate { mem_desc = "md", old = "was" }, "PTL_OK").old
  self:equal(md.left == "inf" and "P30-147" or "P30-142", "threshold behind the operation", tostring(now.threshold),
    tostring(md.left))
  self:equal("P30-235", "start and length that the event shows", { event.mem_desc.start, event.mem_desc.length },
    { now.start, now.length })
  self:equal("P30-235", "options and queue that the event shows", { event.mem_desc.options, event.mem_desc.eventq },
    { now.options, now.eventq })
end

-- Arms a descriptor that is used up, or makes another one.
function Trial:renew_or_arm()
  local md, to = self.md, self.to
  if md.gone or md.armed or md.left ~= 0 then return self:renew() end
  to:md { name = "again", region = "buf", threshold = 2, options = table.concat(md.options, "|"), eventq = "eq",
    user_ptr = self.life }
  to:md_update { mem_desc = "md", new = "again" }
  md.left, md.armed = 2, true
end

function Trial:step()
  local kind, md = self.kind, self.md
  local request = { sender = self.senders[self.pick(2)], length = LENGTHS[self.pick(#LENGTHS)],
    bits = self.pick(1 << 20), verb = kind.verb, offset = OFFSETS[self.pick(#OFFSETS)] }
  if self.pick(6) == 1 then request.verb = kind.verb == "put" and "get" or "put" end
  if not kind.remote and self.pick(2) == 1 then request.offset = 0x7fff0001 end
  -- An update may set the offset back (A34): then what does not fit behind it may fit all the same.
  if md.armed and not kind.remote and request.length <= SIZE then
    request.length = math.min(request.length, SIZE - md.offset)
  end
  local refused, moved, offset = self:verdict(request)
  self:send(request)
  local event = self.to:wait("eq").event
  local mark = event and event.mem_desc.user_ptr or "none"
  if refused then
    self:equal(refused, "who takes a request that the descriptor must refuse", mark, OTHER)
    self:initiator_hears(request, 0, false)
    if self.md.left == 0 then self:renew_or_arm() end
    return
  end
  if mark ~= self.life then
    self.t:equal(self:row_of_refusal(request, moved), "who takes a request that the descriptor must take", mark,
      self.life)
  end
  self:equal(SERVES[request.verb], "who takes the request", mark, self.life)
  self:equal(md.armed and "P30-180" or "P30-141", "who takes the request", mark, self.life)
  if not kind.remote and request.offset > SIZE then self:equal("P30-159", "who takes the request", mark, self.life) end
  if md.armed and not kind.remote then -- where it goes on is another question
    self:initiator_hears(request, event.mlength, md.silent)
    self.memory = self.to:read("buf", 0, SIZE)
    return self:renew()
  end
  self:initiator_hears(request, moved, md.silent)
  self:octets(request, moved, offset)
  self:event_tells(event, request, moved, offset)
  self:account(event, offset, moved)
  if md.gone or (moved < request.length and not kind.remote) or self.pick(6) == 1 then self:renew() end
end

-- Many steps, and more where a row has not been judged yet.
function Trial:steps(rows)
  local count, left = 0, 1
  while count < 120 or (left > 0 and count < 900) do
    self:step()
    count, left = count + 1, 0
    for _, row in ipairs(rows) do left = left + (self.judged[row] and 0 or 1) end
  end
end

local seed = 0
for _, verb in ipairs { "put", "get" } do
  for place, remote in each { { "own", false }, { "given", true } } do
    for length, cuts in each { { "whole", false }, { "cut", true } } do
      local kind = { verb = verb, remote = remote, cuts = cuts }
      local rows = { SERVES[verb], REFUSES[verb == "put" and "get" or "put"], "P30-061", "P30-141", "P30-142",
        "P30-145", "P30-147", "P30-169", "P30-171", "P30-179", "P30-180", "P30-226", "P30-229", "P30-230", "P30-231",
        "P30-233", "P30-235", "P30-271", "P30-294",
        remote and "P30-162" or "P30-158", verb == "put" and "P30-170" or "P30-172" }
      if not remote then rows[#rows + 1] = "P30-159" end
      if not cuts then rows[#rows + 1] = "P30-165" end
      if cuts and verb == "put" then rows[#rows + 1] = "P30-166" end
      if remote then rows[#rows + 1] = SERVES[verb == "put" and "get" or "put"] end
      seed = seed + 1
      local number = seed
      case {
        id = "md-crossed-" .. verb .. "-" .. place .. "-" .. length,
        title = "A descriptor does with every " .. verb .. " what a model says: " .. place .. " offset, " .. length,
        purpose = "Descriptors with thresholds of one to three and without end, that go or stay when they are used up and are armed again, with and without acknowledgements, meet requests of two processes with lengths and offsets around the bounds. Each is taken or refused, moves the octets, is told by events and counts as it must.",
        requirements = rows,
        run = function(t)
          local trial = Trial.new(t, kind, 31 * number)
          trial:renew()
          trial:steps(rows)
        end,
      }
    end
  end
end
