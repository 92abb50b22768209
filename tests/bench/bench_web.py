#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_web.py: what reading costs, beside a bare program of libmicrohttpd that answers with the same octets.

Both answer in turn, round after round, to 64 connections of wrk; the service has a database of 1,000 runs with 500,000
results. Meanwhile somebody of another account asks for little, twenty times a second. `make bench-web` runs it.
"""

import argparse
import gzip
import hashlib
import http.client
import json
import pathlib
import re
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

CONNECTIONS, THREADS = 64, 2
RUNS, CASES = 1000, 500
LIMITS = ["--limit=account-requests=60000000"]
IMPLEMENTATION, RUN = "implementation00", "run{:013}"
SUMMARY = {"pass": CASES - 10, "fail": 10, "warn": 0, "skip": 0, "inconclusive": 0}
# What is read, and the least share of the bare program's answers in a second that it should reach.
PAGES = {"run page": ("/runs/{run}", 0.5), "run": ("/api/v1/runs/{run}", 0.5),
         "report": ("/api/v1/runs/{run}/report.html", 0.5), "results": ("/api/v1/runs/{run}/results", 0.3),
         "list of runs": ("/api/v1/runs", 0.3)}
WAIT_MS_MAX = 50


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
        database.execute("INSERT INTO evidence (run, case_id, kind, digest, octets) VALUES (?, '', 'report', ?, ?)",
                         (RUN.format(0), digest, len(octets)))
    database.close()


class Assayd:
    """The service on a folder of its own."""

    def __init__(self, program, data):
        self.program, self.data = program, data
        self.process, self.port, self.link = None, None, None

    def start(self):
        self.process = subprocess.Popen([self.program, "--listen", "127.0.0.1:0", "--data", self.data, *LIMITS,
                                         "--sign-in-link"], stdout=subprocess.PIPE, text=True)
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


class Watch(threading.Thread):
    """Asks for the list of an account that has no runs, and notes how long each answer took, in ms."""

    def __init__(self, port, cookie):
        super().__init__()
        self.port, self.cookie, self.over, self.waits = port, cookie, threading.Event(), []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.over.wait(0.05):
            begun = time.monotonic()
            connection.request("GET", "/api/v1/runs", headers={"Cookie": self.cookie})
            connection.getresponse().read()
            self.waits.append((time.monotonic() - begun) * 1000)
        connection.close()


def rate(port, path, cookie, seconds):
    """Answers in a second, all of them good."""
    command = ["wrk", "-c", str(CONNECTIONS), "-t", str(THREADS), "-d", f"{seconds}s", "-H", "Accept-Encoding: gzip",
               "-H", f"Cookie: {cookie}", f"http://127.0.0.1:{port}{path}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    assert "Non-2xx" not in said and "Socket errors" not in said, said
    return float(re.search(r"Requests/sec:\s+([0-9.]+)", said).group(1))


def measure(service, bare, cookie, asked, options):
    """Prints a line for each page; the number of those that are too slow."""
    wanting = 0
    for number, (name, (path, least)) in enumerate(PAGES.items()):
        path = path.format(run=RUN.format(0))
        watch = Watch(service, asked)
        watch.start()
        pairs = [(rate(service, path, cookie, options.seconds), rate(bare, f"/{number}", cookie, options.seconds))
                 for _ in range(options.rounds)]
        watch.over.set()
        watch.join()
        ratio = statistics.median(one / other for one, other in pairs)
        wanting += ratio < least
        print(f"{name:14} {statistics.median(one for one, _ in pairs):9.0f} "
              f"{statistics.median(other for _, other in pairs):9.0f} {ratio:7.2f} {least:7.2f} "
              f"{statistics.median(watch.waits):9.1f} {max(watch.waits):9.1f}", flush=True)
        wanting += max(watch.waits) > WAIT_MS_MAX
    return wanting


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("assayd", type=pathlib.Path)
    parser.add_argument("bare", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        service = Assayd(options.assayd, folder / "data")
        service.token()
        fill(folder / "data", 1)
        service.start()
        cookie = cookie_of(service.port, service.link)
        asked = another(service.port, cookie)
        files = []
        for number, (path, _) in enumerate(PAGES.values()):
            octets = ask(service.port, "GET", path.format(run=RUN.format(0)), None,
                         {"Cookie": cookie, "Accept-Encoding": "gzip"})[1]
            files.append(folder / str(number))
            files[-1].write_bytes(octets)
        with subprocess.Popen([options.bare, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bare:
            port = int(bare.stdout.readline())
            print(f"{'':14} {'service':>9} {'bare':>9} {'ratio':>7} {'wanted':>7} {'other, ms':>9} {'most, ms':>9}")
            wanting = measure(service.port, port, cookie, asked, options)
            bare.stdin.close()
        service.end()
    print(f"{wanting} of {2 * len(PAGES)} bounds are not held" if wanting else "all bounds are held")


if __name__ == "__main__":
    main()
