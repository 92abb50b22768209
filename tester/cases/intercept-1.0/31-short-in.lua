-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- RMPP (5.2.3, table 5.1): short messages that the process under test receives. The card sends them packet by packet,
-- in any order, and with what no network should bring.

defaults { suite = "short-in", chapter = "5.2.3", network = true, deadline = 60 }

-- An RTS of so many octets has been answered by a CTS, which is judged: rank, card, message.
local function granted(t, req, octets, given)
  local rank, card, net = t:meet()
  card:may_put(16384, given and given.entry)
  local all = { octets = octets }
  for name, value in pairs(given or {}) do all[name] = name ~= "entry" and value or nil end
  local message = card:message(all)
  card:send_rts(message)
  card:take_cts(req, message)
  return rank, card, message, net
end

local function arrives(t, req, rank, octets, fields)
  local all = { type = "PTL_EVENT_PUT", mlength = octets }
  for name, value in pairs(fields or {}) do all[name] = value end
  t:event(req, rank, "eq", all)
  t:octets(req, "the message", rank, "buf", "mix/5", 0, octets)
end

for name, octets in each { {"nothing", 0}, {"some", 100}, {"full", 408} } do
  case {
    id = "in-rts-only-" .. name,
    title = "Where all that is wanted is in the RTS, MSGEND comes at once",
    purpose = string.format("A put of %d octets: stored, logged, and answered with MSGEND of its number; no CTS.",
      octets),
    requirements = { "ICPT-160", "ICPT-150", "ICPT-170", octets == 0 and "ICPT-217" or "ICPT-159" },
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(1024)
      card:send_rts(card:message { octets = octets })
      local answer = net:await { "cts", "msgend", "msgerror" }
      t:equal("ICPT-160", "the answer", answer and answer.message, "msgend")
      t:equal("ICPT-150", "number and length of the answer", { answer.message_number, answer.rmpp_length }, { 0, 16 })
      t:event("ICPT-170", rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets, rlength = octets })
      if octets == 0 then
        t:equal("ICPT-217", "further events", rank:count_events("eq"), 0)
      else
        t:octets("ICPT-159", "the message", rank, "buf", "mix/5", 0, octets)
      end
    end,
  }
end

for name, octets in each { {"one-packet", 501}, {"ten", 4999}, {"sixteen", 8088} } do
  case {
    id = "in-cts-" .. name,
    title = "A CTS grants as many packets as are needed, and says how many octets are wanted",
    purpose = string.format("A put of %d octets: n and mlength of the CTS, its layout, and the message.", octets),
    requirements = { "ICPT-145", "ICPT-157", "ICPT-164", "ICPT-163", "ICPT-292", "ICPT-170" },
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(16384)
      local message = card:message { octets = octets }
      card:send_rts(message)
      local cts = card:take_cts("ICPT-145", message)
      local count = Card.packets(octets)
      t:equal("ICPT-145", "the message that it belongs to", cts.message_number, 0)
      t:check("ICPT-163", "packets that are granted", cts.n >= 1 and cts.n <= 16, "1 to 16", cts.n)
      t:check("ICPT-164", "packets that are granted", cts.n <= count, "at most " .. count, cts.n)
      t:equal("ICPT-157", "octets that are wanted", cts.mlength, octets)
      t:same_octets("ICPT-292", "the body of the CTS", cts.octets:sub(33, 48), string.pack(">I4I4I8", cts.n, 0, octets))
      t:equal("ICPT-292", "the RMPP length", cts.rmpp_length, 32)
      card:send_data(message, 0, cts.n - 1)
      arrives(t, "ICPT-170", rank, octets)
      t:frame("ICPT-170", net, "msgend", { message_number = 0 })
    end,
  }
end

for name, order in each { {"reversed", function(i, n) return n - 1 - i end}, {"odd-first", function(i, n)
    return i < n // 2 and 2 * i + 1 or 2 * (i - n // 2) end}, {"rotated", function(i, n) return (i + 5) % n end} } do
  case {
    id = "in-data-" .. name,
    title = "Data packets are placed by their numbers, in whatever order they come",
    purpose = "Sixteen packets in another order; the message is complete when all are there, and not when LAST_DATA is.",
    requirements = { "ICPT-155", "ICPT-161" },
    run = function(t)
      local rank, card, message, net = granted(t, "ICPT-155", 8088)
      for i = 0, 14 do net:send(card:data(message, order(i, 16))) end
      net:card():serves("ICPT-161")
      t:equal("ICPT-161", "MSGENDs before the last packet to come", net:waiting("msgend"), 0)
      t:equal("ICPT-161", "events before it", rank:count_events("eq"), 0)
      net:send(card:data(message, order(15, 16)))
      arrives(t, "ICPT-155", rank, 8088)
      t:frame("ICPT-161", net, "msgend", { message_number = 0 })
    end,
  }
end

case {
  id = "in-cts-threshold",
  title = "A message that goes by RMPP where long ones take VDMA needs one grant",
  purpose = "A put of 8088 octets, the longest one: the CTS grants all of its sixteen packets.",
  requirements = { "ICPT-166" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(16384)
    local message = card:message { octets = 8088 }
    card:send_rts(message)
    t:equal("ICPT-166", "packets that the CTS grants", card:take_cts("ICPT-166", message).n, 16)
    card:send_data(message, 0, 15)
    arrives(t, "ICPT-166", rank, 8088)
    t:frame("ICPT-166", net, "msgend", { message_number = 0 })
  end,
}

for name, octets in each { {"two-grants", 12000}, {"three-grants", 20000}, {"many-grants", 60000} } do
  case {
    id = "in-next-cts-" .. name,
    title = "STOP_DATA leads to a NEXT_CTS, until all packets are granted",
    purpose = string.format("A put of %d octets by RMPP, as a node sends that is set to short messages only: each "
      .. "grant is of at most 16 packets, and none exceeds what is still needed.", octets),
    requirements = { "ICPT-146", "ICPT-158", "ICPT-162", "ICPT-163", "ICPT-164" },
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(65536)
      local message, count = card:message { octets = octets }, Card.packets(octets)
      card:send_rts(message)
      local total, first = card:take_cts("ICPT-146", message).n, 0
      while true do
        t:check("ICPT-163", "packets of a grant", total - first <= 16, "at most 16", total - first)
        t:check("ICPT-164", "packets that are granted in all", total <= count, "at most " .. count, total)
        card:send_data(message, first, total - 1)
        if total == count then break end
        local more = t:frame("ICPT-162", net, "next_cts", { message_number = 0 })
        t:equal("ICPT-158", "length and reserved octets", { more.rmpp_length, more.body_reserved }, { 24, 0 })
        t:check("ICPT-158", "packets of the grant", more.n >= 1, "at least 1", more.n)
        first, total = total, total + more.n
        message.granted = total
      end
      arrives(t, "ICPT-146", rank, octets)
      t:frame("ICPT-146", net, "msgend", { message_number = 0 })
    end,
  }
end

case {
  id = "in-default-grant",
  title = "Where nothing else was configured a grant is of 16 packets",
  purpose = "A put of 12000 octets by RMPP, which needs more: the CTS grants 16.",
  requirements = { "ICPT-303" },
  run = function(t)
    local _, card, net = t:meet()
    card:may_put(16384)
    card:send_rts(card:message { octets = 12000 })
    t:frame("ICPT-303", net, "cts", { n = 16 })
  end,
}

case {
  id = "in-stop-before-others",
  title = "STOP_DATA leads to a NEXT_CTS also while earlier packets of the grant are missing",
  purpose = "STOP_DATA overtakes the packets before it; the next grant comes, and then all packets.",
  requirements = { "ICPT-162", "ICPT-155" }, chapter = "5.3.2",
  run = function(t)
    local rank, card, message, net = granted(t, "ICPT-162", 12000)
    local n, count = message.granted, Card.packets(12000)
    net:send(card:data(message, n - 1))
    local more = t:frame("ICPT-162", net, "next_cts", { message_number = 0 })
    message.granted = n + more.n
    card:send_data(message, count - 1, n)
    message.granted = n
    card:send_data(message, n - 2, 0)
    arrives(t, "ICPT-155", rank, 12000)
  end,
}

for name, room in each { {"in-rts", 200}, {"one-packet", 700}, {"most", 4000} } do
  case {
    id = "in-truncated-" .. name,
    title = "A CTS wants no more than Portals does",
    purpose = string.format("Of a put of 5000 octets a descriptor takes %d: so many are wanted, granted and stored, "
      .. "and nothing behind them.", room),
    requirements = { "ICPT-221", "ICPT-160", "ICPT-157" }, chapter = "5.3.2",
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(room)
      local message = card:message { octets = 5000 }
      card:send_rts(message)
      if room <= 408 then
        local answer = net:await { "cts", "msgend" }
        t:equal("ICPT-160", "the answer", answer and answer.message, "msgend")
        t:equal("ICPT-157", "CTS that want no more than has come", net:waiting("cts"), 0)
      else
        local cts = card:take_cts("ICPT-157", message)
        t:equal("ICPT-157", "octets that are wanted", cts.mlength, room)
        card:send_data(message, 0, Card.packets(room) - 1)
        t:frame("ICPT-160", net, "msgend")
      end
      arrives(t, "ICPT-221", rank, room, { rlength = 5000 })
    end,
  }
end

for name, fields in each { {"portal", { portal = 7 }}, {"no-such-portal", { portal = 90000 }}, {"cookie",
  { cookie = 3 }},
    {"process", { target = { nid = 1, pid = 2 } }}, {"initiator", { initiator = { nid = 77, pid = 2, gid = 1,
      rid = 0 } }} } do
  case {
    id = "in-unwanted-" .. name,
    title = "A message that nobody wants is answered with MSGEND, and does not block later ones",
    purpose = "A put of 3000 octets that finds no " .. name .. ": MSGEND without CTS; it is counted as dropped "
      .. "once; the put behind it arrives.",
    requirements = { "ICPT-168", "ICPT-188", "ICPT-219" }, chapter = "5.3.2",
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(1024)
      local before, given = rank:drop_count(), { octets = 3000 }
      for key, value in pairs(fields) do given[key] = value end
      card:send_rts(card:message(given))
      local answer = net:await { "cts", "msgend", "msgerror" }
      t:equal("ICPT-168", "the answer", answer and answer.message, "msgend")
      t:equal("ICPT-188", "the message that it ends", answer.message_number, 0)
      t:drops("ICPT-219", rank, before, 1)
      card:put({ octets = 100 }, "ICPT-188")
      arrives(t, "ICPT-188", rank, 100)
    end,
  }
end

case {
  id = "in-once-each",
  title = "Each message begins once at Portals, and ends once",
  purpose = "Fifty puts of several lengths: one event each, in their order, and one MSGEND each.",
  requirements = { "ICPT-219", "ICPT-222", "ICPT-140" }, chapter = "5.3.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(8192)
    for i = 1, 50 do
      card:put({ octets = i * 37 % 2000 }, "ICPT-140")
      t:event("ICPT-219", rank, "eq", { type = "PTL_EVENT_PUT", rlength = i * 37 % 2000 })
    end
    net:card():serves("ICPT-222")
    t:equal("ICPT-222", "further events and MSGENDs", { rank:count_events("eq"), net:waiting("msgend") }, { 0, 0 })
  end,
}

case {
  id = "in-end-in-any-order",
  title = "Messages begin in order, and end in any",
  purpose = "Three messages are granted; the third gets its data first, then the second, then the first.",
  requirements = { "ICPT-189", "ICPT-186" }, chapter = "3.3.3",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(9000)
    local messages = {}
    for i = 0, 2 do
      messages[i] = card:message { octets = 2000 + i, seed = i + 1, offset = 3000 * i }
      card:send_rts(messages[i])
      local cts = t:frame("ICPT-189", net, "cts", { message_number = i })
      messages[i].granted, messages[i].wanted = cts.n, cts.mlength
    end
    for i = 2, 0, -1 do
      card:send_data(messages[i], 0, Card.packets(2000 + i) - 1)
      t:frame("ICPT-189", net, "msgend", { message_number = i })
    end
    for _ = 0, 2 do t:event("ICPT-189", rank, "eq", { type = "PTL_EVENT_PUT" }) end
    for i = 0, 2 do t:octets("ICPT-186", "message " .. i, rank, "buf", "mix/" .. i + 1, 3000 * i, 2000 + i) end
  end,
}

case {
  id = "in-answer-postponed",
  title = "CTS and MSGEND that find no room are sent later",
  purpose = "Nothing that the process sends is acknowledged while 60 messages come; then every answer comes, in the order of the messages.",
  requirements = { "ICPT-181" }, chapter = "5.3.2",
  run = function(t)
    local _, card, net = t:meet()
    card:put({ octets = 8, portal = 7 }, "ICPT-181")
    net:settled()
    net:rules(1, false, true)
    for _ = 1, 60 do card:send_rts(card:message { octets = 8, portal = 7 }) end
    net:settled()
    local first = net:await("msgend")
    t:sanity("answers come", first)
    net.stash = {}
    net:sequence(0, nil, first.sequence)
    net:rules(1, true, true)
    local seen = {}
    for number = 1, 60 do
      local ended = net:await("msgend")
      t:check("ICPT-181", "answers that come", ended, 60, number - 1)
      while ended and ended.sequence ~= (first.sequence + number - 1) % 256 do ended = net:await("msgend") end
      t:check("ICPT-181", "the message that is answered was not answered before", ended
        and not seen[ended.message_number],
        "a new one", ended and ended.message_number)
      seen[ended.message_number] = true
    end
  end,
}

case {
  id = "in-answers-to-a-later-message",
  title = "CTS, NEXT_CTS and MSGEND bear the number of their message where the document has it",
  purpose = "Behind two puts of nothing the third one, of 12000 octets by RMPP: the RMPP header of each answer, octet by octet.",
  requirements = { "ICPT-288", "ICPT-162" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(16384)
    for _ = 1, 2 do card:put({ octets = 0 }, "ICPT-288") end
    for _ = 1, 2 do t:event("ICPT-288", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 }) end
    local message, count, granted = card:message { octets = 12000 }, Card.packets(12000), 0
    local function look(name, type, length)
      local answer = net:await(name)
      t:check("ICPT-288", name .. " comes", answer, "a frame", "none")
      t:same_octets("ICPT-288", "the RMPP header of " .. name, answer.octets:sub(17, 32),
        string.pack(">I4I4I8", type, length, 2))
      return answer
    end
    card:send_rts(message)
    local answer = look("cts", 2, 32)
    while granted < count do
      message.granted = granted + answer.n
      card:send_data(message, granted, message.granted - 1)
      granted = message.granted
      if granted < count then answer = look("next_cts", 3, 24) end
    end
    look("msgend", 7, 16)
    arrives(t, "ICPT-162", rank, 12000)
  end,
}

for name, given in each { { "whole", { octets = 5000 } }, { "unwanted", { octets = 5000, portal = 7 } },
  { "in-the-rts", { octets = 40 } } } do
  case {
    id = "in-answers-find-their-vnic-" .. name,
    title = "What answers a message goes to the virtual NIC from which it came, over any plane",
    purpose = "Messages come from VNIC 1 and 3 of a card, over four planes. CTS and MSGEND go to the VNIC of each, from the one for which it was, and may take all planes.",
    requirements = { "ICPT-150", "ICPT-139" },
    run = function(t)
      local _, card, net = t:meet { planes = 15 }
      card:may_put(16384)
      for _, vnic in ipairs { 1, 3, 1 } do
        local message = card:message(given)
        card:send_rts(message, { source_vnic = vnic })
        local answer = net:await { "cts", "msgend" }
        t:check("ICPT-150", "an answer comes", answer, "CTS or MSGEND", "nothing")
        if answer.message == "cts" then
          t:equal("ICPT-139", "the mask of the CTS", answer.planes, 15)
          for number = 0, answer.n - 1 do net:send(card:data(message, number, { source_vnic = vnic })) end
          answer = t:frame("ICPT-150", net, "msgend")
        end
        t:equal("ICPT-150", "the VNICs of the MSGEND, and its message",
          { answer.destination_vnic, answer.source_vnic, answer.message_number }, { vnic, 1, message.number })
        t:equal("ICPT-139", "the mask of the MSGEND", answer.planes, 15)
      end
    end,
  }
end
