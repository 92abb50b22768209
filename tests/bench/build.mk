# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Benchmarks. `make bench-codec`: what a header costs. Meaningful in the release variant only.

$(eval $(call program,bench_codec,tests/bench/bench_codec.c,wire))

.PHONY: bench-codec
bench-codec: $(BIN)/bench_codec
	$(Q)$(BIN)/bench_codec
