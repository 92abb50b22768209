-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What counts for flow control, on both sides, and whose limits hold (chapter 3.6).

defaults { role = "client", suite = "packets", chapter = "3.6" }

case {
  id = "flow-acknowledges-again-and-again",
  title = "Every packet is acknowledged, the hundredth as the first",
  purpose = "ackmark 1: a hundred and fifty messages come one behind the other, some with data and some without, each when the PROTOACK for the one before is there.",
  requirements = { "IMPI-129" }, deadline = 120, -- agents may look at intervals
  run = function(t)
    local _, _, own, other, channel = t:pair_with_marks(1, 2)
    for i = 1, 150 do
      other:send_short(own, i, i, i % 3)
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
    end
    t:channel_silent("IMPI-129", "nothing else", channel)
  end,
}

case {
  id = "flow-counts-directions-apart",
  title = "What comes from a process lets no more packets go to it",
  purpose = "ackmark 2, hiwater 4: four messages have left, and two wait. Six come from there and are acknowledged: nothing but PROTOACKs leaves. A PROTOACK for what has left brings the two.",
  requirements = { "IMPI-128" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 4)
    t:flood(rank, other, 6)
    t:expect_exactly("IMPI-128", channel, own, 4, 1)
    for i = 1, 3 do
      for k = 1, 2 do other:send_short(own, 20 + i, k, 4) end
      t:packet("IMPI-128", channel, "PROTOACK", { src = own, dest = other })
    end
    t:channel_silent("IMPI-128", "nothing but the PROTOACKs", channel)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-128", channel, own, 2, 5)
  end,
}

case {
  id = "flow-counts-all-of-a-long-message",
  title = "Every packet of a long message counts for the sender",
  purpose = "datalen 10, hiwater 4: of a message of 80 octets the first packet and, behind the SYNCACK, three more come. One PROTOACK of ackmark 2 brings two more.",
  requirements = { "IMPI-131" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 4, { others = { { datalen = 10 } } })
    rank:start_send(t, "MPI_Isend", other, 80, 1, { tag = 1 })
    local first = t:packet("IMPI-131", channel, "DATASYNC", { src = own, tag = 1 })
    other:answer("SYNCACK", first, { drqid = 5 })
    for _, count in ipairs { 3, 2 } do
      for _ = 1, count do t:packet("IMPI-131", channel, "DATA", { src = own, srqid = first.srqid }) end
      t:channel_silent("IMPI-131", "no packet beyond hiwater", channel)
      channel:protoack(other, own)
    end
  end,
}

case {
  id = "flow-counts-the-last-of-a-long-message",
  title = "The last packet of a long message, which is short, counts for the sender as the others do",
  purpose = "datalen 10, hiwater 8: a message of 25 octets has left, in three packets if they are filled. Of the short messages behind it as many leave as there is room for; a PROTOACK of ackmark 2 brings two more.",
  requirements = { "IMPI-131" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 8, { others = { { datalen = 10 } } })
    rank:start_send(t, "MPI_Isend", other, 25, 1, { tag = 1 })
    local first = t:packet("IMPI-131", channel, "DATASYNC", { src = own, tag = 1 })
    other:answer("SYNCACK", first, { drqid = 5 })
    local octets, room = #first.data, 7
    while octets < 25 and room > 0 do
      octets = octets + #t:packet("IMPI-131", channel, "DATA", { src = own, srqid = first.srqid }).data
      room = room - 1
    end
    t:skip_if(octets < 25, "the system under test cuts a message of 25 octets into more than 8 packets")
    t:flood(rank, other, room + 2, 11)
    t:expect_exactly("IMPI-131", channel, own, room, 11)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-131", channel, own, 2, 11 + room)
  end,
}

case {
  id = "flow-acknowledges-all-of-a-long-message",
  title = "Every packet of a long message counts for the receiver",
  purpose = "datalen 10, ackmark 3: of a message of 50 octets the third packet brings a PROTOACK. One DATASYNC and one DATA behind it bring the next with the rest.",
  requirements = { "IMPI-131" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 6, { others = { { datalen = 10 } } })
    local post = rank:post_receive(t, other, 50, { tag = 1 })
    local first = other:send_long(own, 1, 1, 50)
    local ack = t:packet("IMPI-131", channel, "SYNCACK", { src = own, srqid = first.srqid })
    other:send_rest(first, ack, 10, 1)
    t:channel_silent("IMPI-131", "two packets of three", channel)
    other:send_rest(first, ack, 10, 1)
    t:packet("IMPI-131", channel, "PROTOACK", { src = own, dest = other })
    other:send_rest(first, ack)
    t:receive_completes("IMPI-131", "the long message", post, 1)
    t:channel_silent("IMPI-131", "five packets of six", channel)
    other:send_short(own, 2, 2, 5)
    t:packet("IMPI-131", channel, "PROTOACK", { src = own, dest = other })
  end,
}

-- Sends so many synchronous messages that match at once. Returns their srqids as a set.
local function matched(t, rank, own, other, count)
  local owed = {}
  for i = 1, count do rank:post_receive(t, other, 4, { tag = i }) end
  for i = 1, count do owed[other:send_short(own, i, i, 4, { type = "DATASYNC" }).srqid] = true end
  return owed
end

-- The next packet that is no PROTOACK: an answer that is still owed, in whatever order they are given.
local function next_of(t, req, channel, kind, owed)
  local packet, reason
  repeat
    packet, reason = channel:receive()
  until not packet or packet.type ~= "PROTOACK"
  if not packet then t:needs_full_window(channel.job) end
  t:check(req, "the system under test sends " .. kind, packet and packet.type == kind and owed[packet.srqid],
    kind .. " with a srqid that is not answered yet", packet and IMPI.show_packet(packet) or reason)
  owed[packet.srqid] = nil
end

-- So many of them.
local function next_ones(t, req, channel, kind, owed, count)
  for _ = 1, count do next_of(t, req, channel, kind, owed) end
end

-- Judges that nothing but PROTOACKs comes for a while.
local function held(t, req, channel)
  local packet, reason
  repeat
    packet, reason = channel:receive(400)
  until not packet or packet.type ~= "PROTOACK"
  t:check(req, "beyond hiwater", not packet and reason == "timeout", "no packet but PROTOACK",
    packet and IMPI.show_packet(packet) or reason)
end

case {
  id = "flow-counts-syncacks-sent",
  title = "SYNCACKs count for their sender",
  purpose = "ackmark 3, hiwater 4: six synchronous messages match at once, and no PROTOACK is given. Four SYNCACKs come; the others when there is a PROTOACK.",
  requirements = { "IMPI-132" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 4)
    local owed = matched(t, rank, own, other, 6)
    next_ones(t, "IMPI-132", channel, "SYNCACK", owed, 4)
    held(t, "IMPI-132", channel)
    channel:protoack(other, own)
    next_ones(t, "IMPI-132", channel, "SYNCACK", owed, 2)
    t:ignore_violations({ "above-hiwater" }, channel) -- the rank's PROTOACK may have been on its way
  end,
}

case {
  id = "flow-counts-syncacks-of-long-messages-sent",
  title = "SYNCACKs of long messages count for their sender as those of short ones do",
  purpose = "ackmark 3, hiwater 4, datalen 10: the first packets of six long messages match at once, and no PROTOACK is given. Four SYNCACKs come; the others when there is a PROTOACK.",
  requirements = { "IMPI-132" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 4, { datalen = 10 })
    local owed = {}
    for i = 1, 6 do rank:post_receive(t, other, 25, { tag = i }) end
    for i = 1, 6 do owed[other:send_long(own, i, i, 25).srqid] = true end
    next_ones(t, "IMPI-132", channel, "SYNCACK", owed, 4)
    held(t, "IMPI-132", channel)
    channel:protoack(other, own)
    next_ones(t, "IMPI-132", channel, "SYNCACK", owed, 2)
    t:ignore_violations({ "above-hiwater" }, channel) -- the rank's PROTOACK may have been on its way
  end,
}

case {
  id = "flow-syncacks-that-had-to-wait",
  title = "However many SYNCACKs wait at hiwater, all leave when they may",
  purpose = "ackmark 1, hiwater 2. Forty synchronous messages match at once while no PROTOACK is given for the SYNCACKs; then there is one for each, and each message has its one SYNCACK.",
  requirements = { "IMPI-132", "IMPI-146" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(1, 2)
    local acks, owed = {}, {}
    local function next_packet(req)
      local packet, reason = channel:receive()
      t:check(req, "a PROTOACK or a SYNCACK", packet, "comes", reason)
      if packet.type ~= "PROTOACK" then acks[#acks + 1] = packet end
      return packet
    end
    for i = 1, 40 do
      rank:post_receive(t, other, 4, { tag = i })
      owed[other:send_short(own, i, i, 4, { type = "DATASYNC" }).srqid] = true
      repeat until next_packet("IMPI-146").type == "PROTOACK"
    end
    t:check("IMPI-132", "SYNCACKs without an acknowledgement", #acks <= 2, "2 at most", #acks)
    for i = 1, 40 do
      while #acks < i do next_packet("IMPI-146") end
      t:equal("IMPI-146", "packet " .. i, acks[i].type, "SYNCACK")
      t:check("IMPI-146", "its srqid", owed[acks[i].srqid], "that of a message without SYNCACK", acks[i].srqid)
      owed[acks[i].srqid] = nil
      channel:protoack(other, own)
    end
    t:channel_silent("IMPI-146", "no SYNCACK beyond them", channel)
  end,
}

case {
  id = "flow-counts-syncacks-received",
  title = "SYNCACKs count for their receiver",
  purpose = "ackmark 3: three synchronous messages of the system under test are acknowledged, which is three packets for it: one PROTOACK comes behind the third.",
  requirements = { "IMPI-132" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 6)
    local sends, packets = {}, {}
    for i = 1, 3 do
      sends[i] = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i })
      packets[i] = t:packet("IMPI-132", channel, "DATASYNC", { tag = i })
    end
    other:answer("SYNCACK", packets[1])
    other:answer("SYNCACK", packets[2])
    t:completes("IMPI-132", "the second send", sends[2])
    t:channel_silent("IMPI-132", "two packets of three", channel)
    other:answer("SYNCACK", packets[3])
    t:packet("IMPI-132", channel, "PROTOACK", { src = own, dest = other })
  end,
}

case {
  id = "flow-counts-syncacks-of-long-messages-received",
  title = "SYNCACKs of long messages count for their receiver as those of short ones do",
  purpose = "datalen 10, ackmark 3: of three long messages of the system under test the first packet is acknowledged, which is three packets for it: one PROTOACK comes behind the third SYNCACK, and none before.",
  requirements = { "IMPI-132" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, nil, { datalen = 10, room = 8 })
    for i = 1, 3 do
      rank:start_send(t, "MPI_Isend", other, 15, i, { tag = i })
      local first = t:packet("IMPI-132", channel, "DATASYNC", { src = own, tag = i })
      other:answer("SYNCACK", first, { drqid = i })
      local octets = #first.data
      while octets < 15 do
        octets = octets + #t:packet("IMPI-132", channel, "DATA", { src = own, srqid = first.srqid, drqid = i }).data
      end
      if i == 2 then t:channel_silent("IMPI-132", "two packets of three", channel) end
      if first.len < 10 then t:skip("the system under test cuts a message of 15 octets into more than two packets") end
    end
    t:packet("IMPI-132", channel, "PROTOACK", { src = own, dest = other })
  end,
}

for name, kind, call in each { { "short", "DATA", "MPI_Isend" }, { "synchronous", "DATASYNC", "MPI_Issend" } } do
  case {
    id = "flow-counts-empty-" .. name .. "-messages",
    title = "Messages without data count for sender and receiver as all others do: " .. name,
    purpose = "ackmark 3, hiwater 5. Two that nobody receives bring nothing, a third one a PROTOACK. Of seven that begin to leave five come; a PROTOACK brings the others.",
    requirements = { "IMPI-131" },
    run = function(t)
      local job, rank, own, other, channel = t:pair_with_marks(3, 5)
      t:needs_full_window(job)
      for i = 1, 3 do
        if i == 3 then t:channel_silent("IMPI-131", "two packets of three", channel) end
        other:send_short(own, i, i, 0, { type = kind })
      end
      t:packet("IMPI-131", channel, "PROTOACK", { src = own, dest = other })
      for i = 1, 7 do rank:start_send(t, call, other, 0, 0, { tag = i }) end
      for i = 1, 7 do
        if i == 6 then
          t:channel_silent("IMPI-131", "no packet beyond hiwater", channel)
          channel:protoack(other, own)
        end
        t:packet("IMPI-131", channel, kind, { src = own, tag = i })
      end
    end,
  }
end

case {
  id = "flow-counts-cancels-received",
  title = "CANCELs count for their receiver",
  purpose = "ackmark 3: three CANCELs for unknown messages bring three CANCELNOs and one PROTOACK.",
  requirements = { "IMPI-133" },
  run = function(t)
    local _, _, own, other, channel = t:pair_with_marks(3, 6)
    for i = 1, 3 do other:send_packet(own, { type = "CANCEL", srqid = 900 + i }) end
    local seen = {}
    for _ = 1, 4 do
      local packet, reason = channel:receive()
      t:check("IMPI-133", "answers to three CANCELs", packet, "three CANCELNO and one PROTOACK", reason)
      seen[packet.type] = (seen[packet.type] or 0) + 1
    end
    t:equal("IMPI-133", "answers to three CANCELs", seen, { CANCELNO = 3, PROTOACK = 1 })
    t:channel_silent("IMPI-133", "nothing more", channel)
  end,
}

case {
  id = "flow-counts-cancels-sent",
  title = "CANCELs count for their sender",
  purpose = "hiwater 4: two synchronous messages and the CANCELs for both have left. A fifth packet is held until there is a PROTOACK.",
  requirements = { "IMPI-133" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 4)
    for i = 1, 2 do
      local begun = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i })
      local packet = t:packet("IMPI-133", channel, "DATASYNC", { tag = i })
      t:cancel_at_once("IMPI-133", begun)
      t:packet("IMPI-133", channel, "CANCEL", { srqid = packet.srqid })
    end
    t:flood(rank, other, 3, 11)
    t:channel_silent("IMPI-133", "the fifth packet", channel)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-133", channel, own, 2, 11)
  end,
}

case {
  id = "flow-counts-cancel-replies-sent",
  title = "Replies to CANCEL count for their sender",
  purpose = "hiwater 4, six CANCELs, no PROTOACK: four replies come, and two more behind a PROTOACK.",
  requirements = { "IMPI-134" },
  run = function(t)
    local _, _, own, other, channel = t:pair_with_marks(3, 4)
    local owed = {}
    for i = 1, 6 do owed[other:send_packet(own, { type = "CANCEL", srqid = 900 + i }).srqid] = true end
    next_ones(t, "IMPI-134", channel, "CANCELNO", owed, 4)
    held(t, "IMPI-134", channel)
    channel:protoack(other, own)
    next_ones(t, "IMPI-134", channel, "CANCELNO", owed, 2)
    t:ignore_violations({ "above-hiwater-cancel" }, channel) -- the rank's PROTOACK may have been on its way
  end,
}

case {
  id = "flow-counts-cancel-replies-of-destroyed-messages-sent",
  title = "CANCELYES counts for its sender as CANCELNO does",
  purpose = "ackmark 3, hiwater 4: six messages that nobody receives are cancelled, and no PROTOACK is given. Four CANCELYES come; the others when there is a PROTOACK.",
  requirements = { "IMPI-134" },
  run = function(t)
    local _, _, own, other, channel = t:pair_with_marks(3, 4)
    local owed = {}
    for i = 1, 6 do
      local message = other:send_short(own, i, i, 4)
      owed[other:send_packet(own, { type = "CANCEL", srqid = message.srqid }).srqid] = true
    end
    next_ones(t, "IMPI-134", channel, "CANCELYES", owed, 4)
    held(t, "IMPI-134", channel)
    channel:protoack(other, own)
    next_ones(t, "IMPI-134", channel, "CANCELYES", owed, 2)
    -- The rank's PROTOACK may have been on its way.
    t:ignore_violations({ "above-hiwater", "above-hiwater-cancel" }, channel)
  end,
}

case {
  id = "flow-counts-cancel-replies-received",
  title = "Replies to CANCEL count for their receiver",
  purpose = "ackmark 2: a CANCELYES and a CANCELNO for two messages of the system under test bring one PROTOACK, behind the second.",
  requirements = { "IMPI-134" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 6)
    local sends, packets = {}, {}
    for i = 1, 2 do
      sends[i] = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i })
      packets[i] = t:packet("IMPI-134", channel, "DATASYNC", { tag = i })
      t:cancel_at_once("IMPI-134", sends[i])
      t:packet("IMPI-134", channel, "CANCEL", { srqid = packets[i].srqid })
    end
    other:answer("CANCELYES", packets[1])
    t:cancelled("IMPI-134", "the first send", sends[1], true)
    t:channel_silent("IMPI-134", "one packet of two", channel)
    other:answer("CANCELNO", packets[2])
    t:packet("IMPI-134", channel, "PROTOACK", { src = own, dest = other })
  end,
}

case {
  id = "flow-protoacks-are-not-counted",
  title = "PROTOACKs are not counted: with ackmark and hiwater 1 messages go both ways",
  purpose = "Thirty messages in each direction, each acknowledged by itself. No PROTOACK is answered by a PROTOACK.",
  requirements = { "IMPI-135" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(1, 1)
    t:flood(rank, other, 30)
    for i = 1, 30 do
      t:packet("IMPI-135", channel, "DATA", { src = own, tag = i })
      other:send_short(own, i, i, 4)
      t:packet("IMPI-135", channel, "PROTOACK", { src = own, dest = other })
      channel:protoack(other, own)
    end
    t:channel_silent("IMPI-135", "nothing is left", channel)
    for i = 1, 30, 29 do t:receives("IMPI-135", "message " .. i, rank, other, i, 4, { tag = i }) end
  end,
}

case {
  id = "flow-protoack-beyond-hiwater",
  title = "A PROTOACK is sent even though the pair has reached its hiwater",
  purpose = "hiwater messages of the system under test are not acknowledged and two more wait. As many packets as ackmark come: their PROTOACK leaves, and nothing else.",
  requirements = { "IMPI-136" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 3)
    t:flood(rank, other, 5)
    for i = 1, 3 do t:packet("IMPI-136", channel, "DATA", { src = own, tag = i }) end
    other:send_short(own, 1, 1, 4)
    other:send_short(own, 2, 2, 4)
    t:packet("IMPI-136", channel, "PROTOACK", { src = own, dest = other })
    t:expect_exactly("IMPI-136", channel, own, 0)
  end,
}

case {
  id = "flow-protoack-beside-answers-that-wait",
  title = "A PROTOACK is sent even though answers wait because the pair has reached its hiwater",
  purpose = "ackmark 2, hiwater 3: six synchronous messages match at once, and no PROTOACK is given for their SYNCACKs, of which only three may leave. Behind every second message its own PROTOACK comes all the same.",
  requirements = { "IMPI-136" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 3)
    for i = 1, 6 do rank:post_receive(t, other, 4, { tag = i }) end
    for i = 1, 6 do
      other:send_short(own, i, i, 4, { type = "DATASYNC" })
      local packet, reason
      while i % 2 == 0 and (not packet or packet.type ~= "PROTOACK") do
        packet, reason = channel:receive()
        t:check("IMPI-136", "the PROTOACK behind message " .. i, packet, "comes", reason)
      end
    end
  end,
}

for place = 0, 1 do
  case {
    id = "flow-limits-are-the-smallest" .. (place == 1 and "-of-a-later-host" or ""),
    title = "The smallest ackmark and hiwater of all hosts are in force, towards all of them"
      .. (place == 1 and ", also when they are those of a later host" or ""),
    purpose = "One host offers 3 and 5, another of the same client 5 and 9. Towards the other one five messages leave too, and a PROTOACK comes behind three.",
    requirements = { "IMPI-137" },
    run = function(t)
      local values = place == 0 and { H_ACKMARK = { 3, 5 }, H_HIWATER = { 5, 9 } }
        or { H_ACKMARK = { 5, 3 }, H_HIWATER = { 9, 5 } }
      local job, rank, own = t:pair_with_marks(3, 5, { others = { { hosts = { 1, 1 }, values = values } } })
      local other, second = job.processes[place], job.processes[1 - place]
      local channel, second_channel = other:channel_to(own), second:channel_to(own)
      t:flood(rank, other, 7)
      t:expect_exactly("IMPI-137", channel, own, 5, 1)
      t:flood(rank, second, 11)
      local count, packet = 5, nil
      for _ = 1, count do t:packet("IMPI-137", second_channel, "DATA", { src = own, dest = second }) end
      repeat
        packet = second_channel:receive(600)
        count = count + (packet and 1 or 0)
      until not packet
      t:reading("IMPI-137", "limits_in_force", "messages to the host of larger values", count,
        { { "smallest", 5 }, { "per_pair", 9 } })
      for i = 1, 3 do second:send_short(own, i, i, 4) end
      count, packet = 3, second_channel:receive(3000)
      while not packet and count < 6 do
        second:send_short(own, 9, 9, 4)
        count, packet = count + 1, second_channel:receive(3000)
      end
      t:check("IMPI-137", "what comes behind " .. count .. " packets", packet and packet.type == "PROTOACK", "PROTOACK",
        packet and IMPI.show_packet(packet) or "nothing")
      t:reading("IMPI-137", "limits_in_force", "packets before its PROTOACK", count,
        { { "smallest", 3 }, { "per_pair", 5 } })
    end,
  }
end

-- { name, hosts of each other client, their ackmarks, their hiwaters }: the least of both are of different hosts.
for _, row in ipairs { { "one-client", { { 1, 1 } }, { 5, 3 }, { 5, 9 } }, { "one-client-later", { { 1, 1 } }, { 3, 5 },
    { 9, 5 } }, { "two-clients", { { 1 }, { 1 } }, { 5, 3 }, { 5, 9 } }, { "one-client-of-three", { { 1, 1, 1 } },
    { 3, 4, 5 }, { 9, 9, 5 } } } do
  case {
    id = "flow-limits-of-two-hosts-of-" .. row[1],
    title = "The smallest ackmark is in force, and so is the smallest hiwater, which another host may have offered",
    purpose = "One host offers 5 and 5, another one 3 and 9. Five messages leave for the second, and a PROTOACK comes for the first behind three.",
    requirements = { "IMPI-137" },
    run = function(t)
      local others, at = {}, 0
      for i, hosts in ipairs(row[2]) do
        others[i] = { hosts = hosts, values = { H_ACKMARK = { table.unpack(row[3], at + 1, at + #hosts) },
          H_HIWATER = { table.unpack(row[4], at + 1, at + #hosts) } } }
        at = at + #hosts
      end
      local job, rank, own = t:pair_with_marks(3, 5, { others = others })
      local even, wide
      for i, ackmark in ipairs(row[3]) do
        wide = ackmark == 3 and job.processes[i - 1] or wide
        even = row[4][i] == 5 and job.processes[i - 1] or even
      end
      t:flood(rank, wide, 11)
      local channel, count = wide:channel_to(own), 5
      for _ = 1, count do t:packet("IMPI-137", channel, "DATA", { src = own, dest = wide }) end
      while channel:receive(600) do count = count + 1 end
      local of_hiwater = t:reading("IMPI-137", "limits_in_force", "messages to the host of the larger hiwater", count,
        { { "smallest", 5 }, { "per_pair", 9 } })
      for i = 1, 3 do even:send_short(own, i, i, 4) end
      channel, count = even:channel_to(own), 3
      local packet = channel:receive(3000)
      while not packet and count < 6 do
        even:send_short(own, 9, 9, 4)
        count, packet = count + 1, channel:receive(3000)
      end
      t:check("IMPI-137", "what comes behind " .. count .. " packets", packet and packet.type == "PROTOACK", "PROTOACK",
        packet and IMPI.show_packet(packet) or "nothing")
      local of_ackmark = t:reading("IMPI-137", "limits_in_force",
        "packets before the PROTOACK for the host of the larger ackmark", count,
        { { "smallest", 3 }, { "per_pair", 5 } })
      t:equal("IMPI-137", "the ackmark in force is, like the hiwater,", of_ackmark, of_hiwater)
    end,
  }
end

case {
  id = "flow-limits-without-a-sign",
  title = "Ackmark and hiwater have no sign: what has the highest bit is large",
  purpose = "The other client offers 80000000 and ffffffff. The values of the system under test are in force.",
  requirements = { "IMPI-137" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { judging = "IMPI-137", others = { { ackmark = 0x80000000,
      hiwater = 0xffffffff } } }
    t:skip_if(job.hiwater > 200, "the system under test offers a hiwater above 200")
    channel.by_hand = true
    t:judging("IMPI-137")
    t:flood(rank, other, job.hiwater + 2)
    t:expect_exactly("IMPI-137", channel, own, job.hiwater, 1)
    for i = 1, job.ackmark do other:send_short(own, i, i, 4) end
    t:packet("IMPI-137", channel, "PROTOACK", { src = own, dest = other })
  end,
}

case {
  id = "flow-limits-of-the-system-under-test",
  title = "Where the system under test offers the smaller values, these are in force",
  purpose = "The user of the system under test chooses ackmark 2 and hiwater 3; the others offer 10 and 20.",
  requirements = { "IMPI-137" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { env = { IMPI_ACKMARK = "2", IMPI_HIWATER = "3" } }
    t:skip_if(job.ackmark ~= 2 or job.hiwater ~= 3,
      "the system under test does not offer what IMPI_ACKMARK and IMPI_HIWATER say")
    channel.by_hand = true
    t:flood(rank, other, 6)
    t:expect_exactly("IMPI-137", channel, own, 3, 1)
    other:send_short(own, 1, 1, 4)
    other:send_short(own, 2, 2, 4)
    t:packet("IMPI-137", channel, "PROTOACK", { src = own, dest = other })
  end,
}

case {
  id = "flow-protoack-finds-an-answer-and-messages",
  title = "A PROTOACK releases ackmark packets, whether answers or messages wait",
  purpose = "ackmark 3, hiwater 3. Three messages have left; a SYNCACK and five messages wait. A PROTOACK brings three packets and no fourth, the next one the other three.",
  requirements = { "IMPI-127", "IMPI-132" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 3)
    rank:post_receive(t, other, 8, { tag = 9 })
    t:flood(rank, other, 3)
    t:expect_exactly("IMPI-127", channel, own, 3, 1)
    t:flood(rank, other, 5, 4)
    other:send_short(own, 9, 9, 8, { type = "DATASYNC" })
    t:channel_silent("IMPI-132", "the SYNCACK beyond hiwater", channel)
    local count = { DATA = 0, SYNCACK = 0 }
    for protoack = 1, 2 do
      channel:protoack(other, own)
      for i = 1, 3 do
        local packet, reason = channel:receive()
        t:check("IMPI-127", "packet " .. i .. " behind PROTOACK " .. protoack, packet and count[packet.type],
          "DATA or SYNCACK", packet and packet.type or reason)
        count[packet.type] = count[packet.type] + 1
      end
      t:channel_silent("IMPI-127", "no fourth packet behind PROTOACK " .. protoack, channel)
    end
    t:equal("IMPI-127", "what has come", count, { DATA = 5, SYNCACK = 1 })
  end,
}

for _, room in ipairs { 6, 10, 0 } do
  case {
    id = "flow-acknowledges-what-finds-no-room-" .. room,
    title = string.format("Packets for whose data a receive of %d octets has no room are counted", room),
    purpose = "datalen 10, ackmark 2, hiwater 4: the message has 80 octets. A PROTOACK comes for every second of its packets; the receive ends with MPI_ERR_TRUNCATE.",
    requirements = { "IMPI-131" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 4, { others = { { datalen = 10 } } })
      local call = rank:start_MPI_Recv { buf = rank:new_region(16), count = room, source = other.rank, tag = 1 }
      t:judging("IMPI-131")
      local first = other:send_long(own, 1, 1, 80)
      local ack = t:packet("IMPI-131", channel, "SYNCACK", { src = own, srqid = first.srqid })
      local sent = 1
      for _ = 1, 7 do
        other:send_rest(first, ack, 10, 1)
        sent = sent + 1
        if sent % 2 == 0 then t:packet("IMPI-131", channel, "PROTOACK", { src = own, dest = other }) end
      end
      t:equal("IMPI-131", "the error of the receive", call:finish().rc, "MPI_ERR_TRUNCATE")
      t:channel_silent("IMPI-131", "four PROTOACKs for eight packets", channel)
    end,
  }
end
