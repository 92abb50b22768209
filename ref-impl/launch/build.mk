# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The launcher of jobs on one machine.
$(eval $(call program,portalsrun,$(wildcard ref-impl/launch/*.c),portals-inside,,-lpthread -ldl))
