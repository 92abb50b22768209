-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Forged packets: the CRC is right, and the content wrong. They are discarded; what has the number, key or place that
-- they claim is served afterwards, and memory is as it was.

defaults { suite = "hostile", chapter = "5.2.3", network = true, deadline = 60 }

-- A process that takes puts of any card, behind a first one.
local function receiver(t, req)
  local rank, card, net = t:meet()
  card:may_put(65536)
  card:put({ octets = 8, seed = 1 }, req)
  t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = 8 })
  return rank, card, net
end

-- The honest message of the next number arrives, as the only one: the sanity step, and what is judged.
local function honest_arrives(t, req, rank, card)
  local message = card:put({ octets = 300, offset = 1000 }, req)
  t:sanity("an honest put is answered", message.answer)
  t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = 300, offset = 1000 })
  t:octets(req, "the honest message", rank, "buf", "mix/5", 1000, 300)
  t:equal(req, "further events", rank:count_events("eq"), 0)
end

---- an RTS with one thing wrong ---------------------------------------------------------------------------------------

for name, req, rule, fields in each {
  {"no-plane", "ICPT-014", { "planes", "wrong-plane" }, { planes = 0 }},
  {"fifth-plane", "ICPT-014", "planes", { planes = 17 }},
  {"foreign-flag", "ICPT-279", "flags", { flags = 5 }},
  {"reserved", "ICPT-279", "reserved", { reserved = 1 }},
  {"vnic-16", "ICPT-134", "vnic", { destination_vnic = 16 }},
  {"source-vnic-255", "ICPT-134", "vnic", { source_vnic = 255 }},
  {"type-0", "ICPT-185", "content", { rmpp_type = 0 }},
  {"type-9", "ICPT-185", "content", { rmpp_type = 9 }},
  {"type-huge", "ICPT-289", "content", { rmpp_type = 0x01000001 }},
  {"length-0", "ICPT-152", "content", { rmpp_length = 0 }},
  {"length-short", "ICPT-152", "content", { rmpp_length = 95 }},
  {"length-long", "ICPT-153", "content", { rmpp_length = 600 }},
  {"length-huge", "ICPT-152", "content", { rmpp_length = 0xffffffff }},
  {"padding-8", "ICPT-152", "content", { padding = string.rep("\0", 12), length = 208 }} } do
  case {
    id = "hostile-rts-" .. name,
    title = "An RTS that cannot be is discarded, and takes no number",
    purpose = "It has the number that is due, and one thing is wrong with it: " .. name .. ". The honest message of "
      .. "the same number begins.",
    requirements = { req }, negative = true,
    run = function(t)
      local rank, card = receiver(t, req)
      local forged = card:rts(card:message { octets = 100, seed = 9, offset = 1000, number = card.number })
      for field, value in pairs(fields) do forged[field] = value end
      t:send_forged(req, card, forged, rule)
      honest_arrives(t, req, rank, card)
    end,
  }
end

---- what belongs to no message ----------------------------------------------------------------------------------------

for name, req, rule, message, fields in each {
  {"data", "ICPT-184", "data-of-nothing", "data", { packet_number = 0, data = string.rep("\1", 480) }},
  {"last-data", "ICPT-184", "data-of-nothing", "last_data", { packet_number = 0, data = "x" }},
  {"cts", "ICPT-186", "cts-of-nothing", "cts", { n = 1, mlength = 1000 }},
  {"next-cts", "ICPT-186", "cts-of-nothing", "next_cts", { n = 1 }},
  {"msgend", "ICPT-186", "end-of-nothing", "msgend", {}},
  {"msgerror", "ICPT-151", "end-of-nothing", "msgerror", { status = -2, data = "no" }} } do
  case {
    id = "hostile-unknown-" .. name,
    title = "A packet of a message that is not there is discarded",
    purpose = "A " .. name .. " packet with a number that neither side has begun, and one that is over.",
    requirements = { req }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t, req)
      card:gets_put(40)
      card:answer("msgend", card:take_rts(req))
      t:event(req, rank, "sent", { type = "PTL_EVENT_SENT" })
      for _, number in ipairs { 900, 0 } do
        local all = { message_number = number }
        for field, value in pairs(fields) do all[field] = value end
        t:send_forged(req, card, card:frame(message, all), rule)
      end
      honest_arrives(t, req, rank, card)
      t:equal(req, "events of messages that were sent", rank:count_events("sent"), 0)
      t:equal(req, "data packets", net:waiting("data") + net:waiting("last_data"), 0)
    end,
  }
end

case {
  id = "hostile-data-of-another-number",
  title = "Data for a number that is not open is discarded, whichever message is open instead",
  purpose = "While a message waits for its data, packets come for numbers that are 1, 2, 4 and so on to 4096 above its own, with other octets. Then come its own ones: the message is what they carry.",
  requirements = { "ICPT-184" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-184")
    local message = card:message { octets = 5000 }
    card:send_rts(message)
    card:take_cts("ICPT-184", message)
    for power = 0, 12 do
      local forged = card:data(message, power % 9)
      forged.data = string.rep("\xee", #forged.data)
      forged.message_number = forged.message_number + (1 << power)
      t:send_forged("ICPT-184", card, forged, "data-of-nothing")
      t:sanity("the packet is acknowledged", net:settled())
    end
    card:send_data(message, 0, Card.packets(5000) - 1)
    t:frame("ICPT-184", net, "msgend", { message_number = message.number })
    t:sanity_shown("an honest packet")
    t:event("ICPT-184", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 5000 })
    t:octets("ICPT-184", "the message", rank, "buf", "mix/5", 0, 5000)
    honest_arrives(t, "ICPT-184", rank, card)
  end,
}

---- data packets that were not asked for ------------------------------------------------------------------------------

for name, req, rule, change in each {
  {"not-granted", "ICPT-163", "data-not-granted", function(frame) frame.packet_number = 600 end},
  {"huge-number", "ICPT-154", "data-not-granted", function(frame) frame.packet_number = 0xffffffff end},
  {"short", "ICPT-291", "data-length", function(frame) frame.data = frame.data:sub(1, 100) end},
  {"reserved", "ICPT-291", "reserved", function(frame) frame.body_reserved = 7 end},
  {"none", "ICPT-291", "data-length", function(frame) frame.data = "" end} } do
  case {
    id = "hostile-data-" .. name,
    title = "A data packet that does not fit its message is discarded",
    purpose = "Of a message that is granted a packet comes that is wrong (" .. name .. "), with other octets; then "
      .. "all honest ones: the message is what they carry.",
    requirements = { req, "ICPT-155" }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t, req)
      local message = card:message { octets = 5000 }
      card:send_rts(message)
      card:take_cts("ICPT-155", message)
      local forged = card:data(message, 3)
      forged.data = string.rep("\xee", #forged.data)
      change(forged)
      t:send_forged(req, card, forged, rule)
      t:ignore_rules { "data-again" }
      card:send_data(message, 0, Card.packets(5000) - 1)
      t:ignore_rules { "data-again", "data-of-nothing" }
      t:frame(req, net, "msgend")
      t:sanity_shown("an honest packet")
      t:event("ICPT-155", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 5000 })
      t:octets(req, "the message", rank, "buf", "mix/5", 0, 5000)
    end,
  }
end

for name, again, others, missing in each { {"again", 0, { 1, 2 }, 3}, {"again-last", 3, { 1, 2 }, 0},
    {"again-middle", 2, { 0, 3 }, 1} } do
  case {
    id = "hostile-data-" .. name,
    title = "A data packet that comes again is not counted again",
    purpose = "Packet " .. again .. " of a message of four comes three times: the message is complete when "
      .. "all others are there, and not before.",
    requirements = { "ICPT-161" }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-161")
      local message = card:message { octets = 408 + 4 * 480 }
      card:send_rts(message)
      card:take_cts("ICPT-161", message)
      net:send(card:data(message, again))
      for _ = 1, 2 do t:send_forged("ICPT-161", card, card:data(message, again), "data-again") end
      for _, other in ipairs(others) do net:send(card:data(message, other)) end
      net:card():serves("ICPT-161")
      t:equal("ICPT-161", "events before the last packet", rank:count_events("eq"), 0)
      t:equal("ICPT-161", "MSGENDs before the last packet", net:waiting("msgend"), 0)
      net:send(card:data(message, missing))
      t:frame("ICPT-161", net, "msgend")
      t:sanity_shown("an honest packet")
      t:event("ICPT-161", rank, "eq", { type = "PTL_EVENT_PUT", mlength = #message.data })
      t:octets("ICPT-161", "the message", rank, "buf", "mix/5", 0, #message.data)
    end,
  }
end

---- grants that are wrong ---------------------------------------------------------------------------------------------

case {
  id = "hostile-grant-none",
  title = "A CTS of no packets grants nothing",
  purpose = "CTS with n = 0, then an honest one: the data packets come, once.",
  requirements = { "ICPT-157" }, negative = true,
  run = function(t)
    local _, card = receiver(t, "ICPT-157")
    card:gets_put(1000)
    local rts = card:take_rts("ICPT-157")
    t:send_forged("ICPT-157", card, card:frame("cts", { message_number = rts.message_number, n = 0, mlength = 1000 }),
      "count")
    card:grant(rts, 2)
    local packets = card:take_data("ICPT-157", 2)
    t:sanity("the honest grant is served", #packets == 2)
    t:same_octets("ICPT-157", "the message", Card.joined(rts, packets), core.mix(5, 1000))
    card:answer("msgend", rts)
  end,
}

case {
  id = "hostile-grant-too-large",
  title = "A grant of more packets than the message has brings no more than it has",
  purpose = "CTS for 1000 packets of a message that needs two: two come, and nothing of other memory.",
  requirements = { "ICPT-167", "ICPT-149" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-167")
    card:gets_put(1000)
    local rts = card:take_rts("ICPT-167")
    t:send_forged("ICPT-167", card, card:frame("cts", { message_number = rts.message_number, n = 1000,
      mlength = 1000 }),
      "grant-too-large")
    local packets = card:take_data("ICPT-167", 2)
    t:equal("ICPT-149", "the type of the last packet", packets[2].message, "last_data")
    t:same_octets("ICPT-167", "the message", Card.joined(rts, packets), core.mix(5, 1000))
    honest_arrives(t, "ICPT-167", rank, card)
    t:equal("ICPT-167", "further data packets", net:waiting("data") + net:waiting("last_data"), 0)
  end,
}

case {
  id = "hostile-grant-wants-more",
  title = "A CTS that wants more octets than the message has gets nothing beyond it",
  purpose = "A CTS for 8000 octets of a message of 1000: no data packet brings what is not the message's.",
  requirements = { "ICPT-167" }, negative = true,
  run = function(t)
    local _, card, net = receiver(t, "ICPT-167")
    card:gets_put(1000)
    local rts = card:take_rts("ICPT-167")
    t:send_forged("ICPT-167", card, card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8000 }),
      "cts-beyond")
    for _ = 1, 3 do net:card():serves("ICPT-167") end
    local total = 408
    repeat
      local packet = net:await({ "data", "stop_data", "last_data" }, nil, 0)
      total = total + (packet and #packet.data or 0)
    until not packet
    t:check("ICPT-167", "octets that come", total <= 1000, "at most 1000", total)
    if total == 408 then
      card:grant(rts, 2)
      t:sanity("an honest grant is served", #card:take_data("ICPT-167", 2) == 2)
    else
      t:sanity("the message is served", total == 1000)
    end
    card:answer("msgend", rts)
  end,
}

case {
  id = "hostile-cts-again",
  title = "A second CTS of a message brings nothing again",
  purpose = "The same CTS twice: each data packet comes once.",
  requirements = { "ICPT-145", "ICPT-143" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-145")
    card:gets_put(2000)
    local rts = card:take_rts("ICPT-145")
    card:grant(rts, 4)
    local packets = card:take_data("ICPT-145", 4)
    t:send_forged("ICPT-145", card, card:frame("cts", { message_number = rts.message_number, n = 4, mlength = 2000 }),
      "cts-again")
    t:same_octets("ICPT-145", "the message", Card.joined(rts, packets), core.mix(5, 2000))
    honest_arrives(t, "ICPT-143", rank, card)
    t:equal("ICPT-145", "further data packets", net:waiting("data") + net:waiting("last_data"), 0)
  end,
}

---- control messages --------------------------------------------------------------------------------------------------

for name, req, rule, fields in each {
  {"type-0", "ICPT-295", "content", { control_type = 0 }},
  {"type-10", "ICPT-295", "content", { control_type = 10 }},
  {"version-0", "ICPT-295", "content", { version = 0 }},
  {"version-2", "ICPT-295", "content", { version = 2 }},
  {"length-short", "ICPT-299", "content", { control_length = 120 }},
  {"length-long", "ICPT-087", "content", { control_length = 4096 }},
  {"reserved", "ICPT-279", "reserved", { reserved = 0x80000000 }} } do
  case {
    id = "hostile-control-" .. name,
    title = "A control message that cannot be is discarded, and takes no number",
    purpose = "A TRY_MATCH with the number that is due, and one thing wrong with it: " .. name
      .. ". The honest one of the same number begins.",
    requirements = { req, "ICPT-190" }, chapter = "2.2.2", negative = true,
    run = function(t)
      local rank, card = receiver(t, req)
      card:connect("ICPT-190")
      card.connected = true
      local forged = card:frame("try_match", { message_number = card.number, key = 99, address = 0x10000,
        match_length = 9000, data = card:header { rlength = 9000 } })
      for field, value in pairs(fields) do forged[field] = value end
      t:send_forged(req, card, forged, rule)
      local message = card:long_put(req, { octets = 9000, offset = 512 })
      t:sanity("the honest one is answered", message.reply)
      t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = 9000 })
      t:octets(req, "the message", rank, "buf", "mix/5", 512, 9000)
    end,
  }
end

for name, rule, fields in each { {"unknown", "command", { command = 2 }}, {"zero", "command", { command = 0 }},
    {"high-octet", "command", { command = 0x0101 }}, {"low-octet", "command", { command = 0x0100 }},
    {"nothing", "command", { amount = 0 }}, {"marked", "flags", { flags = 1 }} } do
  case {
    id = "hostile-command-" .. name,
    title = "A command that is none gives no credit",
    purpose = "A process that waits for credit gets a command packet that is wrong (" .. name
      .. "): nothing is sent; then credit, and it goes on.",
    requirements = { "ICPT-028", "ICPT-285" }, chapter = "2.1.2", negative = true,
    run = function(t)
      local _, card, net = t:meet()
      card:gets_put(9000)
      t:frame("ICPT-285", net, "command")
      local all = { amount = 5 }
      for field, value in pairs(fields) do all[field] = value end
      t:send_forged("ICPT-028", card, card:frame("command", all), rule)
      net:card():serves("ICPT-028")
      t:equal("ICPT-028", "control messages without credit", net:waiting("try_match"), 0)
      card:credit()
      local match = net:await("try_match")
      t:sanity("with credit the message goes on", match)
      t:equal("ICPT-285", "the message that comes", match.match_length, 9000)
      card:match_reply(match, -1, 0)
    end,
  }
end

---- VDMA packets and answers ------------------------------------------------------------------------------------------

for name, req, rule, change in each {
  {"channel-4", "ICPT-025", "channel", function(frame) frame.channel = 4 end},
  {"channel-huge", "ICPT-025", "channel", function(frame) frame.channel = 0xffff end},
  {"window-unaligned", "ICPT-077", "window", function(frame) frame.window_address = frame.window_address + 4 end},
  {"window-2-25", "ICPT-026", "window", function(frame) frame.window_address = 1 << 25 end},
  {"window-huge", "ICPT-026", "window", function(frame) frame.window_address = 0xfffffff8 end},
  {"window-2-24", "ICPT-026", "slice-beyond", function(frame)
    frame.window_address = frame.window_address | 1 << 24
  end},
  {"window-2-20", "ICPT-026", "slice-beyond", function(frame)
    frame.window_address = frame.window_address | 1 << 20
  end},
  {"over-page", "ICPT-068", "window", function(frame) frame.window_address = 4000 end},
  {"257th-page", "ICPT-067", "slice-beyond", function(frame) frame.window_address = 1 << 20 end},
  {"behind-slice", "ICPT-081", "slice-beyond", function(frame) frame.window_address = 12 * 4096 end},
  {"other-channel", "ICPT-025", "slice-of-nothing", function(frame) frame.channel = frame.channel ~ 1 end},
  {"other-card", "ICPT-072", "slice-of-nothing", function(frame, net) frame.source = net:card().iuca end} } do
  case {
    id = "hostile-vdma-" .. name,
    title = "A VDMA packet that has no place in a slice is discarded",
    purpose = "While a slice is due, a packet comes that is wrong (" .. name .. "); the slice is complete when its "
      .. "own packets are there, and memory behind it is untouched.",
    requirements = req == "ICPT-072" and { req } or { req, "ICPT-072" }, chapter = "2.1.3", negative = true,
    run = function(t)
      local rank, card, net = receiver(t, req)
      card:connect("ICPT-072")
      local message = card:message { octets = 20480 }
      card:try_match(message)
      local get, first = card:last_get("ICPT-072", message)
      local frames = card:slice_packets(message, get)
      t:skip_if(#frames < 2, "the system asks for " .. get.slice_length .. " octets")
      t:skip_if(name == "other-channel" and get.slices > 1, "the other channel has had a slice")
      local forged = card:frame("vdma_data", { channel = get.channel_granted, window_address = frames[2].window_address,
        data = string.rep("\xee", 512) })
      change(forged, net)
      t:send_forged(req, card, forged, rule)
      for i = 1, #frames - 1 do net:send(frames[i]) end
      net:card():serves("ICPT-072")
      t:equal("ICPT-072", "events before the last packet", rank:count_events("eq"), 0)
      net:send(frames[#frames])
      card:serve_blocks(message, first)
      t:frame(req, net, "match_reply")
      t:sanity_shown("an honest packet")
      t:event("ICPT-072", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20480 })
      t:octets(req, "the message", rank, "buf", "mix/5", 0, 20480)
      t:octets(req, "memory behind it", rank, "buf", "byte/0", 20480, 65536 - 20480)
    end,
  }
end

case {
  id = "hostile-vdma-unasked",
  title = "A VDMA packet for a channel that nobody was granted is discarded",
  purpose = "Packets for all channels while nothing is asked for; a long put afterwards arrives whole.",
  requirements = { "ICPT-096" }, chapter = "2.1.3", negative = true,
  run = function(t)
    local rank, card = receiver(t, "ICPT-096")
    card:connect("ICPT-096")
    card:credit()
    card.connected = true
    for channel = 0, 3 do
      t:send_forged("ICPT-096", card, card:frame("vdma_data", { channel = channel, data = string.rep("\xee", 512) }),
        "slice-of-nothing")
    end
    local message = card:long_put("ICPT-096", { octets = 9000 })
    t:sanity("the honest message is answered", message.reply)
    t:event("ICPT-096", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 9000 })
    t:octets("ICPT-096", "the message", rank, "buf", "mix/5", 0, 9000)
  end,
}

for name, req, rule, fields in each { {"key", "ICPT-115", "blocks-differ", { key_remaining = 0x1234567 }},
    {"key-high-bit", "ICPT-115", "blocks-differ",
      function(get) return { key_remaining = get.key_remaining ~ 1 << 63 } end},
    {"key-low-bit", "ICPT-115", "blocks-differ",
      function(get) return { key_remaining = get.key_remaining ~ 1 } end},
    {"both-lengths", "ICPT-298", "blocks-differ", { first_length = 1, data = string.rep("\xee", 16) }},
    {"first-length", "ICPT-298", "blocks-differ", function(get)
      local octets = get.first_block_length == 1 and 2 or 1
      return { first_length = octets, data = string.rep("\xee", 8 + get.last_block_length) }
    end},
    {"last-length", "ICPT-298", "blocks-differ", function(get)
      return { data = string.rep("\xee", (get.first_block_length + 7) // 8 * 8 + get.last_block_length + 1) }
    end},
    {"more-than-said", "ICPT-298", "content", function(get)
      return { data = string.rep("\xee", (get.first_block_length + 7) // 8 * 8 + get.last_block_length + 8) }
    end} } do
  case {
    id = "hostile-blocks-" .. name,
    title = "A GET_EXT_REPLY with another key or other lengths than asked for is discarded",
    purpose = "It comes before the right one; the message is complete with the right one, and has its octets.",
    requirements = { req, "ICPT-119" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local rank, card, net = receiver(t, req)
      card:connect("ICPT-119")
      local message = card:message { octets = 20011, offset = 3 }
      card:try_match(message)
      local last, get = card:last_get("ICPT-119", message)
      local forged = card:frame("get_ext_reply", { key = get.key, key_remaining = get.key_remaining,
        first_length = get.first_block_length, last_length = get.last_block_length,
        data = string.rep("\xee", (get.first_block_length + 7) // 8 * 8 + get.last_block_length) })
      for field, value in pairs(type(fields) == "function" and fields(get) or fields) do forged[field] = value end
      if rule ~= "content" then forged.last_length = #forged.data - (forged.first_length + 7) // 8 * 8 end
      t:send_forged(req, card, forged, rule)
      for _, frame in ipairs(card:slice_packets(message, last)) do net:send(frame) end
      net:card():serves("ICPT-119")
      t:equal(req, "events before the right reply", rank:count_events("eq"), 0)
      card:serve_blocks(message, get)
      t:ignore_rules { "blocks-of-nothing", "reply-early" }
      t:frame(req, net, "match_reply")
      t:sanity_shown("an honest reply")
      t:event("ICPT-119", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20011 })
      t:octets(req, "the message", rank, "buf", "mix/5", 3, 20011)
    end,
  }
end

-- Fields of the following that are none of the GET's: how long its message is, and so on.
local OF_THE_CASE = { below = true, block = true, less = true, octets = true }

for name, req, rule, fields in each {
  {"unknown-key", "ICPT-129", "get-of-nothing", { key = 0x7777 }},
  {"beyond", "ICPT-129", "get-beyond", { slice_length = 30016 }},
  {"before", "ICPT-129", "get-beyond", { slice_length = 30016, below = 4096 }},
  {"across-the-end", "ICPT-129", "get-beyond", { slice_length = 24000, below = -16000 }},
  {"channel-4", "ICPT-066", "channel", { channel_granted = 4 }},
  {"length-7", "ICPT-079", "slice", { slice_length = 1001 }},
  {"length-16", "ICPT-080", "slice", { slice_length = 16 }},
  {"window-8", "ICPT-078", "slice", { window_start = 8 }},
  {"too-long", "ICPT-070", "slice", { slice_length = (1 << 20) + 8, octets = (1 << 20) + 64 }},
  {"slice-number", "ICPT-096", "slice", { slice = 1, slices = 1 }},
  {"long-block", "ICPT-116", "remainder", { key_remaining = 5, first_block_length = 32, block = true }},
  {"one-octet-beyond", "ICPT-129", "get-beyond", { slice_length = 30000, less = 1 }},
  {"window-end", "ICPT-070", "slice", { window_start = (1 << 20) - 4096, slice_length = 8192 }},
  {"later-blocks", "ICPT-114", "remainder", { slice = 1, slices = 2, key_remaining = 5, first_block_length = 8,
    block = true }} } do
  case {
    id = "hostile-get-" .. name,
    title = "A GET that cannot be served is discarded, and brings no octet",
    purpose = "A GET that is wrong (" .. name .. ") for an open message of " .. (fields.octets or 30000)
      .. " octets; then an honest one, whose slice alone comes.",
    requirements = { req, "ICPT-097" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local _, card, net = receiver(t, req)
      card:gets_put((fields.octets or 30000) - (fields.less or 0))
      local match = card:take_try_match(req)
      local forged = card:frame("vdma_get", { key = match.key, channel_granted = 3, slices = 1, slice_length = 4096,
        address = match.address - (fields.below or 0) })
      for field, value in pairs(fields) do
        if not OF_THE_CASE[field] then forged[field] = value end
      end
      if fields.block then forged.first_block_addr = match.address end
      t:send_forged(req, card, forged, rule)
      local get = card:get(match, { slice_length = 8192, channel_granted = 0 })
      t:ignore_rules { "get-beyond", "get-slices", "no-credit" }
      local octets = card:take_slice(req, get)
      t:sanity("the honest GET is served", #octets == 8192)
      t:same_octets("ICPT-097", "its slice", octets, core.mix(5, 8192))
      net:card():serves(req)
      t:equal(req, "packets beyond that slice, and blocks", net:waiting("vdma_data") + net:waiting("get_ext_reply"), 0)
      card:match_reply(match)
      t:ignore_rules { "reply-early", "no-credit" }
    end,
  }
end

for name, end_of, at, length in each { {"first-before", "first", -8, 24}, {"first-astride", "first", -1, 16},
    {"first-behind", "first", 30000, 8}, {"last-astride", "last", 29993, 8}, {"last-behind", "last", 30000, 31},
    {"last-far", "last", 1 << 40, 8} } do
  case {
    id = "hostile-get-block-" .. name,
    title = "A GET for a block that is not the message's brings no octet of it",
    purpose = string.format("A GET of an open message of 30000 octets asks for a %s block of %d octets that begins "
      .. "%d octets behind the message's first one; then an honest GET, which is served.", end_of, length, at),
    requirements = { "ICPT-129" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local _, card, net = receiver(t, "ICPT-129")
      card:gets_put(30000)
      local match = card:take_try_match("ICPT-129")
      -- The slice is as long as the message, so that the block is more than there is.
      t:send_forged("ICPT-129", card, card:frame("vdma_get", { key = match.key, channel_granted = 3, slices = 1,
        slice_length = 30000, address = match.address, key_remaining = 5, [end_of .. "_block_length"] = length,
        [end_of .. "_block_addr"] = match.address + at }), "get-beyond")
      local get = card:get(match, { slice_length = 8192, channel_granted = 0 })
      t:ignore_rules { "get-beyond", "get-slices", "no-credit" }
      t:sanity("the honest GET is served", #card:take_slice("ICPT-129", get) == 8192)
      net:card():serves("ICPT-129")
      t:equal("ICPT-129", "replies with a block that is not the message's", net:waiting("get_ext_reply"), 0)
      card:match_reply(match)
      t:ignore_rules { "reply-early", "no-credit" }
    end,
  }
end

for name, message in each { {"match-reply", "match_reply"}, {"done", "done"} } do
  case {
    id = "hostile-ended-" .. name,
    title = "A final answer to a request that is not there ends nothing",
    purpose = "An answer with another key, and one of the other kind, while a long message is open: no event; the right one ends it.",
    requirements = { "ICPT-126" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-126")
      card:gets_put(9000)
      local match = card:take_try_match("ICPT-126")
      t:send_forged("ICPT-126", card, card:frame(message, { key = match.key + (message == "done" and 0 or 1000) }),
        "reply-of-nothing")
      net:card():serves("ICPT-126")
      t:equal("ICPT-126", "events before the right answer", rank:count_events("sent"), 0)
      card:match_reply(match, -1, 0)
      local event = rank:wait("sent").event
      t:sanity("the right answer ends the message", event)
      t:equal("ICPT-126", "the event", event.type, "PTL_EVENT_SENT")
    end,
  }
end

for kind in each { { "msgend" }, { "msgerror" } } do
  case {
    id = "hostile-ended-" .. kind,
    title = "An answer to a short message with the number of a long one does not end it",
    purpose = kind:upper() .. " with the number of a long message that is open: no event. Its octets are moved "
      .. "then, and the right answer ends it.",
    requirements = { "ICPT-126" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-126")
      card:gets_put(9216)
      local match = card:take_try_match("ICPT-126")
      t:send_forged("ICPT-126", card, card:frame(kind, { message_number = match.message_number }), "end-of-nothing")
      net:card():serves("ICPT-126")
      t:equal("ICPT-126", "events before the right answer", rank:count_events("sent"), 0)
      local octets = card:take_slice("ICPT-126", card:get(match, { slice_length = 9216 }))
      t:same_octets("ICPT-126", "the message", octets, core.mix(5, 9216, 0))
      card:match_reply(match, 0, 9216)
      local event = rank:wait("sent").event
      t:sanity("the right answer ends the message", event)
      t:equal("ICPT-126", "the event", event.type, "PTL_EVENT_SENT")
    end,
  }
end

case {
  id = "hostile-flood",
  title = "A thousand random packets for every virtual NIC harm nobody",
  purpose = "Short messages of random octets with the right CRC, for VNIC 0 and others; honest messages of both kinds arrive afterwards.",
  requirements = { "ICPT-185" },
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-185")
    t:judging("ICPT-185")
    for i = 1, 1000 do
      local octets = {}
      for j = 1, 8 * t.random(12) do octets[j] = string.char(t.random(256) - 1) end
      net:send(card:frame("short_message", { destination_vnic = i % 16, source_vnic = i % 3, source = card.iuca + 2,
        planes = 1, flags = 0, data = "\xff" .. table.concat(octets):sub(2) }))
    end
    t:equal("ICPT-185", "all are acknowledged on the link", net:settled(20000), true)
    t:ignore_rules { "content" }
    local message = card:put({ octets = 3000, offset = 0 }, "ICPT-185")
    t:check("ICPT-185", "an honest put is answered", message.answer, "msgend", "nothing")
    t:event("ICPT-185", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 3000 })
  end,
}
