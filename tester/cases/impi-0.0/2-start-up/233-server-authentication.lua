-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- AUTH as a server has to answer it: the choice of a method, keys, and clients that have no business there
-- (chapter 2.3.3).

defaults { role = "server", suite = "server", chapter = "2.3.3" }

local QUIET = 400

-- A server with a key; `none` also allows the method NONE.
local function key_server(t, clients, key, none)
  return t:server { clients = clients, env = { IMPI_AUTH_KEY = key, IMPI_AUTH_NONE = none and "1" or false } }
end

-- That the server still serves a proper job.
local function serves(t, req, server, given)
  server:judging(req)
  t:finish_job(req, server, server:join_all(given))
end

case {
  id = "server-auth-none",
  title = "NONE is answered by two zeros, and the session goes on",
  purpose = "The answer has 8 octets and no head of a command; nothing follows it until the client has sent IMPI. Whether the user is warned with the client's address is advice.",
  requirements = { "IMPI-029", "IMPI-039" },
  run = function(t)
    local server = t:server { clients = 1 }
    local client = server:open_connection("client 0")
    client:offer(IMPI.NONE_BIT)
    t:equal("IMPI-029", "the answer to the mask 1", client:take(8), string.rep("\0", 8))
    t:link_silent("IMPI-029", "nothing follows", client, QUIET)
    client:join(0)
    t:command("IMPI-029", client, "IMPI", { value = 1 })
    t:finish_job("IMPI-029", server, { [0] = client })
    local warned = "not warned"
    for _, line in ipairs(server:output()) do
      warned = line ~= server.line and line:find(client.address, 1, true) and "warned" or warned
    end
    t:equal_or_warn("IMPI-039", "the user of a client without authentication is", warned, "warned",
      { ["not warned"] = "the warning is advice only" })
  end,
}

case {
  id = "server-auth-none-warns-of-each",
  title = "The user is warned of every client that is let in without authentication, by its own address",
  purpose = "Two clients; on one machine they come from two addresses that are not the server's. That there is a warning is advice.",
  requirements = { "IMPI-039" },
  run = function(t)
    local server = t:server { clients = 2 }
    local here = server:open_connection("who tells where it is").address == server.address
    local addresses = {}
    for rank = 0, 1 do
      local client = here and server:connect("client " .. rank, "127.0.0." .. 21 + rank)
        or server:open_connection("client " .. rank)
      client:authenticate()
      client:join(rank)
      addresses[rank] = client.address
    end
    for rank = 0, 1 do
      local count, line = 0, nil
      repeat
        count, line = count + 1, core.job_line(server.job, count + 1, nil, 5000)
      until not line or line ~= server.line and line:find(addresses[rank], 1, true)
      t:should("IMPI-039", "a line with the address of client " .. rank, line ~= nil, true)
    end
  end,
}

case {
  id = "server-auth-key",
  title = "KEY is answered by one and zero; the key behind it opens the session",
  purpose = "The document's example: key 5678, 8 octets without a head.",
  requirements = { "IMPI-029", "IMPI-031" },
  run = function(t)
    local server = key_server(t, 1, "5678")
    local client = server:open_connection("client 0")
    client:offer(IMPI.KEY_BIT)
    t:equal("IMPI-029", "the answer to the mask 2", client:take(8), "\0\0\0\1\0\0\0\0")
    client:send_raw("\0\0\0\0\0\0\x16\x2e", "key", "key 5678")
    t:link_silent("IMPI-031", "the right key is not answered", client, QUIET)
    client:join(0)
    t:command("IMPI-031", client, "IMPI", { value = 1 })
    t:finish_job("IMPI-031", server, { [0] = client })
  end,
}

case {
  id = "server-auth-key-in-pieces",
  title = "A key may come in single octets, or in one segment with AUTH and IMPI",
  purpose = "Of two clients one dribbles, the other knows what the answer will be and does not wait for it.",
  requirements = { "IMPI-029", "IMPI-024" },
  run = function(t)
    local server = key_server(t, 2, "5678")
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    t:judging("IMPI-024")
    clients[0]:send_singly(IMPI.command("AUTH", IMPI.mask(IMPI.KEY_BIT)) .. IMPI.key(5678))
    clients[1]:send_raw(IMPI.command("AUTH", IMPI.mask(IMPI.KEY_BIT)) .. IMPI.key(5678)
      .. IMPI.command("IMPI", "\0\0\0\1"), "AUTH, key, IMPI")
    clients[0]:join(0)
    for rank = 0, 1 do
      t:equal("IMPI-029", "the answer to " .. clients[rank].label, clients[rank]:take(8), "\0\0\0\1\0\0\0\0")
      t:command("IMPI-024", clients[rank], "IMPI", { value = 2 })
    end
    t:finish_job("IMPI-024", server, clients)
  end,
}

for name, text, key in each { { "zero", "0", 0 }, { "high-half", "4294967296", 1 << 32 },
    { "top-bit", "9223372036854775808", 1 << 63 }, { "largest", "18446744073709551615", -1 } } do
  case {
    id = "server-key-" .. name,
    title = "All 64 bits of a key count: " .. text,
    purpose = "The client's octets are the key's whole value; a key that differs in one bit of either half ends the connection, and the rank stays free.",
    requirements = { "IMPI-031", "IMPI-029" }, negative = true,
    run = function(t)
      local server = key_server(t, 1, text)
      for _, wrong in ipairs { key ~ 1, key ~ (1 << 31), key ~ (1 << 32), key ~ (1 << 63) } do
        local unidentified = server:open_connection()
        unidentified:offer(IMPI.KEY_BIT)
        local choice, reason = unidentified:choice()
        t:equal("IMPI-029", "the method", choice and choice.which or reason, IMPI.KEY)
        unidentified:send_key(wrong)
        t:confirm_violation("key-wrong", unidentified)
        t:disconnects("IMPI-031", "the connection with the key " .. t.hex(wrong), unidentified)
      end
      serves(t, "IMPI-031", server, { key = key })
    end,
  }
end

case {
  id = "server-key-wrong-then-commands",
  title = "No command behind a wrong key is executed",
  purpose = "The IMPI of a client without the key, its COLL, DONE and FINI are in the same segment as the key 1234 of the document's example. Afterwards the rank is free, and the job waits for its two clients.",
  requirements = { "IMPI-031", "IMPI-041" }, negative = true,
  run = function(t)
    local server = key_server(t, 2, "5678")
    local unidentified = server:open_connection()
    unidentified:offer(IMPI.KEY_BIT)
    t:sanity("the server asks for the key", (unidentified:choice() or {}).which == IMPI.KEY)
    unidentified:send_raw(IMPI.key(1234) .. IMPI.command("IMPI", "\0\0\0\0") .. IMPI.coll("C_NHOSTS", { 1 })
      .. IMPI.command("DONE") .. IMPI.command("FINI"), "key 1234, IMPI, COLL, DONE, FINI")
    t:confirm_violation("key-wrong", unidentified)
    t:ignore_violations(unidentified.UNREAD, unidentified)
    t:ignore_violations({ "fini-early" }, unidentified)
    t:disconnects("IMPI-031", "the connection with the wrong key", unidentified)
    server:judging("IMPI-031")
    local first = server:join_client(1, { key = 5678 })
    t:link_silent("IMPI-041", "one proper client alone is not told the job's size", first, QUIET)
    local second = server:join_client(0, { key = 5678 })
    t:command("IMPI-031", first, "IMPI", { value = 2 })
    t:command("IMPI-031", second, "IMPI", { value = 2 })
    t:finish_job("IMPI-031", server, { [0] = second, [1] = first })
  end,
}

case {
  id = "server-key-wrong-behind-a-right-one",
  title = "A wrong key ends the connection although another client has said the right one before",
  purpose = "Client 0 of three has authenticated itself and joined; then client 1 has. Each time somebody comes with another key behind it, and is cut off. The last client joins, and the job is served.",
  requirements = { "IMPI-031" }, negative = true,
  run = function(t)
    local server, clients = key_server(t, 3, "5678"), {}
    for rank = 0, 1 do
      clients[rank] = server:join_client(rank, { key = 5678 })
      t:link_silent("IMPI-031", "a client that waits for others", clients[rank], QUIET)
      for _, wrong in ipairs { 5679, 0 } do
        local unidentified = server:open_connection()
        unidentified:offer(IMPI.KEY_BIT)
        t:sanity("the server asks for the key", (unidentified:choice() or {}).which == IMPI.KEY)
        unidentified:send_key(wrong)
        t:confirm_violation("key-wrong", unidentified)
        t:disconnects("IMPI-031", string.format("the connection with the key %d", wrong), unidentified)
      end
    end
    server:judging("IMPI-031")
    clients[2] = server:join_client(2, { key = 5678 })
    for rank = 0, 2 do t:command("IMPI-031", clients[rank], "IMPI", { value = 3 }) end
    t:finish_job("IMPI-031", server, clients)
  end,
}

case {
  id = "server-auth-no-common-method",
  title = "Without a common method the connection ends and the user gets a message",
  purpose = "The server has KEY alone; one client offers NONE alone, another nothing. A server with NONE alone is offered KEY. No client gets an answer.",
  requirements = { "IMPI-033" }, negative = true,
  run = function(t)
    local server = key_server(t, 1, "5678")
    for _, mask in ipairs { IMPI.NONE_BIT, 0 } do
      server:mark_output()
      local client = server:open_connection()
      client:offer(mask)
      if mask == 0 then t:confirm_violation("auth-nothing", client) end
      t:disconnects("IMPI-033", "the connection that offers the mask " .. mask, client)
      t:check("IMPI-033", "the server's output", server:new_output(), "a line that tells of it", "nothing")
    end
    serves(t, "IMPI-033", server, { key = 5678 })
    server = t:server { clients = 1 }
    server:mark_output()
    local client = server:open_connection()
    client:offer(IMPI.KEY_BIT)
    t:disconnects("IMPI-033", "the connection that offers KEY to a server without a key", client)
    t:check("IMPI-033", "the server's output", server:new_output(), "a line that tells of it", "nothing")
  end,
}

case {
  id = "server-auth-for-each-client",
  title = "The method is chosen for each client by itself",
  purpose = "In one job one client offers NONE, the other KEY; the server has both.",
  requirements = { "IMPI-034" },
  run = function(t)
    local server = key_server(t, 2, "5678", true)
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    clients[0]:offer(IMPI.NONE_BIT)
    clients[1]:offer(IMPI.KEY_BIT)
    for rank = 0, 1 do -- one after the other: a server that lets them in so keeps the rule
      local choice, reason = clients[rank]:choice()
      t:equal("IMPI-034", "the method for " .. clients[rank].label, choice and choice.which or reason,
        rank == 0 and IMPI.NONE or IMPI.KEY)
      if rank == 1 then clients[1]:send_key(5678) end
      clients[rank]:join(rank)
    end
    for rank = 0, 1 do t:command("IMPI-034", clients[rank], "IMPI", { value = 2 }) end
    t:finish_job("IMPI-034", server, clients)
  end,
}

case {
  id = "server-auth-whatever-came-before",
  title = "What the server prefers holds for each client, whatever the ones before it could do",
  purpose = "The server has -auth 1,0, or 0,1. Of three clients the first offers only the other method, the last two offer both: these get the preferred one.",
  requirements = { "IMPI-034" }, options = true,
  run = function(t)
    for _, row in ipairs { { "1,0", IMPI.NONE, IMPI.KEY }, { "0,1", IMPI.KEY, IMPI.NONE } } do
      local list, other, preferred = row[1], row[2], row[3]
      local server = t:server { clients = 3, options = "-auth " .. list,
        env = { IMPI_AUTH_KEY = "5678", IMPI_AUTH_NONE = "1" } }
      local clients, both = {}, IMPI.NONE_BIT | IMPI.KEY_BIT
      for rank = 0, 2 do
        clients[rank] = server:open_connection("client " .. rank)
        clients[rank]:offer(rank > 0 and both or other == IMPI.NONE and IMPI.NONE_BIT or IMPI.KEY_BIT)
        local choice, reason = clients[rank]:choice()
        t:equal("IMPI-034", "the method for " .. clients[rank].label .. " with -auth " .. list,
          choice and choice.which or reason, rank == 0 and other or preferred)
        if choice.which == IMPI.KEY then clients[rank]:send_key(5678) end
        clients[rank]:join(rank)
      end
      for rank = 0, 2 do t:command("IMPI-034", clients[rank], "IMPI", { value = 3 }) end
      t:finish_job("IMPI-034", server, clients)
    end
  end,
}

case {
  id = "server-auth-only-what-is-enabled",
  title = "A method that the server's user has not enabled is not chosen",
  purpose = "A server with NONE alone, and one with KEY alone, are offered both.",
  requirements = { "IMPI-034" },
  run = function(t)
    for _, row in ipairs { { t:server { clients = 1 }, IMPI.NONE }, { key_server(t, 1, "5678"), IMPI.KEY } } do
      local client = row[1]:open_connection("client 0")
      client:offer(IMPI.NONE_BIT | IMPI.KEY_BIT)
      local choice, reason = client:choice()
      t:equal("IMPI-034", "the method", choice and choice.which or reason, row[2])
    end
  end,
}

case {
  id = "server-auth-unknown-methods",
  title = "Bits of methods that are not defined are ignored",
  purpose = "All bits at once still lead to NONE or KEY; all but these two lead to the end of the connection.",
  requirements = { "IMPI-035" },
  run = function(t)
    local server = key_server(t, 1, "5678", true)
    local client = server:open_connection()
    client:offer(0xffffffff)
    local choice, reason = client:choice()
    t:check("IMPI-035", "the method for the mask ffffffff",
      choice and (choice.which == IMPI.NONE or choice.which == IMPI.KEY), "0 or 1", choice and choice.which or reason)
    client:close()
    local unidentified = server:open_connection()
    unidentified:offer(0xfffffffc)
    t:disconnects("IMPI-035", "the connection that offers fffffffc", unidentified)
    serves(t, "IMPI-035", server)
  end,
}

case {
  id = "server-auth-several-masks",
  title = "AUTH may hold more masks than one",
  purpose = "Bits of a second and later mask, up to forty, stand for methods from 32 on, which do not exist: the first mask alone decides.",
  requirements = { "IMPI-036" },
  run = function(t)
    local server = key_server(t, 1, "5678", true)
    for _, row in ipairs { { { 2, 0 }, IMPI.KEY }, { { 1, 0xffffffff, 0xffffffff }, IMPI.NONE },
        { { 2, 1 }, IMPI.KEY }, { { 1, 0, 0, 0, 7 }, IMPI.NONE }, { Values.repeated(2, 40), IMPI.KEY } } do
      local client = server:open_connection()
      client:offer(table.unpack(row[1]))
      local choice, reason = client:choice()
      t:equal("IMPI-036", "the method for the masks " .. table.concat(row[1], " and "),
        choice and choice.which or reason, row[2])
      client:close()
    end
    local unidentified = server:open_connection()
    unidentified:offer(0, 1)
    t:disconnects("IMPI-036", "the connection that offers the masks 0 and 1", unidentified)
    serves(t, "IMPI-036", server)
  end,
}

case {
  id = "server-auth-masks-in-pieces",
  title = "The masks of one AUTH may come in single octets",
  purpose = "Two clients offer one method each in the first of three masks. Whatever of the others has come when the method is clear, none of their octets is taken for a key or a command.",
  requirements = { "IMPI-036", "IMPI-024" },
  run = function(t)
    local server = key_server(t, 2, "5678", true)
    local clients = {}
    for rank, mask in pairs { [0] = IMPI.NONE_BIT, IMPI.KEY_BIT } do
      local client = server:open_connection("client " .. rank)
      client:send_singly(IMPI.command("AUTH", IMPI.mask(mask, 0xffffffff, 0x5a5a5a5a)))
      local choice, reason = client:choice()
      t:equal("IMPI-036", "the method for " .. client.label, choice and choice.which or reason, rank)
      if rank == 1 then client:send_key(5678) end
      client:join(rank)
      clients[rank] = client
    end
    for rank = 0, 1 do t:command("IMPI-036", clients[rank], "IMPI", { value = 2 }) end
    t:finish_job("IMPI-024", server, clients)
  end,
}

for name, octets in each { { "impi", IMPI.command("IMPI", "\0\0\0\0") }, { "coll", IMPI.coll("C_NHOSTS", { 1 }) },
    { "done", IMPI.command("DONE") }, { "fini", IMPI.command("FINI") } } do
  case {
    id = "server-" .. name .. "-before-auth",
    title = "Before AUTH the command " .. name:upper() .. " is not executed",
    purpose = "An unidentified connection begins with this command. It must not count as the job's client: the job still waits for its two, and runs with them.",
    requirements = { "IMPI-038" }, negative = true,
    run = function(t)
      local server = t:server { clients = 2 }
      local unidentified = server:open_connection()
      unidentified:send_raw(octets, name:upper())
      t:confirm_violation(name == "impi" and "no-auth" or { "no-auth", "not-joined" }, unidentified)
      t:ignore_violations(unidentified.UNREAD, unidentified)
      t:ignore_violations({ "fini-early" }, unidentified)
      local ended = unidentified:ended(QUIET)
      t:record("the unidentified connection", ended and "is ended" or "stays open")
      server:judging("IMPI-038")
      local second = server:join_client(1)
      t:link_silent("IMPI-038", "one proper client alone is not told the job's size", second, QUIET)
      local first = server:join_client(0)
      t:command("IMPI-038", first, "IMPI", { value = 2 })
      t:command("IMPI-038", second, "IMPI", { value = 2 })
      t:finish_job("IMPI-038", server, { [0] = first, [1] = second })
    end,
  }
end
