#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_web.py: what reading costs, beside a bare program of libmicrohttpd that answers with the same octets.

Both answer in turn, round after round, to 64 connections of wrk; the service has a database of 1,000 runs with 500,000
results. Then a crowd asks for what is not kept: one run after another is read, and runs are made and cancelled.
Meanwhile somebody of another account asks both programs for little, twenty times a second (watch.py). At last it tells
what making a run costs. `make bench-web` runs it.
"""

import argparse
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

CONNECTIONS, THREADS = 64, 2
RUNS, CASES = 1000, 500
LIMITS = ["--limit=account-requests=60000000", "--limit=account-costly=1000000", "--limit=account-items=1000000"]
HERE = pathlib.Path(__file__).parent
IMPLEMENTATION, RUN = "implementation00", "run{:013}"
SUMMARY = {"pass": CASES - 10, "fail": 10, "warn": 0, "skip": 0, "inconclusive": 0}
# What is read, and the least share of the bare program's answers in a second that it should reach.
PAGES = {"run page": ("/runs/{run}", 0.5), "run": ("/api/v1/runs/{run}", 0.5),
         "report": ("/api/v1/runs/{run}/report.html", 0.5), "results": ("/api/v1/runs/{run}/results", 0.3),
         "list of runs": ("/api/v1/runs", 0.3)}
CROWDS = {"reads": ["reads"], "makes and cancels": ["makes"], "both": ["reads", "makes"]}
WAIT_MS_MAX = 50
MADE, MADE_MS_MAX = 200, 2


def case(number):
    """One case of a report."""
    verdict = "fail" if number < 10 else "pass"
    return {"id": f"case-{number:03}", "title": f"The case of number {number} and what it looks at", "suite": "suite",
            "chapter": "3", "requirements": [f"P30-{number % 300:03}"], "verdict": verdict, "reason": "",
            "expected": "PTL_OK", "observed": "PTL_OK"}


def report():
    """A report of the size that a whole profile's has."""
    return {"profile": "portals-3.0", "verdict": "does-not-conform", "summary": SUMMARY,
            "coverage": {"requirements": 300, "judged": 300, "not_judged": []}, "sut": {"name": "Some Portals 1.0"},
            "outcome": {"name": "does-not-conform", "text": "does not conform", "good": False},
            "cases": [case(number) for number in range(CASES)]}


def fill(data, account):
    """Puts the runs into the database of a service that has ended, and the report of the first into its folder."""
    octets = json.dumps(report()).encode()
    digest = hashlib.sha256(octets).hexdigest()
    folder = data / "evidence" / digest[:2]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{digest[2:]}.gz").write_bytes(gzip.compress(octets))
    about = json.dumps({"purpose": "", "requirements": ["P30-001"], "file": "case.lua"})
    with sqlite3.connect(data / "assay.db") as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("INSERT INTO implementations (id, account, name, version, vendor, notes) "
                         "VALUES (?, ?, 'Some Portals', '1.0', '', '')", (IMPLEMENTATION, account))
        for number in range(RUNS):
            run = RUN.format(number)
            database.execute("INSERT INTO runs (id, account, implementation, profile, seed, state, verdict, total, "
                             "summary, outcome) VALUES (?, ?, ?, 'portals-3.0', 1, 'finished', 'does-not-conform', ?, "
                             "?, ?)", (run, account, IMPLEMENTATION, CASES, json.dumps(SUMMARY),
                                       json.dumps(report()["outcome"])))
            database.executemany(
                "INSERT INTO results (run, position, case_id, title, suite, chapter, verdict, axis, requirement, "
                "reason, expected, observed, duration_ms, about) VALUES (?, ?, ?, ?, 'suite', '3', ?, 'sut', "
                "'P30-001', '', 'PTL_OK', 'PTL_OK', 3, ?)",
                [(run, at, f"case-{at:03}", f"The case of number {at}", "fail" if at < 10 else "pass", about)
                 for at in range(CASES)])
        database.executemany("INSERT INTO evidence (run, case_id, kind, digest, octets) VALUES (?, '', 'report', ?, ?)",
                             [(RUN.format(number), digest, len(octets)) for number in range(RUNS)])
    database.close()


class Assayd:
    """The service on a folder of its own."""

    def __init__(self, program, data):
        self.program, self.data = program, data
        self.process, self.port, self.link = None, None, None

    def start(self, *options):
        self.process = subprocess.Popen([self.program, "--listen", "127.0.0.1:0", "--data", self.data, *LIMITS,
                                         *options, "--sign-in-link"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.link = self.process.stdout.readline().split("code=")[1].strip()

    def end(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def token(self):
        return subprocess.run([self.program, "--data", self.data, "--issue-token", "bench"], check=True, text=True,
                              stdout=subprocess.PIPE, timeout=60).stdout.strip()


def ask(port, method, path, body=None, headers=None):
    """One request: its headers and octets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    octets = answer.read()
    connection.close()
    assert answer.status in (200, 201), (path, answer.status, octets)
    return answer.headers, octets


def cookie_of(port, code, name=None):
    """Signs in by a link, as a browser does: the cookie."""
    body = {"code": code, **({"name": name} if name else {})}
    headers, _ = ask(port, "POST", "/api/v1/session", json.dumps(body), {"Content-Type": "application/json"})
    return headers["Set-Cookie"].split(";")[0]


def another(port, cookie):
    """The cookie of another account, to which the first one's owner lets somebody in."""
    session = json.loads(ask(port, "GET", "/api/v1/session", None, {"Cookie": cookie})[1])
    link = json.loads(ask(port, "POST", "/api/v1/sign-in-links", json.dumps({"for": "new-account"}),
                          {"Cookie": cookie, "X-Assay-CSRF": session["csrf"], "Content-Type": "application/json"})[1])
    return cookie_of(port, link["link"].split("code=")[1], "Grace")


class Watch:
    """Somebody of an account that has no runs, who asks for them over connections that are kept; and asks the bare
    program for as little."""

    def __init__(self, service, bare, cookie):
        self.words = [sys.executable, HERE / "watch.py", str(service), str(bare), "/api/v1/runs", cookie]
        self.process, self.seen = None, {}

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.seen = json.loads(self.process.communicate("\n")[0])

    def line(self):
        return " ".join(f"{statistics.median(self.seen[name]):9.1f} {max(self.seen[name]):9.1f}"
                        for name in ("service", "bare"))

    def is_late(self):
        """Whether an answer of the service came too late, and not of the bare program, too."""
        return max(self.seen["service"]) > max(WAIT_MS_MAX, *self.seen["bare"])


def rate(port, path, cookie, seconds):
    """Answers in a second, all of them good."""
    command = ["wrk", "-c", str(CONNECTIONS), "-t", str(THREADS), "-d", f"{seconds}s", "-H", "Accept-Encoding: gzip",
               "-H", f"Cookie: {cookie}", f"http://127.0.0.1:{port}{path}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    assert "Non-2xx" not in said and "Socket errors" not in said, said
    return float(re.search(r"Requests/sec:\s+([0-9.]+)", said).group(1))


def measure(service, bare, cookie, asked, options):
    """Prints a line for each page; the number of bounds that are not held."""
    wanting = 0
    print(f"{'':18} {'service':>9} {'bare':>9} {'ratio':>7} {'wanted':>7} {'other, ms':>9} {'most':>9} {'bare, ms':>9} "
          f"{'most':>9}")
    for number, (name, (path, least)) in enumerate(PAGES.items(), 1):
        path = path.format(run=RUN.format(0))
        with Watch(service, bare, asked) as watch:
            pairs = [(rate(service, path, cookie, options.seconds), rate(bare, f"/{number}", cookie, options.seconds))
                     for _ in range(options.rounds)]
        ratio = statistics.median(one / other for one, other in pairs)
        wanting += (ratio < least) + watch.is_late()
        print(f"{name:18} {statistics.median(one for one, _ in pairs):9.0f} "
              f"{statistics.median(other for _, other in pairs):9.0f} {ratio:7.2f} {least:7.2f} {watch.line()}",
              flush=True)
    return wanting


def crowd(service, bare, cookie, asked, options):
    """Prints a line for each crowd (crowd.lua): answers in a second, and how long another's request takes meanwhile."""
    csrf = json.loads(ask(service, "GET", "/api/v1/session", None, {"Cookie": cookie})[1])["csrf"]
    late = 0
    for name, kinds in CROWDS.items():
        with Watch(service, bare, asked) as watch:
            crews = [subprocess.Popen(
                ["wrk", "-c", str(CONNECTIONS // len(kinds)), "-t", str(THREADS), "-d",
                 f"{options.seconds * options.rounds}s", "-H", "Accept-Encoding: gzip", "-H", f"Cookie: {cookie}", "-s",
                 HERE / "crowd.lua", f"http://127.0.0.1:{service}", "--", kind, str(RUNS), IMPLEMENTATION, csrf],
                stdout=subprocess.PIPE, text=True) for kind in kinds]
            said = [crew.communicate(timeout=600)[0] for crew in crews]
        assert not any("Non-2xx" in text for text in said), said
        rates = sum(float(re.search(r"Requests/sec:\s+([0-9.]+)", text).group(1)) for text in said)
        late += watch.is_late()
        print(f"{name:18} {rates:9.0f} {'':25} {watch.line()}", flush=True)
    return late


def processor_ms(process):
    ticks = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, ticks)) * 1000 / os.sysconf("SC_CLK_TCK")


def making(service, bare, cookie):
    """Prints what making a run takes of the processor, beside an answer of the bare program; whether it is too much."""
    session = json.loads(ask(service.port, "GET", "/api/v1/session", None, {"Cookie": cookie})[1])
    headers = {"Cookie": cookie, "X-Assay-CSRF": session["csrf"], "Content-Type": "application/json"}
    order = json.dumps({"implementation": IMPLEMENTATION, "profile": "portals-3.0"})
    spent = []
    for process, port, method, path, body in ((service.process, service.port, "POST", "/api/v1/runs", order),
                                              (bare[0], bare[1], "GET", "/0", None)):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for number in range(MADE + 1):
            if number == 1:  # the first one has read the profile's cases, once and for all
                before = processor_ms(process)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            assert (answer.read() and answer.status) in (200, 201), answer.status
        spent.append((processor_ms(process) - before) / MADE)
        connection.close()
    print(f"{'making a run':18} {spent[0]:9.2f} {spent[1]:9.2f} ms of processor; wanted: at most {MADE_MS_MAX}")
    return spent[0] > MADE_MS_MAX


def compare(service, cookie, asked, folder, options):
    """Everything beside a bare program that has the same octets; the number of bounds that are not held."""
    files = [folder / str(number) for number in range(1 + len(PAGES))]
    files[0].write_bytes(ask(service.port, "GET", "/api/v1/runs", None, {"Cookie": asked})[1])
    for name, (path, _) in zip(files[1:], PAGES.values(), strict=True):
        name.write_bytes(ask(service.port, "GET", path.format(run=RUN.format(0)), None,
                             {"Cookie": cookie, "Accept-Encoding": "gzip"})[1])
    with subprocess.Popen([options.bare, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bare:
        port = int(bare.stdout.readline())
        wanting = measure(service.port, port, cookie, asked, options)
        service.end()
        service.start("--limit=cache-mib=1")
        wanting += crowd(service.port, port, cookie, asked, options)
        wanting += making(service, (bare, port), cookie)
        bare.stdin.close()
    return wanting


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("assayd", type=pathlib.Path)
    parser.add_argument("bare", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        parser.error("wrk is not here, by which pages are read: install Debian's package wrk")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        service = Assayd(options.assayd, folder / "data")
        service.token()
        fill(folder / "data", 1)
        service.start()
        cookie = cookie_of(service.port, service.link)
        wanting = compare(service, cookie, another(service.port, cookie), folder, options)
        service.end()
    bounds = 2 * len(PAGES) + len(CROWDS) + 1
    print(f"{wanting} of {bounds} bounds are not held" if wanting else "all bounds are held")


if __name__ == "__main__":
    main()
