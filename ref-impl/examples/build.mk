# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The examples of the specification's chapter 5 and the two programs of the thesis on Intercept, as programs of a user: nothing but portals.h and libportals. Built
# with everything, not installed. tests/scenario/test_examples.py runs them.

EXAMPLE_file_server := ref-impl/examples/file_server.c ref-impl/examples/file_store.c
EXAMPLE_file_client := ref-impl/examples/file_client.c
EXAMPLE_watch_drop  := ref-impl/examples/watch_drop.c
EXAMPLE_ping_pong   := ref-impl/examples/ping_pong.c
EXAMPLE_bandwidth   := ref-impl/examples/bandwidth.c
EXAMPLE_one_message := ref-impl/examples/one_message.c
EXAMPLE_mpi         := ref-impl/examples/mpi.c ref-impl/examples/mpi_messages.c

EXAMPLES := $(patsubst EXAMPLE_%,%,$(filter EXAMPLE_%,$(.VARIABLES)))

$(foreach name,$(EXAMPLES),$(eval $(call link,$(OUT)/examples/$(name),example-$(name),$(EXAMPLE_$(name)),portals,\
    -I ref-impl/include,-lpthread -ldl)))
ifneq ($(VARIANT),fuzz)
EXTRA_ALL += $(addprefix $(OUT)/examples/,$(EXAMPLES))
endif

.PHONY: examples
examples: $(addprefix $(OUT)/examples/,$(EXAMPLES)) $(BIN)/portalsrun

# The IMPI document's own example of a job: runs it, and shows what its three clients say and hear.
.PHONY: three-clients
three-clients: $(BIN)/impirun $(BIN)/assay $(BIN)/assay-mpicc $(LIB)/libassay-mpi.so
	$(Q)$(PYTHON) ref-impl/examples/three_clients.py --bin '$(BIN)'
