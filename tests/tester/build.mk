# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the test manager's engine; the runs of `assay run` against a fake are tested by pytest.

TESTER-UNIT-CFLAGS = $(call pkgcflags,lua5.4 jansson libsodium zlib)
TESTER-UNIT-LIBS   = $(call pkglibs,lua5.4 jansson libsodium) -lpthread

$(eval $(call unit,tester_buffer,tests/tester/test_tester_buffer.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_dialogue,tests/tester/test_tester_dialogue.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_registry,tests/tester/test_tester_registry.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_judge,tests/tester/test_tester_judge.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_attribution,tests/tester/test_tester_attribution.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_outcome,tests/tester/test_tester_outcome.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_merkle,tests/tester/test_tester_merkle.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_pcapng,tests/tester/test_tester_pcapng.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_peer,tests/tester/test_tester_peer.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_passive_checker,tests/tester/test_tester_passive_checker.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,report_build,tests/report/test_report_build.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_utf8,tests/tester/test_tester_utf8.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_markup,tests/tester/test_tester_markup.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_reassembly,tests/tester/test_tester_reassembly.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))
$(eval $(call unit,tester_listener,tests/tester/test_tester_listener.c,assay-tester wire,$(TESTER-UNIT-CFLAGS),$(TESTER-UNIT-LIBS)))

# An interpreter whose library is broken where everything rests on it (test_tester_blocked.py).
BROKEN_WRAP := $(foreach name,PtlInit PtlNIInit PtlMEAttach PtlEQGet PtlMDBind PtlPut,-Xlinker --wrap=$(name))
$(eval $(call link,$(OUT)/tester/interp-broken,interp-broken,$(INTERP_SOURCES) $(wildcard interpreter/portals/*.c interpreter/portals/first/*.c) \
    tests/tester/broken_library.c,portals,$(INTERP_CFLAGS) -Iref-impl/include,-lpthread -ldl $(BROKEN_WRAP)))
ifneq ($(VARIANT),fuzz)
EXTRA_ALL += $(OUT)/tester/interp-broken
endif
