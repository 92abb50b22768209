# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay certify` against a service that is not what it should be, and `assay verify` on what is no text."""

import base64
import hashlib
import http.server
import json
import os
import re
import shutil
import stat
import subprocess
import threading

import pytest

from waiting import ended, named, until

PATIENCE = 300
LARGE = 260 << 20
REPORT = {"verdict": "conforms", "summary": {"pass": 1}, "cases": [
    {"id": "one", "transcript": "cases/one.txt", "capture": "cases/one.pcapng", "ladder": "cases/one.ladder.json"}]}
GOOD = {
    "POST /api/v1/implementations": {"id": "i1"},
    "POST /api/v1/runs": {"run": {"id": "r1"}, "token": "t" * 24},
    "GET /api/v1/runs/r1/events?after=0":
        b'event: finished\ndata: {"data": {"verdict": "conforms", "state": "finished", "problem": ""}}\n\n',
    "GET /api/v1/runs/r1/report.json": REPORT,
    "GET /api/v1/runs/r1/junit.xml": b"<testsuites/>",
    "GET /api/v1/runs/r1/results/one/transcript": b"",
    "GET /api/v1/runs/r1/results/one/capture": b"octets",
    "GET /api/v1/runs/r1": {"summary": {"pass": 1}},
}


class Service(http.server.BaseHTTPRequestHandler):
    """Answers by the server's table: JSON, octets, a status, or a function that does it all."""

    def answer(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found = self.server.answers.get(f"{self.command} {self.path}", 404)
        if callable(found):
            found(self)
            return
        status = found if isinstance(found, int) else 200
        body = found if isinstance(found, bytes) else json.dumps({} if status != 200 else found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


@pytest.fixture(name="service")
def fixture_service():
    """service(changes): the address of a service with these answers instead of the good ones."""
    servers = []

    def start(**changes):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        server.daemon_threads = True
        server.answers = {**GOOD, **changes.get("answers", {})}
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def command(bin_dir, url, *words):
    return [bin_dir / "assay", "certify", "--url", url, "--token", "x" * 20, "--profile", "portals-3.0", *words, "--",
            "true"]


def certify(bin_dir, url, *words):
    return subprocess.run(command(bin_dir, url, *words), env={**os.environ, "ASSAY_AGENT": "/bin/true"}, text=True,
                          capture_output=True, timeout=PATIENCE, check=False)


def test_good(bin_dir, service, tmp_path):
    """What the service has is saved as it is, also an empty file; what it does not have is no mistake."""
    done = certify(bin_dir, service(), "--report", str(tmp_path / "report"))
    assert done.returncode == 0 and done.stdout.endswith("conforms\n"), done
    saved = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    saved.pop("report/report.html", None)  # made here, from what was saved
    assert saved == {"report/report.json": json.dumps(REPORT).encode(), "report/junit.xml": b"<testsuites/>",
                     "report/cases/one.txt": b"", "report/cases/one.pcapng": b"octets"}


JUDGED = {"verdict": "does-not-conform", "summary": {"pass": 1}, "cases": [
    {"id": "good", "verdict": "pass", "reason": ""},
    {"id": "odd", "verdict": "warn", "reason": "allowed"},
    {"id": "a:b,c", "verdict": "fail", "requirement": "P30-001", "reason": "100 % wrong", "expected": "one\r\ntwo",
     "observed": "::notice::"},
    {"id": "open", "verdict": "inconclusive", "reason": "it took too long"},
    {"id": "alike-1", "verdict": "inconclusive", "reason": "set-up: PtlX returned PTL_FAIL"},
    {"id": "alike-2", "verdict": "inconclusive", "reason": "set-up: PtlX returned PTL_FAIL"},
    {"id": "by-a:b,c", "verdict": "inconclusive", "reason": "set-up: PtlY returned PTL_FAIL"},
    {"id": "behind-it", "verdict": "inconclusive", "reason": "blocked", "blocked_by": "a:b,c"},
    {"id": "known", "verdict": "fail", "reason": "known", "waiver": {"id": "w1", "effect": "waived"}}],
    "causes": [{"failed": ["a:b,c"], "blocked": ["by-a:b,c"]}, {"failed": [], "blocked": ["alike-1", "alike-2"]}]}


def test_annotations(bin_dir, service):
    """What failed is told in lines that a runner of continuous integration reads, each whole; unasked, it is not."""
    answers = {"GET /api/v1/runs/r1/report.json": JUDGED}
    done = certify(bin_dir, service(answers=answers), "--annotate")
    assert [line for line in done.stdout.splitlines() if "::" in line and not line.startswith("run ")] == [
        "::error title=a%3Ab%2Cc (P30-001)::100 %25 wrong%0Aexpected: one%0D%0Atwo%0Aobserved: ::notice::",
        "::warning title=open::it took too long", "::warning title=alike-1::set-up: PtlX returned PTL_FAIL",
        "::warning title=odd::allowed"]
    assert "::error" not in certify(bin_dir, service(answers=answers)).stdout


def large(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", str(LARGE))
    handler.end_headers()
    for _ in range(LARGE >> 20):
        handler.wfile.write(bytes(1 << 20))


def broken_off(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"half")


CAPTURE = "GET /api/v1/runs/r1/results/one/capture"


def test_large_evidence(bin_dir, service, tmp_path):
    """A capture may be as large as the service keeps them."""
    done = certify(bin_dir, service(answers={CAPTURE: large}), "--report", str(tmp_path))
    capture = tmp_path / "cases" / "one.pcapng"
    assert done.returncode == 0 and capture.stat().st_size == LARGE, done
    capture.unlink()


def test_evidence_that_breaks_off(bin_dir, service, tmp_path):
    """Half a file is none; the verdict is told all the same, and the status is not its own."""
    done = certify(bin_dir, service(answers={CAPTURE: broken_off}), "--report", str(tmp_path))
    assert done.returncode == 2 and "conforms" in done.stdout and done.stderr.count("\n") == 1, done
    assert not (tmp_path / "cases" / "one.pcapng").exists()


def test_evidence_without_a_place(bin_dir, service, tmp_path):
    (tmp_path / "cases" / "one.pcapng").mkdir(parents=True)
    done = certify(bin_dir, service(), "--report", str(tmp_path))
    assert done.returncode == 2 and "one.pcapng: cannot write: Is a directory" in done.stderr, done


NEW, LIST = "POST /api/v1/implementations", "GET /api/v1/implementations"


@pytest.mark.parametrize("answers, why", [
    ({NEW: {}}, "the service gave the implementation no id"),
    ({NEW: {"id": 7}}, "the service gave the implementation no id"),
    ({NEW: 409, LIST: {"implementations": [{"name": "x"}]}}, "already, but does not list it"),
    ({NEW: b"[" * 1000000}, "not that of an Assay service"),
    ({NEW: b'{"id": "\xff\xfe"}'}, "not that of an Assay service"),
    ({NEW: b'{"id": "a\\u0000b"}'}, "not that of an Assay service"),
    ({NEW: b"\0" * 4096}, "not that of an Assay service"),
    ({"POST /api/v1/runs": {"run": {"id": "r1"}}}, "no run and no token"),
])
def test_answers_that_are_none(bin_dir, service, answers, why):
    done = certify(bin_dir, service(answers=answers))
    assert done.returncode == 2 and why in done.stderr and done.stderr.count("\n") == 1, done


def test_agent_does_not_outlive_it(bin_dir, service, tmp_path):
    """Whoever ends `assay certify` ends what it has started, however that is done."""
    agent, mark = tmp_path / "agent", tmp_path / "begun"
    agent.write_text(f'#!/bin/sh\necho $$ > "{mark}.new" && mv "{mark}.new" "{mark}"\nexec sleep 1000\n')
    agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
    over = threading.Event()
    url = service(answers={"GET /api/v1/runs/r1/events?after=0": lambda handler: over.wait(PATIENCE)})
    process = subprocess.Popen(command(bin_dir, url), env={**os.environ, "ASSAY_AGENT": str(agent)},
                               stdout=subprocess.DEVNULL)
    try:
        assert until(mark.exists, tmp_path, PATIENCE)
        process.kill()
        process.wait(timeout=PATIENCE)
        assert ended([mark.read_text()], PATIENCE), named("sleep 1000")
    finally:
        over.set()


@pytest.mark.parametrize("text", [b'{"format": "assay-certificate/1"}\0{}', b"\0", b"{}\0"])
def test_certificate_with_a_nul(bin_dir, tmp_path, text):
    """What stands behind a NUL is not passed over in silence."""
    (tmp_path / "one.json").write_bytes(text)
    done = subprocess.run([bin_dir / "assay", "verify", tmp_path / "one.json"], text=True, capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "one.json: holds a NUL" in done.stderr, done


def signed(folder, payload):
    """A certificate by a key of anybody, as tester/report/certificate.h says, made by OpenSSL."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    text = re.sub(r"\\u00[01][0-9a-f]", lambda found: "\\u" + found[0][2:].upper(), text).encode()  # as Jansson does
    (folder / "signed").write_bytes(b"assay-certificate/2\n" + text)
    openssl = lambda *words: subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=True,
                                            timeout=PATIENCE).stdout
    openssl("genpkey", "-algorithm", "ed25519", "-out", "secret")
    key = openssl("pkey", "-in", "secret", "-pubout", "-outform", "DER")[-32:]
    signature = openssl("pkeyutl", "-sign", "-inkey", "secret", "-rawin", "-in", "signed")
    return {"format": "assay-certificate/2", "payload": payload, "algorithm": "Ed25519",
            "key_id": hashlib.blake2b(key, digest_size=32).hexdigest()[:16],
            "key": base64.b64encode(key).decode(), "signature": base64.b64encode(signature).decode()}


@pytest.mark.parametrize("text", ["\x1b]0;title\x07", "a\nb", "x\u202ey", "\u009b31m"])
def test_a_certificate_does_nothing_to_the_terminal(bin_dir, tmp_path, text):
    """Whoever has signed it: what is no plain text is not printed, whatever member has it."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    body = {"name": text, "address": text}
    payload = {"implementation": {"name": text, "version": "1"}, "profile": "portals-3.0", "verdict": text,
               "role": text, "issuer": body, "organisation": body,
               "own_server": {"command": text, "passed": 1, "meetings": 1},
               "transport": {"on_wire": True, "text": text}, "coverage": {"text": text}}
    (tmp_path / "one.json").write_text(json.dumps(signed(tmp_path, payload)), encoding="utf-8")
    done = subprocess.run([bin_dir / "assay", "verify", tmp_path / "one.json"], text=True, capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 0 and text not in done.stdout + done.stderr, done
    assert "issuer: (a text with characters that cannot be shown)" in done.stdout


def test_repeated(bin_dir, service):
    """Several runs, each with a seed of its own; a case that went different ways is told with the runs that did."""
    seeds, made = [], iter(range(1, 4))

    def make(handler):
        number = next(made)
        seeds.append(json.loads(handler.body)["seed"])
        body = json.dumps({"run": {"id": f"r{number}"}, "token": "t" * 24}).encode()
        handler.send_response(201)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    answers = {"POST /api/v1/runs": make}
    for number, verdict in ((1, "pass"), (2, "fail"), (3, "pass")):
        answers |= {f"GET /api/v1/runs/r{number}{path}": GOOD[f"GET /api/v1/runs/r1{path}"]
                    for path in ("", "/events?after=0", "/report.json")}
        answers[f"GET /api/v1/runs/r{number}/results"] = {"results": [
            {"id": "one", "verdict": verdict}, {"id": "two", "verdict": "pass"}]}
    url = service(answers=answers)
    done = certify(bin_dir, url, "--repeat", "3", "--seed", "7")
    assert done.returncode == 0 and seeds == [7, 8, 9], done
    assert done.stdout.endswith(f"""
3 runs:
one: 2 pass, 1 fail
  fail         {url}/runs/r2/cases/one
1 case went the same way in every run
"""), done.stdout


@pytest.mark.parametrize("words, said", [(("--repeat", "0"), "not a whole number"), (("--repeat", "x"), "not a whole"),
                                         (("--repeat", "2", "--report", "here"), "goes without --report")])
def test_not_repeated(bin_dir, words, said):
    done = certify(bin_dir, "http://127.0.0.1:1", *words)
    assert done.returncode == 2 and "--repeat" in done.stderr and said in done.stderr, done


def test_without_libcurl(bin_dir, tmp_path):
    """It is opened when it is needed: certify says that it is missing, and other commands do without."""
    (tmp_path / "libcurl.so.4").touch()
    lacking = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    words = [bin_dir / "assay", "certify", "--url", "http://127.0.0.1:1", "--token", "api_x", "--profile",
             "portals-3.0", "--", "x"]
    done = subprocess.run(words, env=lacking, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "certify needs libcurl, and libcurl.so.4 cannot be loaded" in done.stderr, done
    done = subprocess.run([bin_dir / "assay", "--version"], env=lacking, capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 0 and done.stderr == "", done
