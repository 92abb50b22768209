/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The progress thread: what the thesis's kernel thread is, with sockets for cables. It takes the frames that have come,
 * lets the driver have its turn, and sleeps until more comes, somebody sends, or a timer runs out (P30-008).
 */
#include "ref-impl/nal/intercept/cables.h"
#include "ref-impl/nal/intercept/net.h"
#include "ref-impl/nal/intercept/netclock.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FRAMES_A_TURN = 64, NS_A_MS = 1000000, SECOND_NS = 1000000000 };
#define LINGER_NS  (UINT64_C(2) * SECOND_NS)  /* for what is still to leave at the end */
#define ANSWER_NS  (UINT64_C(20) * SECOND_NS) /* within which the switch answers on a plane */
#define SILENT_NS  (UINT64_C(1000) * NS_A_MS) /* after which the others are dead: eleven tries, as timers grow */
#define CLOSING_NS (UINT64_C(5) * NS_A_MS)    /* how often closing interfaces are looked at */

static _Thread_local const struct intercept_net *progress_of;

bool intercept_net_is_progress(void *net)
{
    return progress_of == net;
}

static void frames_take(struct intercept_net *net, unsigned plane)
{
    uint64_t now = netclock_now_ns();

    for (int i = 0; i < FRAMES_A_TURN; i++) {
        unsigned char octets[WIRE_INTERCEPT_FRAME_MAX + 1];
        ssize_t len = recv(net->fds[plane], octets, sizeof octets, 0);

        if (len < 0 && errno != ECONNREFUSED && errno != EINTR) {
            return;
        }
        if (len >= 0) {
            intercept_link_receive(&net->nic.planes[plane].link, octets, (size_t)len,
                                   (struct intercept_moment){now, now});
            netclock_frame_is_taken();
        }
    }
}

/* Sends again what has waited too long; says when that is due next, if before the time that is given. */
static uint64_t timers_expire(struct intercept_net *net, uint64_t now, uint64_t until_ns)
{
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        struct intercept_link *link = &net->nic.planes[plane].link;

        intercept_link_expire(link, now);
        uint64_t due = intercept_link_deadline(link);
        if (due != 0 && due < until_ns) {
            until_ns = due;
        }
    }
    return until_ns;
}

//= ICPT-226
void intercept_net_step(struct intercept_net *net, uint64_t wait_ns)
{
    struct pollfd fds[ICPT_PLANES + 1];

    uint64_t now = netclock_now_ns();
    uint64_t until_ns = timers_expire(net, now, wait_ns == UINT64_MAX ? wait_ns : now + wait_ns);

    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        fds[plane] = (struct pollfd){net->fds[plane], POLLIN, 0};
    }
    fds[ICPT_PLANES] = (struct pollfd){net->wake_fd, POLLIN, 0};
    if (netclock_wait(fds, ICPT_PLANES + 1, until_ns) <= 0) {
        return;
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        if (fds[plane].revents) {
            frames_take(net, plane);
        }
    }
}

//= ICPT-016
bool intercept_net_announce(struct intercept_net *net)
{
    uint64_t begun = netclock_now_ns();
    uint64_t first = 0;
    unsigned waiting = WIRE_INTERCEPT_PLANES_ALL;

    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];

        (void)intercept_link_send(&net->nic.planes[plane].link, octets, cables_announcement(octets, plane, net->iuca),
                                  begun);
    }
    for (uint64_t now = begun; waiting; now = netclock_now_ns()) {
        bool late = first == 0 ? now - begun > ANSWER_NS : now - first > SILENT_NS;

        intercept_net_step(net, late ? 0 : SECOND_NS); /* who had no processor meanwhile takes what has come */
        for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
            if (intercept_link_outstanding(&net->nic.planes[plane].link) == 0) {
                waiting &= ~(1U << plane);
            }
        }
        first = first == 0 && waiting != WIRE_INTERCEPT_PLANES_ALL ? netclock_now_ns() : first;
        if (late) {
            break;
        }
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        if (waiting >> plane & 1) {
            intercept_link_reset(&net->nic.planes[plane].link);
        }
    }
    net->nic.mask = WIRE_INTERCEPT_PLANES_ALL & ~waiting;
    return net->nic.mask != 0;
}

/* Gives the driver what others have queued. */
//= ICPT-084
//= ICPT-136
static void outgoing_take(struct intercept_net *net)
{
    for (;;) {
        lock_take(&net->lock);
        struct intercept_item *item = (struct intercept_item *)(void *)peer_queue_take(&net->outgoing);
        if (item) {
            item->prev = NULL;
            item->next = net->items;
            if (item->next) {
                item->next->prev = item;
            }
            net->items = item;
        }
        lock_give(&net->lock);
        if (!item) {
            return;
        }
        if (!intercept_node_send(&net->node, &item->send)) {
            net->node.library->sent(net, &item->send, false);
        }
    }
}

static void wake_take(struct intercept_net *net)
{
    uint64_t count;

    lock_take(&net->lock);
    if (net->woken) {
        while (read(net->wake_fd, &count, sizeof count) < 0 && errno == EINTR) {
        }
        net->woken = false;
    }
    lock_give(&net->lock);
}

/* A slow computer: the card goes on, the driver does not yet. */
static void turn_wait(struct intercept_net *net)
{
    uint64_t now = netclock_now_ns();

    for (uint64_t due = now + net->faults.slow_ns; now < due; now = netclock_now_ns()) {
        intercept_net_step(net, due - now);
        wake_take(net);
    }
}

/* Whether all has left that is to leave before the process does; gives up after a while. */
static bool stop_is_over(struct intercept_net *net)
{
    uint64_t now = netclock_now_ns();

    net->stop_ns = net->stop_ns ? net->stop_ns : now + LINGER_NS;
    return now >= net->stop_ns || (intercept_nic_idle(&net->nic) && intercept_node_idle(&net->node));
}

//= P30-008
void *intercept_net_run(void *argument)
{
    struct intercept_net *net = argument;
    bool again = false;

    progress_of = net;
    for (;;) {
        intercept_net_step(net, again ? CLOSING_NS : UINT64_MAX);
        wake_take(net);
        turn_wait(net);
        lock_take(&net->lock);
        bool joined = net->is_joined;
        bool stopping = net->is_stopping;
        lock_give(&net->lock);
        if (joined) {
            intercept_net_self_deliver(net);
            outgoing_take(net);
            intercept_node_turn(&net->node, netclock_now_ns());
            intercept_net_settle(net);
            peer_items_finish(&net->finished);
            peer_closing_advance(&net->interfaces);
        }
        if (stopping && stop_is_over(net)) {
            return NULL;
        }
        lock_take(&net->lock);
        again = stopping || net->interfaces.closing;
        lock_give(&net->lock);
    }
}
