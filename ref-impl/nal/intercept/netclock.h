/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The time of the network. Live it is the machine's. With ASSAY_INTERCEPT_TIME=virtual it is simulated: a number in a
 * page of memory that the switch and the processes of a job share. It stands still while any of them works or has a
 * frame before it, and jumps to the next thing that is due as soon as all of them wait: a slow machine changes nothing,
 * and a timer costs no waiting. What programs do takes no virtual time.
 *
 *      switch: netclock_wait_switch            each process: netclock_wait
 *         all wait, none has a frame before it:   `until_ns` in its slot, 0 while it works
 *         now = the least of all until_ns
 *
 * The switch makes the page and tells in ASSAY_INTERCEPT_CLOCK where it is.
 */
#ifndef REF_IMPL_NAL_INTERCEPT_NETCLOCK_H
#define REF_IMPL_NAL_INTERCEPT_NETCLOCK_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

enum { NETCLOCK_SWITCH, NETCLOCK_NOBODY = -1 };

/* netclock_host - reads ASSAY_INTERCEPT_TIME (live, virtual; unset: live) and makes the page where time is virtual.
 * netclock_unhost - ends what it began.
 * netclock_attach - the process of the card `iuca` takes its part in the time of its switch.
 * netclock_detach - and leaves it.
 * The first and the third: false, with a line on stderr: it cannot. */
bool netclock_host(void);
void netclock_unhost(void);
bool netclock_attach(uint16_t iuca);
void netclock_detach(void);

/* netclock_is_virtual - whether time is.
 * netclock_now_ns - the time; it is not 0. */
bool netclock_is_virtual(void);
uint64_t netclock_now_ns(void);

/* netclock_find - who of those that share the time has that card, or NETCLOCK_NOBODY.
 * netclock_frame_leaves - a frame is about to be given to a socket for that one.
 * netclock_frame_is_lost - the socket has not taken it.
 * netclock_frame_is_taken - the caller has done all that a frame for it leads to. */
int netclock_find(uint16_t iuca);
void netclock_frame_leaves(int receiver);
void netclock_frame_is_lost(int receiver);
void netclock_frame_is_taken(void);

/* netclock_wait - a process waits for any of `count` descriptors, at most until that time; UINT64_MAX: for ever.
 * netclock_wait_switch - the same for the switch, which lets virtual time pass. How many are ready. */
int netclock_wait(struct pollfd *fds, unsigned count, uint64_t until_ns);
int netclock_wait_switch(struct pollfd *fds, unsigned count, uint64_t until_ns);

#endif
