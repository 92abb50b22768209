/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What Wireshark looks for in a plugin: for which version it was built, its own version, and where it begins.
 */
#include "dissector/common/wireshark_compat.h"
#include "dissector/impi/packet.h"
#include "dissector/intercept/packet.h"
#include "dissector/packet-assay.h"
#include "dissector/portals/packet.h"

#include <epan/proto.h>
#include <ws_symbol_export.h>

WS_DLL_PUBLIC_DEF const char plugin_version[] = ASSAY_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

/* Wireshark declares none of these entries in a header. */
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

void plugin_register(void)
{
    static proto_plugin portals, impi, intercept, assay;

    portals.register_protoinfo = portals_register_protocol;
    portals.register_handoff = portals_register_handoff;
    proto_register_plugin(&portals);
    impi.register_protoinfo = impi_register_protocol;
    impi.register_handoff = impi_register_handoff;
    proto_register_plugin(&impi);
    intercept.register_protoinfo = intercept_register_protocol;
    intercept.register_handoff = intercept_register_handoff;
    proto_register_plugin(&intercept);
    assay.register_protoinfo = assay_register_protocol;
    assay.register_handoff = assay_register_handoff;
    proto_register_plugin(&assay);
}

/* Asked for since 4.4; harmless before. */
uint32_t plugin_describe(void)
{
    return PLUGIN_BRINGS_DISSECTOR;
}
