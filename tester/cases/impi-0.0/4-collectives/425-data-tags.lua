-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The tags of collective operations that only move data (chapter 4.25). How their messages go is lost, and so are the
-- chapter's words: only the tag of what comes to other clients is looked at, and another one is a warning. Ranks 0 and
-- 1 of the world are client 0, ranks 2 and 3 client 1.

local SIZE = 4

local function list(value)
  return table.concat({ value, value, value, value }, ",")
end

local function places(octets)
  return string.format("0,%d,%d,%d", octets, 2 * octets, 3 * octets)
end

-- { function, tag, whether the root is under test (nil: it has none), its values for blocks of so many octets }
local CALLS = {
  { "MPI_Gather", 130, false, function(octets) return { sendcount = octets, recvcount = octets } end },
  { "MPI_Gatherv", 140, false, function(octets)
    return { sendcount = octets, recvcounts = list(octets), displs = places(octets) }
  end },
  { "MPI_Scatter", 150, true, function(octets) return { sendcount = octets, recvcount = octets } end },
  { "MPI_Scatterv", 160, true, function(octets)
    return { sendcounts = list(octets), displs = places(octets), recvcount = octets }
  end },
  { "MPI_Alltoall", 170, nil, function(octets) return { sendcount = octets, recvcount = octets } end },
  { "MPI_Alltoallv", 180, nil, function(octets)
    return { sendcounts = list(octets), sdispls = places(octets), recvcounts = list(octets), rdispls = places(octets) }
  end },
}

-- The call begins in both processes under test.
local function begin(job, call, octets, root, values_for)
  for i = 0, 1 do
    local rank, values = job.ranks[i], values_for(octets)
    values.sendbuf, values.recvbuf = rank:new_region(SIZE * octets, 1), rank:new_region(SIZE * octets)
    values.sendtype, values.recvtype, values.comm, values.root = "MPI_BYTE", "MPI_BYTE", "MPI_COMM_WORLD", root
    values.deadline = 30000
    job:fenced(rank)["start_" .. call](rank, values)
  end
end

for _, row in ipairs(CALLS) do
  local call, tag, own_root, values_for = table.unpack(row, 1, 4)
  for place = 0, 1 do
    for _, octets in ipairs { 4, 1024, 5000 } do
      case {
        id = string.format("tag-of-%s-%d-from-client-%d", call:sub(5):lower(), octets, place),
        title = string.format("Messages of %s have tag %d", call, tag),
        purpose = string.format("What two processes of client %d send to the other client, in blocks of %d octets%s.",
          place, octets, own_root and "; one of them is the root" or own_root == false and "; the root is there" or ""),
        role = "client", incoming = place == 0, ranks = 2, suite = "collective", chapter = "4.25",
        requirements = { "IMPI-239" },
        run = function(t)
          local job, root = t:job_of_clients(place, 2, { np = 2, each = { 2 } }), nil
          if own_root ~= nil then root = job:master(own_root and place or 1 - place).rank end
          begin(job, call, octets, root, values_for)
          local packets = job:receive_to_fence(1)
          t:skip_if(#packets == 0,
            "the system under test sends nothing before the other client does; how this call goes is lost")
          for _, packet in ipairs(packets) do
            t:record("a message", string.format("%d octets from %s to %s, cid %d", packet.msglen, packet.src.label,
              packet.dest.label, packet.cid))
            t:reconstructed("IMPI-239", "tag of a message to " .. packet.dest.label, packet.tag, tag)
          end
        end,
      }
    end
  end
end

---- other tags (IMPI-238) --------------------------------------------------------------------------------------------

for place, count in each { { 0, 2 }, { 1, 3 } } do
  case {
    id = string.format("tag-of-scan-%d-of-%d", place, count),
    title = "Messages of MPI_Scan have tag 200",
    purpose = string.format("What rank %d of %d, which is under test, sends to the next one.", place, count),
    role = "client", incoming = true, suite = "collective", chapter = "4.25", requirements = { "IMPI-238" },
    run = function(t)
      local job = t:job_of_clients(place, count)
      job:start_collective("MPI_Scan", { value = Operand.digits })
      if place > 0 then job:send_operand(place - 1, place, Operand.digits(0), { tag = 200 }) end
      local packets = job:receive_to_fence(1)
      t:reconstructed("IMPI-238", "the messages", #packets, 1)
      for _, packet in ipairs(packets) do
        t:reconstructed("IMPI-238", "tag of a message to " .. packet.dest.label, packet.tag, 200)
      end
    end,
  }
end

for call, tag, given in each { { "MPI_Comm_dup", 210 }, { "MPI_Intercomm_merge", 220, { high = 0 } },
    { "MPI_Comm_free", 230 } } do
  case {
    id = "tag-between-groups-of-" .. call:lower():match("_(%l+)$"),
    title = string.format("Messages of %s of an intercommunicator have tag %d", call, tag),
    purpose = "Two processes under test and three others: what those above rank 0 tell the remote rank 0 before anything has come from there.",
    role = "client", ranks = 2, suite = "collective", chapter = "4.25", requirements = { "IMPI-238" },
    run = function(t)
      local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
      inter:begin(call, given)
      local packets = inter:heard(1, Inter.members)
      t:reconstructed("IMPI-238", "messages of those above rank 0", #packets, 1)
      for _, packet in ipairs(packets) do
        t:reconstructed("IMPI-238", "tag of the message of rank " .. packet.from, packet.tag, tag)
      end
    end,
  }
end
