/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where this process can be reached: its node id is an IPv4 address of the machine, its process id the port on which it
 * listens (specs/portals-wire.md). So the pair is unique in the system (chapter 3.4), and whoever knows it can send.
 */
#include "ref-impl/job/join.h"
#include "ref-impl/nal/shm/shm.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections that the system completes before this process takes them: all peers of a job may call at once. */
#define JOB_BACKLOG 1024

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

bool job_listen_open(uint32_t nid, int *fd, uint32_t *pid)
{
    const char *nal = getenv("ASSAY_NAL");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(nid)};
    socklen_t len = sizeof address;

    if (nal && strcmp(nal, "loop") == 0) {
        *fd = -1;
        *pid = (uint32_t)getpid();
        return true;
    }
    int sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (sock < 0 || bind(sock, (struct sockaddr *)&address, len) != 0 || listen(sock, JOB_BACKLOG) != 0 ||
        getsockname(sock, (struct sockaddr *)&address, &len) != 0) {
        int error = errno;
        char text[INET_ADDRSTRLEN] = "";

        inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
        job_complain("cannot listen on %s: %s; set ASSAY_NID to an address of this machine", text, strerror(error));
        if (sock >= 0) {
            close(sock);
        }
        return false;
    }
    *pid = ntohs(address.sin_port);
    /* Whoever learns the address must find the memory there already. */
    if (nal && strcmp(nal, "shm") == 0 && !shm_prepare(nid, *pid, job_secret())) {
        close(sock);
        return false;
    }
    *fd = sock;
    return true;
}
