-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- RMPP as a sender (5.2.3) where a message is granted in several parts, where answers and puts leave at the same time,
-- and where it is a reply that has one octet too much.

defaults { suite = "short-out", chapter = "5.2.3", network = true, deadline = 60 }

local DATA_FRAMES = { "data", "stop_data", "last_data" }

local PARTS = { { "each-alone", { 1, 1, 1, 13 } }, { "as-they-come", { 3, 4, 1, 8 } }, { "of-seven", { 7, 7, 2 } },
  { "with-one-left", { 14, 1, 1 } } }
for name, parts in each(PARTS) do
  case {
    id = "out-granted-in-parts-" .. name,
    title = "Each NEXT_CTS lets so many further data packets leave as it grants, and no more",
    purpose = "Sixteen packets are granted in several parts. Behind each grant so many come as it is of, with the next numbers, the last of them STOP_DATA or LAST_DATA; and until the next one no more.",
    requirements = { "ICPT-146" },
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(8088)
      local rts, all, fence = card:take_rts("ICPT-146"), {}, net:card()
      for i, n in ipairs(parts) do
        if i == 1 then card:grant(rts, n) else card:answer("next_cts", rts, { n = n }) end
        local packets, seen = card:take_data("ICPT-146", n), {}
        fence:serves("ICPT-146")
        t:equal("ICPT-146", "packets beyond part " .. i, net:await(DATA_FRAMES, nil, 0), nil)
        for _, packet in ipairs(packets) do seen[packet.packet_number] = packet end
        for number = #all, #all + n - 1 do
          local packet = seen[number]
          t:check("ICPT-146", "packet " .. number .. " comes with part " .. i, packet, "it", "another one")
          local wanted = number == 15 and "last_data" or number == #all + n - 1 and "stop_data" or "data"
          t:equal("ICPT-146", "the type of packet " .. number, packet.message, wanted)
        end
        for number = #all, #all + n - 1 do all[number + 1] = seen[number] end
      end
      t:same_octets("ICPT-146", "the message", Card.joined(rts, all), core.mix(5, 8088))
      card:answer("msgend", rts)
      t:event("ICPT-146", rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

case {
  id = "out-many-beside-answers",
  title = "No put is lost among the answers that leave at the same time",
  purpose = "A process puts three thousand times as fast as it can, while sixty puts come that it has to acknowledge: all numbers come, each put once and in its order, and each acknowledgement.",
  requirements = { "ICPT-137" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(4096)
    card:gets_put(10)
    card:answer("msgend", card:take_rts("ICPT-137"))
    card:serves("ICPT-137")
    rank:bind { region = "flood", octets = 40, fill = "mix/5", md = "flood-md" }
    local puts <const>, answers <const> = 3000, 60
    local flood = rank:start_batch(puts, { { "PtlPut", { mem_desc = "flood-md", ack_req = "PTL_NOACK_REQ",
      target = t.nid(card.id), portal = 0, cookie = 0, match_bits = 0, offset = "%i" } } }, { deadline = 30000 })
    for i = 1, answers do card:send_rts(card:message { octets = 40, md = 100 + i }) end
    local put, acknowledged, first = 0, {}, nil
    for number = 1, puts + answers do
      local rts = card:take_rts("ICPT-137", { message_number = number })
      if rts.portals.operation == "put" then
        first = first or rts.portals.offset
        t:equal("ICPT-137", "the offset of put " .. put + 1, rts.portals.offset, first + put)
        put = put + 1
      else
        t:check("ICPT-137", "an acknowledgement", rts.portals.operation == "ack" and not acknowledged[rts.portals.md],
          "one of a put that has none", rts.portals.operation)
        acknowledged[rts.portals.md] = true
      end
      card:answer("msgend", rts)
    end
    t:equal("ICPT-137", "puts among all messages", put, puts)
    t:equal("ICPT-137", "puts that were called", flood:finish().runs, puts)
  end,
}

for name, octets in each { { "fitting", 8088 }, { "of-one-more", 8089 }, { "of-twice-as-much", 16176 } } do
  case {
    id = "out-threshold-of-a-reply-" .. name,
    title = "A reply goes by RMPP where RTS and sixteen data packets hold it, else by VDMA",
    purpose = string.format("The card gets %d octets of the process: the reply comes as a put of that length would, "
      .. "and is whole.", octets),
    requirements = { "ICPT-229" },
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(octets)
      rank:fill("buf", "mix/9")
      card:put({ operation = "get", md = 77, rlength = octets }, "ICPT-229")
      local first = net:await { "rts", "upd_conn", "try_match" }
      t:check("ICPT-229", "what the reply begins with", first and (first.message == "rts") == (octets <= 8088),
        octets <= 8088 and "rts" or "upd_conn or try_match", first and first.message or "nothing")
      table.insert(net.stash, 1, first)
      local found
      if octets <= 8088 then
        local rts = card:take_rts("ICPT-229")
        card:grant(rts, 16)
        local packets = card:take_data("ICPT-229", 16)
        table.sort(packets, function(one, other) return one.packet_number < other.packet_number end)
        found = Card.joined(rts, packets)
        card:answer("msgend", rts)
      else
        found = card:pull("ICPT-229", card:take_try_match("ICPT-229"))
      end
      t:same_octets("ICPT-229", "the reply", found, core.mix(9, octets))
    end,
  }
end
