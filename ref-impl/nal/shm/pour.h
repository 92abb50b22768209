/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pouring: the fast way for lent payload, while both processes are at work.
 *
 * A lent payload is fetched through the kernel, which looks up every page of it: that takes several times as long as to
 * copy what is there. So where the sender looks after its rings at this moment, on a processor of its own, the receiver
 * asks it to pour: the sender copies the payload into a place that both share, the receiver out of it, both at the same
 * time.
 *
 *      receiver                                    sender
 *      reads the record of lent payload n
 *      drained = 0, asked = n, rings
 *                                                  poured = 0, poured_of = n
 *                                                  copies in, poured += ..
 *      copies out, drained += ..                   copies in, poured += ..
 *      has all: fetched = n                        takes the payload back
 *
 * Neither relies on the other: who sees nothing happen for a while goes its way, and the receiver then fetches what is
 * missing. Only `fetched` and `withdrawn` say what becomes of a payload, whichever way it came.
 */
#ifndef REF_IMPL_NAL_SHM_POUR_H
#define REF_IMPL_NAL_SHM_POUR_H

#include "ref-impl/nal/shm/net.h"

enum pour_taken { POUR_TAKEN, POUR_LATER, POUR_NOT };

/* pour_ask - the receiver has read the record of a lent payload: asks the sender to pour it, where that is likely
 * to be faster.
 * pour_take - stores what has been poured. POUR_LATER: nothing yet; POUR_NOT: the rest is to be
 * fetched. With the turn. */
void pour_ask(struct shm_endpoint *endpoint);
enum pour_taken pour_take(struct shm_endpoint *endpoint);

/* pour_expect - the sender has lent a payload: it is worth while to look for a moment whether it is asked for.
 * pour_begin - the sender, a caller that waits, begins to pour where it is asked to. With the turn and net->lock.
 * pour_pass - pours a piece; whether anything is being poured, in either direction, or may be soon. With the turn. */
void pour_expect(struct shm_net *net, uint64_t octets);
void pour_begin(struct shm_endpoint *endpoint);
bool pour_pass(struct shm_net *net);

/* pour_leave - a caller is about to give the turn back: the next one goes on with what it takes. */
void pour_leave(struct shm_net *net);

#endif
