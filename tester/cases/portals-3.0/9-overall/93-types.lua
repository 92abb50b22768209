-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.2.2: what becomes of an application that mistakes one handle for another, or uses one for too long.

defaults { suite = "types", chapter = "3.2" }

case {
  id = "types-handles-distinct",
  title = "The handles of different objects are of different types",
  purpose = "The interpreter's compiler tells whether any two of the four handle types are the same. The document gives the types names of their own to enhance type checking but does not demand more: one common type gives a warning.",
  requirements = { "P30-047" }, still = { "P32-047" },
  run = function(t)
    local handles = t.ranks[0]:describe().handles
    t:skip_if(not handles or handles.distinct == "unknown",
      "the interpreter's compiler cannot tell whether two types are the same")
    t:equal_or_warn("P30-047", "the handle types are distinct", handles.distinct, true,
      { [false] = "two kinds of handles are one type, so that the compiler cannot catch a mistake" })
  end,
}

-- How an object of each kind is made, how its end is called, which code a dead handle gives, and by which requirement.
local KINDS = {
  { "entry", "PtlMEAttach", { index = 1 }, "handle", "PtlMEUnlink", "entry", "PTL_INV_ME", "P30-133" },
  { "descriptor", "PtlMDBind", { mem_desc = "void" }, "handle", "PtlMDUnlink", "mem_desc", "PTL_INV_MD", "P30-200" },
  { "queue", "PtlEQAlloc", {}, "handle", "PtlEQFree", "eventq", "PTL_INV_EQ", "P30-238" },
}

for kind, make, given, handle, finish, argument, code, req in each(KINDS) do
  case {
    id = "types-dead-" .. kind .. "-stays-dead",
    title = "The handle of a " .. kind .. " that is gone never refers to a later one",
    purpose = "One is made and ended. Then 600 others are made and ended, one after the other, and the old handle is used while each of them lives: it must be refused, and the new one must be unharmed.",
    requirements = { req, "P30-103" },
    run = function(t)
      local rank = t:open {}
      rank:md { name = "void", start = "null", length = 0 }
      local function create(name)
        local values = { [handle] = name }
        for key, value in pairs(given) do values[key] = value end
        t:setup(rank[make](rank, values))
      end
      create("old")
      t:setup(rank[finish](rank, { [argument] = "old" }))
      for round = 1, 600 do
        create("new")
        t:refused(req, rank, finish, argument, "old", code, { "new" })
        if round % 100 == 1 then
          t:refused("P30-103", rank, "PtlNIHandle", "handle", "old", "PTL_INV_HANDLE", { "new" })
        end
        t:rc(req, rank[finish](rank, { [argument] = "new" }), "PTL_OK")
      end
    end,
  }
end
