-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What all other cases rest on: the steps of an honest job, each judged by itself. These cases come first, so that a
-- run whose set-up fails later has named the requirement that is broken, and does not wait again and again for what
-- never comes.

defaults { role = "client", suite = "foundations" }

-- The steps of a client from its start on; each case goes through those before its own as set-up.
local STEPS = {
  { "auth", "2.3.3", "IMPI-026", "A client connects to its server and begins with AUTH",
    function(job) job:start():authenticate() end },
  { "rank", "2.3.4", "IMPI-040", "Behind AUTH a client sends its rank", function(job) job:join() end },
  { "labels", "2.3.5", "IMPI-053", "Told the job's size, a client submits its labels",
    function(job)
      job:labels()
      job:learn_layout()
    end },
  { "channel", "2.3.8", "IMPI-082", "Behind the server's DONE a client connects to the host of a lower client",
    function(job)
      job.server_link:done()
      job:connect_hosts()
    end },
  { "program", "2.4", "IMPI-077", "The program of a client starts, and MPI_Init returns",
    function(job) job:interpreters():init() end },
  { "end", "2.4", "IMPI-077", "When its process has ended a client says FINI, and ends with status 0",
    function(job) job:finish("IMPI-077") end },
}

for last, row in ipairs(STEPS) do
  local id, chapter, req, title = row[1], row[2], row[3], row[4]
  case {
    id = "first-" .. id,
    title = title,
    purpose = "One client of one process beside a scripted one. Nothing is asked of it but that this step is taken in an honest start.",
    chapter = chapter, requirements = { req },
    run = function(t)
      local job = t:impi_job {}
      for number = 1, last do
        if number == last then job:judging(req) end
        STEPS[number][5](job)
      end
      t:check(req, "the step", true, "is taken", "is taken")
    end,
  }
end

case {
  id = "first-message-out",
  title = "A message of four octets leaves as one packet",
  purpose = "MPI_Send to a scripted process that has posted nothing and answers nothing.",
  chapter = "3.7.1", requirements = { "IMPI-141" },
  run = function(t)
    local _, rank, own, other = t:pair()
    local sending = rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 1 }, "IMPI-141")
    t:packet_to("IMPI-141", "the message", other, { src = own, type = "message", tag = 1 })
    t:sanity("the send has begun", sending ~= nil)
  end,
}

case {
  id = "first-message-in",
  title = "A message of four octets is received",
  purpose = "MPI_Recv gets what a scripted process sends.",
  chapter = "1.2.2", requirements = { "IMPI-003" },
  run = function(t)
    local _, rank, own, other = t:pair()
    other:send_short(own, 1, 1, 4)
    t:receives("IMPI-003", "the message", rank, other, 1, 4, { tag = 1 })
  end,
}

-- The same of a server: what each does with the client so far, whom it gives on.
local SERVER_STEPS = {
  { "address", "2.2.1", "IMPI-010", "A server prints where it listens, and takes a connection there",
    function(t, req, server)
      t:check(req, "the first line", server:listen(), "address:port", server.line)
      server:judging(req)
      return server:open_connection("client 0")
    end },
  { "method", "2.3.3", "IMPI-029", "A server answers AUTH",
    function(_, _, _, client) return client:authenticate() end },
  { "size", "2.3.4", "IMPI-042", "A server tells the size of a complete job", function(t, req, _, client)
    client:join(0)
    t:equal(req, "the size", client:size(), 1)
    return client
  end },
  { "broadcast", "2.3.5", "IMPI-048", "A server broadcasts a label", function(t, req, _, client)
    client:coll("C_NHOSTS", { 1 })
    t:broadcast(req, client, "C_NHOSTS", 1, { 1 })
    return client
  end },
  { "finished", "2.3.7", "IMPI-079", "A server ends with status 0 behind the last FINI",
    function(t, req, server, client)
      t:finish_job(req, server, { [0] = client })
      return client
    end },
}

for last, row in ipairs(SERVER_STEPS) do
  local id, chapter, req, title = row[1], row[2], row[3], row[4]
  case {
    id = "first-server-" .. id,
    title = title,
    purpose = "A job of one scripted client. Nothing is asked of the server but that this step is taken in an honest start.",
    chapter = chapter, requirements = { req }, role = "server",
    run = function(t)
      local server, client = t:start_server { clients = 1 }, nil
      for number = 1, last do
        if number == last then server:judging(req) end
        client = SERVER_STEPS[number][5](t, req, server, client)
      end
      t:check(req, "the step", true, "is taken", "is taken")
    end,
  }
end
