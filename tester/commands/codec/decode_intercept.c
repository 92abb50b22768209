/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode --proto intercept`: the frames of specs/intercept-wire.md, one behind the other. A frame is short, so
 * it is kept until it is whole; what it carries is then told by one table of rows.
 */
#include "tester/commands/codec/decode.h"
#include "wire/octets/print.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

static void print_frame(const struct cmd_decoding *decoding, const struct wire_intercept_frame *frame)
{
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    const struct cmd_decode_frames *frames = &decoding->frames;
    const struct wire_message *message = &wire_intercept_messages[frame->message];

    if (decoding->proto.text) {
        wire_print_fields(&text, message, frames->offset, frames->kept, frames->kept_len);
        wire_text_add(&text, frame->data_len ? "    Data                    " : "");
    } else {
        wire_print_json_open(&text, message, frames->offset, frames->kept, frames->kept_len);
    }
    fputs(buffer, stdout);
    cmd_decode_digits(frame->data, frame->data_len);
    text = wire_text_over(buffer, sizeof buffer);
    if (!decoding->proto.text) {
        wire_print_json_close(&text, message, NULL);
    }
    puts(buffer);
}

/* Takes octets up to the number that the frame at hand has, as far as that is known. */
static void keep(struct cmd_decode_frames *frames, size_t wanted, const unsigned char **octets, size_t *len)
{
    size_t count = wanted > frames->kept_len ? wanted - frames->kept_len : 0;

    count = count < *len ? count : *len;
    if (count) {
        memcpy(frames->kept + frames->kept_len, *octets, count);
    }
    frames->kept_len += count;
    *octets += count;
    *len -= count;
}

static int complain(const struct cmd_decoding *decoding, enum wire_status status)
{
    const struct cmd_decode_frames *frames = &decoding->frames;
    unsigned length = (unsigned)frames->kept[10] << 8 | frames->kept[11];

    if (status == WIRE_UNKNOWN) {
        return cmd_proto_fail(&decoding->proto, "offset %" PRIu64 ": no frame begins with %02x: unknown kind",
                              frames->offset, frames->kept[0]);
    }
    if (status == WIRE_TOO_LONG) {
        return cmd_proto_fail(&decoding->proto,
                              "offset %" PRIu64 ": the frame that begins here has %u octets of payload, more than its "
                              "kind may have",
                              frames->offset, length);
    }
    if (frames->kept_len > WIRE_INTERCEPT_HEADER_OCTETS) {
        return cmd_proto_fail(&decoding->proto, "offset %" PRIu64 ": the frame that begins here has a wrong CRC",
                              frames->offset);
    }
    return cmd_proto_fail(&decoding->proto,
                          "offset %" PRIu64 ": the frame that begins here has %u octets of payload: no whole quadwords",
                          frames->offset, length);
}

static int take(struct cmd_decoding *decoding, const unsigned char *octets, size_t len)
{
    struct cmd_decode_frames *frames = &decoding->frames;

    while (len) {
        struct wire_intercept_frame frame;
        size_t wanted = WIRE_INTERCEPT_HEADER_OCTETS;
        enum wire_status status;

        keep(frames, wanted, &octets, &len);
        status = wire_intercept_measure(frames->kept, frames->kept_len, &wanted);
        if (status == WIRE_OK) {
            keep(frames, wanted, &octets, &len);
            status = wire_intercept_decode(frames->kept, frames->kept_len, &frame, NULL);
        }
        if (status == WIRE_SHORT) {
            return CMD_PROTO_GO;
        }
        if (status != WIRE_OK) {
            return complain(decoding, status);
        }
        print_frame(decoding, &frame);
        frames->offset += frames->kept_len;
        frames->kept_len = 0;
    }
    return CMD_PROTO_GO;
}

static struct cmd_decode_place place(const struct cmd_decoding *decoding)
{
    const struct cmd_decode_frames *frames = &decoding->frames;
    size_t wanted = WIRE_INTERCEPT_HEADER_OCTETS;
    enum wire_status status = wire_intercept_measure(frames->kept, frames->kept_len, &wanted);

    if (status != WIRE_OK && status != WIRE_SHORT) {
        wanted = frames->kept_len;
    }
    return (struct cmd_decode_place){frames->offset + frames->kept_len, frames->offset,
                                     frames->kept_len ? wanted - frames->kept_len : 0, "frame"};
}

/* No line is ever left open: a frame is printed when it is whole. */
static void cut(struct cmd_decoding *decoding)
{
    decoding->open = false;
}

const struct cmd_decoder cmd_decode_intercept = {take, place, cut};
