-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.2.2: what the compiler can do for an application that mistakes one handle for another.

case {
  id = "types-handles-distinct",
  title = "The handles of different objects are of different types",
  purpose = "The interpreter's compiler tells whether any two of the four handle types are the same. The document gives the types names of their own to enhance type checking but does not demand more: one common type gives a warning.",
  suite = "types", chapter = "3.2",
  requirements = { "P30-047" },
  run = function(t)
    local handles = t.ranks[0]:describe().handles
    if not handles or handles.distinct == "unknown" then
      t:skip("the interpreter's compiler cannot tell whether two types are the same")
    end
    t:one_of("P30-047", "the handle types are distinct", handles.distinct, true,
      { [false] = "two kinds of handles are one type, so that the compiler cannot catch a mistake" })
  end,
}
