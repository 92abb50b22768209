-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.4 to 3.9: arguments that never were anything: handles whose octets are all zero or all ones, kinds of
-- addresses beyond the three that there are, indexes beyond the smaller of two tables.

defaults { suite = "return-codes", chapter = "3.5" }

-- What takes the handle of an interface, with the row that wants the others refused.
local TAKE_AN_INTERFACE <const> = {
  { "P30-043", "PtlACEntry", {} }, { "P30-088", "PtlNIFini", {} }, { "P30-091", "PtlNIBarrier", {} },
  { "P30-095", "PtlNIStatus", {} }, { "P30-100", "PtlNIDist", { process = true } }, { "P30-121", "PtlMEAttach", {} },
}

case {
  id = "ni-handles-of-zeros-and-ones",
  only = true,
  title = "Values that no interface ever had are refused by whatever takes an interface",
  purpose = "Handles of zeros and of ones in every octet, unless PtlNIHandle takes one for an object, are given to each function that wants an interface. The interface is as good as before.",
  requirements = { "P30-043", "P30-088", "P30-091", "P30-095", "P30-100", "P30-121" },
  run = function(t)
    local rank = t:open {}
    for _, handle in ipairs { "zero", "ones" } do
      local living = rank:PtlNIHandle { handle = handle }.rc == "PTL_OK"
      for req, verb, given in each(TAKE_AN_INTERFACE) do
        t:judging(req)
        if not living then
          local rc = rank[verb](rank, { interface = handle, process = given.process and rank or nil }).rc
          if req == "P30-121" then
            t:reading(req, "attach_bad_interface_code", "PtlMEAttach with " .. handle .. " returns", rc,
              { { "PTL_INV_NI", "PTL_INV_NI" }, { "any_error", rc ~= "PTL_OK" and rc or nil } })
          else
            t:equal(req, verb .. " with " .. handle .. " returns", rc, "PTL_INV_NI")
          end
        end
      end
    end
    for req, verb, given in each(TAKE_AN_INTERFACE) do
      if req ~= "P30-088" then
        t:rc(req, rank[verb](rank, { process = given.process and rank or nil }), "PTL_OK")
      end
    end
    t:rc("P30-088", rank:PtlNIFini {}, "PTL_OK")
  end,
}

-- So many numbers are tried; a library may number its three kinds as it likes.
local KINDS_TRIED <const>, KINDS <const> = 32, 3

case {
  id = "ids-of-three-kinds",
  only = true,
  title = "No more than three kinds of address are taken",
  purpose = "The process's own id is written with each number below 32 as its kind. Of these numbers no more than three are taken: as criteria of PtlACEntry, PtlMEAttach and PtlMEInsert, and by PtlNIDist and PtlTransId.",
  requirements = { "P30-041", "P30-070", "P30-099", "P30-118", "P30-127" }, chapter = "3.4",
  run = function(t)
    local rank, id = t:open {}
    id = rank.id
    rank:me_attach { index = 1, handle = "current" }
    local function taken(call)
      local good = 0
      for number = 0, KINDS_TRIED - 1 do
        local rc = call { kind = "kind", number = number, nid = id.nid, pid = id.pid, gid = id.gid, rid = id.rid }.rc
        good = good + (rc == "PTL_OK" and 1 or 0)
      end
      return good
    end
    for req, what, call in each {
      { "P30-041", "PtlACEntry", function(wanted) return rank:PtlACEntry { index = 2, matchid = wanted } end },
      { "P30-070", "PtlTransId", function(wanted) return rank:PtlTransId { id = wanted } end },
      { "P30-099", "PtlNIDist", function(wanted) return rank:PtlNIDist { process = wanted } end },
      { "P30-118", "PtlMEAttach", function(wanted)
        local result = rank:PtlMEAttach { matchid = wanted }
        if result.rc == "PTL_OK" then rank:me_unlink {} end
        return result
      end },
      { "P30-127", "PtlMEInsert", function(wanted)
        local result = rank:PtlMEInsert { matchid = wanted, current = "current", handle = "more" }
        if result.rc == "PTL_OK" then rank:me_unlink { entry = "more" } end
        return result
      end } } do
      local good = taken(call)
      t:check(req, "numbers of kinds that " .. what .. " takes", good <= KINDS, "3 at most", good)
    end
  end,
}

case {
  id = "access-index-of-the-smaller-table",
  title = "The smaller of two tables is not as large as the other one",
  purpose = "Beside an interface of 8 portals and 8 access control entries a second one of 2 and 2 is opened. PtlACEntry refuses entries and portals of the second one that only the first one has, and takes them at the first one.",
  requirements = { "P30-040", "P30-042" }, suite = "access-control", chapter = "3.9.1",
  run = function(t)
    local rank = t:open { ptl_size = 8, acl_size = 8 }
    rank:ni_init { interface = 1, ptl_size = 2, acl_size = 2, handle = "ni1" }
    local entries, portals = rank:granted("acl_size", 2, "ni1"), rank:granted("ptl_size", 2, "ni1") + t:kept_portals()
    for index = entries, 7 do
      t:rc("P30-040", rank:PtlACEntry { interface = "ni1", index = index }, "PTL_AC_INV_INDEX")
      t:rc("P30-040", rank:PtlACEntry { index = index }, "PTL_OK")
    end
    for portal = portals, 7 do
      t:rc("P30-042", rank:PtlACEntry { interface = "ni1", portal = portal, index = entries - 1 }, "PTL_INV_PTINDEX")
      t:rc("P30-042", rank:PtlACEntry { portal = portal }, "PTL_OK")
    end
    t:rc("P30-040", rank:PtlACEntry { interface = "ni1", index = entries - 1 }, "PTL_OK")
    t:rc("P30-042", rank:PtlACEntry { interface = "ni1", portal = 1, index = entries - 1 }, "PTL_OK")
  end,
}
