/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cursors: the only way by which wire/ touches octets. A reader walks over octets that somebody else owns, a writer
 * fills a buffer of known size; both speak network byte order (most significant octet first).
 *
 * A cursor fails once and stays failed: the access that would leave the buffer and every later one does nothing and
 * gives zero, so a caller may read a whole message and ask once, at the end, whether all of it was there.
 *
 *     struct wire_reader reader = wire_reader_over(octets, len);
 *     uint32_t operation = wire_read_u32(&reader);
 *     uint64_t length = wire_read_u64(&reader);
 *     if (reader.failed) {
 *         return WIRE_SHORT;
 *     }
 *
 * The functions are inline because they run once per field: called out of line, a header costs four times as much.
 * Compilers that optimise as they link find them too long for that, unless they are told.
 */
#ifndef WIRE_OCTETS_CURSOR_H
#define WIRE_OCTETS_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define CURSOR_INLINE static inline __attribute__((always_inline))
#else
#define CURSOR_INLINE static inline
#endif

/* The octets still to be read are at[0 .. left-1]. Initialise with wire_reader_over; read `failed` at will. */
struct wire_reader {
    const unsigned char *at;
    size_t left;
    bool failed;
};

/* The octets still to be written go to at[0 .. left-1]; `written` counts those done. Initialise with wire_writer_over.
 */
struct wire_writer {
    unsigned char *at;
    size_t left;
    size_t written;
    bool failed;
};

/* wire_reader_over - a reader of `len` octets, which must outlive it. `octets` may be NULL when `len` is 0. */
CURSOR_INLINE struct wire_reader wire_reader_over(const void *octets, size_t len)
{
    struct wire_reader reader = {(const unsigned char *)octets, len, false};

    return reader;
}

/* wire_read_octets - steps over `len` octets and returns where they begin, or NULL and a failed reader when fewer are
 * left. The octets stay the buffer's. */
CURSOR_INLINE const unsigned char *wire_read_octets(struct wire_reader *reader, size_t len)
{
    const unsigned char *at = reader->at;

    if (reader->failed || len > reader->left) {
        reader->failed = true;
        return NULL;
    }
    reader->at = len ? at + len : at;
    reader->left -= len;
    return at;
}

/* wire_read_part - steps over `len` octets and returns a reader of just these; when fewer are left both are failed.
 * With a constant `len` the compiler sees that the part's own checks hold, and leaves them out. */
CURSOR_INLINE struct wire_reader wire_read_part(struct wire_reader *reader, size_t len)
{
    struct wire_reader part = {wire_read_octets(reader, len), len, reader->failed};

    return part;
}

/* wire_read_u8 - reads one octet as a number; 0 and a failed reader when it is not there. The wider ones below read in
 * network byte order. */
CURSOR_INLINE uint8_t wire_read_u8(struct wire_reader *reader)
{
    const unsigned char *at = wire_read_octets(reader, 1);

    return at ? at[0] : 0;
}

/* wire_read_u16 - like wire_read_u8, two octets. */
CURSOR_INLINE uint16_t wire_read_u16(struct wire_reader *reader)
{
    const unsigned char *at = wire_read_octets(reader, 2);

    return (uint16_t)(at ? (unsigned)at[0] << 8 | at[1] : 0u);
}

/* wire_read_u32 - like wire_read_u8, four octets. */
CURSOR_INLINE uint32_t wire_read_u32(struct wire_reader *reader)
{
    const unsigned char *at = wire_read_octets(reader, 4);

    return at ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3] : 0;
}

/* wire_read_u64 - like wire_read_u8, eight octets. */
CURSOR_INLINE uint64_t wire_read_u64(struct wire_reader *reader)
{
    const unsigned char *at = wire_read_octets(reader, 8);

    if (!at) {
        return 0;
    }
    return (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 | (uint64_t)at[3] << 32 |
           (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 | (uint64_t)at[6] << 8 | at[7];
}

/* wire_writer_over - a writer that fills at most `cap` octets of `buffer`, which must outlive it. */
CURSOR_INLINE struct wire_writer wire_writer_over(void *buffer, size_t cap)
{
    struct wire_writer writer = {(unsigned char *)buffer, cap, 0, false};

    return writer;
}

/* wire_write_space - steps over `len` octets and returns where they begin, for the caller to fill, or NULL and a failed
 * writer when there is no room. */
CURSOR_INLINE unsigned char *wire_write_space(struct wire_writer *writer, size_t len)
{
    unsigned char *at = writer->at;

    if (writer->failed || len > writer->left) {
        writer->failed = true;
        return NULL;
    }
    writer->at = len ? at + len : at;
    writer->left -= len;
    writer->written += len;
    return at;
}

/* wire_write_part - steps over `len` octets and returns a writer of just these; when there is no room both are failed.
 */
CURSOR_INLINE struct wire_writer wire_write_part(struct wire_writer *writer, size_t len)
{
    struct wire_writer part = {wire_write_space(writer, len), len, 0, writer->failed};

    return part;
}

/* wire_write_octets - copies `len` octets; nothing is written when they do not fit. */
CURSOR_INLINE void wire_write_octets(struct wire_writer *writer, const void *octets, size_t len)
{
    unsigned char *at = wire_write_space(writer, len);

    if (at && len) {
        memcpy(at, octets, len);
    }
}

/* wire_write_u8 - writes a number of one octet; nothing and a failed writer when it does not fit. The wider ones below
 * write in network byte order. */
CURSOR_INLINE void wire_write_u8(struct wire_writer *writer, uint8_t value)
{
    unsigned char *at = wire_write_space(writer, 1);

    if (at) {
        at[0] = value;
    }
}

/* wire_write_u16 - like wire_write_u8, two octets. */
CURSOR_INLINE void wire_write_u16(struct wire_writer *writer, uint16_t value)
{
    unsigned char *at = wire_write_space(writer, 2);

    if (at) {
        at[0] = (unsigned char)(value >> 8);
        at[1] = (unsigned char)value;
    }
}

/* wire_write_u32 - like wire_write_u8, four octets. */
CURSOR_INLINE void wire_write_u32(struct wire_writer *writer, uint32_t value)
{
    unsigned char *at = wire_write_space(writer, 4);

    if (at) {
        at[0] = (unsigned char)(value >> 24);
        at[1] = (unsigned char)(value >> 16);
        at[2] = (unsigned char)(value >> 8);
        at[3] = (unsigned char)value;
    }
}

/* wire_write_u64 - like wire_write_u8, eight octets. */
CURSOR_INLINE void wire_write_u64(struct wire_writer *writer, uint64_t value)
{
    unsigned char *at = wire_write_space(writer, 8);

    if (at) {
        at[0] = (unsigned char)(value >> 56);
        at[1] = (unsigned char)(value >> 48);
        at[2] = (unsigned char)(value >> 40);
        at[3] = (unsigned char)(value >> 32);
        at[4] = (unsigned char)(value >> 24);
        at[5] = (unsigned char)(value >> 16);
        at[6] = (unsigned char)(value >> 8);
        at[7] = (unsigned char)value;
    }
}

#endif
