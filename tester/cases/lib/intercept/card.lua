-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A scripted card of the Intercept network with its driver and a process (specs/intercept-wire.md, 4 and 5). A card
-- does
-- what the case says, message by message; the functions that play several of them say so.

local ALIGNMENT, PAGE, PACKET, RTS_DATA, DATA, GRANT, CREDIT = 32, 4096, 512, 408, 480, 16, 64
local HEADER = 80
local UNMATCHED = 7 -- a portal that cases leave without entries

Card = {}
Card.__index = Card
Card.RTS_DATA, Card.DATA, Card.GRANT, Card.CREDIT, Card.PAGE = RTS_DATA, DATA, GRANT, CREDIT, PAGE
Card.SHORT_MAX = RTS_DATA + GRANT * DATA

local RMPP = { rts = true, cts = true, next_cts = true, data = true, stop_data = true, last_data = true, msgend = true,
  msgerror = true }

-- card:rank(): the physical rank of its process (D24).
function Card:rank()
  return self.iuca << 16 | self.id.pid
end

-- card:key(): a key that no request of the card has had.
function Card:key()
  self.last_key = self.last_key + 1
  return self.last_key
end

-- card:frame(message [, fields]): a frame of this card to the one under test, honest in all that is not given.
function Card:frame(message, fields)
  local net = self.net
  local frame = { message = message, source = self.iuca, destination = net.sut, planes = net.mask }
  if RMPP[message] or message == "short_message" then
    frame.destination_vnic, frame.source_vnic = 1, 1
    frame.flags = message == "data" and 0 or 1
  elseif message ~= "vdma_data" then
    frame.planes = net.mask & -net.mask
    frame.rank = self:rank()
  end
  if message == "command" then frame.command, frame.rank = 1, nil end
  for name, value in pairs(fields or {}) do frame[name] = value end
  return frame
end

-- card:send(message [, fields]): sends it as a packet; fields.over is the plane, else the next one. Returns the frame.
function Card:send(message, fields)
  local frame = self:frame(message, fields)
  self.net:send(frame, frame.over)
  return frame
end

local function wire_id(id)
  return { nid = id.nid, pid = id.pid, gid = id.gid or Stream.UNKNOWN, rid = id.rid or Stream.UNKNOWN }
end

-- card:header(message): the 80 octets of a Portals header from the card's process to the one under test (D17).
function Card:header(message)
  local full = { operation = "put", initiator = wire_id(self.id), target = wire_id(self.net.rank.id), portal = 0,
    cookie = 2, match_bits = 0, offset = 0, md = Stream.NO_MD, rlength = 0 }
  for name, value in pairs(message or {}) do full[name] = value end
  local octets = core.encode(full)
  return octets .. string.rep("\0", HEADER - #octets)
end

-- Card.portals(frame): the Portals header that an RTS or TRY_MATCH carries, as a message, with the octets behind it.
function Card.portals(frame)
  local message = core.decode(frame.data)
  if message then message.octets, message.data = frame.data:sub(1, HEADER), frame.data:sub(HEADER + 1) end
  return message
end

-- card:may_put(octets [, given]): the process under test has an entry at portal 0 that takes puts and gets of any card
-- into "buf" of so many octets, with events to "eq"; `given` as for rank:attach.
function Card:may_put(octets, given)
  local rank = self.net.rank
  rank:eq("eq", 64)
  local all = { octets = octets, matchid = Test.any_nid, ignorebits = -1, eventq = "eq", guard = "after",
    options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE|PTL_MD_TRUNCATE" }
  for name, value in pairs(given or {}) do all[name] = value end
  rank:attach(all)
end

-- card:gets_put(octets [, given]): the process under test puts so many octets (mix/5) to this card, with events to
-- "sent". Nothing is taken.
function Card:gets_put(octets, given)
  local rank = self.net.rank
  if not self.asked then rank:eq("sent", 64) end
  self.asked = (self.asked or 0) + 1
  local md, region = "out-md" .. self.asked, "out" .. self.asked
  rank:bind { region = region, octets = math.max(octets, 1), length = octets, fill = "mix/5", md = md, eventq = "sent" }
  local all = { mem_desc = md, target = Test.nid(self.id) }
  for name, value in pairs(given or {}) do all[name] = value end
  rank:put(all)
end

---- short messages to the process under test --------------------------------------------------------------------------

-- What a message is: the fields of its Portals header, and the octets that it carries.
local HEADER_FIELDS = { "operation", "portal", "cookie", "match_bits", "offset", "md", "rlength", "mlength",
  "initiator", "target" }

-- card:message{octets=, seed=, data=, number=, portal=, ..}: a Portals message that the card is going to send, with the
-- next number. `data` is given, or the pattern mix/seed of so many octets.
function Card:message(given)
  local message = { number = given.number or self.number, fields = {} }
  message.data = given.data or core.mix(given.seed or 5, given.octets or 0)
  for _, name in ipairs(HEADER_FIELDS) do message.fields[name] = given[name] end
  message.fields.rlength = given.rlength or #message.data
  if not given.number then self.number = self.number + 1 end
  return message
end

-- card:rts(message [, fields]): the frame of its RTS, with as much data as it has room for. card:send_rts(..) sends it.
function Card:rts(message, fields)
  local frame = self:frame("rts", { message_number = message.number,
    data = self:header(message.fields) .. message.data:sub(1, RTS_DATA) })
  for name, value in pairs(fields or {}) do frame[name] = value end
  return frame
end

function Card:send_rts(message, fields)
  local frame = self:rts(message, fields)
  self.net:send(frame, frame.over)
  return frame
end

-- Card.packets(length): data packets that a message of so many octets needs behind its RTS.
function Card.packets(length)
  return math.max(0, (length - RTS_DATA + DATA - 1) // DATA)
end

-- card:data(message, number, fields): the frame of a data packet; `granted` of them may be sent, and `wanted` octets.
function Card:data(message, number, fields)
  local wanted = message.wanted or #message.data
  local from = RTS_DATA + number * DATA
  local last = number + 1 == Card.packets(wanted)
  local stop = number + 1 == message.granted
  local frame = self:frame(last and "last_data" or stop and "stop_data" or "data", { message_number = message.number,
    packet_number = number, data = message.data:sub(from + 1, math.min(from + DATA, wanted)) })
  for name, value in pairs(fields or {}) do frame[name] = value end
  return frame
end

-- card:send_data(message, first, last): data packets with these numbers, in this order.
function Card:send_data(message, first, last)
  for number = first, last, first <= last and 1 or -1 do self.net:send(self:data(message, number)) end
end

-- card:take_cts(req, message [, fields]): judges that a CTS of this message comes, and keeps what it grants and wants.
function Card:take_cts(req, message, fields)
  local cts = self.t:frame(req, self.net, "cts", fields)
  message.granted, message.wanted = cts.n, cts.mlength
  return cts
end

-- card:put{octets=, ..}: a whole put by RMPP, honest, to its MSGEND. Returns the message.
function Card:put(given, req)
  local t, message = self.t, self:message(given)
  self:send_rts(message)
  local answer = self.net:await({ "cts", "msgend", "msgerror" }, { message_number = message.number })
  if answer and answer.message == "cts" then
    message.granted, message.wanted = answer.n, answer.mlength
    local sent = 0
    while sent < Card.packets(message.wanted) do
      self:send_data(message, sent, message.granted - 1)
      sent = message.granted
      if sent < Card.packets(message.wanted) then
        local more = self.net:await("next_cts", { message_number = message.number })
        if not more then break end
        message.granted = message.granted + more.n
      end
    end
    answer = self.net:await({ "msgend", "msgerror" }, { message_number = message.number })
  end
  if req then
    t:check(req, "the message ends with MSGEND", answer and answer.message == "msgend", "msgend",
      answer and answer.message or "nothing")
  end
  message.answer = answer
  return message
end

-- card:serves(req): an honest put that finds no entry, and is answered: what was sent before has been handled. Judged
-- by req.
function Card:serves(req)
  self:put({ octets = 8, portal = UNMATCHED }, req)
end

---- short messages of the process under test --------------------------------------------------------------------------

-- card:take_rts(req [, fields]): judges that an RTS comes; it has `portals`, its header as a message, too.
function Card:take_rts(req, fields, ms)
  local rts = self.t:frame(req, self.net, "rts", fields, ms)
  rts.portals = Card.portals(rts)
  self.t:check(req, "the RTS carries a Portals header", rts.portals, "one", #rts.data .. " octets that are none")
  return rts
end

-- card:answer(message, to [, fields]): sends CTS, NEXT_CTS, MSGEND or MSGERROR for the message of an RTS.
function Card:answer(message, to, fields)
  local all = { message_number = to.message_number, destination_vnic = to.source_vnic,
    source_vnic = to.destination_vnic }
  for name, value in pairs(fields or {}) do all[name] = value end
  return self:send(message, all)
end

-- card:grant(rts, n [, wanted]): a CTS, of all octets unless `wanted` says otherwise.
function Card:grant(rts, n, wanted)
  return self:answer("cts", rts, { n = n, mlength = wanted or rts.portals.rlength })
end

-- card:take_data(req, count [, ms]): judges that so many data packets come; a list, in the order in which they came.
function Card:take_data(req, count, ms)
  local list = {}
  for i = 1, count do
    list[i] = self.net:await({ "data", "stop_data", "last_data" }, nil, ms)
    self.t:check(req, "data packets that come", list[i], count, i - 1)
  end
  return list
end

-- Card.joined(rts, packets): the message that RTS and data packets carry, put together by their numbers.
function Card.joined(rts, packets)
  local parts = { [0] = rts.portals.data }
  for _, packet in ipairs(packets) do parts[packet.packet_number + 1] = packet.data end
  return table.concat(parts, "", 0, #parts)
end

-- card:take_message(req [, fields]): takes a whole short message, honest in all; its RTS with `whole`, all its octets.
function Card:take_message(req, fields)
  local rts = self:take_rts(req, fields)
  local packets, count, list = Card.packets(rts.portals.rlength), 0, {}
  while count < packets do
    local n = math.min(GRANT, packets - count)
    if count == 0 then self:grant(rts, n) else self:answer("next_cts", rts, { n = n }) end
    for _, packet in ipairs(self:take_data(req, n)) do list[#list + 1] = packet end
    count = count + n
  end
  self:answer("msgend", rts)
  rts.whole = Card.joined(rts, list)
  return rts
end

---- the handlers' connection ------------------------------------------------------------------------------------------

-- card:credit(n): gives credit for so many control messages.
function Card:credit(n)
  return self:send("command", { amount = n or CREDIT })
end

-- Two octets a number, most significant first.
local function u16(number)
  return string.char(number >> 8 & 255, number & 255)
end

-- card:upd_conn([fields]): tells the node under test that it is connected, and gives the initial credit.
function Card:upd_conn(fields)
  local all = { nic_count = 1, data = u16(self.iuca) }
  for name, value in pairs(fields or {}) do all[name] = value end
  self:send("upd_conn", all)
  self:credit()
end

-- card:connect(req): the same, and the credit that comes back, judged by req. Returns its amount.
function Card:connect(req)
  self:upd_conn()
  return self.t:frame(req, self.net, "command", { command = 1 }).amount
end

-- card:take_connection(req): takes UPD_CONN and credit of the node under test, and gives it credit (64, or `n`).
function Card:take_connection(req, n)
  local upd = self.t:frame(req, self.net, "upd_conn")
  self.t:frame(req, self.net, "command", { command = 1 })
  self:credit(n)
  return upd
end

---- long messages to the process under test ---------------------------------------------------------------------------

-- card:try_match(message [, fields]): sends a TRY_MATCH for it; message.key and .address are set.
function Card:try_match(message, fields)
  message.key, message.address = self:key(), message.address or self.address
  local all = { message_number = message.number, key = message.key, address = message.address,
    match_length = #message.data, data = self:header(message.fields) }
  for name, value in pairs(fields or {}) do all[name] = value end
  return self:send("try_match", all)
end

-- card:slice_packets(message, get): the VDMA packets of the slice that a GET asks for, as frames.
function Card:slice_packets(message, get)
  local frames, done, from = {}, 0, get.address - message.address
  while done < get.slice_length do
    local at = get.window_start + done
    local len = math.min(PACKET, PAGE - at % PAGE, get.slice_length - done)
    frames[#frames + 1] = self:frame("vdma_data", { channel = get.channel_granted, window_address = at,
      data = message.data:sub(from + done + 1, from + done + len) })
    done = done + len
  end
  return frames
end

-- card:serve(message, get): sends that slice, and first and last block where the GET asks for them.
function Card:serve(message, get)
  for _, frame in ipairs(self:slice_packets(message, get)) do self.net:send(frame) end
  self:serve_blocks(message, get)
end

-- Octets of a message at an address of the card's memory.
local function at_address(message, address, length)
  local from = address - message.address
  return length == 0 and "" or message.data:sub(from + 1, from + length)
end

-- card:serve_blocks(message, get [, fields]): the GET_EXT_REPLY, where one is asked for.
function Card:serve_blocks(message, get, fields)
  if get.key_remaining == 0 then return end
  local first = at_address(message, get.first_block_addr, get.first_block_length)
  local last = at_address(message, get.last_block_addr, get.last_block_length)
  local all = { key = get.key, key_remaining = get.key_remaining, first_length = #first, last_length = #last,
    data = first .. string.rep("\0", -#first % 8) .. last }
  for name, value in pairs(fields or {}) do all[name] = value end
  return self:send("get_ext_reply", all)
end

-- card:take_gets(req, message): takes all GETs of a message, serves each and gives back their credit; a list of them.
-- serve(get) replaces what serves one.
function Card:take_gets(req, message, serve)
  local gets, count = {}, 1
  while #gets < count do
    local get = self.t:frame(req, self.net, "vdma_get", { key = message.key })
    gets[#gets + 1], count = get, get.slices
    if serve then serve(get) else self:serve(message, get) end
    if #gets > 1 then self:credit(1) end -- slices may be small, and many
  end
  return gets
end

-- card:last_get(req, message): takes all GETs of a message, whose slices may be small, and sends what they ask for but
-- for the last one's slice and the blocks. The last GET, and the first one, which asks for the blocks.
function Card:last_get(req, message)
  local gets = self:take_gets(req, message, function(get)
    if get.slice + 1 == get.slices then return end
    for _, frame in ipairs(self:slice_packets(message, get)) do self.net:send(frame) end
  end)
  self.net:settled()
  return gets[#gets], gets[1]
end

-- card:long_put(req, given [, look]): a whole long put, honest, to its MATCH_REPLY. look(get) is called before a GET is
-- served. Returns the message, with its `gets`.
function Card:long_put(req, given, look)
  local message = self:message(given)
  message.address = given.address
  if not self.connected then
    self:connect(req)
    self.connected = true
  end
  self:try_match(message)
  message.gets = self:take_gets(req, message, look and function(get)
    look(get)
    self:serve(message, get)
  end)
  message.reply = self.t:frame(req, self.net, "match_reply", { key = message.key })
  return message
end

---- long messages of the process under test ---------------------------------------------------------------------------

-- card:take_try_match(req): judges that a TRY_MATCH comes; it has `portals` too. The connection, where it comes with
-- the first one, is taken and given credit.
function Card:take_try_match(req)
  if not self.connected then
    self:take_connection(req)
    self.connected = true
  end
  local frame = self.t:frame(req, self.net, "try_match")
  frame.portals = Card.portals(frame)
  self.t:check(req, "the TRY_MATCH carries a Portals header", frame.portals, "one", "none")
  return frame
end

-- card:get(match, fields): asks for one slice: fields.from octets into the message, fields.slice_length octets.
function Card:get(match, fields)
  local all = { key = match.key, channel_granted = 0, slice = 0, slices = 1, window_start = 0,
    address = match.address + (fields.from or 0) }
  for name, value in pairs(fields) do all[name] = value end
  all.from = nil
  self.gets[all.key] = (self.gets[all.key] or 0) + all.slice_length + (all.first_block_length or 0)
    + (all.last_block_length or 0)
  return self:send("vdma_get", all)
end

-- card:take_slice(req, get): takes the VDMA packets that fill the slice; its octets, and the frames.
function Card:take_slice(req, get)
  local parts, frames, got = {}, {}, 0
  while got < get.slice_length do
    local frame = self.net:await("vdma_data", { channel = get.channel_granted })
    self.t:check(req, "octets of the slice that come", frame, get.slice_length, got)
    self.t:check(req, "the packet lies within the slice", frame.window_address >= get.window_start
      and frame.window_address + #frame.data <= get.window_start + get.slice_length,
      "from " .. get.window_start, frame.window_address)
    self.t:check(req, "the packet's place has not been filled before", not parts[frame.window_address], "once", "twice")
    parts[frame.window_address], got = frame.data, got + #frame.data
    frames[#frames + 1] = frame
  end
  local whole, at = {}, get.window_start
  while parts[at] do
    whole[#whole + 1] = parts[at]
    at = at + #parts[at]
  end
  return table.concat(whole), frames
end

-- card:match_reply(match, status, mlength): ends a long message; of which it has what it asked for, unless `mlength`
-- says something else.
function Card:match_reply(match, status, mlength)
  local asked = self.gets[match.key] or 0
  self.gets[match.key] = nil
  return self:send("match_reply", { key = match.key, status = status or 0, mlength = mlength or asked })
end

-- card:pull(req, match): pulls the whole message of a TRY_MATCH, in slices, and ends it; its octets.
function Card:pull(req, match)
  local length, whole, slices = match.match_length, {}, {}
  local middle = length - length % ALIGNMENT
  for from = 0, middle - 1, 1 << 18 do slices[#slices + 1] = { from, math.min(1 << 18, middle - from) } end
  for i, slice in ipairs(slices) do
    local get = self:get(match, { from = slice[1], slice_length = slice[2], slice = i - 1, slices = #slices,
      channel_granted = (i - 1) % 4, key_remaining = i == 1 and middle < length and 9 or 0,
      last_block_length = i == 1 and length - middle or 0,
      last_block_addr = i == 1 and middle < length and match.address + middle or 0 })
    whole[#whole + 1] = self:take_slice(req, get)
  end
  if middle < length then
    whole[#whole + 1] = self.t:frame(req, self.net, "get_ext_reply", { key = match.key, key_remaining = 9 }).data
  end
  self:match_reply(match)
  return table.concat(whole)
end
