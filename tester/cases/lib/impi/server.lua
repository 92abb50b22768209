-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A scripted IMPI server for systems under test that are clients. It listens; what it says on a connection, the case
-- says, or an ImpiJob (job.lua) that plays all other roles honestly.

local WAIT_MS = 15000

-- t:impi_server(): a server that listens. server.where is what a client is given.
function Test:impi_server()
  IMPI.servers = (IMPI.servers or 1 << 20) + 1
  local port, number = core.port("server", nil, nil, "link", IMPI.servers)
  if not port then
    self:inconclusive("configuration", number) -- why
  end
  return setmetatable({ t = self, port = port, number = IMPI.servers, where = core.manager() .. ":" .. number }, Server)
end

-- server:accept([ms]): the next client that connects, as a ServerLink: a Link with the server's steps. Or nil and why.
function Server:accept(ms)
  local stream, reason = core.port_accept(self.port, ms or WAIT_MS)
  if not stream then return nil, reason end
  local server_link = Link.new(stream, "server", false)
  server_link.t, server_link.address = self.t, reason
  return setmetatable(server_link, ServerLink)
end

-- server:close(): listens no more.
function Server:close()
  core.port_close(self.port)
end

-- server_link:choose(which [, len]): the answer to AUTH. server_link:key([ms]): the 8 octets of a key, as a number.
function ServerLink:choose(which, len)
  return core.stream_send(self.stream, string.pack(">i4i4", which, len or 0), "choice",
    string.format("method %d, %d octets follow", which, len or 0))
end

function ServerLink:key(ms)
  local octets, reason = core.stream_take(self.stream, 8, ms or WAIT_MS)
  if not octets then return nil, reason end
  core.stream_said(self.stream, "key", string.format("key %d", (string.unpack(">i8", octets))))
  return octets
end

-- server_link:size(count), server_link:broadcast(label, mask, values), server_link:done().
function ServerLink:size(count)
  return self:send("IMPI", string.pack(">i4", count))
end

function ServerLink:broadcast(which, mask, values)
  local label = IMPI.label(which)
  return self:send("COLL", string.pack(">I4I4", label.number, mask) .. IMPI.values(which, values))
end

function ServerLink:done()
  return self:send("DONE")
end
