-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The command that starts a server: what it prints, where it listens, what it refuses (chapters 2.2 and 2.3.3).

defaults { role = "server", suite = "server", chapter = "2.2.1" }

local HASTY = 400

case {
  id = "server-client-counts",
  title = "-server gives the number of clients that the job waits for",
  purpose = "Jobs of one, two and three scripted clients go through start-up and end; the size that each client is told is the number on the command line.",
  requirements = { "IMPI-009" },
  run = function(t)
    for count = 1, 3 do
      t:step("a job of " .. count)
      local server = t:start_server { clients = count }
      t:check("IMPI-009", "the first line", server:listen(), "address:port", server.line)
      server:judging("IMPI-009")
      local clients = {}
      for rank = 0, count - 1 do clients[rank] = server:join_client(rank) end
      for rank = 0, count - 1 do t:command("IMPI-009", clients[rank], "IMPI", { value = count }) end
      t:finish_job("IMPI-009", server, clients)
    end
  end,
}

for _, count in ipairs { 8, 17, 31, 32 } do
  case {
    id = "server-client-counts-" .. count,
    title = "-server takes each number of clients for which a mask has bits: " .. count,
    purpose = "A job of so many scripted clients: the last one to join makes it complete, and each is told its size.",
    requirements = { "IMPI-009" },
    run = function(t)
      local server = t:start_server { clients = count }
      t:check("IMPI-009", "the first line", server:listen(), "address:port", server.line)
      server:judging("IMPI-009")
      local clients = {}
      for rank = count - 1, 0, -1 do clients[rank] = server:join_client(rank) end
      for rank = 0, count - 1 do t:command("IMPI-009", clients[rank], "IMPI", { value = count }) end
      t:finish_job("IMPI-009", server, clients)
    end,
  }
end

case {
  id = "server-prints-its-address",
  title = "The first line of output is the numeric address and port at which the server already listens",
  purpose = "Twenty servers one after the other, or as many as start in ten seconds; each is connected to the moment its line is there, and serves a job.",
  requirements = { "IMPI-010" },
  run = function(t)
    local enough, servers = t:now() + 10000, 0
    repeat
      local server = t:start_server { clients = 1 }
      t:check("IMPI-010", "the first line", server:listen(), "a dotted address, a colon and a port", server.line)
      t:check("IMPI-010", "the address", not server.address:find("^0"), "one by which others find this machine",
        server.address)
      local client, reason = server:connect("client 0")
      t:check("IMPI-010", "a connection made at once", client, "accepted", reason)
      server:judging("IMPI-010")
      client:authenticate()
      client:join(0)
      t:command("IMPI-010", client, "IMPI", { value = 1 })
      t:finish_job("IMPI-010", server, { [0] = client })
      servers = servers + 1
    until servers == 20 or t:now() > enough
  end,
}

case {
  id = "server-prints-one-line",
  title = "Standard output carries the line with the address alone",
  purpose = "A script takes the first line and reads no further. What stands on standard output after a whole job with the method NONE is counted.",
  requirements = { "IMPI-011" }, chapter = "2.2.3",
  run = function(t)
    local server = t:server { clients = 2 }
    t:finish_job("IMPI-011", server, server:join_all())
    local lines = server:printed()
    t:reading("IMPI-011", "standard_output", "what stands on standard output", #lines == 1 and "one line" or "more",
      { { "one_line", "one line" }, { "more_lines", "more" } })
  end,
}

case {
  id = "server-port-option",
  title = "With -port the server listens at that port",
  purpose = "The port is one that another server has just had and given back. The line names it, and a job runs there. Another program of the machine may have taken the port in between, so up to four are asked for.",
  requirements = { "IMPI-012" }, options = true,
  run = function(t)
    local server, asked
    for try = 1, 4 do
      t:step("port " .. try)
      local before = t:server { clients = 1 }
      core.job_kill(before.job)
      asked = before.port
      server = t:start_server { clients = 1, options = "-port " .. asked }
      if server:listen() and server.port == asked then break end
    end
    t:check("IMPI-012", "the first line", server.port, "address:port", server.line)
    t:equal("IMPI-012", "port that is printed", server.port, asked)
    t:finish_job("IMPI-012", server, server:join_all())
  end,
}

-- Waits for a while, in which this test manager does not hold the port that is asked for: several of them on one
-- machine ask in turn.
local function pause(ms)
  local nobody = core.port("a pause", core.manager())
  core.port_accept(nobody, ms)
  core.port_close(nobody)
end

case {
  id = "server-highest-port",
  title = "With -port the server listens at the highest port that there is",
  purpose = "Port 65535. Another program of the machine may have it: then the tester cannot listen there either.",
  requirements = { "IMPI-012" }, options = true,
  run = function(t)
    local server
    for try = 1, 4 do
      t:step("attempt " .. try)
      server = t:start_server { clients = 1, options = "-port 65535" }
      if server:listen() and server.port == 65535 then break end
      local own = core.port("port 65535", "0.0.0.0", 65535)
      t:skip_if(not own, "another program has port 65535")
      core.port_close(own)
      pause(100 + t.random(900))
    end
    t:equal("IMPI-012", "port that is printed", server.port, 65535)
    t:finish_job("IMPI-012", server, server:join_all())
  end,
}

case {
  id = "server-low-port",
  title = "With -port the server listens at a port that no system gives by itself",
  purpose = "A port from 2000 to 9999. Another program of the machine may have it, so up to four are asked for.",
  requirements = { "IMPI-012" }, options = true,
  run = function(t)
    local server, asked
    for _ = 1, 4 do
      asked = 2000 + (math.floor(core.now()) * 7919 + t.random(8000)) % 8000
      t:step("port " .. asked)
      server = t:start_server { clients = 1, options = "-port " .. asked }
      if server:listen() and server.port == asked then break end
    end
    t:equal("IMPI-012", "port that is printed", server.port, asked)
    t:finish_job("IMPI-012", server, server:join_all())
  end,
}

case {
  id = "server-own-ports",
  title = "Without -port every server finds a port of its own",
  purpose = "Three servers run at once; their ports differ, and each serves its own job.",
  requirements = { "IMPI-012" },
  run = function(t)
    local servers, ports = {}, {}
    for i = 1, 3 do
      servers[i] = t:start_server { clients = 1 }
      t:check("IMPI-012", "the first line of server " .. i, servers[i]:listen(), "address:port", servers[i].line)
      t:check("IMPI-012", "port of server " .. i, not ports[servers[i].port], "one that no other server has",
        servers[i].port)
      ports[servers[i].port] = true
    end
    for i = 1, 3 do t:finish_job("IMPI-012", servers[i], servers[i]:join_all()) end
  end,
}

case {
  id = "server-port-taken",
  title = "A port that is taken leads to a message, or to another port that is printed",
  purpose = "A second server is told the first one's port. It must end with a message and a status other than 0, or name a port at which it really serves. The first one's job is not disturbed.",
  requirements = { "IMPI-020" }, options = true,
  run = function(t)
    local first = t:server { clients = 1 }
    local second = t:start_server { clients = 1, options = "-port " .. first.port }
    if second:listen() then
      t:record("the server takes another port", second.port)
      t:check("IMPI-020", "port that is printed", second.port ~= first.port, "not the one that is taken", second.port)
      t:finish_job("IMPI-020", second, second:join_all())
    else
      local status = second:ended()
      t:check("IMPI-020", "the server ends", IMPI.ended_with_error(status), "a status other than 0",
        status or "it neither prints an address nor ends")
      t:check("IMPI-020", "a message", #second:output() > 0, "a line that says why", "nothing")
    end
    t:finish_job("IMPI-020", first, first:join_all())
  end,
}

for name, count in each { { "zero", "0" }, { "negative", "-1" }, { "word", "two" }, { "trailing", "2x" },
    { "exponent", "2e1" }, { "missing", "" }, { "huge", "4294967298" } } do
  case {
    id = "server-count-" .. name,
    title = "An invalid number of clients is refused: " .. (count == "" and "nothing" or count),
    purpose = "The server must end with a message and a status other than 0, and must not print an address.",
    requirements = { "IMPI-013" },
    run = function(t)
      local server = t:start_server { clients = count }
      local status = server:ended()
      t:check("IMPI-013", "the server ends", status, "within seconds", "it still runs: "
        .. Values.show(server:output()))
      t:check("IMPI-013", "its end", IMPI.ended_with_error(status), "a status other than 0", status)
      t:check("IMPI-013", "a message", #server:output() > 0, "a line that says why", "nothing")
      t:check("IMPI-013", "standard output", not server:listen(0), "no address", server.line)
    end,
  }
end

case {
  id = "server-count-beyond-the-mask",
  title = "33 clients are more than a client mask has bits: recorded, not judged by number",
  purpose = "The document names no limit, but a mask of 32 bits has no room for a 33rd client. The server either refuses the number, or prints its address; either way 32 clients are served, unless the server takes fewer.",
  requirements = { "IMPI-013" },
  run = function(t)
    local server = t:start_server { clients = 33 }
    if server:listen() then
      t:record("33 clients", "are waited for")
    else
      local status = server:ended()
      t:check("IMPI-013", "a server that prints no address", IMPI.ended_with_error(status),
        "ends with a status other than 0", status or "still runs")
      t:record("33 clients", "are refused")
    end
    local most = t:start_server { clients = 32 }
    local listens = most:listen()
    if not listens and most:refuses_so_many() then
      t:record("32 clients", "are refused")
      return
    end
    t:check("IMPI-013", "the first line for 32 clients", listens, "address:port", most.line)
    most:judging("IMPI-013")
    t:finish_job("IMPI-013", most, most:join_all())
  end,
}

case {
  id = "declared-clients",
  title = "A server takes as many clients as the conformance statement declares, and no more",
  purpose = "The server is started for one more than is declared, which it must refuse with a message, and for as many as are declared, who are served.",
  requirements = { "IMPI-013" }, limit = "clients",
  run = function(t)
    local most = t:declared("limits", "clients")
    t:skip_if(most > 32, "a mask of clients has 32 bits")
    local beyond = t:start_server { clients = most + 1 }
    t:check("IMPI-013", "the first line for one client more than is declared", not beyond:listen(), "a message",
      beyond.line)
    local status = beyond:ended()
    t:check("IMPI-013", "a server that prints no address", IMPI.ended_with_error(status),
      "ends with a status other than 0", status or "still runs")
    local server = t:start_server { clients = most }
    t:check("IMPI-013", "the first line for as many as are declared", server:listen(), "address:port", server.line)
    server:judging("IMPI-013")
    t:finish_job("IMPI-013", server, server:join_all())
  end,
}

-- A client offers the methods in `mask`, or both, to a server that listens. What is chosen, `method` or any of the two,
-- leads to a session of this client alone. Returns it.
local function leads_to_session(t, req, server, what, method, mask)
  local client = server:open_connection("client 0")
  client:offer(mask or IMPI.NONE_BIT | IMPI.KEY_BIT)
  local choice, reason = client:choice()
  if method then
    t:equal(req, what, choice and choice.which or reason, method)
  else
    t:check(req, what, choice and (choice.which == IMPI.NONE or choice.which == IMPI.KEY), "0 or 1",
      choice and choice.which or reason)
  end
  if choice.which == IMPI.KEY then client:send_key(5678) end
  client:join(0)
  t:command(req, client, "IMPI", { value = 1 })
  t:finish_job(req, server, { [0] = client })
  return choice.which
end

-- What a server with both methods, started with -auth `list`, must answer to a client that has both, or those of a
-- mask. Where it may refuse the list it does so with a message.
local function prefers(t, req, list, method, mask, refusable)
  local server = t:start_server { clients = 1, options = list and "-auth " .. list, env = { IMPI_AUTH_KEY = "5678" } }
  local found = server:listen()
  if refusable and not found then
    t:record("-auth " .. list, "is refused")
    local status = server:ended()
    t:check(req, "a server that prints no address", IMPI.ended_with_error(status) and #server:output() > 0,
      "ends with a message and a status other than 0", status or "still runs")
    return
  end
  t:check(req, "the first line", found, "address:port", server.line)
  local what = list and "the method for -auth " .. list or "the method without -auth"
  return leads_to_session(t, req, server, what, method, mask)
end

case {
  id = "server-auth-order",
  title = "-auth lists methods, the most preferred first",
  purpose = "Server and client have both methods. The list decides which one the server names; the session then goes on by that method. A client that lacks the first method of a list gets the second.",
  requirements = { "IMPI-014" }, chapter = "2.3.3", options = true,
  run = function(t)
    prefers(t, "IMPI-014", "0,1", IMPI.NONE)
    prefers(t, "IMPI-014", "1,0", IMPI.KEY)
    prefers(t, "IMPI-014", "0", IMPI.NONE)
    prefers(t, "IMPI-014", "1", IMPI.KEY)
    prefers(t, "IMPI-014", "1,0", IMPI.NONE, IMPI.NONE_BIT)
    prefers(t, "IMPI-014", "0,1", IMPI.KEY, IMPI.KEY_BIT)
  end,
}

case {
  id = "server-auth-order-of-repeated-methods",
  title = "A method that -auth names again stays where it was named first",
  purpose = "By itself, and within a range: the first of the list is the most preferred one, whatever follows. A server may refuse such a list.",
  requirements = { "IMPI-014" }, chapter = "2.3.3", options = true,
  run = function(t)
    prefers(t, "IMPI-014", "1,0,1", IMPI.KEY, nil, true)
    prefers(t, "IMPI-014", "0,1,0", IMPI.NONE, nil, true)
    prefers(t, "IMPI-014", "1,0-1", IMPI.KEY, nil, true)
    prefers(t, "IMPI-014", "0,1-0", IMPI.NONE, nil, true)
  end,
}

case {
  id = "server-auth-order-of-every-client",
  title = "The order of -auth holds for each client of a job",
  purpose = "Five clients come one after the other, some with both methods, some with one. The list decides for the last as for the first.",
  requirements = { "IMPI-014" }, chapter = "2.3.3", options = true,
  run = function(t)
    local both = IMPI.NONE_BIT | IMPI.KEY_BIT
    for list, preferred in each { { "0,1", IMPI.NONE }, { "1,0", IMPI.KEY } } do
      local server = t:start_server { clients = 5, options = "-auth " .. list, env = { IMPI_AUTH_KEY = "5678" } }
      t:check("IMPI-014", "the first line", server:listen(), "address:port", server.line)
      local clients = {}
      for rank, mask in ipairs { both, IMPI.NONE_BIT, both, IMPI.KEY_BIT, both } do
        local client = server:open_connection("client " .. rank - 1)
        client:offer(mask)
        local choice, reason = client:choice()
        local method = mask == both and preferred or mask == IMPI.KEY_BIT and IMPI.KEY or IMPI.NONE
        t:equal("IMPI-014", string.format("the method for client %d and -auth %s", rank - 1, list),
          choice and choice.which or reason, method)
        if method == IMPI.KEY then client:send_key(5678) end
        client:join(rank - 1)
        clients[rank - 1] = client
      end
      for rank = 0, 4 do t:command("IMPI-014", clients[rank], "IMPI", { value = 5 }) end
      t:finish_job("IMPI-014", server, clients)
    end
  end,
}

case {
  id = "server-auth-ranges",
  title = "-auth takes ranges in both directions, and ignores unknown methods",
  purpose = "The document's own example is 3,1-0: method 3 is undefined, so KEY comes first. A range may also end at an undefined method, or where it begins.",
  requirements = { "IMPI-015" }, chapter = "2.3.3", options = true,
  run = function(t)
    prefers(t, "IMPI-015", "1-0", IMPI.KEY)
    prefers(t, "IMPI-015", "0-1", IMPI.NONE)
    prefers(t, "IMPI-015", "3,1-0", IMPI.KEY)
    prefers(t, "IMPI-015", "3-0", IMPI.KEY)
    prefers(t, "IMPI-015", "31-2,0,1", IMPI.NONE)
    prefers(t, "IMPI-015", "0-3", IMPI.NONE)
    prefers(t, "IMPI-015", "31-0", IMPI.KEY)
    prefers(t, "IMPI-015", "1-1,0", IMPI.KEY)
    prefers(t, "IMPI-015", "0-0,1-1", IMPI.NONE)
  end,
}

case {
  id = "server-auth-numbers-beyond-the-mask",
  title = "A number that has no bit in a mask is not taken for another method",
  purpose = "-auth names 32, 33, 257 or 65536 before the methods that there are: their order decides. A server may refuse such a number.",
  requirements = { "IMPI-015" }, chapter = "2.3.3", options = true,
  run = function(t)
    for list, method in each { { "32,1-0", IMPI.KEY }, { "33,0-1", IMPI.NONE }, { "257,0", IMPI.NONE },
        { "65536,1", IMPI.KEY }, { "33-32,0", IMPI.NONE } } do
      prefers(t, "IMPI-015", list, method, nil, true)
    end
  end,
}

case {
  id = "server-auth-malformed",
  title = "A malformed -auth list causes neither a crash nor a server that cannot be used",
  purpose = "For each list the server either ends with a message and a status other than 0, or serves a client that has both methods.",
  requirements = { "IMPI-015" }, chapter = "2.3.3", options = true,
  run = function(t)
    for _, list in ipairs { ",", "1,,0", "1-", "-1", "0-1-0", "99999999999999999999", "0-4294967295" } do
      local server = t:start_server { clients = 1, options = "-auth " .. list, env = { IMPI_AUTH_KEY = "5678" } }
      if server:listen() then
        t:record("-auth " .. list, "is taken")
        server:judging("IMPI-015")
        local client = server:open_connection("client 0")
        client:offer(IMPI.NONE_BIT | IMPI.KEY_BIT)
        local choice, reason = client:choice()
        t:check("IMPI-015", "the answer with -auth " .. list, choice or reason == "closed" or reason == "reset",
          "a method or the end of the connection", reason)
        core.job_kill(server.job)
      else
        t:record("-auth " .. list, "is refused")
        local status = server:ended()
        t:check("IMPI-015", "a server that prints no address", IMPI.ended_with_error(status) and #server:output() > 0,
          "ends with a message and a status other than 0", status or "still runs")
      end
    end
  end,
}

case {
  id = "server-auth-free-choice",
  title = "Without -auth any method that both sides have may be picked",
  purpose = "Both methods are there on both sides; the answer is one of them and leads to a session. Which one is recorded.",
  requirements = { "IMPI-016" }, chapter = "2.3.3",
  run = function(t)
    local which = prefers(t, "IMPI-016", nil, nil)
    t:record("the stronger method is taken", which == IMPI.KEY)
  end,
}

-- Where only one method is there on both sides the choice is not free, whatever else one of them has. What a server has
-- must not show in what a client offers, and a client may offer methods that nobody knows.
for name, none, key, mask, method in each {
  { "none-of-the-server", "1", false, IMPI.NONE_BIT | IMPI.KEY_BIT, IMPI.NONE },
  { "key-of-the-server", false, "5678", IMPI.NONE_BIT | IMPI.KEY_BIT, IMPI.KEY },
  { "none-of-the-server-among-many", "1", false, 0xffffffff, IMPI.NONE },
  { "key-of-the-server-among-many", false, "5678", 0xffffffff, IMPI.KEY },
  { "none-of-the-client", "1", "5678", 0xfffffffc | IMPI.NONE_BIT, IMPI.NONE },
  { "key-of-the-client", "1", "5678", 0xfffffffc | IMPI.KEY_BIT, IMPI.KEY } } do
  case {
    id = "server-auth-free-choice-" .. name,
    title = string.format("Without -auth the only method that both sides have is picked (%s)", name:gsub("-", " ")),
    purpose = string.format("One side has more methods than the other: the client offers the mask 0x%x. %s", mask,
      "The answer is " .. method .. " and leads to a session."),
    requirements = { "IMPI-016" }, chapter = "2.3.3",
    run = function(t)
      local server = t:start_server { clients = 1, env = { IMPI_AUTH_NONE = none, IMPI_AUTH_KEY = key } }
      t:check("IMPI-016", "the first line", server:listen(), "address:port", server.line)
      leads_to_session(t, "IMPI-016", server, "the method without -auth", method, mask)
    end,
  }
end

case {
  id = "server-without-method",
  title = "A server without any authentication method aborts with a message",
  purpose = "Neither variable is set: the server must end with a message and a status other than 0, and print no address at which it listens.",
  requirements = { "IMPI-028" }, chapter = "2.3.3",
  run = function(t)
    local server = t:start_server { clients = 1, env = { IMPI_AUTH_NONE = false, IMPI_AUTH_KEY = false } }
    local status = server:ended()
    t:check("IMPI-028", "the server ends", IMPI.ended_with_error(status), "a status other than 0",
      status or "it still runs")
    t:check("IMPI-028", "a message", #server:output() > 0, "a line that says why", "nothing")
    if server:listen(0) then
      t:check("IMPI-028", "the address that it printed", not server:connect(), "nobody listens there", "accepted")
    end
  end,
}

case {
  id = "server-variable-is-presence",
  title = "NONE is available when its variable is there, whatever its value",
  purpose = "The presence of the variable counts: with an empty value, 0 and 1 a client that offers NONE alone is served.",
  requirements = { "IMPI-029" }, chapter = "2.3.3",
  run = function(t)
    for _, value in ipairs { "", "0", "1" } do
      local server = t:start_server { clients = 1, env = { IMPI_AUTH_NONE = value } }
      t:check("IMPI-029", "the first line with IMPI_AUTH_NONE=" .. value, server:listen(), "address:port", server.line)
      local client = server:open_connection("client 0")
      client:offer(IMPI.NONE_BIT)
      local choice, reason = client:choice(HASTY * 10)
      t:equal("IMPI-029", "the method", choice and choice.which or reason, IMPI.NONE)
    end
  end,
}

for name, req, rest in each { { "broken-job", "one-of-its-clients-is-lost", "lost" },
    { "job-with-others", "unidentified-connections-are-cut-off", "others" } } do
  case {
    id = "server-prints-one-line-of-a-" .. name,
    title = "Standard output carries the line with the address alone where " .. req:gsub("-", " "),
    purpose = "What goes wrong is told on standard error. When the server has ended, the lines of standard output are counted.",
    requirements = { "IMPI-011" }, chapter = "2.2.3",
    run = function(t)
      local server = t:server { clients = 2 }
      if rest == "others" then
        local silent, foreign = server:open_connection("silent"), server:open_connection("foreign")
        foreign:offer(0xfffffffc)
        silent:close()
      end
      local clients = server:join_all()
      clients[0]:send(0x58595a57, "unknown")
      if rest == "others" then
        t:finish_job("IMPI-011", server, clients)
      else
        clients[1]:close()
        t:skip_if(not server:ended(), "the server runs on without its client")
      end
      local lines = server:printed()
      t:reading("IMPI-011", "standard_output", "what stands on standard output", #lines == 1 and "one line" or "more",
        { { "one_line", "one line" }, { "more_lines", "more" } })
    end,
  }
end
