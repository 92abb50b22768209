# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Waiting for the ends of processes and for changes of files: by the kernel's word and with a deadline, never by sleep.

For the tests of all folders; Linux only, as they are.
"""

import contextlib
import ctypes
import os
import pathlib
import select
import time

_LIBC = ctypes.CDLL(None, use_errno=True)
_MODIFY, _MOVED, _CREATE, _DELETE = 0x2, 0xC0, 0x100, 0x200  # as <sys/inotify.h> numbers what happens to a file


def named(mark: str) -> list[int]:
    """The processes that run now and have `mark` in their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def ended(pids, seconds: float) -> bool:
    """Waits until none of these processes runs, whoever's children they are; false when one still does at the end."""
    deadline = time.monotonic() + seconds
    for pid in map(int, pids):
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            if not select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
                return False
        finally:
            os.close(fd)
    return True


def until(condition, path, seconds: float) -> bool:
    """Waits until the condition holds. It is asked again whenever the file `path` changes or, of a folder, a file in it
    comes or goes. False when it does not hold at the end."""
    deadline = time.monotonic() + seconds
    fd = _LIBC.inotify_init1(os.O_CLOEXEC)
    try:
        if fd < 0 or _LIBC.inotify_add_watch(fd, os.fsencode(path), _MODIFY | _MOVED | _CREATE | _DELETE) < 0:
            raise OSError(ctypes.get_errno(), "inotify cannot watch it", str(path))
        while not condition():
            if not select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
                return condition()
            os.read(fd, 65536)
        return True
    finally:
        os.close(fd)
