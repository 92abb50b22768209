/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a TCP connection of IMPI; see dissector/impi/stream.h.
 */
#include "dissector/impi/stream.h"

#include <epan/conversation.h>
#include <epan/wmem_scopes.h>

struct impi_stream *impi_stream_of(int proto, packet_info *pinfo)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    struct impi_stream *stream = conversation_get_proto_data(conversation, proto);

    if (!stream) {
        stream = wmem_new0(wmem_file_scope(), struct impi_stream);
        stream->method = stream->client = stream->host = -1;
        conversation_add_proto_data(conversation, proto, stream);
    }
    return stream;
}

enum wire_impi_direction impi_stream_direction(const struct impi_stream *stream, unsigned way)
{
    return way == stream->opener ? WIRE_IMPI_FROM_CLIENT : WIRE_IMPI_FROM_SERVER;
}
