-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Results of collective operations, by calls of MPI alone: a meeting (impi_meeting.lua) of two clients that are both
-- the system under test. Where the way of an operation is lost to us, two implementations need not understand each
-- other; what its result must be is said by MPI, whatever the way.

-- t:both(req [, env]): the job, behind MPI_Init: world[0..3], two processes of each client.
function Test:both(req, env)
  return self:meet({ "reference", "sut", "sut" }, req, env)
end

-- world:put(name, octets): octets(number) is the content of the region `name` in each process.
function World:put(name, octets)
  for number = 0, self.size - 1 do
    local text = octets(number)
    self[number]:octets(name, math.max(#text, 1))
    for at = 1, #text, 32768 do
      self[number]:write(name, at - 1, text:sub(at, at + 32767))
    end
  end
end

-- world:drop(name, ..): the regions go.
function World:drop(...)
  for _, name in ipairs { ... } do
    for number = 0, self.size - 1 do
      self[number]:free(name)
    end
  end
end

-- world:holds(what, name, octets): judges that the region holds octets(number) in each process; nil: not looked at.
function World:holds(what, name, octets)
  for number = 0, self.size - 1 do
    local expected, found = octets(number), {}
    for at = 0, expected and #expected - 1 or -1, 32768 do
      found[#found + 1] = self[number]:read(name, at, math.min(32768, #expected - at))
    end
    if expected then
      self.t:same_octets(self.req, what .. " at rank " .. number, table.concat(found), expected)
    end
  end
end
