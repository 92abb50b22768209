/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where this process can be reached: its node id is an IPv4 address of the machine (specs/portals-wire.md), its process
 * id is what its networks say.
 */
#include "ref-impl/job/join.h"
#include "ref-impl/nal/presence.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool job_address_choose(uint32_t fallback, uint32_t *nid)
{
    const char *wish = getenv("ASSAY_NID");
    struct in_addr address;

    if (!wish) {
        *nid = fallback;
        return true;
    }
    if (inet_pton(AF_INET, wish, &address) != 1) {
        job_complain("ASSAY_NID=%s is not an IPv4 address; give one of this machine's, like 192.0.2.7", wish);
        return false;
    }
    *nid = ntohl(address.s_addr);
    return true;
}

uint32_t job_address_outward(void)
{
    struct ifaddrs *all = NULL;
    uint32_t nid = 0x7f000001;

    if (getifaddrs(&all) != 0) {
        return nid;
    }
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        struct sockaddr_in address;

        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || (one->ifa_flags & IFF_LOOPBACK) ||
            !(one->ifa_flags & IFF_UP)) {
            continue;
        }
        memcpy(&address, one->ifa_addr, sizeof address);
        nid = ntohl(address.sin_addr.s_addr);
        break;
    }
    freeifaddrs(all);
    return nid;
}

/* What the processes of a job know, and others do not. */
static const char *job_secret(void)
{
    const char *key = getenv("ASSAY_JOB_KEY");
    const char *name = getenv("PMIX_NAMESPACE");

    return key ? key : name ? name : "";
}

bool job_place_take(uint32_t *nid, uint32_t size, uint32_t *pid)
{
    struct network_place place = {.nid = *nid, .pid = *pid, .job_size = size, .secret = job_secret()};

    if (!presence_begin(&place)) {
        return false;
    }
    *nid = place.nid;
    *pid = place.pid;
    return true;
}
