-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Commands as octets: a code, a length, so many octets of payload, however the network cuts them (chapter 2.3.2).

defaults { role = "server", suite = "server", chapter = "2.3.2" }

-- An honest client's whole start-up of version 0.0 in a job of `count` clients of one process each, as a list of
-- {label, values}.
local function honest_labels(rank)
  return { { "C_VERSION", { { 0, 0 } } }, { "C_NHOSTS", { 1 } }, { "C_NPROCS", { 1 } }, { "C_DATALEN", { 65536 } },
    { "C_TAGUB", { 0x7fffffff } }, { "C_COLL_XSIZE", { -1 } }, { "C_COLL_MAXLINEAR", { -1 } },
    { "H_IPV6", { IMPI.host("127.0.0.1") } }, { "H_PORT", { 5001 + rank } }, { "H_NPROCS", { 1 } },
    { "H_ACKMARK", { 10 } }, { "H_HIWATER", { 20 } }, { "P_IPV6", { IMPI.host("127.0.0.1") } },
    { "P_PID", { 4711 + rank } } }
end

-- Its octets, from AUTH with NONE to DONE.
local function whole_startup(rank)
  local parts = { IMPI.command("AUTH", IMPI.mask(IMPI.NONE_BIT)), IMPI.command("IMPI", string.pack(">i4", rank)) }
  for _, row in ipairs(honest_labels(rank)) do parts[#parts + 1] = IMPI.coll(row[1], row[2]) end
  parts[#parts + 1] = IMPI.command("DONE")
  return table.concat(parts)
end

-- Judges all that the server says in a job of two clients which sent whole_startup: by `size` the answer to IMPI, by
-- `labels` the broadcasts, by `req` the rest.
local function judge_session(t, req, server, clients, size, labels)
  for rank = 0, 1 do
    local choice, reason = clients[rank]:choice()
    t:equal(req, "the answer to AUTH of " .. clients[rank].label, choice and choice.octets or reason,
      string.rep("\0", 8))
    local told = t:command(size or req, clients[rank], "IMPI")
    t:equal(size or req, "octets of the answer to IMPI", told.octets, "IMPI\0\0\0\4\0\0\0\2")
    local first, second = honest_labels(0), honest_labels(1)
    for i, row in ipairs(first) do
      local values = IMPI.values(row[1], row[2]) .. IMPI.values(row[1], second[i][2])
      t:broadcast(labels or req, clients[rank], row[1], 3, values)
    end
    t:command(req, clients[rank], "DONE", { length = 0 })
  end
  t:finish_job_after_done(req, server, clients)
  for rank = 0, 1 do
    t:disconnects(req, "the connection of " .. clients[rank].label .. " at the end", clients[rank])
  end
end

case {
  id = "server-whole-session",
  title = "A whole session consists of complete commands, in both directions",
  purpose = "Two clients submit all 14 labels. Every octet that the server says is compared with what the document demands: the answer to AUTH without a head, IMPI, 14 COLL with big-endian label, mask and values, DONE, the end.",
  requirements = { "IMPI-021", "IMPI-001", "IMPI-044" },
  run = function(t)
    local server = t:server { clients = 2 }
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    for rank = 0, 1 do
      clients[rank]:offer(IMPI.NONE_BIT)
      clients[rank]:join(rank)
      for _, row in ipairs(honest_labels(rank)) do clients[rank]:coll(row[1], row[2]) end
      clients[rank]:done()
    end
    judge_session(t, "IMPI-021", server, clients, "IMPI-001", "IMPI-044")
  end,
}

case {
  id = "server-single-octets",
  title = "Commands whose octets come one by one are executed",
  purpose = "Both clients write every octet of their start-up by itself, in turns.",
  requirements = { "IMPI-024" },
  run = function(t)
    local server = t:server { clients = 2 }
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    local octets = { [0] = whole_startup(0), [1] = whole_startup(1) }
    for at = 1, #octets[0] do
      for rank = 0, 1 do clients[rank]:send_singly(octets[rank]:sub(at, at)) end
    end
    judge_session(t, "IMPI-024", server, clients)
  end,
}

case {
  id = "server-one-segment",
  title = "A whole start-up in one segment is executed",
  purpose = "Each client writes everything from AUTH to DONE at once, before it has read anything.",
  requirements = { "IMPI-024" },
  run = function(t)
    local server = t:server { clients = 2 }
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    for rank = 0, 1 do clients[rank]:send_raw(whole_startup(rank), "whole start-up") end
    judge_session(t, "IMPI-024", server, clients)
  end,
}

case {
  id = "server-three-writes",
  title = "Head, label and values of a COLL may come in segments of their own",
  purpose = "A known implementation writes each label in three pieces. Here the third comes only when another client's piece has been sent.",
  requirements = { "IMPI-024" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for _, row in ipairs(honest_labels(0)) do
      local octets = IMPI.coll(row[1], row[2])
      for _, piece in ipairs { { 1, 8 }, { 9, 12 }, { 13, #octets } } do
        for rank = 0, 1 do clients[rank]:send_raw(octets:sub(piece[1], piece[2]), "part") end
      end
      for rank = 0, 1 do
        t:broadcast("IMPI-024", clients[rank], row[1], 3, IMPI.values(row[1], row[2]):rep(2))
      end
    end
    t:finish_job("IMPI-024", server, clients)
  end,
}

for name, length in each { { "empty", 0 }, { "short", 13 }, { "large", 2000000 } } do
  case {
    id = "server-unknown-command-" .. name,
    title = "A command with an unknown code is skipped together with its payload of " .. length .. " octets",
    purpose = "The code XYZW comes behind AUTH, between two labels and behind DONE. Whatever its payload looks like, the commands behind it are executed.",
    requirements = { "IMPI-022" }, deadline = 180,
    run = function(t)
      local server = t:server { clients = 2 }
      local payload = string.rep("DONE\0\0\0\0FINI\0\0\0\0", length // 16 + 1):sub(1, length)
      local strange = string.pack(">I4", 0x58595a57)
      local clients = {}
      for rank = 0, 1 do
        clients[rank] = server:open_connection("client " .. rank):authenticate()
        clients[rank]:send(string.unpack(">I4", strange), payload)
        clients[rank]:join(rank)
      end
      for rank = 0, 1 do t:command("IMPI-022", clients[rank], "IMPI", { value = 2 }) end
      clients[0]:coll("C_VERSION", { { 0, 0 } })
      clients[0]:send(string.unpack(">I4", strange), payload)
      for rank = 0, 1 do
        clients[rank]:coll(rank == 0 and "C_NHOSTS" or "C_VERSION", rank == 0 and { 3 } or { { 0, 0 } })
      end
      clients[1]:coll("C_NHOSTS", { 2 })
      for rank = 0, 1 do
        t:broadcast("IMPI-022", clients[rank], "C_VERSION", 3, { { 0, 0 }, { 0, 0 } })
        t:broadcast("IMPI-022", clients[rank], "C_NHOSTS", 3, { 3, 2 })
        clients[rank]:done()
      end
      for rank = 0, 1 do t:command("IMPI-022", clients[rank], "DONE", { length = 0 }) end
      clients[1]:send(string.unpack(">I4", strange), payload)
      t:finish_job_after_done("IMPI-022", server, clients)
    end,
  }
end

case {
  id = "server-unknown-codes",
  title = "Any code that is not one of the five is unknown, and is skipped",
  purpose = "Zero, all ones, lower case letters, a byte-swapped DONE and codes that differ from COLL and FINI in one bit come between two labels.",
  requirements = { "IMPI-022" },
  run = function(t)
    local server = t:server { clients = 1 }
    local client = server:join_all()[0]
    for _, code in ipairs { 0, 0xffffffff, 0x646f6e65, 0x454e4f44, 0x434f4c4d, 0x46494e48, 0x494e4946 } do
      client:send(code, string.pack(">I4I4", IMPI.CODES.DONE, 0))
    end
    client:coll("C_TAGUB", { 32767 })
    t:broadcast("IMPI-022", client, "C_TAGUB", 1, { 32767 })
    t:finish_job("IMPI-022", server, { [0] = client })
  end,
}

case {
  id = "server-unknown-command-in-pieces",
  title = "An unknown command is skipped however its octets are cut",
  purpose = "Its head comes in single octets, its payload of 1000 octets in odd pieces, the last of them glued to a label.",
  requirements = { "IMPI-022", "IMPI-024" },
  run = function(t)
    local server = t:server { clients = 1 }
    local client = server:join_all()[0]
    local octets = IMPI.command(0x58595a57, t.mix(7, 1000)) .. IMPI.coll("C_NPROCS", { 8 })
    client:send_singly(octets:sub(1, 9))
    client:send_split(octets:sub(10), { 1, 90, 91, 800 })
    t:broadcast("IMPI-022", client, "C_NPROCS", 1, { 8 })
    t:finish_job("IMPI-024", server, { [0] = client })
  end,
}

case {
  id = "server-unknown-command-beside-another-client",
  title = "The payload of an unknown command is that of its own connection",
  purpose = "Client 0 sends half of an unknown command. Client 1 submits a label meanwhile; then the other half comes, and a label behind it. Both labels are joined.",
  requirements = { "IMPI-022", "IMPI-024" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    local strange = IMPI.command(0x58595a57, t.mix(7, 1000))
    clients[0]:send_raw(IMPI.coll("C_NHOSTS", { 1 }) .. strange:sub(1, 500), "COLL, part of XYZW")
    clients[1]:coll("C_NHOSTS", { 2 })
    for rank = 0, 1 do t:broadcast("IMPI-022", clients[rank], "C_NHOSTS", 3, { 1, 2 }) end
    clients[1]:coll("C_NPROCS", { 4 })
    clients[1]:coll("C_DATALEN", { 6 })
    clients[0]:send_raw(strange:sub(501) .. IMPI.coll("C_NPROCS", { 3 }), "the rest of XYZW, COLL")
    clients[0]:coll("C_DATALEN", { 5 })
    for rank = 0, 1 do
      t:broadcast("IMPI-022", clients[rank], "C_NPROCS", 3, { 3, 4 })
      t:broadcast("IMPI-022", clients[rank], "C_DATALEN", 3, { 5, 6 })
    end
    t:finish_job("IMPI-024", server, clients)
  end,
}

case {
  id = "server-halves-of-two-clients",
  title = "Of two clients whose commands come in halves each is taken at its own word",
  purpose = "Client 0 sends the first part of a command, client 1 the first part of another one; then the rest of both comes, in either order. With AUTH, IMPI and labels whose values differ in length: each is answered by what it has said.",
  requirements = { "IMPI-024" }, deadline = 60,
  run = function(t)
    local server = t:server { clients = 2 }
    server:judging("IMPI-024")
    local clients = { [0] = server:open_connection("client 0"), [1] = server:open_connection("client 1") }
    local function halves(first, second, at, order)
      local octets = { [0] = first, [1] = second }
      for rank = 0, 1 do
        clients[rank]:send_raw(octets[rank]:sub(1, at[rank + 1]), "a part")
        -- By then the server has read it; that it says nothing shows that the command is not whole to it.
        t:link_silent("IMPI-024", "with half a command", clients[rank], 100)
      end
      for _, rank in ipairs(order) do clients[rank]:send_raw(octets[rank]:sub(at[rank + 1] + 1), "the rest") end
    end
    halves(IMPI.command("AUTH", IMPI.mask(IMPI.NONE_BIT)), IMPI.command("AUTH", IMPI.mask(0x55550001)), { 9, 11 },
      { 0, 1 })
    for rank = 0, 1 do
      local choice, reason = clients[rank]:choice()
      t:equal("IMPI-024", "the answer to AUTH of client " .. rank, choice and choice.octets or reason, ("\0"):rep(8))
    end
    halves(IMPI.command("IMPI", "\0\0\0\0"), IMPI.command("IMPI", "\0\0\0\1"), { 11, 6 }, { 1, 0 })
    for rank = 0, 1 do t:command("IMPI-024", clients[rank], "IMPI", { value = 2 }) end
    for i, at in ipairs { { 9, 9 }, { 8, 11 }, { 11, 8 }, { 4, 10 }, { 10, 3 } } do
      local label, short, long = IMPI.LABELS[i + 1][1], string.pack(">I4", 256 + i), t.mix(i, 12)
      halves(IMPI.coll(label, short), IMPI.coll(label, long), at, i % 2 == 1 and { 0, 1 } or { 1, 0 })
      for rank = 0, 1 do t:broadcast("IMPI-024", clients[rank], label, 3, short .. long) end
    end
    t:finish_job("IMPI-024", server, clients)
  end,
}
