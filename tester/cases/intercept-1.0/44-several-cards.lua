-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The VDMA handlers' connections (2.2.2, 5.2.2) with several cards: each is connected, and has credit, by itself.

defaults { suite = "handler", chapter = "2.2.2", network = true, deadline = 60 }

for name, connects in each {
  { "upd-conn", function(card) card:send("upd_conn", { nic_count = 1, data = string.pack(">I2", card.iuca) }) end },
  { "connect", function(card, to) card:send("connect", { key = 5, peer_rank = to }) end } } do
  case {
    id = "handler-credit-for-each-by-" .. name,
    title = "Each of several cards that connect gets an initial credit",
    purpose = "Three cards connect one after the other: as many credits come, each to the card that has connected.",
    requirements = { "ICPT-092" }, chapter = "5.2.2",
    run = function(t)
      local rank, card, net = t:meet()
      for number, one in ipairs { card, net:card(), net:card() } do
        connects(one, net.sut << 16 | rank.id.pid)
        local credit = t:frame("ICPT-092", net, "command", { command = 1 })
        t:check("ICPT-092", "the initial credit of card " .. number, credit.amount >= 1, "at least 1", credit.amount)
        t:equal("ICPT-092", "whom the credit is for", credit.destination, one.iuca)
      end
    end,
  }
end

case {
  id = "handler-connects-each",
  title = "Each card is connected when it is needed first",
  purpose = "Three long puts of the process, to a card each: UPD_CONN comes before the TRY_MATCH to each of them, and a second put to the first card brings none.",
  requirements = { "ICPT-121" }, chapter = "5.2.2",
  run = function(t)
    local _, card, net = t:meet()
    for number, one in ipairs { card, net:card(), net:card() } do
      one.asked = number > 1 and 10 * number or nil
      one:gets_put(9000)
      local upd = t:frame("ICPT-121", net, "upd_conn")
      t:equal("ICPT-121", "whom UPD_CONN is for", upd.destination, one.iuca)
      t:frame("ICPT-121", net, "command", { command = 1 })
      one:credit()
      one:match_reply(t:frame("ICPT-121", net, "try_match"), -1, 0)
    end
    card:gets_put(9000)
    card:match_reply(t:frame("ICPT-121", net, "try_match"), -1, 0)
    t:equal("ICPT-121", "further UPD_CONN", net:waiting("upd_conn"), 0)
  end,
}

case {
  id = "handler-credit-half-of-each",
  title = "Each card gets credit again when it has taken half of its own",
  purpose = "Two cards have the initial credit and send 31 control messages each: no credit comes. With one more each has 32 again.",
  requirements = { "ICPT-302" },
  run = function(t)
    local _, card, net = t:meet()
    local cards = { card, net:card() }
    local function send(one, count)
      for _ = 1, count do
        one:try_match(one:message { octets = 9000, portal = 7 })
        t:frame("ICPT-302", net, "match_reply")
      end
    end
    for _, one in ipairs(cards) do
      t:equal("ICPT-302", "the initial credit", one:connect("ICPT-302"), 64)
      one:credit()
    end
    for _, one in ipairs(cards) do send(one, 31) end
    t:equal("ICPT-302", "credits after 31 messages of each", net:waiting("command"), 0)
    for _, one in ipairs(cards) do
      send(one, 1)
      local more = t:frame("ICPT-302", net, "command", { command = 1, amount = 32 })
      t:equal("ICPT-302", "whom the credit is for", more.destination, one.iuca)
    end
  end,
}

case {
  id = "handler-upd-conn-octet-by-octet",
  title = "UPD_CONN counts NICs and lists the address of each, octet by octet",
  purpose = "The body of the UPD_CONN that the process sends to each of two cards.",
  requirements = { "ICPT-300" }, chapter = "5.2.2",
  run = function(t)
    local _, card, net = t:meet()
    for number, one in ipairs { card, net:card() } do
      one.asked = number > 1 and 10 * number or nil
      one:gets_put(9000)
      local upd = t:frame("ICPT-300", net, "upd_conn")
      t:same_octets("ICPT-300", "count, reserved octets, and the first address", upd.octets:sub(41, 50),
        string.pack(">I4I4I2", upd.nic_count, 0, net.sut))
      t:equal("ICPT-300", "length of the message", upd.control_length, 32 + 2 * upd.nic_count)
    end
  end,
}
