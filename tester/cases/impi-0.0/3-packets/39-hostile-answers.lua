-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Answers to what was never asked: acknowledgements and cancel replies for requests that are unknown or finished
-- (robustness of chapters 3.6 and 3.7). They are ignored or reported.

defaults { role = "client", suite = "p2p", chapter = "3.7" }

local LIMIT = 64

local function small()
  return { others = { { datalen = LIMIT } } }
end

local ANSWERS = { "SYNCACK", "CANCELYES", "CANCELNO" }

-- The rules that an answer breaks for which nobody asked, and one to what is finished: a synchronous send or another.
local UNASKED = { SYNCACK = "syncack-unasked", CANCELYES = "cancel-unasked", CANCELNO = "cancel-unasked" }
local FINISHED = { SYNCACK = { "syncack-again", "syncack-unasked" }, CANCELYES = "cancel-unasked",
  CANCELNO = "cancel-unasked" }

for _, kind in ipairs(ANSWERS) do
  case {
    id = "unasked-" .. kind:lower() .. "-of-nothing",
    title = "A " .. kind .. " for a request that does not exist is ignored or reported",
    purpose = "Random srqids, 0, the largest, and those that differ in one high bit from that of a synchronous send that is open; it is neither complete nor cancelled.",
    requirements = { "IMPI-258" }, negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair()
      local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
      local message = t:packet("IMPI-258", channel, "DATASYNC", { tag = 5 })
      local trial, packets = t:trial(job, rank, own, other), {}
      for i, id in ipairs { 0, -1, message.srqid + 1, t.random(1 << 40) + 1000, math.mininteger,
        message.srqid ~ 1 << 32, message.srqid ~ math.mininteger } do
        packets[i] = other:packet(own, { type = kind, srqid = id ~= message.srqid and id or 999, drqid = i })
      end
      if t:survives("IMPI-258", trial, packets, UNASKED[kind]) then
        t:stays_pending("IMPI-258", "the open send", begun)
        other:answer("SYNCACK", message)
        t:cancelled("IMPI-258", "the send", begun, false)
      end
    end,
  }
end

for _, kind in ipairs { "SYNCACK", "CANCELYES" } do
  case {
    id = "unasked-" .. kind:lower() .. "-of-another-process",
    title = "A " .. kind .. " of a process that was sent nothing is no answer for another one",
    purpose = "Of two processes of one host one was sent a synchronous message, or CANCEL for it; the other one answers with its srqid. The send stays open until the right one answers.",
    requirements = { "IMPI-258" }, negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair { others = { { hosts = { 2 } } } }
      local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
      local message = t:packet("IMPI-258", channel, "DATASYNC", { tag = 5 })
      if kind == "CANCELYES" then
        t:cancel_at_once(nil, begun)
        t:packet("IMPI-258", channel, "CANCEL", { srqid = message.srqid })
      end
      local trial = t:trial(job, rank, own, other)
      local forged = job.processes[1]:packet(own, { type = kind, srqid = message.srqid, drqid = 1 })
      if t:survives("IMPI-258", trial, { forged }, UNASKED[kind]) then
        t:stays_pending("IMPI-258", "the open send", begun)
        if kind == "CANCELYES" then other:answer("CANCELNO", message) end
        other:answer("SYNCACK", message)
        t:cancelled("IMPI-258", "the send", begun, false)
      end
    end,
  }
end

for _, kind in ipairs(ANSWERS) do
  case {
    id = "unasked-" .. kind:lower() .. "-of-the-finished",
    title = "A " .. kind .. " for a send that is finished is ignored or reported",
    purpose = "A synchronous and a standard send are complete and waited for; then the answer comes for both, twice.",
    requirements = { "IMPI-258" }, negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair()
      local sync = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 1 })
      local first = t:packet("IMPI-258", channel, "DATASYNC", { tag = 1 })
      other:answer("SYNCACK", first)
      t:completes("IMPI-258", "the synchronous send", sync)
      local standard = rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 2 })
      local second = t:packet("IMPI-258", channel, "DATA", { tag = 2 })
      t:completes("IMPI-258", "the standard send", standard)
      local trial, packets = t:trial(job, rank, own, other), {}
      for i = 1, 4 do
        packets[i] = other:packet(own, { type = kind, srqid = (i % 2 == 1 and first or second).srqid })
      end
      -- A number may be given again; then it is the later send's, and nobody waits for that.
      t:survives("IMPI-258", trial, packets, (first.srqid == second.srqid and UNASKED or FINISHED)[kind])
    end,
  }
end

case {
  id = "unasked-second-syncack-of-a-long-send",
  title = "A second SYNCACK does not send the rest of a long message again",
  purpose = "Two SYNCACKs with different drqids come in one write. The rest is sent once, with the first drqid.",
  requirements = { "IMPI-258" }, chapter = "3.7.2", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair(small())
    rank:start_send(t, "MPI_Isend", other, 3 * LIMIT, 1, { tag = 1 })
    local first = t:packet("IMPI-258", channel, "DATASYNC", { tag = 1 })
    local trial = t:trial(job, rank, own, other)
    local acks = {}
    for i = 1, 2 do acks[i] = other:packet(own, { type = "SYNCACK", srqid = first.srqid, drqid = i }) end
    if t:survives("IMPI-258", trial, acks, "syncack-again") then
      t:ping_pong("IMPI-258", "afterwards", rank, own, other)
      local rest = {}
      for _, packet in ipairs(trial.seen or {}) do
        rest[#rest + 1] = packet.srqid == first.srqid and packet.type == "DATA" and packet or nil
      end
      for _, packet in ipairs(channel.inbox) do
        rest[#rest + 1] = packet.srqid == first.srqid and packet.type == "DATA" and packet or nil
      end
      local octets = 0
      for _, packet in ipairs(rest) do
        t:equal("IMPI-258", "drqid of the rest", packet.drqid, 1)
        octets = octets + #packet.data
      end
      t:equal("IMPI-258", "octets of the rest", octets, first.msglen - #first.data)
    end
  end,
}

case {
  id = "unasked-cancelyes-while-waiting",
  title = "A CANCELYES without a CANCEL does not cancel a synchronous send",
  purpose = "The send stays open, its SYNCACK completes it, and it is not cancelled.",
  requirements = { "IMPI-258" }, chapter = "3.7.4", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
    local message = t:packet("IMPI-258", channel, "DATASYNC", { tag = 5 })
    local trial = t:trial(job, rank, own, other)
    local forged = { other:packet(own, { type = "CANCELYES", srqid = message.srqid }) }
    if t:survives("IMPI-258", trial, forged, "cancel-unasked") then
      t:stays_pending("IMPI-258", "the send", begun)
      other:answer("SYNCACK", message)
      t:cancelled("IMPI-258", "the send", begun, false)
    end
  end,
}

case {
  id = "unasked-second-cancel-reply",
  title = "A second reply to one CANCEL is ignored or reported",
  purpose = "CANCELNO, CANCELYES and CANCELNO come in one write for a synchronous send: it is not cancelled, and its SYNCACK completes it.",
  requirements = { "IMPI-258" }, chapter = "3.7.4", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
    local message = t:packet("IMPI-258", channel, "DATASYNC", { tag = 5 })
    t:cancel_at_once(nil, begun)
    t:packet("IMPI-258", channel, "CANCEL", { srqid = message.srqid })
    local trial, packets = t:trial(job, rank, own, other), {}
    for i, kind in ipairs { "CANCELNO", "CANCELYES", "CANCELNO" } do
      packets[i] = other:packet(own, { type = kind, srqid = message.srqid })
    end
    if t:survives("IMPI-258", trial, packets, "cancel-unasked") then
      other:answer("SYNCACK", message)
      t:cancelled("IMPI-258", "the send", begun, false)
    end
  end,
}

case {
  id = "unasked-syncack-behind-cancelyes",
  title = "A SYNCACK behind CANCELYES brings no data of the cancelled message",
  purpose = "A long send has been cancelled; a SYNCACK for it comes all the same. No later packet leaves.",
  requirements = { "IMPI-258", "IMPI-174" }, chapter = "3.7.4", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair(small())
    local begun = rank:start_send(t, "MPI_Isend", other, 3 * LIMIT, 1, { tag = 5 })
    local message = t:packet("IMPI-258", channel, "DATASYNC", { tag = 5 })
    t:start_cancel(nil, begun)
    t:packet("IMPI-174", channel, "CANCEL", { srqid = message.srqid })
    other:answer("CANCELYES", message)
    t:cancel_answered("IMPI-174", "the send", begun, true)
    local trial = t:trial(job, rank, own, other)
    local forged = { other:packet(own, { type = "SYNCACK", srqid = message.srqid, drqid = 3 }) }
    if t:survives("IMPI-258", trial, forged, "syncack-destroyed") then
      t:check("IMPI-258", "packets beside the answer", not (trial.seen and trial.seen[1]), "none",
        trial.seen and trial.seen[1] and IMPI.show_packet(trial.seen[1]))
      t:channel_silent("IMPI-258", "no data of the cancelled message", channel)
    end
  end,
}

-- The next packet that is no PROTOACK, or nil and why there is none.
local function beside_protoacks(channel, ms)
  local packet, reason
  repeat packet, reason = channel:receive(ms) until not packet or packet.type ~= "PROTOACK"
  return packet, reason
end

case {
  id = "unasked-second-syncack-of-a-stream-that-waits",
  title = "A second SYNCACK for a long message whose rest waits at hiwater changes nothing of it",
  purpose = "datalen 16, ackmark 1, hiwater 3: the first packet of a message of 160 octets and as many more as may have left. The second SYNCACK has another drqid. Then there is a PROTOACK for each packet: the rest comes once, with the first drqid; or the job ends with a message.",
  requirements = { "IMPI-258" }, chapter = "3.7.2", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(1, 3, { datalen = 16 })
    rank:start_send(t, "MPI_Isend", other, 160, 1, { tag = 1 })
    local first = t:packet("IMPI-258", channel, "DATASYNC", { tag = 1 })
    local said, octets, owed = #job:output(), #first.data, 1
    local function taken(packet)
      t:equal("IMPI-258", "type and drqid of the rest", packet.type .. " " .. packet.drqid, "DATA 5")
      t:same_octets("IMPI-258", "octets of the rest", packet.data,
        t.mix(1, 160):sub(octets + 1, octets + #packet.data))
      octets, owed = octets + #packet.data, owed + 1
    end
    other:answer("SYNCACK", first, { drqid = 5 })
    local packet, reason = beside_protoacks(channel, 1000)
    while packet do
      taken(packet)
      packet = beside_protoacks(channel, 600)
    end
    t:sanity("the beginning of a long message has come, and the rest waits", octets < 160)
    job:may_end(true)
    t:send_invalid_packet("IMPI-258", channel, other:packet(own, { type = "SYNCACK", srqid = first.srqid, drqid = 6 }),
      "syncack-again")
    while octets < 160 do
      for _ = 1, owed do channel:protoack(other, own) end
      owed = 0
      packet, reason = beside_protoacks(channel)
      if not packet then
        local status = job:ended()
        t:check("IMPI-258", "the rest", status, "comes, or the job ends", reason)
        t:check("IMPI-258", "the end of the job", IMPI.ended_with_error(status) and #job:output() > said,
          "a message, and a status other than 0", status)
        return
      end
      taken(packet)
    end
    job:may_end(false)
    channel:protoack(other, own)
    rank:start_send(t, "MPI_Isend", other, 8, 2, { tag = 2 })
    packet, reason = beside_protoacks(channel)
    t:check("IMPI-258", "what comes next", packet and packet.tag == 2, "the next message",
      packet and IMPI.show_packet(packet) or reason)
  end,
}

for _, unasked in ipairs { 1, 3, 40 } do
  case {
    id = "unasked-protoacks-" .. unasked,
    title = string.format("%d PROTOACKs for nothing do not widen the window", unasked),
    purpose = "ackmark 2, hiwater 4. They come before anything was sent. Ten messages begin to leave: exactly four come.",
    requirements = { "IMPI-258" }, suite = "packets", chapter = "3.6", negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair_with_marks(2, 4)
      local trial, packets = t:trial(job, rank, own, other), {}
      for i = 1, unasked do packets[i] = other:packet(own, { type = "PROTOACK" }) end
      if t:survives("IMPI-258", trial, packets, "protoack-early") then
        t:flood(rank, other, 10)
        t:expect_exactly("IMPI-258", channel, own, 3, 1) -- the answer was the first of four
      end
    end,
  }
end

case {
  id = "unasked-protoack-of-too-much",
  title = "A PROTOACK for more packets than were sent does not widen the window",
  purpose = "ackmark 3, hiwater 4: two packets have come when it is sent. Then seven begin to leave: at most four are under way.",
  requirements = { "IMPI-258" }, suite = "packets", chapter = "3.6", negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(3, 4)
    t:flood(rank, other, 1)
    t:packet("IMPI-258", channel, "DATA", { src = own, tag = 1 })
    local trial = t:trial(job, rank, own, other)
    if t:survives("IMPI-258", trial, { other:packet(own, { type = "PROTOACK" }) }, "protoack-early") then
      t:flood(rank, other, 7, 11)
      local count = 2
      for _ = 1, count do t:packet("IMPI-258", channel, "DATA", { src = own }) end
      while channel:receive(600) do
        count = count + 1
      end
      -- 3.6: an acknowledgement "decrements the source's counter", which is a number of packets and cannot go below 0
      t:check("IMPI-258", "packets that come", count <= 4 and count >= 2,
        "2 (it was ignored) to 4 (it was taken as far as it went)", count)
    end
  end,
}
