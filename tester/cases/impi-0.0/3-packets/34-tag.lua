-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Message tags and their negotiated bound (chapter 3.4).

defaults { role = "client", suite = "packets", chapter = "3.4" }

-- How exactly an error is told is the implementation's affair (MPI-1.1 7.2).
local REFUSED = { "MPI_ERR_TAG", "MPI_ERR_ARG", "MPI_ERR_OTHER" }

-- Judges that a message with the tag leaves, and that one that comes is received.
local function travels(t, rank, own, other, channel, tag)
  local begun = rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = tag })
  local packet = t:packet("IMPI-107", channel, "DATA", { src = own, tag = tag })
  t:equal("IMPI-107", "octets of pk_tag", packet.octets:sub(85, 88), string.pack(">i4", tag))
  t:completes("IMPI-107", "the send", begun)
  other:send_short(own, tag, 2, 4)
  t:receives("IMPI-107", "a message with tag " .. tag, rank, other, 2, 4, { tag = tag })
end

case {
  id = "tag-up-to-the-largest",
  title = "pk_tag carries the user's tag, up to 2147483647",
  purpose = "Tags 0, 1, 32767, 65536 and, where the bound in force is that large, 2147483647, in both directions.",
  requirements = { "IMPI-107" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    for _, tag in ipairs { 0, 1, 32767, 65536, 0x7fffffff } do
      if tag <= job.tagub then travels(t, rank, own, other, channel, tag) end
    end
  end,
}

for _, bound in ipairs { 32767, 100000 } do
  case {
    id = "tag-bound-" .. bound,
    title = "With a bound of " .. bound .. " the next larger tag is refused, and nothing is sent",
    purpose = "A peer offers this bound. Sends of all kinds with the tag above it are refused, with data and without; the bound itself travels. MPI_TAG_UB is the bound.",
    requirements = { "IMPI-107" },
    run = function(t)
      local job, rank, own, other, channel = t:pair { others = { { tagub = bound } } }
      t:skip_if(job.tagub ~= bound, "the system under test offers a lower bound itself")
      travels(t, rank, own, other, channel, bound)
      local buf = rank:new_region(4)
      for _, count in ipairs { 4, 0 } do
        t:step("a message of " .. count .. " octets")
        for _, call in ipairs { "MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Issend" } do
          local result = rank[call](rank, { buf = buf, count = count, dest = other.rank, tag = bound + 1,
            request = call:find("^MPI_I") and "q" or nil })
          t:rc("IMPI-107", result, REFUSED)
        end
        local exchange = rank:MPI_Sendrecv { sendbuf = buf, sendcount = count, sendtype = "MPI_BYTE",
          dest = other.rank, sendtag = bound + 1, recvbuf = rank:new_region(4), recvcount = 4, recvtype = "MPI_BYTE",
          source = "MPI_PROC_NULL", recvtag = 1, comm = "MPI_COMM_WORLD" }
        t:rc("IMPI-107", exchange, REFUSED)
        for _, source in ipairs { "MPI_PROC_NULL", other.rank } do
          t:rc("IMPI-107", rank:MPI_Sendrecv_replace { buf = buf, count = count, datatype = "MPI_BYTE",
            dest = other.rank, sendtag = bound + 1, source = source, recvtag = 1, comm = "MPI_COMM_WORLD" }, REFUSED)
        end
        local kept = rank:MPI_Send_init { buf = buf, count = count, dest = other.rank, tag = bound + 1,
          request = "p" .. count, comm = "MPI_COMM_WORLD", datatype = "MPI_BYTE" }
        if kept.rc == "MPI_SUCCESS" then kept = rank:MPI_Start { request = "p" .. count } end
        t:rc("IMPI-107", kept, REFUSED)
      end
      t:channel_silent("IMPI-107", "no message with a tag above the bound", channel)
      local result = t:rc("IMPI-107", rank:MPI_Attr_get { comm = "MPI_COMM_WORLD", keyval = "MPI_TAG_UB" },
        "MPI_SUCCESS")
      t:equal("IMPI-107", "MPI_TAG_UB", result.attribute_val, bound)
    end,
  }
end

case {
  id = "tag-bound-within-the-client",
  title = "The bound of all clients holds between the processes of one client too",
  purpose = "A program must not find out by its placement which tags it may use: a send to the neighbour with the tag above the bound is refused, the bound itself travels.",
  requirements = { "IMPI-107" }, ranks = 2,
  run = function(t)
    local job, rank = t:pair { np = 2, others = { { tagub = 32767 } } }
    local neighbour = job.ranks[1]
    local post = neighbour:post_receive(t, { rank = rank.world }, 4, { tag = 32767 })
    local buf = rank:new_region(4, 1)
    for _, call in ipairs { "MPI_Send", "MPI_Isend" } do
      t:rc("IMPI-107", rank[call](rank, { buf = buf, count = 4, dest = neighbour.world, tag = 32768,
        request = call == "MPI_Isend" and "q" or nil }), REFUSED)
    end
    local sending = rank:start_MPI_Send { buf = buf, count = 4, dest = neighbour.world, tag = 32767 }
    t:receive_completes("IMPI-107", "the message with the largest tag", post, 1)
    t:rc("IMPI-107", sending:finish(), "MPI_SUCCESS")
  end,
}

case {
  id = "tag-of-any",
  title = "MPI_ANY_TAG takes messages in their order and tells their tags",
  purpose = "Tags 7, 0 and 32767 come from one process; each is told by MPI_Probe and MPI_Iprobe for any tag, and received by wildcard.",
  requirements = { "IMPI-107" },
  run = function(t)
    local _, rank, own, other = t:pair()
    for i, tag in ipairs { 7, 0, 32767 } do other:send_short(own, tag, i, 4) end
    for i, tag in ipairs { 7, 0, 32767 } do
      local probed = t:rc("IMPI-107", rank:MPI_Probe { source = other.rank, tag = "MPI_ANY_TAG", status = "s" },
        "MPI_SUCCESS")
      t:equal("IMPI-107", "MPI_TAG of MPI_Probe", probed.status.tag, tag)
      local seen = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", comm = "MPI_COMM_WORLD",
        ms = 8000, status = "s" })
      t:check("IMPI-107", "MPI_Iprobe", seen.flag, "a message", "none")
      t:equal("IMPI-107", "MPI_TAG of MPI_Iprobe", seen.status.tag, tag)
      local post = rank:post_receive(t, other, 4, { tag = "MPI_ANY_TAG" })
      t:receive_completes("IMPI-107", "message " .. i, post, i, 4, tag)
    end
  end,
}

case {
  id = "tag-tells-by-every-bit",
  title = "Messages are told apart by every bit of their tags",
  purpose = "Messages come with tags that differ from 5 in one bit each, as far as the bound in force goes, and then one with 5: it is the one that a receive for 5 is given. The others are received by their own tags, the last one first.",
  requirements = { "IMPI-107" },
  run = function(t)
    local job, rank, own, other = t:pair()
    local tags = {}
    for bit = 0, 30 do
      local tag = 5 ~ 1 << bit
      if tag <= job.tagub then
        tags[#tags + 1] = tag
        other:send_short(own, tag, bit + 1, 4)
      end
    end
    other:send_short(own, 5, 99, 4)
    t:receives("IMPI-107", "a message with tag 5", rank, other, 99, 4, { tag = 5 })
    for i = #tags, 1, -1 do
      t:receives("IMPI-107", "a message with tag " .. tags[i], rank, other, i, 4, { tag = tags[i] })
    end
  end,
}

case {
  id = "tag-bound-on-a-new-communicator",
  title = "On a new communicator a tag above the bound is refused as on the one that it was made from",
  purpose = "Errors are to be returned on MPI_COMM_WORLD, before it is duplicated: the duplicate returns them as well (MPI-1.1, 7.2). The bound itself travels there.",
  requirements = { "IMPI-107" },
  run = function(t)
    local job = t:impi_job { others = { { tagub = 40000 } } }
    job:start_up():connect_hosts():interpreters()
    local pending = {}
    for i = 0, job.np - 1 do pending[i] = job.ranks[i]:start_MPI_Init { errors = "keep", deadline = 20000 } end
    job:init(pending)
    t:skip_if(job.tagub ~= 40000, "the system under test offers a lower bound itself")
    local rank, other = job.ranks[0], job.processes[0]
    t:mpi(rank:MPI_Errhandler_set { comm = "MPI_COMM_WORLD", errhandler = "MPI_ERRORS_RETURN" })
    local cid, buf = job:dup("a"), rank:new_region(4, 1)
    t:judging("IMPI-107")
    t:rc("IMPI-107", rank:MPI_Send { buf = buf, count = 4, dest = 0, tag = 40001, comm = "a" }, REFUSED)
    t:rc("IMPI-107", rank:MPI_Send { buf = buf, count = 1, dest = 0, tag = 40000, comm = "a" }, "MPI_SUCCESS")
    t:packet_to("IMPI-107", "the message with the largest tag", other, { src = job:master(job.rank), type = "DATA",
      tag = 40000, cid = cid })
  end,
}
