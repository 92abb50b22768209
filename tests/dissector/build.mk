# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
#
# The job whose traffic the dissector's tests capture. `make pytest T=tests/dissector` runs those tests.

ifneq ($(VARIANT),fuzz)
$(eval $(call link,$(OUT)/test/traffic,test-traffic,tests/dissector/traffic.c,portals,,-lpthread -ldl))
EXTRA_ALL += $(OUT)/test/traffic
endif
