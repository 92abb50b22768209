-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What is owed when a FINI packet comes directly behind other packets (chapters 2.4 and 3.8): they came before it, so
-- they are acknowledged and answered before the channel is closed.

defaults { role = "client", suite = "shutdown", chapter = "3.8" }

-- An open job like t:pair, with the marks that the system under test offers, of which the case needs `room` packets
-- below hiwater; the scripted hosts count by hand.
local function pair_with_room(t, room, given)
  local job, rank, own, other, channel = t:pair(given)
  job:needs("hiwater", room)
  for _, each in ipairs(job:each_channel()) do each.by_hand = true end
  return job, rank, own, other, channel
end

-- The end of a job whose host under test has sent FINI: these packets and FINI in one write. Returns by type how many
-- packets came until the connection ended, and the srqids of the cancel replies in their order.
local function ended_by(t, req, job, channel, packets)
  local count, replies = { PROTOACK = 0, CANCEL = 0 }, {}
  packets[#packets + 1] = { type = "FINI" }
  channel:send_together(packets)
  local packet, reason
  repeat
    packet, reason = channel:next_packet()
    local kind = packet and tostring(packet.type):gsub("YES$", ""):gsub("NO$", "")
    if kind then
      t:check(req, "a packet behind FINI", count[kind], "an acknowledgement or a cancel reply", packet.type)
      count[kind] = count[kind] + 1
      replies[#replies + 1] = kind == "CANCEL" and packet.srqid or nil
    end
  until not packet
  t:check(req, "the connection behind both FINI packets", reason == "closed" or reason == "reset", "ends", reason)
  t:ends_in_order(req, job)
  return count, replies
end

for name, send in each {
  { "short", function(other, to, i) return other:send_short(to, i, i, 20) end },
  { "synchronous", function(other, to, i) return other:send_short(to, i, i, 20, { type = "DATASYNC" }) end },
  { "long", function(other, to, i) return other:send_long(to, i, i, 300) end },
} do
  case {
    id = "owed-cancel-replies-for-" .. name .. "-messages",
    title = "CANCELs of " .. name .. " messages directly before FINI are answered before the channel is closed",
    purpose = "Two processes under test are finalized, and two messages wait at each. Four CANCELs and FINI come in one write: four replies, yes or no, each once, and then the end.",
    requirements = { "IMPI-170" }, ranks = 2,
    run = function(t)
      local job, _, own, other, channel = pair_with_room(t, 5, { np = 2, others = { { datalen = 64 } } })
      local packets, wanted = {}, {}
      for i = 1, 4 do
        local to = job.processes[own.rank + i % 2]
        local message = send(other, to, i)
        packets[i], wanted[i] = other:packet(to, { type = "CANCEL", srqid = message.srqid }), message.srqid
      end
      job:start_shutdown()
      t:fini_packet("IMPI-170", channel)
      local _, replies = ended_by(t, "IMPI-170", job, channel, packets)
      table.sort(replies)
      t:equal("IMPI-170", "srqids of the replies", replies, wanted)
    end,
  }
end

case {
  id = "owed-cancel-replies-in-great-number",
  title = "Many CANCELs directly before FINI are all answered",
  purpose = "None of them names a message that waits. Fifteen of them, or fewer where hiwater lets fewer be under way, and FINI come in one write.",
  requirements = { "IMPI-170" },
  run = function(t)
    local job, _, own, other, channel = pair_with_room(t, 3)
    local packets, wanted, many = {}, {}, math.min(15, job.hiwater - 1)
    for i = 1, many do
      packets[i], wanted[i] = other:packet(own, { type = "CANCEL", srqid = 900 + i }), 900 + i
    end
    job:start_shutdown()
    t:fini_packet("IMPI-170", channel)
    local _, replies = ended_by(t, "IMPI-170", job, channel, packets)
    if #replies < many then t:needs_full_window(job) end
    table.sort(replies)
    t:equal("IMPI-170", "srqids of the replies", replies, wanted)
  end,
}

case {
  id = "owed-acknowledgements",
  title = "Messages directly before FINI are acknowledged before the channel is closed",
  purpose = "ackmark is 2 or less; the message of the barrier and up to nine for each of two finalized processes have come when FINI does, these in one write: a PROTOACK for every ackmark of them for the one and for the other, and then the end.",
  requirements = { "IMPI-091" }, chapter = "2.4", ranks = 2,
  run = function(t)
    local job, _, own, other, channel = pair_with_room(t, 3, { np = 2, others = { { ackmark = 2 } } })
    local packets, each, marks = {}, math.min(9, job.hiwater - 1), job.ackmark
    for i = 1, 2 * each do
      packets[i] = other:packet(job.processes[own.rank + i % 2], { type = "DATA", tag = i, data = "nobody wants this" })
    end
    job:start_shutdown()
    local acknowledged = 0 -- the barrier's message, where ackmark is 1
    for _, kind in ipairs(t:fini_packet("IMPI-091", channel)) do
      acknowledged = acknowledged + (kind == "PROTOACK" and 1 or 0)
    end
    local count = ended_by(t, "IMPI-091", job, channel, packets)
    t:equal("IMPI-091", string.format("PROTOACKs for %d and for %d packets", each + 1, each),
      acknowledged + count.PROTOACK, (each + 1) // marks + each // marks)
  end,
}

case {
  id = "owed-cancel-replies-on-two-channels",
  title = "CANCELs directly before FINI are answered on every channel before it is closed",
  purpose = "Three hosts of two other clients have each sent a message to a process that is finalized. A CANCEL for it and FINI come in one write, to one channel after the other: on each a reply, and then the end.",
  requirements = { "IMPI-170" },
  run = function(t)
    local job, _, own = pair_with_room(t, 3, { others = { { hosts = { 1, 1 } }, {} } })
    local messages = {}
    for i = 0, 2 do messages[i] = job.processes[i]:send_short(own, 1, i, 20) end
    job:start_shutdown()
    for _, channel in ipairs(job:each_channel()) do t:fini_packet("IMPI-170", channel) end
    for i = 2, 0, -1 do
      local other = job.processes[i]
      local channel = other:channel_to(own)
      channel:send_together { other:packet(own, { type = "CANCEL", srqid = messages[i].srqid }), { type = "FINI" } }
      local reply, reason
      repeat reply, reason = channel:receive() until not reply or reply.type ~= "PROTOACK"
      t:check("IMPI-170", "the reply to host " .. i, reply and (reply.type == "CANCELYES" or reply.type == "CANCELNO"),
        "CANCELYES or CANCELNO", reply and IMPI.show_packet(reply) or reason)
      t:equal("IMPI-170", "its srqid", reply.srqid, messages[i].srqid)
    end
    for _, channel in ipairs(job:each_channel()) do
      local kinds, reason = channel:read_to_end()
      for _, kind in ipairs(kinds) do t:equal("IMPI-170", "a packet behind the reply", kind, "PROTOACK") end
      t:check("IMPI-170", "the end of " .. channel.label, reason == "closed" or reason == "reset", "comes", reason)
    end
    t:ends_in_order("IMPI-170", job)
  end,
}
