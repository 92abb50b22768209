# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The unit tests of wire/, and `make unit`, which runs every program that any build.mk registered with the unit macro.

VECTORS_FLAG = -DVECTORS='"wire/vectors"'

$(eval $(call unit,wire_cursor,tests/unit/test_wire_cursor.c,wire))
$(eval $(call unit,wire_row,tests/unit/test_wire_row.c,wire))
$(eval $(call unit,wire_portals,tests/unit/test_wire_portals.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_rules,tests/unit/test_wire_rules.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_hex,tests/unit/test_wire_hex.c,wire))
$(eval $(call unit,wire_print,tests/unit/test_wire_print.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_stream,tests/unit/test_wire_stream.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_check,tests/unit/test_wire_check.c tests/unit/conversation.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))

# UNITS is complete only when all makefiles have been read, hence the second expansion.
.SECONDEXPANSION:
.PHONY: unit
unit: $$(UNITS)
	$(Q)sh tests/unit/run-tap $(sort $(UNITS))
