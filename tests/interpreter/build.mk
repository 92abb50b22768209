# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the interpreter's words and lines. What the programs do is tested from outside, by `make pytest T=tests/interpreter`.

INTERP_TESTED := $(addprefix interpreter/common/,command.c line.c lines.c)

$(eval $(call unit,interp_line,tests/interpreter/test_line.c $(INTERP_TESTED),,-std=c99 -D_XOPEN_SOURCE=700))
$(eval $(call unit,interp_command,tests/interpreter/test_command.c $(INTERP_TESTED),,-std=c99 -D_XOPEN_SOURCE=700))
$(eval $(call unit,interp_template,tests/interpreter/test_template.c interpreter/agent/template.c \
    $(INTERP_TESTED),,-std=c99 -D_XOPEN_SOURCE=700))
