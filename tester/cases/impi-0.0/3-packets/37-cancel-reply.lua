-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How the system under test answers a CANCEL: what is buffered is destroyed, what has matched is not (chapter 3.7.4).

defaults { role = "client", suite = "p2p", chapter = "3.7.4" }

local LIMIT = 64

local function small(hosts)
  return { others = { { datalen = LIMIT, hosts = hosts } } }
end

-- Sends CANCEL for a message; judges that the reply comes with its srqid.
local function answered(t, req, other, packet, kind)
  local channel = other:channel_to(packet.dest)
  other:send_packet(packet.dest, { type = "CANCEL", srqid = packet.srqid })
  t:packet(req, channel, kind, { src = packet.dest, dest = other, srqid = packet.srqid })
end

-- The three kinds of messages with their first packets.
local KINDS = {
  { "short", 20, function(other, own, tag, seed) return other:send_short(own, tag, seed, 20) end },
  { "synchronous", 20, function(other, own, tag, seed)
    return other:send_short(own, tag, seed, 20, { type = "DATASYNC" })
  end },
  { "long", 300, function(other, own, tag, seed) return other:send_long(own, tag, seed, 300) end },
}

for name, octets, send in each(KINDS) do

  case {
    id = "cancel-of-unmatched-" .. name,
    title = "A CANCEL for a " .. name .. " message that has not matched is answered CANCELYES, and the message is gone",
    purpose = "MPI_Iprobe does not see it any more; a later message with the same tag is received.",
    requirements = { "IMPI-167", "IMPI-168" },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      local packet = send(other, own, 1, 1)
      t:probed("IMPI-167", "the message", rank, other, 1, octets)
      answered(t, "IMPI-167", other, packet, "CANCELYES")
      t:judging("IMPI-168")
      t:not_probed("IMPI-168", "the message", rank, other, 1)
      local post = rank:post_receive(t, other, octets, { tag = 1 })
      t:channel_silent("IMPI-168", "no SYNCACK for what is destroyed", channel)
      other:send_short(own, 1, 2, 20)
      t:receive_completes("IMPI-168", "a later message", post, 2, 20)
    end,
  }

  case {
    id = "cancel-of-matched-" .. name,
    title = "A CANCEL for a " .. name .. " message that has matched is answered CANCELNO",
    purpose = "The message has gone to its receive, a long one with its first packet. It is received whole.",
    requirements = { "IMPI-169" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local post = rank:post_receive(t, other, octets, { tag = 1 })
      local packet = send(other, own, 1, 1)
      local ack = packet.type == "DATASYNC" and t:syncack("IMPI-169", other, packet)
      answered(t, "IMPI-169", other, packet, "CANCELNO")
      if octets > LIMIT then other:send_rest(packet, ack) end
      t:receive_completes("IMPI-169", "the message", post, 1)
    end,
  }

  case {
    id = "cancel-of-finished-" .. name,
    title = "A CANCEL for a " .. name .. " message that has been received wholly is answered CANCELNO",
    purpose = "It came before its receive, which is complete when the CANCEL comes.",
    requirements = { "IMPI-169" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local packet = send(other, own, 1, 1)
      local post = rank:post_receive(t, other, octets, { tag = 1 })
      local ack = packet.type == "DATASYNC" and t:syncack("IMPI-169", other, packet)
      if octets > LIMIT then other:send_rest(packet, ack) end
      t:receive_completes("IMPI-169", "the message", post, 1)
      answered(t, "IMPI-169", other, packet, "CANCELNO")
    end,
  }
end

case {
  id = "cancel-of-a-long-half-received",
  title = "A long message is received from its first packet on: CANCELNO while its rest comes",
  purpose = "The CANCEL stands between the later packets.",
  requirements = { "IMPI-169" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local post = rank:post_receive(t, other, 300, { tag = 1 })
    local first = other:send_long(own, 1, 1, 300)
    local ack = t:syncack("IMPI-169", other, first)
    other:send_rest(first, ack, 50, 2)
    answered(t, "IMPI-169", other, first, "CANCELNO")
    other:send_rest(first, ack)
    t:receive_completes("IMPI-169", "the message", post, 1)
  end,
}

case {
  id = "cancel-answered-once-each",
  title = "Each CANCEL is answered exactly once, with its srqid",
  purpose = "Twenty in one write: messages that are buffered, that have matched, and that never were. The second CANCEL of a destroyed one finds nothing.",
  requirements = { "IMPI-170" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local wanted, cancels, expected = {}, {}, {}
    for i = 1, 5 do
      local buffered = other:send_short(own, 100 + i, i, 8, { srqid = i << 60 | 7 })
      local matched = other:send_short(own, 200 + i, i, 8, { srqid = i << 32 | 5 })
      t:receives("IMPI-170", "message " .. i, rank, other, i, 8, { tag = 200 + i })
      for _, row in ipairs { { buffered.srqid, "CANCELYES" }, { matched.srqid, "CANCELNO" },
          { i << 48 | 7, "CANCELNO" }, { buffered.srqid, "CANCELNO" } } do
        cancels[#cancels + 1] = other:packet(own, { type = "CANCEL", srqid = row[1] })
        wanted[#wanted + 1] = row
      end
    end
    channel:send_together(cancels)
    -- in whatever order, but for the two of one message
    local answers = {}
    for i = 1, #wanted do
      local packet, reason = channel:receive()
      t:check("IMPI-170", "answer " .. i, packet, "comes", reason)
      answers[packet.srqid] = (answers[packet.srqid] or "") .. " " .. packet.type
    end
    for _, row in ipairs(wanted) do expected[row[1]] = (expected[row[1]] or "") .. " " .. row[2] end
    for srqid, kinds in pairs(expected) do
      t:equal("IMPI-170", "answers for srqid " .. srqid, answers[srqid], kinds)
    end
    t:channel_silent("IMPI-170", "behind twenty answers", channel)
  end,
}

case {
  id = "cancel-number-used-again",
  title = "A CANCEL is answered although one with the same srqid has been answered before",
  purpose = "The srqid of a message that was cancelled is used again: by two that are cancelled too, by none, and by one that has matched. Each CANCEL is answered before the next message leaves.",
  requirements = { "IMPI-170" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local packet
    for seed = 1, 3 do
      packet = other:send_short(own, 1, seed, 8, { srqid = 7 })
      answered(t, "IMPI-170", other, packet, "CANCELYES")
    end
    answered(t, "IMPI-170", other, packet, "CANCELNO")
    local post = rank:post_receive(t, other, 8, { tag = 1 })
    packet = other:send_short(own, 1, 4, 8, { srqid = 7 })
    t:receive_completes("IMPI-170", "the message that is not cancelled", post, 4)
    answered(t, "IMPI-170", other, packet, "CANCELNO")
    t:channel_silent("IMPI-170", "behind the last answer", channel)
  end,
}

for _, id in ipairs { 12345, 0, -1 } do
  case {
    id = string.format("cancel-of-unknown-%x", id),
    title = string.format("A CANCEL with the srqid 0x%x, which nothing has, is answered CANCELNO", id),
    purpose = "Another message is buffered meanwhile and stays.",
    requirements = { "IMPI-171" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      other:send_short(own, 1, 1, 8, { srqid = 77 })
      other:send_packet(own, { type = "CANCEL", srqid = id })
      t:packet("IMPI-171", channel, "CANCELNO", { src = own, dest = other, srqid = id })
      t:receives("IMPI-171", "the other message", rank, other, 1, 8, { tag = 1 })
    end,
  }
end

case {
  id = "cancel-leaves-later-messages",
  title = "A CANCEL concerns what has come before it, not what comes later with the same srqid",
  purpose = "A CANCEL finds nothing, and is answered CANCELNO: a message with its srqid comes then and is received. The same behind a message that was received, and behind one that was destroyed; the later ones are short, synchronous and long.",
  requirements = { "IMPI-171" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    for i, kind in ipairs(KINDS) do
      for turn, reply in ipairs { "CANCELNO", "CANCELNO", "CANCELYES" } do
        local seed = 10 * i + turn
        if reply == "CANCELYES" then other:send_short(own, 900, 9, 8, { srqid = i }) end
        answered(t, "IMPI-171", other, { srqid = i, dest = own }, reply)
        other.requests = i - 1 -- the next message has the srqid of the CANCEL
        local packet = kind[3](other, own, seed, seed)
        t:sanity("the message has the srqid of the CANCEL", packet.srqid == i)
        local post = rank:post_receive(t, other, kind[2], { tag = seed })
        local ack = packet.type == "DATASYNC" and t:syncack("IMPI-171", other, packet)
        if kind[2] > LIMIT then other:send_rest(packet, ack) end
        t:receive_completes("IMPI-171", string.format("%s message %d", kind[1], turn), post, seed)
      end
    end
  end,
}

case {
  id = "cancel-of-unknown-by-several",
  title = "Each process that sends a CANCEL is answered, also where several send one with the same srqid",
  purpose = "Three processes of two clients ask for srqid 77, one after the other and twice each: CANCELNO each time, to the one that has asked.",
  requirements = { "IMPI-171" },
  run = function(t)
    local job, _, own = t:pair { others = { { hosts = { 2 } }, {} } }
    for _ = 1, 2 do
      for world = 0, 2 do answered(t, "IMPI-171", job.processes[world], { srqid = 77, dest = own }, "CANCELNO") end
    end
  end,
}

for _, id in ipairs { 0, -1, math.mininteger } do
  case {
    id = string.format("cancel-of-buffered-%x", id),
    title = string.format("A buffered message with the srqid 0x%x is destroyed by its CANCEL like any other", id),
    purpose = "A short and a long one, one after the other; another message stays.",
    requirements = { "IMPI-167" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      other:send_short(own, 3, 3, 8, { srqid = 77 })
      for tag, octets in ipairs { 20, 300 } do
        local packet = octets > LIMIT and other:send_long(own, tag, tag, octets, { srqid = id })
          or other:send_short(own, tag, tag, octets, { srqid = id })
        t:probed("IMPI-167", "the message", rank, other, tag, octets)
        answered(t, "IMPI-167", other, packet, "CANCELYES")
      end
      t:receives("IMPI-167", "the other message", rank, other, 3, 8, { tag = 3 })
    end,
  }
end

for _, id in ipairs { 0, -1, math.mininteger } do
  case {
    id = string.format("cancel-answered-once-for-%x", id),
    title = string.format("A CANCEL of the srqid 0x%x has exactly one reply, with this srqid", id),
    purpose = "It is asked for when no message has the number, when a buffered one has it, when that one is gone, and when one has been received.",
    requirements = { "IMPI-170" },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      local function ask(kind, what)
        other:send_packet(own, { type = "CANCEL", srqid = id })
        t:packet("IMPI-170", channel, kind, { src = own, dest = other, srqid = id })
        t:channel_silent("IMPI-170", "no second reply: " .. what, channel)
      end
      ask("CANCELNO", "no message has had the number")
      other:send_short(own, 1, 1, 20, { srqid = id })
      t:probed("IMPI-170", "the message", rank, other, 1, 20)
      ask("CANCELYES", "a buffered message has the number")
      ask("CANCELNO", "the message is gone")
      other:send_short(own, 2, 2, 20, { srqid = id })
      t:receives("IMPI-170", "another message", rank, other, 2, 20, { tag = 2 })
      ask("CANCELNO", "the message has been received")
    end,
  }
end

for name, bit in each { { "below", 1 << 32 }, { "above", math.mininteger } } do
  case {
    id = "cancel-compares-srqids-" .. name .. "-63-bits",
    title = string.format("A CANCEL destroys the message whose srqid it has, not one that differs by 0x%x", bit),
    purpose = "A message with the srqid 7 and this bit is buffered. The CANCEL of 7 finds nothing; its own one does.",
    requirements = { "IMPI-171" },
    run = function(t)
      local _, rank, own, other = t:pair()
      local packet = other:send_short(own, 1, 1, 8, { srqid = 7 | bit })
      t:probed("IMPI-171", "the message", rank, other, 1, 8)
      answered(t, "IMPI-171", other, { srqid = 7, dest = own }, "CANCELNO")
      t:probed("IMPI-171", "the message behind it", rank, other, 1, 8)
      answered(t, "IMPI-171", other, packet, "CANCELYES")
    end,
  }
end

case {
  id = "cancel-destroys-the-last",
  title = "Of several buffered messages with one srqid the last is destroyed",
  purpose = "Three with srqid 7 of different tags: after one CANCEL the third is gone and the first two are received; after two, one is left.",
  requirements = { "IMPI-172" },
  run = function(t)
    local _, rank, own, other = t:pair()
    local last
    for i = 1, 3 do last = other:send_short(own, i, i, 8, { srqid = 7 }) end
    answered(t, "IMPI-172", other, last, "CANCELYES")
    t:not_probed("IMPI-172", "the last one", rank, other, 3)
    t:probed("IMPI-172", "the second one", rank, other, 2, 8)
    answered(t, "IMPI-172", other, last, "CANCELYES")
    t:not_probed("IMPI-172", "the second one", rank, other, 2)
    t:receives("IMPI-172", "the first one", rank, other, 1, 8, { tag = 1 })
    answered(t, "IMPI-172", other, last, "CANCELNO")
  end,
}

case {
  id = "cancel-concerns-its-own-source",
  title = "A CANCEL concerns messages of its own source only",
  purpose = "Two processes of one host have sent messages with one srqid. The CANCEL of the first leaves that of the second, which came later, alone.",
  requirements = { "IMPI-173" },
  run = function(t)
    local job, rank, own, other = t:pair(small { 2 })
    local second = job.processes[1]
    local packet = other:send_short(own, 1, 1, 8, { srqid = 7 })
    second:send_short(own, 1, 2, 8, { srqid = 7 })
    answered(t, "IMPI-173", other, packet, "CANCELYES")
    t:receives("IMPI-173", "the message of the other process", rank, second, 2, 8, { tag = 1 })
    answered(t, "IMPI-173", other, packet, "CANCELNO")
  end,
}

case {
  id = "cancel-concerns-its-own-destination",
  title = "A CANCEL concerns messages to its own destination only",
  purpose = "One process has sent messages with one srqid to two ranks. The CANCEL to the first leaves that of the second alone.",
  requirements = { "IMPI-173" }, ranks = 2,
  run = function(t)
    local job, rank, own, other = t:pair { np = 2 }
    local second = job.processes[2]
    local packet = other:send_short(own, 1, 1, 8, { srqid = 7 })
    other:send_short(second, 1, 2, 8, { srqid = 7 })
    answered(t, "IMPI-173", other, packet, "CANCELYES")
    other:send_short(second, 9, 3, 8) -- has come only when all before it has
    t:receives("IMPI-173", "what was sent behind the CANCEL", job.ranks[1], other, 3, 8, { tag = 9 })
    t:receives("IMPI-173", "the message to the other rank", job.ranks[1], other, 2, 8, { tag = 1 })
    t:not_probed("IMPI-173", "the cancelled message", rank, other, 1)
  end,
}

case {
  id = "cancel-answered-while-computing",
  title = "A CANCEL is answered while the process computes",
  purpose = "The rank works for a while without calling MPI; the answer should come before it has ended.",
  requirements = { "IMPI-176" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local packet = other:send_short(own, 1, 1, 8)
    t:probed("IMPI-176", "the message", rank, other, 1, 8)
    local computing = rank:start("compute", { ms = 6000 })
    other:send_packet(own, { type = "CANCEL", srqid = packet.srqid })
    local reply, reason = channel:receive(5000)
    local when = reply and not computing:done() and "at_once" or "next_call"
    if not reply then
      computing:finish()
      t:mpi(rank:call("progress", { comm = "MPI_COMM_WORLD", ms = 200 }))
      reply, reason = channel:receive()
    end
    t:check("IMPI-176", "the answer", reply and reply.type == "CANCELYES", "CANCELYES",
      reply and IMPI.show_packet(reply) or reason)
    t:reading("IMPI-176", "cancel_answered_by", "the answer comes", when,
      { { "at_once", "at_once" }, { "next_call", "next_call" } })
  end,
}

case {
  id = "cancel-of-unmatched-on-a-communicator",
  title = "A CANCEL finds a message on any communicator, also on one that is not made yet",
  purpose = "A short, a synchronous and a long message on a copy of the world, and then on the context identifier of the next copy, are destroyed. Messages behind them on that next copy are received.",
  requirements = { "IMPI-167", "IMPI-168" },
  run = function(t)
    local job, rank, own, other = t:pair(small())
    local cid = job:dup("a")
    for _, each_cid in ipairs { cid, cid + 2 } do
      for i, kind in ipairs(KINDS) do
        local fields = { cid = each_cid, type = kind[1] == "synchronous" and "DATASYNC" or nil }
        local packet = kind[1] == "long" and other:send_long(own, i, i, kind[2], fields)
          or other:send_short(own, i, i, kind[2], fields)
        answered(t, "IMPI-167", other, packet, "CANCELYES")
      end
    end
    t:equal("IMPI-168", "the context identifier of the next copy", job:dup("b"), cid + 2)
    for i = 1, 3 do
      other:send_short(own, i, 10 + i, 20, { cid = cid + 2 })
      t:receives("IMPI-168", "a later message with the tag " .. i, rank, other, 10 + i, 20, { tag = i, comm = "b" })
    end
  end,
}

for name, order in each { { "oldest-first", { 1, 2, 3, 4, 5 } }, { "from-the-middle", { 3, 2, 4, 1, 5 } } } do
  case {
    id = "cancel-among-unmatched-" .. name,
    title = "Of several messages of one sender that have not matched, each can be cancelled: " .. name:gsub("-", " "),
    purpose = "Five messages of one process wait: short, synchronous, long, empty and short again. "
      .. "CANCELs come for them in the order " .. table.concat(order, ", ")
      .. ". Each is answered CANCELYES, that message is gone, and those that are left "
      .. "are still there.",
    requirements = { "IMPI-167", "IMPI-168" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local packets, lengths = {}, { 20, 20, 300, 0, 20 }
      for i, kind in ipairs { KINDS[1][3], KINDS[2][3], KINDS[3][3] } do packets[i] = kind(other, own, i, i) end
      for i = 4, 5 do packets[i] = other:send_short(own, i, i, lengths[i]) end
      local gone = {}
      for _, i in ipairs(order) do
        answered(t, "IMPI-167", other, packets[i], "CANCELYES")
        gone[i] = true
        for j = 1, 5 do
          local which = "message " .. j .. ", when " .. i .. " has been cancelled,"
          if gone[j] then
            t:not_probed("IMPI-168", which, rank, other, j)
          else
            t:probed("IMPI-168", which, rank, other, j, lengths[j])
          end
        end
      end
    end,
  }
end
