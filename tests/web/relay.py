# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What lies between a launch agent and its service, and can be cut: the address stays when the service moves."""

import contextlib
import socket
import threading


class Relay:
    """A listener whose connections go on to `service`; as a context it ends with everything open."""

    def __init__(self, service):
        self.service, self.open, self.lock = service, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def cut(self):
        """Breaks every connection that goes through."""
        with self.lock:
            for one in self.open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self.open.clear()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                here = self.listener.accept()[0]
                threading.Thread(target=self._pass, args=(here,), daemon=True).start()

    def _pass(self, here):
        try:
            there = socket.create_connection(("127.0.0.1", self.service.port))
        except OSError:  # no service: the caller sees its connection close
            here.close()
            return
        with self.lock:
            self.open += [here, there]
        back = threading.Thread(target=_copy, args=(there, here), daemon=True)
        back.start()
        _copy(here, there)
        back.join()
        here.close()
        there.close()


def _copy(source, sink):
    with contextlib.suppress(OSError):
        while octets := source.recv(65536):
            sink.sendall(octets)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
