-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The connections between hosts: who connects to whom, in which order, and how they know each other (chapter 2.3.8).

defaults { role = "client", suite = "startup", chapter = "2.3.8" }

local QUIET = 500

case {
  id = "client-higher-host-connects",
  title = "The host of higher rank connects, at the address and port that were announced, and sends its rank",
  purpose = "The client under test is the second of two; its host sends 00 00 00 01 and nothing more, and nothing comes to it by then.",
  requirements = { "IMPI-082", "IMPI-084" },
  run = function(t)
    local job = t:impi_job {}:start_up()
    local stream, reason = core.port_accept(job.hosts[0].port, 5000)
    t:check("IMPI-082", "host 0", stream, "is connected to", reason)
    local channel = Link.new(stream, "host 0", false)
    t:equal("IMPI-084", "what is sent first", channel:take(4), "\0\0\0\1")
    t:link_silent("IMPI-084", "behind the rank nothing comes by itself", channel, QUIET)
    t:check("IMPI-082", "a second connection", not core.port_accept(job.hosts[0].port, 0), "is not made", "is made")
  end,
}

case {
  id = "client-rank-is-of-the-whole-job",
  title = "The rank that is sent counts the hosts of the whole job",
  purpose = "The first client has two hosts with several processes: the client under test sends 00 00 00 02 to both.",
  requirements = { "IMPI-084" },
  run = function(t)
    local job = t:impi_job { others = { { hosts = { 2, 3 } } } }:start_up()
    for rank = 0, 1 do
      local channel, reason = job.hosts[rank]:accept()
      t:equal("IMPI-084", "rank that is sent to host " .. rank, channel and channel.announced or reason, 2)
    end
  end,
}

case {
  id = "channel-is-made-once",
  title = "Two hosts have one connection, from their first to their last message",
  purpose = "The client under test has two hosts below it. The first connection to each says whose it is, and is the one by which messages go; there is no other one.",
  requirements = { "IMPI-099" }, chapter = "3.1",
  run = function(t)
    local job = t:impi_job { others = { { hosts = { 1, 1 } } } }:start_up()
    job:judging("IMPI-099")
    for rank = 0, 1 do
      local channel, reason = job.hosts[rank]:accept()
      t:check("IMPI-099", "the first connection to host " .. rank, channel, "says whose it is", reason)
    end
    job:interpreters():init()
    t:ping_pong_with("IMPI-099", job, { 0, 1 })
    for rank = 0, 1 do
      t:check("IMPI-099", "a second connection to host " .. rank, not core.port_accept(job.hosts[rank].port, QUIET),
        "is not made", "is made")
    end
    job:finish("IMPI-099")
  end,
}

case {
  id = "client-connects-to-hosts-of-one-address",
  title = "Hosts with one address are told apart by their ports",
  purpose = "The other client has three hosts, as several of one machine are: one address, three ports. Each is connected to at its own, and talks.",
  requirements = { "IMPI-082", "IMPI-070" },
  run = function(t)
    local job = t:impi_job { others = { { hosts = { 1, 2, 1 } } } }
    local first = job.clients[0].listening[1]
    for i = 2, 3 do
      local port, number = core.port("host " .. i - 1, first.address, nil, "channel", job.server.number)
      t:skip_if(not port, "there is no other port at the address of the first host: " .. tostring(number))
      job.clients[0].listening[i] = { port = port, address = first.address, number = number }
    end
    job:start_up()
    for rank = 0, 2 do
      local channel, reason = job.hosts[rank]:accept()
      t:equal("IMPI-082", "rank that is sent to host " .. rank, channel and channel.announced or reason, 3)
    end
    job:judging("IMPI-070")
    job:interpreters():init()
    t:ping_pong_with("IMPI-070", job, { 3, 0, 2, 1 })
    job:finish("IMPI-070")
  end,
}

case {
  id = "client-lower-host-accepts",
  title = "The host of lower rank does not connect; it accepts and sends nothing back",
  purpose = "The client under test is the first of two: no connection comes to the scripted host. The connection that this one makes is accepted, its rank is not answered, and messages go over it.",
  requirements = { "IMPI-082", "IMPI-084" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0 }:start_up()
    local channel, reason = job.hosts[1]:connect(job.hosts[0])
    t:check("IMPI-082", "a connection to host 0", channel, "is accepted", reason)
    t:link_silent("IMPI-084", "the rank is not answered", channel, QUIET)
    t:check("IMPI-082", "a connection to host 1", not core.port_accept(job.hosts[1].port, 0), "is not made", "is made")
    job:interpreters():init()
    t:ping_pong_with("IMPI-082", job, { 1 })
    job:finish("IMPI-082")
  end,
}

-- Has all scripted hosts below the client under test listen at one socket, each at an address of its own: the system
-- hands connections out in the order in which they were made, however late they are taken. False: there is but one
-- address.
local function listen_together(job)
  if not core.manager():match("^127%.") then return false end
  local port, number = core.port("the lower hosts", "0.0.0.0", nil, "channel", job.server.number)
  for rank = 0, port and job.rank - 1 or -1 do
    for _, host in ipairs(job.clients[rank].listening) do host.port, host.number = port, number end
  end
  return port ~= nil
end

case {
  id = "client-connects-ascending-then-accepts",
  title = "A host connects to the lower ones in ascending order, and accepts afterwards",
  purpose = "The client under test is the third of four. Host 8 connects at once; hosts 0 to 6 are connected to in this order; they can be talked to. On one machine these hosts have one socket, at which the order cannot be lost; else it is seen when the connections do not come too near to each other.",
  requirements = { "IMPI-083" }, incoming = true,
  run = function(t)
    local others = { { hosts = { 1, 1, 1, 1 } }, { hosts = { 1, 1, 1 } }, {} }
    local job = t:impi_job { rank = 2, others = others }
    local together = listen_together(job)
    job:start():authenticate():join()
    job:labels()
    job:learn_layout()
    job:judging("IMPI-083")
    job.server_link:done()
    local early, why = job.hosts[8]:connect(job.hosts[7])
    t:check("IMPI-083", "the early connection of host 8", early, "is taken by the network", why)
    local before = -1
    for rank = 0, 6 do
      local channel, reason = job.hosts[rank]:accept()
      t:equal("IMPI-083", "rank that is sent to host " .. rank, channel and channel.announced or reason, 7)
      if together then
        t:equal("IMPI-083", "to whom connection " .. rank .. " is made", channel.to, job.hosts[rank].address)
      end
      t:check("IMPI-083", "the connection to host " .. rank, channel.stream > before,
        "is made behind those to lower ones", "is made before one of them")
      before = channel.stream
    end
    job:interpreters():init()
    t:ping_pong_with("IMPI-083", job, { 8, 0, 6, 3 })
    job:finish("IMPI-083")
  end,
}

case {
  id = "client-connects-before-it-accepts",
  title = "A host that waits for higher ones before it connects to the lower ones would wait for ever",
  purpose = "The client under test is the second of three. Host 2 connects only when host 0 has been connected to.",
  requirements = { "IMPI-083" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 1, others = { {}, {} } }:start_up()
    job:judging("IMPI-083")
    local lower, reason = job.hosts[0]:accept(5000)
    t:equal("IMPI-083", "rank that is sent to host 0", lower and lower.announced or reason, 1)
    local higher, why = job.hosts[2]:connect(job.hosts[1])
    t:check("IMPI-083", "the connection of host 2", higher, "is accepted", why)
    job:interpreters():init()
    t:ping_pong_with("IMPI-083", job, { 2, 0 })
    job:finish("IMPI-083")
  end,
}

case {
  id = "client-both-hosts-accept",
  title = "Each host of a client accepts the hosts of higher rank",
  purpose = "The client under test is the first and has two hosts with a process each, the other client too. Four connections are made, the last hosts first; each pair of processes talks over its own: a connection that the system's kernel took and the host did not carries nothing.",
  requirements = { "IMPI-082" }, ranks = 2, hosts = true, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, np = 2, hosts = 2, others = { { hosts = { 1, 1 } } } }:start_up()
    job:judging("IMPI-082")
    for higher = 3, 2, -1 do
      for own = 1, 0, -1 do
        local channel, reason = job.hosts[higher]:connect(job.hosts[own])
        t:check("IMPI-082", "the connection of host " .. higher .. " to host " .. own, channel, "is accepted", reason)
      end
    end
    job:interpreters():init()
    for i = 0, 1 do
      local rank = job.ranks[i]
      for world = 2, 3 do
        t:ping_pong("IMPI-082", "with process " .. world, rank, job.processes[rank.world], job.processes[world])
      end
    end
    job:finish("IMPI-082")
  end,
}

case {
  id = "client-ports-stand-in-the-order-of-hosts",
  title = "The ports of a client's hosts stand in the order of its hosts and their processes",
  purpose = "The client under test is the first and has two hosts with a process each. The other host connects to the second of both ports, then to the first: over each connection it talks with that host's process, and with nobody else.",
  requirements = { "IMPI-070" }, chapter = "2.3.5", ranks = 2, hosts = true, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, np = 2, hosts = 2 }:start_up()
    job:judging("IMPI-070")
    for own = 1, 0, -1 do
      local channel, reason = job.hosts[2]:connect(job.hosts[own])
      t:check("IMPI-070", "the connection to the port of host " .. own, channel, "is accepted", reason)
    end
    job:interpreters():init()
    local other = job.processes[2]
    for i = 1, 0, -1 do
      local own = job.processes[job.ranks[i].world]
      local begun = job.ranks[i]:start_send(t, "MPI_Isend", other, 8, i, { tag = i })
      t:packet("IMPI-070", other:channel_to(own), "DATA", { src = own, tag = i })
      t:completes("IMPI-070", "the send of rank " .. own.rank, begun)
      other:send_short(own, 5, 7, 8)
      t:receives("IMPI-070", "a message for rank " .. own.rank, job.ranks[i], other, 7, 8, { tag = 5 })
    end
  end,
}

case {
  id = "client-knows-connectors-by-rank",
  title = "Hosts that connect are identified by the rank that they send, not by their order or their address",
  purpose = "Hosts 3, 2 and 1 connect to host 0 from one address. One sends its rank octet by octet, the others at once; a connection that says nothing for a while does not delay the others.",
  requirements = { "IMPI-085" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { {}, { hosts = { 1, 1 } } } }:start_up()
    job:judging("IMPI-085")
    for rank = 1, 3 do
      job.hosts[rank].address = job.hosts[1].address -- the source of its connection
    end
    local slow = job.hosts[3]:connect(job.hosts[0], "")
    t:sanity("host 3 is connected", slow ~= nil)
    slow:send_raw("\0\0", "half a rank")
    for _, rank in ipairs { 2, 1 } do
      t:sanity("host " .. rank .. " is connected", job.hosts[rank]:connect(job.hosts[0]) ~= nil)
    end
    local waits, reason = slow:silence(600) -- time for the client to read the half, also on a busy machine
    t:check("IMPI-085", "the connection on which half a rank has come", waits, "stays open, and silent", reason)
    slow:send_singly("\0\3")
    job:interpreters():init()
    t:ping_pong_with("IMPI-085", job, { 2, 3, 1 })
    job:finish("IMPI-085")
  end,
}

case {
  id = "client-half-a-rank-beside-another",
  title = "The rank of a host that comes in two pieces is read whole, whatever another connection has sent in between",
  purpose = "Host 1 sends half of its rank. An unidentified connection sends two other octets and says nothing more. Then the rest of the rank comes: messages go to and fro.",
  requirements = { "IMPI-085" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0 }:start_up()
    job:judging("IMPI-085")
    local host = job.hosts[1]:connect(job.hosts[0], "\0\0")
    t:sanity("host 1 is connected", host ~= nil and (host:silence(300)))
    local other = job.hosts[1]:connect(job.hosts[0], "\7\7")
    t:sanity("another one is connected", other ~= nil and (other:silence(300)))
    job.hosts[1]:attach(host, job.hosts[0])
    host:send_raw("\0\1", "the rest of the rank")
    job:interpreters():init()
    t:ping_pong_with("IMPI-085", job, { 1 })
  end,
}

case {
  id = "client-halves-of-many-ranks",
  title = "Many hosts may each have sent half of their rank",
  purpose = "Six hosts connect and each sends two octets of its rank. Then the last host sends the rest of its rank, then the one before it, and so on: messages go to and fro with all.",
  requirements = { "IMPI-085" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { { hosts = { 1, 1, 1, 1, 1, 1 } } } }:start_up()
    local channels = {}
    job:judging("IMPI-085")
    for rank = 1, 6 do
      channels[rank] = job.hosts[rank]:connect(job.hosts[0], "\0\0")
      t:sanity("host " .. rank .. " is connected", channels[rank] ~= nil and (channels[rank]:silence(100)))
    end
    for rank = 6, 1, -1 do
      job.hosts[rank]:attach(channels[rank], job.hosts[0])
      channels[rank]:send_raw(string.pack(">I2", rank), "the rest of rank " .. rank)
    end
    job:interpreters():init()
    t:ping_pong_with("IMPI-085", job, { 1, 2, 3, 4, 5, 6 })
  end,
}

case {
  id = "client-rank-glued-to-a-packet",
  title = "A rank and the first packet in one segment are both taken",
  purpose = "The scripted host sends its rank, a message and half of the header of another one at once.",
  requirements = { "IMPI-085" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0 }:start_up()
    local own, other = job.processes[0], job.processes[1]
    job:needs("datalen", 16)
    local first = IMPI.packet { type = "DATA", src = other, dest = own, srqid = 1, lsrank = 1, tag = 4,
      data = t.mix(1, 16) }
    local second = IMPI.packet { type = "DATA", src = other, dest = own, srqid = 2, lsrank = 1, tag = 5,
      data = t.mix(2, 16) }
    job:judging("IMPI-085")
    local channel = job.hosts[1]:connect(job.hosts[0], "\0\0\0\1" .. first .. second:sub(1, 60))
    job:interpreters():init()
    local rank = job.ranks[0]
    rank:octets("buf", 16)
    t:rc("IMPI-085", rank:MPI_Recv { count = 16, source = 1, tag = 4 }, "MPI_SUCCESS")
    t:octets("IMPI-085", "the first message", rank, "buf", "mix/1", 0, 16)
    channel:send_raw(second:sub(61), "the rest")
    t:rc("IMPI-085", rank:MPI_Recv { count = 16, source = 1, tag = 5 }, "MPI_SUCCESS")
    t:octets("IMPI-085", "the second message", rank, "buf", "mix/2", 0, 16)
  end,
}

case {
  id = "client-listens-when-done-comes",
  title = "The hosts listen by the time the server sends DONE",
  purpose = "Five jobs: the scripted host of higher rank connects in the same instant. It is never refused.",
  requirements = { "IMPI-086" }, incoming = true,
  run = function(t)
    for i = 1, 5 do
      local job = t:impi_job { rank = 0 }:start_up()
      local channel, reason = job.hosts[1]:connect(job.hosts[0])
      t:check("IMPI-086", "connection " .. i, channel, "is accepted", reason)
      core.job_kill(job.job)
    end
  end,
}

---- what must not happen to it ---------------------------------------------------------------------------------------

case {
  id = "client-lower-host-refuses",
  title = "A lower host that cannot be reached leads to a message, not to a hang",
  purpose = "The scripted host has announced a port at which no process listens any more.",
  requirements = { "IMPI-250" },
  run = function(t)
    local job = t:impi_job {}
    core.port_close(job.clients[0].listening[1].port)
    job:start_up()
    t:ends_with_error("IMPI-250", job)
  end,
}

case {
  id = "client-lower-host-resets",
  title = "A lower host that resets the connection leads to a message, not to a hang",
  purpose = "The scripted host accepts, reads the rank and resets.",
  requirements = { "IMPI-250" },
  run = function(t)
    local job = t:impi_job {}:start_up()
    local channel = job.hosts[0]:accept()
    t:sanity("host 0 is connected to", channel ~= nil)
    channel:reset()
    t:ends_with_error("IMPI-250", job)
  end,
}

for _, row in ipairs { { "silent", "" }, { "noise", nil, "rank-form" }, { "own-rank", "\0\0\0\0", "rank-order" },
    { "rank-too-large", "\0\0\0\9", "rank-form" },
    { "rank-of-more-octets", "\0\0\1\1", "rank-form" }, { "rank-of-most-octets", "\1\0\0\1", "rank-form" },
    { "rank-negative", "\xff\xff\xff\xff", "rank-form" },
    { "http", "GET / HTTP/1.1\r\n\r\n", "rank-form" },
    { "rank-of-the-count", "\0\0\0\2", "rank-form" }, { "gone-at-once", "" }, { "gone-behind-one-octet", "\0" },
    { "gone-behind-two-octets", "\0\0" }, { "gone-behind-three-octets", "\0\0\0" } } do
  local name, octets, wrong = row[1], row[2], row[3]
  case {
    id = "client-stranger-" .. name,
    title = "An unidentified connection to the listening port does not take a peer's place: " .. name:gsub("-", " "),
    purpose = "It connects before the real host and says something that no host of the job would. The real host is accepted and talked to, or the client ends with a message.",
    requirements = { "IMPI-251" }, negative = wrong ~= nil, deadline = 60, incoming = true,
    run = function(t)
      local job = t:impi_job { rank = 0 }:start_up()
      job:judging("IMPI-251")
      local unidentified = job.hosts[1]:connect(job.hosts[0], octets or t.mix(t.random(1000000), 1024))
      t:sanity("it is connected", unidentified ~= nil)
      if wrong then t:confirm_violation(wrong) end
      if name:find("gone") then
        unidentified:close()
        t:ignore_violations({ "closed-without-fini" }, unidentified)
      end
      if not job.hosts[1]:connect(job.hosts[0]) or not job:initializes() then
        t:ends_with_error("IMPI-251", job)
        return
      end
      t:ping_pong_with("IMPI-251", job, { 1 })
    end,
  }
end

for host = 0, 1 do
  local claim = 1 - host
  case {
    id = "client-stranger-rank-of-own-host-" .. claim,
    title = string.format("A connection to host %d that says it is the client's own host %d takes nobody's place",
      host, claim),
    purpose = "Hosts of one client have no channel. The real host is accepted by both and talked to, or the client ends with a message.",
    requirements = { "IMPI-251" }, ranks = 2, hosts = true, negative = claim < host, deadline = 60, incoming = true,
    run = function(t)
      local job = t:impi_job { rank = 0, np = 2, hosts = 2 }:start_up()
      job:judging("IMPI-251")
      local unidentified = job.hosts[2]:connect(job.hosts[host], string.pack(">I4", claim))
      t:sanity("it is connected", unidentified ~= nil)
      unidentified:silence(QUIET) -- so long it may stay, or until it is refused
      if claim < host then t:confirm_violation("rank-order") end
      for own = 0, 1 do
        if not job.hosts[2]:connect(job.hosts[own]) then
          t:ends_with_error("IMPI-251", job)
          return
        end
      end
      if not job:initializes() then
        t:ends_with_error("IMPI-251", job)
        return
      end
      for i = 0, 1 do
        t:ping_pong("IMPI-251", "host " .. i, job.ranks[i], job.processes[i], job.processes[2])
      end
    end,
  }
end

case {
  id = "client-rank-sent-twice",
  title = "A second connection with a rank that is there already does not take its place",
  purpose = "The real host has connected; another connection sends the same rank. Messages still go to the real host, or the client ends with a message.",
  requirements = { "IMPI-251" }, negative = true, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { {}, {} } }:start_up()
    job:judging("IMPI-251")
    local true_one = job.hosts[1]:connect(job.hosts[0])
    t:sanity("the true host is connected and its rank taken", true_one ~= nil and (true_one:silence(QUIET)))
    job.hosts[1]:connect(job.hosts[0])
    t:confirm_violation("rank-twice")
    job.hosts[1]:attach(true_one, job.hosts[0])
    if not job.hosts[2]:connect(job.hosts[0]) or not job:initializes() then
      t:ends_with_error("IMPI-251", job)
      return
    end
    t:ping_pong_with("IMPI-251", job, { 1, 2 })
  end,
}

---- several hosts of the client under test ----------------------------------------------------------------------------

case {
  id = "client-hosts-say-their-own-ranks",
  title = "Each of three hosts of a client connects to each lower host, and sends its own rank",
  purpose = "The other client has two hosts below: to each of them 00 00 00 02, 00 00 00 03 and 00 00 00 04 are sent, in whatever order; then each process talks with both.",
  requirements = { "IMPI-084", "IMPI-082" }, ranks = 3, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 3, hosts = 3, others = { { hosts = { 1, 1 } } } }:start_up()
    job:judging("IMPI-084")
    for lower = 0, 1 do
      local ranks = {}
      for i = 1, 3 do
        local channel, reason = job.hosts[lower]:accept()
        t:check("IMPI-082", "connection " .. i .. " to host " .. lower, channel, "is made", reason)
        ranks[i] = channel.announced
      end
      table.sort(ranks)
      t:equal("IMPI-084", "ranks that are sent to host " .. lower, ranks, { 2, 3, 4 })
    end
    job:judging("IMPI-082")
    job:interpreters():init()
    for i = 0, 2 do
      local own = job.processes[job.ranks[i].world]
      for lower = 0, 1 do
        t:ping_pong("IMPI-082", "host " .. own.host.rank, job.ranks[i], own, job.processes[lower])
      end
    end
  end,
}

case {
  id = "client-hosts-connect-in-ascending-order",
  title = "Each of three hosts of a client connects to the lower hosts in ascending order",
  purpose = "Two clients below have five hosts. Of each host under test the connections come in the order of their ranks. On one machine these have one socket, at which the order cannot be lost; else it is seen when the connections do not come too near to each other.",
  requirements = { "IMPI-083" }, ranks = 3, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 3, hosts = 3, rank = 2, others = { { hosts = { 1, 1, 1 } }, { hosts = { 1, 1 } } } }
    local together, before = listen_together(job), {}
    job:start():authenticate():join()
    job:labels()
    job:learn_layout()
    job:judging("IMPI-083")
    job.server_link:done()
    for i = 0, 14 do
      local channel, reason = job.hosts[together and 0 or i // 3]:accept()
      t:check("IMPI-083", "connection " .. i, channel, "is made", reason)
      local now = channel.stream
      for rank = 0, together and 4 or -1 do
        if job.hosts[rank].address == channel.to then now = rank end
      end
      local what = string.format("the connection of host %d to %s", channel.announced, channel.to)
      t:check("IMPI-083", what, now > (before[channel.announced] or -1), "is made behind those to lower ones",
        "is made before one of them")
      before[channel.announced] = now
    end
  end,
}

case {
  id = "client-accepts-many-hosts",
  title = "Each of 257 hosts that connect is known by the rank that it sends",
  purpose = "The client under test is the first one. Messages go both ways between its process and those of hosts below and above 128 and 256.",
  requirements = { "IMPI-085" }, incoming = true, deadline = 300,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { { hosts = Values.repeated(1, 257) } } }
    job:judging("IMPI-085")
    job:open()
    t:ping_pong_with("IMPI-085", job, { 1, 128, 255, 256, 257 })
  end,
}
