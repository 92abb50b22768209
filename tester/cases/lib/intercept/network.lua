-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The Intercept network as a case plays it (specs/intercept-wire.md): the switch, and all cards on it but that of the
-- process under test, which joins it by its address. The links keep their rules by themselves (3.6 there) as long as
-- the case lets them; above them nothing answers by itself.

local START_MS, KNOWN_MS, FEW_MS, WAIT_MS = 20000, 15000, 3000, 5000
local ALL_PLANES = 15

Network = {}
Network.__index = Network
Network.WAIT_MS, Network.ALL_PLANES = WAIT_MS, ALL_PLANES

-- t:network([{planes=mask, acknowledges=, repeats=}]): opens it. Only the planes of the mask are there (all without):
-- on the others nobody answers, as where they are not cabled. some = true: where the card under test has plane 0 and
-- one or two more, these are all that there are. acknowledges = false, repeats = false: the case answers what comes
-- over the links, and sends again what is lost, by itself.
function Test:network(given)
  given = given or {}
  local place, port = core.network()
  local net = setmetatable({ t = self, place = place, port = port, mask = given.planes or ALL_PLANES, stash = {},
    some = given.some, over = 0, cards = 0, patience = WAIT_MS }, Network)
  core.network_rules(ALL_PLANES, given.acknowledges ~= false, given.repeats ~= false)
  core.network_cut(ALL_PLANES & ~net.mask)
  return net
end

-- net:start([{acl_size=, ..}]): a process under test on the network: PtlInit, PtlGetId, and PtlNIInit with these
-- values; it admits everybody by the cookie 2. net.sut is the address of its card. Returns the rank.
function Network:start(given)
  local t = self.t
  local job = core.job_start("env.ASSAY_INTERCEPT=" .. self.place .. " unset.ASSAY_FAULT=", 1)
  local ranks, why = core.job_await(job, START_MS)
  if not ranks then t:inconclusive("configuration", "the job does not start: " .. tostring(why)) end
  t.ranks, t.count = ranks, 1
  local rank = t:open(given)
  self.rank = rank
  rank:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
  self:known()
  return rank
end

-- The mask of the planes of the case on which a card has made itself known, so far.
local function planes_known(net)
  local there = 0
  for plane = 0, 3 do
    local bit = net.mask & 1 << plane
    if bit ~= 0 and core.network_known(bit, 1, 0) then there = there | bit end
  end
  return there
end

-- net:known(): waits until the card under test has made itself known on all planes. One that has only some of them, as
-- its user may have decided (2.1.3), is judged by these alone where the case can do with some.
function Network:known()
  local over, few_since, few = core.now() + KNOWN_MS, nil, 0
  repeat
    self.sut = core.network_known(self.mask, 1, 200)
    if self.sut then return end
    local there = planes_known(self)
    if there ~= few then few, few_since = there, core.now() - core.host_lost() end
  until core.now() > over or (few ~= 0 and core.now() - core.host_lost() - few_since > FEW_MS)
  if self.some and few & 1 == 1 and few > 1 then
    self.mask = few
    core.network_cut(ALL_PLANES & ~few)
    self.sut = core.network_known(few, 1, 0)
  elseif few ~= 0 then
    self.t:skip(string.format("of the planes %d the card under test has %d only", self.mask, few))
  end
  if not self.sut then
    self.t:inconclusive("sut", "set-up: no card made itself known on the planes " .. self.mask)
  end
end

-- net:planes(): a list of the planes that there are.
function Network:planes()
  local list = {}
  for plane = 0, 3 do
    if self.mask >> plane & 1 == 1 then list[#list + 1] = plane end
  end
  return list
end

-- t:meet([{planes=mask, ..}]): a network, a process on it, and a scripted card: rank, card, net. Without `planes` it
-- has plane 0 alone, over which packets keep their order.
function Test:meet(given)
  given = given or {}
  given.planes = given.planes or 1
  local net = self:network(given)
  local rank = net:start(given.open)
  return rank, net:card(), net
end

-- net:card(): a scripted card, with an address that nobody else has: card.iuca, and card.id, the process on it.
function Network:card()
  local card = setmetatable({ net = self, t = self.t, iuca = self.port + self.cards, number = 0, last_key = 0,
    gets = {}, address = 0x10000 }, Card)
  self.cards = self.cards + 1
  card.id = { kind = "both", nid = card.iuca, pid = 700 + self.cards, gid = 0x7d000000 + card.iuca, rid = 0 }
  return card
end

-- net:rules(mask, acknowledges, repeats): the same as t:network has, from here on, of the links of these planes.
function Network:rules(mask, acknowledges, repeats)
  core.network_rules(mask, acknowledges, repeats)
end

-- net:cut(mask): over these planes nothing comes and nothing leaves any more, as where a cable is cut.
function Network:cut(mask)
  core.network_cut(mask | ALL_PLANES & ~self.mask)
end

-- net:strays(mask): how many packets have come over these planes while they were cut.
function Network:strays(mask)
  return core.network_strays(mask)
end

-- net:link([plane]): the link's state: next, expected, outstanding, again, asked. net:sequence(plane, next, expected)
-- sets what it sends and expects next, where the case has sent or answered by hand.
function Network:link(plane)
  return core.network_link(self.sut, plane or 0)
end

function Network:sequence(plane, next_one, expected)
  core.network_sequence(self.sut, plane, next_one, expected)
end

-- net:settled([ms]): whether all that was sent is acknowledged.
function Network:settled(ms)
  return core.network_settled(ms or WAIT_MS)
end

-- The next plane of a mask, in turn.
local function plane_of(net, mask)
  mask = mask & net.mask
  if mask == 0 then mask = net.mask end
  repeat net.over = (net.over + 1) % 4 until mask >> net.over & 1 == 1
  return net.over
end

-- net:send(frame [, plane]): a packet, over this plane or the next one of its mask; the link sets sequence and CRC.
-- Returns the plane.
function Network:send(frame, plane)
  plane = plane or plane_of(self, frame.planes or self.mask)
  core.network_send(self.sut, plane, core.network_encode(frame), false)
  return plane
end

-- net:transmit(frame or octets [, plane]): past the link's rules, with the sequence and CRC that the frame says.
function Network:transmit(frame, plane)
  core.network_send(self.sut, plane or 0, type(frame) == "table" and core.network_encode(frame) or frame, true)
end

-- net:acknowledge(sequence [, plane]), net:ask(sequence [, plane]): the answers of a link, by hand.
function Network:acknowledge(sequence, plane)
  plane = plane or 0
  self:transmit({ message = "acknowledge", planes = 1 << plane, sequence = sequence }, plane)
end

function Network:ask(sequence, plane)
  plane = plane or 0
  self:transmit({ message = "retransmit", planes = 1 << plane, sequence = sequence }, plane)
end

-- net:take([ms]): the next frame that has come, whatever it is: its fields, `data`, `plane`, `octets`; nil: none.
function Network:take(ms)
  if #self.stash > 0 then return table.remove(self.stash, 1) end
  return core.network_take(ms or self.patience)
end

-- net:await(message [, fields [, ms]]): the next frame of that name with these fields; what comes before it stays
-- to be taken. `message` may be a list of names. nil: none. Without `ms` it waits for net.patience, 5 seconds.
function Network:await(message, fields, ms)
  local names = {}
  for _, name in ipairs(type(message) == "table" and message or { message }) do names[name] = true end
  local function fits(frame)
    if not names[frame.message] then return false end
    for name, value in pairs(fields or {}) do
      if frame[name] ~= value then return false end
    end
    return true
  end
  for i, frame in ipairs(self.stash) do
    if fits(frame) then return table.remove(self.stash, i) end
  end
  local until_ms = core.now() + (ms or self.patience)
  while true do
    local frame = core.network_take(math.max(0, math.floor(until_ms - core.now())))
    if not frame then return nil end
    if fits(frame) then return frame end
    self.stash[#self.stash + 1] = frame
  end
end

-- net:waiting(message): how many frames of that name have come and were not taken.
function Network:waiting(message)
  local count = 0
  repeat
    local frame = core.network_take(0)
    self.stash[#self.stash + 1] = frame
  until not frame
  for _, frame in ipairs(self.stash) do count = count + (frame.message == message and 1 or 0) end
  return count
end

-- t:frame(req, net, message, fields [, ms]): judges that such a frame comes, whatever else does, and that it has these
-- fields. Returns it.
function Test:frame(req, net, message, fields, ms)
  local frame = net:await(message, nil, ms)
  local others = {}
  for i, other in ipairs(net.stash) do others[i] = other.message or other.condition end
  self:check(req, "the card sends " .. message, frame, message, #others == 0 and "nothing" or table.concat(others,
    ", "))
  self:members(req, message, frame, fields)
  return frame
end

-- t:no_frame(req, card, message): judges that no such frame has come, or comes before the answer to an honest message
-- that the card sends now.
function Test:no_frame(req, card, message)
  card:serves(req)
  self:equal(req, "frames of the kind " .. message .. " that have come", card.net:waiting(message), 0)
end

-- t:ignore_rules(rules): passes over what these rules of the checker find broken by the case's own frames: what follows
-- from a forgery that the case has declared.
function Test:ignore_rules(rules)
  for _, rule in ipairs(rules) do core.ignore_violation(rule) end
end

-- t:send_forged(req, card, frame, rule): sends a packet of the card that a receiver must not take, and makes sure that
-- it breaks the rule of that name (rules.c, violations.c in wire/intercept). A crash or hang from here on is judged by
-- `req`.
function Test:send_forged(req, card, frame, rule)
  core.judging(req)
  card.net:send(frame, 0)
  self:confirm_violation(rule)
end
