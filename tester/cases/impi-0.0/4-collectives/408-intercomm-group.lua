-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Intercomm_create (chapter 4.8) where the local group has processes of several clients: what is reduced to its
-- leader, and what that broadcasts. What the leaders tell each other is in 408-intercomm-create.lua.

defaults { role = "client", suite = "communicators", chapter = "4.8" }

-- Open jobs: two clients, or three with the one under test in the middle. Client 0 has four processes, the ranks 0 to
-- 3; those under test begin at 4; client 2 has one, rank 6 where two are under test.
local function of_clients(t, count, np)
  local others = { { hosts = { 4 } } }
  others[2] = count == 3 and {} or nil
  return t:impi_job { rank = 1, np = np, others = others }:open()
end

-- The processes under test that are in this list have a largest value two above that of the group.
local function raise(job, group, places)
  for _, place in ipairs(places) do job:raise(4 + place, group.cid + 3, 0) end
end

---- the reduction ----------------------------------------------------------------------------------------------------

-- { name, clients, processes under test, local group, its leader, who has more (places among those under test) }
local OFFERS = {
  { "to-the-first", 2, 1, { 0, 4 }, 0, {} },
  { "to-the-last", 2, 1, { 4, 3 }, 3, {} },
  { "of-the-second", 2, 2, { 1, 4, 5 }, 1, { 1 } },
  { "of-the-first", 2, 2, { 5, 4, 0 }, 0, { 0 } },
  { "of-three-clients", 3, 2, { 0, 4, 5, 6 }, 6, { 1 } },
  { "of-three-clients-to-the-middle", 3, 2, { 4, 0, 6 }, 0, { 0 } },
}

for name, clients, np, group, leader, more in each(OFFERS) do
  case {
    id = "intercomm-offer-" .. name,
    title = string.format("A client offers its largest value to process %d, the leader of %d", leader, #group),
    purpose = "The leader gets one message of eight octets with the largest value of the processes under test, over the context identifier behind that of the local communicator.",
    requirements = { "IMPI-201" }, ranks = np, incoming = clients == 3,
    run = function(t)
      local job = of_clients(t, clients, np)
      local leaders = t:leaders(job, { group = job:among("local", group), leader = leader, remote = { 1 }, tag = 3 })
      leaders.remote = leader == 1 and { 0 } or leaders.remote
      raise(job, leaders.group, more)
      leaders:begin()
      local packets = job:receive_to_fence(1)
      t:check("IMPI-201", "a message before the leader has answered", #packets > 0, "comes", "does not come")
      if not t:reconstructed("IMPI-201", "messages of the client before the leader has answered", #packets, 1) then
        return
      end
      local packet = packets[1]
      t:equal("IMPI-201", "the message is for rank", packet.dest.rank, leader)
      t:equal("IMPI-201", "its context identifier", packet.cid, leaders.group.cid + 1)
      t:equal("IMPI-201", "its octets", packet.msglen, 8)
      t:equal("IMPI-201", "the largest value", string.unpack(">I8", packet.data), leaders.group.cid + 1 + 2 * #more)
      leaders:broadcast(leaders.group.cid + 51):made("IMPI-201")
    end,
  }
end

-- { name, clients, processes under test, local group, what its scripted masters offer, who has more }
local SUMS = {
  { "member-has-less", 2, 1, { 4, 0 }, { [0] = 1 }, {} },
  { "member-has-more", 2, 1, { 0, 4 }, { [0] = 4001 }, {} },
  { "member-above-32-bits", 2, 1, { 4, 3 }, { [3] = (1 << 32) + 1 }, {} },
  { "member-above-63-bits", 2, 1, { 4, 0 }, { [0] = math.mininteger + 11 }, {} },
  { "own-second-has-more", 2, 2, { 4, 0, 5 }, { [0] = 1 }, { 1 } },
  { "first-of-two-has-more", 3, 2, { 0, 4, 6 }, { [0] = 777, [6] = 3 }, {} },
  { "second-of-two-has-more", 3, 2, { 6, 2, 4 }, { [2] = 5, [6] = 901 }, {} },
}

for name, clients, np, group, offers, more in each(SUMS) do
  case {
    id = "intercomm-sum-" .. name,
    title = "The local leader tells the largest value of its group",
    purpose = "Nothing goes to the remote leader before all other clients of the local group have offered. Then the largest of all values does.",
    requirements = { "IMPI-201" }, ranks = np, incoming = clients == 3,
    run = function(t)
      local job = of_clients(t, clients, np)
      local leaders = t:leaders(job, { group = job:among("local", group), leader = 4, remote = { 1 } })
      local highest = leaders.group.cid + 1 + 2 * #more
      raise(job, leaders.group, more)
      leaders:begin()
      for _, rank in ipairs(group) do
        if offers[rank] then
          t:equal("IMPI-201", "messages while process " .. rank .. " has not offered", #job:receive_to_fence(0), 0)
          leaders:offer(rank, offers[rank])
          highest = math.ult(highest, offers[rank]) and offers[rank] or highest
        end
      end
      local told = leaders:sizes()
      t:skip_if(leaders.form == 8 and math.ult(math.maxinteger >> 32, highest),
        "the leaders' exchange as two MPI_INT has no room for such a value")
      t:equal("IMPI-201", "the largest value of the local group", told, highest)
    end,
  }
end

---- the broadcasts ---------------------------------------------------------------------------------------------------

-- { name, clients, local group, its scripted masters, remote group, what the remote group has more }
local BROADCASTS = {
  { "remote-has-more", 2, { 4, 0 }, { 0 }, { 1 }, 898 },
  { "remote-has-less", 2, { 0, 4 }, { 0 }, { 3, 1 }, -2 },
  { "remote-above-32-bits", 2, { 3, 4 }, { 3 }, { 2, 0, 1 }, 1 << 32 },
  { "to-two-clients", 3, { 6, 4, 2 }, { 6, 2 }, { 3, 0, 1 }, 60 },
  { "to-one-master-of-three", 2, { 4, 1, 0, 2 }, { 1 }, { 3 }, 4 },
}

for name, clients, group, masters, remote, more in each(BROADCASTS) do
  local np = clients - 1 -- the second of two is in no group
  -- The leader under test has its offers, and has told what it says first: the meeting and the larger value.
  local function lead(t)
    local job = of_clients(t, clients, np)
    local leaders = t:leaders(job, { group = job:among("local", group), leader = 4, remote = remote, tag = 44 })
    leaders:begin()
    for _, rank in ipairs(masters) do leaders:offer(rank, 1) end
    local highest = leaders:sizes()
    return leaders, highest, math.max(highest, highest + more)
  end
  case {
    id = "intercomm-broadcast-" .. name,
    title = string.format("The local leader broadcasts the largest value and the size of the remote group, %d",
      #remote),
    purpose = "The first broadcast has two values of eight octets, of which the first is the larger one of the leaders' values. The list of ranks comes behind it.",
    requirements = { "IMPI-204" }, ranks = np, incoming = clients == 3,
    run = function(t)
      local leaders, highest, larger = lead(t)
      leaders:tell_sizes(highest + more)
      for _, rank in ipairs(masters) do -- it comes before the lists
        local value, size = leaders:heard_sizes("IMPI-204", rank)
        t:equal("IMPI-204", "the largest value", value, larger)
        t:equal("IMPI-204", "the size of the remote group", size, #remote)
      end
      leaders:next(nil, "the list of ranks")
      leaders:tell_list():made("IMPI-204")
    end,
  }
  case {
    id = "intercomm-broadcast-list-" .. name,
    title = "The local leader broadcasts the list of ranks that came",
    purpose = "Behind the largest value and the size, its ranks go to each other client of the group as MPI_INT.",
    requirements = { "IMPI-205" }, ranks = np, incoming = clients == 3,
    run = function(t)
      local leaders, highest = lead(t)
      leaders:tell_sizes(highest + more):list("IMPI-205")
      leaders:tell_list()
      for _, rank in ipairs(masters) do
        leaders:heard_sizes(nil, rank)
        leaders:heard_list("IMPI-205", rank)
      end
      leaders:made("IMPI-205"):reaches("IMPI-205")
    end,
  }
end

-- { name, processes under test, local group, its leader, remote group, largest value of all above the first }
local TAKEN = {
  { "of-one", 1, { 0, 4 }, 0, { 1 }, 50 },
  { "of-three", 2, { 5, 1, 4 }, 1, { 3, 0, 2 }, 1 << 32 },
  { "of-two", 2, { 4, 3, 5 }, 3, { 1, 0 }, 0 },
}

for name, np, group, leader, remote, more in each(TAKEN) do
  -- A scripted leader has broadcast, and all calls have returned.
  local function follow(t, req)
    local job = of_clients(t, 2, np)
    local leaders = t:leaders(job, { group = job:among("local", group), leader = leader, remote = remote })
    t:judging(req)
    leaders:begin()
    if #job:receive_to_fence(1) ~= 1 then
      job:failed("the offer to the local leader", "not one message")
    end
    local highest = leaders.group.cid + 1 + more
    return leaders:broadcast(highest):made(req), highest
  end
  case {
    id = "intercomm-broadcast-is-taken-" .. name,
    title = "The largest value and the size of the remote group are taken from the leader's broadcast",
    purpose = "A scripted process leads: the new communicator has as many remote processes as it has said, and the context identifier that follows its value.",
    requirements = { "IMPI-204" }, ranks = np,
    run = function(t)
      local leaders, highest = follow(t, "IMPI-204")
      leaders:remote_size("IMPI-204")
      leaders:reaches("IMPI-204", highest + 1)
    end,
  }
  case {
    id = "intercomm-list-is-taken-" .. name,
    title = "The remote group is the list of ranks that the leader broadcasts",
    purpose = "A scripted process leads: each process under test reaches the remote ones in the order of the list.",
    requirements = { "IMPI-205" }, ranks = np,
    run = function(t)
      follow(t, "IMPI-205"):reaches("IMPI-205")
    end,
  }
end

---- nothing else (IMPI-182) ------------------------------------------------------------------------------------------

case {
  id = "intercomm-create-sends-nothing-more",
  title = "MPI_Intercomm_create sends what the document prints, and nothing more",
  purpose = "The leader under test is the second of its group, with a scripted master before it. Behind its two messages to the remote leader and its two broadcasts nothing comes, and the call returns.",
  requirements = { "IMPI-182" },
  run = function(t)
    local job = of_clients(t, 2, 1)
    local leaders = t:leaders(job, { group = job:among("local", { 0, 4 }), leader = 4, remote = { 3, 1 }, tag = 44 })
    leaders:begin():offer(0, 1)
    local highest = leaders:sizes()
    leaders:trade(highest)
    for _ = 1, 2 do leaders:heard(nil, "a broadcast", 0) end
    t:equal("IMPI-182", "messages behind them", #leaders.kept + #job:receive_to_fence(0), 0)
    leaders:made("IMPI-182")
  end,
}
