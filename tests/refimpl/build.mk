# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Tests of the reference implementation within one process. test_api_* use nothing but portals.h, one file a chapter, over
# the loop; test_core_* look inside, over a network that a script plays (its nal_open takes the library's place).

comma := ,

REFIMPL_API  := $(patsubst tests/refimpl/test_%.c,%,$(sort $(wildcard tests/refimpl/test_api_*.c)))
REFIMPL_CORE := $(filter-out core_memory,$(patsubst tests/refimpl/test_%.c,%,$(sort $(wildcard tests/refimpl/test_core_*.c))))

$(foreach name,$(REFIMPL_API),$(eval $(call unit,ref_$(name),tests/refimpl/test_$(name).c \
    tests/refimpl/support.c,portals-inside,,-lpthread -ldl)))
$(foreach name,$(REFIMPL_CORE),$(eval $(call unit,ref_$(name),tests/refimpl/test_$(name).c \
    tests/refimpl/script.c,portals-inside,,-lpthread -ldl)))

# Allocations that fail when the test says so.
$(eval $(call unit,ref_core_memory,tests/refimpl/test_core_memory.c tests/refimpl/script.c,portals-inside,,\
    -Wl$(comma)--wrap=malloc$(comma)--wrap=calloc$(comma)--wrap=realloc$(comma)--wrap=aligned_alloc -lpthread -ldl))

UNITS += $(OUT)/test/ref_header
$(OUT)/test/ref_header: tests/refimpl/header.sh ref-impl/include/portals.h
	$(Q)mkdir -p $(@D) && install -m 755 $< $@

# A job of three processes over tcp, which starts itself.
$(eval $(call unit,ref_job,tests/refimpl/test_job.c tests/refimpl/support.c,portals-inside,-DPORTALSRUN='"$(abspath $(BIN))/portalsrun"',-lpthread -ldl))
$(OUT)/test/ref_job: | $(BIN)/portalsrun

# The portals of Puma, over the loop.
REFIMPL_PUMA := $(patsubst tests/refimpl/test_%.c,%,$(sort $(wildcard tests/refimpl/test_puma_*.c)))

$(foreach name,$(REFIMPL_PUMA),$(eval $(call unit,ref_$(name),tests/refimpl/test_$(name).c \
    tests/refimpl/support.c,puma portals-inside,-I ref-impl/include,-lpthread -ldl)))

# Portals 3.2 and 3.3, by their own headers.
$(foreach name,32 33,$(eval $(call unit,ref_later_$(name),tests/refimpl/test_later_$(name).c,portals$(name),\
    -I ref-impl/include/portals-3.$(patsubst 3%,%,$(name)),-lpthread -ldl)))
