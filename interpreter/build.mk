# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# interp-portals and sut-agent as part of the house; the archive that the service hands to vendors. The folder also builds alone, with its own
# Makefile and as C99: what is compiled here is held to that as well.

INTERP_COMMON  := $(addprefix interpreter/,command.c connection.c line.c lines.c report.c)
INTERP_SOURCES := $(INTERP_COMMON) $(addprefix interpreter/,main.c reader.c executor.c watch.c fatal.c output.c names.c \
                  constants.c values.c results.c $(notdir $(wildcard interpreter/verbs*.c)))
AGENT_SOURCES  := $(INTERP_COMMON) $(wildcard interpreter/agent*.c)
INTERP_CFLAGS  := -std=c99 -U_GNU_SOURCE -D_XOPEN_SOURCE=700

$(eval $(call program,interp-portals,$(INTERP_SOURCES),portals,$(INTERP_CFLAGS) -Iref-impl/include,-lpthread -ldl))
$(eval $(call program,sut-agent,$(AGENT_SOURCES),,$(INTERP_CFLAGS)))
