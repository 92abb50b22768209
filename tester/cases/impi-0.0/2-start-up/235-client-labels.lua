-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- COLL as a client has to speak it: which labels, in which order, with what in them (chapter 2.3.5). What it makes of
-- the others' values is in 235-client-negotiation.lua.

defaults { role = "client", suite = "startup", chapter = "2.3.5" }

local QUIET = 400

-- A job whose client has submitted all its labels. What they say has not been believed yet: job:learn_layout() does
-- that.
local function submitted(t, given)
  local job = t:impi_job(given):start():authenticate():join()
  job:labels()
  return job
end

case {
  id = "client-labels-of-version-zero",
  title = "All 14 labels come, once each, in ascending order, then DONE",
  purpose = "The labels of a whole start-up are listed. None is missing, none is repeated, none is 0; behind the last comes DONE with length 0 and nothing more.",
  requirements = { "IMPI-052", "IMPI-053", "IMPI-044", "IMPI-074" },
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    job:judging("IMPI-074")
    local last = job:labels()
    t:equal("IMPI-074", "the command behind the last label", last.octets, "DONE\0\0\0\0")
    t:link_silent("IMPI-074", "behind DONE nothing follows", job.server_link, QUIET)
    t:judging("IMPI-052")
    local expected, listed, seen, previous = {}, {}, {}, 0
    for i, row in ipairs(IMPI.LABELS) do expected[i] = string.format("0x%x", row[2]) end
    for _, label in ipairs(job.order) do
      t:check("IMPI-052", "the label " .. t.hex(label), label > previous, "above " .. t.hex(previous), t.hex(label))
      previous, seen[label] = label, true
      listed[#listed + 1] = IMPI.label(label).form and string.format("0x%x", label) or nil
    end
    t:equal("IMPI-053", "labels of version 0.0", listed, expected)
    t:check("IMPI-053", "IMPI_NO_LABEL", not seen[0], "is not sent", "was sent")
    t:equal("IMPI-044", "octets of a number of hosts", #job.given.C_NHOSTS, 4)
    job:learn_layout()
    job.server_link:done()
    job:connect_hosts():interpreters():init()
    t:link_silent("IMPI-074", "while the job runs nothing follows", job.server_link, QUIET)
    job:finish("IMPI-074")
  end,
}

case {
  id = "client-one-integer-label",
  title = "A label of one integer is a COLL of 8 octets",
  purpose = "The document's figure: COLL, 8, IMPI_C_NHOSTS and the number. Every octet is compared.",
  requirements = { "IMPI-044", "IMPI-001" },
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    job:labels("C_VERSION")
    local function octets_of(label)
      local command, reason
      repeat
        command, reason = job.server_link:receive()
        t:check("IMPI-044", label, command, "comes", reason)
        job:take_label(command)
      until command.label == IMPI.label(label).number
      return command.octets
    end
    t:equal("IMPI-044", "the octets of IMPI_C_NHOSTS", octets_of("C_NHOSTS"), "COLL\0\0\0\8\0\0\x11\0\0\0\0\1")
    t:equal("IMPI-001", "the octets of IMPI_C_NPROCS", octets_of("C_NPROCS"), "COLL\0\0\0\8\0\0\x12\0\0\0\0\1")
  end,
}

-- What a user chooses where it is chosen by these variables, and the labels that say so. No number is the same when its
-- octets are turned round.
local CHOSEN = { C_DATALEN = { "IMPI_DATALEN", 5000 }, C_TAGUB = { "IMPI_TAGUB", 40000 },
  H_ACKMARK = { "IMPI_ACKMARK", 3 }, H_HIWATER = { "IMPI_HIWATER", 9 } }

case {
  id = "client-integers-most-significant-octet-first",
  title = "The integers of all labels travel with their most significant octet first",
  purpose = "Counts and ports, which are known or bounded, and limits that the user chooses; where this client's user chooses in another way, these are passed over. A number that is right the other way round only is wrong.",
  requirements = { "IMPI-001" }, ranks = 3,
  run = function(t)
    local env = {}
    for _, row in pairs(CHOSEN) do env[row[1]] = row[2] end
    local job = t:impi_job { np = 3, env = env }:start():authenticate():join()
    job:labels("H_HIWATER")
    local function judge(label, good)
      local octets = job.given[label]
      if not octets or #octets ~= 4 then return end -- several hosts, or a label that is left out: another case's
      local number, turned = string.unpack(">I4", octets), string.unpack("<I4", octets)
      t:check("IMPI-001", "IMPI_" .. label, good(number) or not good(turned), "most significant octet first",
        string.format("%d, which is %d with its least significant octet first", number, turned))
    end
    local function is(wanted) return function(number) return number == wanted end end
    judge("C_NPROCS", is(3))
    judge("H_NPROCS", is(3))
    judge("C_NHOSTS", is(1))
    judge("H_PORT", function(number) return number > 0 and number < 65536 end)
    for label, row in pairs(CHOSEN) do judge(label, is(row[2])) end
  end,
}

case {
  id = "client-versions",
  title = "IMPI_C_VERSION lists versions in strictly ascending order, 0.0 among them",
  purpose = "The values are a positive number of pairs.",
  requirements = { "IMPI-058" },
  run = function(t)
    local job = submitted(t)
    local versions = IMPI.read_values("C_VERSION", job.given.C_VERSION)
    t:check("IMPI-058", "octets of the versions", versions and #versions > 0, "a positive multiple of 8",
      #job.given.C_VERSION)
    t:equal("IMPI-058", "the first version", versions[1], { 0, 0 })
    for i = 2, #versions do
      local before, after = versions[i - 1], versions[i]
      t:check("IMPI-058", "version " .. i, after[1] > before[1] or (after[1] == before[1] and after[2] > before[2]),
        "above the one before", after[1] .. "." .. after[2])
    end
  end,
}

for _, np in ipairs { 1, 3 } do
  case {
    id = "client-counts-" .. np,
    title = "Hosts and processes are counted as they were launched: " .. np .. " on one host",
    purpose = "IMPI_C_NHOSTS and IMPI_C_NPROCS, and IMPI_H_NPROCS, whose sum is the number of processes; the world has as many as all clients together.",
    requirements = { "IMPI-060", "IMPI-069" }, ranks = np,
    run = function(t)
      local job = submitted(t, { np = np, others = { { hosts = { 2 } } } })
      local hosts = IMPI.read_values("C_NHOSTS", job.given.C_NHOSTS)
      t:equal("IMPI-060", "number of processes", IMPI.read_values("C_NPROCS", job.given.C_NPROCS), { np })
      t:check("IMPI-060", "number of hosts", #hosts == 1 and hosts[1] >= 1 and hosts[1] <= np, "1 to " .. np, hosts)
      local each, total = IMPI.read_values("H_NPROCS", job.given.H_NPROCS), 0
      for i, count in ipairs(each) do
        t:check("IMPI-069", "processes of host " .. i - 1, count >= 1, "at least 1", count)
        total = total + count
      end
      t:equal("IMPI-069", "sum of the processes of all hosts", total, np)
      t:equal("IMPI-069", "hosts that are told of", #each, hosts[1])
      job:learn_layout()
      job.server_link:done()
      job:connect_hosts():interpreters():init()
      t:equal("IMPI-060", "size of the world", t:mpi(job.ranks[0]:MPI_Comm_size()).size, np + 2)
    end,
  }
end

case {
  id = "client-counts-hosts",
  title = "Two hosts with three processes are announced as they were asked for",
  purpose = "Every per-host array has two values and every per-process array three; ports and process numbers differ.",
  requirements = { "IMPI-060", "IMPI-069", "IMPI-068", "IMPI-071", "IMPI-072" }, ranks = 3, hosts = true,
  run = function(t)
    local job = submitted(t, { np = 3, hosts = 2 })
    t:equal("IMPI-060", "number of hosts", IMPI.read_values("C_NHOSTS", job.given.C_NHOSTS), { 2 })
    t:equal("IMPI-060", "number of processes", IMPI.read_values("C_NPROCS", job.given.C_NPROCS), { 3 })
    local each = IMPI.read_values("H_NPROCS", job.given.H_NPROCS)
    t:check("IMPI-069", "processes of both hosts", #each == 2 and each[1] >= 1 and each[2] >= 1
      and each[1] + each[2] == 3, "at least 1, together 3", each)
    for _, label in ipairs { "H_PORT", "H_ACKMARK", "H_HIWATER" } do
      t:equal("IMPI-068", "octets of " .. label, #job.given[label], 2 * 4)
    end
    t:equal("IMPI-068", "octets of H_IPV6", #job.given.H_IPV6, 2 * 16)
    t:equal("IMPI-071", "octets of P_IPV6", #job.given.P_IPV6, 3 * 16)
    t:equal("IMPI-071", "octets of P_PID", #job.given.P_PID, 3 * 8)
    job:learn_layout()
    local own = job.clients[1]
    t:check("IMPI-068", "address and port of the two", own.ports[1] ~= own.ports[2] or own.address[1] ~= own.address[2],
      "differ", own.ports)
    local seen = {}
    for i = 1, 3 do
      local key = own.ids[i] .. own.pids[i]
      t:check("IMPI-072", "process " .. i - 1, not seen[key], "another pair of address and number than those before",
        own.pids[i])
      seen[key] = true
    end
  end,
}

-- Whether 16 octets that hold no IPv4 address can be the IPv6 address of a host: one of the ranges in which hosts have
-- addresses (RFC 4291 and 4193), or the loopback address. An IPv4 address that stands in front is none.
local function is_ipv6_of_host(id)
  local first = id:byte()
  return first >> 5 == 1 or first >> 1 == 0x7e or first == 0xfe or id == string.rep("\0", 15) .. "\1"
    or id:find("^\0\x64\xff\x9b") ~= nil
end

case {
  id = "client-host-labels",
  title = "Host labels carry an address at which the client listens, a port, ackmark and hiwater",
  purpose = "16 octets of address whose last four are an IPv4 address where it listens, four octets for each of the others; the port is 1 to 65535. The form of the first twelve octets is recorded.",
  requirements = { "IMPI-068", "IMPI-006", "IMPI-007" },
  run = function(t)
    local job = submitted(t)
    for _, label in ipairs { "H_PORT", "H_ACKMARK", "H_HIWATER" } do
      t:equal("IMPI-068", "octets of " .. label, #job.given[label], 4)
    end
    t:equal("IMPI-006", "octets of H_IPV6", #job.given.H_IPV6, 16)
    job:learn_layout()
    local port = job.clients[1].ports[1]
    t:check("IMPI-068", "the port", port >= 1 and port <= 65535, "1 to 65535", port)
    local prefix = job.given.H_IPV6:sub(1, 12)
    local address = IMPI.address(job.given.H_IPV6)
    t:check("IMPI-068", "the address", job.given.H_IPV6 ~= string.rep("\0", 16) and not (address or ""):find("^0"),
      "that of a host", IMPI.show_host(job.given.H_IPV6))
    if address then
      t:reading("IMPI-007", "ipv4_form", "the octets before an IPv4 address", prefix, {
        { "mapped", string.rep("\0", 10) .. "\xff\xff" }, { "compatible", string.rep("\0", 12) } })
    else
      t:check("IMPI-007", "the address", is_ipv6_of_host(job.given.H_IPV6),
        "an IPv4 address in the last four octets, or an IPv6 address", IMPI.show_host(job.given.H_IPV6))
      t:skip("the client announces an IPv6 address")
    end
  end,
}

case {
  id = "client-labels-of-three-hosts",
  title = "Each of three hosts has an address and a port at which it listens",
  purpose = "The client under test has three hosts: 16 octets of address for each, none of them that of nobody, and where they are IPv4's of one of the two forms; a port of 1 to 65535; and no two hosts are at one address and port.",
  requirements = { "IMPI-007", "IMPI-068" }, ranks = 3, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 3, hosts = 3 }:start():authenticate():join()
    job:labels()
    job:judging("IMPI-068")
    job:learn_layout()
    local own, places = job.clients[job.rank], {}
    for i = 1, 3 do
      local id, port = own.address[i], own.ports[i]
      local place = IMPI.show_host(id) .. "/" .. port
      t:check("IMPI-068", "the port of host " .. i, port >= 1 and port <= 65535, "1 to 65535", port)
      t:check("IMPI-068", "the place of host " .. i, not places[place], "is its own", "is that of another: " .. place)
      places[place] = true
      t:check("IMPI-007", "the address of host " .. i, id ~= string.rep("\0", 16)
        and not (IMPI.address(id) or ""):find("^0"), "that of a host", IMPI.show_host(id))
      if IMPI.address(id) then
        t:reading("IMPI-007", "ipv4_form", "the octets before the IPv4 address of host " .. i, id:sub(1, 12), {
          { "mapped", string.rep("\0", 10) .. "\xff\xff" }, { "compatible", string.rep("\0", 12) } })
      else
        t:check("IMPI-007", "the address of host " .. i, is_ipv6_of_host(id),
          "an IPv4 address in the last four octets, or an IPv6 address", IMPI.show_host(id))
      end
    end
  end,
}

case {
  id = "client-highest-port-of-another",
  title = "A host that listens at the highest port there is can take part",
  purpose = "Host 1 announces port 65535; since it is the higher one it connects itself, and nobody looks for it there. Messages go to and fro.",
  requirements = { "IMPI-068" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { { values = { H_PORT = string.pack(">I4", 65535) } } } }
    job:judging("IMPI-068")
    job:open()
    t:ping_pong_with("IMPI-068", job, { 1 })
    job:finish("IMPI-068")
  end,
}

case {
  id = "client-process-labels",
  title = "Process labels carry 16 octets of address and 8 of number for each process, all different",
  purpose = "Three processes: 48 octets and 24, and no two processes with one address share a number.",
  requirements = { "IMPI-071", "IMPI-072" }, ranks = 3,
  run = function(t)
    local job = submitted(t, { np = 3 })
    t:equal("IMPI-071", "octets of P_IPV6", #job.given.P_IPV6, 3 * 16)
    t:equal("IMPI-071", "octets of P_PID", #job.given.P_PID, 3 * 8)
    job:learn_layout()
    local own, seen = job.clients[1], {}
    for i = 1, 3 do
      local key = own.ids[i] .. own.pids[i]
      t:check("IMPI-072", "process " .. i - 1, not seen[key], "another pair of address and number than those before",
        own.pids[i])
      seen[key] = true
    end
  end,
}

case {
  id = "client-collective-defaults",
  title = "By default a client contributes -1 to both collective limits",
  purpose = "IMPI_C_COLL_XSIZE and IMPI_C_COLL_MAXLINEAR are ff ff ff ff.",
  requirements = { "IMPI-063" },
  run = function(t)
    local job = submitted(t)
    t:equal("IMPI-063", "IMPI_C_COLL_XSIZE", job.given.C_COLL_XSIZE, "\xff\xff\xff\xff")
    t:equal("IMPI-063", "IMPI_C_COLL_MAXLINEAR", job.given.C_COLL_MAXLINEAR, "\xff\xff\xff\xff")
  end,
}

-- Two different values, so that a client which takes one of them for no choice is not skipped.
for name, xsize, maxlinear in each { { "0", 0, 3 }, { "0-clients", 3, 0 }, { "2", 2, 1 }, { "8", 8, 9 },
    { "5000", 5000, 2 }, { "100000", 100000, 65537 }, { "most", 2147483647, 2147483646 } } do
  case {
    id = "client-collective-choice-" .. name,
    title = string.format("The user's choice of the collective limits is sent: %d and %d", xsize, maxlinear),
    purpose = "The variables IMPI_COLL_XSIZE and IMPI_COLL_MAXLINEAR hold the choice. A client whose user chooses in another way still sends -1 twice: then the case is skipped.",
    requirements = { "IMPI-064" },
    run = function(t)
      local job = t:impi_job { env = { IMPI_COLL_XSIZE = xsize, IMPI_COLL_MAXLINEAR = maxlinear } }
      -- the other client gives what this one has given: else it would have to end
      setmetatable(job.clients[0].values, { __index = function(_, label)
        return (label == "C_COLL_XSIZE" or label == "C_COLL_MAXLINEAR") and job.given[label] or nil
      end })
      job:start():authenticate():join():labels()
      t:skip_if(job.given.C_COLL_XSIZE == "\xff\xff\xff\xff" and job.given.C_COLL_MAXLINEAR == "\xff\xff\xff\xff",
        "the user of this client does not choose by IMPI_COLL_XSIZE and IMPI_COLL_MAXLINEAR")
      t:equal("IMPI-064", "IMPI_C_COLL_XSIZE", job.given.C_COLL_XSIZE, string.pack(">i4", xsize))
      t:equal("IMPI-064", "IMPI_C_COLL_MAXLINEAR", job.given.C_COLL_MAXLINEAR, string.pack(">i4", maxlinear))
    end,
  }
end

case {
  id = "client-offers-within-limits",
  title = "Ackmark, hiwater, data length and tag bound are within the document's limits",
  purpose = "1 <= ackmark <= hiwater for every host, a data length of at least 1, a tag bound of 32767 to 2147483647.",
  requirements = { "IMPI-138" }, chapter = "3.9",
  run = function(t)
    local job = submitted(t)
    local ackmarks = IMPI.read_values("H_ACKMARK", job.given.H_ACKMARK)
    local hiwaters = IMPI.read_values("H_HIWATER", job.given.H_HIWATER)
    for i, ackmark in ipairs(ackmarks) do
      t:check("IMPI-138", "ackmark of host " .. i - 1, ackmark >= 1, "at least 1", ackmark)
      t:check("IMPI-138", "hiwater of host " .. i - 1, hiwaters[i] >= ackmark, "at least " .. ackmark, hiwaters[i])
    end
    local datalen = IMPI.read_values("C_DATALEN", job.given.C_DATALEN)[1]
    local tagub = IMPI.read_values("C_TAGUB", job.given.C_TAGUB)[1]
    t:check("IMPI-138", "data length", datalen >= 1, "at least 1", datalen)
    t:check("IMPI-138", "tag bound", tagub >= 32767, "32767 or more", tagub)
  end,
}

case {
  id = "client-labels-of-several-hosts",
  title = "A client of several hosts and processes sends each label once, too",
  purpose = "Two hosts with two processes each: the labels of a whole start-up rise strictly, and all 14 are among them.",
  requirements = { "IMPI-052", "IMPI-053" }, ranks = 4, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 4, hosts = 2 }:start():authenticate():join()
    job:judging("IMPI-052")
    job:labels()
    local expected, listed, previous = {}, {}, 0
    for i, row in ipairs(IMPI.LABELS) do expected[i] = string.format("0x%x", row[2]) end
    for _, label in ipairs(job.order) do
      t:check("IMPI-052", "the label " .. t.hex(label), label > previous, "above " .. t.hex(previous), t.hex(label))
      previous = label
      listed[#listed + 1] = IMPI.label(label).form and string.format("0x%x", label) or nil
    end
    t:equal("IMPI-053", "labels of version 0.0", listed, expected)
  end,
}
