/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What moves messages: a device. One reaches the processes of the same client, the other those of other clients; a
 * receive from anybody is in both, and whichever has a message first withdraws it from the other. This is all that is
 * asked of a device, by what stands above and by the other device.
 *
 * All functions but `open` and `close` are called with the engine's lock held, and none blocks but these and `wait`;
 * local/local.h says where the local device gives the lock away meanwhile. "The program's thread" is the one that calls
 * MPI.
 */
#ifndef REF_IMPL_MPI_MESSAGES_DEVICE_H
#define REF_IMPL_MPI_MESSAGES_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/mpi/messages/engine_waits.h"

struct request;
struct request_match;
struct request_outcome;

enum device_name { DEVICE_LOCAL, DEVICE_WIDE, DEVICES };

/* open      begins to take messages; the world is open. False, and a line on stderr, when it cannot.
 * close     ends that, and throws away what nobody has received. Blocks.
 * send      begins to send.
 * receive   takes a message that has come, or posts the receive. The program's thread.
 * probe     looks for a message that has come and fits.
 * withdraw  takes a receive out of the device; false when that has a message for it already. Any thread.
 * cancel    tries to undo a send. The request is done when it has succeeded or failed for good.
 * release   frees what the device keeps for a request that the program has retired.
 *
 * These are of the local device alone, the last four since the program's thread waits there for both of them:
 *
 * send_now  sends a short message that can go at once, and returns when its octets are needed no longer. False: it has
 *           to be begun by `send`. The program's thread; may give the lock away meanwhile.
 * advance   takes note of all that has happened.
 * wait      gives the lock away until something has: an arrival that nobody has asked for, or a request got done, or
 *           either; takes note of it. May return without either.
 * wake      makes `wait` return. Any thread but the program's.
 * idle      whether nothing is under way of which the program would have to hear. NULL: it may always be.
 * contexts  slots from 0 on that its match bits tell from each other; 0: all that contexts/slot.h gives.
 *
 * And this one is of the wide-area device alone:
 *
 * wait_alone  as `wait`, for a request, where the local device is idle. False: it has to be waited for there. */
struct device {
    uint32_t contexts;
    bool (*open)(void);
    void (*close)(void);
    void (*send)(struct request *request);
    void (*receive)(struct request *request);
    bool (*probe)(const struct request_match *match, struct request_outcome *outcome);
    bool (*withdraw)(struct request *request);
    void (*cancel)(struct request *request);
    void (*release)(struct request *request);
    bool (*send_now)(const struct request_match *match, const void *octets, size_t length);
    void (*advance)(void);
    void (*wait)(enum engine_wait what);
    void (*wake)(bool arrivals);
    bool (*idle)(void);
    bool (*wait_alone)(void);
};

/* mpi_devices - all of them: ref-impl/mpi/devices.c.
 * mpi_devices_choose - which local device there is, as the environment variable ASSAY_MPI says; before `open`. False,
 * and a line on stderr, for what there is not. */
extern const struct device *mpi_devices[DEVICES];
bool mpi_devices_choose(void);

/* device_at - the device of that name. */
static inline const struct device *device_at(enum device_name name)
{
    return mpi_devices[name];
}

#endif
