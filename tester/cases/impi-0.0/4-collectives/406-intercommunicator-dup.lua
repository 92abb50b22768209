-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Comm_dup of an intercommunicator (chapter 4.6): both groups agree on the highest value of all by messages across.
-- What the two ranks 0 do before they tell the others is lost in the document as we have it; IMPI-197 is judged
-- accordingly.

defaults { role = "client", suite = "communicators", chapter = "4.6" }

-- The ranks above 0 have values of their own, which differ: these values, and the packets' pairs of ranks.
local function raise_members(inter)
  local values, pairs_of_ranks = {}, {}
  for i = 1, #inter.own - 1 do
    values[i] = inter:raise(i, 2 * i - 1)
    pairs_of_ranks[i] = { i, 0 }
  end
  return values, pairs_of_ranks
end

-- The remote group has five: each one's value is the highest once.
for highest = 1, 4 do
  case {
    id = "intercommunicator-dup-of-five-highest-of-" .. highest,
    title = "In MPI_Comm_dup of an intercommunicator the value of every remote rank counts: remote rank " .. highest,
    purpose = "The remote group has five. When all above rank 0 have offered theirs, rank 0 tells the highest, and all have the same context identifier.",
    requirements = { "IMPI-197" },
    run = function(t)
      local job = t:pair { others = { { hosts = { 2, 3 } } } }
      local inter = job:intercomm { own = { 5 }, remote = { 3, 0, 4, 1, 2 } }
      local pending = inter:begin("MPI_Comm_dup")
      for rank = 1, 4 do
        inter:say(rank, 0, { tag = Inter.DUP, data = Inter.values(rank == highest and 301 or 101 + 2 * rank) })
      end
      local told = inter:heard(1)[1]
      if not t:reconstructed("IMPI-197", "what rank 0 tells the remote rank 0", Inter.value(told, 1), 301) then
        return
      end
      inter:say(0, 0, { tag = Inter.DUP, data = Inter.values(63) })
      local packets, values = inter:heard(4), {}
      for i, packet in ipairs(packets) do values[i] = Inter.value(packet, 1) end
      if t:reconstructed("IMPI-197", "what it tells the others", values, Values.repeated(301, 4)) then
        inter:all_good("IMPI-197", pending)
        t:reconstructed("IMPI-197", "the context identifier", inter:contexts_in("IMPI-197", "dup"), { 302 })
      end
    end,
  }
end

case {
  id = "intercommunicator-dup-again-and-again",
  title = "However often an intercommunicator is copied, both groups have the context identifier that was agreed on",
  purpose = "Three copies, one behind the other, of an intercommunicator whose remote group comes first in the world and of one whose does not. Messages go both ways on each.",
  requirements = { "IMPI-104" }, chapter = "3.3",
  run = function(t)
    for _, place in ipairs { 1, 0 } do
      t:step("the system under test is client " .. place)
      local job = t:impi_job { rank = place, others = { {} } }:open()
      local own = job.processes[place]
      local inter = job:intercomm { own = { place }, remote = { 1 - place } }
      local rank, highest = inter.ranks[1], 61
      for i = 1, 3 do
        local name = "dup" .. i
        local call = job:fenced(rank):start_MPI_Comm_dup { comm = inter.name, newcomm = name }
        local offered = Inter.value(inter:heard(1)[1], 1)
        if not t:reconstructed("IMPI-104", "an odd value in copy " .. i, offered % 2, 1) then return end
        highest = math.max(highest + 2 * i, offered)
        inter:say(0, 0, { tag = Inter.DUP, data = Inter.values(highest) })
        inter:all_good("IMPI-104", { call })
        t:equal("IMPI-104", "the context identifier of copy " .. i, inter:contexts_in("IMPI-104", name),
          { highest + 1 })
        inter.remote[1]:send_short(own, 5, i, 8, { cid = highest + 1, lsrank = 0 })
        t:receives("IMPI-104", "a message on copy " .. i, rank, { rank = 0 }, i, 8, { tag = 5, comm = name })
      end
    end
  end,
}

local function values_of(packets)
  local list = {}
  for i, packet in ipairs(packets) do list[i] = Inter.value(packet, 1) end
  return list
end

for name, own, remote in each(Inter.GROUPS) do
  case {
    id = "intercommunicator-dup-offers-" .. name,
    title = "In MPI_Comm_dup of an intercommunicator each rank above 0 sends its value to the remote rank 0",
    purpose = "Groups of " .. name:gsub("-", " ")
      .. ": eight octets each, on the point-to-point context. The answer gives the new context identifier.",
    requirements = { "IMPI-196" }, ranks = #own,
    run = function(t)
      local inter = t:inter(own, remote)
      local values, pairs_of_ranks = raise_members(inter)
      local pending = inter:begin("MPI_Comm_dup")
      local packets = inter:heard(#own - 1, Inter.members)
      t:equal("IMPI-196", "messages of the ranks above 0", inter:looks(packets), inter:expected(8, pairs_of_ranks))
      t:equal("IMPI-196", "the values that they have", values_of(packets), values)
      if not inter:tagged("IMPI-196", packets, Inter.DUP) then return end
      local members = { table.unpack(pending, 2) }
      t:calls_block("IMPI-196", "before the answer", members)
      inter:answer(Inter.DUP, Inter.values(inter.next), Inter.values(5001))
      inter:all_good("IMPI-196", members)
      t:equal("IMPI-196", "the context identifier in the ranks above 0", inter:contexts_in("IMPI-196", "dup", 0, 1),
        Values.repeated(5002, #own - 1))
    end,
  }
end

-- What rank 0 under test says in the middle: its packets, which must be for these pairs of ranks and have this value.
local function says(t, inter, what, pairs_of_ranks, value)
  local packets = inter:heard(#pairs_of_ranks)
  return t:reconstructed("IMPI-197", what, inter:looks(packets), inter:expected(8, pairs_of_ranks))
    and inter:tagged("IMPI-197", packets, Inter.DUP)
    and t:reconstructed("IMPI-197", what .. ": the values", values_of(packets), Values.repeated(value, #pairs_of_ranks))
end

-- { name, communicators that rank 0 makes before, what the remote ranks 1 and 2 offer, what the remote rank 0 says,
-- what rank 0 says to it, the highest of all }. Without communicators of its own rank 0 has 63.
local MAXIMA = {
  { "of-rank-0", 4, { 63, 65 }, 67, 71, 71 },
  { "of-remote-rank-1", 0, { 201, 63 }, 67, 201, 201 },
  { "of-remote-rank-2", 0, { 63, 203 }, 67, 203, 203 },
  { "of-remote-rank-0", 0, { 63, 65 }, 301, 65, 301 },
  { "above-32-bits", 1, { 63, (1 << 32) + 1 }, 63, (1 << 32) + 1, (1 << 32) + 1 },
  { "above-63-bits", 1, { 63, 65 }, math.mininteger + 11, 65, math.mininteger + 11 },
  { "of-remote-rank-1-above-63-bits", 1, { math.mininteger + 11, 63 }, 67, math.mininteger + 11, math.mininteger + 11 },
  { "of-remote-rank-2-above-63-bits", 1, { 63, math.mininteger + 11 }, 67, math.mininteger + 11, math.mininteger + 11 },
}

for name, made, offers, theirs, exchanged, highest in each(MAXIMA) do
  case {
    id = "intercommunicator-dup-highest-" .. name,
    title = "In MPI_Comm_dup of an intercommunicator the ranks 0 exchange the highest values, and tell the larger one",
    purpose = "The highest value of all is that " .. name:gsub("-", " ")
      .. ". While the remote rank 0 is late, nobody is told. All ranks under test have the same context identifier.",
    requirements = { "IMPI-197" }, ranks = 2,
    run = function(t)
      local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
      inter:raise(0, made)
      local pending = inter:begin("MPI_Comm_dup")
      for i, offer in ipairs(offers) do
        local packets = inter:heard(i == 1 and 1 or 0)
        local early = Inter.leading(packets)
        if not (inter:tagged("IMPI-197", packets, Inter.DUP)
            and t:reconstructed("IMPI-197", "messages of rank 0 before remote rank " .. i .. " has offered", #early,
              0)) then
          return
        end
        inter:say(i, 0, { tag = Inter.DUP, data = Inter.values(offer) })
      end
      if not (says(t, inter, "messages when all have offered", { { 0, 0 } }, exchanged)
          and t:reconstructed("IMPI-197", "rank 0 has returned before the remote rank 0 has told it", pending[1]:done(),
            false)) then
        return
      end
      inter:say(0, 0, { tag = Inter.DUP, data = Inter.values(theirs) })
      if says(t, inter, "messages behind the exchange", { { 0, 1 }, { 0, 2 } }, highest) then
        inter:say(0, 1, { tag = Inter.DUP, data = Inter.values(highest) })
        inter:all_good("IMPI-197", pending)
        t:reconstructed("IMPI-197", "the context identifiers", inter:contexts_in("IMPI-197", "dup"),
          Values.repeated(highest + 1, 2))
      end
    end,
  }
end
