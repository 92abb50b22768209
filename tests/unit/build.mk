# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The unit tests of wire/, and `make unit`, which runs every program that any build.mk registered with the unit macro.

VECTORS_FLAG = -DVECTORS='"wire/vectors"'

$(eval $(call unit,wire_cursor,tests/unit/test_wire_cursor.c,wire))
$(eval $(call unit,wire_row,tests/unit/test_wire_row.c,wire))
$(eval $(call unit,wire_portals,tests/unit/test_wire_portals.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_match_bits,tests/unit/test_wire_match_bits.c,wire))
$(eval $(call unit,wire_rules,tests/unit/test_wire_rules.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_hex,tests/unit/test_wire_hex.c,wire))
$(eval $(call unit,wire_print,tests/unit/test_wire_print.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_stream,tests/unit/test_wire_stream.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_keyed_hash,tests/unit/test_wire_keyed_hash.c,wire,$(call pkgcflags,libsodium),$(call pkglibs,libsodium)))
$(eval $(call unit,wire_check,tests/unit/test_wire_check.c tests/unit/conversation.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_intercept,tests/unit/test_wire_intercept.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_intercept_rules,tests/unit/test_wire_intercept_rules.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_intercept_check,tests/unit/test_wire_intercept_check.c,wire))
$(eval $(call unit,wire_impi_packet,tests/unit/test_wire_impi_packet.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_impi_startup,tests/unit/test_wire_impi_startup.c tests/unit/vector.c,wire,$(VECTORS_FLAG)))
$(eval $(call unit,wire_impi_job,tests/unit/test_wire_impi_job.c,wire))
$(eval $(call unit,wire_impi_index,tests/unit/test_wire_impi_index.c,wire))
$(eval $(call unit,wire_impi_pattern,tests/unit/test_wire_impi_pattern.c,wire))
$(eval $(call unit,wire_impi_channel,tests/unit/test_wire_impi_channel.c tests/unit/impi_play.c,wire))
$(eval $(call unit,wire_impi_notes,tests/unit/test_wire_impi_notes.c tests/unit/impi_play.c,wire))

# external32 meets a machine's long double; two more kinds of it than this one's are made by the compiler (gcc's flags).
EXTERNAL32 := tests/unit/test_wire_external32.c
$(eval $(call unit,wire_external32,$(EXTERNAL32),wire))
ifneq ($(findstring gcc,$(CC)),)
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
EXTERNAL32 += $(addprefix wire/,impi/external32.c impi/quad.c octets/hex.c)
$(eval $(call unit,wire_external32_double,$(EXTERNAL32),,-mlong-double-64))
$(eval $(call unit,wire_external32_quad,$(EXTERNAL32),,-mlong-double-128))
endif
endif

# UNITS is complete only when all makefiles have been read, hence the second expansion. LEAVE_OUT=NAMES, with %, leaves
# some out.
tried = $(sort $(filter-out $(addprefix $(OUT)/test/,$(LEAVE_OUT)),$(UNITS)))
.SECONDEXPANSION:
.PHONY: unit check-units
check-units: $$(tried)
unit: $$(tried)
	$(Q)TAP_JOBS=$$(($(JOBS) + 1)) sh tests/unit/run-tap $(tried)
