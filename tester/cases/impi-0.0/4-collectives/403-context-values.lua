-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The values behind context identifiers, for each call that makes a communicator (chapters 4.3, 4.4 and 4.6 to 4.9):
-- what a process offers next, that an even value is raised first, that there is an end of them. MPI_Comm_dup and
-- MPI_Comm_create of the world are in 403-communicators.lua.

defaults { role = "client", suite = "communicators", chapter = "4.7" }

-- MPI_Comm_dup of the world begins in the ranks under test, and their offer is judged.
local function offers(t, req, job, expected)
  for i = 0, job.np - 1 do job.ranks[i]:start_MPI_Comm_dup { newcomm = "next" } end
  t:equal(req, "the next offer", job:offered(), expected)
end

-- MPI_Comm_dup of the world with this highest value, which may be even; as set-up. Returns what the rank has then.
local function dup(t, job, highest)
  local call = job.ranks[0]:start_MPI_Comm_dup { newcomm = "before" }
  job:offered()
  job:decide(highest)
  t:mpi(call:finish())
  return highest + 2
end

---- MPI_Comm_split ---------------------------------------------------------------------------------------------------

-- MPI_Comm_split of the world by ranks 2 and 3, under test, which have the colors of ranks 0 and 1; the highest value
-- of all is 61. How MPI_Allgather goes is lost to us: a system that waits for something else than a broadcast by rank 0
-- of what has been gathered is not judged. Returns the context identifier.
local function split(t, req, job, colors)
  local own, other, pending = job.processes[2], job.processes[0], {}
  for i = 0, 1 do
    pending[i + 1] = job:fenced(job.ranks[i]):start_MPI_Comm_split { color = colors[i + 1], key = 0, newcomm = "s" }
  end
  job:offered()
  local cid, parts, octets, packets = job:decide(61), { "", "" }, 0, nil
  repeat
    packets = job:receive_to_fence(1, 3000)
    for _, packet in ipairs(packets) do
      local place = packet.src == own and 1 or 2
      parts[place], octets = parts[place] .. (packet.data or ""), octets + #(packet.data or "")
    end
  until #packets == 0 or octets >= 24
  local came = parts[1] .. parts[2]
  t:skip_if(#came ~= 24, "the system under test does not send color, key and rank of its processes in MPI_Allgather")
  local first, second = string.unpack(">i4", came), string.unpack(">i4", came, 13)
  t:judging(req)
  other:send(own, { tag = 120, cid = 1, data = string.pack(">i4i4i4i4i4i4", first, 0, 0, second, 0, 1) .. came })
  local late = t:now() + 5000
  while not (pending[1]:done() and pending[2]:done()) do
    job:receive_packets(1, 50)
    t:skip_if(t:now() > late, "the system under test does not take a broadcast for the second half of MPI_Allgather")
  end
  for i = 1, 2 do t:rc(req, pending[i]:finish(), "MPI_SUCCESS") end
  return cid
end

for _, colors in ipairs { { 4, 9 }, { 9, 4 } } do
  case {
    id = string.format("split-colors-%d-and-%d-share-a-context", colors[1], colors[2]),
    title = "The communicators of all colors have the one context identifier that was agreed on",
    purpose = string.format("Ranks 2 and 3 of the world have the colors %d and %d, like ranks 0 and 1.", colors[1],
      colors[2]),
    requirements = { "IMPI-189" }, ranks = 2,
    run = function(t)
      local job = t:pair { np = 2, others = { { hosts = { 2 } } } }
      local cid = split(t, "IMPI-189", job, colors)
      for i = 0, 1 do
        job.ranks[i]:start_send(t, "MPI_Isend", { rank = 0 }, 4, 1, { tag = 4711, comm = "s" })
        local packet = t:packet_to("IMPI-189", "a message of rank " .. 2 + i, job.processes[i],
          { src = job.processes[2 + i], type = "message", tag = 4711 })
        t:equal("IMPI-189", "its context identifier", packet.cid, cid)
      end
    end,
  }
end

for name, colors in each { { "two-colors", { 4, 9 } }, { "one-color", { 0, 0 } },
    { "no-color", { "MPI_UNDEFINED", "MPI_UNDEFINED" } } } do
  case {
    id = "context-counted-by-split-with-" .. name,
    title = "MPI_Comm_split counts one context identifier, and the one behind it: " .. name:gsub("-", " "),
    purpose = "The highest value of all was 61: the next offer for the world is 63.",
    requirements = { "IMPI-190" }, ranks = 2,
    run = function(t)
      local job = t:pair { np = 2, others = { { hosts = { 2 } } } }
      split(t, "IMPI-190", job, colors)
      offers(t, "IMPI-190", job, 63)
    end,
  }
end

---- by intercommunicators ---------------------------------------------------------------------------------------------

case {
  id = "context-counted-by-intercomm-create",
  title = "MPI_Intercomm_create counts the context identifier that it has made",
  purpose = "The remote leader has more than the rank under test, less, and more than 32 bits hold: the next offer for the world is the highest value of both groups, and two.",
  requirements = { "IMPI-190" }, chapter = "4.8",
  run = function(t)
    for _, highest in ipairs { 61, 1, 1 << 40 | 1 } do
      local job = t:pair()
      local value = dup(t, job, 31)
      job:intercomm { own = { 1 }, remote = { 0 }, highest = highest }
      offers(t, "IMPI-190", job, math.max(highest, value) + 2)
    end
  end,
}

for _, row in ipairs { { "dup", "MPI_Comm_dup", "DUP", "4.6" }, { "merge", "MPI_Intercomm_merge", "MERGE", "4.9" } } do
  local name, call, tag, chapter = row[1], row[2], row[3], row[4]

  -- What the rank under test says to the remote one when the call begins; and the end of the call.
  local function begin(t, req, inter)
    local pending = inter:begin(call, name == "merge" and { high = true } or nil)
    local packets = inter:heard(1)
    return inter:tagged(req, packets, Inter[tag]) and pending, Inter.value(packets[1], 1)
  end
  local function answer(inter, highest)
    inter:say(0, 0, { tag = Inter[tag], data = name == "merge" and Inter.values(highest, 0) or Inter.values(highest) })
  end

  case {
    id = "context-counted-by-intercommunicator-" .. name,
    title = call .. " of an intercommunicator counts the context identifier that it has made",
    purpose = "The remote rank 0 has 201: the next offer for the world is 203.",
    requirements = { "IMPI-190" }, chapter = chapter,
    run = function(t)
      local job = t:pair()
      local inter = job:intercomm { own = { 1 }, remote = { 0 } }
      local pending = begin(t, "IMPI-190", inter)
      if pending then
        answer(inter, 201)
        inter:all_good("IMPI-190", pending)
        offers(t, "IMPI-190", job, 203)
      end
    end,
  }

  case {
    id = "context-even-is-raised-by-intercommunicator-" .. name,
    title = call .. " of an intercommunicator raises an even value by one before it offers it",
    purpose = "The intercommunicator was made from an even value, 100, which leaves 102: the offer is 103.",
    requirements = { "IMPI-188" }, chapter = chapter,
    run = function(t)
      local inter = t:pair():intercomm { own = { 1 }, remote = { 0 }, highest = 100 }
      local pending, value = begin(t, "IMPI-188", inter)
      if pending then t:equal("IMPI-188", "the value that is offered", value, 103) end
    end,
  }

  case {
    id = "context-used-up-by-intercommunicator-" .. name,
    title = call .. " of an intercommunicator is an error when all context identifiers are used up",
    purpose = "The remote rank 0 has the largest value that there is. The call returns an error, and the world can be used as before.",
    requirements = { "IMPI-191" }, chapter = chapter,
    run = function(t)
      local job, rank, own, other = t:pair()
      local inter = job:intercomm { own = { 1 }, remote = { 0 } }
      local pending = begin(t, "IMPI-191", inter)
      if pending then
        answer(inter, -1)
        local rc = pending[1]:finish().rc
        t:check("IMPI-191", call, rc ~= "MPI_SUCCESS", "an error", rc)
        t:ping_pong("IMPI-191", "afterwards", rank, own, other)
      end
    end,
  }
end

case {
  id = "context-even-is-raised-by-intercomm-create",
  title = "MPI_Intercomm_create raises an even value by one before it offers it",
  purpose = "A communicator was made from an even value, 100, which leaves 102: the leader tells 103.",
  requirements = { "IMPI-188" }, chapter = "4.8",
  run = function(t)
    local job = t:pair()
    dup(t, job, 100)
    local leaders = t:leaders(job, { group = { comm = "MPI_COMM_SELF", ranks = { 1 } }, remote = { 0 } })
    t:equal("IMPI-188", "the value that the leader tells", (leaders:begin():sizes("IMPI-188")), 103)
  end,
}

case {
  id = "context-used-up-by-intercomm-create",
  title = "MPI_Intercomm_create is an error when all context identifiers are used up",
  purpose = "The remote leader has the largest value that there is. The call returns an error, and the world can be used as before.",
  requirements = { "IMPI-191" }, chapter = "4.8",
  run = function(t)
    local job, rank, own, other = t:pair()
    local leaders = t:leaders(job, { group = { comm = "MPI_COMM_SELF", ranks = { 1 } }, remote = { 0 } })
    leaders:begin():sizes("IMPI-191")
    leaders:tell_sizes(-1):tell_list()
    local rc = leaders.calls[1]:finish().rc
    t:check("IMPI-191", "MPI_Intercomm_create", rc ~= "MPI_SUCCESS", "an error", rc)
    other:await { src = own, tag = leaders.tag, ms = 100 } -- the list of ranks, where it has been told all the same
    t:ping_pong("IMPI-191", "afterwards", rank, own, other)
  end,
}

case {
  id = "context-used-up-by-split",
  title = "MPI_Comm_split is an error when all context identifiers are used up",
  purpose = "The highest value of all is the largest that there is. The call returns an error in both ranks, and the world can be used as before.",
  requirements = { "IMPI-191" }, ranks = 2,
  run = function(t)
    local job, rank, own, other = t:pair { np = 2 }
    local pending = {}
    for i = 0, 1 do
      pending[i + 1] = job.ranks[i]:start_MPI_Comm_split { color = 1, key = 0, newcomm = "s" }
    end
    job:offered()
    job:decide(-1)
    for _, call in ipairs(pending) do
      local rc = call:finish().rc
      t:check("IMPI-191", "MPI_Comm_split", rc ~= "MPI_SUCCESS", "an error", rc)
    end
    t:ping_pong("IMPI-191", "afterwards", rank, own, other)
  end,
}

---- on other communicators than the world -----------------------------------------------------------------------------

for name, chapter in each { { "dup", "4.6" }, { "create", "4.4" }, { "split", "4.7" } } do
  case {
    id = "communicator-" .. name .. "-asks-its-own-processes",
    title = "MPI_Comm_" .. name .. " agrees with the processes of the old communicator, over its context identifier",
    purpose = "The old communicator is a copy of the world, then one without process 1: eight octets go to its rank 0, over the context identifier behind its own.",
    requirements = { name == "split" and "IMPI-198" or "IMPI-192" }, chapter = chapter,
    run = function(t)
      local req = name == "split" and "IMPI-198" or "IMPI-192"
      for _, ranks in ipairs { "0,1,2", "1,2" } do
        local job, rank, own = t:pair { others = { { hosts = { 2 } } } }
        local cid, first = job:create("old", ranks), job.processes[tonumber(ranks:sub(1, 1))]
        t:judging(req)
        local given = { comm = "old", newcomm = "new" }
        if name == "create" then
          t:mpi(rank:MPI_Comm_group { comm = "old", group = "all" })
          given.group = "all"
        elseif name == "split" then
          given.color, given.key = 0, 0
        end
        local call = job:fenced(rank)["start_MPI_Comm_" .. name](rank, given)
        local packets = job:receive_to_fence(1)
        local packet = packets[1]
        local sent = #packets == 1 and string.format("%d octets from %s to %s, tag %d, cid %d", packet.msglen,
          packet.src.label, packet.dest.label, packet.tag, packet.cid) or #packets .. " packets"
        if not t:reconstructed(req, "what is sent among " .. ranks, sent, string.format(
            "8 octets from %s to %s, tag 190, cid %d", own.label, first.label, cid + 1)) then
          return
        end
        first:send(own, { tag = 120, cid = cid + 1, lsrank = 0, data = string.pack(">I8", 301) })
        if name ~= "split" then t:rc(req, call:finish(), "MPI_SUCCESS") end
      end
    end,
  }
end

-- What a process has made with others counts, although its master was not among them. Only the value of that process is
-- high: the others of its client know of one communicator beside the world.
for place, call, members in each { { 1, "dup" }, { 2, "dup" }, { 2, "split" }, { 1, "create" },
    { 0, "create", "0" }, { 2, "create", "0,1" } } do -- members: the others are left out
  case {
    id = string.format("context-highest-of-process-%d-for-%s", place, call) .. (members and "-without-it" or ""),
    title = string.format("The client's part in MPI_Comm_%s is the highest value of its processes: that of number %d",
      call, place),
    purpose = "Three processes under test. One of them and a scripted process have a communicator and copy it, for which 300 is passed over; then the world asks all.",
    requirements = { "IMPI-189" }, chapter = "4.3", ranks = 3,
    run = function(t)
      local job = t:pair { np = 3 }
      local first, own = job.processes[0], job.processes[1 + place]
      local cid = job:create("two", "0," .. own.rank)
      local copy = job.ranks[place]:start_MPI_Comm_dup { comm = "two", newcomm = "copy" }
      local offer, reason = first:receive { src = own, tag = 190, cid = cid + 1 }
      if not offer then job:failed("what process " .. place .. " offers for the copy", reason) end
      first:send(own, { tag = 120, cid = cid + 1, lsrank = 0, data = string.pack(">I8", 301) })
      t:mpi(copy:finish())
      local pending = {}
      for i = 0, 2 do
        local rank, given = job.ranks[i], { newcomm = "new" }
        if call == "create" then
          t:mpi(rank:MPI_Comm_group { group = "all" })
          t:mpi(rank:MPI_Group_incl { group = "all", ranks = members or "0,1,2,3", newgroup = "members" })
          given.group = "members"
        elseif call == "split" then
          given.color, given.key = 0, 0
        end
        pending[i + 1] = rank["start_MPI_Comm_" .. call](rank, given)
      end
      t:equal("IMPI-189", "the highest value of the three processes", job:offered(), 303)
    end,
  }
end
