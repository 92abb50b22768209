/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The pages' one frame of HTML: page.html, with the profiles in its menu and its list of books. The pages' scripts read
 * from the menu what people call a profile.
 */
#ifndef WEB_PAGES_FRAME_H
#define WEB_PAGES_FRAME_H

#include "web/service/asset.h"

struct catalogue;

struct frame {
    struct asset page; /* its octets are the frame's */
    char tag[40];      /* changes with the content, for ETag */
};

/* frame_new makes the frame for the profiles of the catalogue. NULL: no memory. */
struct frame *frame_new(const struct catalogue *catalogue);

/* frame_free frees it; NULL is allowed. */
void frame_free(struct frame *frame);

#endif
