-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The end of a job as chapter 2.4 orders it: MPI_Finalize with its barrier among the masters (chapter 4.10), FINI
-- packets on every channel, the FINI command, the end of the client. Every step can be taken by itself.

local WAIT_MS = 15000
local BARRIER_TAG = 110

-- job:master(client): the process of lowest rank of a client.
function ImpiJob:master(client)
  for rank = 0, self.world_size - 1 do
    if self.processes[rank].host.client.rank == client then return self.processes[rank] end
  end
end

-- The clients whose messages a client waits for before it tells its parent, its parent (nil for client 0), and those
-- whom it tells afterwards, in a barrier of `count` masters: linear up to `limit`, else a tree.
local function partners(number, count, limit)
  local children, parent = {}, nil
  if count <= limit then
    for other = 1, number == 0 and count - 1 or 0 do children[#children + 1] = other end
    return children, number > 0 and 0 or nil
  end
  local bit = 1
  while bit <= number do
    bit = bit << 1
  end
  parent = number > 0 and number & ~(bit >> 1) or nil
  while bit < count do
    if number | bit < count then children[#children + 1] = number | bit end
    bit = bit << 1
  end
  return children, parent
end

-- job:barrier_partners(): the scripted masters that meet the master under test in a barrier on the world: children
-- (their messages come first) and parent (or nil).
function ImpiJob:barrier_partners()
  local limit = self.maxlinear and self.maxlinear >= 0 and self.maxlinear or 4
  local children, parent = partners(self.rank, self.size, limit)
  local list = {}
  for i, child in ipairs(children) do list[i] = self:master(child) end
  return list, parent and self:master(parent)
end

-- job:barrier([cid]): the scripted masters' part of a barrier on the world, as set-up.
function ImpiJob:barrier(cid)
  local own = self:master(self.rank)
  local children, parent = self:barrier_partners()
  local function tell(master)
    master:send(own, { tag = BARRIER_TAG, cid = cid or 1 })
  end
  local function hear(master)
    local packet, reason = master:receive { src = own, tag = BARRIER_TAG, ms = WAIT_MS }
    if not packet then self:failed("the barrier's message to " .. master.label, reason) end
  end
  for i = #children, 1, -1 do tell(children[i]) end
  if parent then
    hear(parent)
    tell(parent)
  end
  for _, child in ipairs(children) do hear(child) end
  return self
end

-- job:finalize(): begins MPI_Finalize in all ranks and plays the barrier; job:finalized() waits for their results.
function ImpiJob:start_finalize()
  self.finalizing = {}
  for i = 0, self.np - 1 do self.finalizing[i] = self.ranks[i]:start_MPI_Finalize { deadline = 30000 } end
  return self
end

function ImpiJob:finalized()
  for i = 0, self.np - 1 do self.t:mpi(self.finalizing[i]:finish()) end
  return self
end

-- job:send_fini(): FINI packets of all scripted hosts. job:take_fini(): waits for those of the system under test, and
-- for the ends of the channels after we have closed ours.
function ImpiJob:send_fini()
  for _, channel in ipairs(self:each_channel()) do channel:send_packet { type = "FINI" } end
  return self
end

function ImpiJob:take_fini()
  for _, channel in ipairs(self:each_channel()) do
    local packet, reason
    repeat
      packet, reason = channel:receive(WAIT_MS)
    until not packet or packet.type == "FINI"
    if not packet then self:failed("the FINI packet to " .. channel.label, reason) end
    channel:close()
  end
  return self
end

-- job:quit(): the processes end.
function ImpiJob:quit()
  for i = 0, self.np - 1 do self.ranks[i]:quit() end
  return self
end

-- job:finish(req): the whole end; judges by `req` that FINI comes and that the client ends with status 0.
function ImpiJob:finish(req)
  self:start_finalize():barrier():send_fini():finalized():quit():take_fini()
  self.t:command(req, self.server_link, "FINI", { length = 0 }, WAIT_MS)
  self.t:disconnects(req, "the connection to the server behind FINI", self.server_link, WAIT_MS)
  self.t:equal(req, "the client has ended with", self:ended(), "status 0")
end
