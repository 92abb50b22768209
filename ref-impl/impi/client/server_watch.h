/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The connection of a client to the IMPI server, while the job runs.
 */
#ifndef REF_IMPL_IMPI_CLIENT_SERVER_WATCH_H
#define REF_IMPL_IMPI_CLIENT_SERVER_WATCH_H

#include "ref-impl/impi/common/secure.h"

/* server_watch - the server has nothing to say any more; that it goes away early is worth a line. To be called when the
 * connection is readable; when it has ended, it is closed and -1. `secure` may be NULL. */
void server_watch(int *server_fd, struct secure *secure);

#endif
