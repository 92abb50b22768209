-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Fields that a packet of its type does not use, and who a process is (chapters 3.2 and 3.5, table 3.1). Whatever
-- stands in unused fields, a receiver must not look.

defaults { role = "client", suite = "packets", chapter = "3.5" }

local LIMIT = 64

local ONES = { drqid = -1, msglen = -1, lsrank = -1, tag = -1, cid = -1, seqnum = -1, count = -1, dtype = -1,
  reserved = -1 }

-- What could be meant, if it meant anything: less than a long message has, and more than its first packet.
local MEANINGFUL = { drqid = 3, msglen = 80, lsrank = 1, tag = 3, cid = 1, seqnum = 1, count = 1, dtype = 1,
  reserved = 1 }

-- The contents of the unused fields: the suffix of a case, the words of its purpose, fields. A pk_len is never counted.
local CONTENTS = { { "", "hold ones", ONES, -1 }, { "-meaningful", "hold small numbers", MEANINGFUL, 0 },
  { "-zeros", "are zero", {}, 0 } }

-- The fields of a table, and those of another on top.
local function with(fields, more)
  local all = {}
  for key, value in pairs(fields) do all[key] = value end
  for key, value in pairs(more) do all[key] = value end
  return all
end

local function noise(t)
  return t.random(1 << 60) - (1 << 59)
end

-- Judges that short, synchronous and long messages are received with these fields in all of their packets.
local function bears_fields(t, req, fields)
  local _, rank, own, other = t:pair { others = { { datalen = LIMIT } } }
  t:judging(req)
  other:send_short(own, 1, 1, 10, fields())
  t:receives(req, "a short message", rank, other, 1, 10, { tag = 1 })
  local post = rank:post_receive(t, other, 10, { tag = 2 })
  local packet = other:send_short(own, 2, 2, 10, with(fields(), { type = "DATASYNC" }))
  t:receive_completes(req, "a synchronous message", post, 2)
  t:syncack(req, other, packet)
  post = rank:post_receive(t, other, 100, { tag = 3 })
  packet = other:send_long(own, 3, 3, 100, fields())
  local ack = t:syncack(req, other, packet)
  other:send_packet(own, with(fields(), { type = "DATA", tag = 3, srqid = packet.srqid, drqid = ack.drqid, msglen = 100,
    data = packet.whole:sub(LIMIT + 1) }))
  t:receive_completes(req, "a long message", post, 3)
end

for name, value in each { { "zeros", function() return 0 end }, { "ones", function() return -1 end },
    { "random", noise }, { "repeated", function() return 0x5555 end },
    { "small", function() return 1 end } } do
  case {
    id = "unused-quality-of-service-" .. name,
    title = "Messages are received whatever pk_seqnum, pk_count and pk_dtype hold: " .. name,
    purpose = "Short, synchronous and long messages, in all of whose packets the three fields hold it.",
    requirements = { "IMPI-117" },
    run = function(t)
      bears_fields(t, "IMPI-117", function()
        return { seqnum = value(t), count = value(t), dtype = value(t) }
      end)
    end,
  }
end

for name, value in each { { "ones", -1 }, { "one", 1 }, { "highest-bit", math.mininteger } } do
  case {
    id = "unused-reserved-" .. name,
    title = string.format("Messages are received with pk_reserved 0x%x", value),
    purpose = "Short, synchronous and long messages, in all of whose packets the field holds it.",
    requirements = { "IMPI-118" },
    run = function(t)
      bears_fields(t, "IMPI-118", function() return { reserved = value } end)
    end,
  }
end

for _, len in ipairs { 0, 128, 0x80000000, 0xffffffff } do
  case {
    id = string.format("unused-length-%x", len),
    title = string.format("A pk_len of 0x%x in packets without data does not mean data", len),
    purpose = "SYNCACK, CANCEL, PROTOACK, CANCELNO, CANCELYES; behind them a message. It is received; a system that reads so many octets never sees it.",
    requirements = { "IMPI-119", "IMPI-120" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(1, nil, { room = 8 })
      local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 1 })
      local message = t:packet("IMPI-119", channel, "DATASYNC", { tag = 1 })
      local cancelled = {}
      for i = 3, 4 do
        cancelled[i] = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = i })
        cancelled[i].srqid = t:packet("IMPI-119", channel, "DATASYNC", { tag = i }).srqid
        t:cancel_at_once(nil, cancelled[i])
        t:packet("IMPI-119", channel, "CANCEL", { srqid = cancelled[i].srqid })
      end
      local post = rank:post_receive(t, other, 10, { tag = 2 })
      t:judging(len == 0 and "IMPI-119" or "IMPI-120")
      channel:send_together {
        other:packet(own, { type = "SYNCACK", srqid = cancelled[3].srqid }),
        other:packet(own, { type = "CANCELNO", srqid = cancelled[3].srqid, len = len }),
        other:packet(own, { type = "CANCELYES", srqid = cancelled[4].srqid, len = len }),
        other:packet(own, { type = "PROTOACK", len = len }),
        other:packet(own, { type = "SYNCACK", srqid = message.srqid, len = len }),
        other:packet(own, { type = "CANCEL", srqid = 99, len = len }),
        other:packet(own, { type = "DATA", tag = 2, data = t.mix(2, 10) }),
      }
      local flag = rank:complete(post.request, 4000)
      t:reading("IMPI-120", "header_only_length", "a message behind packets with this pk_len is received", flag,
        { { "ignored", true }, { "counted", len == 0 } })
      if flag then
        t:holds("IMPI-119", "the message", post, 2)
        t:completes("IMPI-119", "the synchronous send", begun)
        t:cancelled("IMPI-119", "the send that was received", cancelled[3], false)
        t:cancelled("IMPI-119", "the send that was not", cancelled[4], true)
        t:packet_to("IMPI-119", "the answer to CANCEL", other, { src = own, type = "CANCELNO", srqid = 99 })
      else
        t:check("IMPI-119", "a pk_len of 0", len ~= 0, "means no data", "means data")
      end
    end,
  }
end

for suffix, words, fields, len in each(CONTENTS) do
  case {
    id = "unused-fields-of-syncack" .. suffix,
    title = "In a SYNCACK type, source, destination, srqid and drqid are looked at, nothing else: the others " .. words,
    purpose = "For a short and for a long message, whose rest comes to its last octet.",
    requirements = { "IMPI-121" },
    run = function(t)
      local _, rank, own, other, channel = t:pair { others = { { datalen = LIMIT } } }
      for i, octets in ipairs { 10, 100 } do
        local begun = rank:start_send(t, "MPI_Issend", other, octets, i, { tag = i })
        local packet = t:packet("IMPI-121", channel, "DATASYNC", { tag = i })
        local left = octets - #packet.data
        other:send_packet(own, with(fields, { type = "SYNCACK", srqid = packet.srqid, drqid = 12, len = len }))
        while left > 0 do
          left = left - #t:packet("IMPI-121", channel, "DATA", { drqid = 12, tag = i, cid = 0, msglen = octets,
            lsrank = own.rank }).data
        end
        t:completes("IMPI-121", "the send", begun)
      end
    end,
  }

  case {
    id = "unused-fields-of-protoack" .. suffix,
    title = "In a PROTOACK type, source and destination are looked at, nothing else: the others " .. words,
    purpose = "srqid is among the others. It releases what an honest one does.",
    requirements = { "IMPI-122" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 3)
      t:flood(rank, other, 8)
      t:expect_exactly("IMPI-122", channel, own, 3, 1)
      channel:send_packet(with(fields, { type = "PROTOACK", src = other, dest = own, srqid = fields.tag or 0,
        len = len }))
      t:expect_exactly("IMPI-122", channel, own, 2, 4)
    end,
  }

  case {
    id = "unused-fields-of-cancel" .. suffix,
    title = "In a CANCEL type, source, destination and srqid are looked at, nothing else: the others " .. words,
    purpose = "Tag, cid and msglen are not those of the message, but may be those of another one, which stays.",
    requirements = { "IMPI-123" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local packet = other:send_short(own, 1, 1, 8)
      other:send_short(own, 3, 3, 80)
      t:probed("IMPI-123", "the other message", rank, other, 3, 80)
      other:send_packet(own, with(fields, { type = "CANCEL", srqid = packet.srqid, len = len }))
      t:packet("IMPI-123", channel, "CANCELYES", { src = own, dest = other, srqid = packet.srqid })
      t:not_probed("IMPI-123", "the message", rank, other, 1)
      t:receives("IMPI-123", "the other message", rank, other, 3, 80, { tag = 3 })
    end,
  }

  for _, row in ipairs { { "CANCELYES", true }, { "CANCELNO", false } } do
    case {
      id = "unused-fields-of-" .. row[1]:lower() .. suffix,
      title = "In a " .. row[1] .. " type, source, destination and srqid are looked at, nothing else: the others "
        .. words,
      purpose = "They are those of no message that the system under test has sent.",
      requirements = { "IMPI-123" },
      run = function(t)
        local _, rank, own, other, channel = t:pair()
        local begun = rank:start_send(t, "MPI_Issend", other, 8, 1, { tag = 1 })
        local packet = t:packet("IMPI-123", channel, "DATASYNC", { tag = 1 })
        t:start_cancel(nil, begun)
        t:packet("IMPI-123", channel, "CANCEL", { srqid = packet.srqid })
        other:send_packet(own, with(fields, { type = row[1], srqid = packet.srqid, len = len }))
        if not row[2] then other:answer("SYNCACK", packet) end
        t:cancel_answered("IMPI-123", "the send", begun, row[2])
      end,
    }
  end
end

for name, fields in each { { "zeros", {} }, { "ones", with(ONES, { srqid = -1, len = -1 }) }, { "lam",
    { len = 128, msglen = 128, lsrank = -1, tag = -1, count = -1 } } } do
  case {
    id = "unused-fields-of-fini-" .. name,
    title = "In a FINI packet the type is looked at, nothing else: " .. name,
    purpose = "Source and destination name no process, other fields hold anything. The job ends in order.",
    requirements = { "IMPI-124" },
    run = function(t)
      local job, _, _, _, channel = t:pair()
      local nobody = { id = string.rep(name == "zeros" and "\0" or "\xff", 16), pid = name == "zeros" and 0 or -1 }
      job:start_finalize():barrier()
      channel:send_packet(with(fields, { type = "FINI", src = nobody, dest = nobody }))
      job:finalized():quit():take_fini()
      t:command("IMPI-124", job.server_link, "FINI", { length = 0 })
      t:equal("IMPI-124", "the client has ended with", job:ended(), "status 0")
    end,
  }
end

for place, which in each { { "one", 0 }, { "another", 1 } } do
  case {
    id = "unused-fields-of-fini-name-" .. place,
    title = "A FINI packet that names processes is that of its host all the same: process " .. which,
    purpose = "Two processes under test, two scripted hosts. pk_src is the process of the other host, pk_dest one of the two.",
    requirements = { "IMPI-124" }, ranks = 2,
    run = function(t)
      local job = t:impi_job { np = 2, others = { { hosts = { 1, 1 } } } }:open()
      job:start_finalize():barrier()
      local channels = job:each_channel()
      for host, channel in ipairs(channels) do
        channel:send_packet(with(MEANINGFUL, { type = "FINI", src = job.processes[2 - host],
          dest = job.processes[2 + which] }))
      end
      for _, channel in ipairs(channels) do
        t:fini_packet("IMPI-124", channel)
        t:channel_ends("IMPI-124", channel)
      end
      t:ends_in_order("IMPI-124", job)
    end,
  }
end

case {
  id = "process-host-is-sixteen-octets",
  title = "Host identifiers of processes are told apart by all of their octets",
  purpose = "Two processes of one number have IPv6 addresses that differ in the first octets alone, two in the midst: each is answered, and what comes is of the right source.",
  requirements = { "IMPI-101" }, chapter = "3.2",
  run = function(t)
    local ids = {}
    for i, head in ipairs { "\x20\x01", "\x20\x02", "\xfd\x00" } do ids[i] = head .. string.rep("\0", 13) .. "\9" end
    ids[4] = ids[3]:sub(1, 7) .. "\1" .. ids[3]:sub(9)
    local job, rank, own = t:pair { judging = "IMPI-101", others = { { hosts = { 4 }, values = { P_IPV6 = ids,
      P_PID = { 7, 7, 7, 7 } } } } }
    for world = 0, 3 do job.processes[world]:send_short(own, 1, world, 8) end
    for world = 3, 0, -1 do
      t:receives("IMPI-101", "the message of process " .. world, rank, job.processes[world], world, 8, { tag = 1 })
    end
    for world = 0, 3 do
      local process = job.processes[world]
      rank:start_send(t, "MPI_Isend", process, 8, world, { tag = 2 })
      local packet = t:packet("IMPI-101", process:channel_to(own), "DATA", { tag = 2 })
      t:equal("IMPI-101", "octets of pk_dest", packet.octets:sub(33, 56), ids[world + 1] .. string.pack(">i8", 7))
    end
  end,
}

case {
  id = "process-is-host-and-number",
  title = "Processes are told apart by host identifier and process identifier together",
  purpose = "Two hosts with a process 9 * 2^32 each, and on one of them processes 1, 2^32+1 and -1: each is answered, and what comes is of the right source.",
  requirements = { "IMPI-101" }, chapter = "3.2",
  run = function(t)
    local pids = { 9 << 32, 1, (1 << 32) + 1, -1, 9 << 32 }
    local job, rank, own = t:pair { judging = "IMPI-101", others = { { hosts = { 4, 1 }, values = { P_PID = pids } } } }
    for world = 0, 4 do job.processes[world]:send_short(own, 1, world, 8) end
    for world = 4, 0, -1 do
      t:receives("IMPI-101", "the message of process " .. world, rank, job.processes[world], world, 8, { tag = 1 })
    end
    for world = 0, 4 do
      local process = job.processes[world]
      rank:start_send(t, "MPI_Isend", process, 8, world, { tag = 2 })
      local packet = t:packet("IMPI-101", process:channel_to(own), "DATA", { tag = 2 })
      t:equal("IMPI-101", "octets of pk_dest", packet.octets:sub(33, 56), process.id .. string.pack(">i8", pids[world
        + 1]))
    end
  end,
}

for name, prefix in each { { "mapped", string.rep("\0", 10) .. "\xff\xff" }, { "compatible", string.rep("\0", 12) } } do
  case {
    id = "process-host-" .. name,
    title = "Packets of processes whose hosts are written in the " .. name .. " form of IPv4 are taken and answered",
    purpose = "Start-up gives the addresses of host and process in this form, and so do the packets.",
    requirements = { "IMPI-008" }, chapter = "1.2.3",
    run = function(t)
      local job = t:impi_job {}
      local address = job.clients[0].listening[1].address
      local id = prefix .. IMPI.host(address):sub(13)
      job.clients[0].values = { H_IPV6 = { id }, P_IPV6 = { id } }
      job:open()
      local rank, own, other = job.ranks[0], job.processes[1], job.processes[0]
      t:equal("IMPI-008", "the process's host, as the packets write it", other.id, id)
      t:ping_pong("IMPI-008", "with it", rank, own, other)
      other:send_short(own, 1, 1, 8, { type = "DATASYNC" })
      t:receives("IMPI-008", "a synchronous message", rank, other, 1, 8, { tag = 1 })
      t:packet("IMPI-008", other:channel_to(own), "SYNCACK", { src = own, dest = other })
    end,
  }
end

case {
  id = "process-shares-the-host-identifier",
  title = "A client whose processes have the host identifier of the system under test may take part",
  purpose = "The process identifiers differ. Messages go both ways; a system that refuses such a job is told.",
  requirements = { "IMPI-102" }, chapter = "3.2",
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    job:labels("H_HIWATER")
    local command = job:next("COLL")
    while command.label < 0x3000 do -- labels of the client's own
      job:take_label(command)
      command = job:next("COLL")
    end
    t:sanity("the next label that is known behind H_HIWATER is P_IPV6", command.label == 0x3000)
    job.clients[0].values.P_IPV6 = command.data:sub(1, 16)
    job:take_label(command)
    job:judging("IMPI-102")
    local starts = job:try_collect() == true and job:continues()
    t:reading("IMPI-102", "shared_host_identifier", "the job starts", starts,
      { { "works", true }, { "refused", false } })
    if not starts then return end
    local own, other = job.processes[1], job.processes[0]
    t:equal("IMPI-102", "host identifiers of both processes", own.id, other.id)
    t:ping_pong("IMPI-102", "with it", job.ranks[0], own, other)
  end,
}
