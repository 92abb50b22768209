-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3 and 3.9: what the access control entries admit that nobody has set. They are closed, or each is as entry
-- 0 is: no library has some of the one kind and some of the other.

defaults { suite = "access-control", chapter = "2.3", ranks = 2 }

local LAST <const> = 5 -- entry
local ALL <const> = "entries 1 2 3 4 5"
-- The bit in which the id of another one differs: with the lowest one "nobody", -2, would give the wildcard.
local OTHER <const> = 256

-- An interface with LAST + 1 entries, and a descriptor at portals 1 and 5 that logs its ends.
local function open(rank)
  rank:ni_init { ptl_size = 8, acl_size = LAST + 1 }
  rank:eq("eq", 64)
  for portal = 1, 5, 4 do
    rank:attach { index = portal, me = "me" .. portal, desc = "desc" .. portal, md = "md" .. portal, start = "null",
      length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE|PTL_MD_EVENT_START_DISABLE", eventq = "eq" }
  end
end

-- The entries by which `ask(cookie)` is served, as a text; `ask` returns when its requests have been handled.
local function admitting(t, rank, requests, ask)
  local found = {}
  for cookie = 1, LAST do
    local before = rank:drop_count()
    ask(cookie)
    local served = #rank:drain("eq")
    if served > 0 then found[#found + 1] = cookie end
    t:equal("P33-036", "requests by entry " .. cookie .. " that are served or counted",
      served + rank:drop_count() - before, requests)
    t:check("P33-036", "entry " .. cookie .. " serves all requests or none", served == 0 or served == requests,
      "0 or " .. requests, served)
  end
  return #found == 0 and "none" or "entries " .. table.concat(found, " ")
end

local function judge(t, admitted)
  t:equal_or_warn("P33-036", "entries beside 0 that admit the same user", admitted, "none",
    { [ALL] = "all of them are open to the same user" })
end

case {
  id = "access-of-entries-that-nobody-has-set",
  title = "At first the entries beside entry 0 are closed, or all of them admit the same user",
  purpose = "Puts and gets to two portals by each cookie but 0, to an interface that has just been opened: all of them are served, or none.",
  requirements = { "P33-036" },
  run = function(t)
    local from, to = t:init()
    from:ni_init {}
    open(to)
    from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    judge(t, admitting(t, to, 4, function(cookie)
      for portal = 1, 5, 4 do
        for _, verb in ipairs { "put", "get" } do
          from[verb](from, { mem_desc = "out-md", target = to, portal = portal, cookie = cookie })
        end
      end
      t:flush(from, to)
    end))
  end,
}

case {
  id = "access-of-an-interface-that-is-opened-again",
  title = "An interface that is opened again has nothing of what was set before",
  purpose = "Entry 0 is made for another portal, entry 2 for every user, entries 3 and 4 for one portal and for another user; then the interface is closed and opened again. Entry 0 admits to both portals, and of the others all serve or none.",
  requirements = { "P33-034", "P33-036" }, ranks = 1,
  run = function(t)
    local rank = t:init()
    rank:ni_init { ptl_size = 8, acl_size = LAST + 1 }
    local uid = t:setup(rank:PtlGetUid()).uid
    for index, values in each { { 0, { portal = 3 } }, { 2, {} }, { 3, { portal = 1 } },
      { 4, { uid = uid ~ OTHER } } } do
      values.index = index
      rank:ac_entry(values)
    end
    rank:ni_fini {}
    open(rank)
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for portal = 1, 5, 4 do
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:event("P33-034", rank, "eq", { type = "PTL_EVENT_PUT_END", portal = portal })
    end
    judge(t, admitting(t, rank, 2, function(cookie)
      for portal = 1, 5, 4 do rank:put { mem_desc = "out-md", target = rank, portal = portal, cookie = cookie } end
      t:flush(rank, rank)
    end))
  end,
}

case {
  id = "access-by-entries-that-nobody-has-set-of-others",
  title = "No entry that nobody has set admits another user",
  purpose = "A scripted peer puts and gets as another user than the process, and as every user, by each cookie. Then each entry is set to every user, and the same messages are served.",
  wire = true, ranks = 1, negative = true, requirements = { "P33-034", "P33-036" },
  run = function(t)
    local rank = t:init()
    local peer = t:peer {}
    open(rank)
    local uid = t:setup(rank:PtlGetUid()).uid
    local stream = t:connect(peer, rank)
    local function messages(cookie)
      local all = {}
      for _, user in ipairs { uid ~ OTHER, 0xffffffff } do
        for verb, values in each { { "put", { md = stream.NO_MD, data = "octets.." } },
          { "get", { md = 1, length = 0 } } } do
          values.operation, values.portal, values.cookie, values.uid = "tagged-" .. verb, 1, cookie, user
          all[#all + 1] = values
        end
      end
      return all
    end
    for cookie = 0, LAST do
      local req <const> = cookie == 0 and "P33-034" or "P33-036"
      local before = rank:drop_count()
      for _, message in ipairs(messages(cookie)) do t:send_invalid(req, stream, message, { state = "access" }) end
      t:drops(req, rank, before, 4)
    end
    for cookie = 0, LAST do
      rank:ac_entry { index = cookie }
      for _, message in ipairs(messages(cookie)) do
        stream:send(message)
        t:valid_counterpart(stream, message, rank:wait("eq").event)
      end
    end
  end,
}
