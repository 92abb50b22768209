# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay certify` and `assay verify` as a vendor uses them, against a real service."""

import base64
import contextlib
import hashlib
import io
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tarfile

import pytest

from service import PATIENCE, Client
from test_again import Launcher, again

LONG = 1800


def command(bin_dir, service, *words, token=None, template=None, url=None, profile="portals-3.0"):
    return [bin_dir / "assay", "certify", "--url", url or service.url, "--token", token or service.token(),
            "--profile", profile, *words, "--",
            *(template or [bin_dir / "portalsrun", "-np", "{np}", bin_dir / "interp-portals", "{args}"])]


def certify(*parts, **others):
    return subprocess.run(command(*parts, **others), capture_output=True, text=True, timeout=LONG,
                          stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def certified(bin_dir, service, tmp_path_factory):
    """The reference's IMPI server, certified in full by several cases at once: what was printed, and the report's
    folder."""
    folder = tmp_path_factory.mktemp("certified") / "report"
    done = certify(bin_dir, service, "--jobs", "3", "--report", str(folder), "--implementation", "Reference",
                   "--release", "9", profile="impi-0.0",
                   template=[bin_dir / "impirun", "-server", "{clients}", "{options}"])
    return done, folder


def test_reference_conforms(certified):
    done, folder = certified
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "conforms"
    report = json.loads((folder / "report.json").read_text())
    assert report["verdict"] == "conforms" and report["summary"]["fail"] == 0
    assert report["sut"]["role"] == "server"
    assert len(report["cases"]) >= 90
    for case in report["cases"]:
        assert (folder / case["transcript"]).stat().st_size > 0
        assert (folder / case["capture"]).read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"
    assert (folder / "junit.xml").read_bytes().startswith(b"<?xml")


def verify(bin_dir, *words):
    return subprocess.run([bin_dir / "assay", "verify", *words], capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def key(service, tmp_path_factory):
    file = tmp_path_factory.mktemp("key") / "key"
    file.write_bytes(Client(service).get("/api/v1/key").body)
    return file


def judged_by(bin_dir, root, profile):
    """The digests of what judges a run by a profile that has no earlier revision."""
    cases = pathlib.Path(os.environ.get("ASSAY_CASES", root / "tester" / "cases"))
    files = {"tester": [bin_dir / "assayd"], "catalogue": [root / "specs" / f"{profile}.json"],
             "cases": [file for folder in ("lib", profile)
                       for file in sorted((cases / folder).rglob("*.lua"), key=str)]}
    return {name: hashlib.sha256(b"".join(file.read_bytes() for file in parts)).hexdigest()
            for name, parts in files.items()}


def test_certificate_is_good(bin_dir, root, certified, key):
    certificate = certified[1] / "certificate.json"
    for words in ((certificate,), (certificate, "--key", key)):
        done = verify(bin_dir, *words)
        assert done.returncode == 0 and "conforms" in done.stdout and "good" in done.stdout, done
    payload = json.loads(certificate.read_text())["payload"]
    assert payload["report_sha256"] == hashlib.sha256((certified[1] / "report.json").read_bytes()).hexdigest()
    assert payload["implementation"] == {"name": "Reference", "version": "9"}
    assert payload["digests"] == judged_by(bin_dir, root, payload["profile"])


def test_certificate_by_other_means(certified, tmp_path):
    """The format is what specs/openapi.json says: OpenSSL, which shares nothing with us, finds the signature good."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    document = json.loads((certified[1] / "certificate.json").read_text())
    canonical = json.dumps(document["payload"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    # RFC 8410: an Ed25519 public key in DER is this prefix and the 32 octets.
    der = bytes.fromhex("302a300506032b6570032100") + base64.b64decode(document["key"])
    (tmp_path / "key.der").write_bytes(der)
    (tmp_path / "signature").write_bytes(base64.b64decode(document["signature"]))
    for text, status in ((canonical, 0), (canonical.replace(b"conforms", b"Conforms"), 1)):
        (tmp_path / "signed").write_bytes(b"assay-certificate/2\n" + text)
        done = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key.der",
                               "-rawin",
                               "-in", "signed", "-sigfile", "signature"], cwd=tmp_path, capture_output=True,
                              timeout=PATIENCE)
        assert done.returncode == status, done


def test_service_judges_certificates(certified, nobody):
    document = json.loads((certified[1] / "certificate.json").read_text())
    shuffled = {name: document[name] for name in reversed(document)}
    altered = {**document, "payload": {**document["payload"], "profile": "impi-1.0"}}
    for one, result in ((document, "good"), (shuffled, "good"), (altered, "altered"), ({}, "broken"),
                        ({**document, "signature": "AAAA"}, "broken")):
        answer = nobody.post("/api/v1/certificates/verify", {"certificate": one})
        assert (answer.status, answer.json["result"]) == (200, result)
    assert nobody.get(f"/api/v1/certificates/{document['payload']['id']}").json == document


def test_altered_certificates(bin_dir, certified, tmp_path, own_service):
    document = json.loads((certified[1] / "certificate.json").read_text())
    one = tmp_path / "one.json"
    for change in ({"verdict": "does-not-conform"}, {"seed": document["payload"]["seed"] + 1}, {"extra": 1}):
        one.write_text(json.dumps({**document, "payload": {**document["payload"], **change}}))
        done = verify(bin_dir, one)
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done
    for change in ({"key_id": "0123456789abcdef"}, {"key_id": 1}, {"verdict": "conforms"}):
        one.write_text(json.dumps({**document, **change}))
        done = verify(bin_dir, one)
        assert done.returncode == 1 and "added" in done.stderr, done
    one.write_text(json.dumps({name: value for name, value in document.items() if name != "key_id"}))
    assert verify(bin_dir, one).returncode == 1
    other = tmp_path / "other-key"
    other.write_bytes(Client(own_service()).get("/api/v1/key").body)
    assert verify(bin_dir, certified[1] / "certificate.json", "--key", other).returncode == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format":"assay-certificate/1"}', "null", '{"a":1,"a":2}'])
def test_broken_certificates(bin_dir, tmp_path, text):
    file = tmp_path / "broken.json"
    file.write_text(text)
    done = verify(bin_dir, file)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done
    assert "broken.json" in done.stderr


def test_verify_usage(bin_dir, tmp_path, certified):
    assert verify(bin_dir).returncode == 2
    assert verify(bin_dir, tmp_path / "missing").returncode == 2
    (tmp_path / "key").write_text("this is no key")
    assert verify(bin_dir, certified[1] / "certificate.json", "--key", tmp_path / "key").returncode == 2
    assert verify(bin_dir, "--help").returncode == 0


def one_line(done):
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 2 and len(lines) == 1 and lines[0].startswith("assay certify: "), done
    return lines[0]


def test_certify_that_cannot_begin(bin_dir, service, unused_port):
    assert "401" in one_line(certify(bin_dir, service, token="api_" + "x" * 43))
    assert "400" in one_line(certify(bin_dir, service, "--suite", "none"))
    assert "connect" in one_line(certify(bin_dir, service, url=f"http://127.0.0.1:{unused_port}",
                                         token="x" * 20)).lower()
    assert "--url" in one_line(certify(bin_dir, service, url="127.0.0.1", token="x" * 20))


@pytest.fixture
def unused_port():
    """A port at which nobody listens: it is bound for as long as the test runs, so that nobody else can."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]


def test_command_that_does_not_exist(bin_dir, service):
    """The run tells which file could not be executed, and is not taken for non-conformance."""
    done = certify(bin_dir, service, template=["/no/such/launcher", "{args}"])
    assert done.returncode == 1 and "/no/such/launcher" in done.stdout, done
    assert done.stdout.splitlines()[-1] == "inconclusive"


def test_agent_that_does_not_exist(bin_dir, service, client, monkeypatch):
    """The run that was made is cancelled: it does not wait for ever."""
    monkeypatch.setenv("ASSAY_AGENT", "/no/such/agent")
    done = certify(bin_dir, service, token=client.token)
    assert done.returncode == 2 and "/no/such/agent" in done.stderr
    latest = client.get("/api/v1/runs").json["runs"][0]["id"]
    assert client.wait_over(latest)["state"] == "cancelled"


def test_one_case_and_its_seed(bin_dir, service, client):
    case = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"][1]["id"]
    done = certify(bin_dir, service, "--case", case, "--seed", "42", token=client.token)
    assert done.returncode == 0, done
    latest = client.get("/api/v1/runs").json["runs"][0]
    assert (latest["case"], latest["seed"], latest["summary"]["pass"], latest["certificate"]) == (case, 42, 1, None)


def test_case_runs_again_while_the_agent_lingers(bin_dir, service, client, tmp_path):
    """Whoever certifies by a script may ask for it, too: what was run again is shown, and is no further case."""
    for minutes in ("31", "-1", "x", ""):
        assert "--linger" in one_line(certify(bin_dir, service, "--linger", minutes, token=client.token))
    launcher = Launcher(tmp_path, bin_dir)
    words = command(bin_dir, service, "--case", "smoke-put", "--linger", "5", token=client.token,
                    template=launcher.template)
    with contextlib.closing(launcher), subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        launcher.jobs("", "crash")
        run = process.stdout.readline().split()[1]
        next(line for line in process.stdout if "the launch agent stays for 5 minutes" in line)
        assert again(client, run).status == 202
        launcher.jobs("")
        line = next(line for line in process.stdout if line.startswith("pass"))
        assert line.split()[1:] == ["smoke-put,", "again"]
        assert client.post(f"/api/v1/runs/{run}/finish", None).status == 202
        said = process.stdout.read().splitlines()
        assert process.wait(PATIENCE) == 1
    assert said[-1] == "does not conform"


def test_command_that_fetches_it_has_its_digest(nobody, client):
    archive = nobody.get("/download/assay-interpreter.tar.gz").body
    first, *others = client.run()["commands"]
    assert first["sha256"] == hashlib.sha256(archive).hexdigest() and not any("sha256" in one for one in others)


def test_tarball_is_the_interpreter(nobody):
    answer = nobody.get("/download/assay-interpreter.tar.gz")
    names = tarfile.open(fileobj=io.BytesIO(answer.body)).getnames()
    assert any(name.endswith("/Makefile") for name in names) and any(name.endswith("/agent/main.c") for name in names)
    assert all(name.startswith("assay-interpreter-") for name in names)
