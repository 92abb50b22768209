/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the document leaves to a library of Portals 3.3, and this one may be compiled to do the other way: -DNAME=1. Of
 * MEMBERS, which is what the header looks like, portals3.h has the rest.
 */
#ifndef SUTS_ONESIDED_CHOICES_H
#define SUTS_ONESIDED_CHOICES_H

#ifndef FEW
#define FEW 0 /* limits are low; few.json declares them */
#endif
#ifndef HIGHEST
#define HIGHEST 0 /* handles and portals are taken from the other end */
#endif
#ifndef NOTHING_REFUSED
#define NOTHING_REFUSED 0 /* no queue is made for no event */
#endif
#ifndef NOTHING_NONE
#define NOTHING_NONE 0 /* a queue for no event is PTL_EQ_NONE */
#endif
#ifndef IN_ORDER
#define IN_ORDER 0 /* PtlEQPoll begins with the first queue always */
#endif
#ifndef LAZY_US
#define LAZY_US 0 /* each call takes so long */
#endif
#ifndef SENT_LAST
#define SENT_LAST 0 /* what is sent is logged when it has arrived */
#endif
#ifndef NUMBERS_FROM
#define NUMBERS_FROM 0 /* what events and links begin to be numbered with */
#endif
#ifndef FAR
#define FAR 0 /* the distance to everybody is this much more */
#endif
#ifndef START_LAST
#define START_LAST 0 /* the target's start of an operation is logged when the octets have moved */
#endif

#endif
