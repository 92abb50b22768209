-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Intercomm_create (chapter 4.8): what the leaders of two groups tell each other. What goes on within a group of
-- several clients is in 408-intercomm-group.lua.

defaults { role = "client", suite = "communicators", chapter = "4.8" }

-- An open job of two clients. The one under test has this place and so many processes; the scripted one has four, which
-- are the ranks behind those or before them. Returns the job and the first rank under test, and the first scripted one.
local function pair(t, place, np)
  local job = t:impi_job { rank = place, np = np, others = { { hosts = { 4 } } } }:open()
  return job, place == 0 and 0 or 4, place == 0 and np or 0
end

-- Ranks counted from a first one.
local function from(first, list)
  local ranks = {}
  for i, rank in ipairs(list) do ranks[i] = first + rank end
  return ranks
end

---- the exchange of sizes --------------------------------------------------------------------------------------------

-- { name, place of the client, local group, its leader, remote group, its leader, peer communicator, tag }
local EXCHANGES = {
  { "two-processes", 1, { 0 }, 0, { 0 }, 0, "world", 17 },
  { "tag-zero", 1, { 0 }, 0, { 1 }, 1, "world", 0 },
  { "largest-tag", 1, { 0 }, 0, { 0, 1 }, 0, "world", "bound" },
  { "leader-in-the-middle", 1, { 2, 1, 0 }, 1, { 3, 2, 0 }, 2, "world", 5 },
  { "leader-at-the-end", 1, { 1, 0, 2 }, 2, { 1, 3 }, 3, "world", 6 },
  { "peer-is-a-copy", 1, { 0, 1 }, 1, { 0, 2 }, 2, "copy", 17 },
  { "peer-is-reversed", 1, { 1, 0 }, 0, { 0, 1, 3 }, 3, "reversed", 110 },
  { "first-client", 0, { 1, 0 }, 1, { 2, 0 }, 0, "world", 190 },
  { "first-client-peer-is-reversed", 0, { 0, 1 }, 0, { 3, 2, 1 }, 1, "reversed", 9 },
}

-- The peer communicator of a row.
local function peer_of(job, name)
  local world = job:world()
  if name == "world" then return world end
  local ranks = {}
  for i, rank in ipairs(world.ranks) do ranks[name == "copy" and i or #world.ranks + 1 - i] = rank end
  return job:among("peer", ranks)
end

for name, place, group, leader, remote, other, peer, tag in each(EXCHANGES) do
  local np = math.max(#group, 2)
  case {
    id = "intercomm-leaders-" .. name,
    title = string.format("The leaders of groups of %d and %d tell each other their largest value and size: %s", #group,
      #remote, (name:gsub("-", " "))),
    purpose = "One message goes to the remote leader, on the peer communicator with the tag of the call, before anything has come from there.",
    requirements = { "IMPI-202" }, ranks = np, incoming = place == 0,
    run = function(t)
      local job, own, scripted = pair(t, place, np)
      local between = peer_of(job, peer)
      local leaders = t:leaders(job, { group = job:among("local", from(own, group)), leader = own + leader,
        remote = from(scripted, remote), other = scripted + other, peer = between,
        tag = tag == "bound" and job.tagub or tag })
      local highest, size = leaders:begin():sizes("IMPI-202")
      t:equal("IMPI-202", "the largest value of the local group", highest, leaders.group.cid + 1)
      t:equal("IMPI-202", "the size of the local group", size, #group)
      leaders:trade(highest):made("IMPI-202")
    end,
  }
end

-- { name, what the remote group has more }
for name, more in each { { "more", 100 }, { "less", -2 }, { "as-much", 0 }, { "above-32-bits", 1 << 32 } } do
  case {
    id = "intercomm-leaders-remote-has-" .. name,
    title = "The larger value of the two leaders is the one of both groups: the remote one has " .. name:gsub("-", " "),
    purpose = "The context identifier of the new communicator is one more than the larger value of both.",
    requirements = { "IMPI-202" }, ranks = 2,
    run = function(t)
      local job = pair(t, 1, 2)
      local leaders = t:leaders(job, { group = job:among("local", { 5, 4 }), remote = { 0, 2 } })
      local highest = leaders:begin():sizes("IMPI-202")
      leaders:trade(highest + more):made("IMPI-202"):reaches("IMPI-202", math.max(highest, highest + more) + 1)
    end,
  }
end

---- its form ---------------------------------------------------------------------------------------------------------

for place, group, remote in each { { 0, { 0 }, { 0 } }, { 1, { 0 }, { 3, 1, 2 } }, { 1, { 2, 0, 1 }, { 0 } } } do
  local np = #group
  case {
    id = string.format("intercomm-leaders-form-client-%d-%d-and-%d", place, np, #remote),
    title = "The exchange of the leaders has one length both ways",
    purpose = "Two values of eight octets, or of four: it is answered in the same form, and this answer is taken. Behind that the remote leader speaks first, in that form again, and is answered in it.",
    requirements = { "IMPI-203" }, ranks = np, incoming = place == 0,
    run = function(t)
      local job, own, scripted = pair(t, place, np)
      local groups = job:among("local", from(own, group))
      local first = t:leaders(job, { group = groups, remote = from(scripted, remote), name = "first" })
      local highest = first:begin():sizes(nil, "IMPI-203")
      t:reading("IMPI-203", "leaders_exchange", "octets of the leaders' first exchange", first.form,
        { { "sixteen", 16 }, { "eight", 8 } })
      first:trade(highest + 20, "IMPI-203"):made("IMPI-203"):remote_size("IMPI-203")
      first:reaches("IMPI-203", highest + 21)
      local again = t:leaders(job, { group = groups, remote = first.remote, name = "again", tag = 18 })
      again:tell_sizes(highest + 50, nil, first.form):begin():sizes(nil, "IMPI-203")
      t:equal("IMPI-203", "octets of the exchange when the remote leader was first", again.form, first.form)
      again:next(nil, "the list of ranks", "IMPI-203")
      again:tell_list():made("IMPI-203"):remote_size("IMPI-203")
      again:reaches("IMPI-203", highest + 51)
    end,
  }
end

---- the lists --------------------------------------------------------------------------------------------------------

-- { name, place of the client, local group, its leader, remote group, its leader, peer communicator }
local LISTS = {
  { "one-and-one", 1, { 0 }, 0, { 2 }, 2, "world" },
  { "one-and-four", 1, { 0 }, 0, { 3, 0, 2, 1 }, 2, "world" },
  { "three-and-one", 1, { 1, 2, 0 }, 2, { 3 }, 3, "world" },
  { "three-and-three", 1, { 2, 1, 0 }, 0, { 1, 3, 0 }, 0, "reversed" },
  { "first-client", 0, { 2, 0, 1 }, 1, { 2, 1 }, 1, "copy" },
}

for name, place, group, leader, remote, other, peer in each(LISTS) do
  local np = #group
  case {
    id = "intercomm-lists-" .. name,
    title = string.format("The leaders exchange the ranks in the world of their groups, %d and %d", #group, #remote),
    purpose = "As MPI_INT in the order of the local communicator, with the tag of the call. Those that come are the remote group, in their order, for all processes.",
    requirements = { "IMPI-205" }, ranks = np, incoming = place == 0,
    run = function(t)
      local job, own, scripted = pair(t, place, np)
      local between = peer_of(job, peer)
      local leaders = t:leaders(job, { group = job:among("local", from(own, group)), leader = own + leader,
        remote = from(scripted, remote), other = scripted + other, peer = between, tag = 31 })
      local highest = leaders:begin():sizes()
      leaders:tell_sizes(highest):list("IMPI-205")
      leaders:tell_list():made("IMPI-205"):reaches("IMPI-205")
    end,
  }
end
