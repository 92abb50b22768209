# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# impirun: IMPI server, client, host agents. The archive is for the unit tests, which look inside.

IMPI_SOURCES := $(filter-out ref-impl/impi/impirun.c,$(call under,ref-impl/impi)) \
                $(addprefix ref-impl/launch/,children.c directory.c hosted.c output.c run.c)

# What makes channels secure (common/secure.c).
IMPI_LIBS := $(call pkglibs,openssl)

$(eval $(call archive,impi-inside,$(IMPI_SOURCES),$(call pkgcflags,openssl)))
$(eval $(call program,impirun,ref-impl/impi/impirun.c,impi-inside portals-inside wire,,$(IMPI_LIBS) -lpthread -ldl))
