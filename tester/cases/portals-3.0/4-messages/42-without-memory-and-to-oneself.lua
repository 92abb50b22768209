-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.10 and 4.2: descriptors without memory that do not serve an operation, and requests of a process to itself
-- that its own tables do not admit.

defaults { suite = "receiving", chapter = "4.2" }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local BOTH = PUT .. "|" .. GET .. "|" .. REMOTE

case {
  id = "md-options-without-memory",
  title = "A descriptor without memory serves the operations that it allows, and no others",
  purpose = "In front of an entry that takes everything stands one whose descriptor has no octets and cuts: it allows puts, gets, or neither. Puts and gets of no, 40 and 70000 octets go to the first that allows them, and behind it a descriptor of 40 octets with the same options does likewise.",
  requirements = { "P30-324" },
  run = function(t)
    local rank = Descriptor.loopback(t)
    rank:region("long", 70000)
    for _, octets in ipairs { 0, 40, 70000 } do
      rank:bind { region = "long", length = octets, md = "of-" .. octets }
    end
    for allowed, options in each { { "put", PUT }, { "get", GET }, { "none", nil } } do
      for _, length in ipairs { 0, 40 } do
        local flags = (options and options .. "|" or "") .. REMOTE .. "|" .. TRUNCATE
        rank:attach { length = length, options = flags, eventq = "eq", user_ptr = 1 }
        rank:me_insert { handle = "behind" }
        rank:add_md { me = "behind", md = "behind-md", options = BOTH .. "|" .. TRUNCATE, eventq = "eq", user_ptr = 2 }
        for _, octets in ipairs { 0, 40, 70000 } do
          for _, verb in ipairs { "put", "get" } do
            rank[verb](rank, { mem_desc = "of-" .. octets, target = rank })
            local event = t:event("P30-324", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), rlength = octets })
            t:equal("P30-324", ("who serves a %s of %d octets where a descriptor of %d allows %s"):format(verb, octets,
              length, allowed), event.mem_desc.user_ptr, verb == allowed and 1 or 2)
          end
        end
        rank:me_unlink {}
        rank:me_unlink { entry = "behind" }
      end
    end
  end,
}

case {
  id = "move-to-oneself-beyond-ones-tables",
  title = "A portal index or cookie that the process itself does not have is no error of its own call",
  purpose = "Puts and gets of a process to itself with the first portal index and cookie beyond its tables, and far beyond, by either addressing: PTL_OK, and one message dropped for each.",
  requirements = { "P30-266" }, chapter = "3.10",
  run = function(t)
    t:open { ptl_size = 4, acl_size = 4 }
    local rank = t.ranks[0]
    rank:attach { start = "null", length = 0, options = BOTH, ignorebits = -1 }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local ports, cookies = rank:granted("ptl_size", 4), rank:granted("acl_size", 4)
    for _, row in ipairs { { "portal", ports }, { "portal", ports + 60 }, { "portal", rank:largest("ptl_pt_index_t") },
      { "cookie", cookies }, { "cookie", cookies + 60 }, { "cookie", rank:largest("ptl_ac_index_t") } } do
      for _, target in ipairs { t.gid(rank.id), t.nid(rank.id) } do
        for _, verb in ipairs { "PtlPut", "PtlGet" } do
          local before = rank:drop_count()
          t:rc("P30-266", rank[verb](rank, { mem_desc = "out-md", target = target, [row[1]] = row[2] }), "PTL_OK")
          t:drops("P30-266", rank, before, 1)
        end
      end
    end
  end,
}
