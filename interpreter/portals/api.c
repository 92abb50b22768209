/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * interp-portals: the interpreter that is linked with a Portals library (specs/interpreter.md, sections 3 and 4).
 */
#include <stdlib.h>

#include "../common/report.h"
#include "../core/api.h"
#include "interfaces.h"
#include "vendor.h"
#include "verbs.h"

static const struct verb *const chapters[] = {portals_own,      portals_added,      portals_interface,
                                              portals_match,    portals_descriptor, portals_event,
                                              portals_movement, portals_handles,    NULL};

/* In the order of the kinds in call.h. */
static const struct api_kind kinds[] = {{"network interface handle", sizeof(ptl_handle_ni_t)},
                                        {"match entry handle", sizeof(ptl_handle_me_t)},
                                        {"memory descriptor handle", sizeof(ptl_handle_md_t)},
                                        {"event queue handle", sizeof(ptl_handle_eq_t)},
                                        {"memory descriptor structure", sizeof(ptl_md_t)}};

/* A header whose types are larger than what a name can keep does not compile here. */
extern char portals_api_fits[sizeof(ptl_md_t) <= OBJECT_OCTETS && sizeof(union handle) <= OBJECT_OCTETS ? 1 : -1];

#define WORD_SIGNED(type) ((type)-1 < (type)1 ? "true" : "false")

/* Whether the compiler can tell the four kinds of handles apart. C99 itself has no way of asking. */
#if defined(__GNUC__)
#define WORD_SAME(a, b) __builtin_types_compatible_p(ptl_handle_##a##_t, ptl_handle_##b##_t)
#define HANDLES_DISTINCT                                                                                               \
    (WORD_SAME(ni, me) || WORD_SAME(ni, md) || WORD_SAME(ni, eq) || WORD_SAME(me, md) || WORD_SAME(me, eq) ||          \
             WORD_SAME(md, eq)                                                                                         \
         ? "false"                                                                                                     \
         : "true")
#else
#define HANDLES_DISTINCT "unknown"
#endif

static void describe(struct line *line)
{
    line_add(line, " ptl_size_t.octets=%u ptl_size_t.signed=%s", (unsigned)sizeof(ptl_size_t), WORD_SIGNED(ptl_size_t));
    line_add(line, " ptl_match_bits_t.octets=%u", (unsigned)sizeof(ptl_match_bits_t));
    line_add(line, " ptl_pt_index_t.octets=%u ptl_ac_index_t.octets=%u", (unsigned)sizeof(ptl_pt_index_t),
             (unsigned)sizeof(ptl_ac_index_t));
    line_add(line, " ptl_interface_t.octets=%u ptl_sr_index_t.octets=%u", (unsigned)sizeof(ptl_interface_t),
             (unsigned)sizeof(ptl_sr_index_t));
    line_add(line, " ptl_sr_value_t.octets=%u ptl_sr_value_t.signed=%s", (unsigned)sizeof(ptl_sr_value_t),
             WORD_SIGNED(ptl_sr_value_t));
    line_add(line, " ptl_id_t.octets=%u handle.octets=%u", (unsigned)sizeof(vendor_id_t),
             (unsigned)sizeof(ptl_handle_any_t));
    line_add(line, " PTL_ID_ANY=");
    result_add_number(line, (vendor_id_t)-1 < (vendor_id_t)1, (unsigned long long)VENDOR_ID_ANY);
    line_add(line, " handles.distinct=%s PTL_MD_NONE=%s", HANDLES_DISTINCT, VENDOR_HAS_MD_NONE ? "true" : "false");
}

static const char *begin(int *count, char ***arguments)
{
    const char *wrong = interfaces_begin(count, *arguments);

    if (!wrong)
        return portals_features;
    report_say("%s; try --help", wrong);
    exit(EXIT_MISUSED);
}

static void ready(void)
{
}

const struct api api = {
    .program = "interp-portals",
    .name = VENDOR_API,
    .library = VENDOR_LIBRARY,
    .chapters = chapters,
    .kinds = kinds,
    .begin = begin,
    .options = "  --interfaces LIST    the library's numbers of its interfaces, the default one first: 1,2\n",
    .ready = ready,
    .describe = describe,
};
