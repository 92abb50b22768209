-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Messages between processes of one client, on a communicator of several: which way they take is the system's own
-- matter, what a program sees of them is not (chapters 3.7.2 and 4.1).

defaults { role = "client", suite = "p2p", chapter = "3.7.2", ranks = 2 }

-- An open job with two ranks under test: the receiving one, the sending one, the process of the former.
local function neighbours(t)
  local job, rank, own = t:pair { np = 2 }
  return rank, job.ranks[1], own
end

for name, octets in each { { "short", 20 }, { "long", 100000 } } do
  case {
    id = "neighbours-order-" .. name,
    title = "Messages of a neighbour are received in the order of sending: " .. name .. " ones",
    purpose = "Six messages, two tags in turns, have come before any is waited for; they are received by source and tag, the second tag first, then six by wildcards.",
    requirements = { "IMPI-156" },
    run = function(t)
      local rank, neighbour, own = neighbours(t)
      for turn, wild in ipairs { false, true } do
        local begun = {}
        for i = 1, 6 do
          begun[i] = neighbour:start_send(t, "MPI_Isend", own, octets, 10 * turn + i, { tag = i % 2 })
        end
        neighbour:start_send(t, "MPI_Isend", own, 4, 9, { tag = 9 })
        t:mpi(rank:MPI_Probe { source = neighbour.world, tag = 9 })
        for _, i in ipairs(wild and { 1, 2, 3, 4, 5, 6 } or { 2, 4, 6, 1, 3, 5 }) do
          local post = rank:post_receive(t, wild and "MPI_ANY_SOURCE" or neighbour.world, octets,
            { tag = wild and "MPI_ANY_TAG" or i % 2 })
          t:receive_completes("IMPI-156", "message " .. i .. " of turn " .. turn, post, 10 * turn + i, octets, i % 2)
          t:completes("IMPI-156", "send " .. i .. " of turn " .. turn, begun[i])
        end
        t:receives("IMPI-156", "the message behind them", rank, { rank = neighbour.world }, 9, 4, { tag = 9 })
      end
    end,
  }
  for form, before in each { { "posted", true }, { "unexpected", false } } do
    case {
      id = "neighbours-truncated-" .. name .. "-" .. form,
      title = "A message of a neighbour that is longer than its receive is an error: a " .. name .. " one, " .. form,
      purpose = "Receives of 6 octets and of none: MPI_ERR_TRUNCATE, and what is behind the room stays as it was. Messages go on.",
      requirements = { "IMPI-157" },
      run = function(t)
        local rank, neighbour, own = neighbours(t)
        for i, room in ipairs { 6, 0 } do
          local buf, begun = rank:new_region(24), nil
          rank:call("fill", { name = buf, offset = 0, octets = 24, pattern = "byte/165" })
          local function send()
            begun = neighbour:start_send(t, "MPI_Isend", own, octets, i, { tag = 1 })
          end
          if not before then
            send()
            t:mpi(rank:MPI_Probe { source = neighbour.world, tag = 1 })
          end
          t:mpi(rank:MPI_Irecv { buf = buf, count = room, source = neighbour.world, tag = 1, request = "q" .. i })
          if before then send() end
          local _, result = rank:complete("q" .. i, 8000)
          t:equal("IMPI-157", "the error with room for " .. room, result.rc, "MPI_ERR_TRUNCATE")
          t:octets("IMPI-157", "behind the room for " .. room, rank, buf, "byte/165", room, 24 - room)
          t:completes("IMPI-157", "the send", begun)
          local next = neighbour:start_send(t, "MPI_Isend", own, 30, 30 + i, { tag = 2 })
          t:receives("IMPI-157", "the next message", rank, { rank = neighbour.world }, 30 + i, 30, { tag = 2 })
          t:completes("IMPI-157", "its send", next)
        end
      end,
    }
  end
end

case {
  id = "neighbours-packed",
  title = "What a neighbour sends as numbers may be received as MPI_PACKED, and what it has packed as numbers",
  purpose = "Three MPI_INT and two MPI_DOUBLE of a neighbour, on the world of two clients: sent as they are and unpacked by MPI_Unpack; packed by MPI_Pack and received as they are.",
  requirements = { "IMPI-181" }, chapter = "4.1",
  run = function(t)
    local rank, neighbour, own = neighbours(t)
    for i, row in ipairs { { "MPI_INT", "int", 3, "16909060,-2,7" }, { "MPI_DOUBLE", "double", 2, "1.5,-0.25" } } do
      local datatype, kind, count, values = table.unpack(row, 1, 4)
      local buf, packed = neighbour:new_region(64), neighbour:new_region(64)
      neighbour:call("write-values", { name = buf, offset = 0, type = kind, values = values })
      local position = t:mpi(neighbour:MPI_Pack { inbuf = buf, incount = count, datatype = datatype, outbuf = packed,
        outsize = 64, position = 0, comm = "MPI_COMM_WORLD" }).position
      t:mpi(neighbour:MPI_Isend { buf = buf, count = count, datatype = datatype, dest = own.rank, tag = 1,
        request = "a" .. i })
      t:mpi(neighbour:MPI_Isend { buf = packed, count = position, datatype = "MPI_PACKED", dest = own.rank, tag = 2,
        request = "b" .. i })
      local room, first, second = rank:new_region(64), rank:new_region(64), rank:new_region(64)
      t:rc("IMPI-181", rank:MPI_Recv { buf = room, count = 64, datatype = "MPI_PACKED", source = neighbour.world,
        tag = 1 }, "MPI_SUCCESS")
      t:rc("IMPI-181", rank:MPI_Unpack { inbuf = room, insize = position, position = 0, outbuf = first,
        outcount = count, datatype = datatype, comm = "MPI_COMM_WORLD" }, "MPI_SUCCESS")
      t:rc("IMPI-181", rank:MPI_Recv { buf = second, count = count, datatype = datatype, source = neighbour.world,
        tag = 2 }, "MPI_SUCCESS")
      for what, region in each { { "sent as they are", first }, { "sent packed", second } } do
        t:equal("IMPI-181", datatype .. ", " .. what, tostring(rank:call("read-values", { name = region, offset = 0,
          type = kind, count = count }).values), values)
      end
    end
  end,
}
