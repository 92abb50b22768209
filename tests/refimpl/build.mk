# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Tests of the reference implementation within one process, over the loop. test_api_* use nothing but portals.h, one file
# a chapter; test_core_* look inside.

REFIMPL_TESTS := $(patsubst tests/refimpl/test_%.c,%,$(sort $(wildcard tests/refimpl/test_*.c)))

$(foreach name,$(REFIMPL_TESTS),$(eval $(call unit,ref_$(name),tests/refimpl/test_$(name).c \
    tests/refimpl/support.c,portals-inside,,-lpthread -ldl)))
