-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The VDMA handlers' connection (2.2.2, 5.2.2): who connects whom, credit, the header of control messages. The one
-- plane
-- keeps their order.

defaults { suite = "handler", chapter = "2.2.2", network = true, deadline = 60 }

case {
  id = "handler-connects-first",
  title = "A node connects by UPD_CONN before it sends a request, and gives credit",
  purpose = "The first long put: UPD_CONN, then credit, and the TRY_MATCH when the card has given credit too.",
  requirements = { "ICPT-089", "ICPT-121", "ICPT-302" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(20000)
    local first = net:take()
    t:equal("ICPT-089", "what comes first", first and first.message, "upd_conn")
    local second = net:take()
    t:equal("ICPT-089", "what comes behind it", second and second.message, "command")
    t:equal("ICPT-302", "the initial credit", second.amount, 64)
    net:card():serves("ICPT-089")
    t:equal("ICPT-089", "requests before the connection is answered", net:waiting("try_match"), 0)
    card:credit()
    local match = t:frame("ICPT-089", net, "try_match")
    t:equal("ICPT-121", "further UPD_CONN", net:waiting("upd_conn"), 0)
    card:match_reply(match, -1, 0)
  end,
}

case {
  id = "handler-credit-enough",
  title = "The initial credit should be enough for a stream of requests",
  purpose = "What the process gives to a card that it connects.",
  requirements = { "ICPT-091" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(20000)
    local credit = t:frame("ICPT-091", net, "command", { command = 1 })
    t:should("ICPT-091", "the initial credit is of 32 messages or more", credit.amount >= 32, true)
  end,
}

case {
  id = "handler-connects-once",
  title = "A node that is connected is not connected again",
  purpose = "Three long puts of the process: one UPD_CONN, before the first.",
  requirements = { "ICPT-121" }, chapter = "5.2.2",
  run = function(t)
    local _, card, net = t:meet()
    for _ = 1, 3 do
      card:gets_put(9000)
      card:match_reply(card:take_try_match("ICPT-121"), -1, 0)
    end
    net:card():serves("ICPT-121")
    t:equal("ICPT-121", "further UPD_CONN", net:waiting("upd_conn"), 0)
  end,
}

case {
  id = "handler-connected-by-peer",
  title = "A node that has been connected by the other does not connect it",
  purpose = "The card sends UPD_CONN; a long put of the process then begins with its TRY_MATCH.",
  requirements = { "ICPT-121", "ICPT-092" }, chapter = "5.2.2",
  run = function(t)
    local _, card, net = t:meet()
    local amount = card:connect("ICPT-092")
    t:check("ICPT-092", "the credit that answers UPD_CONN", amount >= 1, "at least 1", amount)
    card:gets_put(9000)
    local match = t:frame("ICPT-121", net, "try_match")
    t:equal("ICPT-121", "UPD_CONN of the process", net:waiting("upd_conn"), 0)
    card:match_reply(match, -1, 0)
  end,
}

case {
  id = "handler-upd-conn-again",
  title = "An UPD_CONN for a connection that is there changes nothing",
  purpose = "The card sends UPD_CONN three times: one credit comes back, and the connection serves.",
  requirements = { "ICPT-121", "ICPT-092" }, chapter = "5.2.2",
  run = function(t)
    local _, card, net = t:meet()
    card:connect("ICPT-092")
    for _ = 1, 2 do card:send("upd_conn", { nic_count = 1, data = string.pack(">I2", card.iuca) }) end
    card:try_match(card:message { octets = 9000, portal = 7 })
    t:frame("ICPT-121", net, "match_reply")
    t:equal("ICPT-092", "further credit", net:waiting("command"), 0)
  end,
}

case {
  id = "handler-upd-conn-layout",
  title = "UPD_CONN says version, length, rank, and the address of each NIC",
  purpose = "Its octets, by hand from the tables of the binding.",
  requirements = { "ICPT-122", "ICPT-300", "ICPT-295", "ICPT-105", "ICPT-301" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(20000)
    local upd = t:frame("ICPT-300", net, "upd_conn")
    local octets, own = upd.octets, net.sut << 16 | rank.id.pid
    t:same_octets("ICPT-295", "type and version", octets:sub(17, 20), string.pack(">I2I2", 9, 1))
    t:equal("ICPT-295", "the length of the message", upd.control_length, 32 + 2 * upd.nic_count)
    t:equal("ICPT-105", "the rank, of nid and pid", upd.rank >> 16, net.sut)
    t:equal("ICPT-301", "the physical rank", upd.rank, own)
    t:equal("ICPT-122", "NICs", upd.nic_count, 1)
    t:same_octets("ICPT-122", "the address of the NIC", octets:sub(49, 50), string.pack(">I2", net.sut))
    t:same_octets("ICPT-300", "count and reserved octets", octets:sub(41, 48), string.pack(">I4I4", 1, 0))
  end,
}

case {
  id = "handler-rank-everywhere",
  title = "Every control message bears the physical rank of its sender, and the version",
  purpose = "GETs, GET_EXT_REPLY, TRY_MATCH and MATCH_REPLY of the process.",
  requirements = { "ICPT-105", "ICPT-301", "ICPT-295", "ICPT-087" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(20000)
    local own = net.sut << 16 | rank.id.pid
    local message = card:long_put("ICPT-301", { octets = 10007, offset = 3 })
    local frames = { message.reply, table.unpack(message.gets) }
    card:gets_put(9001)
    local match = card:take_try_match("ICPT-295")
    local get = card:get(match, { slice_length = 8992, key_remaining = 9, last_block_length = 9,
      last_block_addr = match.address + 8992 })
    card:take_slice("ICPT-295", get)
    frames[#frames + 1] = t:frame("ICPT-295", net, "get_ext_reply")
    frames[#frames + 1] = match
    for _, frame in ipairs(frames) do
      t:equal("ICPT-301", "the rank of a " .. frame.message, frame.rank, own)
      t:equal("ICPT-105", "the nid in it", frame.rank >> 16, net.sut)
      t:equal("ICPT-295", "its version", frame.version, 1)
      t:check("ICPT-087", "its octets", frame.length <= 504, "at most 504", frame.length)
    end
    card:match_reply(match)
  end,
}

case {
  id = "handler-no-credit",
  title = "Without credit no control message is sent; with more of it they go on",
  purpose = "Three long puts, and credit for one message: one TRY_MATCH comes; credit for another: the second; then the third.",
  requirements = { "ICPT-090" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-090"))
    for _ = 1, 3 do card:gets_put(9000) end
    card:take_connection("ICPT-090", 1)
    for number = 1, 3 do
      local match = t:frame("ICPT-090", net, "try_match", { message_number = number })
      net:card():serves("ICPT-090")
      t:equal("ICPT-090", "control messages beyond the credit", net:waiting("try_match"), 0)
      card:credit(1)
      if number == 3 then card:match_reply(match, -1, 0) end
    end
  end,
}

case {
  id = "handler-credit-for-get",
  title = "GETs and answers take credit too",
  purpose = "The card has given credit for no message but what it sends needs: the GETs of its long put come one for each credit.",
  requirements = { "ICPT-090", "ICPT-096" },
  run = function(t)
    local _, card, net = t:meet()
    card:may_put(4 << 20)
    card:send("upd_conn", { nic_count = 1, data = string.pack(">I2", card.iuca) })
    t:frame("ICPT-090", net, "command")
    local message = card:message { octets = 3 << 20 }
    card:try_match(message)
    net:card():serves("ICPT-090")
    t:equal("ICPT-090", "GETs without credit", net:waiting("vdma_get"), 0)
    card:credit(1)
    local get = t:frame("ICPT-090", net, "vdma_get", { slice = 0 })
    net:card():serves("ICPT-090")
    t:equal("ICPT-090", "GETs beyond one credit", net:waiting("vdma_get"), 0)
    card:credit(64)
    card:serve(message, get)
    if get.slices > 1 then t:frame("ICPT-096", net, "vdma_get", { slice = 1 }) end
  end,
}

case {
  id = "handler-credit-for-answers",
  title = "MATCH_REPLY and GET_EXT_REPLY wait for credit too",
  purpose = "A TRY_MATCH that matches nothing, and a GET with a block, from a card that has given no credit for the answers: each comes when there is credit.",
  requirements = { "ICPT-090" },
  run = function(t)
    local _, card, net = t:meet()
    card:send("upd_conn", { nic_count = 1, data = string.pack(">I2", card.iuca) })
    t:frame("ICPT-090", net, "command")
    local function held(message)
      net:card():serves("ICPT-090")
      t:equal("ICPT-090", message .. " without credit", net:waiting(message), 0)
      card:credit(1)
      t:frame("ICPT-090", net, message)
    end
    card:try_match(card:message { octets = 9000, portal = 7 })
    held("match_reply")
    card:gets_put(9000)
    card:credit(1)
    local match = t:frame("ICPT-090", net, "try_match")
    local get = card:get(match, { slice_length = 8992, key_remaining = 9, last_block_length = 8,
      last_block_addr = match.address + 8992 })
    card:take_slice("ICPT-090", get)
    held("get_ext_reply")
    card:match_reply(match)
  end,
}

case {
  id = "handler-credit-renewed",
  title = "Credit is given again when half of it has been taken",
  purpose = "The card sends 200 TRY_MATCHes that match nothing, as far as its credit goes: it never runs dry.",
  requirements = { "ICPT-302", "ICPT-285", "ICPT-028" },
  run = function(t)
    local _, card, net = t:meet()
    local credit = card:connect("ICPT-302")
    for sent = 1, 200 do
      if credit == 0 then
        local more = t:frame("ICPT-302", net, "command", { command = 1 })
        t:check("ICPT-285", "the amount of a credit", more.amount >= 1, "at least 1", more.amount)
        credit = credit + more.amount
      end
      credit = credit - 1
      card:try_match(card:message { octets = 9000, portal = 7 })
      t:frame("ICPT-028", net, "match_reply")
      card:credit(1)
      while net:waiting("command") > 0 do
        local more = net:await("command")
        t:check("ICPT-285", "command and amount of a credit", more.command == 1 and more.amount >= 1, "1, at least 1",
          { more.command, more.amount })
        credit = credit + more.amount
      end
      t:check("ICPT-302", "credit that is outstanding after " .. sent .. " messages", credit <= 64, "at most 64",
        credit)
    end
  end,
}

case {
  id = "handler-credit-half",
  title = "The second credit comes when half of the first has been taken, with as many again",
  purpose = "After 31 control messages no credit has come, after 32 one of 32.",
  requirements = { "ICPT-302", "ICPT-285" },
  run = function(t)
    local _, card, net = t:meet()
    t:equal("ICPT-302", "the initial credit", card:connect("ICPT-302"), 64)
    for _ = 1, 31 do
      card:try_match(card:message { octets = 9000, portal = 7 })
      t:frame("ICPT-302", net, "match_reply")
    end
    net:card():serves("ICPT-302")
    t:equal("ICPT-302", "credits after 31 messages", net:waiting("command"), 0)
    card:try_match(card:message { octets = 9000, portal = 7 })
    local more = t:frame("ICPT-302", net, "command")
    t:equal("ICPT-285", "the command, its length, the amount", { more.command, more.length, more.amount }, { 1, 0, 32 })
  end,
}

case {
  id = "handler-connect",
  title = "CONNECT, as plain programs use it, is served beside Portals",
  purpose = "A CONNECT to the process's rank: an initial credit comes; puts go on.",
  requirements = { "ICPT-123", "ICPT-092" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:send("connect", { key = 5, peer_rank = net.sut << 16 | rank.id.pid })
    local answer = net:await { "command", "refuse" }
    t:check("ICPT-123", "CONNECT is not refused", not answer or answer.message ~= "refuse", "credit", "REFUSE")
    local amount = answer and answer.amount or 0
    t:check("ICPT-092", "the initial credit that answers CONNECT", amount >= 1, "at least 1", amount)
    card:serves("ICPT-123")
  end,
}

case {
  id = "handler-connect-elsewhere",
  title = "A CONNECT to a process that is not there is refused",
  purpose = "CONNECT to the node with another process id: REFUSE comes, which repeats the key; one to the process is served.",
  requirements = { "ICPT-123" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    local to = net.sut << 16 | rank.id.pid
    card:send("connect", { key = 5, peer_rank = to ~ 1 })
    local answer = net:await { "command", "refuse" }
    t:equal("ICPT-123", "the answer to a CONNECT to another rank", answer and answer.message, "refuse")
    t:equal("ICPT-123", "its key", answer.key, 5)
    card:send("connect", { key = 6, peer_rank = to })
    t:frame("ICPT-123", net, "command", { command = 1 })
  end,
}

case {
  id = "handler-connect-again",
  title = "A second connection of the same two processes is refused",
  purpose = "CONNECT twice: the second is answered with REFUSE, which repeats its key and says why; the first goes on.",
  requirements = { "ICPT-094", "ICPT-295", "ICPT-028" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    local to = net.sut << 16 | rank.id.pid
    card:send("connect", { key = 5, peer_rank = to })
    t:frame("ICPT-094", net, "command")
    card:send("connect", { key = 0x1122334455667788, peer_rank = to })
    card:serves("ICPT-028")
    local other = net:waiting("command") > 0 and net:await("command") or nil
    t:check("ICPT-028", "what a command packet says", not other or other.command == 1, "credit",
      other and other.command)
    t:check("ICPT-094", "credit for a connection that is refused", not other, "none", other and other.amount)
    local refuse = t:frame("ICPT-094", net, "refuse", { key = 0x1122334455667788, status = -3 })
    t:same_octets("ICPT-295", "type, version, length", refuse.octets:sub(17, 24), string.pack(">I2I2I4", 2, 1, 32))
    t:equal("ICPT-094", "further credit", net:waiting("command"), 0)
    card:credit()
    card:try_match(card:message { octets = 9000, portal = 7 })
    t:frame("ICPT-094", net, "match_reply")
  end,
}

case {
  id = "handler-connect-stranger",
  title = "A CONNECT to a process that is not there is refused",
  purpose = "The peer's rank has another pid, or another nid: REFUSE, and no credit.",
  requirements = { "ICPT-105" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    for key, rank_of in ipairs { net.sut << 16 | rank.id.pid ~ 1, (net.sut ~ 1) << 16 | rank.id.pid } do
      card:send("connect", { key = key, peer_rank = rank_of })
      local answer = net:await { "command", "refuse" }
      t:equal("ICPT-105", "the answer", answer and answer.message, "refuse")
      t:equal("ICPT-105", "the key of the answer", answer.key, key)
    end
  end,
}

case {
  id = "handler-not-to-itself",
  title = "A node does not connect to itself, and sends itself nothing over the link",
  purpose = "A long put of the process to itself arrives; no packet for its own address comes.",
  requirements = { "ICPT-109", "ICPT-110" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(20000)
    rank:bind { region = "out", octets = 20000, fill = "mix/5", md = "out-md" }
    rank:put { mem_desc = "out-md", target = t.nid(rank.id), cookie = 2 }
    card:serves("ICPT-109")
    t:equal("ICPT-109", "UPD_CONN of the process", net:waiting("upd_conn"), 0)
    t:event("ICPT-110", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20000 })
    t:octets("ICPT-110", "the message", rank, "buf", "mix/5", 0, 20000)
    card:serves("ICPT-109")
    t:equal("ICPT-109", "UPD_CONN or CONNECT", net:waiting("upd_conn") + net:waiting("connect"), 0)
    t:equal("ICPT-109", "TRY_MATCH", net:waiting("try_match"), 0)
  end,
}

case {
  id = "handler-credit-adds-up",
  title = "Credit that comes before the old one is used is added to it",
  purpose = "Credit for one, two and one control messages comes before there is one to send. Then four of six long puts are sent, and with credit for two more the others.",
  requirements = { "ICPT-090" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-090"))
    card:gets_put(9000)
    card:take_connection("ICPT-090", 1)
    card:match_reply(t:frame("ICPT-090", net, "try_match", { message_number = 1 }), -1, 0)
    for _, amount in ipairs { 1, 2, 1 } do card:credit(amount) end
    net:card():serves("ICPT-090")
    for _ = 1, 6 do card:gets_put(9000) end
    local matches = {}
    for number = 2, 5 do
      matches[#matches + 1] = t:frame("ICPT-090", net, "try_match", { message_number = number })
    end
    net:card():serves("ICPT-090")
    t:equal("ICPT-090", "control messages beyond the credit", net:waiting("try_match"), 0)
    card:credit(2)
    for number = 6, 7 do
      matches[#matches + 1] = t:frame("ICPT-090", net, "try_match", { message_number = number })
    end
    for _, match in ipairs(matches) do card:match_reply(match, -1, 0) end
  end,
}

for name, octets in each { {"some", 20000}, {"nothing", 0} } do
  case {
    id = "handler-put-" .. name,
    title = "A plain PUT is answered with one DONE, behind the GETs that it takes",
    purpose = "A VDMA_PUT of a plain program, of which a Portals process wants nothing unless it says so: GETs and DONE, or DONE with a status at once. Its layout is that of the binding.",
    requirements = { "ICPT-101", "ICPT-102", "ICPT-297" },
    run = function(t)
      local _, card, net = t:meet()
      card:connect("ICPT-101")
      local message = { data = core.mix(5, octets), address = 0x20000, key = card:key() }
      card:send("vdma_put", { key = message.key, address = message.address, put_length = octets })
      local answer = net:await { "vdma_get", "done" }
      t:check("ICPT-101", "the answer to PUT", answer, "vdma_get or done", "nothing")
      local is_refused = answer.message == "done" and octets > 0
      while answer and answer.message == "vdma_get" do
        t:equal("ICPT-101", "the key of a GET", answer.key, message.key)
        card:serve(message, answer)
        answer = net:await { "vdma_get", "done" }
      end
      t:equal("ICPT-102", "key of the final answer", answer and answer.key, message.key)
      t:same_octets("ICPT-297", "type, version, length of DONE", answer.octets:sub(17, 24),
        string.pack(">I2I2I4", 5, 1, 32))
      t:equal("ICPT-297", "reserved octets", answer.body_reserved, 0)
      t:check("ICPT-297", "the status where nothing was moved", not is_refused or answer.status ~= 0, "not 0", 0)
      card:serves("ICPT-102")
      t:equal("ICPT-102", "further answers", net:waiting("done") + net:waiting("vdma_get"), 0)
    end,
  }
end

case {
  id = "handler-put-of-several",
  title = "Each of several plain PUTs that are open at once is answered with one DONE",
  purpose = "Four PUTs of one process come one behind the other, with keys of their own. Each has its GETs, if any, and its DONE, in whatever order.",
  requirements = { "ICPT-101", "ICPT-102" },
  run = function(t)
    local _, card, net = t:meet()
    card:connect("ICPT-101")
    local messages, ended = {}, {}
    for i = 1, 4 do
      local message = { data = core.mix(i, 4000 * i), address = 0x20000 * i, key = card:key() }
      messages[message.key] = message
      card:send("vdma_put", { key = message.key, address = message.address, put_length = 4000 * i })
    end
    for _ = 1, 4 do
      local answer
      repeat
        answer = net:await { "vdma_get", "done" }
        t:check("ICPT-101", "an answer with the key of a PUT", answer and messages[answer.key], "GET or DONE",
          answer and answer.key or "nothing")
        if answer.message == "vdma_get" then card:serve(messages[answer.key], answer) end
      until answer.message == "done"
      t:check("ICPT-102", "a DONE with a key that had none", not ended[answer.key], "a new one", answer.key)
      ended[answer.key] = true
    end
    card:serves("ICPT-102")
    t:equal("ICPT-102", "further answers", net:waiting("done") + net:waiting("vdma_get"), 0)
  end,
}

case {
  id = "handler-credit-for-every-kind",
  title = "Credit comes back for control messages of every kind",
  purpose = "Forty long puts to odd addresses, for which the card sends TRY_MATCH and GET_EXT_REPLY, and forty of the process, for which it sends two GETs and MATCH_REPLY: it always has credit again.",
  requirements = { "ICPT-302" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(20000)
    local credit = card:connect("ICPT-302")
    local function spend()
      while net:waiting("command") > 0 do credit = credit + net:await("command").amount end
      if credit == 0 then credit = t:frame("ICPT-302", net, "command", { command = 1 }).amount end
      credit = credit - 1
    end
    for _ = 1, 40 do
      local message = card:message { octets = 9011, offset = 3 }
      spend()
      card:try_match(message)
      card:take_gets("ICPT-302", message, function(get)
        for _, frame in ipairs(card:slice_packets(message, get)) do net:send(frame) end
        if get.key_remaining ~= 0 then
          spend()
          card:serve_blocks(message, get)
        end
      end)
      t:frame("ICPT-302", net, "match_reply", { key = message.key })
      card:credit(2)
      t:event("ICPT-302", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 9011 })
    end
    for _ = 1, 40 do
      card:gets_put(9024)
      local match = t:frame("ICPT-302", net, "try_match")
      for slice = 0, 1 do
        spend()
        card:take_slice("ICPT-302", card:get(match, { from = 4512 * slice, slice_length = 4512, slice = slice,
          slices = 2 }))
      end
      spend()
      card:match_reply(match)
      card:credit(1)
      t:event("ICPT-302", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
  end,
}

for first in each { { "card" }, { "card-by-update" }, { "process" } } do
  case {
    id = "handler-connect-again-keeps-that-of-the-" .. first,
    title = "A connection goes on as it was when another one of the same two processes is refused: that of the "
      .. first:gsub("-", " "),
    purpose = "A CONNECT of the card is refused. A long put of the process begins with its TRY_MATCH behind it, and, where the card has begun, before it: it connects nothing.",
    requirements = first == "process" and { "ICPT-094" } or { "ICPT-094", "ICPT-121" }, chapter = "5.2.2",
    run = function(t)
      local rank, card, net = t:meet()
      local to = net.sut << 16 | rank.id.pid
      if first == "process" then
        card:gets_put(9000)
        card:match_reply(card:take_try_match("ICPT-094"), -1, 0)
      elseif first == "card" then
        card:send("connect", { key = 5, peer_rank = to })
        t:frame("ICPT-094", net, "command")
        card:credit()
      else
        card:connect("ICPT-094")
      end
      if first ~= "process" then
        card:gets_put(9000)
        local match = t:frame("ICPT-121", net, "try_match")
        t:equal("ICPT-121", "UPD_CONN of the process, which is connected", net:waiting("upd_conn"), 0)
        card:match_reply(match, -1, 0)
      end
      card:send("connect", { key = 6, peer_rank = to })
      t:frame("ICPT-094", net, "refuse", { key = 6, status = -3 })
      card:gets_put(9000)
      local match = t:frame("ICPT-094", net, "try_match")
      t:equal("ICPT-094", "UPD_CONN of the process", net:waiting("upd_conn"), 0)
      card:match_reply(match, -1, 0)
    end,
  }
end

case {
  id = "handler-connect-many-times",
  title = "Every further connection of the same two processes is refused",
  purpose = "CONNECT five times, with long puts between: all but the first are answered with REFUSE, each with its key, and the connection goes on.",
  requirements = { "ICPT-094" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    local to = net.sut << 16 | rank.id.pid
    card:send("connect", { key = 5, peer_rank = to })
    t:frame("ICPT-094", net, "command")
    card:credit()
    for key = 6, 9 do
      card:send("connect", { key = key << 32 | key, peer_rank = to })
      t:frame("ICPT-094", net, "refuse", { key = key << 32 | key, status = -3 })
      card:try_match(card:message { octets = 9000, portal = 7 })
      t:frame("ICPT-094", net, "match_reply")
    end
    t:equal("ICPT-094", "further answers", net:waiting("refuse"), 0)
  end,
}

for name, req, amounts in each { {"at-once", "ICPT-285", { 256 }}, {"in-parts", "ICPT-090", { 64, 64, 64, 64 }},
    {"more-than-fit", "ICPT-285", { 65535, 10 }} } do
  case {
    id = "handler-credit-much-" .. name,
    title = "Credit for many control messages is for so many, however it is given",
    purpose = "Credit for 256 or more comes " .. name .. " before there is anything to send; a hundred long puts are "
      .. "begun with it, each behind the one before.",
    requirements = { req }, deadline = 120,
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(8)
      card:answer("msgend", card:take_rts(req))
      card:gets_put(9000)
      card:take_connection(req, 1)
      card:match_reply(t:frame(req, net, "try_match", { message_number = 1 }), -1, 0)
      for _ = 1, 2 do t:event(req, rank, "sent", { type = "PTL_EVENT_SENT" }) end
      for _, amount in ipairs(amounts) do card:credit(amount) end
      net:card():serves(req)
      for number = 2, 101 do
        rank:put { mem_desc = "out-md2", target = t.nid(card.id) }
        card:match_reply(t:frame(req, net, "try_match", { message_number = number }), -1, 0)
        t:event(req, rank, "sent", { type = "PTL_EVENT_SENT" })
      end
    end,
  }
end

for name, count in each { {"two", 2}, {"most", 236} } do
  case {
    id = "handler-upd-conn-of-" .. name,
    title = "An UPD_CONN may list several NICs",
    purpose = string.format("A card sends one that lists %d addresses, its own first: it is connected, for credit "
      .. "comes back.", count),
    requirements = { "ICPT-300" }, chapter = "5.2.2",
    run = function(t)
      local _, card, net = t:meet()
      local list = { string.pack(">I2", card.iuca) }
      for i = 2, count do list[i] = string.pack(">I2", (card.iuca + 1000 + i) % 65536) end
      card:send("upd_conn", { nic_count = count, data = table.concat(list) })
      t:frame("ICPT-300", net, "command", { command = 1 })
    end,
  }
end
