# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the Intercept network, from the link up, and of the tester's own end of a link.
ifneq ($(VARIANT),fuzz)
$(eval $(call unit,icpt-link,tests/intercept/test_icpt_link.c tests/intercept/cord.c,portals-inside,,-lpthread -ldl))
$(eval $(call unit,icpt-nic,tests/intercept/test_icpt_nic.c,portals-inside,,-lpthread -ldl))
ICPT_NETWORK := tests/intercept/test_icpt_network.c tests/intercept/traffic.c tests/unit/heap.c
$(eval $(call unit,icpt-network,$(ICPT_NETWORK),portals-inside,,$(HEAP_WRAP)))
ICPT_NODE := tests/intercept/test_icpt_node.c tests/intercept/player.c tests/unit/heap.c
$(eval $(call unit,icpt-node,$(ICPT_NODE),portals-inside,,$(HEAP_WRAP)))
ICPT_TIMING := tests/intercept/test_icpt_timing.c tests/intercept/transfer_time.c
$(eval $(call unit,icpt-timing,$(ICPT_TIMING),portals-inside,,-lpthread -ldl -lm))
ICPT_WISHES := $(addprefix tests/intercept/,test_icpt_wishes.c programs.c barriers.c)
$(eval $(call unit,icpt-wishes,$(ICPT_WISHES),portals-inside,,-lpthread -ldl))
ICPT_TESTER_LIBS = $(call pkglibs,lua5.4 jansson libsodium zlib) -lpthread
$(eval $(call unit,icpt-tester-link,tests/intercept/test_icpt_tester_link.c,assay-tester wire,,$(ICPT_TESTER_LIBS)))
endif
