/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication over two portals: see puma/rma.h.
 */
#include "ref-impl/puma/rma.h"

#include <stdlib.h>

#include "ref-impl/puma/descriptor.h"

enum { TAG = 0x524d41 }; /* the special tag: below the context in match bits */

static ptl_match_bits_t bits(uint32_t context)
{
    return (ptl_match_bits_t)context << 32 | TAG;
}

//= PUMA-112
bool puma_rma_start(struct puma_rma *rma, ptl_handle_ni_t interface, ptl_pt_index_t puts, ptl_pt_index_t gets)
{
    rma->puts = puma_list_new(interface, puts);
    rma->gets = rma->puts ? puma_list_new(interface, gets) : NULL;
    if (rma->puts && !rma->gets) {
        puma_list_free(rma->puts);
    }
    return rma->gets;
}

void puma_rma_end(struct puma_rma *rma)
{
    puma_list_free(rma->puts);
    puma_list_free(rma->gets);
}

//= PUMA-108
//= PUMA-109
bool puma_rma_init(struct puma_window *window, struct puma_rma *rma, uint32_t context, struct puma_buffer memory,
                   const size_t *sizes, unsigned ranks)
{
    struct puma_match match = puma_any();
    const struct puma_options written = {.save = PUMA_BODY, .offset = PUMA_SENDER, .acknowledge = true};
    const struct puma_options read = {.save = PUMA_BODY, .offset = PUMA_SENDER, .access = PUMA_READ};

    match.bits = bits(context);
    match.ignored = 0;
    *window = (struct puma_window){.rma = rma, .context = context, .ranks = ranks, .sizes = sizes};
    window->put = puma_single(rma->puts, &match, memory, &written);                   //= PUMA-113
    window->get = window->put ? puma_single(rma->gets, &match, memory, &read) : NULL; //= PUMA-114
    if (window->put && !window->get) {
        puma_drop(window->put);
    }
    return window->get; //= PUMA-115
}

void puma_rma_free(struct puma_window *window)
{
    puma_drop(window->put);
    puma_drop(window->get);
}

//= PUMA-110
void *puma_rma_malloc(size_t len)
{
    return malloc(len ? len : 1);
}

/* Whether octets lie within the window of a rank: a message that leaves it would be dropped there, unheard. */
static bool is_within(const struct puma_window *window, const struct puma_part *part, size_t len)
{
    return part->rank < window->ranks && part->offset <= window->sizes[part->rank] &&
           len <= window->sizes[part->rank] - part->offset; //= PUMA-127
}

static struct puma_target target_of(const struct puma_window *window, const struct puma_part *part,
                                    ptl_pt_index_t portal)
{
    return (struct puma_target){part->process, portal, bits(window->context), part->offset}; //= PUMA-116
}

static bool start_put(const struct puma_window *window, struct puma_buffer from, const struct puma_part *part,
                      struct puma_sending *request)
{
    struct puma_target target = target_of(window, part, window->rma->puts->portal);

    return is_within(window, part, from.len) && puma_send(window->rma->puts, from, &target, false, request);
}

//= PUMA-117
//= PUMA-119
bool puma_put(const struct puma_window *window, struct puma_buffer from, const struct puma_part *part)
{
    struct puma_sending request;

    if (!start_put(window, from, part, &request)) {
        return false;
    }
    puma_wait(&request);
    return true;
}

//= PUMA-118
bool puma_iput(const struct puma_window *window, struct puma_buffer from, const struct puma_part *part,
               struct puma_sending *request)
{
    return start_put(window, from, part, request) && puma_heard(request, true);
}

//= PUMA-120
//= PUMA-121
//= PUMA-122
bool puma_iget(const struct puma_window *window, struct puma_buffer into, const struct puma_part *part,
               struct puma_sending *request)
{
    struct puma_target target = target_of(window, part, window->rma->gets->portal);

    return is_within(window, part, into.len) && puma_read(window->rma->gets, into, &target, request);
}

//= PUMA-123
bool puma_get(const struct puma_window *window, struct puma_buffer into, const struct puma_part *part)
{
    struct puma_sending request;

    if (!puma_iget(window, into, part, &request)) {
        return false;
    }
    puma_wait(&request);
    return true;
}

//= PUMA-124
void puma_wait(struct puma_sending *request)
{
    (void)puma_heard(request, true);
    puma_sent(request);
}

bool puma_test(struct puma_sending *request)
{
    if (!puma_heard(request, false)) {
        return false;
    }
    puma_sent(request);
    return true;
}
