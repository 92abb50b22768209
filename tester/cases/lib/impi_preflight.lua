-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The look at an IMPI system under test before any case, by its role. What is missing here is told as a matter of
-- configuration: no case could mean anything.

Preflight = {}

-- A server must print where it listens, and accept there.
function Preflight.server(t)
  t:step("start a server for one client and connect to it")
  local server = t:start_server { clients = 1 }
  if not server:listen() then
    local said = server:said()
    t:inconclusive("configuration", "the server's first line of output is not address:port but "
      .. Values.show(server.line) .. (#said > 0 and "; it said: " .. said[#said] or ""))
  end
  local client, reason = server:connect("client 0")
  if not client then
    t:inconclusive("network", "the server printed " .. server.line .. " and cannot be connected to there: " .. reason)
  end
  core.found(true)
end
