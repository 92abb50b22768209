-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- RMPP (5.2.3, table 5.1): short messages that the process under test sends. The card grants, takes and ends them, as
-- the case says. It has one plane, so packets come in the order in which they were sent.

defaults { suite = "short-out", chapter = "5.2.3", network = true, deadline = 60 }

local DATA_FRAMES = { "data", "stop_data", "last_data" }

-- Data packets in the order of their numbers: in which order they leave, and four planes bring them, is free.
local function by_number(packets)
  table.sort(packets, function(one, other) return one.packet_number < other.packet_number end)
  return packets
end

-- How many data packets come until a later message of another process is answered: nothing more is under way.
local function data_until_fence(t, req, card)
  local count, fence = 0, card.net:card()
  fence:serves(req)
  while card.net:await(DATA_FRAMES, nil, 0) do count = count + 1 end
  return count
end

for name, octets in each { {"nothing", 0}, {"one", 1}, {"quadword", 8}, {"odd", 407}, {"full", 408} } do
  case {
    id = "out-rts-only-" .. name,
    title = string.format("A message of %d octets travels in its RTS", octets),
    purpose = "The RTS carries all of it, its length counts RMPP header, Portals header and data, and the padding is zeros.",
    requirements = { "ICPT-144", "ICPT-152", "ICPT-153", "ICPT-159", octets == 0 and "ICPT-217" or "ICPT-289" },
    run = function(t)
      local rank, card = t:meet()
      card:gets_put(octets)
      local rts = card:take_rts(octets == 0 and "ICPT-217" or "ICPT-144")
      t:equal("ICPT-152", "type and number", { rts.rmpp_type, rts.message_number }, { 1, 0 })
      t:equal("ICPT-153", "the RMPP length", rts.rmpp_length, 96 + octets)
      t:equal("ICPT-153", "octets of the packet, in whole quadwords", rts.length, (96 + octets + 7) // 8 * 8)
      t:same_octets("ICPT-159", "the data", rts.portals.data, core.mix(5, octets))
      t:same_octets("ICPT-153", "the padding", rts.octets:sub(17 + 96 + octets, -5),
        string.rep("\0", -(96 + octets) % 8))
      if octets == 0 then
        t:equal("ICPT-217", "length in the Portals header", rts.portals.rlength, 0)
      else
        t:equal("ICPT-289", "the code of the type", rts.rmpp_type, 1)
      end
      card:answer("msgend", rts)
      t:event("ICPT-144", rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

for name, octets in each { {"one-more", 409}, {"packet", 888}, {"packet-and-one", 889}, {"some", 5000},
    {"most", 8088} } do
  case {
    id = "out-data-" .. name,
    title = string.format("A message of %d octets goes on in data packets when it is granted", octets),
    purpose = "The RTS is full; packets are numbered from 0, full but for the last, and the last one is LAST_DATA. Put together by their numbers they are the message.",
    requirements = { "ICPT-147", "ICPT-149", "ICPT-154", "ICPT-159", "ICPT-291", "ICPT-165" },
    run = function(t)
      local rank, card = t:meet()
      card:gets_put(octets)
      local rts = card:take_rts("ICPT-165")
      t:equal("ICPT-159", "octets of data in the RTS", #rts.portals.data, 408)
      local count = Card.packets(octets)
      card:grant(rts, count)
      local packets = by_number(card:take_data("ICPT-147", count))
      for i, packet in ipairs(packets) do
        t:equal("ICPT-154", "the number of a packet", packet.packet_number, i - 1)
        t:equal("ICPT-149", "the type of packet " .. i - 1, packet.message, i == count and "last_data" or "data")
        t:equal("ICPT-291", "octets of packet " .. i - 1, #packet.data, i == count and octets - 408 - 480 * (i - 1)
          or 480)
        t:equal("ICPT-147", "the message that it belongs to", packet.message_number, rts.message_number)
      end
      t:same_octets("ICPT-147", "the message", Card.joined(rts, packets), core.mix(5, octets))
      card:answer("msgend", rts)
      t:event("ICPT-147", rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

for name, n in each { {"one", 1}, {"three", 3}, {"fifteen", 15} } do
  case {
    id = "out-granted-" .. name,
    title = "No more data packets are sent than have been granted",
    purpose = string.format("%d of 16 packets are granted: so many come, the last of them as STOP_DATA, and the "
      .. "rest when more is granted.", n),
    requirements = { "ICPT-142", "ICPT-148", "ICPT-156", "ICPT-146" },
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(8088)
      local rts = card:take_rts("ICPT-142")
      card:grant(rts, n)
      local packets = card:take_data("ICPT-142", n)
      t:equal("ICPT-142", "packets beyond the grant", data_until_fence(t, "ICPT-142", card), 0)
      by_number(packets)
      for i, packet in ipairs(packets) do
        t:equal("ICPT-148", "the type of packet " .. i - 1, packet.message, i == n and "stop_data" or "data")
      end
      card:answer("next_cts", rts, { n = 16 - n })
      local rest = by_number(card:take_data("ICPT-146", 16 - n))
      t:equal("ICPT-156", "the first number of the second grant", rest[1].packet_number, n)
      t:equal("ICPT-148", "the type of the last packet", rest[#rest].message, "last_data")
      for _, packet in ipairs(rest) do packets[#packets + 1] = packet end
      t:same_octets("ICPT-156", "the message", Card.joined(rts, packets), core.mix(5, 8088))
      card:answer("msgend", rts)
      t:event("ICPT-146", rank, "sent", { type = "PTL_EVENT_SENT" })
      t:check("ICPT-142", "the network is quiet", net:waiting("data") == 0, "nothing", "data packets")
    end,
  }
end

-- So many octets that the last packet is full.
local whole = 1200
while Card.packets(whole) == Card.packets(whole + 1) do whole = whole + 1 end

for name, wanted in each { {"one-packet", 409}, {"two-packets", 1200}, {"whole-packets", whole},
    {"all-but-one", 4999} } do
  case {
    id = "out-wanted-" .. name,
    title = "A sender sends no more octets than the receiver has asked for",
    purpose = string.format("Of 5000 octets a CTS wants %d, and grants 16 packets: just these octets come, with "
      .. "LAST_DATA at their end.", wanted),
    requirements = { "ICPT-167", "ICPT-149" },
    run = function(t)
      local rank, card = t:meet()
      card:gets_put(5000)
      local rts = card:take_rts("ICPT-167")
      local count = Card.packets(wanted)
      card:grant(rts, count, wanted)
      local packets = card:take_data("ICPT-167", count)
      t:equal("ICPT-149", "the type of the last packet", packets[count].message, "last_data")
      t:equal("ICPT-167", "octets that have come", #Card.joined(rts, packets), wanted)
      t:equal("ICPT-167", "packets beyond what is wanted", data_until_fence(t, "ICPT-167", card), 0)
      card:answer("msgend", rts)
      t:event("ICPT-167", rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

case {
  id = "out-ended-by-msgend",
  title = "A sender does not end a short message before MSGEND has come",
  purpose = "All data packets have come and been acknowledged on the link: no event. MSGEND: the event, once.",
  requirements = { "ICPT-169", "ICPT-150", "ICPT-222" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(4000)
    local rts = card:take_rts("ICPT-150")
    card:grant(rts, Card.packets(4000))
    card:take_data("ICPT-150", Card.packets(4000))
    net:card():serves("ICPT-169")
    t:equal("ICPT-169", "events before MSGEND", rank:count_events("sent"), 0)
    t:judging("ICPT-222")
    card:answer("msgend", rts)
    t:event("ICPT-150", rank, "sent", { type = "PTL_EVENT_SENT" })
    net:card():serves("ICPT-222")
    t:equal("ICPT-222", "further events", rank:count_events("sent"), 0)
  end,
}

case {
  id = "out-msgend-early",
  title = "MSGEND ends a message of which nothing more is wanted",
  purpose = "Of 5000 octets the receiver takes what is in the RTS: MSGEND without CTS, and no data packet comes.",
  requirements = { "ICPT-150", "ICPT-142", "ICPT-178" },
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(5000)
    card:gets_put(10)
    local rts = card:take_rts("ICPT-150")
    card:answer("msgend", rts)
    t:event("ICPT-150", rank, "sent", { type = "PTL_EVENT_SENT" })
    local later = card:take_rts("ICPT-178", { message_number = 1 })
    t:equal("ICPT-142", "data packets without a grant", data_until_fence(t, "ICPT-142", card), 0)
    card:answer("msgend", later)
    t:event("ICPT-178", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

for name, fields in each { {"with-text", { data = "out of memory" }}, {"bare", {}}, {"boot", { boot = true }} } do
  case {
    id = "out-msgerror-" .. name,
    title = "MSGERROR aborts a message, and those behind it go on",
    purpose = "The receiver aborts the message in the midst of its data; the process can use the descriptor, and its next message has the next number.",
    requirements = { "ICPT-151", "ICPT-191", "ICPT-293" },
    run = function(t)
      local _, card = t:meet()
      if not fields.boot then
        card:gets_put(8)
        card:answer("msgend", card:take_rts("ICPT-151"))
      end
      card:gets_put(5000)
      local rts = card:take_rts("ICPT-151")
      if not fields.boot then
        card:grant(rts, 2)
        card:take_data("ICPT-151", 2)
      end
      card:answer("msgerror", rts, { status = -2, data = fields.data })
      card:gets_put(300)
      local later = card:take_rts("ICPT-191", { message_number = rts.message_number + 1 })
      t:equal("ICPT-293", "data packets of the aborted message", data_until_fence(t, "ICPT-293", card), 0)
      t:same_octets("ICPT-191", "the next message", later.portals.data, core.mix(5, 300))
      card:answer("msgend", later)
    end,
  }
end

case {
  id = "out-msgerror-ends-grants",
  title = "Of a message that was aborted nothing more is sent",
  purpose = "MSGERROR behind the first packets of a message, then a NEXT_CTS for it: no data packet comes.",
  requirements = { "ICPT-151" }, negative = true,
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(5000)
    local rts = card:take_rts("ICPT-151")
    card:grant(rts, 2)
    card:take_data("ICPT-151", 2)
    card:answer("msgerror", rts, { status = -2 })
    t:send_forged("ICPT-151", card, card:frame("next_cts", { message_number = rts.message_number, n = 3 }),
      "cts-of-nothing")
    t:equal("ICPT-151", "data packets behind MSGERROR", data_until_fence(t, "ICPT-151", card), 0)
    card:gets_put(30)
    local later = card:take_rts("ICPT-151")
    t:sanity("the next message comes", later)
    card:answer("msgend", later)
    t:equal("ICPT-151", "further data packets", net:waiting("data"), 0)
  end,
}

case {
  id = "out-two-open",
  title = "An answer belongs to the message whose number it bears",
  purpose = "Two messages are open; the second is granted first: its data comes, with its number.",
  requirements = { "ICPT-186" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-186"))
    card:gets_put(1000)
    card:gets_put(2000)
    local first, second = card:take_rts("ICPT-186"), card:take_rts("ICPT-186")
    card:grant(second, Card.packets(2000))
    for _, packet in ipairs(card:take_data("ICPT-186", Card.packets(2000))) do
      t:equal("ICPT-186", "the message of a data packet", packet.message_number, 2)
    end
    card:grant(first, Card.packets(1000))
    for _, packet in ipairs(card:take_data("ICPT-186", Card.packets(1000))) do
      t:equal("ICPT-186", "the message of a data packet", packet.message_number, 1)
    end
    card:answer("msgend", first)
    card:answer("msgend", second)
  end,
}

case {
  id = "out-once",
  title = "Nothing above the links is sent again",
  purpose = "A message waits for its CTS, then for its MSGEND, while the links lose nothing: RTS and data packets come once.",
  requirements = { "ICPT-143" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(2000)
    local rts = card:take_rts("ICPT-143")
    local other = net:card()
    for _ = 1, 40 do other:serves("ICPT-143") end
    t:equal("ICPT-143", "further RTS while the message waits", net:waiting("rts"), 0)
    card:grant(rts, Card.packets(2000))
    local seen = {}
    for _, packet in ipairs(card:take_data("ICPT-143", Card.packets(2000))) do
      t:check("ICPT-143", "a packet of that number came before", not seen[packet.packet_number], "no",
        packet.packet_number)
      seen[packet.packet_number] = true
    end
    for _ = 1, 40 do other:serves("ICPT-143") end
    t:equal("ICPT-143", "further data packets", net:waiting("data") + net:waiting("last_data"), 0)
    card:answer("msgend", rts)
    t:event("ICPT-143", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "out-threshold",
  title = "What RTS and sixteen data packets hold goes by RMPP, one octet more by VDMA",
  purpose = "Puts of 8088 and of 8089 octets: an RTS, which needs one grant, and a TRY_MATCH.",
  requirements = { "ICPT-165", "ICPT-166", "ICPT-229", "ICPT-124" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8088)
    local first = net:await { "rts", "upd_conn", "try_match" }
    t:equal("ICPT-165", "8088 octets go by", first and first.message, "rts")
    first.portals = Card.portals(first)
    card:grant(first, 16)
    local packets = card:take_data("ICPT-166", 16)
    t:equal("ICPT-166", "the sixteenth packet is", packets[16].message, "last_data")
    card:answer("msgend", first)
    card:gets_put(8089)
    local second = net:await { "rts", "upd_conn", "try_match" }
    t:check("ICPT-229", "8089 octets do not go by", second and second.message ~= "rts", "RTS", second
      and second.message)
    table.insert(net.stash, 1, second)
    local match = card:take_try_match("ICPT-124")
    t:equal("ICPT-124", "octets behind its Portals header", #match.data, 80)
    card:match_reply(match, -1, 0)
    t:event("ICPT-165", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "out-several",
  title = "What the process and its driver's thread send does not mix",
  purpose = "Ten puts of the process and the acknowledgements of ten puts of the card at the same time: every message is whole, and numbers follow each other.",
  requirements = { "ICPT-137", "ICPT-171", "ICPT-180" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(65536)
    for _ = 1, 2 do card:gets_put(10) end
    for number = 0, 1 do
      card:answer("msgend", card:take_rts("ICPT-171", { message_number = number }))
    end
    card:serves("ICPT-137")
    for i = 1, 10 do
      card:gets_put(300 + i)
      card:send_rts(card:message { octets = 400, md = 70 + i })
    end
    local puts = 0
    for number = 2, 21 do
      local rts = card:take_rts("ICPT-137", { message_number = number })
      if rts.portals.operation == "put" then
        puts = puts + 1
        t:same_octets("ICPT-137", "message " .. puts, rts.portals.data, core.mix(5, 300 + puts))
      end
      card:answer("msgend", rts)
    end
    t:equal("ICPT-137", "puts among twenty messages", puts, 10)
    for _ = 1, 10 do t:frame("ICPT-137", net, "msgend") end
    for _ = 1, 12 do t:event("ICPT-180", rank, "sent", { type = "PTL_EVENT_SENT" }) end
  end,
}

case {
  id = "out-postponed",
  title = "Sends that find no room wait, and do not fail or change their order",
  purpose = "A thousand puts of 400 octets while nothing is acknowledged on the link; then all of them come, in their order.",
  requirements = { "ICPT-180", "ICPT-183", "ICPT-171" }, deadline = 180,
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-180"))
    t:event("ICPT-180", rank, "sent", { type = "PTL_EVENT_SENT" })
    net:settled()
    net:cut(1)
    rank:bind { region = "many", octets = 400, fill = "mix/5", md = "many-md", eventq = "sent" }
    for _ = 1, 1000 do t:rc("ICPT-180", rank:PtlPut { mem_desc = "many-md", target = t.nid(card.id) }, "PTL_OK") end
    net:cut(0)
    for number = 1, 1000 do
      local rts = card:take_rts("ICPT-180")
      t:equal("ICPT-183", "the number of the message that comes next", rts.message_number, number)
      card:answer("msgend", rts)
    end
    t:equal("ICPT-180", "events of messages that were sent", #rank:collect("sent", 60), 60)
    t:equal("ICPT-171", "the numbers have no hole", net:waiting("rts"), 0)
  end,
}

for name, operation in each { {"get", "get"}, {"acknowledgement", "ack"}, {"reply", "reply"} } do
  case {
    id = "out-operation-" .. name,
    title = "Puts, gets, acknowledgements and replies travel by the same means",
    purpose = "The " .. name .. " of the process comes in an RTS with the next number, and ends by MSGEND.",
    requirements = { "ICPT-224", "ICPT-294" }, chapter = "7.3",
    run = function(t)
      local rank, card = t:meet()
      card:may_put(300)
      rank:fill("buf", "mix/9")
      if operation == "get" then
        rank:bind { region = "in", octets = 100, md = "in-md", eventq = "eq" }
        rank:get { mem_desc = "in-md", target = t.nid(card.id) }
      else
        card:put({ operation = operation == "ack" and "put" or "get", octets = operation == "ack" and 40 or 0,
          rlength = operation == "ack" and 40 or 200, md = 77 }, "ICPT-224")
      end
      local rts = card:take_rts("ICPT-224")
      t:equal("ICPT-224", "what comes", rts.portals.operation, operation)
      t:equal("ICPT-224", "its number", rts.message_number, 0)
      if operation == "reply" then
        t:same_octets("ICPT-224", "the data of the reply", rts.portals.data, core.mix(9, 200))
      end
      t:equal("ICPT-294", "octets of the Portals header", #rts.data - #rts.portals.data, 80)
      card:answer("msgend", rts)
      if operation == "get" then
        card:put({ operation = "reply", md = rts.portals.md, octets = 100, seed = 3, rlength = 100, mlength = 100 },
          "ICPT-224")
        t:event("ICPT-224", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
      end
    end,
  }
end

case {
  id = "out-every-message-ends-once",
  title = "However a message goes, it is ended once for its sender",
  purpose = "Short and long puts that are taken wholly, in part and not at all: behind each answer one event, and no more when all have been answered.",
  requirements = { "ICPT-222" }, chapter = "5.3.2",
  run = function(t)
    local rank, card, net = t:meet()
    local function ended(what)
      local event = rank:wait("sent").event
      t:check("ICPT-222", "the end of " .. what, event and event.type == "PTL_EVENT_SENT", "PTL_EVENT_SENT",
        event and event.type or "no event")
    end
    for round = 1, 2 do
      for what, octets in each { { "nothing", 0 }, { "a short put", 300 },
          { "a put of which the rest is not wanted", 5000 } } do
        card:gets_put(octets)
        card:answer("msgend", card:take_rts("ICPT-222"))
        ended(what .. ", round " .. round)
      end
      for what, status, mlength in each { { "a long put that nobody wants", -1, 0 },
          { "a long put that is wanted", 0, 20000 } } do
        card:gets_put(20000)
        local match = card:take_try_match("ICPT-222")
        if status == 0 then card:pull("ICPT-222", match) else card:match_reply(match, status, mlength) end
        ended(what .. ", round " .. round)
      end
    end
    net:card():serves("ICPT-222")
    t:equal("ICPT-222", "further events", rank:count_events("sent"), 0)
  end,
}

case {
  id = "out-nothing-among-others",
  title = "Messages without data are sent behind and between others, in their order",
  purpose = "Empty puts and puts of 900 octets in turn, of which the first is answered late: each has an RTS with its number, and the empty ones nothing but their header. An empty reply is sent likewise.",
  requirements = { "ICPT-217" },
  run = function(t)
    local rank, card = t:meet()
    for i = 0, 4 do card:gets_put(i % 2 == 0 and 0 or 900) end
    for number = 0, 4 do
      local rts = card:take_rts("ICPT-217", { message_number = number })
      local octets = number % 2 == 0 and 0 or 900
      t:equal("ICPT-217", "length of message " .. number, rts.portals.rlength, octets)
      if octets == 0 then
        t:equal("ICPT-217", "its octets behind the header", #rts.portals.data, 0)
      else
        card:grant(rts, Card.packets(octets))
        card:take_data("ICPT-217", Card.packets(octets))
      end
      card:answer("msgend", rts)
      t:event("ICPT-217", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
    card:may_put(16)
    card:put({ operation = "get", md = 77, rlength = 0 }, "ICPT-217")
    local rts = card:take_rts("ICPT-217", { message_number = 5 })
    t:equal("ICPT-217", "the reply, its length and its data",
      { rts.portals.operation, rts.portals.mlength, #rts.portals.data }, { "reply", 0, 0 })
    card:answer("msgend", rts)
  end,
}

for name, granted in each { {"before-its-cts", 0}, {"behind-its-cts", 2} } do
  case {
    id = "out-msgerror-ends-all-" .. name,
    title = "A message that was aborted is ended, and no grant brings it back",
    purpose = "MSGERROR comes when " .. granted .. " packets have been granted, then another grant of the message: no "
      .. "data packet comes.",
    requirements = { "ICPT-191" }, negative = true,
    run = function(t)
      local _, card = t:meet()
      card:gets_put(8)
      card:answer("msgend", card:take_rts("ICPT-191"))
      card:gets_put(5000)
      local rts = card:take_rts("ICPT-191")
      if granted > 0 then
        card:grant(rts, granted)
        card:take_data("ICPT-191", granted)
      end
      card:answer("msgerror", rts, { status = -2 })
      t:send_forged("ICPT-191", card, card:frame(granted > 0 and "next_cts" or "cts",
        { message_number = rts.message_number, n = 3, mlength = granted == 0 and 5000 or nil }), "cts-of-nothing")
      t:equal("ICPT-191", "data packets behind MSGERROR", data_until_fence(t, "ICPT-191", card), 0)
      card:gets_put(30)
      local later = card:take_rts("ICPT-191", { message_number = rts.message_number + 1 })
      t:sanity("the next message comes", later)
      card:answer("msgend", later)
    end,
  }
end

case {
  id = "out-msgend-in-the-midst",
  title = "MSGEND ends a message of which nothing more is wanted, also in the midst of its data",
  purpose = "Of a message of 5000 octets two packets have been granted and have come when MSGEND comes: the event of its end.",
  requirements = { "ICPT-150" },
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-150"))
    t:event("ICPT-150", rank, "sent", { type = "PTL_EVENT_SENT" })
    card:gets_put(5000)
    local rts = card:take_rts("ICPT-150")
    card:grant(rts, 2)
    card:take_data("ICPT-150", 2)
    card:answer("msgend", rts)
    t:event("ICPT-150", rank, "sent", { type = "PTL_EVENT_SENT" })
    t:equal("ICPT-150", "data packets behind MSGEND", data_until_fence(t, "ICPT-150", card), 0)
    card:gets_put(30)
    local later = card:take_rts("ICPT-150")
    t:sanity("the next message comes", later)
    card:answer("msgend", later)
  end,
}

case {
  id = "out-answers-to-numbers-alike",
  title = "An answer to another number is none to a message whose number is like it",
  purpose = "While message 1 is open, CTS and MSGEND come for numbers that differ from it in one bit, of the lowest octet, of others and of the highest: no data packet and no event. Then it is granted and ended.",
  requirements = { "ICPT-186" }, negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-186"))
    t:event("ICPT-186", rank, "sent", { type = "PTL_EVENT_SENT" })
    card:gets_put(2000)
    local rts = card:take_rts("ICPT-186", { message_number = 1 })
    for _, bit in ipairs { 3, 6, 8, 16, 32, 63 } do
      local number = 1 ~ 1 << bit
      t:send_forged("ICPT-186", card, card:frame("cts", { message_number = number, n = 4, mlength = 2000 }),
        "cts-of-nothing")
      t:send_forged("ICPT-186", card, card:frame("msgend", { message_number = number }), "end-of-nothing")
      net:settled() -- so that the link has room for the next ones
    end
    t:equal("ICPT-186", "data packets for answers to other numbers", data_until_fence(t, "ICPT-186", card), 0)
    t:equal("ICPT-186", "events for answers to other numbers", rank:count_events("sent"), 0)
    card:grant(rts, 4)
    local packets = card:take_data("ICPT-186", 4)
    t:sanity("the honest grant is served", #packets == 4)
    t:same_octets("ICPT-186", "the message", Card.joined(rts, packets), core.mix(5, 2000))
    card:answer("msgend", rts)
    t:event("ICPT-186", rank, "sent", { type = "PTL_EVENT_SENT" })
    t:equal("ICPT-186", "further data packets", net:waiting("data") + net:waiting("last_data"), 0)
  end,
}

case {
  id = "out-data-postponed",
  title = "Data packets and answers that find no room are sent later",
  purpose = "Of twelve messages of 8088 octets those that are begun at once are granted while nothing is acknowledged on the link; behind the grants come messages that want a CTS or an MSGEND. When the link goes on every data packet and every answer comes.",
  requirements = { "ICPT-180", "ICPT-181" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet()
    local count <const>, wanting <const> = 12, 8
    local ANY <const> = { "data", "stop_data", "last_data", "cts", "msgend" }
    card:may_put(65536)
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-180"))
    card:serves("ICPT-181")
    local opened, seen = {}, {}
    for _ = 1, count do card:gets_put(8088) end
    opened[1] = card:take_rts("ICPT-180", { message_number = 1 })
    for _ = 1, 3 do card:serves("ICPT-181") end
    while net:waiting("rts") > 0 do opened[#opened + 1] = card:take_rts("ICPT-180") end -- as many as are open at once
    net:settled()
    net:rules(1, false, true)
    for _, rts in ipairs(opened) do card:grant(rts, 16) end
    for i = 1, wanting do
      card:send_rts(card:message { octets = 2000, offset = 2000 * i })
      card:send_rts(card:message { octets = 8, portal = 7 })
    end
    net:settled()
    local first = net:await(ANY)
    t:sanity("packets come", first)
    net.stash = {}
    net:sequence(0, nil, first.sequence)
    net:rules(1, true, true)
    local data, answers = 0, 0
    while data < 16 * #opened or answers < 2 * wanting do
      local frame = net:await(ANY)
      if not frame then break end
      local is_data = frame.message ~= "cts" and frame.message ~= "msgend"
      local name = (is_data and frame.packet_number or frame.message) .. " of " .. frame.message_number
      if not seen[name] then
        data, answers = data + (is_data and 1 or 0), answers + (is_data and 0 or 1)
      end
      seen[name] = true
    end
    t:equal("ICPT-180", "data packets of the messages", data, 16 * #opened)
    t:equal("ICPT-181", "answers to messages", answers, 2 * wanting)
    for i = 1, count do
      card:answer("msgend", opened[i] or card:take_rts("ICPT-180"))
      t:event("ICPT-180", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
  end,
}
