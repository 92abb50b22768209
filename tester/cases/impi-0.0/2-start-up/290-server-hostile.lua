-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a server has to survive: commands cut off, lengths that cannot be, unidentified connections, clients that are
-- lost. Nobody but the one who did it may be harmed before all clients have joined; afterwards the job may fail, but
-- not in silence.

defaults { role = "server", suite = "server", chapter = "2.3.2" }

local QUIET, PATIENCE = 400, 2000

-- That the server serves a proper job of all its clients.
local function serves(t, req, server)
  server:judging(req)
  t:finish_job(req, server, server:join_all())
end

-- The first octets of an unidentified connection, by the phase that it has reached.
local PHASES = {
  auth = function(client) return client end,
  impi = function(client) return client:authenticate() end,
}

for _, row in ipairs { { "auth", IMPI.command("AUTH", IMPI.mask(1)) }, { "impi", IMPI.command("IMPI", "\0\0\0\0") } } do
  local phase, octets = row[1], row[2]
  case {
    id = "server-cut-off-in-" .. phase,
    title = "A client whose connection ends inside " .. phase:upper() .. " does not harm the other clients",
    purpose = "Twelve clients send one octet more each before they leave, orderly or by a reset. Then a proper job is served.",
    requirements = { "IMPI-241" }, negative = true,
    run = function(t)
      local server = t:server { clients = 1 }
      server:judging("IMPI-241")
      for count = 0, #octets - 1 do
        local unidentified = PHASES[phase](server:open_connection())
        if count > 0 then
          unidentified:send_raw(octets:sub(1, count), "part of " .. phase:upper())
        end
        if count % 2 == 0 then
          unidentified:close()
          if count > 0 then t:confirm_violation("command-cut", unidentified) end
          t:disconnects("IMPI-241", "the connection that ended behind octet " .. count, unidentified)
        else
          unidentified:reset()
        end
      end
      serves(t, "IMPI-241", server)
    end,
  }
end

case {
  id = "server-cut-off-is-reported",
  title = "A command that is cut off is reported to the user",
  purpose = "A client that was given NONE leaves inside its IMPI, another inside its key, another inside AUTH; each time the server prints a line.",
  requirements = { "IMPI-241" }, negative = true,
  run = function(t)
    local server = t:server { clients = 1, env = { IMPI_AUTH_KEY = "5678" } }
    for _, row in ipairs { { "AUTH", nil, "AUTH\0\0" }, { "a key", IMPI.KEY_BIT, "\0\0\0" },
        { "IMPI", IMPI.NONE_BIT, "IMPI\0\0\0\4\0" } } do
      local unidentified = server:open_connection()
      if row[2] then
        unidentified:offer(row[2])
        t:sanity("the server answers AUTH", (unidentified:choice() or {}).which == row[2] - 1)
      end
      -- what is printed about the method comes before this
      t:sanity("the server is quiet", (unidentified:silence(QUIET)))
      server:mark_output()
      unidentified:send_raw(row[3], "part of " .. row[1])
      unidentified:close()
      t:confirm_violation("command-cut", unidentified)
      t:check("IMPI-241", "the server's output when " .. row[1] .. " is cut off", server:new_output(),
        "a line that tells of it", "nothing")
    end
    serves(t, "IMPI-241", server)
  end,
}

-- After client 0 of two has been lost in the middle of the job: the server prints a line, and client 1 is told by the
-- end of its connection, or can still finish, or leaves because it hears nothing more (what a server does behind the
-- error that it reports is not defined). The server ends. `was_done`: client 0 had said DONE; a server may look no more
-- at what such a one says, and tell of nothing where the other can finish.
local function not_in_silence(t, req, server, other, was_done)
  local told = server:new_output()
  other:done() -- a server may listen to whoever is done only when all are
  local command, reason = other:receive(PATIENCE)
  while command and command.code ~= "DONE" do
    command, reason = other:receive(PATIENCE)
  end
  if command then
    t:record("the other client", "can finish")
    other:fini()
  elseif reason == "timeout" then
    t:record("the other client", "hears nothing more, and leaves")
    other:close()
  else
    t:check(req, "the other client", reason == "closed" or reason == "reset", "is told by the end of its connection",
      reason)
  end
  t:check(req, "the server", server:ended(), "ends", "still runs")
  t:check(req, "the server's output", told or server:new_output() or was_done and command, "a line that tells of it",
    "nothing")
end

for name, octets in each { { "head", "COLL\0\0" }, { "label", "COLL\0\0\0\8\0\0" },
    { "values", "COLL\0\0\0\8\0\0\x12\0\0\0" } } do
  case {
    id = "server-cut-off-in-coll-" .. name,
    title = "A client that leaves inside a COLL's " .. name .. " is reported, and the others are not left waiting",
    purpose = "Half a command is not executed: nothing of it may be broadcast.",
    requirements = { "IMPI-241", "IMPI-248" }, chapter = "2.3.5", negative = true,
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      clients[1]:coll("C_NPROCS", { 4 })
      t:link_silent("IMPI-241", "client 0 has not submitted the label", clients[1], QUIET)
      server:mark_output()
      clients[0]:send_raw(octets, "part of COLL")
      clients[0]:close()
      t:confirm_violation("command-cut")
      t:check("IMPI-241", "the server's output", server:new_output(), "a line that tells of it", "nothing")
      local command = clients[1]:receive()
      t:check("IMPI-241", "what is broadcast", not command or command.octets == IMPI.broadcast("C_NPROCS", 2, { 4 }),
        "nothing of client 0", command and Values.show(command.octets))
      not_in_silence(t, "IMPI-248", server, clients[1])
    end,
  }
end

for name, octets in each { { "coll", "COLL\0\0\0\8\0\0\x12" }, { "head", "CO" }, { "done", "DONE\0\0" } } do
  case {
    id = "server-forgets-who-was-cut-off-in-" .. name,
    title = "Of a client that was cut off inside a command nothing is left for the one that takes its place: " .. name,
    purpose = "Before the others have come client 0 writes its start-up at once, two labels and a part of a command, and leaves. Another client 0 submits other values, or a label that stands before those.",
    requirements = { "IMPI-241" }, negative = true,
    run = function(t)
      local server = t:server { clients = 2 }
      local lost = server:join_client(0)
      lost:coll("C_NHOSTS", { 7 })
      lost:coll("C_NPROCS", { 8 })
      t:sanity("client 0 waits", (lost:silence(QUIET)))
      lost:send_raw(octets, "part of a command")
      lost:close()
      t:confirm_violation("command-cut", lost)
      t:disconnects("IMPI-241", "the connection that was cut off", lost)
      local clients = { [0] = server:rejoin("IMPI-241", 0) }
      if not clients[0] then return end
      server:judging("IMPI-241")
      clients[1] = server:join_client(1)
      for rank = 0, 1 do t:command("IMPI-241", clients[rank], "IMPI", { value = 2 }) end
      for label, first, second in each { { "C_VERSION", { 0, 0 }, { 0, 0 } }, { "C_NHOSTS", 1, 2 },
          { "C_NPROCS", 3, 4 } } do
        clients[0]:coll(label, { first })
        clients[1]:coll(label, { second })
        for rank = 0, 1 do t:broadcast("IMPI-241", clients[rank], label, 3, { first, second }) end
      end
      t:finish_job("IMPI-241", server, clients)
    end,
  }
end

local LOSSES = {
  { "rank", "has sent its rank", function(server) return server:join_client(0) end },
  { "joined", "has been told the size", nil },
  { "label", "has submitted a label", function(server, clients) clients[0]:coll("C_NPROCS", { 8 }) end },
  { "done", "has said DONE", function(server, clients) clients[0]:done() end },
}

for _, row in ipairs(LOSSES) do
  for _, way in ipairs { "closed", "reset" } do
    local name, when, act = row[1], row[2], row[3]
    case {
      id = "server-loses-" .. name .. "-" .. way,
      title = "A client whose connection is " .. way .. " when it " .. when .. " is reported",
      purpose = "The server prints a line. The other client is told by the end of its connection or can still finish; the server does not wait for ever.",
      requirements = { "IMPI-248" }, chapter = "2.3.7",
      run = function(t)
        local server = t:server { clients = 2 }
        local clients
        if name == "rank" then
          clients = { [0] = act(server) }
          t:sanity("client 0 waits", (clients[0]:silence(QUIET)))
        else
          clients = server:join_all()
          if act then act(server, clients) end
          t:sanity("client 0 waits", (clients[0]:silence(QUIET)))
        end
        server:mark_output()
        if way == "reset" then
          clients[0]:reset()
        else
          clients[0]:close()
        end
        if name == "rank" then
          t:check("IMPI-248", "the server's output", server:new_output(), "a line that tells of it", "nothing")
          clients[0] = server:rejoin("IMPI-248", 0)
          if clients[0] then
            server:judging("IMPI-248")
            clients[1] = server:join_client(1)
            for rank = 0, 1 do t:command("IMPI-248", clients[rank], "IMPI", { value = 2 }) end
            t:finish_job("IMPI-248", server, clients)
          end
          return
        end
        not_in_silence(t, "IMPI-248", server, clients[1])
      end,
    }
  end
end

local CODES = { "AUTH", "IMPI", "COLL", "DONE", "FINI", "XYZW" }

-- The rules that they break with the greatest length, before and behind AUTH; and what such a command breaks besides,
-- when it is known how it goes on. An unknown one breaks none behind AUTH.
local BESIDES = { "not-joined", "join-form", "coll-form", "label-order", "done-form", "fini-early", "fini-form",
  "command-cut" }
local LARGEST = {
  [0] = { AUTH = "auth-no-mask", IMPI = "no-auth", COLL = "no-auth", DONE = "no-auth", FINI = "no-auth",
    XYZW = "no-auth" },
  { AUTH = "not-joined", IMPI = "join-form", COLL = "not-joined", DONE = "not-joined", FINI = "not-joined" },
}

for name, length in each { { "largest", 0x7fffffff }, { "negative", -1 }, { "smallest", -0x80000000 } } do
  case {
    id = "server-length-" .. name,
    title = "A command whose length is " .. length .. " does not harm the other clients, before and behind AUTH",
    purpose = "Each of the five codes and an unknown one comes with this length and 32 octets, from a client of its own that then stays or leaves. Afterwards the server serves a proper job.",
    requirements = { "IMPI-242", "IMPI-246" }, negative = true,
    run = function(t)
      local server = t:server { clients = 1 }
      server:judging_beside_others("IMPI-242")
      for i, code in ipairs(CODES) do
        local number = string.unpack(">I4", code)
        for known = 0, 1 do
          local unidentified = server:open_connection()
          if known == 1 then unidentified:authenticate() end
          unidentified:send(number, t.mix(i, 32), length)
          if length < 0 or LARGEST[known][code] then
            t:confirm_violation(length < 0 and "command-length" or LARGEST[known][code], unidentified)
          end
          if i % 2 == 1 then unidentified:close() end
          t:ignore_violations(BESIDES, unidentified)
          t:ignore_violations(unidentified.UNREAD, unidentified)
        end
      end
      t:finish_job("IMPI-242", server, server:join_all())
      t:check("IMPI-246", "a proper client is served beside those that have stayed", true)
    end,
  }
  case {
    id = "server-length-" .. name .. "-in-a-job",
    title = "A COLL, DONE or FINI whose length is " .. length
      .. " ends in a report or an ended connection, not in a crash",
    purpose = "A client of the job sends it with 32 octets and leaves; FINI also when it has said DONE. The other client is told by the end of its connection or can still finish, and the server ends.",
    requirements = { "IMPI-242" }, chapter = "2.3.5", negative = true,
    run = function(t)
      for i, code in ipairs { "COLL", "DONE", "FINI", "FINI" } do
        t:step(i == 4 and code .. " behind DONE" or code)
        local server, clients = t:joined_server { clients = 2 }
        if i == 4 then clients[0]:done() end
        server:mark_output()
        clients[0]:send(code, t.mix(i, 32), length)
        clients[0]:close()
        t:confirm_violation(length < 0 and "command-length"
          or code == "DONE" and { "command-cut", "done-form" } or "command-cut", clients[0])
        t:ignore_violations(BESIDES, clients[0])
        t:ignore_violations(clients[0].UNREAD, clients[0])
        not_in_silence(t, "IMPI-242", server, clients[1], i == 4)
      end
    end,
  }
end

-- Lengths that a command cannot have, before the client has joined.
local IMPOSSIBLE = {
  { "auth-0", "auth", IMPI.command("AUTH", "") },
  { "auth-3", "auth", IMPI.command("AUTH", "\0\0\0") },
  { "auth-5", "auth", IMPI.command("AUTH", "\0\0\0\1\0"), true },
  { "impi-0", "impi", IMPI.command("IMPI", "") },
  { "impi-1", "impi", IMPI.command("IMPI", "\0") },
  { "impi-3", "impi", IMPI.command("IMPI", "\0\0\0") },
  { "impi-8", "impi", IMPI.command("IMPI", "\0\0\0\0\0\0\0\0"), true },
}

-- Whether a server has passed over what follows the mask of an AUTH, and gives an answer to it.
local function takes_it(phase, unidentified)
  local choice = phase == "auth" and unidentified:choice(QUIET)
  return choice and choice.which == IMPI.NONE and choice.len == 0
end

for name, phase, octets, too_long in each(IMPOSSIBLE) do
  case {
    id = "server-impossible-" .. name,
    title = "A command of impossible length is refused: " .. name:upper():gsub("-", " of ") .. " octets",
    purpose = "The client's connection is ended, or it is not served any more; it does not count as a client of the job, and the next client is served. That a server passes over what is too much is another reading.",
    requirements = { "IMPI-243" }, chapter = "2.3.4", negative = true,
    run = function(t)
      local server = t:server { clients = 2 }
      local unidentified = PHASES[phase](server:open_connection())
      unidentified:send_raw(octets, name)
      t:confirm_violation(phase == "auth" and "auth-no-mask" or "join-form")
      local taken = too_long and takes_it(phase, unidentified)
      local ended, seen = unidentified:ended(2000)
      t:check("IMPI-243", "the client that has sent it", ended or seen == "the connection stays open",
        "is told nothing", seen)
      t:record("its connection", ended and "is ended" or "stays open")
      server:judging("IMPI-243")
      local clients = { [1] = server:join_client(1) }
      local told, why = clients[1]:receive(QUIET)
      if too_long and phase == "impi" and told then
        t:equal("IMPI-243", "the job's size", told.octets, IMPI.command("IMPI", "\0\0\0\2"))
        clients[0], unidentified = unidentified, nil
        taken = true
      else
        t:check("IMPI-243", "one proper client alone is not told the job's size", why == "timeout", "silence",
          told and told.code or why)
        clients[0] = server:join_client(0)
      end
      if too_long then
        t:reading("IMPI-243", "longer_payload", "the client that has sent it", taken and "is served" or "is not served",
          { { "refused", "is not served" }, { "passed_over", "is served" } })
      end
      for rank = 0, told and 0 or 1 do t:command("IMPI-243", clients[rank], "IMPI", { value = 2 }) end
      t:finish_job("IMPI-243", server, clients)
      if unidentified then t:received_nothing("IMPI-243", "the client that has sent it", unidentified) end
    end,
  }
end

for _, length in ipairs { 0, 3 } do
  case {
    id = "server-impossible-coll-" .. length,
    title = "A COLL of " .. length .. " octets, too short for a label, is refused",
    purpose = "It comes from client 0 of a job of two. Its connection is ended, and the other client is told by the end of its connection or can still finish; or the COLL is passed over, nobody is sent anything for it, and both finish.",
    requirements = { "IMPI-243" }, chapter = "2.3.5", negative = true,
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      server:mark_output()
      clients[0]:send("COLL", string.rep("\0", length))
      t:confirm_violation("coll-form")
      local ended, seen = clients[0]:ended(PATIENCE)
      t:check("IMPI-243", "the client that sent it", ended or seen == "the connection stays open", "is told nothing",
        seen)
      if ended then
        not_in_silence(t, "IMPI-243", server, clients[1])
      else
        t:record("the COLL", "is passed over")
        t:finish_job("IMPI-243", server, clients)
      end
    end,
  }
end

case {
  id = "server-silent-strangers",
  title = "Silent connections do not delay the clients",
  purpose = "Three say nothing at all, one stops inside a head, one inside a mask, one inside its key, one behind AUTH. The job beside them is served from the first command to the last.",
  requirements = { "IMPI-246" },
  run = function(t)
    local server = t:server { clients = 2, env = { IMPI_AUTH_KEY = "5678" } }
    for _ = 1, 3 do server:open_connection() end
    server:open_connection():send_raw("AUT", "part of AUTH")
    server:open_connection():send_raw("AUTH\0\0\0\4\0\0", "part of AUTH")
    local stuck = server:open_connection()
    stuck:offer(IMPI.KEY_BIT)
    t:sanity("the server asks for the key", (stuck:choice() or {}).which == IMPI.KEY)
    stuck:send_raw("\0\0\0", "part of a key")
    server:open_connection():authenticate()
    server:judging("IMPI-246")
    local clients = server:join_all()
    for rank = 0, 1 do clients[rank]:coll("C_NHOSTS", { rank + 1 }) end
    for rank = 0, 1 do t:broadcast("IMPI-246", clients[rank], "C_NHOSTS", 3, { 1, 2 }) end
    t:finish_job("IMPI-246", server, clients)
  end,
}

case {
  id = "server-many-strangers",
  title = "A hundred silent connections do not delay the clients",
  purpose = "They are there before the job's clients come, and stay until these are DONE.",
  requirements = { "IMPI-246" }, deadline = 60,
  run = function(t)
    local server, silent = t:server { clients = 2 }, {}
    for i = 1, 100 do silent[i] = server:open_connection() end
    server:judging("IMPI-246")
    local clients = server:join_all { ms = 30000 } -- each connection may take a name server's time
    for rank = 0, 1 do clients[rank]:done() end
    for rank = 0, 1 do t:command("IMPI-246", clients[rank], "DONE", { length = 0 }) end
    for _, each in ipairs(silent) do each:close() end -- the server may give each one time to end
    t:finish_job_after_done("IMPI-246", server, clients)
  end,
}

case {
  id = "server-client-that-does-not-read",
  title = "A client that does not read holds up neither the others nor the server",
  purpose = "Client 0 of two has no labels, says DONE and does not read; 24 broadcasts of 200,000 octets each are more than a connection holds. Client 1 gets them all. Then client 0 reads: nothing is missing.",
  requirements = { "IMPI-246", "IMPI-047" }, deadline = 60,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    clients[0]:stop_reading()
    clients[0]:done()
    for i = 1, 24 do
      clients[1]:coll(0x1200 + i, t.mix(i, 200000))
      t:broadcast("IMPI-246", clients[1], 0x1200 + i, 2, t.mix(i, 200000))
    end
    clients[1]:done()
    t:command("IMPI-246", clients[1], "DONE")
    clients[0]:resume_reading()
    for i = 1, 24 do t:broadcast("IMPI-047", clients[0], 0x1200 + i, 2, t.mix(i, 200000)) end
    t:command("IMPI-246", clients[0], "DONE")
    t:finish_job_after_done("IMPI-246", server, clients)
  end,
}

for name, octets, wrong in each { { "noise", nil }, { "http", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" },
    { "tls", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" }, { "ssh", "SSH-2.0-OpenSSH_9.2p1\r\n" },
    { "smb", "\0\0\0\x23\xffSMBr" .. string.rep("\0", 30), "command-length" },
    { "ones", string.rep("\xff", 64), "command-length" },
    { "zeros", string.rep("\0", 64) } } do
  case {
    id = "server-stranger-" .. name,
    title = "Octets of another protocol do not end the server: " .. name,
    purpose = "They come on five connections, some of which end. The job's clients are served.",
    requirements = { "IMPI-247" }, negative = true,
    run = function(t)
      local server = t:server { clients = 1 }
      server:judging("IMPI-247")
      for i = 1, 5 do
        local unidentified = server:open_connection()
        unidentified:send_raw(octets or "\xff\xff\xff\xff\x7f" .. t.mix(t.random(1000000), 1024), name)
        t:confirm_violation(wrong or "no-auth", unidentified)
        if i % 2 == 1 then
          unidentified:close()
          t:ignore_violations({ "command-cut" }, unidentified) -- the server may have ended it before
        end
      end
      serves(t, "IMPI-247", server)
    end,
  }
end
