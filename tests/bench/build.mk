# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Benchmarks. `make bench-codec`: what a header costs. Meaningful in the release variant only; not installed.

$(eval $(call link,$(OUT)/bench/bench_codec,bench-codec,tests/bench/bench_codec.c,wire))

BENCHES += bench-codec
.PHONY: bench-codec
bench-codec: $(OUT)/bench/bench_codec
	$(Q)$(OUT)/bench/bench_codec
