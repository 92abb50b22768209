-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The return codes of functions whose form is another one than in 3.0: before PtlInit, with one bad argument after the
-- other, and what is left when a call was refused. Bad handles are handles of objects that are gone.

defaults { suite = "return-codes" }

local ANYBODY <const> = { kind = "nid", nid = 1, pid = 1 }

local EARLY = {
  { "PtlGetId", { interface = "zero" } }, { "PtlGetUid", { interface = "zero" } }, { "PtlNIInit", {} },
  { "PtlNIDist", { interface = "zero", process = ANYBODY } }, { "PtlMEAttach", { interface = "zero" } },
  { "PtlMEAttachAny", { interface = "zero" } }, { "PtlMEInsert", { current = "zero" } },
  { "PtlMDAttach", { match = "zero" } }, { "PtlEQGet", { eventq = "zero" } }, { "PtlEQWait", { eventq = "zero" } },
}

case {
  id = "before-the-start",
  title = "What is called before PtlInit says so",
  purpose = "Functions that have another form than in 3.0 are called in a process that has not called PtlInit.",
  chapter = "3.3.1", requirements = { "P32-054", "P32-044" },
  run = function(t)
    local rank = t.ranks[0]
    rank:region("early", 8)
    rank:md { region = "early" }
    for verb, given in each(EARLY) do
      t:judging("P32-054")
      t:rc("P32-054", rank[verb](rank, given), "PTL_NOINIT")
    end
    t:judging("P32-044")
    t:rc("P32-044", rank:PtlACEntry { interface = "zero" }, "PTL_NOINIT")
  end,
}

case {
  id = "interface-that-is-none",
  title = "PtlNIInit refuses an interface that there is none of, and an address that is none",
  purpose = "The number 4711, then NULL for the handle, and then the default interface.",
  chapter = "3.5.1", requirements = { "P32-079", "P32-083" },
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    t:rc("P32-079", rank:PtlNIInit { interface = 4711 }, "PTL_INIT_INV")
    t:rc("P32-083", rank:PtlNIInit { handle = "null" }, "PTL_SEGV")
    t:rc("P32-079", rank:PtlNIInit {}, "PTL_OK")
  end,
}

-- A rank with a living and a dead entry and queue, and the sizes of its tables.
local function furnished(t)
  local rank = t:open { ptl_size = 8, acl_size = 4, actual = "out" }
  local sizes = { ptl_size = rank:granted("ptl_size", 8), acl_size = rank:granted("acl_size", 4) }
  rank:attach { octets = 8 }
  rank:me_attach { index = 3, handle = "dead" } -- of another value than the one that lives
  rank:me_unlink { entry = "dead" }
  rank:md { name = "good", start = "null", length = 0 }
  return rank, sizes
end

case {
  id = "entries-refused",
  title = "PtlMEAttach, PtlMEInsert and PtlMDAttach tell of bad handles",
  purpose = "An entry that is gone; then an interface that has been closed.",
  chapter = "3.6", requirements = { "P32-125", "P32-183", "P32-121" },
  run = function(t)
    local rank = furnished(t)
    t:refused("P32-125", rank, "PtlMEInsert", "current", "dead", "PTL_INV_ME", { "me" })
    t:rc("P32-183", rank:PtlMDAttach { match = "dead", mem_desc = "good", handle = "new" }, "PTL_INV_ME")
    t:rc("P32-183", rank:PtlMDUnlink {}, "PTL_OK")
    t:rc("P32-183", rank:PtlMDAttach { mem_desc = "good" }, "PTL_OK")
    rank:ni_fini {}
    local result = rank:PtlMEAttach { index = 2, handle = "late" }
    t:check("P32-121", result.call .. " returns", result.rc ~= "PTL_OK", "another code than PTL_OK", result.rc)
  end,
}

case {
  id = "access-entries-refused",
  title = "PtlACEntry tells of indexes and interfaces that there are none of, and changes nothing then",
  purpose = "The index and the portal behind the last ones; a put by the entry that was named arrives all the same. Then an interface that has been closed.",
  chapter = "3.9.1", requirements = { "P32-040", "P32-042", "P32-043", "P32-038" },
  run = function(t)
    local rank, sizes = furnished(t)
    rank:eq()
    rank:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 8, eventq = "eq" }
    rank:bind { octets = 8, region = "out", md = "out-md" }
    t:rc("P32-038", rank:PtlACEntry { index = 2, uid = "any", portal = 1 }, "PTL_OK")
    t:rc("P32-040", rank:PtlACEntry { index = sizes.acl_size, uid = "any" }, "PTL_AC_INV_INDEX")
    t:rc("P32-042", rank:PtlACEntry { index = 2, uid = "any", portal = sizes.ptl_size + t:kept_portals() },
      "PTL_INV_PTINDEX")
    rank:put { mem_desc = "out-md", target = rank, portal = 1, cookie = 2 }
    local event = rank:wait_done("eq").event
    t:equal("P32-038", "the event of a put by the entry", event and event.type, "PTL_EVENT_PUT_END")
    rank:ni_fini {}
    t:rc("P32-043", rank:PtlACEntry {}, "PTL_INV_NI")
  end,
}

case {
  id = "refused-descriptors-take-no-place",
  title = "A PtlMDAttach that is refused takes no place of another descriptor",
  purpose = "Four descriptors are asked for. The first one stands in an entry, and PtlMDAttach to that is refused more often than there are descriptors; then as many can be made as there are.",
  suite = "limits", chapter = "3.7.2", requirements = { "P32-176", "P32-338" },
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local most = t:setup(rank:PtlNIInit { ptl_size = 4, acl_size = 2, descriptors = 4, actual = "out" })
      .actual.descriptors
    t:skip_if(most > 512, "the limit is so large that it is not reached")
    rank:me_attach {}
    rank:md { start = "null", length = 0 }
    t:setup(rank:PtlMDAttach { handle = "md1" })
    for _ = 1, most + 1 do t:rc("P32-176", rank:PtlMDAttach { handle = "refused" }, "PTL_INUSE") end
    for i = 2, most do t:rc("P32-338", rank:PtlMDBind { handle = "md" .. i }, "PTL_OK") end
  end,
}

case {
  id = "descriptors-run-out",
  title = "PtlMDAttach and PtlMDBind tell that there is no room for another descriptor",
  purpose = "Four descriptors are asked for; as many as there are are made, and one beyond by either call. When one has gone, there is room again; so hundreds are made and unlinked.",
  chapter = "3.7.2", requirements = { "P32-186", "P32-195", "P32-338" }, deadline = 60,
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local most = t:setup(rank:PtlNIInit { ptl_size = 4, acl_size = 2, descriptors = 4, actual = "out" })
      .actual.descriptors
    t:skip_if(most > 512, "the limit is so large that it is not reached")
    rank:me_attach {}
    rank:md { start = "null", length = 0 }
    for i = 1, most do rank:md_bind { handle = "md" .. i } end
    t:rc("P32-186", rank:PtlMDAttach { handle = "beyond" }, "PTL_NOSPACE")
    t:rc("P32-195", rank:PtlMDBind { handle = "beyond" }, "PTL_NOSPACE")
    for _ = 1, 2 * most + 8 do
      rank:md_unlink { mem_desc = "md1" }
      t:rc("P32-338", rank:PtlMDBind { handle = "md1" }, "PTL_OK")
    end
    rank:md_unlink { mem_desc = "md1" }
    t:rc("P32-186", rank:PtlMDAttach {}, "PTL_OK")
  end,
}
