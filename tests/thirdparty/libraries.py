# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""All libraries with tests of their own."""

import bindings
import formats
import meshes
import programs
import solvers
import trees

ALL = {library.name: library for library in (*solvers.ALL, *formats.ALL, *bindings.ALL, *meshes.ALL, *trees.ALL,
                                           *programs.ALL)}
