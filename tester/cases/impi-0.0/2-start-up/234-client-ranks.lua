-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The command that starts a client, and IMPI as a client has to speak it (chapters 2.2.2 and 2.3.4).

defaults { role = "client", suite = "startup", chapter = "2.2.2" }

local QUIET = 400

for _, rank in ipairs { 0, 1, 4, 10, 17, 31 } do
  case {
    id = "client-rank-" .. rank,
    title = "The client sends the server the rank given by -client: " .. rank,
    purpose = "The client finds the server by host and port of its command line, and sends IMPI with length 4 and its rank behind AUTH.",
    requirements = { "IMPI-017", "IMPI-040" },
    run = function(t)
      local others = {}
      for i = 1, math.max(rank, 4) do others[i] = {} end
      local job = t:impi_job { rank = rank, others = others }
      job:launch()
      local server_link, reason = job.server:accept()
      t:check("IMPI-017", "a connection to the server", server_link, "is made", reason)
      job.server_link = server_link
      job:authenticate()
      t:command("IMPI-040", server_link, "IMPI", { length = 4, value = rank })
    end,
  }
end

for name, rank in each { { "first", 0 }, { "last", 1 } } do
  case {
    id = "client-world-ranks-" .. name,
    title = "The ranks of clients order their processes in MPI_COMM_WORLD: the " .. name .. " of two",
    purpose = "The system under test has two processes, the other client three. World ranks and size are asked in the processes.",
    requirements = { "IMPI-018" }, ranks = 2, incoming = rank == 0,
    run = function(t)
      local job = t:impi_job { rank = rank, np = 2, others = { { hosts = { 3 } } } }:open()
      for i = 0, 1 do
        t:equal("IMPI-018", "world rank of process " .. i, job.ranks[i].world, rank * 3 + i)
        t:equal("IMPI-018", "size of the world", t:mpi(job.ranks[i]:MPI_Comm_size()).size, 5)
      end
    end,
  }
end

for place = 0, 2 do
  case {
    id = "client-world-ranks-of-three-" .. place,
    title = "Processes stand behind those of all clients of lower rank, however many these have: client " .. place,
    purpose = "The system under test has two processes, the others three and one. Each of these exchanges a message with it.",
    requirements = { "IMPI-018" }, ranks = 2, incoming = place < 2,
    run = function(t)
      local counts = { 3, 1 }
      table.insert(counts, place + 1, 2)
      local job = t:impi_job { rank = place, np = 2, others = { { hosts = { 3 } }, {} } }
      job:judging("IMPI-018")
      job:open()
      local before, scripted = 0, {}
      for client = 1, place do before = before + counts[client] end
      for i = 0, 1 do
        t:equal("IMPI-018", "world rank of process " .. i, job.ranks[i].world, before + i)
        t:equal("IMPI-018", "size of the world", t:mpi(job.ranks[i]:MPI_Comm_size()).size, 6)
      end
      for world = 5, 0, -1 do
        if world < before or world > before + 1 then scripted[#scripted + 1] = world end
      end
      t:ping_pong_with("IMPI-018", job, scripted)
    end,
  }
end

for _, row in ipairs { { "rank-negative", "-1", nil }, { "rank-word", "first", nil }, { "rank-trailing", "1x", nil },
    { "rank-huge", "4294967297", nil }, { "no-port", nil, "127.0.0.1" }, { "port-word", nil, "127.0.0.1:port" },
    { "port-zero", nil, "127.0.0.1:0" }, { "port-huge", nil, "the server's port and 65536" },
    { "port-trailing", nil, "the server's port and x" }, { "no-host", nil, ":5678" },
    { "host-without-a-name", nil, "the server's port at a..b" } } do
  local name, rank, server = row[1], row[2], row[3]
  case {
    id = "client-refuses-" .. name,
    title = "An invalid command line is refused: " .. (rank or server),
    purpose = "The client ends with a message and a status other than 0, and leaves no process behind; a rank that is none is not sent.",
    requirements = { "IMPI-019" },
    run = function(t)
      local job = t:impi_job {}
      local host, port = job.server.where:match("^(.*):(%d+)$")
      local made = { ["port-huge"] = host .. ":" .. port + 65536, ["port-trailing"] = host .. ":" .. port .. "x",
        ["host-without-a-name"] = "a..b:" .. port }
      job:launch { client = rank, server = made[name] or server }
      t:ends_with_error("IMPI-019", job)
      t:check("IMPI-019", "the server", not job.server:accept(0), "is left alone", "it was connected to")
    end,
  }
end

case {
  id = "client-server-unreachable",
  title = "A server that cannot be reached leads to a message, not to a hang",
  purpose = "The port is one on which a socket has just stopped listening.",
  requirements = { "IMPI-019" },
  run = function(t)
    local job = t:impi_job {}
    job.server:close()
    job:launch()
    t:ends_with_error("IMPI-019", job)
  end,
}

for suffix, rank, count in each { { "", 1, 2 }, { "-as-the-first", 0, 2 }, { "-as-the-second-of-three", 1, 3 } } do
  case {
    id = "client-waits-for-the-size" .. suffix,
    title = string.format("No label is sent before the server has sent the number of clients, by client %d of %d", rank,
      count),
    purpose = "The server keeps its IMPI back: silence. When it comes, the labels begin.",
    requirements = { "IMPI-043" }, chapter = "2.3.4",
    run = function(t)
      local job = t:impi_job { rank = rank, others = count == 3 and { {}, {} } or nil }:start():authenticate()
      job:next("IMPI")
      local quiet = job.server_link:silence(QUIET)
      t:reading("IMPI-043", "labels_before_size", "before the number of clients is known there is",
        quiet and "silence" or "a label", { { "wait", "silence" }, { "at_once", "a label" } })
      if quiet then
        job.server_link:size(count)
        t:command("IMPI-043", job.server_link, "COLL")
      end
    end,
  }
end

for _, size in ipairs { 1, 0, -1, -0x80000000 } do
  case {
    id = "client-size-too-small-" .. (size < -1 and "smallest" or size < 0 and "negative" or size),
    title = "A number of clients that does not include the client's own rank is an error: " .. size,
    purpose = "The client with rank 1 is told this number. It ends with a message and sends no label as if nothing was wrong.",
    requirements = { "IMPI-249" }, chapter = "2.3.4", negative = true,
    run = function(t)
      t:honest_job("IMPI-249")
      local job = t:impi_job {}:start():authenticate()
      job:next("IMPI")
      job.server_link:size(size)
      t:confirm_violation(size == 1 and "rank-outside" or "size-form")
      t:ends_with_error("IMPI-249", job)
    end,
  }
end
