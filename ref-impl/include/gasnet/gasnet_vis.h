/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gasnet_vis.h: puts and gets of memory that does not lie together, GASNet's extension for vector, indexed and strided
 * data. What lies together on both sides is one put or get of gasnet.h, to which the same holds: here all of it is
 * bulk, so the memory on this side may be changed when the operation has ended.
 *
 *   v   lists of pieces, each with its length
 *   i   lists of pieces that are all of one length
 *   s   count[0] octets that lie together, count[1] times with strides[0] octets from one start to the next, and all of
 *       that count[2] times with strides[1], and so on: `levels` strides, and one count more
 *
 * Both sides have the same number of octets, else the process ends with a line on stderr; how they are cut may differ.
 * Pieces of the destination do not overlap.
 */
#ifndef GASNET_VIS_H
#define GASNET_VIS_H

#include <gasnet.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void *addr;
    size_t len;
} gasnet_memvec_t;

void gasnet_putv_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                      gasnet_memvec_t const from[]);
void gasnet_getv_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                      gasnet_memvec_t const from[]);
gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                                    gasnet_memvec_t const from[]);
gasnet_handle_t gasnet_getv_nb_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                                    gasnet_memvec_t const from[]);
void gasnet_putv_nbi_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                          gasnet_memvec_t const from[]);
void gasnet_getv_nbi_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                          gasnet_memvec_t const from[]);

void gasnet_puti_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length, size_t from_count,
                      void *const from[], size_t from_length);
void gasnet_geti_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node, size_t from_count,
                      void *const from[], size_t from_length);
gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length,
                                    size_t from_count, void *const from[], size_t from_length);
gasnet_handle_t gasnet_geti_nb_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node,
                                    size_t from_count, void *const from[], size_t from_length);
void gasnet_puti_nbi_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length, size_t from_count,
                          void *const from[], size_t from_length);
void gasnet_geti_nbi_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node, size_t from_count,
                          void *const from[], size_t from_length);

void gasnet_puts_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from, const size_t from_strides[],
                      const size_t count[], size_t levels);
void gasnet_gets_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from, const size_t from_strides[],
                      const size_t count[], size_t levels);
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from,
                                    const size_t from_strides[], const size_t count[], size_t levels);
gasnet_handle_t gasnet_gets_nb_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from,
                                    const size_t from_strides[], const size_t count[], size_t levels);
void gasnet_puts_nbi_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from,
                          const size_t from_strides[], const size_t count[], size_t levels);
void gasnet_gets_nbi_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from,
                          const size_t from_strides[], const size_t count[], size_t levels);

#ifdef __cplusplus
}
#endif

#endif
