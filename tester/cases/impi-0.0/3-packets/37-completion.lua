-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How a program learns what has become of its messages (chapter 3.7): of one of several, of all of them, by statuses,
-- by errors. Whatever form it asks in, it is told the same.

defaults { role = "client", suite = "p2p", chapter = "3.7.1" }

local function joined(names)
  return table.concat(names, ",")
end

-- Three or more MPI_Issend under way: their requests, their packets.
local function synchronous(t, req, rank, other, channel, count)
  local names, packets = {}, {}
  for i = 1, count do
    names[i] = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i }).request
    packets[i] = t:packet(req, channel, "DATASYNC", { tag = i })
  end
  return names, packets
end

for open = 1, 3 do
  case {
    id = "completion-of-all-but-" .. open,
    title = "MPI_Testall says no while one send is not acknowledged: number " .. open .. " of three",
    purpose = "Three MPI_Issend, of which two are acknowledged: MPI_Testall returns at once, with false. With the third SYNCACK it becomes true.",
    requirements = { "IMPI-144" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local names, packets = synchronous(t, "IMPI-144", rank, other, channel, 3)
      for i = 1, 3 do
        if i ~= open then other:answer("SYNCACK", packets[i]) end
      end
      other:send_short(own, 9, 9, 4)
      t:receives("IMPI-144", "a message behind the two SYNCACKs", rank, other, 9, 4, { tag = 9 })
      t:judging("IMPI-144")
      for _ = 1, 3 do
        local result = t:rc("IMPI-144", rank:MPI_Testall { array_of_requests = joined(names) }, "MPI_SUCCESS")
        t:equal("IMPI-144", "MPI_Testall while one is open", result.flag, false)
      end
      other:answer("SYNCACK", packets[open])
      local result = rank:call("complete-all", { array_of_requests = joined(names), ms = 8000 })
      t:rc("IMPI-144", result, "MPI_SUCCESS")
      t:equal("IMPI-144", "MPI_Testall when all are acknowledged", result.flag, true)
    end,
  }
end

-- Each asks once which of the requests is complete: its place, from 0, or nil.
local ASKING = {
  waitany = function(t, rank, names)
    return t:rc("IMPI-147", rank:MPI_Waitany { array_of_requests = names }, "MPI_SUCCESS").index
  end,
  testany = function(t, rank, names)
    local result = t:rc("IMPI-147", rank:MPI_Testany { array_of_requests = names }, "MPI_SUCCESS")
    return result.flag and result.index or nil
  end,
  waitsome = function(t, rank, names)
    local result = t:rc("IMPI-147", rank:MPI_Waitsome { array_of_requests = names }, "MPI_SUCCESS")
    t:equal("IMPI-147", "outcount", result.outcount, 1)
    return tonumber(result.array_of_indices)
  end,
  testsome = function(t, rank, names)
    local result = t:rc("IMPI-147", rank:MPI_Testsome { array_of_requests = names }, "MPI_SUCCESS")
    return result.outcount == 1 and tonumber(result.array_of_indices) or nil
  end,
}

for name, call in each { { "waitany", "MPI_Waitany" }, { "testany", "MPI_Testany" }, { "waitsome", "MPI_Waitsome" },
    { "testsome", "MPI_Testsome" } } do
  case {
    id = "completion-of-one-by-" .. name,
    title = call .. " tells which of four sends has been acknowledged",
    purpose = "Four MPI_Issend; the third is acknowledged, then the first, the fourth, the second. Each time " .. call
      .. " of all four requests tells the place of that one; those that are over are MPI_REQUEST_NULL, and count.",
    requirements = { "IMPI-147" },
    run = function(t)
      local _, rank, _, other, channel = t:pair()
      local names, packets = synchronous(t, "IMPI-147", rank, other, channel, 4)
      t:judging("IMPI-147")
      if name:find("test") then
        t:equal("IMPI-147", call .. " before any is acknowledged", ASKING[name](t, rank, joined(names)), nil)
      end
      for _, i in ipairs { 3, 1, 4, 2 } do
        other:answer("SYNCACK", packets[i])
        local found, late = nil, t:now() + 8000
        repeat found = ASKING[name](t, rank, joined(names)) until found or t:now() > late
        t:equal("IMPI-147", call .. ": the place of send " .. i, found, i - 1)
      end
    end,
  }
end

---- statuses ---------------------------------------------------------------------------------------------------------

-- Receives of any source and tag in a row, from two processes; the second request is null. Message i has `i` octets.
local SENDERS = { 2, nil, 1, 2, 1 }

local function awaited(t)
  local job, rank, own = t:pair { others = { { hosts = { 2 } } } }
  local names = {}
  for i = 1, 5 do
    names[i] = SENDERS[i] and rank:post_receive(t, "MPI_ANY_SOURCE", 16, { tag = i }).request or "MPI_REQUEST_NULL"
  end
  local function send(i)
    job.processes[SENDERS[i] - 1]:send_short(own, i, i, i)
  end
  return rank, names, send
end

-- Judges that a status, kept as `name`, tells of message `i`.
local function tells(t, what, rank, name, status, i)
  t:equal("IMPI-116", what .. ": MPI_SOURCE of message " .. i, status.source, SENDERS[i] - 1)
  t:equal("IMPI-116", what .. ": MPI_TAG of message " .. i, status.tag, i)
  t:equal("IMPI-116", what .. ": count of message " .. i,
    t:mpi(rank:MPI_Get_count { status = name, datatype = "MPI_BYTE" }).count, i)
end

case {
  id = "completion-statuses-of-all",
  title = "Each status of MPI_Waitall is that of the request at its place",
  purpose = "Five requests, of which the second is MPI_REQUEST_NULL; four messages from two processes come in falling order. The status at the place of the null request is empty.",
  requirements = { "IMPI-116" }, chapter = "3.5",
  run = function(t)
    local rank, names, send = awaited(t)
    for i = 5, 1, -1 do
      if SENDERS[i] then send(i) end
    end
    local result = t:rc("IMPI-116", rank:MPI_Waitall { array_of_requests = joined(names),
      array_of_statuses = "s1,s2,s3,s4,s5" }, "MPI_SUCCESS")
    for i = 1, 5 do
      local status = result["s" .. i - 1]
      if SENDERS[i] then
        tells(t, "MPI_Waitall", rank, "s" .. i, status, i)
      else
        t:equal("IMPI-116", "MPI_SOURCE of the null request", status.source, "MPI_ANY_SOURCE")
        t:equal("IMPI-116", "MPI_TAG of the null request", status.tag, "MPI_ANY_TAG")
      end
    end
  end,
}

for name, call in each { { "waitany", "MPI_Waitany" }, { "waitsome", "MPI_Waitsome" } } do
  case {
    id = "completion-statuses-by-" .. name,
    title = "The statuses of " .. call .. " are those of the requests that it names",
    purpose = "Five requests, of which the second is MPI_REQUEST_NULL; two messages come, of the fourth and the last request, then two more.",
    requirements = { "IMPI-116" }, chapter = "3.5",
    run = function(t)
      local rank, names, send = awaited(t)
      local open = {}
      t:judging("IMPI-116")
      for _, turn in ipairs { { 5, 4 }, { 1, 3 } } do
        for _, i in ipairs(turn) do
          send(i)
          open[i] = true
        end
        while next(open) do
          local result, places
          if call == "MPI_Waitany" then
            result = t:rc("IMPI-116", rank:MPI_Waitany { array_of_requests = joined(names), status = "s1" },
              "MPI_SUCCESS")
            places = tostring(result.index)
            result.s0 = result.status
          else
            result = t:rc("IMPI-116", rank:MPI_Waitsome { array_of_requests = joined(names),
              array_of_statuses = "s1,s2,s3,s4,s5" }, "MPI_SUCCESS")
            places = tostring(result.array_of_indices)
          end
          local at = 0
          for place in places:gmatch("%d+") do
            local i = tonumber(place) + 1
            t:check("IMPI-116", call .. " names a request", open[i], "one whose message has come", place)
            tells(t, call, rank, "s" .. at + 1, result["s" .. at], i)
            open[i], at = nil, at + 1
          end
          t:check("IMPI-116", call .. " names a request", at > 0, "at least one", places)
        end
      end
    end,
  }
end

case {
  id = "completion-status-of-sendrecv",
  title = "The status of MPI_Sendrecv and MPI_Sendrecv_replace tells who sent what was received",
  purpose = "A message of 5 octets and tag 3 comes from the second of two processes for a receive of any source and tag.",
  requirements = { "IMPI-116" }, chapter = "3.5",
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 2 } } } }
    local second = job.processes[1]
    for i, call in ipairs { "MPI_Sendrecv", "MPI_Sendrecv_replace" } do
      second:send_short(own, 3, i, 5)
      local buf, room = rank:new_region(16, 9), rank:new_region(16)
      local values = i == 1 and { sendbuf = buf, sendcount = 8, sendtype = "MPI_BYTE", recvbuf = room, recvcount = 16,
        recvtype = "MPI_BYTE" } or { buf = buf, count = 16, datatype = "MPI_BYTE" }
      values.dest, values.sendtag, values.source, values.recvtag = other.rank, 1, "MPI_ANY_SOURCE", "MPI_ANY_TAG"
      values.comm, values.status = "MPI_COMM_WORLD", "s"
      local pending = rank["start_" .. call](rank, values)
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-116", call .. ": its message", message, "comes", reason)
      local result = t:rc("IMPI-116", pending:finish(), "MPI_SUCCESS")
      t:equal("IMPI-116", call .. ": MPI_SOURCE", result.status.source, second.rank)
      t:equal("IMPI-116", call .. ": MPI_TAG", result.status.tag, 3)
      t:equal("IMPI-116", call .. ": count", t:mpi(rank:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }).count, 5)
    end
  end,
}

---- errors -----------------------------------------------------------------------------------------------------------

-- Asks again and again until something is said of a request: an error, or that one is complete. The last result.
local function until_told(t, ask)
  local late, result = t:now() + 8000, nil
  repeat
    result = ask()
  until result.rc ~= "MPI_SUCCESS" or result.flag or (tonumber(result.outcount) or 0) > 0 or t:now() > late
  return result
end

-- Each receives a message of tag 1 with room for `room` octets in the region, and gives the class of the error.
local RECEIVING = {
  wait = function(_, rank, post) return rank:MPI_Wait { request = post.request }.rc end,
  waitany = function(_, rank, post)
    return rank:MPI_Waitany { array_of_requests = "MPI_REQUEST_NULL," .. post.request }.rc
  end,
  waitall = function(t, rank, post)
    local result = rank:MPI_Waitall { array_of_requests = post.second .. "," .. post.request,
      array_of_statuses = "s0,s1" }
    t:equal("IMPI-157", "MPI_Waitall", result.rc, "MPI_ERR_IN_STATUS")
    t:equal("IMPI-157", "the error of what is not truncated", result.s0.error, "MPI_SUCCESS")
    return result.s1.error
  end,
  waitsome = function(t, rank, post)
    local result = rank:MPI_Waitsome { array_of_requests = "MPI_REQUEST_NULL," .. post.request,
      array_of_statuses = "s0,s1" }
    t:equal("IMPI-157", "MPI_Waitsome", result.rc, "MPI_ERR_IN_STATUS")
    return result.s0.error
  end,
  test = function(t, rank, post)
    return until_told(t, function() return rank:MPI_Test { request = post.request } end).rc
  end,
  testany = function(t, rank, post)
    return until_told(t, function()
      return rank:MPI_Testany { array_of_requests = "MPI_REQUEST_NULL," .. post.request }
    end).rc
  end,
  testall = function(t, rank, post)
    local result = until_told(t, function()
      return rank:MPI_Testall { array_of_requests = post.second .. "," .. post.request, array_of_statuses = "s0,s1" }
    end)
    t:equal("IMPI-157", "MPI_Testall", result.rc, "MPI_ERR_IN_STATUS")
    t:equal("IMPI-157", "the error of what is not truncated", result.s0.error, "MPI_SUCCESS")
    return result.s1.error
  end,
  testsome = function(t, rank, post)
    local result = until_told(t, function()
      return rank:MPI_Testsome { array_of_requests = "MPI_REQUEST_NULL," .. post.request, array_of_statuses = "s0,s1" }
    end)
    t:equal("IMPI-157", "MPI_Testsome", result.rc, "MPI_ERR_IN_STATUS")
    return result.s0.error
  end,
}

for name, limit in each { { "short", 64 }, { "long", 16 } } do
  for _, form in ipairs { "wait", "waitany", "waitall", "waitsome", "test", "testany", "testall", "testsome",
      "sendrecv", "sendrecv_replace" } do
    case {
      id = "completion-truncated-" .. name .. "-" .. form:gsub("_", "-"),
      title = string.format("A %s message that is longer than its receive is an error in MPI_%s too", name,
        form:gsub("^%l", string.upper)),
      purpose = "24 octets come for receives of 6 and of none: MPI_ERR_TRUNCATE, and what is behind the room stays as it was. Messages go on.",
      requirements = { "IMPI-157" }, chapter = "3.7.2",
      run = function(t)
        local _, rank, own, other = t:pair { others = { { datalen = limit } } }
        for i, room in ipairs { 6, 0 } do
          local buf = rank:new_region(24)
          local told, call
          rank:call("fill", { name = buf, offset = 0, octets = 24, pattern = "byte/165" })
          t:judging("IMPI-157")
          if form == "sendrecv" then
            call = rank:start_MPI_Sendrecv { sendbuf = buf, sendcount = 0, sendtype = "MPI_BYTE",
              dest = "MPI_PROC_NULL", sendtag = 1, recvbuf = buf, recvcount = room, recvtype = "MPI_BYTE",
              source = other.rank, recvtag = 1,
              comm = "MPI_COMM_WORLD" }
          elseif form == "sendrecv_replace" then
            call = rank:start_MPI_Sendrecv_replace { buf = buf, count = room, datatype = "MPI_BYTE",
              dest = other.rank, sendtag = 9, source = other.rank, recvtag = 1, comm = "MPI_COMM_WORLD" }
            t:check("IMPI-157", "its own message", other:receive { src = own, tag = 9 }, "comes", "does not come")
          end
          if call then
            t:check("IMPI-157", "the message to the rank", other:send(own, { tag = 1, data = t.mix(i, 24) }),
              "is taken", "is not")
            told = call:finish().rc
          else
            local post = { rank = rank, request = "t" .. i, second = "MPI_REQUEST_NULL" }
            t:mpi(rank:MPI_Irecv { buf = buf, count = room, source = other.rank, tag = 1, request = post.request })
            if form == "waitall" then
              post.second = rank:post_receive(t, other, 4, { tag = 2 }).request
              other:send_short(own, 2, 2, 4)
            end
            t:check("IMPI-157", "the message to the rank", other:send(own, { tag = 1, data = t.mix(i, 24) }),
              "is taken", "is not")
            told = RECEIVING[form](t, rank, post)
          end
          t:equal("IMPI-157", "the error with room for " .. room, told, "MPI_ERR_TRUNCATE")
          t:octets("IMPI-157", "behind the room for " .. room, rank, buf, "byte/165", room, 24 - room)
          t:ping_pong("IMPI-157", "afterwards", rank, own, other)
        end
      end,
    }
  end
end

for name, limit in each { { "short", 64 }, { "long", 16 } } do
  case {
    id = "completion-truncated-" .. name .. "-each",
    title = "Each of several receives whose " .. name .. " messages are too long for them has its error",
    purpose = "Four receives, of which all but the third have too little room for the 24 octets that come, and MPI_Waitall, until none is pending: three errors of their own in the statuses. Messages go on.",
    requirements = { "IMPI-157" }, chapter = "3.7.2",
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local rooms, names, statuses = { 6, 23, 24, 0 }, {}, {}
      for i, room in ipairs(rooms) do
        names[i], statuses[i] = "t" .. i, "s" .. i - 1
        t:mpi(rank:MPI_Irecv { buf = rank:new_region(24), count = room, source = other.rank, tag = i,
          request = names[i] })
      end
      t:judging("IMPI-157")
      for i = 1, #rooms do
        t:check("IMPI-157", "message " .. i, other:send(own, { tag = i, data = t.mix(i, 24) }), "is taken", "is not")
      end
      local told = {}
      for _ = 1, #rooms do -- what stands behind an error may be told later: MPI_ERR_PENDING
        local result = rank:MPI_Waitall { array_of_requests = joined(names), array_of_statuses = joined(statuses) }
        t:check("IMPI-157", "MPI_Waitall", result.rc == "MPI_SUCCESS" or result.rc == "MPI_ERR_IN_STATUS",
          "MPI_ERR_IN_STATUS, or MPI_SUCCESS when nothing is left", result.rc)
        for i, status in ipairs(statuses) do
          local seen = result.rc == "MPI_SUCCESS" and result.rc or result[status].error
          told[i] = told[i] or seen ~= "MPI_ERR_PENDING" and seen
        end
      end
      for i, room in ipairs(rooms) do
        t:equal("IMPI-157", "the error with room for " .. room, told[i] or "MPI_ERR_PENDING",
          room < 24 and "MPI_ERR_TRUNCATE" or "MPI_SUCCESS")
      end
      t:ping_pong("IMPI-157", "afterwards", rank, own, other)
    end,
  }
end

for name, limit in each { { "short", 64 }, { "long", 16 } } do
  case {
    id = "completion-truncated-" .. name .. "-persistent",
    title = "A persistent receive whose " .. name .. " message was longer than its room receives the next one",
    purpose = "A persistent receive of 6 octets is started four times: 24 octets come for the first and the third, MPI_ERR_TRUNCATE; 6 and 4 octets come for the others, which succeed and have them.",
    requirements = { "IMPI-157" }, chapter = "3.7.2",
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local post = { rank = rank, octets = 6, buf = rank:new_region(24), request = "p" }
      t:mpi(rank:MPI_Recv_init { buf = post.buf, count = 6, source = other.rank, tag = 1, request = "p" })
      t:judging("IMPI-157")
      for turn, octets in ipairs { 24, 6, 24, 4 } do
        t:rc("IMPI-157", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
        t:check("IMPI-157", "message " .. turn, other:send(own, { tag = 1, data = t.mix(turn, octets) }), "is taken",
          "is not")
        if octets > 6 then
          t:equal("IMPI-157", "the error of message " .. turn, rank:MPI_Wait { request = "p" }.rc, "MPI_ERR_TRUNCATE")
        else
          t:receive_completes("IMPI-157", "message " .. turn, post, turn, octets)
        end
      end
    end,
  }
end

---- persistent requests ----------------------------------------------------------------------------------------------

case {
  id = "completion-startall",
  title = "MPI_Startall starts all of its requests, whenever it is called",
  purpose = "Three persistent sends are started together three times, and each of them alone; each time every one of them leaves once as DATA.",
  requirements = { "IMPI-143" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local names = {}
    for i = 1, 3 do
      names[i] = "p" .. i
      t:mpi(rank:MPI_Send_init { buf = rank:new_region(8, i), count = 8, dest = other.rank, tag = i,
        request = names[i] })
    end
    for _, chosen in ipairs { { 1, 2, 3 }, { 1, 2, 3 }, { 2 }, { 1, 3 }, { 3 }, { 1, 2, 3 } } do
      local list, wanted = {}, {}
      for k, i in ipairs(chosen) do list[k], wanted[i] = names[i], true end
      t:rc("IMPI-143", rank:MPI_Startall { array_of_requests = joined(list) }, "MPI_SUCCESS")
      for _ = 1, #chosen do
        local packet = t:packet("IMPI-143", channel, "DATA", { src = own, len = 8 })
        t:check("IMPI-143", "the tag of a message", wanted[packet.tag], "that of a started request", packet.tag)
        t:same_octets("IMPI-143", "its octets", packet.data, t.mix(packet.tag, 8))
        wanted[packet.tag] = nil
      end
      t:rc("IMPI-143", rank:MPI_Waitall { array_of_requests = joined(list) }, "MPI_SUCCESS")
    end
    t:channel_silent("IMPI-143", "nothing else leaves", channel)
  end,
}

for name, source in each { { "the-process" }, { "anybody", "MPI_ANY_SOURCE" } } do
  case {
    id = "completion-of-a-receive-cancelled-once-from-" .. name,
    title = "A persistent receive that was cancelled receives when it is started again",
    purpose = "It is started, cancelled, started again and given a message, and that twice: the cancelled ones say so, the others have their messages and do not.",
    requirements = { "IMPI-166" }, chapter = "3.7.4",
    run = function(t)
      local _, rank, own, other = t:pair()
      local post = { rank = rank, octets = 20, buf = rank:new_region(20), request = "p" }
      t:mpi(rank:MPI_Recv_init { buf = post.buf, count = 20, source = source or other.rank, tag = 1, request = "p" })
      for turn = 1, 2 do
        t:rc("IMPI-166", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
        t:rc("IMPI-166", rank:MPI_Cancel { request = "p" }, "MPI_SUCCESS")
        t:cancelled("IMPI-166", "the receive that was cancelled", post, true)
        t:rc("IMPI-166", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
        other:send_short(own, 1, turn, 20)
        t:receive_completes("IMPI-166", "the receive that was started again", post, turn)
        local result = t:mpi(rank:MPI_Test_cancelled { status = post.status })
        t:equal("IMPI-166", "it is cancelled", result.flag, false)
      end
    end,
  }
end

case {
  id = "completion-of-a-receive-from-anybody-again",
  title = "A persistent receive from anybody hears somebody else when it is started again",
  purpose = "Two processes of another client send in turn, before and after the receive is started; MPI_SOURCE and MPI_TAG tell who and what each time.",
  requirements = { "IMPI-116" },
  run = function(t)
    local job, rank, own = t:pair { others = { { hosts = { 2 } } } }
    local post = { rank = rank, octets = 20, buf = rank:new_region(20), request = "p" }
    t:mpi(rank:MPI_Recv_init { buf = post.buf, count = 20, source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG",
      request = "p" })
    for turn, source in ipairs { 0, 1, 1, 0, 1, 0 } do
      if turn % 2 == 1 then t:rc("IMPI-116", rank:MPI_Start { request = "p" }, "MPI_SUCCESS") end
      job.processes[source]:send_short(own, 10 + turn, turn, 20)
      if turn % 2 == 0 then t:rc("IMPI-116", rank:MPI_Start { request = "p" }, "MPI_SUCCESS") end
      local result = t:receive_completes("IMPI-116", "message " .. turn, post, turn, 20, 10 + turn)
      t:equal("IMPI-116", "MPI_SOURCE of message " .. turn, result.status.source, source)
    end
  end,
}

case {
  id = "completion-of-a-send-cancelled-once",
  title = "A persistent send that was cancelled sends when it is started again, and is not cancelled then",
  purpose = "MPI_Ssend_init. The way is full when it is started and cancelled, which says so. When there is room it is started again: its message leaves, and with the SYNCACK the send is complete.",
  requirements = { "IMPI-166" }, chapter = "3.7.4",
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2)
    local begun = { rank = rank, request = "p", status = "sp" }
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-166", channel, own, 2, 1)
    t:mpi(rank:MPI_Ssend_init { buf = rank:new_region(8, 1), count = 8, dest = other.rank, tag = 9, request = "p" })
    t:rc("IMPI-166", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
    t:rc("IMPI-166", rank:MPI_Cancel { request = "p" }, "MPI_SUCCESS")
    t:cancelled("IMPI-166", "the send that was cancelled", begun, true)
    channel:protoack(other, own)
    for turn = 1, 2 do
      t:rc("IMPI-166", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
      local message = t:packet("IMPI-166", channel, "DATASYNC", { src = own, tag = 9, len = 8 })
      other:answer("SYNCACK", message)
      t:cancelled("IMPI-166", "the send that was started again, turn " .. turn, begun, false)
    end
  end,
}

---- cancelled sends --------------------------------------------------------------------------------------------------

local CANCELLED_STATUSES = "s1,s2,s3"

-- Each asks until something is said of the three requests; the places of those that are told of, whose statuses are
-- s1, s2, .. in this order.
local ENDING = {
  wait = function(t, rank, names)
    for i = 1, 3 do t:rc("IMPI-174", rank:MPI_Wait { request = names[i], status = "s" .. i }, "MPI_SUCCESS") end
    return { 1, 2, 3 }
  end,
  test = function(t, rank, names)
    for i = 1, 3 do t:completes("IMPI-174", "send " .. i, { rank = rank, request = names[i] }) end
    return { 1, 2, 3 }
  end,
  waitall = function(t, rank, names)
    t:rc("IMPI-174", rank:MPI_Waitall { array_of_requests = joined(names), array_of_statuses = CANCELLED_STATUSES },
      "MPI_SUCCESS")
    return { 1, 2, 3 }
  end,
  testall = function(t, rank, names)
    local result = t:rc("IMPI-174", until_told(t, function()
      return rank:MPI_Testall { array_of_requests = joined(names), array_of_statuses = CANCELLED_STATUSES }
    end), "MPI_SUCCESS")
    t:equal("IMPI-174", "MPI_Testall when all are answered", result.flag, true)
    return { 1, 2, 3 }
  end,
}

-- MPI_Waitany, MPI_Testany, MPI_Waitsome and MPI_Testsome.
for name, call in each { { "waitany", "MPI_Waitany" }, { "testany", "MPI_Testany" }, { "waitsome", "MPI_Waitsome" },
    { "testsome", "MPI_Testsome" } } do
  ENDING[name] = function(t, rank, names)
    local values, places = { array_of_requests = joined(names) }, {}
    if name:find("any") then values.status = "s1" else values.array_of_statuses = CANCELLED_STATUSES end
    local function ask() return rank[call](rank, values) end
    local result = t:rc("IMPI-174", name:find("test") and until_told(t, ask) or ask(), "MPI_SUCCESS")
    for place in tostring(result.array_of_indices or result.index or ""):gmatch("%d+") do
      places[#places + 1] = tonumber(place) + 1
    end
    t:check("IMPI-174", call .. " names a request", #places > 0, "at least one", #places)
    return places
  end
end

for _, name in ipairs { "wait", "test", "waitall", "testall", "waitany", "testany", "waitsome", "testsome" } do
  case {
    id = "completion-of-cancelled-sends-by-" .. name,
    title = "Each of three sends is cancelled by itself, and the statuses tell which was: MPI_"
      .. name:gsub("^%l", string.upper),
    purpose = "Three MPI_Issend to one process are cancelled one behind the other: three CANCELs. The first and the last are answered CANCELYES, the last one first; the second has a SYNCACK, and CANCELNO.",
    requirements = { "IMPI-162", "IMPI-174", "IMPI-175" }, chapter = "3.7.4",
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local names, packets = synchronous(t, "IMPI-162", rank, other, channel, 3)
      for i = 1, 3 do
        t:cancel_at_once("IMPI-162", { rank = rank, request = names[i] })
        t:packet("IMPI-162", channel, "CANCEL", { src = own, dest = other, srqid = packets[i].srqid })
      end
      other:answer("CANCELYES", packets[3])
      other:answer("SYNCACK", packets[2])
      other:answer("CANCELNO", packets[2])
      other:answer("CANCELYES", packets[1])
      local cancelled, open = {}, 3
      t:judging("IMPI-174")
      while open > 0 do
        for at, i in ipairs(ENDING[name](t, rank, names)) do
          local status = name == "test" and "s" .. names[i] or "s" .. at
          cancelled[i] = t:mpi(rank:MPI_Test_cancelled { status = status }).flag
          open = open - 1
        end
      end
      for _, i in ipairs { 1, 3 } do t:equal("IMPI-174", "send " .. i .. " is cancelled", cancelled[i], true) end
      t:equal("IMPI-175", "send 2 is cancelled", cancelled[2], false)
    end,
  }
end

case {
  id = "completion-of-all-ends-none-alone",
  title = "MPI_Testall that says no leaves those that are done to be asked for later",
  purpose = "Of three receives two have their messages: MPI_Testall returns false. With the third message each is tested by itself, and tells its source, tag and count.",
  requirements = { "IMPI-116" },
  run = function(t)
    local _, rank, own, other = t:pair()
    local posts, names = {}, {}
    for i = 1, 3 do
      posts[i] = rank:post_receive(t, "MPI_ANY_SOURCE", 4 * i, { tag = i })
      names[i] = posts[i].request
    end
    for _, i in ipairs { 3, 1 } do other:send_short(own, i, i, 4 * i) end
    other:send_short(own, 9, 9, 4)
    t:receives("IMPI-116", "a message behind them", rank, other, 9, 4, { tag = 9 })
    for _ = 1, 2 do
      local result = t:rc("IMPI-116", rank:MPI_Testall { array_of_requests = joined(names) }, "MPI_SUCCESS")
      t:equal("IMPI-116", "MPI_Testall while one is open", result.flag, false)
    end
    other:send_short(own, 2, 2, 8)
    for i, post in ipairs(posts) do
      local result = t:completes("IMPI-116", "receive " .. i, post)
      t:equal("IMPI-116", "MPI_SOURCE of receive " .. i, result.status.source, other.rank)
      t:equal("IMPI-116", "MPI_TAG of receive " .. i, result.status.tag, i)
    end
  end,
}
