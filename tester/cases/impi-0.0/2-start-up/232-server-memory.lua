-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How much memory a server takes for what it must skip, or must not believe (chapter 2.3.2). The launch agent tells how
-- much a command has had at most; a job without any of it is the measure.

defaults { role = "server", suite = "server", chapter = "2.3.2", deadline = 180 }

local MIB = 1 << 20

-- The most MiB that a server has had in a job of one client which does `act` behind AUTH. Skips where nobody tells.
local function peak(t, req, act)
  local server = t:server { clients = 1 }
  local client = server:open_connection("client 0"):authenticate()
  server:judging(req)
  act(client, server)
  client:join(0)
  t:command(req, client, "IMPI", { value = 1 })
  for _, step in ipairs { "done", "fini" } do
    client[step](client)
    if step == "done" then t:command(req, client, "DONE", { length = 0 }) end
  end
  local status, kib = server:ended()
  t:equal(req, "the server has ended with", status or "nothing: it runs", "status 0")
  t:sanity_shown("a job to its end")
  t:skip_if(not kib, "the launch agent does not tell how much memory the server has had")
  return kib // 1024
end

case {
  id = "server-unknown-command-of-64-mib",
  title = "The payload of an unknown command is skipped and not kept, be it 64 MiB",
  purpose = "The code XYZW comes behind AUTH with 64 MiB of payload, and then an honest start. The server executes what follows, and has at most 32 MiB more than in a job without it.",
  requirements = { "IMPI-022" },
  run = function(t)
    local usual = peak(t, "IMPI-022", function() end)
    local part = string.rep("\0", MIB)
    local with = peak(t, "IMPI-022", function(client)
      client:send_raw(string.pack(">I4I4", 0x58595a57, 64 * MIB), "XYZW")
      for i = 1, 64 do client:send_raw(part, "payload", "MiB " .. i .. " of 64") end
    end)
    t:check("IMPI-022", "memory of the server", with <= usual + 32, "at most 32 MiB more than " .. usual .. " MiB",
      with .. " MiB")
  end,
}

case {
  id = "server-announced-is-not-taken",
  title = "A length that is announced takes no memory",
  purpose = "Eight connections announce 2147483647 octets each, of a command that is unknown or of COLL, send a few of them and leave. A proper client is then served, and the server has had at most 64 MiB more than in a job without them.",
  requirements = { "IMPI-242", "IMPI-246" },
  run = function(t)
    local usual = peak(t, "IMPI-242", function() end)
    local with = peak(t, "IMPI-242", function(_, server)
      server:judging_beside_others("IMPI-242")
      for i = 1, 8 do
        local liar = server:open_connection("connection " .. i)
        liar:authenticate()
        liar:send_raw(string.pack(">I4I4", i % 2 == 0 and IMPI.CODES.COLL or 0x58595a57, 0x7fffffff) .. "octets",
          "a command of 2147483647 octets")
        liar:silence(50) -- the server may end the connection, and then it is not the peer that cuts the command off
        liar:close()
        t:ignore_violations({ "command-cut", "not-joined" }, liar)
        t:ignore_violations(liar.UNREAD, liar)
      end
    end)
    t:check("IMPI-246", "the client beside which they came and left is served", true)
    t:check("IMPI-242", "memory of the server", with <= usual + 64, "at most 64 MiB more than " .. usual .. " MiB",
      with .. " MiB")
  end,
}
