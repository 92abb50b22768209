-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- DONE, FINI and the end of a server (chapters 2.3.6 and 2.3.7).

defaults { role = "server", suite = "server", chapter = "2.3.7" }

local QUIET = 400

-- A job of two that runs: both clients have said DONE and have been told so.
local function running(t)
  local server, clients = t:joined_server { clients = 2 }
  for rank = 0, 1 do clients[rank]:done() end
  for rank = 0, 1 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
  return server, clients
end

for _, late in ipairs { 1, 0, 2 } do
  local first, second = (late + 1) % 3, (late + 2) % 3
  case {
    id = "server-done-waits-for-" .. (late == 1 and "all" or late),
    title = "DONE is answered when every client has sent it, behind all broadcasts: client " .. late .. " is the last",
    purpose = "Two of three have said DONE: silence. The third submits a label first: broadcast, then DONE, to all.",
    requirements = { "IMPI-075" }, chapter = "2.3.6",
    run = function(t)
      local server, clients = t:joined_server { clients = 3 }
      for _, rank in ipairs { first, second } do
        clients[rank]:coll("P_PID", { rank + 1 })
        clients[rank]:done()
      end
      t:link_silent("IMPI-075", "one of three has not said DONE", clients[first], QUIET)
      t:link_silent("IMPI-075", "one of three has not said DONE", clients[second], QUIET)
      clients[late]:coll("P_PID", { late + 1 })
      for rank = 0, 2 do t:broadcast("IMPI-075", clients[rank], "P_PID", 7, { 1, 2, 3 }) end
      t:link_silent("IMPI-075", "client " .. late .. " has not said DONE", clients[late], QUIET)
      clients[late]:done()
      for rank = 0, 2 do t:command("IMPI-075", clients[rank], "DONE", { length = 0 }) end
      t:finish_job_after_done("IMPI-075", server, clients)
    end,
  }
end

case {
  id = "server-done-waits-for-each-of-five",
  title = "DONE is answered when every client has sent it, whichever of five is the last",
  purpose = "Five jobs, in each of which another client is late: silence while it has not said DONE, and then DONE to all.",
  requirements = { "IMPI-075" }, chapter = "2.3.6",
  run = function(t)
    for late = 0, 4 do
      t:step("client " .. late .. " is late")
      local server, clients = t:joined_server { clients = 5 }
      for rank = 0, 4 do
        if rank ~= late then clients[rank]:done() end
      end
      t:link_silent("IMPI-075", "client " .. late .. " has not said DONE", clients[(late + 1) % 5], QUIET)
      clients[late]:done()
      for rank = 0, 4 do t:command("IMPI-075", clients[rank], "DONE", { length = 0 }) end
      t:finish_job_after_done("IMPI-075", server, clients)
    end
  end,
}

for name, said in each { { "payload", { IMPI.command("DONE", "more") } },
    { "twice", { IMPI.command("DONE"), IMPI.command("DONE") } } } do
  case {
    id = "server-done-" .. name,
    title = name == "twice" and "A second DONE of one client does not stand for another's"
      or "A DONE with payload does no harm",
    purpose = "Client 0 says it while client 1 has not said DONE: no client is sent DONE. What becomes of client 0 is recorded; client 1 gets DONE or is told by the end of its connection.",
    requirements = { "IMPI-075" }, chapter = "2.3.6", negative = true,
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      for _, octets in ipairs(said) do clients[0]:send_raw(octets, "DONE") end
      t:confirm_violation(name == "twice" and "after-done" or "done-form", clients[0])
      t:ignore_violations(clients[0].UNREAD, clients[0])
      local quiet, seen = clients[1]:silence(QUIET)
      if not quiet then
        t:check("IMPI-075", "client 1, which has not said DONE,", seen == "closed" or seen == "reset",
          "is sent nothing or is told by the end of its connection", seen)
        return
      end
      clients[1]:done()
      local command, reason = clients[1]:receive()
      t:check("IMPI-075", "client 1", command and command.code == "DONE" or reason == "closed" or reason == "reset",
        "is sent DONE or told by the end of its connection", command and command.code or reason)
      t:record("client 1 gets", command and command.code or reason)
    end,
  }
end

case {
  id = "server-says-nothing-after-fini",
  title = "After FINI the server sends nothing more",
  purpose = "Client 0 has sent FINI: its connection stays silent or is closed. Client 1 then goes on to its own FINI.",
  requirements = { "IMPI-078" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do clients[rank]:done() end
    for rank = 0, 1 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
    clients[0]:fini()
    local quiet, seen = clients[0]:silence(QUIET)
    t:check("IMPI-078", "the connection of client 0 after FINI", quiet or seen == "closed", "silent or closed", seen)
    clients[1]:fini()
    t:disconnects("IMPI-078", "the connection of client 1 at the end", clients[1])
    if quiet then
      t:disconnects("IMPI-078", "the connection of client 0 at the end", clients[0])
    end
  end,
}

case {
  id = "server-done-behind-the-last-label",
  title = "The DONE of the server stands behind what the last DONE of a client makes complete",
  purpose = "Client 0 has submitted IMPI_P_PID and said DONE; client 1 says DONE and gives none. Both get the broadcast with the mask 1, and then DONE.",
  requirements = { "IMPI-075" }, chapter = "2.3.6",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    clients[0]:coll("P_PID", { 11 })
    clients[0]:done()
    clients[1]:done()
    for rank = 0, 1 do
      t:broadcast("IMPI-075", clients[rank], "P_PID", 1, { 11 })
      t:command("IMPI-075", clients[rank], "DONE", { length = 0 })
    end
    t:finish_job_after_done("IMPI-075", server, clients)
  end,
}

case {
  id = "server-ends-beside-a-stranger",
  title = "The server ends after the last FINI although somebody is connected who is no client",
  purpose = "One connection says nothing and another one has said AUTH and no rank; both stay. The job of two clients goes its way, and the server ends with status 0.",
  requirements = { "IMPI-079" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local silent, halfway = server:connect("somebody silent"), server:connect("somebody without a rank")
    if not (silent and halfway) then
      t:skip("the server takes no further connection once all clients are there")
    end
    halfway:offer(IMPI.NONE_BIT)
    t:sanity("the authentication of a third one is answered", halfway:choice() ~= nil)
    t:finish_job("IMPI-079", server, clients)
    silent:close()
    halfway:close()
  end,
}

case {
  id = "server-ends-with-the-last-fini",
  title = "The server ends with status 0 after the last FINI, and not before",
  purpose = "One of two clients says nothing for two seconds after DONE. The server stays and its connection stays open; then FINI, and the server ends.",
  requirements = { "IMPI-079" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do clients[rank]:done() end
    for rank = 0, 1 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
    clients[0]:fini()
    clients[0]:close()
    t:link_silent("IMPI-079", "a client that has not said FINI", clients[1], 2000)
    t:equal("IMPI-079", "the server has ended with", server:ended(0) or "it runs", "it runs")
    clients[1]:fini()
    t:equal("IMPI-079", "the server has ended with", server:ended(), "status 0")
  end,
}

for name, reset in each { { "closed", false }, { "reset", true } } do
  case {
    id = "server-reports-missing-fini-" .. name,
    title = "A connection that is " .. name .. " before FINI is reported to the user",
    purpose = "After DONE client 1 of two leaves without FINI. The server prints a line. What it does then is not defined and is recorded: it goes on, or it ends.",
    requirements = { "IMPI-081" },
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      for rank = 0, 1 do clients[rank]:done() end
      for rank = 0, 1 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
      server:mark_output()
      if reset then
        clients[1]:reset()
      else
        clients[1]:close()
      end
      local line = server:new_output()
      t:check("IMPI-081", "the server's output", line, "a line that tells of it", "nothing")
      t:record("the line names the client", line:find("1", 1, true) ~= nil)
      clients[0]:fini()
      t:record("after the other client's FINI the server ends with", server:ended() or "nothing: it still runs")
    end,
  }
end

for rank = 0, 1 do
  case {
    id = "server-reports-the-loss-of-the-last-" .. rank,
    title = "The loss of the last client is no FINI, even when all others have sent theirs: client " .. rank,
    purpose = "The other client of two has said FINI and left. This one leaves without: the server prints a line.",
    requirements = { "IMPI-081" },
    run = function(t)
      local server, clients = running(t)
      clients[1 - rank]:fini()
      clients[1 - rank]:close()
      t:link_silent("IMPI-081", "the client that runs", clients[rank], QUIET)
      server:mark_output()
      clients[rank]:close()
      t:check("IMPI-081", "the server's output", server:new_output(), "a line that tells of it", "nothing")
      t:record("the server ends with", server:ended() or "nothing: it still runs")
    end,
  }
end

for _, count in ipairs { 1, 4, 7 } do
  case {
    id = "server-reports-an-end-within-fini-" .. count,
    title = string.format("A connection that ends behind %d of 8 octets of FINI is reported to the user", count),
    purpose = "Client 1 of two has said FINI and left. Client 0 sends a part of FINI and leaves: the server prints a line, and does not end as if both had finished.",
    requirements = { "IMPI-081" }, negative = true,
    run = function(t)
      local server, clients = running(t)
      clients[1]:fini()
      clients[1]:close()
      t:link_silent("IMPI-081", "the client that runs", clients[0], QUIET)
      server:mark_output()
      clients[0]:send_raw(IMPI.command("FINI"):sub(1, count), "a part of FINI")
      clients[0]:close()
      t:confirm_violation("command-cut", clients[0])
      t:check("IMPI-081", "the server's output", server:new_output(), "a line that tells of it", "nothing")
      t:record("the server ends with", server:ended() or "nothing: it still runs")
    end,
  }
end

for order, ranks in each { { "rising", { 0, 1, 2, 3, 4 } }, { "falling", { 4, 3, 2, 1, 0 } },
    { "mixed", { 2, 4, 0, 3, 1 } } } do
  case {
    id = "server-stays-for-each-of-five-" .. order,
    title = "The server stays until the last of five has said FINI, however many have left: in " .. order .. " order",
    purpose = "One after the other says FINI and ends its connection. After each the server still runs, and the next one's connection is open; after the last it ends with status 0.",
    requirements = { "IMPI-079" },
    run = function(t)
      local server, clients = t:joined_server { clients = 5 }
      for rank = 0, 4 do clients[rank]:done() end
      for rank = 0, 4 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
      for place, rank in ipairs(ranks) do
        clients[rank]:fini()
        clients[rank]:close()
        local next_rank = ranks[place + 1]
        if next_rank then
          t:link_silent("IMPI-079", "client " .. next_rank .. ", which runs", clients[next_rank], QUIET)
          t:equal("IMPI-079", "behind " .. place .. " FINI the server has ended with", server:ended(0) or "it runs",
            "it runs")
        end
      end
      t:equal("IMPI-079", "the server has ended with", server:ended(), "status 0")
    end,
  }
end

case {
  id = "server-finished-clients-are-reset",
  title = "The server ends with status 0 although a connection is reset behind its FINI",
  purpose = "Client 0 of three says FINI. When the server has had the time to read it, the connection is reset, not ended; so is that of client 2. The last FINI comes from client 1.",
  requirements = { "IMPI-079" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    for rank = 0, 2 do clients[rank]:done() end
    for rank = 0, 2 do t:sanity("DONE comes", (clients[rank]:receive() or {}).code == "DONE") end
    for _, rank in ipairs { 0, 2 } do
      clients[rank]:fini()
      local quiet, seen = clients[rank]:silence(1000)
      t:sanity("nothing is said behind FINI", quiet or seen == "closed")
      if quiet then clients[rank]:reset() end
      t:link_silent("IMPI-079", "a client that runs", clients[1], QUIET)
    end
    t:equal("IMPI-079", "the server has ended with", server:ended(0) or "it runs", "it runs")
    clients[1]:fini()
    t:equal("IMPI-079", "the server has ended with", server:ended(), "status 0")
  end,
}

case {
  id = "server-fini-twice",
  title = "A second FINI of one client does not stand for another's",
  purpose = "Client 0 says it twice while client 1 runs: the server does not end as if all had finished.",
  requirements = { "IMPI-079" }, negative = true,
  run = function(t)
    local server, clients = running(t)
    clients[0]:send_raw(IMPI.command("FINI") .. IMPI.command("FINI"), "FINI, FINI")
    t:confirm_violation("after-fini", clients[0])
    t:ignore_violations(clients[0].UNREAD, clients[0])
    t:equal("IMPI-079", "before the FINI of client 1 the server has ended with",
      (server:ended(1000) or ""):find("^status 0") and "status 0" or "no success", "no success")
    clients[1]:fini()
    t:record("afterwards it ends with", server:ended() or "nothing: it still runs")
  end,
}

case {
  id = "server-late-client-of-a-finished-rank",
  title = "No other client takes the place of a client that has finished",
  purpose = "Client 0 has said FINI and left while client 1 runs. Another one comes with rank 0 and says DONE and FINI, unasked: it is told nothing, and the server waits for client 1.",
  requirements = { "IMPI-245", "IMPI-079" }, negative = true,
  run = function(t)
    local server, clients = running(t)
    clients[0]:fini()
    clients[0]:close()
    t:sanity("client 1 runs", (clients[1]:silence(QUIET)))
    local late, reason = server:connect("late client 0")
    if late then
      late:offer(IMPI.NONE_BIT)
      reason = late:choice() and "heard" or "it is not answered"
    end
    if reason == "heard" then
      late:send_raw(IMPI.command("IMPI", "\0\0\0\0") .. IMPI.command("DONE") .. IMPI.command("FINI"),
        "IMPI, DONE, FINI")
      t:confirm_violation("fini-early", late)
      t:ignore_violations(late.UNREAD, late)
      local ended, seen = late:ended(QUIET)
      t:check("IMPI-245", "a late client with rank 0", ended or seen == "the connection stays open", "is told nothing",
        seen)
    else
      t:no_forgery_possible("the server takes nobody any more: " .. tostring(reason))
    end
    t:link_silent("IMPI-245", "a client that runs", clients[1], QUIET)
    t:equal("IMPI-245", "the server has ended with", server:ended(0) or "it runs", "it runs")
    clients[1]:fini()
    t:equal("IMPI-079", "the server has ended with", server:ended(), "status 0")
  end,
}

case {
  id = "server-strangers-at-a-running-job",
  title = "Unidentified connections that come and go while a job runs do not end it",
  purpose = "In the exchange of labels and behind DONE an outsider connects and leaves, orderly and by a reset. A server may also take no connections any more.",
  requirements = { "IMPI-247" }, chapter = "2.3.2",
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    -- That the last one is answered tells that the ends of those before it have been noticed.
    local function visitors()
      for i = 1, 3 do
        local unidentified = server:connect()
        if unidentified and i == 3 then
          unidentified:offer(IMPI.NONE_BIT)
          t:record("the last of them is told a method", unidentified:choice() ~= nil)
        elseif unidentified and i == 2 then
          unidentified:reset()
        elseif unidentified then
          unidentified:close()
        end
      end
    end
    visitors()
    for rank = 0, 1 do clients[rank]:coll("C_NHOSTS", { rank + 1 }) end
    for rank = 0, 1 do t:broadcast("IMPI-247", clients[rank], "C_NHOSTS", 3, { 1, 2 }) end
    for rank = 0, 1 do clients[rank]:done() end
    for rank = 0, 1 do t:command("IMPI-247", clients[rank], "DONE", { length = 0 }) end
    visitors()
    t:finish_job_after_done("IMPI-247", server, clients)
  end,
}
