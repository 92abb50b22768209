-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a client makes of the broadcasts: labels that it does not know, masks with gaps, values of others that decide,
-- and values that cannot be (chapter 2.3.5).

defaults { role = "client", suite = "startup", chapter = "2.3.5" }

---- broadcasts -------------------------------------------------------------------------------------------------------

case {
  id = "client-unknown-labels",
  title = "Broadcasts with unknown labels are ignored, wherever they come",
  purpose = "0x0fff comes before all, 0x1250 and 0x2450 between known ones, 0x7fff0000 before DONE, with values of 0, 3, 400 and 100,000 octets. The job runs to its end.",
  requirements = { "IMPI-054" },
  run = function(t)
    local job = t:impi_job { others = { { values = { [0x0fff] = "", [0x1250] = "odd", [0x2450] = t.mix(1, 400),
      [0x7fff0000] = t.mix(2, 100000) } } } }
    job:judging("IMPI-054")
    job:open()
    t:ping_pong_with("IMPI-054", job, { 0 })
    job:finish("IMPI-054")
  end,
}

case {
  id = "client-unknown-label-of-nobody",
  title = "A broadcast with an unknown label that no client has submitted is ignored as well",
  purpose = "The server sends 0x1350 with an empty mask and without values between two known labels. The job runs to its end.",
  requirements = { "IMPI-054" },
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    job:judging("IMPI-054")
    local send, said = job.send_broadcast, false
    function job:send_broadcast(which) -- the client under test has given this label or skipped it
      if not said and IMPI.label(which).number > 0x1350 then
        said = true
        self.server_link:send_raw(IMPI.broadcast(0x1350, 0, ""))
      end
      send(self, which)
    end
    job:collect():connect_hosts():interpreters():init()
    t:ping_pong_with("IMPI-054", job, { 0 })
    job:finish("IMPI-054")
  end,
}

case {
  id = "client-unknown-command",
  title = "Commands that the client does not know are ignored",
  purpose = "The server says XYZW with 8 octets before its IMPI, between two broadcasts, before DONE, and while the job runs, once with 100,000 octets.",
  requirements = { "IMPI-023" },
  run = function(t)
    local strange = string.unpack(">I4", "XYZW")
    local job = t:impi_job {}:start():authenticate()
    job:judging("IMPI-023")
    job:next("IMPI")
    job.server_link:send(strange, "DONE\0\0\0\0")
    job.server_link:size(2)
    job:labels("C_DATALEN")
    job.server_link:send(strange, t.mix(1, 100000))
    job:labels()
    job:learn_layout()
    job.server_link:send(strange, "")
    job.server_link:done()
    job:connect_hosts():interpreters():init()
    job.server_link:send(strange, t.mix(2, 100))
    t:ping_pong_with("IMPI-023", job, { 0 })
    job:finish("IMPI-023")
  end,
}

case {
  id = "client-unknown-commands-of-any-length",
  title = "Unknown commands are ignored whatever their length is",
  purpose = "The server says XYZW with 1 to 13 octets before its IMPI, and again before DONE.",
  requirements = { "IMPI-023" },
  run = function(t)
    local job = t:impi_job {}:start():authenticate()
    local function strange()
      for octets = 1, 13 do job.server_link:send(string.unpack(">I4", "XYZW"), t.mix(octets, octets)) end
    end
    job:judging("IMPI-023")
    job:next("IMPI")
    strange()
    job.server_link:size(2)
    job:labels()
    job:learn_layout()
    strange()
    job.server_link:done()
    job:connect_hosts():interpreters():init()
    t:ping_pong_with("IMPI-023", job, { 0 })
    job:finish("IMPI-023")
  end,
}

case {
  id = "client-server-in-single-octets",
  title = "The server's commands are understood when they come octet by octet",
  purpose = "Every octet from the answer to AUTH to DONE is written by itself.",
  requirements = { "IMPI-025" }, chapter = "2.3.2",
  run = function(t)
    local job = t:impi_job {}:start()
    local server_link = job.server_link
    job:judging("IMPI-025")
    job:next("AUTH")
    server_link:send_singly("\0\0\0\0\0\0\0\0")
    job:next("IMPI")
    server_link:send_singly("IMPI\0\0\0\4\0\0\0\2")
    function job:send_broadcast(label)
      server_link:send_singly(IMPI.broadcast(label, self:joined(label)))
    end
    job:labels()
    job:learn_layout()
    server_link:send_singly("DONE\0\0\0\0")
    job:connect_hosts():interpreters():init()
    t:ping_pong_with("IMPI-025", job, { 0 })
    job:finish("IMPI-025")
  end,
}

case {
  id = "client-broadcasts-in-one-segment",
  title = "Several broadcasts in one segment are understood",
  purpose = "Each broadcast comes in one segment with another one of an unknown label, unless that is one of the client's own; the last one with DONE and the half of a command that is completed later.",
  requirements = { "IMPI-025" }, chapter = "2.3.2",
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    local server_link = job.server_link
    job:judging("IMPI-025")
    function job:send_broadcast(label)
      local number = IMPI.label(label).number
      local unknown = self.sent[number - 1] and "" or IMPI.broadcast(number - 1, 1, "glued")
      server_link:send_raw(unknown .. IMPI.broadcast(label, self:joined(label)), "two COLL")
    end
    job:labels()
    job:learn_layout()
    server_link:send_raw(IMPI.broadcast(0x4000, 1, "glued") .. IMPI.command("DONE"), "COLL and DONE")
    job:connect_hosts():interpreters():init()
    t:ping_pong_with("IMPI-025", job, { 0 })
    job:finish("IMPI-025")
  end,
}

---- masks with gaps --------------------------------------------------------------------------------------------------

case {
  id = "client-mask-with-a-gap",
  title = "Values are given to the right clients when one has given none",
  purpose = "Of three clients the first leaves out IMPI_C_DATALEN, the second has 1000. The client under test sends no packet with more than 1000 octets of data, to both.",
  requirements = { "IMPI-055", "IMPI-061" },
  run = function(t)
    t:needs_omitted { C_DATALEN = false }
    local job = t:impi_job { others = { { values = { C_DATALEN = false } }, { datalen = 1000 } } }
    job:judging("IMPI-055")
    job:open()
    job:needs("datalen", 1000)
    job.datalen = 1000
    local rank, own = job.ranks[0], job.processes[2]
    rank:octets("buf", 1001, "mix/1")
    for scripted = 0, 1 do
      local sending = rank:start_MPI_Send { count = 1001, dest = scripted, tag = 3 }
      local message, reason = job.processes[scripted]:receive { src = own, tag = 3 }
      t:check("IMPI-061", "packets of the message to process " .. scripted, message and message.packets > 1,
        "more than one", message and message.packets or reason)
      t:same_octets("IMPI-061", "its octets", message.data, t.mix(1, 1001))
      t:rc("IMPI-055", sending:finish(), "MPI_SUCCESS")
    end
    job:finish("IMPI-055")
  end,
}

case {
  id = "client-mask-with-a-gap-in-one-of-two-labels",
  title = "Marks of the right clients are compared when one has given one of them alone",
  purpose = "The first of three clients gives hiwater 30 and no ackmark, the second 31 and 40: the job runs.",
  requirements = { "IMPI-055" },
  run = function(t)
    local omitted = { H_ACKMARK = false }
    t:needs_omitted(omitted)
    local job = t:impi_job { others = { { ackmark = 30, hiwater = 30, values = omitted },
      { ackmark = 31, hiwater = 40 } } }
    job:judging("IMPI-055")
    job:open()
    t:ping_pong_with("IMPI-055", job, { 0, 1 })
    job:finish("IMPI-055")
  end,
}

case {
  id = "client-mask-with-a-gap-behind-two-hosts",
  title = "Values of hosts are given to the right clients when one with several hosts has given none",
  purpose = "Of three clients the first has two hosts and leaves out both marks. The others have one host each and give theirs: the job runs.",
  requirements = { "IMPI-055" },
  run = function(t)
    local omitted = { H_ACKMARK = false, H_HIWATER = false }
    t:needs_omitted(omitted)
    local job = t:impi_job { others = { { hosts = { 1, 1 }, values = omitted }, {} } }
    job:judging("IMPI-055")
    job:open()
    t:ping_pong_with("IMPI-055", job, { 0, 1, 2 })
    job:finish("IMPI-055")
  end,
}

for name, label in each { { "tagub", "C_TAGUB" }, { "ackmark", "H_ACKMARK" }, { "hiwater", "H_HIWATER" },
    { "maxlinear", "C_COLL_MAXLINEAR" } } do
  case {
    id = "client-omitted-" .. name,
    title = "When another client leaves out IMPI_" .. label .. " the job runs or ends with a message",
    purpose = "Some implementations leave out labels. The client either assumes a value and the job runs, or it ends with a message.",
    requirements = { "IMPI-056" },
    run = function(t)
      local job = t:impi_job { others = { { values = { [label] = false } } } }:start():authenticate():join()
      job:judging("IMPI-056")
      if job:try_collect() and job:continues() then
        t:ping_pong_with("IMPI-056", job, { 0 })
        t:reading("IMPI-056", "omitted_label", "without that label the job", "runs", { { "goes_on", "runs" },
          { "refuses", "ends" } })
      else
        t:ends_with_error("IMPI-056", job)
        t:reading("IMPI-056", "omitted_label", "without that label the job", "ends", { { "goes_on", "runs" },
          { "refuses", "ends" } })
      end
    end,
  }
end

case {
  id = "client-omitted-ackmark-above-a-hiwater",
  title = "Where another client gives hiwater 2 and no ackmark, two packets are acknowledged, or the job ends with a message",
  purpose = "No more than two packets may be on their way, so an acknowledgement must be due with the second (3.9), whatever ackmark the client assumes.",
  requirements = { "IMPI-056" },
  run = function(t)
    local job = t:impi_job { others = { { ackmark = 1, hiwater = 2, values = { H_ACKMARK = false } } } }
    job:start():authenticate():join():judging("IMPI-056")
    if not job:try_collect() or not job:continues() then
      t:ends_with_error("IMPI-056", job)
      return
    end
    local own, other = job:master(job.rank), job:master(0)
    local channel = other:channel_to(own)
    channel.by_hand, job.ackmark = true, 2
    for i = 1, 2 do other:send_packet(own, { type = "DATA", tag = i, data = "" }) end
    t:packet("IMPI-056", channel, "PROTOACK", { src = own, dest = other })
  end,
}

---- values that decide -----------------------------------------------------------------------------------------------

case {
  id = "client-highest-common-version",
  title = "The highest version that all clients have is used",
  purpose = "The others offer 0.0 and 0.1; 0.0, 0.1 and 0.2; 0.0 and 1.0: lists of different lengths in one broadcast. With a client that knows 0.0 alone the job runs by 0.0.",
  requirements = { "IMPI-059" },
  run = function(t)
    local job = t:impi_job { others = { { values = { C_VERSION = { { 0, 0 }, { 0, 1 } } } },
      { values = { C_VERSION = { { 0, 0 }, { 0, 1 }, { 0, 2 } } } },
      { values = { C_VERSION = { { 0, 0 }, { 1, 0 } } } },
      { values = { C_VERSION = { { 0, 0 } } } } } }
    job:judging("IMPI-059")
    job:open()
    t:ping_pong_with("IMPI-059", job, { 0, 1, 2, 3 })
    job:finish("IMPI-059")
  end,
}

case {
  id = "client-versions-of-several-majors",
  title = "A minor version that is less than the one before it belongs to the same list, where the major one is more",
  purpose = "The others offer 0.0, 0.1 and 1.0; and 0.0, 0.5, 1.2 and 2.0. The job runs by 0.0, whoever the client under test is.",
  requirements = { "IMPI-059" }, incoming = true,
  run = function(t)
    for rank = 0, 2, 2 do
      local job = t:impi_job { rank = rank, others = { { values = { C_VERSION = { { 0, 0 }, { 0, 1 }, { 1, 0 } } } },
        { values = { C_VERSION = { { 0, 0 }, { 0, 5 }, { 1, 2 }, { 2, 0 } } } } } }
      job:judging("IMPI-059")
      job:open()
      t:ping_pong_with("IMPI-059", job, { rank == 0 and 2 or 0, 1 })
      job:finish("IMPI-059")
    end
  end,
}

case {
  id = "client-version-of-large-numbers",
  title = "Versions have no sign",
  purpose = "The client under test is the first, and the last one offers 0.0 and 2147483648.4294967295. The job runs by 0.0.",
  requirements = { "IMPI-059" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { {},
      { values = { C_VERSION = { { 0, 0 }, { 0x80000000, 0xffffffff } } } } } }
    job:judging("IMPI-059")
    job:open()
    t:ping_pong_with("IMPI-059", job, { 1, 2 })
    job:finish("IMPI-059")
  end,
}

case {
  id = "client-version-of-all-others",
  title = "A version that all other clients have and this one has not is not used",
  purpose = "Two others offer 0.0 and 7.13. With a client that does not know 7.13 the job runs by 0.0.",
  requirements = { "IMPI-059" },
  run = function(t)
    local both = { C_VERSION = { { 0, 0 }, { 7, 13 } } }
    local job = t:impi_job { others = { { values = both }, { values = both } } }
    job:judging("IMPI-059")
    job:open()
    t:ping_pong_with("IMPI-059", job, { 0, 1 })
    job:finish("IMPI-059")
  end,
}

case {
  id = "client-no-common-version",
  title = "Without a common version there is no job",
  purpose = "The other client offers 0.1 alone, which it must not; a client that knows 0.0 alone ends with a message. One that knows 0.1 too may go on.",
  requirements = { "IMPI-059" },
  run = function(t)
    local job = t:impi_job { others = { { values = { C_VERSION = { { 0, 1 } } } } } }:start():authenticate():join()
    job:try_collect()
    t:skip_if(job.given.C_VERSION and #job.given.C_VERSION > 8, "the client has versions above 0.0")
    t:ends_with_error("IMPI-059", job)
  end,
}

for name, offer, limit in each { { "smaller", 1000, 1000 }, { "one", 1, 1 }, { "larger", 0x80000000, nil } } do
  case {
    id = "client-datalen-" .. name,
    title = "The smallest data length of all clients bounds every packet: an offer of " .. offer,
    purpose = "The client under test sends a message of one octet more than the smaller of both offers: no packet of it may have more data than that, and the message arrives whole.",
    requirements = { "IMPI-061" },
    run = function(t)
      local job = t:impi_job { others = { { datalen = offer } } }
      job:judging("IMPI-061")
      job:open()
      limit = limit or job.clients[1].datalen
      t:sanity("the smaller offer is known", job.datalen == math.min(offer, job.clients[1].datalen))
      t:skip_if(limit > 1 << 22, "the client's own data length is too large for one message here")
      local rank, own = job.ranks[0], job.processes[1]
      rank:octets("buf", limit + 1, "mix/5")
      local sending = rank:start_MPI_Send { count = limit + 1, dest = 0, tag = 3 }
      local first = t:packet("IMPI-061", job:channel(), "DATASYNC", { msglen = limit + 1 })
      t:check("IMPI-061", "pk_len of the first packet", first.len <= limit, "at most " .. limit, first.len)
      job:channel().inbox[1] = first
      local message, reason = job.processes[0]:receive { src = own }
      t:same_octets("IMPI-061", "the message", message and message.data or reason, t.mix(5, limit + 1))
      t:rc("IMPI-061", sending:finish(), "MPI_SUCCESS")
      job:finish("IMPI-061")
    end,
  }
end

for name, bound in each { { "smallest", 32767 }, { "between", 40000 } } do
  case {
    id = "client-tag-bound-" .. name,
    title = "The smallest tag bound of all clients becomes MPI_TAG_UB: " .. bound,
    purpose = "The attribute of MPI_COMM_WORLD, of MPI_COMM_SELF and of a duplicate of the world is asked for; a message with the largest tag arrives.",
    requirements = { "IMPI-062" },
    run = function(t)
      local job = t:impi_job { others = { { tagub = bound + 5 }, { tagub = bound } } }
      job:judging("IMPI-062")
      job:open()
      local rank = job.ranks[0]
      job:dup("copy")
      for _, comm in ipairs { "MPI_COMM_WORLD", "MPI_COMM_SELF", "copy" } do
        local result = t:rc("IMPI-062", rank:MPI_Attr_get { comm = comm, keyval = "MPI_TAG_UB" }, "MPI_SUCCESS")
        t:equal("IMPI-062", "MPI_TAG_UB of " .. comm, result.attribute_val, bound)
      end
      rank:octets("buf", 4)
      local sending = rank:start_MPI_Send { count = 4, dest = 1, tag = bound }
      local message, reason = job.processes[1]:receive { src = job.processes[2], tag = bound }
      t:check("IMPI-062", "a message with the tag " .. bound, message, "arrives", reason)
      t:rc("IMPI-062", sending:finish(), "MPI_SUCCESS")
    end,
  }
end

case {
  id = "client-tag-bound-of-every-communicator",
  title = "MPI_TAG_UB is the smallest tag bound of all clients on every kind of communicator",
  purpose = "One that was created in another order, an intercommunicator, and what it is merged to. A message with the largest tag leaves on each.",
  requirements = { "IMPI-062" },
  run = function(t)
    local job = t:impi_job { others = { { tagub = 40000 } } }
    job:judging("IMPI-062")
    job:open()
    local rank, own, other = job.ranks[0], job.processes[1], job.processes[0]
    t:skip_if(job.tagub ~= 40000, "the system under test offers a lower bound itself")
    job:create("turned", "1,0")
    local inter = job:intercomm { own = { 1 }, remote = { 0 } }
    local pending = inter:begin("MPI_Intercomm_merge", { high = true })
    inter:heard(1)
    inter:say(0, 0, { tag = Inter.MERGE, data = Inter.values(inter.next, 0) })
    inter:all_good("IMPI-062", pending)
    for comm, place in each { { "turned", 1 }, { "inter", 0 }, { "merged", 0 } } do
      local result = t:rc("IMPI-062", rank:MPI_Attr_get { comm = comm, keyval = "MPI_TAG_UB" }, "MPI_SUCCESS")
      t:equal("IMPI-062", "MPI_TAG_UB of " .. comm, result.attribute_val, 40000)
      rank:start_send(t, "MPI_Isend", { rank = place }, 4, 1, { tag = 40000, comm = comm }, "IMPI-062")
      t:packet_to("IMPI-062", "a message with the largest tag on " .. comm, other, { src = own, type = "message",
        tag = 40000 })
    end
  end,
}

for name, key, value, variable in each { { "xsize", "xsize", 512, nil }, { "maxlinear", "maxlinear", 7, nil },
    { "xsize-chosen", "xsize", 200, "IMPI_COLL_XSIZE" },
    { "maxlinear-chosen", "maxlinear", 5, "IMPI_COLL_MAXLINEAR" }, { "xsize-by-65536", "xsize", 1024 + 65536 },
    { "maxlinear-by-65536", "maxlinear", 4 + 65536 }, { "xsize-of-zero", "xsize", 0 },
    { "maxlinear-of-zero", "maxlinear", 0 } } do
  case {
    id = "client-differs-in-" .. name,
    title = "Clients that differ in a collective limit end in an error: " .. name:gsub("-", ", "),
    purpose = "The other client contributes a value that is neither the default nor what the user of the client under test has chosen. No MPI program must run.",
    requirements = { "IMPI-065" },
    run = function(t)
      local job = t:impi_job { env = variable and { [variable] = 100 } or nil, others = { { [key] = value } } }
      job:start():authenticate():join()
      job:try_collect()
      t:ends_with_error("IMPI-065", job)
    end,
  }
end

for name, key, value in each { { "xsize", "xsize", 1024 }, { "maxlinear", "maxlinear", 4 } } do
  case {
    id = "client-default-spelled-out-" .. name,
    title = "-1 from one client and the default itself from another: the job runs, or it ends in an error",
    purpose = "All clients must contribute the same value, but -1 stands for the default. Either is accepted; nothing else.",
    requirements = { "IMPI-066" },
    run = function(t)
      local job = t:impi_job { others = { { [key] = value } } }:start():authenticate():join()
      job:judging("IMPI-066")
      local came = "an error"
      if job:try_collect() and job:continues() then
        came = "a job"
        t:ping_pong_with("IMPI-066", job, { 0 })
      else
        t:ends_with_error("IMPI-066", job)
      end
      t:reading("IMPI-066", "default_spelled_out", "what comes of it", came, { { "same", "a job" },
        { "different", "an error" } })
    end,
  }
end

for name, limit, count, parent in each { { "tree", 2, 4, 1 }, { "linear", 8, 6, 0 }, { "zero", 0, 4, 1 },
    { "largest", 0x7fffffff, 6, 0 } } do
  case {
    id = "client-maxlinear-" .. name,
    title = "A chosen limit moves the switch from linear to tree: " .. limit .. " with " .. count .. " masters",
    purpose = "The client under test is the fourth. In the barrier of MPI_Finalize its master turns to master "
      .. parent .. ". All clients have chosen the limit; a client whose user chooses otherwise is skipped.",
    requirements = { "IMPI-067" }, incoming = true,
    run = function(t)
      local others = {}
      for i = 1, count - 1 do others[i] = { maxlinear = limit } end
      local job = t:impi_job { rank = 3, env = { IMPI_COLL_MAXLINEAR = limit }, others = others }
      job:start():authenticate():join()
      job:labels("C_COLL_MAXLINEAR")
      t:skip_if(job.given.C_COLL_MAXLINEAR == "\xff\xff\xff\xff",
        "the user of this client does not choose by IMPI_COLL_MAXLINEAR")
      job:collect():connect_hosts():interpreters():init()
      job:start_finalize()
      local own = job.processes[3]
      local channel = job:master(parent):channel_to(own)
      local packet = t:packet("IMPI-067", channel, "DATA", { tag = 110, src = own, dest = job:master(parent) })
      channel.inbox[1] = packet
      job:barrier():send_fini():finalized()
    end,
  }
end

---- values that cannot be --------------------------------------------------------------------------------------------

-- What follows from a broadcast that does not fit, if the client stays long enough to hear it.
local FOLLOWING = { "spread-missing", "count-zero", "host-count", "host-nprocs", "process-count" }

-- `first` is the lowest rank that a client under test must have for that: 0 if not given.
-- With `beyond` the other client's port has a bit more than a port can have.
local function broken(id, title, values, broadcasts, wrong, first, beyond)
  case {
    id = "client-forged-" .. id,
    title = "An inconsistent broadcast is an error: " .. title,
    purpose = (first == 1 and "As the second client, which connects there," or "As the first and as the second one")
      .. " the system under test ends with a message and a status other than 0, without a crash, and runs no program.",
    requirements = { "IMPI-057" }, negative = true,
    run = function(t)
      t:honest_job("IMPI-057")
      for rank = first or 0, 1 do
        t:step("the system under test is client " .. rank)
        local job = t:impi_job { rank = rank, others = { { values = values } } }
        if beyond then
          local other = job.clients[1 - rank]
          other.values.H_PORT = { other.listening[1].number + 65536 }
        end
        job:start():authenticate():join()
        job.broadcasts = broadcasts
        job:try_collect()
        if wrong then
          t:confirm_violation(wrong)
        else
          t:declare_refusable("size")
        end
        t:ignore_violations(FOLLOWING, job.server_link)
        t:ends_with_error("IMPI-057", job)
      end
    end,
  }
end

broken("one-number-of-hosts-short", "two bits in the mask, one number of hosts", nil,
  { C_NHOSTS = IMPI.broadcast("C_NHOSTS", 3, { 1 }) }, "count-form")
broken("number-of-hosts-too-many", "three numbers of hosts for two clients", nil,
  { C_NHOSTS = IMPI.broadcast("C_NHOSTS", 3, { 1, 1, 1 }) }, "count-form")
broken("no-host", "a client with no host", { C_NHOSTS = { 0 } }, nil, "count-zero")
broken("hosts-beyond-memory", "a client with 4294967295 hosts", { C_NHOSTS = { 0xffffffff } })
broken("no-process", "a client with no process", { C_NPROCS = { 0 }, H_NPROCS = { 0 }, P_IPV6 = "", P_PID = "" }, nil,
  "count-zero")
broken("processes-beyond-memory", "a client with 2147483647 processes", { C_NPROCS = { 0x7fffffff } })
broken("port-short", "one port too few", { H_PORT = "" }, nil, "host-count")
broken("port-odd", "half a port more", { H_PORT = "\0\0\x13\x89\0\0" }, nil, "host-count")
broken("port-zero", "the port 0 of a lower host", { H_PORT = { 0 } }, nil, "port-range", 1)
broken("port-beyond", "65536 more than the port of a lower host", nil, nil, "port-range", 1, true)
broken("sum-of-processes", "a host's processes that do not add up", { H_NPROCS = { 2 } }, nil, "host-nprocs")
broken("pid-short", "a process number of four octets", { P_PID = "\0\0\0\1" }, nil, "process-count")
broken("address-short", "an address of 15 octets", { H_IPV6 = string.rep("\0", 15) }, nil, "host-count")
broken("mask-beyond-size", "a bit in the mask for a client that the job does not have", nil,
  { C_TAGUB = IMPI.broadcast("C_TAGUB", 7, { 32767, 32767, 32767 }) }, "spread-mask")
broken("mask-beyond-size-without-value", "a bit in the mask for a client that the job does not have, without a value",
  nil, { C_TAGUB = IMPI.broadcast("C_TAGUB", 7, { 32767, 32767 }) }, "spread-mask")
broken("version-odd", "half a version", { C_VERSION = "\0\0\0\0\0\0\0\0\0\0\0\0" }, nil, "version-form")
broken("no-number-of-hosts", "no client has given a number of hosts", nil,
  { C_NHOSTS = IMPI.broadcast("C_NHOSTS", 0, "") }, "spread-mask")
broken("coll-of-four", "a COLL too short for its mask", nil,
  { C_TAGUB = IMPI.command("COLL", "\0\0\x14\0") }, "spread-form")

for name, first, second in each { { "", 3, 1 }, { "-short-first", 1, 3 } } do
  case {
    id = "client-forged-sums-of-processes" .. name,
    title = "Processes of hosts that add up only over two clients are an error: " .. first .. " and " .. second,
    purpose = string.format("Each of the two other clients has two processes and one host; the host of the first "
      .. "says %d, that of the second %d. The client under test ends with a message and a status other than 0.",
      first, second),
    requirements = { "IMPI-057" }, negative = true,
    run = function(t)
      t:honest_job("IMPI-057")
      for rank = 0, 2 do
        t:step("the system under test is client " .. rank)
        local job = t:impi_job { rank = rank, others = { { hosts = { 2 }, values = { H_NPROCS = { first } } },
          { hosts = { 2 }, values = { H_NPROCS = { second } } } } }:start():authenticate():join()
        job:try_collect()
        t:confirm_violation("host-nprocs")
        t:ignore_violations(FOLLOWING, job.server_link)
        t:ends_with_error("IMPI-057", job)
      end
    end,
  }
end

for _, row in ipairs { { "ackmark-zero", { ackmark = 0 } }, { "ackmark-above-hiwater", { ackmark = 5, hiwater = 4 } },
    { "ackmark-above-hiwater-of-a-later-host", { hosts = { 1, 1 }, values = { H_ACKMARK = { 5, 5 },
      H_HIWATER = { 9, 4 } } } },
    { "ackmark-above-hiwater-of-a-host-between", { hosts = { 1, 1, 1 }, values = { H_ACKMARK = { 5, 6, 5 },
      H_HIWATER = { 9, 5, 9 } } } }, { "datalen-zero", { datalen = 0 } }, { "tagub-small", { tagub = 100 } },
    { "tagub-one-below-the-least", { tagub = 32766 } }, { "tagub-negative", { tagub = -1 } } } do
  local name, other = row[1], row[2]
  case {
    id = "client-limits-" .. name,
    title = "A client that breaks the limits of the document is an error: " .. name:gsub("-", " "),
    purpose = "The client under test ends with a message and a status other than 0, and does not hang.",
    requirements = { "IMPI-139" }, chapter = "3.9", negative = true,
    run = function(t)
      t:honest_job("IMPI-139")
      local job = t:impi_job { others = { other } }:start():authenticate():join()
      job:try_collect()
      t:confirm_violation("limit-range")
      t:ends_with_error("IMPI-139", job)
    end,
  }
end
