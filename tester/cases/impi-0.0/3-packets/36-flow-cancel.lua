-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Flow control and cancelling: packets that have left count although their message is cancelled, what has not left does
-- not (chapters 3.6 and 3.7.4).

defaults { role = "client", suite = "packets", chapter = "3.6" }

case {
  id = "flow-cancelled-before-it-leaves",
  title = "A message that is cancelled before it was sent does not count",
  purpose = "hiwater 2: two packets have left, three sends that wait behind them are cancelled, or said not to be. One PROTOACK of ackmark 2 brings the next two messages that are not.",
  requirements = { "IMPI-127", "IMPI-166" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2)
    local begun, sent = {}, {}
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-127", channel, own, 2, 1)
    for i = 1, 3 do begun[i] = rank:start_send(t, "MPI_Isend", other, 8, i, { tag = 10 + i }) end
    t:flood(rank, other, 3, 3)
    for i = 1, 3 do
      t:rc("IMPI-166", rank:MPI_Cancel { request = begun[i].request }, "MPI_SUCCESS")
      if not t:settled_locally("IMPI-166", "send " .. i, begun[i]) then sent[#sent + 1] = 10 + i end
    end
    table.move({ 3, 4, 5 }, 1, 3, #sent + 1, sent)
    channel:protoack(other, own)
    for i = 1, 2 do t:packet("IMPI-127", channel, "DATA", { src = own, tag = sent[i] }) end
    t:channel_silent("IMPI-127", "no packet beyond hiwater", channel)
  end,
}

case {
  id = "flow-cancelled-behind-it",
  title = "The packet of a message counts although the message is cancelled afterwards",
  purpose = "ackmark 2, hiwater 4: two synchronous sends and their CANCELs have left, each is answered CANCELYES. Nothing more leaves before a PROTOACK, and then two packets.",
  requirements = { "IMPI-126" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 4)
    for i = 1, 2 do
      local begun = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i })
      local packet = t:packet("IMPI-126", channel, "DATASYNC", { tag = i })
      t:start_cancel("IMPI-126", begun)
      t:packet("IMPI-126", channel, "CANCEL", { srqid = packet.srqid })
      other:answer("CANCELYES", packet)
      t:cancel_answered("IMPI-126", "send " .. i, begun, true)
    end
    t:packet("IMPI-126", channel, "PROTOACK", { src = own, dest = other })
    t:flood(rank, other, 3, 11)
    t:channel_silent("IMPI-126", "the fifth packet", channel)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-126", channel, own, 2, 11)
  end,
}

case {
  id = "flow-cancelled-while-it-waits",
  title = "A message that is cancelled while it waits at hiwater makes no room for another one",
  purpose = "ackmark 2, hiwater 4: four messages have left. A synchronous send behind them is cancelled, and one more message is sent: it leaves behind the PROTOACK, and not before.",
  requirements = { "IMPI-126" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 4)
    t:flood(rank, other, 4, 11)
    t:expect_exactly("IMPI-126", channel, own, 4, 11)
    local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 3 })
    t:rc("IMPI-126", rank:MPI_Cancel { request = begun.request }, "MPI_SUCCESS")
    t:cancelled("IMPI-126", "the send that waits", begun, true)
    t:flood(rank, other, 1, 15)
    t:channel_silent("IMPI-126", "the fifth packet", channel)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-126", channel, own, 1, 15)
  end,
}

case {
  id = "flow-acknowledges-what-is-destroyed",
  title = "A message that a CANCEL destroys has been received, and counts",
  purpose = "ackmark 3: a message, its CANCEL and another message are three packets. The third one brings the PROTOACK.",
  requirements = { "IMPI-129" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 6)
    local message = other:send_short(own, 1, 1, 8)
    t:probed("IMPI-129", "the message", rank, other, 1, 8)
    other:send_packet(own, { type = "CANCEL", srqid = message.srqid })
    t:packet("IMPI-129", channel, "CANCELYES", { src = own, srqid = message.srqid })
    other:send_short(own, 2, 2, 8)
    t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
    t:receives("IMPI-129", "the other message", rank, other, 2, 8, { tag = 2 })
  end,
}

for _, row in ipairs { { "synchronous", "MPI_Issend", 8, "IMPI-162" }, { "long", "MPI_Isend", 100, "IMPI-163" } } do
  local name, call, octets, req = row[1], row[2], row[3], row[4]
  case {
    id = "flow-cancel-at-hiwater-of-a-" .. name .. "-send",
    title = "The CANCEL of a " .. name .. " send waits for a PROTOACK where the way is full, and comes then",
    purpose = "hiwater 3: the send's packet and two messages have left when MPI_Cancel is called. Nothing comes before the PROTOACK; behind it the CANCEL, and its answer cancels the send.",
    requirements = { "IMPI-133", req },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 3, { datalen = 64 })
      t:judging(req)
      local begun = rank:start_send(t, call, other, octets, 1, { tag = 9 })
      local message = t:packet(req, channel, "DATASYNC", { src = own, tag = 9 })
      t:flood(rank, other, 2)
      t:expect_exactly(req, channel, own, 2, 1)
      t:start_cancel(req, begun)
      t:channel_silent("IMPI-133", "the CANCEL beyond hiwater", channel)
      channel:protoack(other, own)
      t:packet(req, channel, "CANCEL", { src = own, dest = other, srqid = message.srqid })
      other:answer("CANCELYES", message)
      t:cancel_answered(req, "the send", begun, true)
    end,
  }
end

for name, count in each { { "", 6 }, { "-in-numbers", 40 } } do
  case {
    id = "flow-cancel-replies-that-had-to-wait" .. name,
    title = "Cancel replies that wait at hiwater all leave when they may: " .. count,
    purpose = "ackmark 1, hiwater 2. " .. count .. " messages and the CANCELs for them come while no PROTOACK is given "
      .. "for the replies; then there is one for each, and each CANCEL has its one reply.",
    requirements = { "IMPI-170", "IMPI-134" },
    run = function(t)
      local _, _, own, other, channel = t:pair_with_marks(1, 2)
      local replies, owed = {}, {}
      local function next_packet(req)
        local packet, reason = channel:receive()
        t:check(req, "a PROTOACK or a reply", packet, "comes", reason)
        if packet.type ~= "PROTOACK" then replies[#replies + 1] = packet end
        return packet
      end
      for i = 1, count do
        local message = other:send_short(own, i, i, 8)
        repeat until next_packet("IMPI-170").type == "PROTOACK"
        other:send_packet(own, { type = "CANCEL", srqid = message.srqid })
        repeat until next_packet("IMPI-170").type == "PROTOACK"
        owed[message.srqid] = true
      end
      t:check("IMPI-134", "replies without an acknowledgement", #replies <= 2, "2 at most", #replies)
      for i = 1, count do
        while #replies < i do next_packet("IMPI-170") end
        t:equal("IMPI-170", "reply " .. i, replies[i].type, "CANCELYES")
        t:check("IMPI-170", "its srqid", owed[replies[i].srqid], "that of an open CANCEL", replies[i].srqid)
        owed[replies[i].srqid] = nil
        channel:protoack(other, own)
      end
      t:channel_silent("IMPI-170", "no reply beyond them", channel)
    end,
  }
end
