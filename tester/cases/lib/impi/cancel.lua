-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Cancel of a send that asks its receiver: it may return at once, or wait for the answer to its CANCEL (chapter
-- 3.7.4 lets it). A rank that waits does nothing else meanwhile.

local RETURN_MS, QUIET_MS = 1000, 400

-- t:start_cancel(req, begun): MPI_Cancel of begun.request, judged by a requirement, or as set-up where that is nil.
-- Whether it waits: then t:cancel_returns(begun) judges its end, when the case has answered.
function Test:start_cancel(req, begun)
  local call = begun.rank:start_MPI_Cancel { request = begun.request }
  local there = Rank.patiently(RETURN_MS, function(ms) return core.ready(begun.rank.index, call.id, ms) end,
    function(came) return came end)
  begun.cancelling = { req = req, call = call }
  if there then self:cancel_returns(begun) end
  return not there
end

-- t:cancel_returns(begun): judges that MPI_Cancel has done well, if that is not known yet.
function Test:cancel_returns(begun)
  local open = begun.cancelling
  begun.cancelling = nil
  if open and open.req then
    self:rc(open.req, open.call:finish(), "MPI_SUCCESS")
  elseif open then
    self:mpi(open.call:finish())
  end
end

-- t:cancel_at_once(req, begun): MPI_Cancel for a case in which the rank does more before the answer: skipped where it
-- waits.
function Test:cancel_at_once(req, begun)
  self:skip_if(self:start_cancel(req, begun), "MPI_Cancel waits for the answer to its CANCEL")
end

-- t:open_before_answer(req, what, begun): judges that a send that was asked about is not complete before the answer. Of
-- a rank that still waits in MPI_Cancel nobody can have heard that it is.
function Test:open_before_answer(req, what, begun)
  local open = begun.cancelling
  if open and core.ready(begun.rank.index, open.call.id, QUIET_MS) then self:cancel_returns(begun) end
  if not begun.cancelling then self:stays_pending(req, what, begun) end
end

-- t:cancel_answered(req, what, begun, wanted): judges that MPI_Cancel has returned, that the request completes and
-- whether it was cancelled.
function Test:cancel_answered(req, what, begun, wanted)
  self:cancel_returns(begun)
  self:cancelled(req, what, begun, wanted)
end
