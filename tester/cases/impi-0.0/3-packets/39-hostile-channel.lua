-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How packets come: in any segments, and cut off (robustness of chapters 3.5 and 3.8).

defaults { role = "client", suite = "packets", chapter = "3.5" }

case {
  id = "stream-octet-by-octet",
  title = "A packet that is written octet by octet is read",
  purpose = "Header and data of a message, each octet in a segment of its own, then a header without data.",
  requirements = { "IMPI-252" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    channel:send_singly(IMPI.packet(other:packet(own, { type = "DATASYNC", tag = 1, srqid = 5, data = t.mix(1, 20) })))
    channel:send_singly(IMPI.packet(other:packet(own, { type = "CANCEL", srqid = 4 })))
    t:packet("IMPI-252", channel, "CANCELNO", { srqid = 4 })
    t:receives("IMPI-252", "the message", rank, other, 1, 20, { tag = 1 })
    t:packet("IMPI-252", channel, "SYNCACK", { srqid = 5 })
    t:ping_pong("IMPI-252", "afterwards", rank, own, other)
  end,
}

case {
  id = "stream-twenty-in-one-write",
  title = "Twenty packets in one write are all read, in their order",
  purpose = "Messages of 0 to 19 octets with one tag.",
  requirements = { "IMPI-252" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local packets = {}
    for i = 1, 20 do packets[i] = other:packet(own, { type = "DATA", tag = 1, data = t.mix(i, i - 1) }) end
    channel:send_together(packets)
    for i = 1, 20 do t:receives("IMPI-252", "message " .. i, rank, other, i, i - 1, { tag = 1 }) end
  end,
}

case {
  id = "stream-of-three-processes-in-one-write",
  title = "Packets for several processes of a host in one write are all read, each by its own process",
  purpose = "Messages for three ranks by turns, and in rows of two and three for one; each rank receives its own in their order.",
  requirements = { "IMPI-252" }, ranks = 3,
  run = function(t)
    local job, _, own, other, channel = t:pair { np = 3 }
    job:needs("hiwater", 8)
    local packets, count = {}, { [0] = 0, 0, 0 }
    for i, place in ipairs { 0, 1, 2, 1, 0, 0, 2, 1, 1, 1, 0, 2, 2, 2, 1, 0, 0, 0, 1, 2 } do
      local to = job.processes[own.rank + place]
      count[place] = count[place] + 1
      packets[i] = other:packet(to, { type = "DATA", tag = count[place], data = t.mix(i, i - 1) })
      packets[i].place, packets[i].order = place, count[place]
    end
    channel:send_together(packets)
    for i, packet in ipairs(packets) do
      t:receives("IMPI-252", string.format("message %d, for rank %d", i, own.rank + packet.place),
        job.ranks[packet.place], other, i, i - 1, { tag = packet.order })
    end
  end,
}

case {
  id = "stream-cut-everywhere",
  title = "Packets that are cut at every place are read",
  purpose = "Ten messages in segments that are 1, 2, 3, .. octets long.",
  requirements = { "IMPI-252" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    local parts, cuts, at, step = {}, {}, 0, 0
    job:needs("hiwater", 10)
    for i = 1, 10 do
      parts[i] = IMPI.packet(other:packet(own, { type = "DATA", tag = 1, data = t.mix(i, 7 * i) }))
    end
    local octets = table.concat(parts)
    repeat
      step = step + 1
      at = at + step
      cuts[#cuts + 1] = at < #octets and at or nil
    until at >= #octets
    channel:send_split(octets, cuts)
    for i = 1, 10 do t:receives("IMPI-252", "message " .. i, rank, other, i, 7 * i, { tag = 1 }) end
  end,
}

case {
  id = "stream-half-a-packet-holds-up-nobody",
  title = "Half a packet on one channel holds up no other channel",
  purpose = "Two hosts send half a header, another one half of the data. The fourth host and the ranks talk meanwhile; then the halves are completed.",
  requirements = { "IMPI-252", "IMPI-100" },
  run = function(t)
    local job, rank, own = t:pair { others = { { hosts = { 1, 1, 1, 1 } } } }
    local octets, channels, cut = {}, {}, { 60, 158, 100 }
    for i = 1, 3 do
      local process = job.processes[i - 1]
      channels[i] = process:channel_to(own)
      octets[i] = IMPI.packet(process:packet(own, { type = "DATA", tag = 1, data = t.mix(i, 60) }))
      channels[i]:send_raw(octets[i]:sub(1, cut[i]), "half of DATA")
    end
    t:ping_pong("IMPI-100", "the fourth host", rank, own, job.processes[3])
    for i = 1, 3 do
      channels[i]:send_raw(octets[i]:sub(cut[i] + 1), "half of DATA")
      t:receives("IMPI-252", "the message of host " .. i - 1, rank, job.processes[i - 1], i, 60, { tag = 1 })
    end
  end,
}

case {
  id = "stream-does-not-depend-on-buffering",
  title = "A host that does not read for a while delays only its own channel",
  purpose = "The rank begins to send packets of the largest size to a host that reads nothing, as many as flow control allows: more than a connection holds, where IMPI_HIWATER can be chosen. Another host is talked with; then the first reads, and everything is there.",
  requirements = { "IMPI-100" }, chapter = "3.1", deadline = 60,
  run = function(t)
    local job, rank, own, other, channel = t:pair { env = { IMPI_HIWATER = 240, IMPI_ACKMARK = 1 },
      others = { { hosts = { 1, 1 }, hiwater = 240, ackmark = 1 } } }
    local octets, begun, count = job.datalen, {}, math.min(job.hiwater, 240)
    channel:stop_reading()
    for i = 1, count do begun[i] = rank:start_send(t, "MPI_Isend", other, octets, i, { tag = i }) end
    t:ping_pong("IMPI-100", "the other host", rank, own, job.processes[1])
    other:send_short(own, 99, 99, octets)
    t:receives("IMPI-100", "a message of the host that does not read", rank, other, 99, octets, { tag = 99 })
    channel:resume_reading()
    for i = 1, count do
      local message, reason = other:receive { src = own, tag = i }
      t:check("IMPI-100", "message " .. i, message, "comes", reason)
      t:same_octets("IMPI-100", "its octets", message.data, t.mix(i, octets))
      t:completes("IMPI-100", "send " .. i, begun[i])
    end
  end,
}

case {
  id = "stream-long-messages-both-ways",
  title = "Long messages in both directions at once arrive",
  purpose = "Sixteen packets of the largest size each way, while neither side has finished sending when the other begins.",
  requirements = { "IMPI-100" }, chapter = "3.1", deadline = 60,
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { hiwater = 100, ackmark = 1 } } }
    local octets = 16 * job.datalen
    local post = rank:post_receive(t, other, octets, { tag = 2 })
    local begun = rank:start_send(t, "MPI_Isend", other, octets, 1, { tag = 1 })
    local first = other:send_long(own, 2, 2, octets)
    local incoming = t:packet_to("IMPI-100", "the first packet", other, { src = own, type = "DATASYNC", tag = 1 })
    other:answer("SYNCACK", incoming, { drqid = 1 })
    local ack, data = t:syncack("IMPI-100", other, first), { incoming.data }
    channel:stop_reading()
    other:send_rest(first, ack, job.datalen, 8)
    channel:resume_reading()
    other:send_rest(first, ack)
    local got = #incoming.data
    while got < octets do
      local packet = t:packet_to("IMPI-100", "the rest", other, { src = own, type = "DATA", drqid = 1 })
      data[#data + 1], got = packet.data, got + #packet.data
    end
    t:same_octets("IMPI-100", "the message that came", table.concat(data), t.mix(1, octets))
    t:completes("IMPI-100", "the send", begun)
    t:receive_completes("IMPI-100", "the receive", post, 2)
  end,
}

for _, cut in ipairs { 1, 5, 127, 128, 131, 177 } do
  for _, way in ipairs { "closed", "reset" } do
    case {
      id = string.format("cut-off-behind-%d-%s", cut, way),
      title = string.format("A channel that is %s behind %d octets of a packet of 178 is an abnormal end", way, cut),
      purpose = "The job ends with a status other than 0, or says what has happened; no part of the message is received.",
      requirements = { "IMPI-253" }, chapter = "3.8", negative = true,
      run = function(t)
        local job, rank, own, other, channel = t:pair()
        local octets = IMPI.packet(other:packet(own, { type = "DATA", tag = 1, data = t.mix(1, 50) }))
        t:ping_pong("IMPI-253", "before", rank, own, other)
        local receiving = rank:start_MPI_Recv { buf = rank:new_region(50), count = 50, source = other.rank, tag = 1,
          deadline = 60000 }
        local said = #job:output()
        job:may_end(true)
        channel:send_raw(octets:sub(1, cut), "part of DATA")
        if way == "reset" then
          channel:reset()
        else
          channel:close()
        end
        t:confirm_violation(way == "reset" and "closed-without-fini" or "closed-inside", channel)
        t:ends_abnormally("IMPI-253", job, said)
        core.job_ended(job.job, 1000) -- the receive has had its time, too
        t:check("IMPI-253", "MPI_Recv", not receiving:done() or receiving:finish().rc ~= "MPI_SUCCESS",
          "has not succeeded", "has succeeded")
      end,
    }
  end
end
