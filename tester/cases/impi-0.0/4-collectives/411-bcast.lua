-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Bcast (chapter 4.11): what its messages are like, and its linear form. The chapter's words are lost; the
-- statements are put together from other sources, so that another way is a warning (t:reconstructed).

defaults { role = "client", suite = "collective", chapter = "4.11" }

---- messages ---------------------------------------------------------------------------------------------------------

-- Values and how they travel in external32, written by hand; `room` is the most that one takes here.
local DATA = {
  int = Bcast.NUMBERS,
  char = { datatype = "MPI_CHAR", kind = "signed-char", room = 1, values = { "65", "127", "0" },
    octets = "\x41\x7f\x00" },
  short = { datatype = "MPI_SHORT", kind = "short", room = 2, values = { "-2", "258" }, octets = "\xff\xfe\x01\x02" },
  long = { datatype = "MPI_LONG", kind = "long", room = 16, values = { "-2", "16909060" },
    octets = "\xff\xff\xff\xfe\x01\x02\x03\x04" },
  float = { datatype = "MPI_FLOAT", kind = "float", room = 4, values = { "-1.5", "2" },
    octets = "\xbf\xc0\x00\x00\x40\x00\x00\x00" },
  double = { datatype = "MPI_DOUBLE", kind = "double", room = 8, values = { "1.5", "-2" },
    octets = "\x3f\xf8\x00\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x00" },
}

local function look(packet)
  return string.format("%d octets, tag %d, cid %d", packet.msglen, packet.tag, packet.cid)
end

-- The message in which data go on the context `cid`.
local function expected(data, cid)
  return string.format("%d octets, tag 120, cid %d", #data.octets, cid or 1)
end

-- Judges a message of a broadcast, or that there is none.
local function judge_message(t, packet, data, cid)
  return t:reconstructed("IMPI-218", "a message of the broadcast", packet and look(packet) or "none",
    expected(data, cid))
    and t:equal("IMPI-218", "its octets", Values.digits(packet.data), Values.digits(data.octets))
end

for _, name in ipairs { "int", "char", "short", "long", "float", "double" } do
  local data = DATA[name]
  for place = 0, 1 do
    case {
      id = string.format("bcast-message-%s-from-client-%d", name, place),
      title = "A broadcast's message has tag 120, context identifier 1 on the world, and data in external32",
      purpose = string.format("The process under test is the root, of client %d; values of type %s.", place,
        data.datatype),
      requirements = { "IMPI-218" }, incoming = place == 0,
      run = function(t)
        local job = t:job_of_clients(place, 2)
        job:start_bcast(place, 0, data)
        judge_message(t, job:receive_to_fence(1)[1], data)
      end,
    }
  end
  case {
    id = "bcast-message-" .. name .. "-is-taken",
    title = "What comes with tag 120 on context identifier 1 and in external32 is the broadcast's",
    purpose = string.format("The root is scripted; both processes under test have its values of type %s.",
      data.datatype),
    requirements = { "IMPI-218" }, ranks = 2,
    run = function(t)
      local job = t:job_of_clients(1, 2, { np = 2 })
      job:start_bcast(0, nil, data):send_bcast(job.processes[0])
      t:bcast_completes("IMPI-218", job)
    end,
  }
end

case {
  id = "bcast-message-long",
  title = "A broadcast of more than one packet has its tag, its context identifier and external32 too",
  purpose = "The root sends 500 integers where a packet holds 600 octets; the scripted process puts the message together.",
  requirements = { "IMPI-218" },
  run = function(t)
    local job = t:job_of_clients(1, 2, { others = { { datalen = 600 } } })
    local data, octets = { datatype = "MPI_INT", kind = "int", room = 4, values = {} }, {}
    for i = 1, 500 do data.values[i], octets[i] = tostring(i * 70001), string.pack(">i4", i * 70001) end
    data.octets = table.concat(octets)
    job:start_bcast(1, 0, data)
    local message = job.processes[0]:receive { src = job.processes[1], tag = 120, cid = 1 }
    if t:reconstructed("IMPI-218", "a message with tag 120 on context identifier 1 comes", message ~= nil, true)
        and t:reconstructed("IMPI-218", "its length", message.msglen, 2000) then
      t:equal("IMPI-218", "its octets are those of external32", message.data == data.octets, true)
    end
  end,
}

case {
  id = "bcast-message-long-in-every-packet",
  title = "Every packet of a long broadcast has the context identifier and the tag of the first one",
  purpose = "The root sends 500 integers where a packet holds 600 octets, on a copy of the world: and three more behind the SYNCACK.",
  requirements = { "IMPI-152" },
  run = function(t)
    local job, rank, own, other = t:pair { others = { { datalen = 600 } } }
    local cid = job:create("c", "1,0")
    rank:start_MPI_Bcast { buffer = rank:new_region(4 * 500), count = 500, datatype = "MPI_INT", root = 0, comm = "c" }
    local first = t:packet_to("IMPI-152", "the first packet", other, { src = own, type = "DATASYNC" })
    other:answer("SYNCACK", first, { drqid = 3 })
    local octets = #first.data
    while octets < 2000 do
      local packet = t:packet_to("IMPI-152", "a later packet", other, { src = own, type = "DATA", drqid = 3 })
      t:equal("IMPI-152", "context identifier, tag, rank and length of the message", { packet.cid, packet.tag,
        packet.lsrank, packet.msglen }, { first.cid, first.tag, 0, 2000 })
      octets = octets + #packet.data
    end
    t:reconstructed("IMPI-152", "context identifier and tag of all packets", { first.cid, first.tag }, { cid + 1, 120 })
  end,
}

case {
  id = "bcast-message-down-the-tree",
  title = "What a master passes on in a tree has tag 120, context identifier 1 and the same data",
  purpose = "Master 1 of six gives masters 3 and 5 what it has from master 0.",
  requirements = { "IMPI-218" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(1, 6)
    job:start_bcast(0):send_bcast(job.processes[0])
    local packets = job:receive_to_fence(2)
    if t:reconstructed("IMPI-218", "messages that are passed on", #packets, 2) then
      for _, packet in ipairs(packets) do judge_message(t, packet, Bcast.NUMBERS) end
    end
  end,
}

case {
  id = "bcast-context-of-a-new-communicator",
  title = "A broadcast goes over the context identifier behind that of the communicator",
  purpose = "On MPI_COMM_WORLD 1; on two new communicators the one that was agreed on, and one more; in both directions.",
  requirements = { "IMPI-218" },
  run = function(t)
    local job = t:job_of_clients(1, 2)
    local cids = { MPI_COMM_WORLD = 0, a = job:dup("a"), b = job:dup("b", 101) }
    for _, comm in ipairs { "b", "MPI_COMM_WORLD", "a" } do
      job:start_bcast(1, 0, nil, comm)
      if not judge_message(t, job:receive_to_fence(1)[1], Bcast.NUMBERS, cids[comm] + 1)
          or not t:bcast_completes("IMPI-218", job) then
        return
      end
      job:start_bcast(0, nil, nil, comm):send_bcast(job.processes[0], nil, { cid = cids[comm] + 1 })
      if not t:bcast_completes("IMPI-218", job) then return end
    end
  end,
}

---- the linear form --------------------------------------------------------------------------------------------------

local KIND = { [0] = "a-master", "no-master" }

-- All clients but one.
local function others_than(place, count)
  local list = {}
  for i = 0, count - 1 do list[#list + 1] = i ~= place and i or nil end
  return list
end

for _, row in ipairs { { 2, 0 }, { 2, 1 }, { 3, 0 }, { 3, 1 }, { 3, 2 } } do
  for which = 0, 1 do
    local count, place = row[1], row[2]
    case {
      id = string.format("bcast-linear-from-client-%d-of-%d-root-is-%s", place, count, KIND[which]),
      title = "The root sends to the master of each other client, and no other process of its client sends",
      purpose = string.format("%d clients; the root is process %d of the one under test. All messages come from it.",
        count, which),
      requirements = { "IMPI-219" }, ranks = 2, incoming = place < count - 1,
      run = function(t)
        local job = t:job_of_clients(place, count, { np = 2, each = { 2 } })
        local root = job.ranks[which].world
        for _ = 1, 2 do
          job:start_bcast(root, which)
          if not t:reconstructed("IMPI-219", "messages, by ranks", job:hops(count - 1),
              job:hops_from(job.processes[root], others_than(place, count)))
              or not t:bcast_completes("IMPI-219", job) then
            return
          end
        end
      end,
    }
  end
end

-- { clients, place of the one under test, client of the root, which of its processes is the root }
local TAKEN = { { 2, 1, 0, 0 }, { 2, 1, 0, 1 }, { 2, 0, 1, 0 }, { 2, 0, 1, 1 }, { 3, 1, 0, 0 }, { 3, 1, 0, 1 },
  { 3, 1, 2, 0 }, { 3, 1, 2, 1 }, { 3, 2, 1, 0 }, { 3, 2, 1, 1 }, { 3, 0, 2, 1 }, { 3, 2, 0, 1 } }

for count, place, client, which in each(TAKEN) do
  case {
    id = string.format("bcast-linear-to-client-%d-of-%d-root-is-%s-of-%d", place, count, KIND[which], client),
    title = "A master that is not of the root's client receives from the root itself, and sends to no other client",
    purpose = string.format("%d clients; the root is process %d of client %d. Its message gives the data to all.",
      count, which, client),
    requirements = { "IMPI-219" }, ranks = 2, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count, { np = 2, each = { 2 } })
      local root = job.processes[job:master(client).rank + which]
      job:start_bcast(root.rank):send_bcast(root)
      if t:bcast_completes("IMPI-219", job) then
        t:reconstructed("IMPI-219", "messages to other clients until the job ends",
          #(job.bcasts.meanwhile or {}) + #job:remaining_packets(), 0)
      end
    end,
  }
end

-- A broadcast of 1500 integers where a packet holds 600 octets: its first packets come; none has been acknowledged.
-- Judges that the first master is among those whom they have reached; then all goes on.
local function judge_order(t, job, from, first, root, comm)
  local data = { datatype = "MPI_INT", kind = "int", room = 4, values = {} }
  for i = 1, 1500 do data.values[i] = tostring(i) end
  job:start_bcast(root, from, data, comm)
  local packet = first:await { src = job.processes[job.ranks[from].world], type = "message" }
  if t:reconstructed("IMPI-219", "while nothing is acknowledged, the first packet for the first master", packet
    and "comes"
      or "does not come", "comes") then
    first:answer("SYNCACK", packet, { drqid = first:request() })
    t:bcast_completes("IMPI-219", job)
  end
end

for place = 0, 2 do
  local first = place == 0 and 1 or 0
  case {
    id = "bcast-linear-order-from-client-" .. place,
    title = "The root begins with the first of the other masters",
    purpose = string.format("Of a message of several packets the first one for the master of client %d comes, %s.",
      first, "whatever becomes of the other"),
    requirements = { "IMPI-219" }, incoming = place < 2,
    run = function(t)
      local job = t:job_of_clients(place, 3, { others = { { datalen = 600 }, { datalen = 600 } } })
      judge_order(t, job, 0, job:master(first), place)
    end,
  }
end

-- Ranks 0, 4, 5 of the communicator are of client 2, ranks 1, 3 of the one under test, rank 2 of client 0.
case {
  id = "bcast-linear-in-a-permuted-communicator",
  title = "Masters are those of the communicator, and so is their order",
  purpose = "The communicator begins with a process of the last client. The root, rank 3, is no master: it sends to ranks 0 and 2, to rank 0 first.",
  requirements = { "IMPI-219" }, ranks = 2, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 1, np = 2, others = { { hosts = { 2 }, datalen = 600 },
      { hosts = { 3 }, datalen = 600 } } }:open()
    local cid = job:create("c", "5,3,1,2,4,6")
    local root = job.processes[2]
    job:start_bcast(3, 0, nil, "c")
    if t:reconstructed("IMPI-219", "messages, by ranks of the world", job:hops(2), { "2 to 1", "2 to 5" })
        and t:bcast_completes("IMPI-219", job) then
      judge_order(t, job, 0, job.processes[5], 3, "c")
      job:start_bcast(5, nil, nil, "c"):send_bcast(job.processes[6], job.processes[3], { cid = cid + 1, lsrank = 5 })
      t:bcast_completes("IMPI-219", job)
    end
    t:record("the root", root.label)
  end,
}

case {
  id = "bcast-linear-within-a-chosen-limit",
  title = "With six masters and a limit of eight the root sends to all others",
  purpose = "The users of all clients have chosen the limit.",
  requirements = { "IMPI-219" },
  run = function(t)
    local job = t:job_with_limit(5, 6, 8)
    job:start_bcast(5, 0)
    t:reconstructed("IMPI-219", "messages, by ranks", job:hops(5), job:hops_from(job.processes[5], { 0, 1, 2, 3, 4 }))
  end,
}

for place = 0, 1 do
  case {
    id = "bcast-of-nothing-" .. (place == 0 and "is-told" or "is-awaited"),
    title = "A broadcast of no elements still has its message",
    purpose = place == 0 and "The root sends an empty message, and behind it the numbers of the next broadcast."
      or "An empty message comes from the root, and behind it the numbers of the next broadcast.",
    requirements = { "IMPI-219" }, incoming = place == 0,
    run = function(t)
      local job = t:job_of_clients(place, 2)
      local rank, other = job.ranks[0], job.processes[1 - place]
      local buffer = rank:new_region(4)
      local call = job:fenced(rank):start_MPI_Bcast { buffer = buffer, count = 0, datatype = "MPI_INT", root = 0,
        comm = "MPI_COMM_WORLD" }
      if place == 0 then
        local packets = job:receive_to_fence(1)
        local octets = #packets == 1 and packets[1].msglen or #packets .. " messages"
        if not t:reconstructed("IMPI-219", "octets of its one message", octets, 0) then return end
      else
        other:send(job.processes[1], { tag = 120, cid = 1 })
      end
      t:rc("IMPI-219", call:finish(), "MPI_SUCCESS")
      job:start_bcast(0, place == 0 and 0 or nil)
      if place == 1 then job:send_bcast(other) end
      t:bcast_completes("IMPI-219", job)
    end,
  }
end

-- Two broadcasts, one behind the other, of which the second one's message comes first: { clients, place of the one
-- under test, roots, clients whose masters send }.
for _, row in ipairs { { 3, 2, { 0, 1 }, { 0, 1 } }, { 3, 0, { 2, 1 }, { 2, 1 } }, { 6, 3, { 0, 2 }, { 1, 2 } } } do
  local count, place, roots, senders = table.unpack(row, 1, 4)
  local req = count > 4 and "IMPI-220" or "IMPI-219"
  case {
    id = string.format("bcast-hears-its-own-root-%d-of-%d", place, count),
    title = "A broadcast takes the message of its own root, not one that another root has sent before",
    purpose = string.format("Rank %d broadcasts, then rank %d. The message of the second broadcast comes first.",
      roots[1], roots[2]),
    requirements = { req }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count)
      local numbers = { string.pack(">i4i4i4", 7, 8, 9), Bcast.NUMBERS.octets }
      for i, octets in ipairs(numbers) do
        numbers[i] = { datatype = "MPI_INT", kind = "int", room = 4, octets = octets,
          values = i == 1 and { "7", "8", "9" } or Bcast.NUMBERS.values }
      end
      job:start_bcast(roots[1], nil, numbers[1])
      job:master(senders[2]):send(job:master(place), { tag = 120, cid = 1, data = numbers[2].octets })
      t:reconstructed(req, "packets before the first root has sent", #job:receive_to_fence(0), 0)
      t:reconstructed(req, "the first broadcast has returned", job.bcasts[0].call:done(), false)
      job:send_bcast(job:master(senders[1]))
      if t:bcast_completes(req, job) then
        job:start_bcast(roots[2], nil, numbers[2])
        t:bcast_completes(req, job)
      end
    end,
  }
end
