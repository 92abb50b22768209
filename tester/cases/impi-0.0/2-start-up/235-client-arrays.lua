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
