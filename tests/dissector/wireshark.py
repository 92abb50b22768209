# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Debian's tshark and sharkd with the plugin under test.

A start of tshark takes much longer than what it is asked here, so that most questions go to a sharkd that stays. What
a column of it shows of a field is for most fields what tshark prints; of others the details of a packet hold a filter
with the value that tshark prints (test_sharkd.py). Neither finds anything in the folder of Wireshark's data: the
dictionaries of other protocols are a third of a start.

As root they load plugins from the system folder only, so they run as an unprivileged user here; everything that they
read lies in a folder that anybody may read.
"""

import functools
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile

NOBODY = "65534"
DEADLINE = 600
REQUESTS_MAX = 1000  # of one sharkd, which grows by half a megabyte with each file that it opens
SHARKDS_MAX = 6  # of one Tshark at once, each with its preferences
COLUMNS_MAX = 32  # of one question to sharkd
DETAILS_MAX = 300  # packets; to ask for the details of more of them takes longer than a start of tshark
INFO, COLUMN_INFO = "_ws.col.Info", 28  # as sharkd numbers the columns that are not made of fields
DECODE_AS = ("-d", "tcp.port==50002,portals")
# Fields of which a column shows what tshark prints: numbers that have no words, and texts without a comma.
PLAIN = {f"{protocol}.{name}" for protocol, names in {
    "_ws.col": "Info", "frame": "number", "tcp": "srcport dstport",
    "portals": """requirement request_in response_in time continuation_of sequence barrier.message barrier.total
        barrier.first barrier.time initiator rlength""",
    "impi": """requirement noted request_in response_in time message first_in next_in continuation_of reassembled.in
        reassembled.length cancels cancelled_in flow.sent flow.unacked flow.acks src src.rank dest dest.rank client
        host_rank key pk_len pk_tag h_port c_datalen collective.number collective.phase collective.root""",
    "intercept": "whole.octets requirement begun_in packet_number message plane",
}.items() for name in names.split()}
# Fields of which a packet's details hold what tshark prints: all of these, but for those of Wireshark's reassembly, a
# part of the details that is left out.
VALUED = re.compile(r"(portals|impi|intercept|assay|data)\.(?!.*\bfragments?\b)"
                    r"|tcp\.(len|srcport|dstport)$|frame\.(number|comment)$")


def plugin_of(build: pathlib.Path, variant: str = "release") -> pathlib.Path:
    """The plugin that was built."""
    base = build if variant == "release" else build / variant
    found = sorted(base.glob("wireshark/*/epan/assay.so"))
    assert found, f"no plugin under {base}/wireshark: 'make deps dissector' builds it"
    return found[-1]


def public_folder() -> pathlib.Path:
    """A new folder that the unprivileged user may read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-dissector-"))
    folder.chmod(0o755)
    return folder


# For a capture of live processes: packets of two processors may be captured in the wrong order, and a port that the
# kernel gave may be one that Wireshark knows for another protocol's (44321, 44818 and others).
LIVE = ("-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.try_heuristic_first:TRUE")


class Plugged:
    """A program of Wireshark's with the plugin. `folder` is where captures for it can be written."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = ""):
        self.folder = folder
        plugins = folder / "plugins" / plugin.parent.parent.name / "epan"
        plugins.mkdir(parents=True, exist_ok=True)
        if not (plugins / plugin.name).exists():
            shutil.copy(plugin, plugins)
        home = folder / "home"
        home.mkdir(exist_ok=True)
        home.chmod(0o777)
        data = folder / "data"
        data.mkdir(exist_ok=True)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "WIRESHARK_PLUGIN_DIR": str(folder / "plugins"), "WIRESHARK_DATA_DIR": str(data),
        }
        self.preload = preload
        if preload:
            self.environment |= {"LD_PRELOAD": preload, "WIRESHARK_DEBUG_WMEM_OVERRIDE": "simple",
                                 "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
                                 "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}

    def command(self, *words) -> list[str]:
        """The command as an unprivileged user."""
        command = [str(word) for word in words]
        if os.getuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        return command


def values_of(names, cells, separator) -> list[list[str]]:
    """The values of each field of a packet; the information column is one."""
    return [[cell] if name == INFO else cell.split(separator) if cell else [] for name, cell in zip(names, cells)]


def preferences_of(arguments) -> tuple | None:
    """The preferences that arguments of tshark set, as (name, value); None when some of them do anything else."""
    found = []
    for option, value in zip(arguments[::2], arguments[1::2]):
        port = re.fullmatch(r"tcp\.port==(\d+),(\w+)", value)
        if option == "-o":
            found.append(tuple(value.split(":", 1)))
        elif option == "-d" and port:
            found.append((f"{port[2]}.tcp.port", port[1]))
        else:
            return None
    return tuple(found) if len(arguments) % 2 == 0 else None


class Tshark(Plugged):
    """Runs tshark over captures, or asks a sharkd where that says the same."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = ""):
        super().__init__(plugin, folder, preload)
        self.plugin, self.sharkds = plugin, {}

    def close(self) -> None:
        """Ends what it has started."""
        for sharkd in self.sharkds.values():
            sharkd.close()
        self.sharkds = {}

    def _asked(self, capture, arguments) -> "Sharkd | None":
        """A sharkd that has opened the capture with the preferences that these arguments of tshark set; None when they
        do more than that."""
        preferences = preferences_of(arguments)
        if preferences is None:
            return None
        sharkd = self.sharkds.pop(preferences, None)
        if sharkd is None:
            while len(self.sharkds) >= SHARKDS_MAX:
                self.sharkds.pop(next(iter(self.sharkds))).close()
            sharkd = Sharkd(self.plugin, self.folder, self.preload, preferences)
        self.sharkds[preferences] = sharkd  # the one used last stands last
        sharkd.open(capture)
        return sharkd

    def run(self, *arguments, check=True) -> subprocess.CompletedProcess:
        """tshark with these arguments; its complaints are part of the failure."""
        command = self.command("tshark", *arguments)
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=DEADLINE,
                              cwd=self.folder, check=False)
        if check:
            assert done.returncode == 0, f"tshark ended with {done.returncode}:\n{done.stderr[-4000:]}"
        return done

    def read(self, capture, *arguments, passes=2) -> str:
        """What tshark prints of a capture, without names of hosts."""
        return self.run("-n", *(["-2"] if passes == 2 else []), "-r", capture, *arguments).stdout

    def fields(self, capture, *names, arguments=(), shown="portals", passes=2) -> list[list[list[str]]]:
        """For each packet that is shown: for each named field its values, in the order of the packet."""
        plain = PLAIN.issuperset(names) and len(names) <= COLUMNS_MAX
        asked = passes == 2 and (plain or all(map(VALUED.match, names)))
        sharkd = self._asked(capture, arguments) if asked else None
        if sharkd and plain:
            return sharkd.columns(names, shown)
        told = sharkd.values(names, shown) if sharkd else None
        return told if told is not None else self.printed(capture, *names, arguments=arguments, shown=shown,
                                                          passes=passes)

    def printed(self, capture, *names, arguments=(), shown="portals", passes=2) -> list[list[list[str]]]:
        """The same by tshark itself, for any field and in one pass, too."""
        chosen = [part for name in names for part in ("-e", name)]
        text = self.read(capture, "-Y", shown, "-T", "fields", "-E", "aggregator=;", *chosen, *arguments,
                         passes=passes)
        return [values_of(names, line.split("\t"), ";") for line in text.splitlines()]

    def info(self, capture, *arguments, shown="portals") -> list[str]:
        """The information column of each packet that is shown, one entry a message."""
        told = self.fields(capture, INFO, arguments=arguments, shown=shown)
        return [part.strip() for ((text,),) in told for part in text.split(" | ")]

    def shown(self, capture, filtered, *arguments) -> list[int]:
        """The packets that a filter lets through."""
        told = self.fields(capture, "frame.number", arguments=arguments, shown=filtered)
        return [int(number) for ((number,),) in told]

    @functools.cached_property
    def registered(self) -> list[list[str]]:
        """The fields and protocols that tshark lists, each as the cells of its line."""
        return [line.split("\t") for line in self.run("-G", "fields").stdout.splitlines()]

    def details(self, capture, *arguments, shown="portals", opened="") -> str:
        """The details of each packet that is shown, as `tshark -V` prints them, without empty lines; with `opened` as
        `tshark -O` does, for that protocol."""
        packets = self._asked(capture, arguments).packets(shown)
        return "".join(f"{line}\n" for _, tree in packets for line in lines_of(tree, opened))

    def experts(self, capture, *arguments) -> str:
        """What expert information says, a line for each of them."""
        (told,) = self._asked(capture, arguments).ask("tap", tap0="expert")["taps"]
        return "".join(f"{entry['m']}\n" for entry in told["details"])


class Sharkd(Plugged):
    """One sharkd that opens a capture after the other, each read in two passes as Wireshark itself does."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = "", preferences=()):
        super().__init__(plugin, folder, preload)
        home = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir=folder))
        settings = home / ".config" / "wireshark" / "preferences"
        settings.parent.mkdir(parents=True)
        settings.write_text("".join(f"{name}: {value}\n" for name, value in preferences))
        for path in (home, *home.rglob("*")):
            path.chmod(0o777)
        self.environment["HOME"] = str(home)
        self._start()

    def _start(self) -> None:
        self.number, self.pending = 0, b""
        self.process = subprocess.Popen(self.command("sharkd", "-"), env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder)

    def close(self) -> None:
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def _line(self) -> bytes:
        while b"\n" not in self.pending:
            assert select.select([self.process.stdout], [], [], DEADLINE)[0], "sharkd does not answer"
            read = os.read(self.process.stdout.fileno(), 1 << 20)
            assert read, f"sharkd has ended: {self.process.wait(DEADLINE)}"
            self.pending += read
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def _send(self, method: str, parameters) -> int:
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.number

    def ask(self, method: str, **parameters):
        """What it answers to one request."""
        number = self._send(method, parameters)
        answer = json.loads(self._line())
        assert answer["id"] == number and "result" in answer, answer
        return answer["result"]

    def open(self, capture) -> None:
        """Reads a capture whole. Of one that is cut short or damaged sharkd says nothing, so that it is asked for its
        state as well: the answer to that comes in any case."""
        if self.number > REQUESTS_MAX:
            self.close()
            self._start()
        load, status = self._send("load", {"file": str(capture)}), self._send("status", {})
        first = json.loads(self._line())
        assert first["id"] == load, f"{capture}: cut short or damaged behind packet {first['result']['frames']}"
        assert json.loads(self._line())["id"] == status and "result" in first, f"{capture}: {first}"

    def _frames(self, shown: str, **parameters) -> list[dict]:
        """The packets that a filter lets through. What it has let through is remembered beyond the capture, so that
        no two of them are written alike."""
        if shown:
            parameters["filter"] = shown + " " * self.number
        return self.ask("frames", **parameters)

    def columns(self, names, shown="") -> list[list[list[str]]]:
        """For each packet that is shown: for each named field its values, which are PLAIN."""
        columns = (str(COLUMN_INFO) if name == INFO else f"{name}:0" for name in names)
        frames = self._frames(shown, **{f"column{place}": column for place, column in enumerate(columns)})
        return [values_of(names, frame["c"], ",") for frame in frames]

    def packets(self, shown=""):
        """Each packet that is shown, with its number and the tree of its details."""
        for frame in self._frames(shown):
            yield frame["num"], self.ask("frame", frame=frame["num"], proto=True)["tree"]

    def values(self, names, shown="") -> list[list[list[str]]] | None:
        """The same as of columns for fields that are VALUED, from the packets' details; None where those are too
        many."""
        if len(self._frames(shown)) > DETAILS_MAX:
            return None
        found = []
        for _, tree in self.packets(shown):
            values = {name: [] for name in names}
            gather(tree, values)
            found.append([values[name] for name in names])
        return found

    def fields(self, capture, *names, shown="") -> list[list[list[str]]]:
        """The columns of a capture that it opens for that."""
        self.open(capture)
        return self.columns(names, shown)


def gather(tree, values) -> None:
    """Adds what the items of a packet's details say of fields, which are keys of `values`; each holds the filter that
    selects it, which is `field == value` or the field alone."""
    for item in tree:
        name, _, value = item.get("f", "").partition(" == ")
        if name in values:
            value = str(int(value, 16)) if name.endswith(".md") else value  # which tshark alone prints in decimal
            values[name].append(bare(value) if value else "1")
        gather(item.get("n", ()), values)


def lines_of(tree, opened, depth=0):
    """The lines of a packet's details as tshark prints them: what Wireshark has worked out stands in brackets."""
    for item in tree:
        yield "    " * depth + (f"[{item['l']}]" if item.get("g") else item["l"])
        if not opened or item.get("t") != "proto" or item.get("f") in (opened, "_ws.expert"):
            yield from lines_of(item.get("n", ()), opened, depth + 1)


def bare(value: str) -> str:
    """A value of a filter as tshark prints it: a text without its quotes, octets without what stands between them."""
    if value.startswith('"'):
        return re.sub(r"\\(.)", r"\1", value[1:-1])
    return value.replace(":", "") if re.fullmatch("[0-9a-f]{2}(:[0-9a-f]{2})+", value) else value
