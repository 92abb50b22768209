-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Values of handles. The document promises that a handle tells its object from every other one of its type that lives
-- (3.2.2). It does not promise that a value never comes again (A95), nor that two types have different values.

-- t:alike(req, rank, handle, living): whether a handle, of an object that is gone or of another type, has the value of
-- one of these that live: then nothing can be learned from passing it, which is told as a warning of `req`.
function Test:alike(req, rank, handle, living)
  for _, name in ipairs(living) do
    if rank:same(handle, name) then
      core.warn(req, string.format("the handle %s has the value of the living %s", handle, name), "another value",
        "the same value")
      return true
    end
  end
  return false
end

-- t:refused_when_opened_again(req, rank, verb [, given]): opens the interface "ni", which was closed, again as "again",
-- and judges that a call with its former handle is refused as before. That handle may have come again, and an interface
-- may be one that opens once: then nothing can be learned.
function Test:refused_when_opened_again(req, rank, verb, given)
  self:judging(req)
  if rank:PtlNIInit { handle = "again" }.rc == "PTL_OK" and not rank:same("ni", "again") then
    self:rc(req, rank[verb](rank, given or {}), "PTL_INV_NI")
  end
end

-- t:refused(req, rank, verb, argument, handle, code, living): judges that a call refuses this handle, with this code,
-- unless it is alike to a living one.
function Test:refused(req, rank, verb, argument, handle, code, living)
  if not self:alike(req, rank, handle, living) then
    self:rc(req, rank[verb](rank, { [argument] = handle }), code)
  end
end
