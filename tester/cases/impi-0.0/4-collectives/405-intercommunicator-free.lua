-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Comm_free of an intercommunicator (chapter 4.5): all wait for all, by empty messages across. How the two ranks 0
-- go on once the others have reported is lost in the document as we have it; IMPI-195 is judged accordingly.

defaults { role = "client", suite = "communicators", chapter = "4.5" }

-- The pairs {from, 0} of the ranks above 0 under test; the pairs {0, to} of the remote ranks above 0.
local function reports(inter)
  local list = {}
  for i = 1, #inter.own - 1 do list[i] = { i, 0 } end
  return list
end

local function releases(inter)
  local list = {}
  for i = 1, #inter.remote - 1 do list[i] = { 0, i } end
  return list
end

for name, own, remote in each(Inter.GROUPS) do
  case {
    id = "intercommunicator-free-reports-" .. name,
    title = "In MPI_Comm_free of an intercommunicator each rank above 0 reports to the remote rank 0",
    purpose = "Groups of " .. name:gsub("-", " ") .. ": one empty message each, on the point-to-point context.",
    requirements = { "IMPI-194" }, ranks = #own,
    run = function(t)
      local inter = t:inter(own, remote)
      inter:begin("MPI_Comm_free")
      local packets = inter:heard(#own - 1, Inter.members)
      t:equal("IMPI-194", "messages of the ranks above 0", inter:looks(packets), inter:expected(0, reports(inter)))
      inter:tagged("IMPI-194", packets, Inter.FREE)
    end,
  }
end

for late = 1, 2 do
  case {
    id = "intercommunicator-free-waits-for-report-" .. late,
    title = string.format("Rank 0 does not leave MPI_Comm_free of an intercommunicator before remote rank %d has "
      .. "reported", late),
    purpose = "The remote rank 0 and the other remote rank have said all that is theirs to say.",
    requirements = { "IMPI-194" }, ranks = 2,
    run = function(t)
      local inter = t:inter({ 4, 3 }, { 1, 2, 0 })
      local pending = inter:begin("MPI_Comm_free")
      if not inter:tagged("IMPI-194", inter:heard(1), Inter.FREE) then return end
      inter:say(3 - late, 0, { tag = Inter.FREE })
      inter:say(0, 0, { tag = Inter.FREE })
      inter:heard(0)
      t:calls_block("IMPI-194", "before the report of remote rank " .. late, { pending[1] })
      inter:say(late, 0, { tag = Inter.FREE })
      inter:all_good("IMPI-194", { pending[1] })
    end,
  }
end

for name, own, remote in each { { "one-and-three", { 3 }, { 0, 1, 2 } }, { "two-and-three", { 4, 3 }, { 2, 0, 1 } },
    { "two-and-two", { 3, 4 }, { 1, 2 } } } do
  case {
    id = "intercommunicator-free-exchange-" .. name,
    title = "The ranks 0 of an intercommunicator tell each other, and then release the remote ranks",
    purpose = "Rank 0 says nothing before all remote ranks above 0 have reported; then it tells the remote rank 0. While that one is late, no process is released.",
    requirements = { "IMPI-195" }, ranks = #own,
    run = function(t)
      local inter = t:inter(own, remote)
      local pending = inter:begin("MPI_Comm_free")
      for i = 1, #remote - 1 do
        local early = Inter.leading(inter:heard(i == 1 and #own - 1 or 0))
        if not t:reconstructed("IMPI-195", "messages of rank 0 before remote rank " .. i .. " has reported", #early,
          0) then
          return
        end
        inter:say(i, 0, { tag = Inter.FREE })
      end
      local packets = inter:heard(1)
      if not (t:reconstructed("IMPI-195", "messages when all have reported", inter:looks(packets),
          inter:expected(0, { { 0, 0 } })) and inter:tagged("IMPI-195", packets, Inter.FREE)
          and t:reconstructed("IMPI-195", "rank 0 has returned before the remote rank 0 has told it", pending[1]:done(),
            false)) then
        return
      end
      inter:say(0, 0, { tag = Inter.FREE })
      packets = inter:heard(#remote - 1)
      if not (t:reconstructed("IMPI-195", "messages behind the exchange", inter:looks(packets),
          inter:expected(0, releases(inter))) and inter:tagged("IMPI-195", packets, Inter.FREE)) then
        return
      end
      inter:all_good("IMPI-195", { pending[1] })
      for i = 1, #own - 1 do
        t:reconstructed("IMPI-195", "rank " .. i .. " has returned before its release", pending[i + 1]:done(), false)
        inter:say(0, i, { tag = Inter.FREE })
        inter:all_good("IMPI-195", { pending[i + 1] })
      end
    end,
  }
end
