-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- COLL as a server has to relay it: opaque values, joined in the order of client ranks, with a mask of who gave some
-- (chapter 2.3.5). Values are those of the document's own examples where it has any.

defaults { role = "server", suite = "server", chapter = "2.3.5" }

local QUIET = 400

-- Judges that every client of the job is sent this COLL next.
local function all_get(t, req, clients, which, mask, values)
  for rank = 0, #clients do t:broadcast(req, clients[rank], which, mask, values) end
end

case {
  id = "server-three-clients-hosts",
  title = "The document's example: three clients with 3, 2 and 2 hosts",
  purpose = "Each sends COLL, 8, IMPI_C_NHOSTS and its number. Each is sent COLL, 20, the label, the mask 7 and the three numbers.",
  requirements = { "IMPI-044", "IMPI-045", "IMPI-046" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    for rank, hosts in pairs { [0] = 3, 2, 2 } do
      clients[rank]:send_raw("COLL\0\0\0\8\0\0\x11\0\0\0\0" .. string.char(hosts), "COLL C_NHOSTS")
    end
    for rank = 0, 2 do
      local command = t:command("IMPI-044", clients[rank], "COLL", { length = 20, label = 0x1100 })
      t:equal("IMPI-046", "the mask", command.mask, 7)
      t:equal("IMPI-045", "the numbers", command.values, { 3, 2, 2 })
    end
    t:finish_job("IMPI-044", server, clients)
  end,
}

case {
  id = "server-three-clients-versions",
  title = "The document's example: version lists of two, three and three entries in one broadcast",
  purpose = "Values of different lengths are joined as they are: eight versions, 72 octets with label and mask.",
  requirements = { "IMPI-044", "IMPI-045" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    t:judging("IMPI-045")
    clients[0]:coll("C_VERSION", { { 0, 0 }, { 0, 1 } })
    clients[1]:coll("C_VERSION", { { 0, 0 }, { 0, 1 }, { 0, 2 } })
    clients[2]:coll("C_VERSION", { { 0, 0 }, { 0, 1 }, { 0, 2 } })
    for rank = 0, 2 do
      local command = t:command("IMPI-044", clients[rank], "COLL", { length = 72, mask = 7 })
      t:equal("IMPI-045", "the versions", command.values, { { 0, 0 }, { 0, 1 }, { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 0 },
        { 0, 1 }, { 0, 2 } })
    end
    t:finish_job("IMPI-044", server, clients)
  end,
}

case {
  id = "server-three-clients-ports",
  title = "The document's example: ports 5001 to 7002 of seven hosts",
  purpose = "Three, two and two ports make one broadcast of 36 octets.",
  requirements = { "IMPI-044", "IMPI-045" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    t:judging("IMPI-045")
    clients[2]:coll("H_PORT", { 7001, 7002 })
    clients[0]:coll("H_PORT", { 5001, 5002, 5003 })
    clients[1]:coll("H_PORT", { 6001, 6002 })
    for rank = 0, 2 do
      local command = t:command("IMPI-044", clients[rank], "COLL", { length = 36, label = 0x2100, mask = 7 })
      t:equal("IMPI-045", "the ports", command.values, { 5001, 5002, 5003, 6001, 6002, 7001, 7002 })
    end
    t:finish_job("IMPI-044", server, clients)
  end,
}

case {
  id = "server-joins-every-label-by-rank",
  title = "Under each of the 14 labels the values stand in the order of client ranks",
  purpose = "Three clients submit an octet sequence of their own under each label, the last client first; the middle one gives more of them.",
  requirements = { "IMPI-045" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    t:judging("IMPI-045")
    for i, label in ipairs(IMPI.LABELS) do
      local parts = {}
      for rank = 2, 0, -1 do
        parts[rank + 1] = string.rep(string.char(16 * rank + i), rank == 1 and 48 or 16)
        clients[rank]:coll(label[1], parts[rank + 1])
      end
      for rank = 0, 2 do t:broadcast("IMPI-045", clients[rank], label[1], 7, table.concat(parts)) end
    end
    t:finish_job("IMPI-045", server, clients)
  end,
}

case {
  id = "server-joins-by-rank",
  title = "Values stand in the order of client ranks, whatever the order in which they came",
  purpose = "The clients join as 2, 0, 1 and submit as 2, 1, 0; client 0 is two labels ahead of the others before they begin.",
  requirements = { "IMPI-045" },
  run = function(t)
    local server = t:server { clients = 3 }
    local clients = server:join_all { order = { 2, 0, 1 } }
    clients[0]:coll("C_NHOSTS", { 10 })
    clients[0]:coll("C_NPROCS", { 20 })
    clients[2]:coll("C_NHOSTS", { 12 })
    clients[1]:coll("C_NHOSTS", { 11 })
    all_get(t, "IMPI-045", clients, "C_NHOSTS", 7, { 10, 11, 12 })
    clients[2]:coll("C_NPROCS", { 22 })
    clients[0]:coll("C_DATALEN", { 30 })
    clients[1]:coll("C_NPROCS", { 21 })
    all_get(t, "IMPI-045", clients, "C_NPROCS", 7, { 20, 21, 22 })
    clients[1]:coll("C_DATALEN", { 31 })
    t:link_silent("IMPI-045", "two of three have submitted", clients[0], QUIET)
    clients[2]:coll("C_DATALEN", { 32 })
    all_get(t, "IMPI-045", clients, "C_DATALEN", 7, { 30, 31, 32 })
    t:finish_job("IMPI-045", server, clients)
  end,
}

case {
  id = "server-joins-by-rank-of-some",
  title = "Values of some of the clients stand in the order of ranks too",
  purpose = "Of five clients some submit a label, the highest first or in another order: the first is not among them, nor the last, nor one in the midst.",
  requirements = { "IMPI-045" },
  run = function(t)
    local server = t:server { clients = 5 }
    local clients = server:join_all { order = { 4, 2, 0, 1, 3 } }
    for i, order in ipairs { { 4, 2, 1 }, { 3, 1, 2 }, { 2, 4, 0 }, { 3, 4 } } do
      local label, next_label, mask, values = 0x2000 + 2 * i, 0x2001 + 2 * i, 0, {}
      for _, rank in ipairs(order) do
        clients[rank]:coll(label, string.char(rank, 16 * i))
        mask = mask | 1 << rank
      end
      for rank = 0, 4 do
        if mask >> rank & 1 == 1 then
          values[#values + 1] = string.char(rank, 16 * i)
        else
          clients[rank]:coll(next_label, string.char(rank))
        end
      end
      for _, rank in ipairs(order) do clients[rank]:coll(next_label, string.char(rank)) end
      all_get(t, "IMPI-045", clients, label, mask, table.concat(values))
      all_get(t, "IMPI-045", clients, next_label, 31, "\0\1\2\3\4")
    end
    t:finish_job("IMPI-045", server, clients)
  end,
}

case {
  id = "server-mask-of-one",
  title = "Bit i of the mask stands for client i",
  purpose = "Only client 2 of three submits a label: the mask is 4. Clients 0 and 2 submit one without values: the mask is 5. Then only client 0: the mask is 1.",
  requirements = { "IMPI-046" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    clients[2]:coll("C_DATALEN", { 4000 })
    for _, rank in ipairs { 0, 2 } do clients[rank]:coll(0x1350, "") end
    clients[0]:coll("C_TAGUB", { 32767 })
    clients[1]:done()
    all_get(t, "IMPI-046", clients, "C_DATALEN", 4, { 4000 })
    all_get(t, "IMPI-046", clients, 0x1350, 5, {})
    clients[2]:done()
    all_get(t, "IMPI-046", clients, "C_TAGUB", 1, { 32767 })
    clients[0]:done()
    for rank = 0, 2 do t:command("IMPI-046", clients[rank], "DONE") end
    t:finish_job_after_done("IMPI-046", server, clients)
  end,
}

case {
  id = "server-mask-of-32",
  title = "The mask of 32 clients has all its bits",
  purpose = "Thirty-two clients submit their rank, then all but the last: the masks are ffffffff and 7fffffff.",
  requirements = { "IMPI-046", "IMPI-045" },
  run = function(t)
    local server = t:server_of(32)
    local clients, ranks, rest = server:join_all(), {}, {}
    for rank = 0, 31 do
      ranks[rank + 1] = rank
      rest[rank + 1] = rank < 31 and rank or nil
      clients[rank]:coll("C_NPROCS", { rank })
    end
    for rank = 0, 31 do
      local command = t:command("IMPI-046", clients[rank], "COLL", { label = 0x1200 })
      t:equal("IMPI-046", "the mask for client " .. rank, command.mask, 0xffffffff)
      t:equal("IMPI-045", "the values for client " .. rank, command.values, ranks)
    end
    for rank = 0, 31 do
      if rank < 31 then clients[rank]:coll("C_TAGUB", { rank }) end
      clients[rank]:done()
    end
    all_get(t, "IMPI-045", clients, "C_TAGUB", 0x7fffffff, rest)
    for rank = 0, 31 do t:command("IMPI-045", clients[rank], "DONE") end
    t:finish_job_after_done("IMPI-045", server, clients)
  end,
}

case {
  id = "server-missing-value",
  title = "The document's example: client 1 gives no data length",
  purpose = "Client 1 goes on with the next label. The broadcast has 16 octets, the mask 5 and the values 8000 and 4000, and client 1 gets it too. So does every client what all have submitted without values.",
  requirements = { "IMPI-047", "IMPI-049" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    t:judging("IMPI-049")
    clients[0]:coll("C_DATALEN", { 8000 })
    clients[2]:coll("C_DATALEN", { 4000 })
    t:link_silent("IMPI-049", "client 1 may still submit it", clients[0], QUIET)
    clients[1]:coll("C_TAGUB", { 99 })
    t:broadcast("IMPI-049", clients[0], "C_DATALEN", 5, { 8000, 4000 })
    t:broadcast("IMPI-049", clients[2], "C_DATALEN", 5, { 8000, 4000 })
    t:broadcast("IMPI-047", clients[1], "C_DATALEN", 5, { 8000, 4000 })
    clients[0]:coll("C_TAGUB", { 98 })
    clients[2]:coll("C_TAGUB", { 97 })
    all_get(t, "IMPI-047", clients, "C_TAGUB", 7, { 98, 99, 97 })
    for rank = 0, 2 do clients[rank]:coll("H_HIWATER", "") end
    all_get(t, "IMPI-047", clients, "H_HIWATER", 7, "")
    t:finish_job("IMPI-047", server, clients)
  end,
}

case {
  id = "server-label-that-the-first-client-skips",
  title = "A label that the client of lowest rank has skipped goes out before its next one",
  purpose = "Client 0 has submitted IMPI_C_NPROCS when client 1 submits IMPI_C_NHOSTS, which client 0 leaves out, and then IMPI_C_NPROCS: each goes out once, with the masks 2 and 3.",
  requirements = { "IMPI-049" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    clients[0]:coll("C_NPROCS", { 5 })
    clients[1]:coll("C_NHOSTS", { 1 })
    clients[1]:coll("C_NPROCS", { 7 })
    for rank = 0, 1 do
      t:broadcast("IMPI-049", clients[rank], "C_NHOSTS", 2, { 1 })
      t:broadcast("IMPI-049", clients[rank], "C_NPROCS", 3, { 5, 7 })
    end
    t:finish_job("IMPI-049", server, clients)
  end,
}

for _, done in ipairs { 1, 0, 2 } do
  local lower, upper = done == 0 and 1 or 0, done == 2 and 1 or 2
  case {
    id = "server-done-skips-the-rest" .. (done == 1 and "" or "-of-" .. done),
    title = "A client that sends DONE has skipped every label that it has not sent: client " .. done,
    purpose = "It says DONE where the others submit IMPI_H_ACKMARK and IMPI_H_HIWATER.",
    requirements = { "IMPI-049", "IMPI-047" },
    run = function(t)
      local server, clients = t:joined_server { clients = 3 }
      clients[done]:done()
      for i, label in ipairs { "H_ACKMARK", "H_HIWATER" } do
        clients[upper]:coll(label, { 10 * i })
        clients[lower]:coll(label, { 20 * i })
        for _, rank in ipairs { lower, upper, done } do
          t:broadcast(rank == done and "IMPI-047" or "IMPI-049", clients[rank], label, 7 - (1 << done),
            { 20 * i, 10 * i })
        end
      end
      clients[lower]:done()
      clients[upper]:done()
      for rank = 0, 2 do t:command("IMPI-049", clients[rank], "DONE") end
      t:finish_job_after_done("IMPI-049", server, clients)
    end,
  }
end

case {
  id = "server-broadcasts-at-once",
  title = "A broadcast goes out as soon as all clients have submitted the label",
  purpose = "Both clients submit IMPI_C_VERSION and nothing more. With one of them still missing there is silence, with both the broadcast. Then both submit a label without values: that is sent at once, too.",
  requirements = { "IMPI-048" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    clients[1]:coll("C_VERSION", { { 0, 0 } })
    t:link_silent("IMPI-048", "one of two has submitted", clients[1], QUIET)
    clients[0]:coll("C_VERSION", { { 0, 0 } })
    all_get(t, "IMPI-048", clients, "C_VERSION", 3, { { 0, 0 }, { 0, 0 } })
    for rank = 0, 1 do clients[rank]:coll(0x1050, "") end
    all_get(t, "IMPI-048", clients, 0x1050, 3, {})
    t:finish_job("IMPI-048", server, clients)
  end,
}

for name, label in each { { "between", 0x1250 }, { "before-all", 0x0001 }, { "after-all", 0x7fffff00 },
    { "next-to-known", 0x1101 }, { "largest", 0x7fffffff }, { "below-zero", 0xffffffff },
    { "smallest", 0x80000000 } } do
  case {
    id = "server-opaque-label-" .. name,
    title = string.format("A label that the document does not know is relayed like any other: 0x%x", label),
    purpose = "All clients submit it; then a job in which only client 1 does.",
    requirements = { "IMPI-050" },
    run = function(t)
      local server, clients = t:joined_server { clients = 2 }
      clients[0]:coll(label, "left")
      clients[1]:coll(label, "right side")
      all_get(t, "IMPI-050", clients, label, 3, "leftright side")
      t:finish_job("IMPI-050", server, clients)
      t:step("client 1 alone has it")
      server = t:server { clients = 2 }
      clients = server:join_all()
      clients[1]:coll(label, "mine")
      clients[0]:done()
      clients[1]:done()
      all_get(t, "IMPI-050", clients, label, 2, "mine")
      for rank = 0, 1 do t:command("IMPI-050", clients[rank], "DONE") end
      t:finish_job_after_done("IMPI-050", server, clients)
    end,
  }
end

case {
  id = "server-opaque-values",
  title = "Values are relayed unread, of any length and any content",
  purpose = "Under labels whose values the document defines the clients submit 1, 0 and 7 octets, all 256 octets, and nothing at all.",
  requirements = { "IMPI-050" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    local every = {}
    for octet = 0, 255 do every[octet + 1] = string.char(octet) end
    for i, row in ipairs { { "a", "", "sevenoc" }, { table.concat(every), "\0", "\xff" }, { "", "", "" },
        { "COLL\0\0\0\8", "DONE\0\0\0\0", "FINI\0\0\0\0" } } do
      local label = IMPI.LABELS[i + 1][1]
      for rank = 2, 0, -1 do clients[rank]:coll(label, row[rank + 1]) end
      all_get(t, "IMPI-050", clients, label, 7, table.concat(row))
    end
    t:finish_job("IMPI-050", server, clients)
  end,
}

case {
  id = "server-large-values",
  title = "Values of many thousand processes are relayed whole",
  purpose = "Two clients submit 80,000 octets each, which 5,000 processes need, and then process labels for 20,000 each: 320,000 octets of addresses and 160,000 of numbers. A server to which these are too many, and which says so, or that needs seconds for each few thousand, is skipped.",
  requirements = { "IMPI-050" },
  run = function(t)
    local trial = t:server { clients = 1 }
    local alone, begun = trial:join_all()[0], core.now()
    alone:coll(0x2480, t.mix(0, 4000))
    local command, reason = alone:receive(20000)
    t:skip_if(command and core.now() - begun > 2000, "the server takes more than two seconds for 4,000 octets")
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do clients[rank]:coll(0x2480, t.mix(rank, 80000)) end
    all_get(t, "IMPI-050", clients, 0x2480, 3, t.mix(0, 80000) .. t.mix(1, 80000))
    trial:mark_output()
    alone:coll("P_IPV6", t.mix(0, 320000))
    command, reason = alone:receive()
    t:skip_if(not command and (reason == "closed" or reason == "reset") and trial:new_output(),
      "the server takes no label of 320,000 octets from a client")
    core.job_kill(trial.job)
    for _, row in ipairs { { "P_IPV6", 320000 }, { "P_PID", 160000 } } do
      for rank = 0, 1 do clients[rank]:coll(row[1], t.mix(rank, row[2])) end
      all_get(t, "IMPI-050", clients, row[1], 3, t.mix(0, row[2]) .. t.mix(1, row[2]))
    end
    t:finish_job("IMPI-050", server, clients)
  end,
}

case {
  id = "server-label-skipped-by-all",
  title = "A label that every client skips does not harm the job; what the server sends is recorded",
  purpose = "All go from IMPI_C_NHOSTS to IMPI_C_TAGUB. A server may say nothing about the labels between, or broadcast them with an empty mask; the next label must come complete.",
  requirements = { "IMPI-049" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do
      clients[rank]:coll("C_NHOSTS", { rank })
      clients[rank]:coll("C_TAGUB", { 7 + rank })
    end
    for rank = 0, 1 do
      t:broadcast("IMPI-049", clients[rank], "C_NHOSTS", 3, { 0, 1 })
      local command, reason = clients[rank]:with_skipped()
      while command and command.code == "COLL" and command.mask == 0 do
        t:record("a label that all have skipped is broadcast with mask 0", IMPI.label(command.label).name)
        t:equal("IMPI-049", "its values", command.data, "")
        command, reason = clients[rank]:with_skipped()
      end
      local seen = command and command.octets or reason
      t:equal("IMPI-049", "the next label", seen, IMPI.broadcast("C_TAGUB", 3, { 7, 8 }))
    end
    t:finish_job("IMPI-049", server, clients)
  end,
}

-- Whether the server has ended the connection of a client, whatever it had said on it.
local function cut_off(client)
  local command, reason
  repeat
    command, reason = client:receive(0)
  until not command
  return reason == "closed" or reason == "reset"
end

-- Judges a further broadcast to client 1 that has nothing but what client 0 has submitted a second time.
local function told_again(t, what, command, values)
  t:check("IMPI-051", what, command.octets == IMPI.broadcast("C_NPROCS", 1, values),
    "the values of a client at most once", IMPI.describe(command.number, command.length, command.payload, true))
  t:reading("IMPI-051", "repeated_label", "a label that comes again is sent to client 1", "again",
    { { "once", "once" }, { "again", "again" } })
end

-- After client 0 has broken the order of labels: it may be cut off; the others must get on with C_DATALEN, or be told
-- by the end of their connection. In one broadcast a client's own values must never appear twice.
local function harmless(t, server, clients, once)
  local ended = clients[0]:silence(0)
  t:record("the client that broke the order is still connected", ended)
  for rank = 0, 1 do clients[rank]:coll("C_DATALEN", { 100 + rank }) end
  local command, reason = clients[1]:receive()
  local times = 0
  while command and command.label ~= 0x1300 do
    t:record("client 1 is sent", IMPI.describe(command.number, command.length, command.payload, true))
    t:check("IMPI-051", "what client 1 is sent", command.code == "COLL", "a broadcast", command.code)
    times = times + select(2, command.data:gsub(once, ""))
    if times > 1 then told_again(t, "what client 1 is sent", command, once) end
    command, reason = clients[1]:receive()
  end
  if command then
    local alone = IMPI.broadcast("C_DATALEN", 2, { 101 })
    local both = IMPI.broadcast("C_DATALEN", 3, { 100, 101 })
    t:check("IMPI-051", "the next label of client 1", command.octets == both or command.octets == alone,
      "complete, or without client 0", Values.show(command.payload))
  else
    t:check("IMPI-051", "client 1, if it gets nothing more,", reason == "closed" or reason == "reset"
      or cut_off(clients[0]), "is told by the end of its connection, or waits for one that was cut off", reason)
    clients[1]:close()
    t:check("IMPI-051", "the server's output", server:new_output(), "a line that tells of it", "nothing")
    t:check("IMPI-051", "the server", server:ended(), "ends", "still runs")
  end
end

case {
  id = "server-label-out-of-order",
  title = "A label below the one before does not harm the other clients",
  purpose = "Client 0 submits IMPI_C_NPROCS and then IMPI_C_NHOSTS. What becomes of it is not defined; client 1 goes on, or its connection ends.",
  requirements = { "IMPI-051" }, negative = true,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    server:mark_output()
    clients[0]:coll("C_NPROCS", "once")
    clients[0]:coll("C_NHOSTS", "back")
    t:confirm_violation("label-order")
    clients[1]:coll("C_NPROCS", "good")
    harmless(t, server, clients, "once")
  end,
}

case {
  id = "server-label-repeated",
  title = "A label submitted twice does not harm the other clients and is not joined twice",
  purpose = "Client 0 submits IMPI_C_NPROCS two times, before client 1 has submitted it. A second broadcast, of client 0 alone, is another reading.",
  requirements = { "IMPI-051" }, negative = true,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    server:mark_output()
    clients[0]:coll("C_NPROCS", "once")
    clients[0]:coll("C_NPROCS", "once")
    t:confirm_violation("label-order")
    clients[1]:coll("C_NPROCS", "good")
    harmless(t, server, clients, "once")
  end,
}

case {
  id = "server-label-again-behind-its-broadcast",
  title = "A label submitted again after its broadcast is not broadcast again",
  purpose = "Both clients have submitted IMPI_C_NPROCS and have been sent it. Client 0 submits it once more, then both go on with IMPI_C_DATALEN, which is the next that client 1 is sent; or it is told by the end of its connection. A broadcast of its own for what client 0 has repeated is another reading.",
  requirements = { "IMPI-051" }, negative = true,
  run = function(t)
    local _, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do clients[rank]:coll("C_NPROCS", { 3 + rank }) end
    for rank = 0, 1 do t:broadcast("IMPI-051", clients[rank], "C_NPROCS", 3, { 3, 4 }) end
    clients[0]:coll("C_NPROCS", { 3 })
    t:confirm_violation("label-order", clients[0])
    t:ignore_violations(clients[0].UNREAD, clients[0])
    for rank = 0, 1 do clients[rank]:coll("C_DATALEN", { 100 + rank }) end
    local command, reason = clients[1]:receive()
    if command and command.label == 0x1200 then
      told_again(t, "what client 1 is sent behind IMPI_C_NPROCS", command, { 3 })
      command, reason = clients[1]:receive()
    end
    if command then
      t:check("IMPI-051", "what client 1 is sent behind IMPI_C_NPROCS",
        command.octets == IMPI.broadcast("C_DATALEN", 3, { 100, 101 })
        or command.octets == IMPI.broadcast("C_DATALEN", 2, { 101 }), "IMPI_C_DATALEN, with or without client 0",
        IMPI.describe(command.number, command.length, command.payload, true))
    else
      t:check("IMPI-051", "client 1, if it gets nothing more,", reason == "closed" or reason == "reset"
        or cut_off(clients[0]), "is told by the end of its connection, or waits for one that was cut off", reason)
    end
  end,
}

case {
  id = "server-label-after-done",
  title = "A label behind DONE does not harm the other clients",
  purpose = "Client 0 says DONE and then submits a label that client 1 has not reached yet.",
  requirements = { "IMPI-051" }, negative = true,
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    server:mark_output()
    clients[0]:done()
    clients[0]:coll("C_NPROCS", "once")
    t:confirm_violation("after-done", clients[0])
    clients[1]:coll("C_NPROCS", "good")
    harmless(t, server, clients, "once")
    t:ignore_violations({ "after-done" }, clients[0]) -- client 0 has gone on
  end,
}

case {
  id = "server-opaque-labels-of-large-numbers",
  title = "Labels are in the order of their whole numbers",
  purpose = "Both clients submit IMPI_P_PID, then 0x11000, 0x20001 and 0x7fff0000, whose last two octets are not in order: each is relayed.",
  requirements = { "IMPI-050" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local labels = { 0x3100, 0x11000, 0x20001, 0x7fff0000 }
    for rank = 0, 1 do
      for i, label in ipairs(labels) do clients[rank]:coll(label, t.mix(i, 8)) end
    end
    for i, label in ipairs(labels) do all_get(t, "IMPI-050", clients, label, 3, t.mix(i, 8) .. t.mix(i, 8)) end
    t:finish_job("IMPI-050", server, clients)
  end,
}
