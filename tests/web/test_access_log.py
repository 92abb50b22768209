# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The access log: a line of JSON for each request, without what lets somebody in."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

from service import PATIENCE, Client
from test_account import sign_in
from test_evidence import run_suite

KEYS = ["time", "method", "route", "status", "octets", "duration_ms", "account", "address", "complete"]


def lines(text):
    """By method and route; each line is whole."""
    found = {}
    for line in text.splitlines():
        one = json.loads(line)
        assert list(one) == KEYS, line
        found.setdefault((one["method"], one["route"]), []).append(one)
    return found


def test_each_request(own_service, tmp_path):
    path = tmp_path / "access.log"
    path.write_text("")
    service = own_service("--access-log", path, "--proxy", "127.0.0.1")
    code = service.read_link().split("code=")[1]
    nobody = Client(service)
    nobody.get(f"/sign-in?code={code}")
    owner, _ = sign_in(service, service.link, name="Ada")
    run = run_suite(service, owner)
    share = owner.post(f"/api/v1/runs/{run}/shares", {"name": "x"}).json["link"].removeprefix(service.url)
    said = nobody.get(share, X_Forwarded_For="192.0.2.9")
    report = [owner.get(f"/api/v1/runs/{run}/report.json") for _ in range(2)]
    listed = [owner.get("/api/v1/runs") for _ in range(2)]
    assert nobody.get(f"/none/{code}").status == nobody.get("/api/v1/runs/x").status + 3 == 404
    assert service.stop() == 0  # who ends has written all of it
    text = path.read_text()
    for secret in (code, share.split("/")[-1], owner.cookie, owner.csrf, run, "Ada"):
        assert secret not in text
    found = lines(text)
    assert [one["status"] for one in found["GET", None]] == [404]
    shared = found["GET", "/shared/{secret}"][0]
    assert (shared["status"], shared["octets"], shared["account"], shared["address"]) == (
        200, len(said.body), None, "192.0.2.9")
    for route, answers in (("/api/v1/runs/{run}/report.json", report), ("/api/v1/runs", listed)):
        ok = [one for one in found["GET", route] if one["account"] == 1]
        assert [(one["status"], one["octets"]) for one in ok] == [(200, len(answer.body)) for answer in answers], route
    assert {one["status"] for one in found["GET", "/connect"]} == {101}
    assert found["POST", "/api/v1/session"][0]["status"] == 201
    assert all(one["complete"] and one["duration_ms"] >= 0 for one in found["GET", "/api/v1/runs"])


def rotated(root, tmp_path, path, postrotate):
    """logrotate, by the example, for this file."""
    example = (root / "web" / "deploy" / "logrotate.conf").read_text()
    for given, here in (("/var/log/assay/access.log", str(path)), (r"systemctl kill .*", postrotate)):
        assert re.search(f"^[^#]*{given}", example, re.M), given
        example = re.sub(f"^([^#]*){given}", lambda found, here=here: found.group(1) + here, example, flags=re.M)
    (tmp_path / "logrotate.conf").write_text(example)
    return subprocess.run(["/usr/sbin/logrotate", "--force", "--state", tmp_path / "state",
                           tmp_path / "logrotate.conf"],
                          capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_rotated(own_service, root, tmp_path):
    """Renamed and opened anew, by logrotate where it is: no line is lost, and the old file gets none any more."""
    path, old = tmp_path / "log" / "access.log", tmp_path / "log" / "access.log.1"
    path.parent.mkdir(mode=0o700)
    service = own_service("--access-log", path)
    Client(service).get("/healthz")
    until = time.monotonic() + PATIENCE
    while "/healthz" not in path.read_text() and time.monotonic() < until:  # the line comes behind the answer
        time.sleep(0.01)
    if shutil.which("logrotate", path="/usr/sbin"):
        done = rotated(root, tmp_path, path, f"kill -USR1 {service.process.pid}")
        assert done.returncode == 0, done.stderr
    else:
        path.rename(old)
        service.process.send_signal(signal.SIGUSR1)
    until = time.monotonic() + PATIENCE
    while not path.exists() and time.monotonic() < until:
        Client(service).get("/api/v1/key")
    Client(service).get("/openapi.json")
    assert service.stop() == 0
    before, after = lines(old.read_text()), lines(path.read_text())
    assert len(before["GET", "/healthz"]) == 1 and ("GET", "/healthz") not in after
    assert ("GET", "/openapi.json") not in before and len(after["GET", "/openapi.json"]) == 1


def test_where_it_goes(own_service, bin_dir, tmp_path):
    """To a file that only its owner reads, behind what is there; to stderr; or the service does not start."""
    path = tmp_path / "access.log"
    for _ in range(2):
        service = own_service("--access-log", path)
        Client(service).get("/healthz")
        assert service.stop() == 0
    assert len(lines(path.read_text())["GET", "/healthz"]) == 2 and os.stat(path).st_mode & 0o777 == 0o600
    service = own_service("--access-log", "-")
    Client(service).get("/healthz")
    assert service.stop() == 0
    with open(f"{service.data}.stderr") as said:
        assert lines(said.read())["GET", "/healthz"][0]["status"] == 200
    done = subprocess.run([bin_dir / "assayd", "--data", tmp_path / "other", "--listen", "127.0.0.1:0", "--access-log",
                           tmp_path / "no" / "log"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "--access-log: " in done.stderr and "No such file" in done.stderr
