/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The differences between the Wireshark versions for which this plugin is built (4.0 to 4.6), in one place: no other
 * file of the plugin asks for a version.
 */
#ifndef DISSECTOR_COMMON_WIRESHARK_COMPAT_H
#define DISSECTOR_COMMON_WIRESHARK_COMPAT_H

#include <stdbool.h>
#include <stdint.h>

#include <ws_version.h>

#include <glib.h>

#define WIRESHARK_AT_LEAST(major, minor)                                                                               \
    (WIRESHARK_VERSION_MAJOR > (major) || (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

#if !WIRESHARK_AT_LEAST(4, 0)
#error "this plugin needs Wireshark 4.0 or later"
#endif

/* What a heuristic dissector returns and what a preference that can be on or off is kept in: a bool since 4.4. */
#if WIRESHARK_AT_LEAST(4, 4)
typedef bool ws_bool;
#else
typedef gboolean ws_bool;
#endif

/* The flag by which a plugin says since 4.4 that it brings a dissector. */
enum { PLUGIN_BRINGS_DISSECTOR = 1 };

#endif
