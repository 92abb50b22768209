# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What whoever runs the service has: copies of its data, numbers, and the example of a proxy before it."""

import gzip
import os
import re
import shutil
import socket
import subprocess

import pytest

from service import PATIENCE, Client, Service, sqlite_only
from test_account import sign_in
from test_evidence import downloads, run_suite
from waiting import until


def back_up(service, into, data=None):
    return subprocess.run([service.program, "--data", data or service.data, "--backup", into], capture_output=True,
                          text=True, timeout=PATIENCE, check=False)


@sqlite_only
def test_backup_of_a_running_service(own_service, bin_dir, tmp_path):
    """In the middle of a run: the copy has all that was there, down to the key, and is served like the original."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    under_way = client.run()
    agent = service.agent(under_way["token"])
    for _, kind, _ in client.events(under_way["run"]["id"]):
        if kind == "result":
            break
    done = back_up(service, tmp_path / "copy")
    assert (done.returncode, done.stderr) == (0, "") and "files of evidence" in done.stdout
    assert client.post(f"/api/v1/runs/{under_way['run']['id']}/cancel", None).status == 202
    agent.wait(PATIENCE)
    agent.stderr.close()
    copy = Service(bin_dir, tmp_path / "copy")
    other = Client(copy, token=client.token)
    assert {path: answer for path, answer in downloads(other, run).items()} == downloads(client, run)
    assert other.get("/api/v1/key").body == client.get("/api/v1/key").body
    assert other.get(f"/api/v1/runs/{under_way['run']['id']}").json["state"] == "waiting"
    copy.end()
    assert os.stat(tmp_path / "copy").st_mode & 0o777 == 0o700


@sqlite_only
def test_backup_that_cannot_be(own_service, tmp_path):
    """Says why, and leaves what is there alone."""
    service = own_service()
    run_suite(service, service.client())
    (tmp_path / "there").mkdir()
    again = back_up(service, tmp_path / "there")
    assert again.returncode == 2 and "is there already" in again.stderr and not list((tmp_path / "there").iterdir())
    nowhere = back_up(service, tmp_path / "no" / "folder")
    assert nowhere.returncode == 2 and "No such file" in nowhere.stderr
    evidence = next(path for path in (service.data / "evidence").rglob("*.gz"))
    evidence.unlink()
    missing = back_up(service, tmp_path / "copy")
    assert missing.returncode == 2 and "this evidence is missing" in missing.stderr, missing.stderr
    none = back_up(service, tmp_path / "of-none", tmp_path / "none")
    assert none.returncode == 2 and "assay.db" in none.stderr and not (tmp_path / "of-none").exists()


def test_inspecting(own_service, tmp_path):
    """Beside the service: nothing is found, then each file that is missing, cut off or changed."""
    service = own_service()
    run_suite(service, service.client())
    inspect = [service.program, *service.place, "--inspect"]

    def inspected():
        done = subprocess.run(inspect, capture_output=True, text=True, timeout=PATIENCE, check=False)
        *lines, last = done.stdout.splitlines()
        assert (done.returncode, done.stderr) == (1 if lines else 0, "") and last.endswith(f", {len(lines)} defects")
        return lines

    assert inspected() == []
    missing, cut, changed = sorted((service.data / "evidence").rglob("*.gz"))[:3]
    missing.unlink()
    cut.write_bytes(cut.read_bytes()[:40])
    octets = gzip.decompress(changed.read_bytes())
    changed.write_bytes(gzip.compress(bytes([octets[0] ^ 1]) + octets[1:]))
    found = inspected()
    assert len(found) == 3, found
    for line, path, defect in zip(found, (missing, cut, changed), ("is missing", "is not whole", "other octets")):
        assert line.startswith(f"evidence {path.parent.name}{path.name.removesuffix('.gz')}, ") and defect in line, line
    inspect[2] = tmp_path
    done = subprocess.run(inspect, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == (1 if service.url_of_database else 2), done
    assert service.url_of_database or f"{tmp_path}/assay.db: there is no database here" in done.stderr


@sqlite_only
def test_inspecting_a_spoilt_database(own_service):
    """What SQLite itself finds is told."""
    service = own_service()
    run_suite(service, service.client())
    service.end()
    path = service.data / "assay.db"
    octets = bytearray(path.read_bytes())
    page = int.from_bytes(octets[16:18], "big")
    for at in range(10 * page, len(octets) - page, 7 * page):
        octets[at:at + page] = bytes(page)
    path.write_bytes(octets)
    done = subprocess.run([service.program, "--data", service.data, "--inspect"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    assert (done.returncode == 1 and "database: " in done.stdout) or (done.returncode == 2 and done.stderr), done


def test_metrics(own_service):
    """For the owner, by cookie or token; each number once, with its help and type."""
    service = own_service()
    owner = sign_in(service, service.read_link(), name="Ada")[0]
    eve = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"], name="Eve")[0]
    assert (Client(service).get("/metrics").status, eve.get("/metrics").status) == (401, 403)
    run_suite(service, owner)
    answer = service.client().get("/metrics")
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = answer.body.decode()
    numbers = dict(re.findall(r"^(assay_\w+(?:{[^}]*})?) (\d+)$", text, re.M))
    assert numbers['assay_runs{state="finished"}'] == "1" and numbers["assay_accounts"] == "2"
    assert int(numbers["assay_disk_free_bytes"]) > 0 and numbers["assay_runs_under_way"] == "0"
    for name in {name.split("{")[0] for name in numbers}:
        assert text.count(f"# HELP {name} ") == text.count(f"# TYPE {name} ") == 1, name
    assert len(text.splitlines()) == 3 * len({name.split("{")[0] for name in numbers})


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(name="nginx")
def fixture_nginx(root, tmp_path, own_service):
    """The example, with this service behind it and plain HTTP before it: the service and the address of the proxy."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed")
    service = own_service("--proxy", "127.0.0.1", "--peer-address", "127.0.0.1")
    port = free_port()
    example = (root / "web" / "deploy" / "nginx.conf").read_text()
    for given, here in ((r"listen 443 ssl", f"listen 127.0.0.1:{port}"), (r"ssl_certificate\w*\s.*;", ""),
                        (r"127\.0\.0\.1:8080", f"127.0.0.1:{service.port}")):
        assert re.search(f"^[^#]*{given}", example, re.M), given
        example = re.sub(given, here, example)
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;\n"
        f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;\n{example}}}\n")
    with open(tmp_path / "said", "wb") as said:
        process = subprocess.Popen(["nginx", "-e", tmp_path / "error.log", "-c", tmp_path / "nginx.conf"], stderr=said)
    assert until(lambda: answers(port), tmp_path, PATIENCE)
    yield service, port
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture(name="caddy")
def fixture_caddy(root, tmp_path, own_service):
    """The same with the example for Caddy, which listens without HTTPS, and for no program that would change it."""
    if not shutil.which("caddy"):
        pytest.skip("caddy is not installed")
    service = own_service("--proxy", "127.0.0.1", "--peer-address", "127.0.0.1")
    port = free_port()
    example = (root / "web" / "deploy" / "Caddyfile").read_text()
    for given, here in ((r"tests\.example\.org", f"http://127.0.0.1:{port}"),
                        (r"127\.0\.0\.1:8080", f"127.0.0.1:{service.port}")):
        assert re.search(f"^[^#]*{given}", example, re.M), given
        example = re.sub(given, here, example)
    (tmp_path / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{example}")
    home = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with open(tmp_path / "said", "wb") as said:
        process = subprocess.Popen(["caddy", "run", "--config", tmp_path / "Caddyfile"], env=home, stderr=said)
    assert until(lambda: answers(port), tmp_path, PATIENCE), (tmp_path / "said").read_text()
    yield service, port
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_behind_a_proxy(request, proxy):
    """Pages, live events, and a whole run whose agent and interpreters come through the proxy; links name it."""
    service, port = request.getfixturevalue(proxy)
    client = service.client()
    service.port, direct = port, service.port
    service.url = f"http://127.0.0.1:{port}"
    link = client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"]
    assert link.startswith(f"http://127.0.0.1:{port}/"), link
    browser = sign_in(service, link)[0]
    assert browser.get("/").status == 200
    run = run_suite(service, browser)
    assert browser.get(f"/api/v1/runs/{run}").json["verdict"] == "conforms"
    service.port = direct
