-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The packets of a card (2.1.2): kinds, addresses, virtual NICs, lengths, and how their headers are laid out.

defaults { suite = "packets", chapter = "2.1.2", network = true, deadline = 60 }

local function u16(number) return string.pack(">I2", number) end
local function u32(number) return string.pack(">I4", number) end
local function u64(number) return string.pack(">I8", number) end

local function id_octets(id)
  return u32(id.nid) .. u32(id.pid) .. u32(id.gid or 0xffffffff) .. u32(id.rid or 0xffffffff)
end

case {
  id = "packet-layout",
  title = "Every octet of an RTS stands where the document has it",
  purpose = "The first message of the process to a card, `hello`, compared with octets that are written by the document's example: network header, RMPP header, Portals header, data, padding.",
  requirements = { "ICPT-278", "ICPT-279", "ICPT-288", "ICPT-294", "ICPT-159" },
  run = function(t)
    local rank, card, net = t:meet()
    rank:region("hello", 5)
    rank:fill("hello", "mix/5")
    rank:bind { region = "hello", md = "out-md" }
    rank:put { mem_desc = "out-md", target = t.nid(card.id), portal = 4, cookie = 0,
      match_bits = t.hex(0x0123456789abcdef),
      offset = 16 }
    local rts = net:await { "rts", "short_message" }
    t:check("ICPT-279", "an RTS comes", rts, "rts", "nothing")
    local octets = rts.octets
    t:equal("ICPT-279", "octets of the frame", #octets, 124)
    t:same_octets("ICPT-279", "kind, planes, flags", octets:sub(1, 3), "\2\1\1")
    t:same_octets("ICPT-278", "destination and source", octets:sub(5, 8), u16(card.iuca) .. u16(net.sut))
    t:same_octets("ICPT-279", "VNICs, length, reserved", octets:sub(9, 16), "\1\1" .. u16(104) .. u32(0))
    t:same_octets("ICPT-288", "type, length and number of the RMPP header", octets:sub(17, 32),
      u32(1) .. u32(101) .. u64(0))
    local own, target = rank.id, { nid = card.id.nid, pid = card.id.pid }
    local header = u32(1) .. id_octets(own) .. id_octets(target) .. u32(4) .. u32(0) .. u64(0x0123456789abcdef)
      .. u64(16)
    t:same_octets("ICPT-294", "the Portals header up to the descriptor", octets:sub(33, 32 + #header), header)
    t:same_octets("ICPT-294", "the length, and zeros up to 80 octets", octets:sub(101, 112), u64(5) .. u32(0))
    t:same_octets("ICPT-159", "data and padding", octets:sub(113, 120), core.mix(5, 5) .. "\0\0\0")
  end,
}

-- One packet of a slice over each channel: what the two cases below look at.
local function slice_packet(t, req, look)
  local _, card, net = t:meet()
  card:gets_put(9000)
  local match = card:take_try_match(req)
  for place, channel in ipairs { 2, 3, 0, 1 } do
    card:get(match, { channel_granted = channel, window_start = 96, slice_length = 64, slice = place - 1, slices = 4,
      from = 64 * (place - 1) })
    look(t:frame(req, net, "vdma_data"), card, net, channel, 64 * (place - 1))
  end
  card:match_reply(match)
end

case {
  id = "packet-layout-vdma",
  title = "Channel and window address stand where the document has them",
  purpose = "A packet of a slice of the process over each channel, octet by octet, from the window address 96 on.",
  requirements = { "ICPT-280" },
  run = function(t)
    slice_packet(t, "ICPT-280", function(frame, card, net, channel, from)
      t:same_octets("ICPT-280", "octets 8 to 15", frame.octets:sub(9, 16), u16(channel) .. u16(64) .. u32(96))
      t:same_octets("ICPT-280", "octets 4 to 7", frame.octets:sub(5, 8), u16(card.iuca) .. u16(net.sut))
      t:same_octets("ICPT-280", "the payload", frame.octets:sub(17, 80), core.mix(5, 64, from))
    end)
  end,
}

case {
  id = "packet-channel-and-window",
  title = "Data go on the channel that was granted, to where they were asked for",
  purpose = "A packet of a slice of the process over each channel, of which the fields are read: channel, and the window address 96.",
  requirements = { "ICPT-025", "ICPT-026" },
  run = function(t)
    slice_packet(t, "ICPT-026", function(frame, _, _, channel)
      t:equal("ICPT-025", "the channel", frame.channel, channel)
      t:equal("ICPT-026", "the window address", frame.window_address, 96)
    end)
  end,
}

for name, iuca in each { {"one", 1}, {"highest", 0xffff}, {"power", 0x8000}, {"zero", 0} } do
  case {
    id = "packet-address-" .. name,
    title = "Every number of 16 bits is the address of a card",
    purpose = string.format("A card with the address %d: messages of the process reach it, and its own are taken.",
      iuca),
    requirements = { "ICPT-001", "ICPT-002", "ICPT-284" },
    run = function(t)
      local rank, card, net = t:meet()
      card.iuca, card.id.nid = iuca, iuca
      card:may_put(64)
      if iuca == 0 then
        card:put({ octets = 24 }, "ICPT-001")
        t:event("ICPT-001", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 24 })
        rank:bind { region = "to-zero", octets = 8, md = "to-zero-md" }
        t:rc("ICPT-001", rank:PtlPut { mem_desc = "to-zero-md", target = t.nid(card.id) }, "PTL_OK")
        card:answer("msgend", card:take_rts("ICPT-001", { destination = 0 }))
      end
      card:gets_put(40)
      local rts = card:take_rts(iuca == 1 and "ICPT-002" or "ICPT-001", { destination = iuca })
      t:equal("ICPT-002", "the source of the RTS", rts.source, net.sut)
      card:answer("msgend", rts)
      t:event("ICPT-284", rank, "sent", { type = "PTL_EVENT_SENT" })
      card:put({ octets = 40 }, "ICPT-001")
      t:event("ICPT-001", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    end,
  }
end

case {
  id = "packet-two-destinations",
  title = "Packets bear the address of the card that they are for",
  purpose = "Puts to two cards in turn: each RTS has its destination, and both count their messages from 0.",
  requirements = { "ICPT-002", "ICPT-171" },
  run = function(t)
    local _, one, net = t:meet()
    local other = net:card()
    one:gets_put(40)
    other.asked = 100
    net.rank:eq("sent-too", 8)
    net.rank:bind { region = "out-too", octets = 40, fill = "mix/5", md = "out-too-md" }
    net.rank:put { mem_desc = "out-too-md", target = t.nid(other.id) }
    local first, second = t:frame("ICPT-002", net, "rts"), t:frame("ICPT-002", net, "rts")
    t:check("ICPT-002", "the two destinations", first.destination ~= second.destination, "differ", first.destination)
    for _, rts in ipairs { first, second } do
      t:check("ICPT-002", "a destination", rts.destination == one.iuca or rts.destination == other.iuca,
        "one of the cards",
        rts.destination)
      t:equal("ICPT-171", "the number of the first message to a node", rts.message_number, 0)
    end
  end,
}

case {
  id = "packet-own-address",
  title = "A process's nid is the address of its card",
  purpose = "What PtlGetId tells, and the address by which the card makes itself known.",
  requirements = { "ICPT-106" }, chapter = "5.2.2",
  run = function(t)
    local rank, _, net = t:meet()
    t:equal("ICPT-106", "the nid", rank.id.nid, net.sut)
  end,
}

case {
  id = "packet-own-name",
  title = "A process's messages bear the nid and pid by which it is known",
  purpose = "The initiator in the Portals header of a put, and the source in its packet.",
  requirements = { "ICPT-200", "ICPT-206" }, chapter = "5.3.1",
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(8)
    local rts = card:take_rts("ICPT-200")
    t:equal("ICPT-200", "the initiator's nid", rts.portals.initiator.nid, rts.source)
    t:equal("ICPT-206", "the initiator's pid", rts.portals.initiator.pid, rank.id.pid)
  end,
}

case {
  id = "packet-multicast",
  title = "A multicast packet reaches the member once",
  purpose = "An RTS for the group of everybody: the process takes the put once; the next unicast message follows.",
  requirements = { "ICPT-003", "ICPT-284" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(64)
    local message = card:message { octets = 40 }
    net:send(card:rts(message, { destination = 0xffff, flags = 3 }))
    t:event("ICPT-003", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:frame("ICPT-284", net, "msgend", { message_number = 0 })
    card:put({ octets = 16 }, "ICPT-003")
    t:event("ICPT-003", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 16 })
  end,
}

for name, kind in each { {"zero", 0}, {"six", 6}, {"source-routed", 128} } do
  case {
    id = "packet-kind-" .. name,
    title = "A frame of a kind that is none is discarded, and not acknowledged",
    purpose = string.format("Kind %d with the right CRC and the sequence that is due; the packet that comes with "
      .. "that sequence is taken.", kind),
    requirements = kind == 0 and { "ICPT-004", "ICPT-024" } or { "ICPT-004" }, negative = true,
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(64)
      net:settled()
      net:rules(1, false, false)
      local frame = card:rts(card:message { octets = 8, portal = 7, number = 0 })
      frame.sequence, frame.kind = 0, kind
      net:transmit(frame)
      t:confirm_violation("unknown-kind")
      net:transmit(card:rts(card:message { octets = 24, number = 0 }, { sequence = 0 }))
      local answer = net:await("acknowledge")
      t:equal("ICPT-004", "the acknowledgement that comes", answer and answer.sequence, 0)
      t:equal("ICPT-004", "further acknowledgements", net:waiting("acknowledge"), 0)
      t:sanity("the packet that is due is taken", answer)
      t:event(kind == 0 and "ICPT-024" or "ICPT-004", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 24 })
    end,
  }
end

case {
  id = "packet-address-like-ours",
  title = "A card whose address differs from the process's own in one bit is another card",
  purpose = "Cards with the address of the process but for one bit of either octet: messages of the process reach each of them, and their own are taken.",
  requirements = { "ICPT-001" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(1024, { options = "PTL_MD_OP_PUT" })
    for i, bit in ipairs { 0x0001, 0x0080, 0x0100, 0x8000 } do
      local one = net:card()
      one.iuca, one.asked = net.sut ~ bit, i > 1 and 100 * i or nil
      one.id.nid = one.iuca
      one:put({ octets = 40 }, "ICPT-001")
      t:event("ICPT-001", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
      one:gets_put(40)
      one:answer("msgend", one:take_rts("ICPT-001", { destination = one.iuca }))
    end
  end,
}

case {
  id = "packet-kinds-sent",
  title = "The card sends virtual DMA, short messages and commands, and no other packets",
  purpose = "All that a short and a long put take: three kinds, each with the length that its kind permits.",
  requirements = { "ICPT-024", "ICPT-027", "ICPT-028", "ICPT-029" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-027")
    card:grant(rts, 16)
    local packets = card:take_data("ICPT-027", 16)
    card:answer("msgend", rts)
    card:gets_put(20000)
    local upd = t:frame("ICPT-028", net, "upd_conn")
    local command = net:await { "command", "short_message" }
    t:equal("ICPT-024", "the kind of what gives credit", command and command.kind, 3)
    t:equal("ICPT-028", "its command and its length", { command.command, command.length }, { 1, 0 })
    card:credit()
    card.connected = true
    local match = card:take_try_match("ICPT-024")
    local get = card:get(match, { slice_length = 19968 })
    local _, frames = card:take_slice("ICPT-029", get)
    t:equal("ICPT-028", "octets of a command packet", #command.octets, 20)
    for _, frame in ipairs { rts, upd, match, table.unpack(packets) } do
      t:check("ICPT-027", "octets of a " .. frame.message, frame.length % 8 == 0 and frame.length <= 504,
        "a multiple of 8, at most 504", frame.length)
      t:equal("ICPT-024", "the kind of a " .. frame.message, frame.kind, 2)
    end
    for _, frame in ipairs(frames) do
      t:check("ICPT-029", "octets of a VDMA packet", frame.length % 8 == 0 and frame.length <= 512,
        "a multiple of 8, at most 512", frame.length)
      t:equal("ICPT-024", "the kind of a VDMA packet", frame.kind, 1)
    end
    card:match_reply(match)
  end,
}

case {
  id = "packet-fullest",
  title = "A short-message packet of 63 quadwords is taken",
  purpose = "An RTS with the Portals header and 408 octets of data fills its packet: all of them arrive.",
  requirements = { "ICPT-027" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(408)
    local message = card:message { octets = 408 }
    t:sanity("the RTS fills its packet", #core.network_encode(card:rts(message)) == 16 + 504 + 4)
    card:send_rts(message)
    t:frame("ICPT-027", net, "msgend", { message_number = 0 })
    t:event("ICPT-027", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 408 })
  end,
}

case {
  id = "packet-vdma-full",
  title = "A slice is sent in packets of 512 octets, as far as page and slice allow",
  purpose = "Slices at several places of the window: no packet crosses a page, and all but those at the ends are full.",
  requirements = { "ICPT-029", "ICPT-068", "ICPT-081" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(40000)
    local match = card:take_try_match("ICPT-029")
    for start, length, number in each { {0, 8192, 0}, {96, 8192, 1}, {4064, 640, 2}, {3584, 520, 3}, {32, 24, 4},
        {8192 + 64, 5000, 5}, {(1 << 20) - 8192, 8192, 6} } do
      local get = card:get(match, { window_start = start, slice_length = length, slice = number, slices = 7 })
      local octets, frames = card:take_slice("ICPT-081", get)
      t:same_octets("ICPT-081", "the slice", octets, core.mix(5, length))
      for _, frame in ipairs(frames) do
        local at, len = frame.window_address, #frame.data
        t:check("ICPT-068", "a packet within one page", at % 4096 + len <= 4096, "within", at .. " + " .. len)
        local ends = at + len == start + length or (at + len) % 4096 == 0
        t:check("ICPT-029", "octets of a packet that neither page nor slice ends", len == 512 or ends, 512, len)
      end
    end
    card:match_reply(match)
  end,
}

case {
  id = "packet-vnic-sent",
  title = "The handlers talk from VNIC 0 to VNIC 0, and short messages use another one",
  purpose = "What the process sends for a long and for a short put.",
  requirements = { "ICPT-042", "ICPT-085", "ICPT-134" }, chapter = "2.1.3",
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(20000)
    local upd = net:await { "upd_conn", "short_message" }
    t:equal("ICPT-042", "the VNIC to which the first control message goes", upd and upd.destination_vnic, 0)
    t:equal("ICPT-085", "VNICs of UPD_CONN", { upd.destination_vnic, upd.source_vnic }, { 0, 0 })
    local credit = t:frame("ICPT-042", net, "command")
    t:equal("ICPT-042", "VNICs of the credit", { credit.destination_vnic, credit.source_vnic }, { 0, 0 })
    card:credit()
    local match = t:frame("ICPT-085", net, "try_match")
    t:equal("ICPT-085", "VNICs of TRY_MATCH", { match.destination_vnic, match.source_vnic }, { 0, 0 })
    card:match_reply(match, -1, 0)
    card:gets_put(40)
    local rts = t:frame("ICPT-134", net, "rts")
    t:check("ICPT-134", "VNICs of RTS", rts.destination_vnic > 0 and rts.source_vnic > 0, "none is 0",
      { rts.destination_vnic, rts.source_vnic })
  end,
}

case {
  id = "packet-vnic-closed",
  title = "A packet for a virtual NIC that nobody has opened is acknowledged, and discarded",
  purpose = "A packet that is no message, for VNIC 15; the message behind it, for VNIC 1, begins at once.",
  requirements = { "ICPT-134" }, chapter = "2.1.3", negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(64)
    t:send_forged("ICPT-134", card, card:frame("short_message", { destination_vnic = 15, source_vnic = 15,
      data = core.mix(1, 64) }), "content")
    t:equal("ICPT-134", "the packet is acknowledged", net:settled(), true)
    local message = card:put({ octets = 40 }, "ICPT-134")
    t:sanity("an honest put is answered", message.answer)
    t:event("ICPT-134", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
  end,
}

case {
  id = "packet-marked",
  title = "Packets that need attention are marked for an interrupt",
  purpose = "A receiver may be interrupted for marked packets only: RTS, the last data packet, CTS and MSGEND of the process are marked.",
  requirements = { "ICPT-056" }, chapter = "2.1.3",
  run = function(t)
    local _, card = t:meet()
    card:may_put(8088)
    card:gets_put(4000)
    local rts = card:take_rts("ICPT-056")
    card:grant(rts, Card.packets(4000))
    local packets = card:take_data("ICPT-056", Card.packets(4000))
    card:answer("msgend", rts)
    local message = card:message { octets = 4000 }
    card:send_rts(message)
    local cts = card:take_cts("ICPT-056", message)
    card:send_data(message, 0, Card.packets(4000) - 1)
    local ended = t:frame("ICPT-056", card.net, "msgend")
    for _, frame in ipairs { rts, packets[#packets], cts, ended } do
      t:equal("ICPT-056", "the interrupt flag of a " .. frame.message, frame.flags & 1, 1)
    end
  end,
}

case {
  id = "packet-marked-in-the-midst",
  title = "Packets in the midst of a message that its other end waits for are marked too",
  purpose = "Of a put of the process three packets are granted, and again three: the last of each grant is marked. A put to it takes more than one grant: NEXT_CTS is marked as CTS is.",
  requirements = { "ICPT-056" }, chapter = "2.1.3",
  run = function(t)
    local _, card = t:meet()
    card:may_put(65536)
    card:gets_put(8088)
    local marked = {}
    local rts, taken = card:take_rts("ICPT-056"), 0
    for _, message in ipairs { "cts", "next_cts" } do
      card:answer(message, rts, { n = 3, mlength = 8088 })
      local packets = card:take_data("ICPT-056", 3)
      marked[#marked + 1], taken = packets[3], taken + 3
    end
    card:answer("next_cts", rts, { n = 16 - taken })
    card:take_data("ICPT-056", 16 - taken)
    card:answer("msgend", rts)
    local message, first = card:message { octets = 30000 }, 0
    card:send_rts(message)
    local grant = card:take_cts("ICPT-056", message)
    while first + grant.n < Card.packets(30000) do
      card:send_data(message, first, first + grant.n - 1)
      first = first + grant.n
      grant = t:frame("ICPT-056", card.net, "next_cts")
      message.granted = first + grant.n
      marked[#marked + 1] = grant
    end
    card:send_data(message, first, Card.packets(30000) - 1)
    t:frame("ICPT-056", card.net, "msgend")
    for _, frame in ipairs(marked) do
      t:equal("ICPT-056", "the interrupt flag of a " .. frame.message, frame.flags & 1, 1)
    end
  end,
}

case {
  id = "packet-unmarked-taken",
  title = "Messages arrive whether or not their packets are marked",
  purpose = "An RTS and data packets without the interrupt flag, as a card may send them where every packet interrupts.",
  requirements = { "ICPT-058" }, chapter = "4.1",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(4000)
    local message = card:message { octets = 4000 }
    card:send_rts(message, { flags = 0 })
    card:take_cts("ICPT-058", message)
    for number = 0, Card.packets(4000) - 1 do net:send(card:data(message, number, { flags = 0 })) end
    t:event("ICPT-058", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 4000 })
    t:octets("ICPT-058", "the message", rank, "buf", "mix/5", 0, 4000)
  end,
}

case {
  id = "packet-taken-at-once",
  title = "A packet is taken from the link as soon as it arrives, also while its message cannot begin",
  purpose = "RTS of numbers that come too early are acknowledged; they wait in memory and not in the card, and begin when the first has come.",
  requirements = { "ICPT-058" }, chapter = "4.1",
  run = function(t)
    local rank, card, net = t:meet()
    local before = rank:drop_count()
    local messages = {}
    for i = 0, 12 do messages[i] = card:message { octets = 400, portal = 7 } end
    card:send_rts(messages[0])
    t:frame("ICPT-058", net, "msgend", { message_number = 0 })
    for i = 12, 2, -1 do card:send_rts(messages[i]) end
    t:equal("ICPT-058", "all of them are acknowledged", net:settled(), true)
    card:send_rts(messages[1])
    for i = 1, 12 do t:frame("ICPT-058", net, "msgend") end
    t:drops("ICPT-058", rank, before, 13)
  end,
}

case {
  id = "packet-two-senders",
  title = "Packets of two senders that are mixed are kept apart",
  purpose = "Two cards send messages of 4000 octets with the same number; their data packets alternate, and come in any order.",
  requirements = { "ICPT-021", "ICPT-186" }, chapter = "2.1.3",
  run = function(t)
    local rank, one, net = t:meet()
    local other = net:card()
    one:may_put(8192)
    local first, second = one:message { octets = 4000, seed = 5, offset = 0 }, other:message { octets = 4000, seed = 6,
      offset = 4000 }
    one:send_rts(first)
    first.granted, first.wanted = 8, t:frame("ICPT-021", net, "cts", { destination = one.iuca }).mlength
    other:send_rts(second)
    second.granted, second.wanted = 8, t:frame("ICPT-021", net, "cts", { destination = other.iuca }).mlength
    for number = 7, 0, -1 do
      net:send(one:data(first, number))
      net:send(other:data(second, 7 - number))
    end
    t:event("ICPT-021", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:event("ICPT-021", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:octets("ICPT-186", "the first message", rank, "buf", "mix/5", 0, 4000)
    t:octets("ICPT-021", "the second message", rank, "buf", "mix/6", 4000, 4000)
  end,
}

case {
  id = "packet-fragments",
  title = "The card delivers packets as they came; putting fragments together is the software's",
  purpose = "A put of 5000 octets in an RTS and ten data packets, in two orders: what arrives is what the packets carry.",
  requirements = { "ICPT-022" }, chapter = "2.1.3",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(10000)
    for round, order in ipairs { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 4, 9, 0, 7, 2, 5, 8, 1, 6, 3 } } do
      local message = card:message { octets = 5000, offset = 5000 * (round - 1) }
      card:send_rts(message)
      card:take_cts("ICPT-022", message)
      for _, number in ipairs(order) do net:send(card:data(message, number)) end
      t:event("ICPT-022", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 5000 })
      t:octets("ICPT-022", "the message", rank, "buf", "mix/5", 5000 * (round - 1), 5000)
    end
  end,
}

case {
  id = "packet-copied",
  title = "What has been given to the card no longer changes",
  purpose = "The process writes its buffer anew while its RTS is not acknowledged: what is sent again is what was sent.",
  requirements = { "ICPT-051" }, chapter = "2.1.3",
  run = function(t)
    local rank, card, net = t:meet()
    net:rules(1, false, false)
    card:gets_put(200)
    local first = t:frame("ICPT-051", net, "rts")
    rank:fill("out1", "mix/77")
    for _ = 1, 2 do
      local again = t:frame("ICPT-051", net, "rts")
      t:same_octets("ICPT-051", "what is sent again", again.octets, first.octets)
    end
    net:acknowledge(first.sequence)
    net:sequence(0, nil, (first.sequence + 1) % 256)
    net:rules(1, true, true)
    card:answer("msgend", first)
    t:event("ICPT-051", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "packet-neighbour",
  title = "Two cards may be joined without a switch",
  purpose = "The other end of the link is a card, which makes itself known too and forwards nothing: messages go both ways.",
  requirements = { "ICPT-040" }, chapter = "6.1",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(4000)
    net:send(card:frame("short_message", { destination = card.iuca, destination_vnic = 0, source_vnic = 0, flags = 0 }))
    t:equal("ICPT-040", "the other card's first packet is acknowledged", net:settled(), true)
    card:put({ octets = 3000 }, "ICPT-040")
    t:event("ICPT-040", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 3000 })
    card:gets_put(3000)
    t:same_octets("ICPT-040", "the put of the process", card:take_message("ICPT-040").whole, core.mix(5, 3000))
  end,
}
