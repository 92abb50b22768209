-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Labels of clients that are ahead of each other, that leave some out, or stop in the middle: when a broadcast is due,
-- to whom, and with whose values (chapter 2.3.5). What a broadcast looks like is in 235-server-labels.lua.

defaults { role = "server", suite = "server", chapter = "2.3.5" }

-- Judges that every client of the job is sent this COLL next.
local function all_get(t, req, clients, which, mask, values)
  for rank = 0, #clients do t:broadcast(req, clients[rank], which, mask, values) end
end

-- The octets of two labels in one segment: that the first of them is broadcast tells that both have been read.
local function both(first, of_first, second, of_second)
  return IMPI.coll(first, of_first) .. IMPI.coll(second, of_second)
end

case {
  id = "server-many-labels",
  title = "A client may be any number of labels ahead of the others",
  purpose = "Client 0 submits a hundred labels, most of which the document does not know, before client 1 has submitted any. All of them are joined and sent to both.",
  requirements = { "IMPI-050", "IMPI-045" },
  run = function(t)
    local server, clients = t:joined_server { clients = 2 }
    for rank = 0, 1 do
      local octets = {}
      for i = 1, 100 do octets[i] = IMPI.coll(0x1000 + 16 * i, string.format("%d of client %d", i, rank)) end
      clients[rank]:send_raw(table.concat(octets), "a hundred labels")
      t:ignore_violations(clients[rank].UNREAD, clients[rank])
    end
    for i = 1, 100 do
      all_get(t, i == 100 and "IMPI-045" or "IMPI-050", clients, 0x1000 + 16 * i, 3,
        string.format("%d of client 0%d of client 1", i, i))
    end
    t:finish_job("IMPI-050", server, clients)
  end,
}

case {
  id = "server-skipped-before-it-is-submitted",
  title = "A client that is past a label holds it up no more, also when the others submit it later",
  purpose = "Client 1 goes from IMPI_C_NHOSTS to IMPI_H_PORT before any client has submitted IMPI_C_DATALEN. When the others do, it is broadcast with the mask 5, and IMPI_H_PORT when they have submitted that too.",
  requirements = { "IMPI-049", "IMPI-047" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    clients[1]:send_raw(both("C_NHOSTS", { 1 }, "H_PORT", { 5001 }), "COLL C_NHOSTS, COLL H_PORT")
    t:ignore_violations(clients[1].UNREAD, clients[1])
    clients[0]:coll("C_NHOSTS", { 1 })
    clients[2]:coll("C_NHOSTS", { 1 })
    all_get(t, "IMPI-049", clients, "C_NHOSTS", 7, { 1, 1, 1 })
    clients[2]:coll("C_DATALEN", { 4000 })
    clients[0]:coll("C_DATALEN", { 8000 })
    t:broadcast("IMPI-049", clients[0], "C_DATALEN", 5, { 8000, 4000 })
    t:broadcast("IMPI-049", clients[2], "C_DATALEN", 5, { 8000, 4000 })
    t:broadcast("IMPI-047", clients[1], "C_DATALEN", 5, { 8000, 4000 })
    clients[0]:coll("H_PORT", { 5000 })
    clients[2]:coll("H_PORT", { 5002 })
    all_get(t, "IMPI-049", clients, "H_PORT", 7, { 5000, 5001, 5002 })
    t:finish_job("IMPI-049", server, clients)
  end,
}

case {
  id = "server-done-completes-a-label",
  title = "A label that waits for one client is broadcast when that client sends DONE, although the others have not",
  purpose = "All but client 1 have submitted IMPI_C_DATALEN. With its DONE the label is broadcast to all; the others go on with the next one.",
  requirements = { "IMPI-048", "IMPI-049" },
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    for _, rank in ipairs { 0, 2 } do
      clients[rank]:send_raw(both("C_NHOSTS", { rank }, "C_DATALEN", { 4000 + rank }), "COLL C_NHOSTS, COLL C_DATALEN")
      t:ignore_violations(clients[rank].UNREAD, clients[rank])
    end
    clients[1]:coll("C_NHOSTS", { 1 })
    all_get(t, "IMPI-048", clients, "C_NHOSTS", 7, { 0, 1, 2 })
    clients[1]:done()
    all_get(t, "IMPI-048", clients, "C_DATALEN", 5, { 4000, 4002 })
    clients[0]:coll("C_TAGUB", { 32767 })
    clients[2]:coll("C_TAGUB", { 40000 })
    all_get(t, "IMPI-049", clients, "C_TAGUB", 5, { 32767, 40000 })
    clients[0]:done()
    clients[2]:done()
    for rank = 0, 2 do t:command("IMPI-049", clients[rank], "DONE", { length = 0 }) end
    t:finish_job_after_done("IMPI-049", server, clients)
  end,
}

case {
  id = "server-half-a-label-holds-up-nobody",
  title = "A client that stops inside a command holds up nothing that does not need it",
  purpose = "Client 0 submits IMPI_C_NHOSTS, and of IMPI_C_NPROCS all but the last two octets. IMPI_C_NHOSTS of the others is taken and broadcast to all three meanwhile.",
  requirements = { "IMPI-246", "IMPI-048" }, chapter = "2.3.2",
  run = function(t)
    local server, clients = t:joined_server { clients = 3 }
    local octets = both("C_NHOSTS", { 1 }, "C_NPROCS", { 8 })
    clients[0]:send_raw(octets:sub(1, -3), "COLL C_NHOSTS, part of COLL")
    clients[1]:coll("C_NHOSTS", { 2 })
    clients[2]:coll("C_NHOSTS", { 3 })
    all_get(t, "IMPI-246", clients, "C_NHOSTS", 7, { 1, 2, 3 })
    clients[2]:coll("C_NPROCS", { 10 })
    clients[1]:coll("C_NPROCS", { 9 })
    clients[0]:send_raw(octets:sub(-2), "the rest")
    t:ignore_violations(clients[0].UNREAD, clients[0])
    all_get(t, "IMPI-048", clients, "C_NPROCS", 7, { 8, 9, 10 })
    t:finish_job("IMPI-246", server, clients)
  end,
}

case {
  id = "server-lost-client-leaves-no-values",
  title = "What a client submitted before it was lost is not joined for the one that takes its place",
  purpose = "Client 0 has sent its rank and, ahead of the others, a label, and leaves before the job is complete. Where the server lets it come again, the values of its second start are those that go out.",
  requirements = { "IMPI-041", "IMPI-248", "IMPI-050" },
  run = function(t)
    local server = t:server { clients = 2 }
    local lost = server:join_client(0)
    lost:coll("C_NHOSTS", "lost")
    server:mark_output()
    lost:close()
    t:check("IMPI-248", "the server's output", server:new_output(), "a line that tells of it", "nothing")
    local clients = { [0] = server:rejoin("IMPI-248", 0, "IMPI-041") }
    t:skip_if(not clients[0], "the server has ended with its client")
    server:judging("IMPI-248")
    clients[1] = server:join_client(1)
    for rank = 0, 1 do t:command("IMPI-248", clients[rank], "IMPI", { value = 2 }) end
    clients[0]:coll("C_NHOSTS", "second")
    clients[1]:coll("C_NHOSTS", "other")
    all_get(t, "IMPI-248", clients, "C_NHOSTS", 3, "secondother")
    t:finish_job("IMPI-050", server, clients)
  end,
}
