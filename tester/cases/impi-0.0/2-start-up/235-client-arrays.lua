-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Arrays of hosts and processes as a client has to read them: whose value is which, and what is only a name
-- (chapter 2.3.5).

defaults { role = "client", suite = "startup", chapter = "2.3.5" }

case {
  id = "client-hosts-of-another",
  title = "Host arrays run from the lowest host of client 0 to the highest of the last client",
  purpose = "The first client has two hosts, the second one host: the client under test connects to all three at the addresses and ports of theirs, and messages to each process go over the right connection.",
  requirements = { "IMPI-070" },
  run = function(t)
    local job = t:impi_job { others = { { hosts = { 1, 2 } }, { hosts = { 1 } } } }
    job:judging("IMPI-070")
    job:open()
    for rank = 0, 2 do
      t:equal("IMPI-070", "rank that is sent to host " .. rank, job.hosts[rank].channels[3].announced, 3)
    end
    t:ping_pong_with("IMPI-070", job, { 0, 1, 2, 3 })
    job:finish("IMPI-070")
  end,
}

case {
  id = "client-hosts-of-a-later-client",
  title = "Hosts of a client of higher rank follow the client's own",
  purpose = "The client under test is the first, the other one has two hosts; both connect, the second one first, and each is found by the rank that it sends.",
  requirements = { "IMPI-070", "IMPI-085" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { { hosts = { 1, 1 } } } }:start_up()
    job:judging("IMPI-085")
    for _, rank in ipairs { 2, 1 } do
      local channel, reason = job.hosts[rank]:connect(job.hosts[0])
      t:check("IMPI-085", "the connection of host " .. rank, channel, "is accepted", reason)
    end
    job:interpreters():init()
    t:ping_pong_with("IMPI-070", job, { 2, 1 })
    job:finish("IMPI-085")
  end,
}

for name, address in each { { "unroutable", IMPI.host("203.0.113.7") },
    { "ipv6", "\x20\x01\x0d\xb8" .. string.rep("\0", 11) .. "\1" }, { "zero", string.rep("\0", 16) } } do
  case {
    id = "client-process-address-" .. name,
    title = "The address of a process is a name: it need not be its host's, nor be reachable (" .. name .. ")",
    purpose = "The scripted process has this address in IMPI_P_IPV6 and in the packets; its host listens where IMPI_H_IPV6 says.",
    requirements = { "IMPI-071" },
    run = function(t)
      local job = t:impi_job { others = { { values = { P_IPV6 = address } } } }
      job:judging("IMPI-071")
      job:open()
      t:ping_pong_with("IMPI-071", job, { 0 })
      job:finish("IMPI-071")
    end,
  }
end

case {
  id = "client-process-addresses-of-a-client",
  title = "Processes of one client may have addresses of their own, as those of several machines have",
  purpose = "The other client has three processes on two hosts, each with another address in IMPI_P_IPV6. Each exchanges a message with the system under test.",
  requirements = { "IMPI-071" },
  run = function(t)
    local ids = {}
    for i = 1, 3 do ids[i] = IMPI.host("203.0.113." .. 7 * i) end
    local job = t:impi_job { others = { { hosts = { 2, 1 }, values = { P_IPV6 = ids } } } }
    job:judging("IMPI-071")
    job:open()
    t:ping_pong_with("IMPI-071", job, { 2, 0, 1 })
    job:finish("IMPI-071")
  end,
}

case {
  id = "client-process-numbers-at-the-ends",
  title = "Every number of 64 bits with a sign can be a process's",
  purpose = "The other client has processes with the numbers 0, -1, the largest and the smallest one, on two hosts. Each exchanges a message with the system under test.",
  requirements = { "IMPI-071" },
  run = function(t)
    local pids = { 0, math.maxinteger, math.mininteger, -1 }
    local job = t:impi_job { others = { { hosts = { 1, 3 }, values = { P_PID = pids } } } }
    job:judging("IMPI-071")
    job:open()
    t:ping_pong_with("IMPI-071", job, { 3, 0, 2, 1 })
    job:finish("IMPI-071")
  end,
}

case {
  id = "client-process-numbers",
  title = "The position in the process arrays is the rank in MPI_COMM_WORLD",
  purpose = "The scripted processes have numbers in no order, negative and beyond 32 bits. Packets of the system under test name as source the entry of its own world rank, as destination that of the receiver.",
  requirements = { "IMPI-073" }, ranks = 2,
  run = function(t)
    local pids = { t.random(1 << 40), -t.random(1 << 40), 1, (1 << 32) + 1 }
    local job = t:impi_job { np = 2, others = { { hosts = { 3, 1 }, values = { P_PID = pids } } } }
    job:judging("IMPI-073")
    job:open()
    for i = 0, 1 do
      job.ranks[i]:octets("buf", 8)
      for scripted = 0, 3 do
        local sending = job.ranks[i]:start_MPI_Send { count = 8, dest = scripted, tag = scripted }
        local channel = job.processes[scripted].host.channels[2]
        t:packet("IMPI-073", channel, "DATA", { src = job.processes[job.ranks[i].world],
          dest = job.processes[scripted], tag = scripted })
        t:rc("IMPI-073", sending:finish(), "MPI_SUCCESS")
      end
    end
    job:finish("IMPI-073")
  end,
}

case {
  id = "client-process-numbers-of-hosts",
  title = "The client's processes are listed host by host in the arrays",
  purpose = "A client of two hosts with three processes: every process of it sends, and its packets name the entry of its world rank and come over its host's connection.",
  requirements = { "IMPI-073" }, ranks = 3, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 3, hosts = 2 }:open()
    for i = 0, 2 do
      local own = job.processes[job.ranks[i].world]
      job.ranks[i]:octets("buf", 8)
      local sending = job.ranks[i]:start_MPI_Send { count = 8, dest = 0, tag = i }
      t:packet("IMPI-073", job.hosts[0].channels[own.host.rank], "DATA", { src = own, tag = i })
      t:rc("IMPI-073", sending:finish(), "MPI_SUCCESS")
    end
    job:finish("IMPI-073")
  end,
}

-- The host identifier in one of the two forms of an IPv4 address.
local FORMS = {
  { "mapped", string.rep("\0", 10) .. "\xff\xff" },
  { "compatible", string.rep("\0", 12) },
}

for name, prefix in each(FORMS) do
  case {
    id = "client-ipv4-form-" .. name,
    title = "An IPv4 host in the " .. name .. " form is accepted, in the labels and in packets",
    purpose = "The scripted host and its process have their address in this form; the client under test connects, and messages go both ways.",
    requirements = { "IMPI-008" }, chapter = "1.2.3",
    run = function(t)
      local job = t:impi_job {}
      local octets = prefix .. IMPI.host(job.clients[0].listening[1].address):sub(13)
      job.clients[0].values.H_IPV6, job.clients[0].values.P_IPV6 = octets, octets
      job:judging("IMPI-008")
      job:open()
      t:ping_pong_with("IMPI-008", job, { 0 })
      job:finish("IMPI-008")
    end,
  }
end

-- Counts and ranks that need more than an octet: { processes of each host of the other client, those that are talked
-- with, what it has }
for name, row in each { { "hosts", { Values.repeated(1, 300), { 0, 127, 128, 255, 256, 299 }, "300 hosts" } },
    { "processes", { { 300 }, { 0, 127, 128, 255, 256, 299 }, "300 processes on one host" } },
    { "both", { { 100, 1, 150, 20 }, { 0, 99, 100, 101, 250, 251, 270 }, "271 processes on four hosts" } } } do
  local hosts, partners = row[1], row[2]
  case {
    id = "client-beyond-one-octet-" .. name,
    title = "A job of more than 256: " .. name,
    purpose = "The other client, which is the first, has " .. row[3]
      .. ". The client under test connects to all hosts as the one behind them, and its process is the last of the "
      .. "world. Messages to and from processes below and above 128 and 256 arrive.",
    requirements = { "IMPI-073", "IMPI-084", "IMPI-116" }, deadline = 300, -- half a second for each host
    run = function(t)
      local job = t:impi_job { others = { { hosts = hosts } } }
      job:judging("IMPI-084")
      job:open()
      for rank = 0, #hosts - 1 do
        t:equal("IMPI-084", "rank that is sent to host " .. rank, job.hosts[rank].channels[#hosts].announced, #hosts)
      end
      local own, rank = job:master(1), job.ranks[0]
      t:equal("IMPI-073", "its rank in MPI_COMM_WORLD", own.rank, partners[#partners] + 1)
      t:ping_pong_with("IMPI-073", job, partners)
      for _, partner in ipairs(partners) do
        local other = job.processes[partner]
        rank:start_send(t, "MPI_Isend", other, 4, partner, { tag = 5 })
        t:packet("IMPI-116", other:channel_to(own), "DATA", { src = own, dest = other, tag = 5, lsrank = own.rank })
        other:send_short(own, 6, partner, 10)
        local post = rank:post_receive(t, { rank = "MPI_ANY_SOURCE" }, 10, { tag = 6 })
        local result = t:receive_completes("IMPI-116", "a message of rank " .. partner, post, partner)
        t:equal("IMPI-116", "MPI_SOURCE", result.status.source, partner)
      end
      job:finish("IMPI-073")
    end,
  }
end

case {
  id = "client-of-many-processes",
  title = "A client of more than 128 processes",
  purpose = "130 processes under test: so many are submitted, each with an entry of its own. The first and the last two talk with the other client, and their packets name the entries of their ranks.",
  requirements = { "IMPI-060", "IMPI-069", "IMPI-073" }, ranks = 130, deadline = 120,
  run = function(t)
    local job = t:impi_job { np = 130 }:open()
    local given = IMPI.read_values("C_NPROCS", job.given.C_NPROCS)
    t:equal("IMPI-060", "IMPI_C_NPROCS", given, { 130 })
    t:equal("IMPI-069", "IMPI_H_NPROCS", IMPI.read_values("H_NPROCS", job.given.H_NPROCS), { 130 })
    t:equal("IMPI-073", "octets of IMPI_P_PID", #job.given.P_PID, 130 * 8)
    local other = job.processes[0]
    for _, place in ipairs { 0, 128, 129 } do
      local rank, own = job.ranks[place], job.processes[job.ranks[place].world]
      t:equal("IMPI-073", "rank in MPI_COMM_WORLD of the process at place " .. place, rank.world, place + 1)
      rank:start_send(t, "MPI_Isend", other, 4, place, { tag = 5 })
      t:packet("IMPI-073", other:channel_to(own), "DATA", { src = own, dest = other, tag = 5, lsrank = place + 1 })
      other:send_short(own, 6, place, 10)
      t:receives("IMPI-073", "a message to that process", rank, other, place, 10, { tag = 6 })
    end
    job:finish("IMPI-073")
  end,
}
