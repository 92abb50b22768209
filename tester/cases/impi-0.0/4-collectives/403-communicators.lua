-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- New communicators: how their context identifiers come about, and who belongs to them (chapters 4.3 to 4.7). The
-- scripted rank 0 sees what the processes under test offer, and says what the highest value of all is.

defaults { role = "client", suite = "communicators", chapter = "4.3" }

-- MPI_Comm_dup begins in all ranks: the calls.
local function begin_dup(job, name)
  local pending = {}
  for i = 0, job.np - 1 do pending[i + 1] = job:fenced(job.ranks[i]):start_MPI_Comm_dup { newcomm = name } end
  return pending
end

-- All of them end well.
local function all_good(t, req, pending)
  for _, call in ipairs(pending) do t:rc(req, call:finish(), "MPI_SUCCESS") end
end

-- The context identifier of messages that a rank sends on a communicator of which process 0 has this rank.
local function context_of(t, req, job, comm, place)
  local own, other = job:master(job.rank), job.processes[0]
  job.ranks[0]:start_send(t, "MPI_Isend", { rank = place }, 4, 1, { tag = 4711, comm = comm })
  local packet = t:packet_to(req, "a message on " .. comm, other, { src = own, type = "message", tag = 4711 })
  return packet.cid
end

---- which identifier -------------------------------------------------------------------------------------------------

for _, np in ipairs { 1, 3 } do
  case {
    id = "context-first-of-" .. np,
    title = "The first new communicator has the context identifiers 2 and 3",
    purpose = string.format("%d process(es) offer 1 when no communicator has been made; none has a higher value.", np),
    requirements = { "IMPI-187" }, ranks = np,
    run = function(t)
      local job = t:pair { np = np }
      local pending = begin_dup(job, "a")
      if t:reconstructed("IMPI-187", "the first offer", job:offered(), 1) then
        job:decide(1)
        all_good(t, "IMPI-187", pending)
        t:reconstructed("IMPI-187", "the first context identifier", context_of(t, "IMPI-187", job, "a", 0), 2)
      end
    end,
  }
end

for name, highest in each { { "one", 1 }, { "hundred", 101 }, { "above-32-bits", (1 << 32) + 1 }, { "above-63-bits",
    math.mininteger + 11 } } do
  case {
    id = "context-highest-and-one-" .. name,
    title = string.format("When the highest value of all is 0x%x, the new context identifier is one more", highest),
    purpose = "Messages on the new communicator carry it, and its barrier the next one; what comes with it is received there.",
    requirements = { "IMPI-189" },
    run = function(t)
      local job, rank, own, other = t:pair()
      local pending = begin_dup(job, "a")
      job:offered()
      local cid = job:decide(highest)
      all_good(t, "IMPI-189", pending)
      t:equal("IMPI-189", "the context identifier", context_of(t, "IMPI-189", job, "a", 0), cid)
      other:send_short(own, 5, 5, 8, { cid = cid })
      t:receives("IMPI-189", "a message with it", rank, other, 5, 8, { tag = 5, comm = "a" })
      job:start_barrier("a")
      t:packet_to("IMPI-189", "a barrier on the new communicator", other, { src = own, cid = cid + 1 })
      job:send_barrier({ 0 }, { cid = cid + 1 })
      t:barrier_completes("IMPI-189", "on the new communicator", job)
    end,
  }
end

-- The client under test has rank 0, and two scripted processes offer these values. What it tells them all, or nil where
-- it goes another way than by a reduction to rank 0 and a broadcast from there.
local function decided_by_rank_0(t, job, name, offers)
  local pending = begin_dup(job, name)
  for client, value in ipairs(offers) do
    job:master(client):send(job:master(0), { tag = 190, cid = 1, data = string.pack(">I8", value) })
  end
  local packets = job:receive_to_fence(2)
  local looks = {}
  for i, packet in ipairs(packets) do
    looks[i] = string.format("%d octets to %s, tag %d, cid %d", packet.msglen, packet.dest.label, packet.tag,
      packet.cid)
  end
  table.sort(looks)
  local expected = {}
  for client = 1, 2 do
    expected[client] = string.format("8 octets to %s, tag 120, cid 1", job:master(client).label)
  end
  table.sort(expected)
  if not t:reconstructed("IMPI-189", "what rank 0 tells", looks, expected) then return nil end
  all_good(t, "IMPI-189", pending)
  local values = {}
  for i, packet in ipairs(packets) do values[i] = string.unpack(">I8", packet.data) end
  return values
end

for name, first, second in each { { "the-second", 63, 61 }, { "the-third", 63, 9001 },
    { "the-third-above-32-bits", 63, (1 << 32) + 1 }, { "the-second-above-63-bits", math.mininteger + 11, 61 },
    { "the-third-above-63-bits", 61, math.mininteger + 11 } } do
  case {
    id = "context-highest-found-by-rank-0-of-" .. name,
    title = "Rank 0 finds the highest value of all clients: that of " .. name:gsub("-", " "),
    purpose = "The client under test, of two processes, is the first of three, and has 1. It tells the highest value; a message on the new communicator has the next one. When another one is made it has the highest value itself.",
    requirements = { "IMPI-189" }, ranks = 2, incoming = true,
    run = function(t)
      local job = t:job_of_clients(0, 3, { np = 2 })
      local highest = math.ult(first, second) and second or first
      for i, offers in ipairs { { first, second }, { 1, 5 } } do
        local values = decided_by_rank_0(t, job, "a" .. i, offers)
        if not values then return end
        t:equal("IMPI-189", "the highest value of all, as rank 0 tells it", values, { highest, highest })
        job.ranks[1]:start_send(t, "MPI_Isend", { rank = 3 }, 4, 1, { tag = 4711, comm = "a" .. i })
        local packet = t:packet_to("IMPI-189", "a message on the new communicator", job:master(2),
          { src = job.processes[1], type = "message", tag = 4711 })
        t:equal("IMPI-189", "its context identifier", packet.cid, highest + 1)
        highest = highest + 2
      end
    end,
  }
end

for _, highest in ipairs { 100, 1 << 40 } do
  case {
    id = "context-even-is-raised-" .. highest,
    title = "A value that has become even is raised by one before it is offered",
    purpose = string.format("The highest value of all was %d, which leaves %d: the next offer is odd, one more.",
      highest, highest + 2),
    requirements = { "IMPI-188" },
    run = function(t)
      local job = t:pair()
      local pending = begin_dup(job, "a")
      t:check("IMPI-188", "the first offer", job:offered() % 2 == 1, "an odd number", "an even one")
      job:decide(highest)
      all_good(t, "IMPI-188", pending)
      begin_dup(job, "b")
      t:equal("IMPI-188", "the next offer", job:offered(), highest + 3)
    end,
  }
end

case {
  id = "context-next-offer",
  title = "The next offer is the highest value of all, and two",
  purpose = "Three communicators one after the other; a process of the other client has made many of its own before the second.",
  requirements = { "IMPI-190" }, ranks = 2,
  run = function(t)
    local job = t:pair { np = 2 }
    local pending = begin_dup(job, "a")
    local highest = job:offered() | 1
    for i, least in ipairs { 0, 5001, 0, 0 } do
      highest = math.max(highest, least)
      job:decide(highest)
      all_good(t, "IMPI-190", pending)
      pending = begin_dup(job, "b" .. i)
      t:equal("IMPI-190", "offer " .. i + 1, job:offered(), highest + 2)
      highest = highest + 2
    end
  end,
}

case {
  id = "context-next-offer-behind-a-free",
  title = "The next offer is two more also when the communicator has been freed meanwhile",
  purpose = "Three communicators are made, each when the one before is gone; a message on the last has its context identifier.",
  requirements = { "IMPI-190" }, ranks = 2,
  run = function(t)
    local job, _, own, other = t:pair { np = 2 }
    local highest
    for i = 1, 3 do
      local pending = begin_dup(job, "a" .. i)
      local offer = job:offered()
      if highest then t:equal("IMPI-190", "offer " .. i, offer, highest + 2) end
      highest = offer | 1
      job:decide(highest)
      all_good(t, "IMPI-190", pending)
      for place = 0, i < 3 and 1 or -1 do
        pending[place + 1] = job:fenced(job.ranks[place]):start_MPI_Comm_free { comm = "a" .. i }
      end
      if i < 3 then
        other:await { src = own, tag = 110 }
        other:send(own, { tag = 110, cid = highest + 2 })
        for _, call in ipairs(pending) do t:mpi(call:finish()) end
      end
    end
    t:equal("IMPI-190", "the last context identifier", context_of(t, "IMPI-190", job, "a3", 0), highest + 1)
  end,
}

case {
  id = "context-next-offer-of-who-is-left-out",
  title = "A process that the new communicator does not have counts it too",
  purpose = "MPI_Comm_create with process 0 alone: the ranks under test are given MPI_COMM_NULL, and their next offer is the highest value and two.",
  requirements = { "IMPI-190" }, ranks = 2,
  run = function(t)
    local job, pending = t:pair { np = 2 }, {}
    for i = 0, 1 do
      local rank = job.ranks[i]
      t:mpi(rank:MPI_Comm_group { group = "world" })
      t:mpi(rank:MPI_Group_incl { group = "world", ranks = "0", newgroup = "first" })
      pending[i + 1] = rank:start_MPI_Comm_create { group = "first", newcomm = "c" }
    end
    job:offered()
    job:decide(201)
    for _, call in ipairs(pending) do
      local result = t:rc("IMPI-190", call:finish(), "MPI_SUCCESS")
      t:equal("IMPI-190", "the communicator of who is left out", result.newcomm, "MPI_COMM_NULL")
    end
    begin_dup(job, "a")
    t:equal("IMPI-190", "the next offer", job:offered(), 203)
  end,
}

for name, highest in each { { "the-largest", -1 }, { "the-limit", -16 }, { "one-below-the-limit", -17 } } do
  case {
    id = "context-used-up-" .. name,
    title = string.format("A highest value of 0x%x leaves no context identifier: an error", highest),
    purpose = "A communicator has been made. MPI_Comm_dup returns an error, in both ranks. The world can be used as before: the next offer is the same, and MPI_Comm_dup succeeds where nobody has more.",
    requirements = { "IMPI-191" }, ranks = 2,
    run = function(t)
      local job, rank, own, other = t:pair { np = 2 }
      t:ping_pong("IMPI-191", "before", rank, own, other)
      job:dup("made")
      local pending = begin_dup(job, "a")
      local offer = job:offered()
      job:decide(highest)
      for _, call in ipairs(pending) do
        local rc = call:finish().rc
        if highest == -1 then
          t:check("IMPI-191", "MPI_Comm_dup", rc ~= "MPI_SUCCESS", "an error", rc)
        elseif not t:reconstructed("IMPI-191", "MPI_Comm_dup succeeds", rc == "MPI_SUCCESS", false) then
          return -- where the limit lies is not in the document as we have it
        end
      end
      t:ping_pong("IMPI-191", "afterwards", rank, own, other)
      pending = begin_dup(job, "b")
      t:equal("IMPI-191", "the offer behind the error", job:offered(), offer)
      job:decide(offer)
      all_good(t, "IMPI-191", pending)
    end,
  }
end

case {
  id = "context-last-but-one",
  title = "A highest value of IMPI_MAX_CID - 3 is not too large",
  purpose = "IMPI_MAX_CID is 0xfffffffffffffff0: the new communicator has the context identifier 0xffffffffffffffee. The next one cannot be made.",
  requirements = { "IMPI-240" }, chapter = "4.25",
  run = function(t)
    local job = t:pair()
    local pending = begin_dup(job, "a")
    job:offered()
    job:decide(-19)
    if t:reconstructed("IMPI-240", "MPI_Comm_dup at IMPI_MAX_CID - 3", pending[1]:finish().rc, "MPI_SUCCESS") then
      t:reconstructed("IMPI-240", "the context identifier", context_of(t, "IMPI-240", job, "a", 0), -18)
      pending = begin_dup(job, "b")
      if t:reconstructed("IMPI-240", "the next offer", job:offered(), -17) then
        job:decide(-17)
        t:reconstructed("IMPI-240", "MPI_Comm_dup at IMPI_MAX_CID - 1 succeeds",
          pending[1]:finish().rc == "MPI_SUCCESS", false)
      end
    end
  end,
}

---- who says what ----------------------------------------------------------------------------------------------------

-- What a packet of an agreement is like.
local function look(packet)
  return packet and string.format("%d octets, tag %d, cid %d", packet.msglen, packet.tag, packet.cid) or "nothing"
end

for _, call in ipairs { "dup", "create" } do
  local function begin(t, job)
    if call == "dup" then return begin_dup(job, "a") end
    local rank = job.ranks[0]
    t:mpi(rank:MPI_Comm_group { group = "world" })
    t:mpi(rank:MPI_Group_incl { group = "world", ranks = "1,0", newgroup = "reverse" })
    return { job:fenced(rank):start_MPI_Comm_create { group = "reverse", newcomm = "a" } }
  end
  case {
    id = "communicator-" .. call .. "-reduces-and-broadcasts",
    title = "MPI_Comm_" .. call .. " reduces eight octets to rank 0, which broadcasts eight octets",
    purpose = "The process under test offers its value in one message, and waits for the highest one.",
    requirements = { "IMPI-192" }, chapter = call == "dup" and "4.6" or "4.4",
    run = function(t)
      local job = t:pair()
      local pending = begin(t, job)
      local packets = job:receive_to_fence(1)
      if t:reconstructed("IMPI-192", "what is sent", #packets == 1 and look(packets[1]), "8 octets, tag 190, cid 1")
          and t:reconstructed("IMPI-192", "the call has returned before the broadcast", pending[1]:done(), false) then
        job:decide(31)
        all_good(t, "IMPI-192", pending)
        t:reconstructed("IMPI-192", "packets behind it until the job ends", #job:remaining_packets(), 0)
      end
    end,
  }
  case {
    id = "communicator-" .. call .. "-of-rank-0",
    title = "Rank 0 broadcasts the highest of all values in MPI_Comm_" .. call,
    purpose = "The scripted process offers 51: it is sent 51, in eight octets, and not before it has offered.",
    requirements = { "IMPI-192" }, chapter = call == "dup" and "4.6" or "4.4", incoming = true,
    run = function(t)
      local job, _, own, other = t:pair { rank = 0 }
      local pending = begin(t, job)
      if t:reconstructed("IMPI-192", "packets before the other's offer", #job:receive_to_fence(0), 0) then
        other:send(own, { tag = 190, cid = 1, data = string.pack(">I8", 51) })
        local packet = job:receive_to_fence(1)[1]
        if t:reconstructed("IMPI-192", "the broadcast", look(packet), "8 octets, tag 120, cid 1") then
          t:reconstructed("IMPI-192", "the highest value", string.unpack(">I8", packet.data), 51)
          all_good(t, "IMPI-192", pending)
        end
      end
    end,
  }
end

case {
  id = "communicator-create-of-nobody",
  title = "MPI_Comm_create of a group without members is agreed on like any other",
  purpose = "All ranks under test give the empty group: they offer, and wait for the highest value of all, before they are given MPI_COMM_NULL. They count it: the next offer is that value and two.",
  requirements = { "IMPI-192" }, chapter = "4.4", ranks = 2,
  run = function(t)
    local job, pending = t:pair { np = 2 }, {}
    job:judging("IMPI-192")
    for i = 0, 1 do
      local rank = job.ranks[i]
      t:mpi(rank:MPI_Comm_group { group = "world" })
      t:mpi(rank:MPI_Group_difference { group1 = "world", group2 = "world", newgroup = "nobody" })
      pending[i + 1] = rank:start_MPI_Comm_create { group = "nobody", newcomm = "c" }
    end
    job:offered()
    t:calls_block("IMPI-192", "before the highest value of all is told", pending)
    job:decide(301)
    for _, call in ipairs(pending) do
      local result = t:rc("IMPI-192", call:finish(), "MPI_SUCCESS")
      t:equal("IMPI-192", "the communicator of nobody", result.newcomm, "MPI_COMM_NULL")
    end
    begin_dup(job, "a")
    t:equal("IMPI-192", "the next offer", job:offered(), 303)
  end,
}

case {
  id = "communicator-free-waits-each-time",
  title = "MPI_Comm_free waits for all processes of each communicator",
  purpose = "Three communicators are freed one after the other, and the other client is late each time.",
  requirements = { "IMPI-193" }, chapter = "4.5",
  run = function(t)
    local job, _, own, other = t:pair()
    local cids = {}
    for i, name in ipairs { "a", "b", "c" } do cids[i] = job:dup(name) end
    for i, name in ipairs { "b", "a", "c" } do
      local cid = cids[({ 2, 1, 3 })[i]] + 1
      local pending = { job:fenced(job.ranks[0]):start_MPI_Comm_free { comm = name } }
      t:packet_to("IMPI-193", "the barrier's message for " .. name, other, { src = own, tag = 110, cid = cid })
      t:calls_block("IMPI-193", "before the other client has answered", pending)
      other:send(own, { tag = 110, cid = cid })
      all_good(t, "IMPI-193", pending)
    end
  end,
}

for place = 0, 1 do
  case {
    id = "communicator-free-is-a-barrier-of-client-" .. place,
    title = "MPI_Comm_free waits for all processes of the communicator",
    purpose = "The other client is late: the call does not return. The messages are those of a barrier on the communicator, over the context identifier behind its own.",
    requirements = { "IMPI-193" }, chapter = "4.5", ranks = 2, incoming = place == 0,
    run = function(t)
      local job, _, own, other = t:pair { rank = place, np = 2 }
      local cid, pending = nil, begin_dup(job, "a")
      if place == 0 then
        other:send(own, { tag = 190, cid = 1, data = string.pack(">I8", 1) })
        local packet = t:packet_to("IMPI-193", "the broadcast", other, { src = own, tag = 120 })
        cid = string.unpack(">I8", packet.data) + 1
        all_good(t, "IMPI-193", pending)
      else
        cid = job:agree(pending)
      end
      for i = 0, 1 do pending[i + 1] = job:fenced(job.ranks[i]):start_MPI_Comm_free { comm = "a" } end
      if place == 1 then
        t:packet_to("IMPI-193", "the barrier's message", other, { src = own, tag = 110, cid = cid + 1 })
      end
      t:equal("IMPI-193", "packets while the other client is late", #job:receive_to_fence(0), 0)
      for i = 1, 2 do
        t:check("IMPI-193", "MPI_Comm_free", not pending[i]:done(), "has not returned", "has returned")
      end
      other:send(own, { tag = 110, cid = cid + 1 })
      all_good(t, "IMPI-193", pending)
      if place == 0 then
        t:packet_to("IMPI-193", "the answer", other, { src = own, tag = 110, cid = cid + 1 })
      end
    end,
  }
end

---- MPI_Comm_split ---------------------------------------------------------------------------------------------------

-- MPI_Comm_split begins in all ranks, with these colours and keys.
local function begin_split(job, colors, keys)
  local pending = {}
  for i = 0, job.np - 1 do
    pending[i + 1] = job:fenced(job.ranks[i]):start_MPI_Comm_split { color = colors[i + 1], key = keys[i + 1],
      newcomm = "s" }
  end
  return pending
end

-- { name, colours, keys, ranks in the new communicators }
local SPLITS = {
  { "equal-keys", { 0, 0, 0, 0 }, { 7, 7, 7, 7 }, { 0, 1, 2, 3 } },
  { "falling-keys", { 1, 1, 1, 1 }, { 3, 2, 1, 0 }, { 3, 2, 1, 0 } },
  { "negative-keys", { 5, 5, 5, 5 }, { 0, -1, 2147483647, -2147483648 }, { 2, 1, 3, 0 } },
  { "two-colors", { 0, 1, 0, 1 }, { 1, 1, 0, 1 }, { 1, 0, 0, 1 } },
  { "some-keys-equal", { 2, 2, 2, 2 }, { 1, 0, 1, 0 }, { 2, 0, 3, 1 } },
  { "colors-far-apart", { 0, 65536, 0, 2147483647 }, { 0, 0, -5, 0 }, { 1, 0, 0, 0 } },
}

-- How many of these colours are this one.
local function count_of(colors, wanted)
  local count = 0
  for _, color in ipairs(colors) do count = count + (color == wanted and 1 or 0) end
  return count
end

for name, colors, keys, ranks in each(SPLITS) do
  case {
    id = "split-order-" .. name,
    title = "Ranks in a split communicator follow the key, then the old rank",
    purpose = "Four processes of one client: " .. name:gsub("-", " ") .. ".",
    requirements = { "IMPI-199", "IMPI-198" }, chapter = "4.7", ranks = 4,
    run = function(t)
      local job = t:impi_job { np = 4, others = {} }:open()
      all_good(t, "IMPI-199", begin_split(job, colors, keys))
      for i = 0, 3 do
        t:equal("IMPI-198", "processes with the color of rank " .. i, t:mpi(job.ranks[i]:MPI_Comm_size {
          comm = "s" }).size, count_of(colors, colors[i + 1]))
        local result = t:rc("IMPI-199", job.ranks[i]:MPI_Comm_rank { comm = "s" }, "MPI_SUCCESS")
        t:equal("IMPI-199", "new rank of rank " .. i, result.rank, ranks[i + 1])
      end
    end,
  }
end

case {
  id = "split-order-of-a-permuted-communicator",
  title = "Equal keys keep the order of the old communicator, whatever that of the world is",
  purpose = "Four processes of one client are split in falling order, and that communicator is split again: all keys equal, then two and two.",
  requirements = { "IMPI-199" }, chapter = "4.7", ranks = 4,
  run = function(t)
    local job = t:impi_job { np = 4, others = {} }:open()
    local function split(old, new, keys, ranks)
      local pending = {}
      for i = 0, 3 do
        pending[i + 1] = job.ranks[i]:start_MPI_Comm_split { comm = old, color = 0, key = keys[i + 1], newcomm = new }
      end
      all_good(t, "IMPI-199", pending)
      for i = 0, 3 do
        local result = t:rc("IMPI-199", job.ranks[i]:MPI_Comm_rank { comm = new }, "MPI_SUCCESS")
        t:equal("IMPI-199", "rank of process " .. i .. " in " .. new, result.rank, ranks[i + 1])
      end
    end
    split("MPI_COMM_WORLD", "falling", { 3, 2, 1, 0 }, { 3, 2, 1, 0 })
    split("falling", "equal", { 5, 5, 5, 5 }, { 3, 2, 1, 0 })
    split("falling", "halves", { 1, 0, 1, 0 }, { 3, 1, 2, 0 })
  end,
}

case {
  id = "split-without-color",
  title = "A process with MPI_UNDEFINED for a color is given MPI_COMM_NULL",
  purpose = "Two of four processes of one client take part without a color: the others have a communicator of two.",
  requirements = { "IMPI-200" }, chapter = "4.7", ranks = 4,
  run = function(t)
    local job = t:impi_job { np = 4, others = {} }:open()
    local pending = begin_split(job, { "MPI_UNDEFINED", 0, "MPI_UNDEFINED", 0 }, { 0, 0, 0, 0 })
    for i = 0, 3 do
      local result = t:rc("IMPI-200", pending[i + 1]:finish(), "MPI_SUCCESS")
      t:equal("IMPI-200", "rank " .. i .. " is given MPI_COMM_NULL", result.newcomm == "MPI_COMM_NULL", i % 2 == 0)
      if i % 2 == 1 then
        t:equal("IMPI-200", "size for rank " .. i, t:mpi(job.ranks[i]:MPI_Comm_size { comm = "s" }).size, 2)
      end
    end
  end,
}

-- Takes data that the processes under test send until there are so many octets of it, or no more comes.
local function collect(job, octets)
  local data = ""
  repeat
    local packets = job:receive_to_fence(1, 3000)
    for _, packet in ipairs(packets) do data = data .. (packet.data or "") end
  until #packets == 0 or #data >= octets
  return data
end

-- Whether these twelve octets are among what was collected.
local function has(data, color, key, rank)
  return data:find(string.pack(">i4i4i4", color, key, rank), 1, true) ~= nil
end

for name, colors in each { { "with", { 4, 9 } }, { "without", { "MPI_UNDEFINED", "MPI_UNDEFINED" } } } do
  local req = name == "with" and "IMPI-198" or "IMPI-200"
  case {
    id = "split-of-two-clients-" .. name .. "-color",
    title = "MPI_Comm_split agrees on a context identifier, then tells color, key and rank of all, " .. name
      .. " a color",
    purpose = "Nothing but the offer comes before the highest value is told. Behind it come twelve octets for each process under test: color, key and rank.",
    requirements = { req }, chapter = "4.7", ranks = 2,
    run = function(t)
      local job = t:pair { np = 2 }
      begin_split(job, colors, { 70000, -2 })
      job:offered()
      t:equal(req, "packets before the highest value is told", #job:receive_to_fence(0), 0)
      job:decide(1)
      local data = collect(job, 24)
      -- How MPI_Allgather goes is lost to us: who waits for something else first sends nothing yet, or some of it.
      if #data == 0 or #data == 12 then return t:reconstructed(req, "octets that are gathered at once", #data, 24) end
      t:equal(req, "octets that are gathered", #data, 24)
      if name == "with" then
        local both = has(data, 4, 70000, 1) and has(data, 9, -2, 2)
        t:check(req, "color, key and rank of both processes", both, "are there", Values.show(data))
      else
        t:check(req, "key and rank of both processes", data:find(string.pack(">i4i4", 70000, 1), 1, true)
          and data:find(string.pack(">i4i4", -2, 2), 1, true), "are there", Values.show(data))
      end
    end,
  }
end

case {
  id = "split-across-clients",
  title = "A split of two clients has ranks by key, and the context identifier that was agreed on",
  purpose = "Process 0 has the key between those of the two processes under test. Rank 0 broadcasts what was gathered. How MPI_Allgather goes is lost to us, so a system that waits for something else is not judged.",
  requirements = { "IMPI-199" }, chapter = "4.7", ranks = 2,
  run = function(t)
    local job, _, own, other = t:pair { np = 2 }
    local pending = begin_split(job, { 4, 4 }, { 10, -10 })
    job:offered()
    local cid = job:decide(61)
    collect(job, 24)
    other:send(own, { tag = 120, cid = 1, data = string.pack(">i4i4i4i4i4i4i4i4i4", 4, 0, 0, 4, 10, 1, 4, -10, 2) })
    local late = t:now() + 5000
    while not (pending[1]:done() and pending[2]:done()) do
      job:receive_packets(1, 50)
      t:skip_if(t:now() > late, "the system under test does not take a broadcast for the second half of MPI_Allgather")
    end
    all_good(t, "IMPI-199", pending)
    for i, place in ipairs { 2, 0 } do
      t:equal("IMPI-199", "new rank of rank " .. i, t:mpi(job.ranks[i - 1]:MPI_Comm_rank { comm = "s" }).rank, place)
    end
    t:equal("IMPI-199", "its context identifier", context_of(t, "IMPI-199", job, "s", 1), cid)
  end,
}

case {
  id = "split-tells-ranks-of-the-old-communicator",
  title = "MPI_Comm_split tells color, key and the rank in the communicator that is split",
  purpose = "The old communicator has the processes of the world in the order 0, 2, 1. Behind the highest value come twelve octets for each process under test, with the ranks 2 and 1.",
  requirements = { "IMPI-198" }, chapter = "4.7", ranks = 2,
  run = function(t)
    local job, _, _, other = t:pair { np = 2 }
    local cid = job:create("old", "0,2,1")
    local colors, keys = { 4, 9 }, { 70000, -2 }
    t:judging("IMPI-198")
    for i = 1, 2 do
      job:fenced(job.ranks[i - 1]):start_MPI_Comm_split { comm = "old", color = colors[i], key = keys[i],
        newcomm = "s" }
    end
    job:receive_to_fence(1)
    other:send(job.processes[2], { tag = 120, cid = cid + 1, lsrank = 0, data = string.pack(">I8", 301) })
    local data = collect(job, 24)
    -- How MPI_Allgather goes is lost to us: who waits for something else first sends less, or nothing yet.
    if #data < 24 then return t:reconstructed("IMPI-198", "octets that are gathered at once", #data, 24) end
    t:equal("IMPI-198", "octets that are gathered", #data, 24)
    t:check("IMPI-198", "color, key and rank of both processes", has(data, 4, 70000, 2) and has(data, 9, -2, 1),
      "are there", Values.digits(data))
  end,
}
