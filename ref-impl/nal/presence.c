/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process on its networks; see presence.h. What an interface stands on:
 *
 *      core <--> trace <--> reliable (ASSAY_RELIABLE) <--> fault (ASSAY_FAULT) <--> the networks (ASSAY_NAL)
 *
 * The reliability layer begins before the networks and ends after them, for it is told about every peer.
 */
#include "ref-impl/nal/presence.h"

#include "ref-impl/nal/mixed.h"
#include "ref-impl/nal/networks.h"
#include "ref-impl/nal/wrap/fault/fault.h"
#include "ref-impl/nal/wrap/reliable/reliable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This process. Written by presence_begin, presence_join and presence_end only. */
static struct {
    const struct network *networks[NETWORKS_MAX];
    size_t count;                  /* of networks; 0: none is begun, or the user has named one that there is not */
    bool numbers;                  /* messages are to be numbered: decided by what was chosen, needed or not */
    struct reliable_net *reliable; /* NULL: they are not, or not yet */
} here;

/* The value of an environment variable; NULL when it is not set or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

/* Whether the user wants messages to be numbered, and whether all networks carry numbers: the others lose nothing. */
static bool numbers_wanted(void)
{
    const char *wanted = setting("ASSAY_RELIABLE");

    return wanted && strcmp(wanted, "0") != 0;
}

static bool networks_greet(void)
{
    for (size_t i = 0; i < here.count; i++) {
        if (!here.networks[i]->greet) {
            return false;
        }
    }
    return here.count > 0;
}

/* Takes a network out that is not needed. */
static void network_remove(size_t index)
{
    here.count--;
    memmove(here.networks + index, here.networks + index + 1, (here.count - index) * sizeof here.networks[0]);
}

bool presence_begin(struct network_place *place)
{
    const char *name = setting("ASSAY_NAL");

    here.count = networks_choose(name, numbers_wanted(), here.networks);
    here.numbers = numbers_wanted() && networks_greet();
    for (size_t i = 0; i < here.count;) {
        const struct network *network = here.networks[i];
        enum network_status status = network->begin ? network->begin(place) : NETWORK_READY;

        if (status == NETWORK_FAILED && (name || network->reach == NETWORK_REACHES_ANY)) {
            presence_end();
            return false;
        }
        if (status == NETWORK_READY) {
            i++;
        } else {
            network_remove(i); /* what the user has not asked for by name may be lacking */
        }
    }
    if (place->pid == 0) {
        place->pid = (uint32_t)getpid(); /* nobody else will call it by that */
    }
    return true;
}

static enum nal_status open_networks(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                     struct nal **nal)
{
    const char *name = setting("ASSAY_NAL");
    char names[NETWORKS_NAMES_OCTETS];

    if (here.count > 0) {
        return mixed_open(here.networks, here.count, config, upcalls, core, nal);
    }
    if (name) {
        fprintf(stderr,
                "portals: interface %u: unknown network \"%s\"; this library has %s: set ASSAY_NAL to one of them\n",
                (unsigned)config->interface, name, networks_names("and", names));
    } else {
        fputs("portals: no network is started: this process has not joined a job\n", stderr);
    }
    return NAL_NO_DEVICE;
}

/* What numbered messages go through: as open_networks, with the faults that numbering makes good. */
static enum nal_status open_below(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    const char *spec = setting("ASSAY_FAULT");

    return spec ? fault_open_numbered(spec, open_networks, config, upcalls, core, nal)
                : open_networks(config, upcalls, core, nal);
}

static enum nal_status greet_below(uint32_t interface, const struct wire_portals_id *target)
{
    enum nal_status status = NAL_NO_ROUTE;

    for (size_t i = 0; status == NAL_NO_ROUTE && i < here.count; i++) {
        status = here.networks[i]->greet(interface, target);
    }
    return status;
}

/* Begins to number messages. */
static bool reliable_begin(const struct network_job *job, struct network_watch *watch)
{
    static const struct reliable_below below = {open_below, greet_below};

    here.reliable = reliable_net_new(&below, &job->self, job->size);
    if (!here.reliable) {
        fputs("portals: no memory or threads to number messages (ASSAY_RELIABLE)\n", stderr);
        return false;
    }
    *watch = (struct network_watch){reliable_net_peer, here.reliable};
    return true;
}

/* Says, once for a job, that what the user wants is not had; only a network that was asked for by name can be so. */
static void tell_of_no_numbers(const struct network_job *job)
{
    const char *name = setting("ASSAY_NAL");

    if (numbers_wanted() && name && job->self.rid == 0) {
        fprintf(stderr,
                "portals: ASSAY_RELIABLE has no effect: the network %s does not number messages; unset ASSAY_NAL, or "
                "set it to tcp\n",
                name);
    }
}

bool presence_join(const struct network_job *job)
{
    struct network_watch watch = {NULL, NULL};
    struct network_job watched = *job;

    if (!here.numbers) {
        tell_of_no_numbers(job);
    } else {
        if (!reliable_begin(job, &watch)) {
            return false;
        }
        watched.watch = &watch;
    }
    for (size_t i = 0; i < here.count; i++) {
        if (here.networks[i]->join && !here.networks[i]->join(&watched)) {
            return false;
        }
    }
    return true;
}

void presence_end(void)
{
    if (here.reliable) {
        reliable_net_stop(here.reliable);
    }
    for (size_t i = 0; i < here.count; i++) {
        if (here.networks[i]->end) {
            here.networks[i]->end();
        }
    }
    if (here.reliable) {
        reliable_net_free(here.reliable);
        here.reliable = NULL;
    }
    here.count = 0;
}

enum nal_status presence_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                              struct nal **nal)
{
    const char *spec = setting("ASSAY_FAULT");

    if (here.reliable) {
        return reliable_net_open(here.reliable, config, upcalls, core, nal);
    }
    return spec ? fault_open(spec, open_networks, config, upcalls, core, nal)
                : open_networks(config, upcalls, core, nal);
}
