/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The jobs of a capture: every start-up conversation belongs to the job of its server, and a job tells where its hosts
 * listen, which processes there are and what was negotiated. It is learned, and judged, by the checker of
 * wire/impi/check_job.h, which sees all messages on the first pass.
 */
#ifndef DISSECTOR_IMPI_JOB_H
#define DISSECTOR_IMPI_JOB_H

#include "dissector/impi/stream.h"

#include "wire/impi/check_job.h"

/* impi_job_register - sets up the memory of jobs, emptied with every capture file. Once, at start-up. */
void impi_job_register(void);

/* impi_job_note - first pass: learns from a whole start-up message. A message of which the tvb lacks
 * something ends that for its connection. */
void impi_job_note(struct impi_pdu *pdu);

/* impi_job_missed - first pass: the capture lacks something of this connection: nothing more of it can be judged. */
void impi_job_missed(struct impi_stream *stream);

/* impi_job_end - first pass: the sender has finished its direction. */
void impi_job_end(struct impi_pdu *pdu);

/* impi_job_listens - whether a host of a job is known to listen there. */
bool impi_job_listens(const address *at, uint32_t port);

/* impi_job_adopt - first pass: finds the job of a channel by where it leads, or by the process that sends the packet.
 */
void impi_job_adopt(struct impi_pdu *pdu);

/* impi_job_rank - the world rank of a process in the job of this connection, or -1. */
int64_t impi_job_rank(const struct impi_stream *stream, const struct wire_impi_process *process);

/* impi_job_host - the rank of the host of this connection's job that listens there, or -1. */
int64_t impi_job_host(const struct impi_stream *stream, const address *at, uint32_t port);

/* impi_job_of - what is known of the connection's job, or NULL. */
const struct wire_impi_job *impi_job_of(const struct impi_stream *stream);

#endif
