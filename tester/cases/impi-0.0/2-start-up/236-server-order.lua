-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A server whose clients are ready, done and finished in other orders than that of their ranks, and what it does for
-- them after it has refused something (chapters 2.3.4 to 2.3.7).

defaults { role = "server", suite = "server", chapter = "2.3.7" }

local QUIET = 400

-- A job that runs: all clients have said DONE and have been told so.
local function running(t, count)
  local server, clients = t:joined_server { clients = count }
  for rank = 0, count - 1 do clients[rank]:done() end
  for rank = 0, count - 1 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
  return server, clients
end

for name, order in each { { "falling", { 2, 1, 0 } }, { "mixed", { 1, 2, 0 } },
  { "of-six", { 5, 1, 4, 0, 3, 2 } } } do
  case {
    id = "server-finis-" .. name,
    title = "The server ends with the last FINI, in whatever order: " .. table.concat(order, ", "),
    purpose = "After each FINI but the last the clients that run are told nothing, and the server runs; then it ends with status 0.",
    requirements = { "IMPI-079" },
    run = function(t)
      local server, clients = running(t, #order)
      local last = clients[order[#order]]
      for i = 1, #order - 1 do
        clients[order[i]]:fini()
        t:link_silent("IMPI-079", "client " .. order[#order] .. ", which has not said FINI,", last, QUIET)
        t:equal("IMPI-079", string.format("behind %d of %d FINIs the server has ended with", i, #order),
          server:ended(0) or "it runs", "it runs")
      end
      last:fini()
      t:equal("IMPI-079", "behind the last FINI the server has ended with", server:ended() or "nothing: it runs",
        "status 0")
    end,
  }
end

case {
  id = "server-reports-a-loss-behind-a-fini",
  title = "A lost client is reported also when another one has finished before",
  purpose = "Client 2 of three has said FINI. Client 0 leaves without: the server prints a line.",
  requirements = { "IMPI-081" },
  run = function(t)
    local server, clients = running(t, 3)
    clients[2]:fini()
    clients[2]:close()
    t:link_silent("IMPI-081", "a client that runs", clients[1], QUIET)
    server:mark_output()
    clients[0]:close()
    t:check("IMPI-081", "the server's output", server:new_output(), "a line that tells of it", "nothing")
    t:record("the server ends with", server:ended() or "nothing: it still runs")
  end,
}

case {
  id = "server-done-of-client-0-skips-the-rest",
  title = "DONE of client 0 skips labels as that of any other does",
  purpose = "Client 0 says DONE behind IMPI_C_NHOSTS; the other two submit IMPI_C_NPROCS and IMPI_H_PORT: both are broadcast, with the mask 6.",
  requirements = { "IMPI-049" }, chapter = "2.3.5",
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    for rank = 0, 2 do clients[rank]:coll("C_NHOSTS", { 1 }) end
    for rank = 0, 2 do t:broadcast("IMPI-049", clients[rank], "C_NHOSTS", 7, { 1, 1, 1 }) end
    clients[0]:done()
    for _, row in ipairs { { "C_NPROCS", 4 }, { "H_PORT", 5001 } } do
      for rank = 1, 2 do clients[rank]:coll(row[1], { row[2] + rank }) end
      for rank = 0, 2 do t:broadcast("IMPI-049", clients[rank], row[1], 6, { row[2] + 1, row[2] + 2 }) end
    end
    for rank = 1, 2 do clients[rank]:done() end
    for rank = 0, 2 do t:command("IMPI-049", clients[rank], "DONE", { length = 0 }) end
    t:finish_job_after_done("IMPI-049", server, clients)
  end,
}

case {
  id = "server-broadcasts-all-that-one-command-completes",
  title = "What becomes complete by one command goes out at once, however many labels it is",
  purpose = "Client 0 has submitted six labels. Client 1 submits none of them and says DONE: all six are broadcast to both, with nothing more said by anybody.",
  requirements = { "IMPI-048" }, chapter = "2.3.5",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local labels = { "C_VERSION", "C_NHOSTS", "C_NPROCS", "H_PORT", "H_HIWATER", "P_PID" }
    for i, label in ipairs(labels) do clients[0]:coll(label, "values " .. i) end
    t:ignore_violations(clients[0].UNREAD, clients[0])
    t:link_silent("IMPI-048", "client 1 has submitted nothing yet", clients[0], QUIET)
    clients[1]:done()
    for i, label in ipairs(labels) do
      for rank = 0, 1 do t:broadcast("IMPI-048", clients[rank], label, 1, "values " .. i) end
    end
    clients[0]:done()
    for rank = 0, 1 do t:command("IMPI-048", clients[rank], "DONE", { length = 0 }) end
    t:finish_job_after_done("IMPI-048", server, clients)
  end,
}

case {
  id = "server-client-ahead-of-the-others",
  title = "A client that is several labels ahead keeps its labels in their order",
  purpose = "Client 0 submits five labels before client 1 has submitted the first. Each is then joined with that of client 1, in ascending order.",
  requirements = { "IMPI-045" }, chapter = "2.3.5",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local labels = { "C_NHOSTS", "C_NPROCS", "C_DATALEN", "C_TAGUB", "H_PORT" }
    for i, label in ipairs(labels) do clients[0]:coll(label, { 100 + i }) end
    t:ignore_violations(clients[0].UNREAD, clients[0])
    t:link_silent("IMPI-045", "client 1 has submitted nothing yet", clients[0], QUIET)
    for i, label in ipairs(labels) do
      clients[1]:coll(label, { 200 + i })
      t:ignore_violations(clients[1].UNREAD, clients[1])
      for rank = 0, 1 do t:broadcast("IMPI-045", clients[rank], label, 3, { 100 + i, 200 + i }) end
    end
    t:finish_job("IMPI-045", server, clients)
  end,
}

case {
  id = "server-values-of-100000-octets",
  title = "The length of a broadcast counts label, mask and all values, also when they are many",
  purpose = "Each of two clients submits 100000 octets for a label, as 6250 processes would: the length that is told is 200008, and so many octets come.",
  requirements = { "IMPI-044", "IMPI-045" }, chapter = "2.3.5",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local values = { [0] = string.rep("a", 100000), [1] = string.rep("b", 100000) }
    for rank = 0, 1 do
      clients[rank]:coll("P_IPV6", values[rank])
      t:ignore_violations(clients[rank].UNREAD, clients[rank])
    end
    for rank = 0, 1 do
      local command = t:command("IMPI-044", clients[rank], "COLL", { length = 200008 })
      t:check("IMPI-045", "the values", command.data == values[0] .. values[1], "those of client 0, then of client 1",
        #command.data .. " octets, not those")
    end
    t:finish_job("IMPI-044", server, clients)
  end,
}

case {
  id = "server-label-twice-behind-a-wrong-order",
  title = "A label that comes again behind one out of order is not joined twice",
  purpose = "Client 0 submits IMPI_C_DATALEN, then the lower IMPI_C_NPROCS, then IMPI_C_DATALEN again with another value. Where the server goes on, client 1 is sent one broadcast of IMPI_C_DATALEN, or by another reading a second one of client 0 alone.",
  requirements = { "IMPI-051" }, chapter = "2.3.5", negative = true,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for _, label in ipairs { "C_DATALEN", "C_NPROCS", "C_DATALEN" } do clients[0]:coll(label, { 4000 }) end
    t:confirm_violation("label-order", clients[0])
    t:ignore_violations(clients[0].UNREAD, clients[0])
    clients[1]:coll("C_DATALEN", { 8000 })
    clients[1]:done()
    local broadcasts, alone, command, reason = 0, 0, clients[1]:receive()
    while command and command.code == "COLL" do
      if command.label == IMPI.label("C_DATALEN").number then
        if broadcasts > 0 and command.octets == IMPI.broadcast("C_DATALEN", 1, { 4000 }) then
          alone = alone + 1
        else
          broadcasts = broadcasts + 1
        end
      end
      t:check("IMPI-051", "octets of a broadcast", #command.data <= 8, "at most one value of each client",
        IMPI.describe(command.number, command.length, command.payload, true))
      command, reason = clients[1]:receive(2000)
    end
    t:check("IMPI-051", "broadcasts of IMPI_C_DATALEN to client 1", broadcasts <= 1 and alone <= 1, "at most one",
      broadcasts + alone)
    t:reading("IMPI-051", "repeated_label", "IMPI_C_DATALEN of client 0 is sent to client 1",
      alone == 1 and "again" or "at most once", { { "once", "at most once" }, { "again", "again" } })
    t:check("IMPI-051", "client 1", broadcasts == 1 or reason == "closed" or reason == "reset",
      "is sent the broadcast, or told by the end of its connection", reason)
  end,
}

case {
  id = "server-rank-taken-in-a-running-job",
  title = "Whoever claims the rank of a client while the job runs is refused, and the job goes on",
  purpose = "While labels are exchanged, and again behind DONE, somebody authenticates and says the rank of client 0. It is told nothing; the clients go on to their end.",
  requirements = { "IMPI-244" }, chapter = "2.3.4", negative = true,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local function claim()
      local second = server:connect("second client 0")
      local heard = second and second:offer(IMPI.NONE_BIT) and second:choice()
      if not heard then
        t:no_forgery_possible("the server takes nobody any more")
        return
      end
      second:join(0)
      t:confirm_violation("join-taken", second)
      local ended, seen = second:ended(QUIET)
      t:check("IMPI-244", "the second client 0", ended or seen == "the connection stays open", "is told nothing", seen)
    end
    claim()
    t:judging("IMPI-244")
    for rank = 0, 1 do clients[rank]:coll("C_NPROCS", { rank + 1 }) end
    for rank = 0, 1 do t:broadcast("IMPI-244", clients[rank], "C_NPROCS", 3, { 1, 2 }) end
    for rank = 0, 1 do clients[rank]:done() end
    for rank = 0, 1 do t:command("IMPI-244", clients[rank], "DONE", { length = 0 }) end
    claim()
    t:finish_job_after_done("IMPI-244", server, clients)
  end,
}

for name, rank in each { { "negative", -1 }, { "the-count", 2 }, { "large", 0x7fffffff } } do
  case {
    id = "server-impossible-rank-in-a-running-job-" .. name,
    title = "Whoever claims an impossible rank while the job runs is refused, and the job goes on: " .. rank,
    purpose = "While labels are exchanged, and again behind DONE, somebody authenticates and says this rank in a job of two. It is told nothing; the clients go on to their end.",
    requirements = { "IMPI-245" }, chapter = "2.3.4", negative = true,
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      local function claim()
        local intruder = server:connect("intruder")
        local heard = intruder and intruder:offer(IMPI.NONE_BIT) and intruder:choice()
        if not heard then
          t:no_forgery_possible("the server takes nobody any more")
          return
        end
        intruder:join(rank)
        t:confirm_violation("join-rank", intruder)
        local ended, seen = intruder:ended(QUIET)
        t:check("IMPI-245", "the intruder", ended or seen == "the connection stays open", "is told nothing", seen)
      end
      claim()
      t:judging("IMPI-245")
      for i = 0, 1 do clients[i]:coll("C_NPROCS", { i + 1 }) end
      for i = 0, 1 do t:broadcast("IMPI-245", clients[i], "C_NPROCS", 3, { 1, 2 }) end
      for i = 0, 1 do clients[i]:done() end
      for i = 0, 1 do t:command("IMPI-245", clients[i], "DONE", { length = 0 }) end
      claim()
      t:finish_job_after_done("IMPI-245", server, clients)
    end,
  }
end

case {
  id = "server-key-that-never-comes-holds-up-nobody",
  title = "A client that stops before or within its key keeps nobody else from joining",
  purpose = "Two connections are told the method KEY; one says nothing more, one three octets of its key. Then the clients of a proper job come, with the same method, and go to their end.",
  requirements = { "IMPI-246" }, chapter = "2.3.2",
  run = function(t)
    local server = t:server { clients = 2, env = { IMPI_AUTH_NONE = false, IMPI_AUTH_KEY = "5678" } }
    for i = 1, 2 do
      local late = server:open_connection("connection " .. i)
      server:judging("IMPI-246")
      late:offer(IMPI.KEY_BIT)
      local choice, reason = late:choice()
      t:check("IMPI-246", "the answer to AUTH of connection " .. i, choice and choice.which == IMPI.KEY,
        "the method KEY", reason or choice.which)
      if i == 2 then late:send_raw("\0\0\0", "part of a key") end
    end
    local clients = server:join_all { key = 5678 }
    t:finish_job("IMPI-246", server, clients)
  end,
}

for skips = 0, 2 do
  case {
    id = "server-tells-whom-it-skipped-" .. skips,
    title = "A client that leaves out a label is told it all the same: client " .. skips,
    purpose = "Client " .. skips .. " of three goes on to the next label. Both labels are sent to all three, "
      .. "the first with a mask that lacks its bit.",
    requirements = { "IMPI-047" }, chapter = "2.3.5",
    run = function(t)
      local server, clients = t:joined_server { clients = 3 }
      local values = {}
      for rank = 0, 2 do
        if rank ~= skips then
          clients[rank]:coll("C_NPROCS", { 10 + rank })
          values[#values + 1] = 10 + rank
        end
        clients[rank]:coll("C_DATALEN", { 4000 + rank })
        t:ignore_violations(clients[rank].UNREAD, clients[rank])
      end
      for rank = 0, 2 do
        t:broadcast("IMPI-047", clients[rank], "C_NPROCS", 7 & ~(1 << skips), values)
        t:broadcast("IMPI-047", clients[rank], "C_DATALEN", 7, { 4000, 4001, 4002 })
      end
      t:finish_job("IMPI-047", server, clients)
    end,
  }
end

case {
  id = "server-values-of-nobody",
  title = "The length of a broadcast without any value counts label and mask",
  purpose = "Both clients submit a label without values: the broadcast has the length 8, with the mask 3.",
  requirements = { "IMPI-044" }, chapter = "2.3.5",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do
      clients[rank]:coll("C_DATALEN", "")
      t:ignore_violations(clients[rank].UNREAD, clients[rank])
    end
    for rank = 0, 1 do
      local command = t:command("IMPI-044", clients[rank], "COLL", { length = 8 })
      t:equal("IMPI-044", "its mask", command.mask, 3)
    end
    t:finish_job("IMPI-044", server, clients)
  end,
}

case {
  id = "server-unknown-command-while-it-gathers",
  title = "An unknown command is skipped also while the job waits for other clients",
  purpose = "Client 1 has sent its rank, and then a command XYZW with a payload. When client 0 has come both are told the size.",
  requirements = { "IMPI-022" }, chapter = "2.3.2",
  run = function(t)
    local server = t:server { clients = 2 }
    server:judging("IMPI-022")
    local clients = { [1] = server:join_client(1) }
    clients[1]:send(0x58595a57, t.mix(1, 100))
    t:link_silent("IMPI-022", "client 1, while the job waits,", clients[1], QUIET)
    clients[0] = server:join_client(0)
    for rank = 0, 1 do t:command("IMPI-022", clients[rank], "IMPI", { value = 2 }) end
    t:finish_job("IMPI-022", server, clients)
  end,
}

for name, reset in each { { "closed", false }, { "reset", true } } do
  case {
    id = "server-loses-key-" .. name,
    title = "A client whose connection is " .. name .. " before its key is reported, and does not harm the others",
    purpose = "It has been told the method KEY, and leaves. The server prints a line, and serves a proper job, with the same method.",
    requirements = { "IMPI-248" }, chapter = "2.3.3",
    run = function(t)
      local server = t:server { clients = 2, env = { IMPI_AUTH_NONE = false, IMPI_AUTH_KEY = "5678" } }
      server:judging("IMPI-248")
      local first = server:join_client(1, { key = 5678 })
      local lost = server:open_connection("a client that leaves")
      lost:offer(IMPI.KEY_BIT)
      local choice, reason = lost:choice()
      t:check("IMPI-248", "the answer to AUTH", choice and choice.which == IMPI.KEY, "the method KEY", reason)
      server:mark_output()
      if reset then
        lost:reset()
      else
        lost:close()
      end
      t:check("IMPI-248", "the server's output", server:new_output(), "a line that tells of it", "nothing")
      t:link_silent("IMPI-248", "a client that waits", first, QUIET)
      local clients = { [0] = server:join_client(0, { key = 5678 }), [1] = first }
      for rank = 0, 1 do t:command("IMPI-248", clients[rank], "IMPI", { value = 2 }) end
      t:finish_job("IMPI-248", server, clients)
    end,
  }
end
