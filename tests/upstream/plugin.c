/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The dissectors for Wireshark's own tree as a plugin, so that an installed tshark can try them.
 */
#include <gmodule.h>

#include <epan/proto.h>
#include <ws_symbol_export.h>
#include <ws_version.h>

WS_DLL_PUBLIC_DEF const char plugin_version[] = "0";
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

void proto_register_portals(void);
void proto_reg_handoff_portals(void);
void proto_register_impi(void);
void proto_reg_handoff_impi(void);
WS_DLL_PUBLIC void plugin_register(void);

void plugin_register(void)
{
    static proto_plugin portals = {proto_register_portals, proto_reg_handoff_portals};
    static proto_plugin impi = {proto_register_impi, proto_reg_handoff_impi};

    proto_register_plugin(&portals);
    proto_register_plugin(&impi);
}
