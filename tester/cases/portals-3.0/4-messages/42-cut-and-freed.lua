-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.8 and 4.2: puts that end inside their data, and queues that are freed before the answers to what was sent
-- from their descriptors come. A scripted peer is the other end.

defaults { suite = "receiving", chapter = "4.2", wire = true }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local COOKIE = Receiver.COOKIE
local set_up, open_another, check_alive = Receiver.set_up, Receiver.open_another, Receiver.check_alive

case {
  id = "receive-cut-off-inside-the-data",
  title = "A put that is cut off inside its data is not taken, wherever it is cut and however long it is",
  purpose = "Puts of 40 and of 100000 octets, some of which ask for an acknowledgement, end behind their header, in the middle and before their last octet, with FIN and with RST. None has an event, and the other peer is served each time.",
  requirements = { "P30-328" }, negative = true,
  run = function(t)
    local rank, _, stream = set_up(t)
    rank:eq("long-eq")
    rank:attach { index = 5, matchid = t.any_nid, me = "long-me", md = "long-md", region = "long", octets = 100000,
      options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "long-eq" }
    check_alive(t, rank, stream)
    for i, octets in ipairs { 40, 100000 } do
      for j, cut in ipairs { 0, octets // 2, octets - 1 } do
        for _, way in ipairs { "close", "reset" } do
          local broken, before = open_another(t, rank), rank:drop_count()
          local message = t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = 5,
            cookie = COOKIE, md = (i + j) % 2 == 0 and 5 or broken.NO_MD, data = t.mix(1, octets) }
          t:judging("P30-328")
          broken:send_raw(message:sub(1, #message - octets + cut))
          broken[way](broken)
          if way == "close" then
            t:confirm_violation("cut-off", broken)
            rank:wait_drop_count(before + 1)
          end
          check_alive(t, rank, stream)
          t:equal("P30-328", ("events of a put of %d octets that ends behind %d"):format(octets, cut),
            rank:PtlEQCount { eventq = "long-eq" }.count, 0)
        end
      end
    end
    check_alive(t, rank, open_another(t, rank))
    t:equal("P30-328", "events of all that was cut off", rank:PtlEQCount { eventq = "long-eq" }.count, 0)
  end,
}

for what, request, answer, values in each {
  { "an-acknowledgement", "put", "an acknowledgement", { ack_req = "PTL_ACK_REQ" } },
  { "a-reply", "get", "a reply", {} } } do
  case {
    id = "queue-freed-before-" .. what,
    title = "A queue that is freed before " .. answer .. " comes does not bring the process down",
    purpose = "A descriptor of 16 octets, one of none and one of 100000 that stands in a list begin a " .. request
      .. " each, and their queue is freed. The answers come, and those to a second " .. request
      .. " of each: the process lives, and a descriptor with another queue serves.",
    requirements = { "P30-239" }, chapter = "3.8.4",
    run = function(t)
      local rank, peer, stream = set_up(t)
      rank:eq("gone")
      rank:region("own", 100000)
      rank:bind { region = "own", length = 16, md = "short-md", eventq = "gone" }
      rank:bind { region = "own", length = 0, md = "void-md", eventq = "gone" }
      rank:attach { index = 5, matchid = t.any_nid, me = "long-me", md = "long-md", region = "own", length = 100000,
        options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "gone" }
      local lengths, asked = { ["short-md"] = 16, ["void-md"] = 0, ["long-md"] = 100000 }, {}
      local function ask(md)
        local result = rank[request == "put" and "PtlPut" or "PtlGet"](rank, { mem_desc = md,
          ack_req = values.ack_req, target = t.nid(peer.id) })
        if result.rc ~= "PTL_OK" then return false end -- of a descriptor whose queue is gone a library may refuse it
        local message = stream:receive()
        t:sanity("the " .. request .. " arrives", message ~= nil and message.operation == request)
        asked[#asked + 1] = { message, lengths[md] }
        return true
      end
      local function answer_all()
        for _, row in ipairs(asked) do
          if row[1].md ~= stream.NO_MD then
            stream:answer(row[1], request == "get" and { data = t.mix(2, row[2]) } or nil)
          end
        end
        asked = {}
        check_alive(t, rank, stream)
      end
      for _, md in ipairs { "short-md", "void-md", "long-md" } do t:sanity("it is sent", ask(md)) end
      t:judging("P30-239")
      t:rc("P30-239", rank:PtlEQFree { eventq = "gone" }, "PTL_OK")
      answer_all()
      for _, md in ipairs { "short-md", "void-md", "long-md" } do ask(md) end
      answer_all()
      local result = rank:PtlMDUnlink { mem_desc = "long-md" }
      t:check("P30-239", "a descriptor whose queue was freed can be unlinked", result.rc == "PTL_OK"
        or result.rc == "PTL_MD_INUSE", "PTL_OK", result.rc)
    end,
  }
end
