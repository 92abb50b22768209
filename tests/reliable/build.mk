# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the reliability layer, above a network that does what the test says.
ifneq ($(VARIANT),fuzz)
$(eval $(call unit,reliable,tests/reliable/test_reliable.c tests/reliable/line.c tests/reftcp/recorder.c,portals-inside,,-lpthread -ldl))
$(eval $(call unit,reliable-tcp,tests/reliable/test_reliable_tcp.c tests/reftcp/recorder.c,portals-inside,,-lpthread -ldl))
endif
