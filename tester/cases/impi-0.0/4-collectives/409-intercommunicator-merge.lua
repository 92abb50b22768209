-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Intercomm_merge (chapter 4.9): both groups agree on a context identifier, and on which of them comes first.

defaults { role = "client", suite = "communicators", chapter = "4.9" }

for name, own, remote in each(Inter.GROUPS) do
  case {
    id = "intercommunicator-merge-offers-" .. name,
    title = "In MPI_Intercomm_merge each rank above 0 sends eight octets to the remote rank 0",
    purpose = "Groups of " .. name:gsub("-", " ") .. ": on the point-to-point context. "
      .. "Which value it is, is recorded: the document prints a variable that is never set.",
    requirements = { "IMPI-206" }, ranks = #own,
    run = function(t)
      local inter, pairs_of_ranks = t:inter(own, remote), {}
      for i = 1, #own - 1 do pairs_of_ranks[i] = { i, 0 } end
      local pending = inter:begin("MPI_Intercomm_merge", { high = false })
      local packets = inter:heard(#own - 1, Inter.members)
      t:equal("IMPI-206", "messages of the ranks above 0", inter:looks(packets), inter:expected(8, pairs_of_ranks))
      for _, packet in ipairs(packets) do
        t:record("the value of rank " .. packet.from .. ", which has " .. inter.next, Inter.value(packet, 1))
      end
      if inter:tagged("IMPI-206", packets, Inter.MERGE) then
        t:calls_block("IMPI-206", "before the answer", { table.unpack(pending, 2) })
        inter:answer(Inter.MERGE, Inter.values(inter.next), Inter.values(5001, 1))
        inter:all_good("IMPI-206", pending)
      end
    end,
  }
end

---- what the ranks 0 say ---------------------------------------------------------------------------------------------

-- Judges that rank 0 under test says these two values, to these pairs of ranks and nobody else.
local function says(t, inter, what, pairs_of_ranks, highest, high)
  local packets = inter:heard(#pairs_of_ranks)
  t:equal("IMPI-207", what, inter:looks(packets), inter:expected(16, pairs_of_ranks))
  for _, packet in ipairs(packets) do
    local whom = what .. ", to remote rank " .. packet.to
    t:equal("IMPI-207", whom .. ": the highest value", Inter.value(packet, 1), highest)
    t:equal("IMPI-207", whom .. ": says high", Inter.value(packet, 2) ~= 0, high)
  end
  return inter:tagged("IMPI-207", packets, Inter.MERGE)
end

-- { name, communicators that rank 0 makes before, says high, what the remote ranks 1 and 2 offer, the two values of the
-- remote rank 0, the value said to it, the highest of all, rank in the new communicator }. Without communicators of its
-- own rank 0 has 63; its rank in the world is above those of all remote processes.
local MAXIMA = {
  { "of-rank-0-low-and-high", 4, false, { 63, 65 }, { 67, 1 }, 71, 71, 0 },
  { "of-rank-0-low-and-low", 4, false, { 63, 65 }, { 67, 0 }, 71, 71, 3 },
  { "of-remote-rank-1-high-and-low", 0, true, { 201, 63 }, { 67, 0 }, 201, 201, 3 },
  { "of-remote-rank-2-high-and-high", 0, true, { 63, 203 }, { 67, 1 }, 203, 203, 3 },
  { "of-remote-rank-0-low-and-high", 0, false, { 63, 65 }, { 301, 1 }, 65, 301, 0 },
  { "of-remote-rank-0-high-and-low", 0, true, { 65, 63 }, { 303, 0 }, 65, 303, 3 },
  { "above-32-bits-low-and-high", 1, false, { 63, (1 << 32) + 1 }, { 63, 1 }, (1 << 32) + 1, (1 << 32) + 1, 0 },
  { "above-63-bits-low-and-high", 1, false, { 63, 65 }, { math.mininteger + 11, 1 }, 65, math.mininteger + 11, 0 },
  { "of-rank-2-above-63-bits", 1, true, { 63, math.mininteger + 11 }, { 67, 0 },
    math.mininteger + 11, math.mininteger + 11, 3 },
}

for name, made, high, offers, theirs, exchanged, highest, place in each(MAXIMA) do
  case {
    id = "intercommunicator-merge-highest-" .. name,
    title = "In MPI_Intercomm_merge the ranks 0 exchange highest value and flag, and tell the remote ranks",
    purpose = "The highest value of all is that " .. name:gsub("-", " ") .. ". Two values of eight octets: the highest "
      .. "one, and the own flag. All ranks under test believe what the other group says.",
    requirements = { "IMPI-207" }, ranks = 2,
    run = function(t)
      local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
      inter:raise(0, made)
      local pending = inter:begin("MPI_Intercomm_merge", { high = high })
      for i, offer in ipairs(offers) do
        local packets = inter:heard(i == 1 and 1 or 0)
        if not inter:tagged("IMPI-207", packets, Inter.MERGE) then return end
        t:equal("IMPI-207", "messages of rank 0 before remote rank " .. i .. " has offered",
          inter:looks(Inter.leading(packets)), {})
        inter:say(i, 0, { tag = Inter.MERGE, data = Inter.values(offer) })
      end
      if not says(t, inter, "messages when all have offered", { { 0, 0 } }, exchanged, high) then
        return
      end
      t:calls_block("IMPI-207", "before the remote rank 0 has told anybody", pending)
      inter:say(0, 0, { tag = Inter.MERGE, data = Inter.values(table.unpack(theirs)) })
      if says(t, inter, "messages behind the exchange", { { 0, 1 }, { 0, 2 } }, highest, high) then
        t:calls_block("IMPI-207", "before the remote rank 0 has told it", { pending[2] })
        inter:say(0, 1, { tag = Inter.MERGE, data = Inter.values(highest, theirs[2]) })
        inter:all_good("IMPI-207", pending)
        for i, rank in ipairs(inter.ranks) do
          local result = t:rc("IMPI-207", rank:MPI_Comm_rank { comm = "merged" }, "MPI_SUCCESS")
          t:equal("IMPI-207", "new rank of rank " .. i - 1, result.rank, place + i - 1)
        end
        local contexts = inter:contexts_in("IMPI-207", "merged", place == 0 and 2 or 0)
        t:equal("IMPI-207", "the context identifiers", contexts, { highest + 1, highest + 1 })
      end
    end,
  }
end

---- who comes first --------------------------------------------------------------------------------------------------

-- Scripted are the ranks 0, 3 and 4 of the world, under test are 1 and 2.
-- { name, own ranks, remote ranks, the new order where both say low or both say high }
local ORDERS = {
  { "below", { 1, 2 }, { 3, 4 }, "1,2,3,4" },
  { "below-in-another-order", { 2, 1 }, { 3, 0 }, "2,1,3,0" },
  { "above-in-another-order", { 2, 1 }, { 0, 4 }, "0,4,2,1" },
  { "above-a-larger-one", { 2, 1 }, { 0, 3, 4 }, "0,3,4,2,1" },
  { "above-a-smaller-one", { 2, 1 }, { 0 }, "0,2,1" },
  { "below-a-larger-one", { 2, 1 }, { 3, 0, 4 }, "2,1,3,0,4" },
}

-- Who follows whom in the new communicator, as each rank under test sees it.
local function judge_order(t, inter, expected)
  for i, rank in ipairs(inter.ranks) do
    t:mpi(rank:MPI_Comm_group { group = "world" })
    t:rc("IMPI-208", rank:MPI_Comm_group { comm = "merged", group = "all" }, "MPI_SUCCESS")
    local size = t:rc("IMPI-208", rank:MPI_Comm_size { comm = "merged" }, "MPI_SUCCESS").size
    t:equal("IMPI-208", "size of the new communicator in rank " .. i - 1, size, #inter.own + #inter.remote)
    local places = {}
    for place = 0, size - 1 do places[place + 1] = place end
    local result = t:mpi(rank:MPI_Group_translate_ranks { group1 = "all", ranks1 = table.concat(places, ","),
      group2 = "world" })
    t:equal("IMPI-208", "ranks in the world, in the order of the new communicator, in rank " .. i - 1,
      tostring(result.ranks2), expected)
  end
end

-- Messages between each rank under test and the remote rank 0, which knows its place by the order.
local function exchange(t, inter, order)
  local leader, at, place = inter.remote[1], 0, nil
  for world in order:gmatch("%d+") do
    place = tonumber(world) == leader.rank and at or place
    at = at + 1
  end
  inter:contexts_in("IMPI-208", "merged", place)
  for i, rank in ipairs(inter.ranks) do
    leader:send_short(inter.own[i], 9, i, 8, { cid = inter.next + 1, lsrank = place })
    t:receives("IMPI-208", "a message to rank " .. i - 1, rank, { rank = place }, i, 8, { tag = 9, comm = "merged" })
  end
end

-- The order when one group says high and the other one low.
local function low_first(own, remote, high)
  local first, second = table.concat(own, ","), table.concat(remote, ",")
  return high and second .. "," .. first or first .. "," .. second
end

for name, own, remote, equal_order in each(ORDERS) do
  for high, theirs in each { { false, false }, { false, true }, { true, false }, { true, true } } do
    local expected = high == theirs and equal_order or low_first(own, remote, high)
    case {
      id = string.format("merge-order-%s-%s-and-%s", name, high and "high" or "low", theirs and "high" or "low"),
      title = string.format("A group that says %s is merged with one that says %s", high and "high" or "low",
        theirs and "high" or "low"),
      purpose = string.format("The new communicator has the ranks %s of the world, in this order. Messages go both "
        .. "ways in it.", expected),
      requirements = { "IMPI-208" }, ranks = 2, incoming = true,
      run = function(t)
        local job = t:job_of_clients(1, 3, { np = 2, others = { {}, { hosts = { 2 } } } })
        local inter = job:intercomm { own = own, remote = remote }
        local pending = inter:begin("MPI_Intercomm_merge", { high = high })
        if not inter:tagged("IMPI-208", inter:heard(1, Inter.members), Inter.MERGE) then return end
        inter:answer(Inter.MERGE, Inter.values(inter.next), Inter.values(inter.next, theirs and 1 or 0))
        inter:all_good("IMPI-208", pending)
        judge_order(t, inter, expected)
        exchange(t, inter, expected)
      end,
    }
  end
end

for _, theirs in ipairs { 2, -1, -(1 << 31) } do
  case {
    id = string.format("merge-flag-%x-is-high", theirs),
    title = string.format("A group whose leader tells the flag 0x%x says high", theirs),
    purpose = "The flag is a logical value of the remote program, which may be any number but 0. The group under test says low and comes first, although its ranks in the world are the higher ones.",
    requirements = { "IMPI-208" },
    run = function(t)
      local inter = t:pair():intercomm { own = { 1 }, remote = { 0 } }
      local pending = inter:begin("MPI_Intercomm_merge", { high = false })
      inter:say(0, 0, { tag = Inter.MERGE, data = Inter.values(inter.next, theirs) })
      inter:all_good("IMPI-208", pending)
      judge_order(t, inter, "1,0")
    end,
  }

  case {
    id = string.format("merge-flag-%x-beside-high", theirs),
    title = string.format("A group whose leader tells the flag 0x%x says high, as the other one does", theirs),
    purpose = "Both groups say high, by different numbers. The group under test comes first, as its leader has the lower rank in the world.",
    requirements = { "IMPI-208" }, incoming = true,
    run = function(t)
      local inter = t:job_of_clients(1, 3):intercomm { own = { 1 }, remote = { 2 } }
      local pending = inter:begin("MPI_Intercomm_merge", { high = true })
      inter:say(0, 0, { tag = Inter.MERGE, data = Inter.values(inter.next, theirs) })
      inter:all_good("IMPI-208", pending)
      judge_order(t, inter, "1,2")
    end,
  }
end

-- { the case, what the other group says, the ranks of the world in the new order, title }
local HIGH = {
  { "", 0, "2,1", "A group that says high by %d comes behind one that says low" },
  { "-beside-high", 1, "1,2", "A group that says high by %d says the same as one that says it by 1" },
}

for _, flag in ipairs { 2, 256, -1, -(1 << 31) } do
  for behind, high, order, title in each(HIGH) do
    case {
      id = string.format("merge-high-of-%x%s", flag & 0xffffffff, behind),
      title = string.format(title, flag),
      purpose = "The flag of the call is a logical value: any number but 0 is true. Where both groups say high, the one whose leader has the lower rank in the world comes first.",
      requirements = { "IMPI-208" }, incoming = true,
      run = function(t)
        local inter = t:job_of_clients(1, 3):intercomm { own = { 1 }, remote = { 2 } }
        local pending = inter:begin("MPI_Intercomm_merge", { high = flag })
        inter:say(0, 0, { tag = Inter.MERGE, data = Inter.values(inter.next, high) })
        inter:all_good("IMPI-208", pending)
        judge_order(t, inter, order)
      end,
    }
  end
end

case {
  id = "merge-context-is-its-own",
  title = "The merged communicator has another context identifier than the one of the two groups",
  purpose = "Messages on it carry one more than the highest value of all; those on the intercommunicator still carry what they did.",
  requirements = { "IMPI-104" }, chapter = "3.3", ranks = 2,
  run = function(t)
    local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
    inter.job:needs("datalen", 16)
    local pending = inter:begin("MPI_Intercomm_merge", { high = 0 })
    inter:answer(Inter.MERGE, Inter.values(101), Inter.values(301, 1))
    inter:heard(4)
    inter:all_good("IMPI-104", pending)
    t:equal("IMPI-104", "context identifiers on the merged communicator", inter:contexts_in("IMPI-104", "merged", 2),
      { 302, 302 })
    t:equal("IMPI-104", "context identifiers on the intercommunicator", inter:contexts_in("IMPI-104", inter.name),
      { inter.cid, inter.cid })
  end,
}
