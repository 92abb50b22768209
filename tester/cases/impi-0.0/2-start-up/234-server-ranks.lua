-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- IMPI as a server has to take it: ranks of clients, and the size of the job (chapter 2.3.4).

defaults { role = "server", suite = "server", chapter = "2.3.4" }

local QUIET = 400

case {
  id = "server-size-is-withheld",
  title = "The number of clients is sent when every client has sent its rank, not before",
  purpose = "Two of three clients have joined: silence. The third joins: all three are told.",
  requirements = { "IMPI-041", "IMPI-042" },
  run = function(t)
    local server = t:server { clients = 3 }
    local clients = { [2] = server:join_client(2), [0] = server:join_client(0) }
    t:link_silent("IMPI-041", "with two of three clients nothing is said", clients[0], QUIET)
    t:link_silent("IMPI-041", "with two of three clients nothing is said", clients[2], QUIET)
    clients[1] = server:open_connection("client 1"):authenticate()
    t:link_silent("IMPI-041", "a third that has not sent its rank changes nothing", clients[0], QUIET)
    clients[1]:join(1)
    for rank = 0, 2 do t:command("IMPI-042", clients[rank], "IMPI", { length = 4, value = 3 }) end
    t:finish_job("IMPI-042", server, clients)
  end,
}

case {
  id = "server-size-is-withheld-beside-refused-clients",
  title = "A client that is refused does not count among those that have sent their rank",
  purpose = "Two of three clients have joined. A second client 1 comes, then a second client 0, then one of a rank that the job does not have: silence. The third one joins: all three are told.",
  requirements = { "IMPI-041" }, negative = true,
  run = function(t)
    local server = t:server { clients = 3 }
    local clients, intruders = { [1] = server:join_client(1), [0] = server:join_client(0) }, {}
    server:judging("IMPI-041")
    for i, rank in ipairs { 1, 0, 3 } do
      intruders[i] = server:join_client(rank)
      t:confirm_violation(rank < 3 and "join-taken" or "join-rank", intruders[i])
      for own = 0, 1 do
        t:link_silent("IMPI-041", "behind " .. i .. " clients too many nothing is said", clients[own], QUIET)
      end
    end
    clients[2] = server:join_client(2)
    for rank = 0, 2 do t:command("IMPI-041", clients[rank], "IMPI", { length = 4, value = 3 }) end
    t:finish_job("IMPI-041", server, clients)
    for _, intruder in ipairs(intruders) do t:received_nothing("IMPI-041", "a client too many", intruder) end
  end,
}

for _, count in ipairs { 1, 2, 5, 32 } do
  case {
    id = "server-size-" .. count,
    title = "Each of " .. count .. " clients is told the number of clients",
    purpose = "The clients join with the highest rank first.",
    requirements = { "IMPI-042" },
    run = function(t)
      local server = t:server_of(count)
      local clients = {}
      for rank = count - 1, 0, -1 do clients[rank] = server:join_client(rank) end
      for rank = 0, count - 1 do
        local command = t:command("IMPI-042", clients[rank], "IMPI", { length = 4 })
        t:equal("IMPI-042", "size for client " .. rank, command.value, count)
      end
      t:finish_job("IMPI-042", server, clients)
    end,
  }
end

case {
  id = "server-size-beside-others",
  title = "Connections that are no clients of the job do not count in its size",
  purpose = "Two connections say nothing, and a third one is authenticated and does not join. The two clients are told 2.",
  requirements = { "IMPI-042" },
  run = function(t)
    local server = t:server { clients = 2 }
    local unidentified = { server:open_connection(), server:open_connection(), server:open_connection() }
    unidentified[3]:authenticate()
    local clients = { [1] = server:join_client(1), [0] = server:join_client(0) }
    for rank = 0, 1 do
      local command = t:command("IMPI-042", clients[rank], "IMPI", { length = 4 })
      t:equal("IMPI-042", "size for client " .. rank, command.value, 2)
    end
    t:finish_job("IMPI-042", server, clients)
  end,
}

case {
  id = "server-rank-taken",
  title = "A rank that is taken is refused, and its first holder keeps it",
  purpose = "A second client 0 comes while the job waits, with the same way of authentication. Its connection ends or it is not served; the first one is served.",
  requirements = { "IMPI-244" }, negative = true,
  run = function(t)
    local server = t:server { clients = 2 }
    local first = server:join_client(0)
    t:sanity("the first client 0 is waiting", (first:silence(QUIET)))
    server:judging("IMPI-244")
    local second = server:join_client(0)
    t:confirm_violation("join-taken", second)
    local ended, seen = second:ended(QUIET)
    t:check("IMPI-244", "the second client 0", ended or seen == "the connection stays open", "is told nothing", seen)
    t:record("its connection", ended and "is ended" or "stays open")
    local clients = { [0] = first, [1] = server:join_client(1) }
    for rank = 0, 1 do t:command("IMPI-244", clients[rank], "IMPI", { value = 2 }) end
    clients[0]:coll("C_NPROCS", { 8 })
    clients[1]:coll("C_NPROCS", { 4 })
    t:broadcast("IMPI-244", first, "C_NPROCS", 3, { 8, 4 })
    t:broadcast("IMPI-244", clients[1], "C_NPROCS", 3, { 8, 4 })
    t:finish_job("IMPI-244", server, clients)
    t:received_nothing("IMPI-244", "the second client 0", second)
  end,
}

for name, phase in each { { "waits", 0 }, { "exchanges-labels", 1 }, { "runs", 2 } } do
  case {
    id = "server-rank-taken-in-haste-while-the-job-" .. name,
    title = "Nothing counts that a client says whose rank is taken: while the job " .. name:gsub("-", " "),
    purpose = "A second client 1 writes IMPI, a label, DONE and FINI at once, where it is let in at all. The job of the first one goes on with the first one's values.",
    requirements = { "IMPI-244" }, negative = true,
    run = function(t)
      local server = t:server { clients = 2 }
      local clients = { [1] = server:join_client(1) }
      local function complete()
        clients[0] = server:join_client(0)
        for rank = 0, 1 do t:command("IMPI-244", clients[rank], "IMPI", { value = 2 }) end
      end
      local function exchange()
        for rank = 0, 1 do
          clients[rank]:coll("C_NPROCS", { 4 + rank })
          clients[rank]:done()
        end
        for rank = 0, 1 do
          t:broadcast("IMPI-244", clients[rank], "C_NPROCS", 3, { 4, 5 })
          t:command("IMPI-244", clients[rank], "DONE", { length = 0 })
        end
      end
      if phase > 0 then complete() end
      if phase > 1 then exchange() end
      server:judging("IMPI-244")
      local second, reason = server:connect("second client 1")
      if second then
        second:offer(IMPI.NONE_BIT)
        reason = second:choice() and "heard" or "it is not answered"
      end
      if reason == "heard" then
        second:send_raw(IMPI.command("IMPI", "\0\0\0\1") .. IMPI.command("COLL", "\0\0\x12\0\0\0\0\9")
          .. IMPI.command("DONE") .. IMPI.command("FINI"), "IMPI, COLL, DONE, FINI")
        t:confirm_violation("join-taken", second)
        t:ignore_violations({ "not-joined", "label-early", "fini-early" }, second)
        t:ignore_violations(second.UNREAD, second)
        local ended, seen = second:ended(QUIET)
        t:check("IMPI-244", "the second client 1", ended or seen == "the connection stays open", "is told nothing",
          seen)
      else
        t:no_forgery_possible("the server takes nobody any more: " .. tostring(reason))
      end
      if phase < 1 then complete() end
      if phase < 2 then exchange() end
      t:finish_job_after_done("IMPI-244", server, clients)
    end,
  }
end

for name, rank in each { { "negative", -1 }, { "count", 2 }, { "largest", 0x7fffffff }, { "smallest", -0x80000000 },
    { "byte-swapped", 0x01000000 } } do
  case {
    id = "server-rank-" .. name,
    title = "A rank outside the job is refused: " .. rank,
    purpose = "In a job of two a client sends it. Its connection ends or it is not served; it does not count as one of the two, and the two are served.",
    requirements = { "IMPI-245" }, negative = true,
    run = function(t)
      local server = t:server { clients = 2 }
      local intruder = server:join_client(rank)
      t:confirm_violation("join-rank", intruder)
      local ended, seen = intruder:ended(QUIET)
      t:check("IMPI-245", "the client with rank " .. rank, ended or seen == "the connection stays open",
        "is told nothing", seen)
      t:record("its connection", ended and "is ended" or "stays open")
      server:judging("IMPI-245")
      local clients = { [1] = server:join_client(1) }
      t:link_silent("IMPI-245", "one proper client alone is not told the job's size", clients[1], QUIET)
      clients[0] = server:join_client(0)
      for i = 0, 1 do t:command("IMPI-245", clients[i], "IMPI", { value = 2 }) end
      t:finish_job("IMPI-245", server, clients)
      t:received_nothing("IMPI-245", "the client with rank " .. rank, intruder)
    end,
  }
end

case {
  id = "server-client-too-many",
  title = "A client beyond the number of the job is refused",
  purpose = "The job of one is complete when another client comes with rank 1, and one with rank 0. Neither is told anything, and the job goes on.",
  requirements = { "IMPI-245" }, negative = true,
  run = function(t)
    local server = t:server { clients = 1 }
    local client, late_ones = server:join_all()[0], {}
    for rank = 0, 1 do
      local late, reason = server:connect("late client " .. rank)
      if late then
        late:offer(IMPI.NONE_BIT)
        local heard = late:choice()
        late:join(rank)
        late_ones[#late_ones + 1] = late
        if heard then
          t:confirm_violation(rank == 0 and "join-taken" or "join-rank", late)
        else
          t:no_forgery_possible("the server turns it away before it can say a rank")
          t:ignore_violations({ "join-taken", "join-rank" }, late)
        end
        local ended, seen = late:ended(QUIET)
        t:check("IMPI-245", "a late client with rank " .. rank, ended or seen == "the connection stays open",
          "is told nothing", seen)
      else
        t:no_forgery_possible("the server accepts no more connections")
        t:record("a late client's connection is", reason)
      end
    end
    client:coll("C_NHOSTS", { 1 })
    t:broadcast("IMPI-245", client, "C_NHOSTS", 1, { 1 })
    t:finish_job("IMPI-245", server, { [0] = client })
    for _, late in ipairs(late_ones) do
      t:received_nothing("IMPI-245", "a late client with rank " .. late.rank, late)
    end
  end,
}

case {
  id = "server-second-impi",
  title = "A second IMPI of one client does not harm the job",
  purpose = "Client 0 of two sends its rank twice, then the other rank. It must not be counted twice; the real client 1 is served, or at least no client is told a wrong size.",
  requirements = { "IMPI-243" }, negative = true,
  run = function(t)
    for again = 0, 1 do
      t:step("client 0 sends its rank, then " .. again)
      local server = t:server { clients = 2 }
      local twice = server:join_client(0)
      twice:join(again)
      t:confirm_violation("join-again")
      local ended, seen = twice:ended(QUIET)
      t:check("IMPI-243", "a client that has sent two ranks", ended or seen == "the connection stays open",
        "is not told the job's size", seen)
      t:record("its connection", ended and "is ended" or "stays open")
      local clients = { [0] = not ended and twice or server:rejoin("IMPI-243", 0) }
      if not clients[0] then
        t:record("the server", "goes on with nobody in that place, and another one is started")
        server, clients = t:joined_server { clients = 2 }
      else
        server:judging("IMPI-243")
        clients[1] = server:join_client(1)
        for rank = 0, 1 do t:command("IMPI-243", clients[rank], "IMPI", { value = 2 }) end
      end
      t:finish_job("IMPI-243", server, clients)
    end
  end,
}
