# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Nodes of a cluster: network namespaces of this machine, each with a host name and one interface of its own, and a
switch between them. A launcher reaches them through a launch agent that enters a namespace where one would use ssh."""

import subprocess

import pytest

DEADLINE = 180
HOLD = "hostname {name} && ip link set lo up && echo up && exec cat"


class Nodes:
    """So many nodes, named node-a, node-b, .., each held by a process that waits for the end of its input."""

    def __init__(self, count):
        names = [f"node-{chr(ord('a') + node)}" for node in range(count)]
        self.addresses = [f"10.77.0.{node + 1}" for node in range(count)]
        self.holders = [subprocess.Popen(["unshare", "-n", "-u", "sh", "-c", HOLD.format(name=name)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                        for name in [*names, "switch"]]
        if any(holder.stdout.readline() != b"up\n" for holder in self.holders):
            self.skip(b" ".join(holder.communicate()[1] for holder in self.holders).decode().strip())
        try:
            self.connect()
        except subprocess.CalledProcessError as error:
            self.end()
            self.skip(str(error))

    @staticmethod
    def skip(reason):
        """Leaves the test out."""
        pytest.skip(f"network namespaces cannot be made here: {reason}")

    def connect(self):
        """Puts a cable between each node and the switch."""
        switch = len(self.addresses)
        self.on(switch, "ip", "link", "add", "bridge", "type", "bridge")
        self.on(switch, "ip", "link", "set", "bridge", "up")
        for node, address in enumerate(self.addresses):
            self.on(switch, "ip", "link", "add", f"port{node}", "type", "veth", "peer", "name", "cable", "netns",
                    str(self.holders[node].pid))
            self.on(switch, "ip", "link", "set", f"port{node}", "master", "bridge", "up")
            self.on(node, "ip", "address", "add", f"{address}/24", "dev", "cable")
            self.on(node, "ip", "link", "set", "cable", "up")

    def enter(self, node):
        """The beginning of a command that runs on a node."""
        return ["nsenter", "-t", str(self.holders[node].pid), "-n", "-u"]

    def on(self, node, *words):
        """Runs a command on a node, which must succeed."""
        subprocess.run([*self.enter(node), *words], check=True, timeout=DEADLINE)

    def launch_agent(self, path):
        """Writes what Open MPI's mpirun shall run instead of ssh: the first word says the node by its address."""
        choices = "".join(f'{address}) shift; exec {" ".join(self.enter(node))} sh -c "$*" ;;\n'
                          for node, address in enumerate(self.addresses))
        path.write_text(f'#!/bin/sh\ncase "$1" in\n{choices}esac\nexit 1\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def end(self):
        """Lets go of the nodes."""
        for holder in self.holders:
            holder.communicate(timeout=DEADLINE)
