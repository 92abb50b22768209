# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Members of an account and their roles, passwords, scoped tokens, sessions that are seen and ended, the audit log."""

import json
import re
import socket
import subprocess

import pytest

from service import PATIENCE, Client, Service
from test_account import sign_in

ROLES = ["viewer", "tester", "certifier", "administrator"]
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def ada(service):
    """The owner of the service, administrator of her account."""
    return sign_in(service, service.link, name="Ada")[0]


@pytest.fixture(scope="module")
def members(service, ada):
    """A member of each role, by the role."""
    browsers = {"administrator": ada}
    for role in ROLES[:-1]:
        link = ada.post("/api/v1/sign-in-links", {"for": "new-member", "role": role}).json["link"]
        browsers[role] = sign_in(service, link, name=f"The {role}")[0]
    return browsers


def listed(browser):
    return {one["name"]: one for one in browser.get("/api/v1/members").json["members"]}


def test_invited(members):
    """Each sees the same account, and who is in it."""
    for role, browser in members.items():
        said = browser.get("/api/v1/session").json
        assert said["account"]["name"] == "Ada" and said["account"]["owner"] == (role == "administrator")
        assert said["member"]["role"] == role and listed(browser)[said["member"]["name"]]["mine"]
        assert {one["role"] for one in listed(browser).values()} >= {role}


def demanded(bin_dir):
    """(method, path, role) of every route that takes more than any member has."""
    lines = subprocess.run([bin_dir / "assayd", "--list-routes"], check=True, capture_output=True, text=True,
                           timeout=PATIENCE).stdout.splitlines()
    rows = [line.split()[:3] for line in lines]
    return [(method, re.sub(r"{\w+}", "1", pattern), who) for method, pattern, who in rows if who in ROLES[1:]]


def test_every_route_asks_for_its_role(bin_dir, members, ada):
    """Whoever has a lesser role is refused before anything is looked at; a token for that role likewise."""
    routes = demanded(bin_dir)
    assert len(routes) >= 7
    for method, path, least in routes:
        for role in ROLES[:ROLES.index(least)]:
            token = Client(ada.service, token=ada.post("/api/v1/tokens", {"name": role, "role": role}).json["token"])
            for client in (members[role], token):
                answer = client.ask(method, path, {} if method == "POST" else None)
                assert (answer.status, answer.code) == (403, "role"), (method, path, role)
                assert least in answer.json["error"]["message"]
    for one in ada.get("/api/v1/tokens").json["tokens"]:
        assert ada.delete(f"/api/v1/tokens/{one['id']}").status == 204


def test_what_a_viewer_sees_and_a_tester_makes(members):
    run = members["tester"].run()["run"]["id"]
    assert members["viewer"].get(f"/api/v1/runs/{run}").json["state"] == "waiting"
    assert members["viewer"].post(f"/api/v1/runs/{run}/cancel", None).code == "role"
    assert members["certifier"].post(f"/api/v1/runs/{run}/cancel", None).status == 202


def test_only_an_administrator_lets_members_in(service, members):
    for role, browser in members.items():
        answer = browser.post("/api/v1/sign-in-links", {"for": "new-member"})
        assert answer.status == (201 if role == "administrator" else 403), role
    token = Client(service, token=members["administrator"].post("/api/v1/tokens", {"name": "all"}).json["token"])
    assert token.post("/api/v1/sign-in-links", {"for": "new-member"}).code == "browser_only"
    assert members["administrator"].post("/api/v1/sign-in-links", {"for": "new-member", "role": "king"}).status == 400


def test_roles_change_at_once(service, ada):
    link = ada.post("/api/v1/sign-in-links", {"for": "new-member", "role": "viewer"}).json["link"]
    eve = sign_in(service, link, name="Eve")[0]
    path = f"/api/v1/members/{listed(ada)['Eve']['id']}"
    token = Client(service, token=eve.post("/api/v1/tokens", {"name": "mine"}).json["token"])
    assert ada.post(path, {"role": "tester"}).status == 204
    assert eve.post("/api/v1/implementations", {"name": "Eve's", "version": "1"}).status == 201
    answer = token.post("/api/v1/implementations", {"name": "Eve's", "version": "2"})
    assert answer.code == "role"  # it stays a viewer's
    assert eve.post("/api/v1/tokens", {"name": "more", "role": "administrator"}).code == "role"
    assert ada.delete(path).status == 204
    assert [one.get("/api/v1/runs").status for one in (eve, token, ada)] == [401, 401, 200]
    assert "Eve" not in listed(ada) and ada.delete(path).code == "no_member"


def test_the_last_administrator_stays(ada, members):
    path = f"/api/v1/members/{listed(ada)['Ada']['id']}"
    assert ada.delete(path).code == ada.post(path, {"role": "viewer"}).code == "last_administrator"
    assert ada.post(path, {"role": "administrator"}).status == 204
    other = f"/api/v1/members/{listed(ada)['The certifier']['id']}"
    assert ada.post(other, {"role": "administrator"}).status == 204
    assert members["certifier"].post(path, {"role": "tester"}).status == 204
    assert ada.get("/api/v1/audit").code == "role"
    assert members["certifier"].post(path, {"role": "administrator"}).status == 204
    assert ada.post(other, {"role": "certifier"}).status == 204


def test_password(service, ada):
    """Set in the browser, changed by who knows the old one, compared by argon2id; a wrong one is not told from a wrong
    name."""
    nobody = Client(service)
    guess = {"name": "Ada", "password": PASSWORD}
    assert nobody.post("/api/v1/session", guess).code == "bad_password"
    assert ada.post("/api/v1/password", {"password": "short"}).status == 400
    assert ada.post("/api/v1/password", {"password": PASSWORD}).status == 204
    assert listed(ada)["Ada"]["password"]
    answer = nobody.post("/api/v1/session", guess)
    assert answer.status == 201
    cookie = re.match(r"assay_session=([^;]+)", answer.cookies[0]).group(1)
    assert Client(service, cookie=cookie).get("/api/v1/session").json["member"]["name"] == "Ada"
    wrong = [nobody.post("/api/v1/session", {**guess, **other}) for other in ({"password": "wrong"}, {"name": "Nix"})]
    assert wrong[0].status == 401 and wrong[0].body == wrong[1].body
    assert ada.post("/api/v1/password", {"password": PASSWORD * 2}).code == "bad_password"
    assert ada.post("/api/v1/password", {"password": PASSWORD * 2, "old": PASSWORD}).status == 204
    with service.database() as database:
        kept, = database.execute("SELECT password FROM members WHERE name = 'Ada'").fetchone()
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$") and PASSWORD not in kept
    assert ada.post("/api/v1/password", {"old": PASSWORD * 2}).status == 204 and not listed(ada)["Ada"]["password"]
    token = Client(service, token=ada.post("/api/v1/tokens", {"name": "t"}).json["token"])
    assert token.post("/api/v1/password", {"password": PASSWORD}).code == "browser_only"


def test_guesses_are_few(own_service):
    """Twenty at once, then one in three seconds: on a slow machine it takes more of them to be refused."""
    service = own_service()
    answers = []
    while len(answers) < 200 and (not answers or answers[-1].status == 401):
        answers.append(Client(service).post("/api/v1/session", {"name": f"n{len(answers)}", "password": "x"}))
    assert len(answers) > 20 and answers[-1].status == 429
    assert answers[-1].code == "too_many_guesses" and int(answers[-1].headers["retry-after"]) >= 1


def test_guesses_of_the_old_password_are_few(own_service):
    """Who has got at somebody's open browser cannot try all passwords there; the one who signs in meanwhile may."""
    service = own_service()
    ada, _ = sign_in(service, service.read_link(), name="Ada")
    assert ada.post("/api/v1/password", {"password": PASSWORD}).status == 204
    answers = []
    while len(answers) < 200 and (not answers or answers[-1].status == 403):
        answers.append(ada.post("/api/v1/password", {"password": PASSWORD, "old": "x"}))
    assert len(answers) > 20 and (answers[-1].status, answers[-1].code) == (429, "too_many_guesses")
    assert Client(service).post("/api/v1/session", {"name": "Ada", "password": PASSWORD}).status == 201


def sign_in_at_once(service, guesses):
    """Asks by so many connections at once, each from an address of its own, as the proxy says; the answers' status."""
    sockets = []
    for number, (name, password) in enumerate(guesses):
        body = json.dumps({"name": name, "password": password})
        one = socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)
        one.sendall((f"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.{number + 1}\r\n"
                     "Connection: close\r\nContent-Type: application/json\r\n"
                     f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        sockets.append(one)
    for one in sockets:
        with one, one.makefile("rb") as answer:
            yield int(answer.readline().split()[1])


def test_many_passwords_at_once(own_service):
    """All are answered, those for whom there is no room by "busy"; a right one lets in among wrong ones, and one who
    has left meanwhile keeps nobody waiting."""
    service = own_service("--proxy", "127.0.0.1")
    ada, _ = sign_in(service, service.read_link(), name="Ada")
    assert ada.post("/api/v1/password", {"password": PASSWORD}).status == 204
    left = sign_in_at_once(service, [("gone", "x")] * 5)
    next(left)
    left.close()
    wrong = [(f"n{i}", "x") for i in range(150)]
    found = list(sign_in_at_once(service, wrong[:10] + [("Ada", PASSWORD)] + wrong[10:20]))
    assert found[10] == 201 and set(found[:10] + found[11:]) == {401}, found  # there is room for 32
    found = list(sign_in_at_once(service, wrong))
    assert 503 in found and set(found) == {401, 503}, found
    assert ada.get("/api/v1/session").json["member"]["name"] == "Ada"


def test_end_while_passwords_wait(own_service):
    """The service ends in order, whoever waits for an answer."""
    service = own_service("--proxy", "127.0.0.1")
    answers = sign_in_at_once(service, [(f"n{i}", "x") for i in range(30)])
    assert next(answers) in (401, 503)
    assert service.stop() == 0


def test_scoped_token(service, ada):
    """A token of a lesser role makes no link and no token, ends no session; it ends by itself."""
    made = ada.post("/api/v1/tokens", {"name": "ci", "role": "tester", "days": 30}).json
    token = Client(service, token=made["token"])
    assert token.get("/api/v1/session").json["member"] == {"name": "Ada", "role": "tester"}
    assert token.get("/api/v1/session").json["account"]["owner"] is False
    assert token.post("/api/v1/implementations", {"name": "By token", "version": "1"}).status == 201
    for method, path, body in (("POST", "/api/v1/sign-in-links", {"for": "this-account"}),
                               ("POST", "/api/v1/tokens", {"name": "x"}), ("DELETE", "/api/v1/sessions", None),
                               ("DELETE", f"/api/v1/tokens/{made['id']}", None)):
        assert token.ask(method, path, body).code == "scope", path
    with service.database() as database:
        database.execute("UPDATE tokens SET expires = '2020-01-01T00:00:00.000Z' WHERE id = ?", (made["id"],))
    database.close()
    other = ada.post("/api/v1/tokens", {"name": "other"}).json["id"]
    assert ada.delete(f"/api/v1/tokens/{other}").status == 204  # whoever was known is forgotten by that
    assert token.get("/api/v1/runs").status == 401
    assert made["id"] not in ada.get("/api/v1/tokens").body.decode()


def test_sessions_are_seen_and_ended(service, ada, members):
    link = ada.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"]
    before = {one["id"] for one in ada.get("/api/v1/sessions").json["sessions"]}
    other = sign_in(service, link)[0]
    sessions = {one["id"]: one for one in ada.get("/api/v1/sessions").json["sessions"]}
    new, = set(sessions) - before
    assert sessions[new]["member"] == "Ada" and not sessions[new]["mine"]
    assert sum(one["mine"] for one in sessions.values()) == 1 and {"The viewer"} < {one["member"] for one in
                                                                                sessions.values()}
    own = members["viewer"].get("/api/v1/sessions").json["sessions"]
    assert {one["member"] for one in own} == {"The viewer"}
    assert members["viewer"].delete(f"/api/v1/sessions/{new}").code == "no_session"
    assert ada.delete(f"/api/v1/sessions/{new}").status == 204
    assert (other.get("/api/v1/runs").status, ada.get("/api/v1/runs").status) == (401, 200)


def test_audit(service, ada, members):
    """What was asked for stands there with who asked and what came of it; only administrators see it."""
    implementation = members["tester"].implementation("Audited")
    assert members["viewer"].delete(f"/api/v1/implementations/{implementation}").status == 403
    members["tester"].delete(f"/api/v1/implementations/{implementation}")
    entries = ada.get("/api/v1/audit").json["entries"]
    said = [(one["member"], one["action"].split()[0], one["status"]) for one in entries
            if one["path"].endswith(implementation)]
    assert said == [("The tester", "DELETE", 204), ("The viewer", "DELETE", 403)]
    assert all(one["account"] == "Ada" and one["address"] == "127.0.0.1" for one in entries)
    assert any(one["about"] == "by a link, as somebody new" for one in entries)
    older = ada.get(f"/api/v1/audit?before={entries[-1]['id']}").json["entries"]
    assert all(one["id"] < entries[-1]["id"] for one in older)
    assert PASSWORD not in str(entries) and "api_" not in str(entries)


def test_single_user(bin_dir, tmp_path):
    """Nobody signs in; other sites' pages get nowhere, under whatever name they reach the service."""
    service = Service(bin_dir, tmp_path / "data", "--single-user")
    try:
        me = Client(service)
        said = me.get("/api/v1/session").json
        assert said["single_user"] and said["account"] == {"name": "owner", "owner": True}
        body = {"name": "X", "version": "1"}
        assert me.get("/runs/new").status == 200
        assert me.post("/api/v1/implementations", body).code == "csrf"
        me.csrf = said["csrf"]
        assert me.post("/api/v1/implementations", body).status == 201
        assert me.post("/api/v1/implementations", body, Sec_Fetch_Site="cross-site").code == "foreign_origin"
        assert me.get("/api/v1/runs", Host=f"rebound.example:{service.port}").status == 401
        assert me.get("/api/v1/runs", Authorization="Bearer wrong").status == 401
        assert service.client().get("/api/v1/runs").status == 200
    finally:
        service.end()


@pytest.mark.parametrize("words", [("--listen", "0.0.0.0:0"), ("--listen", "[::]:0"),
                                   ("--listen", "127.0.0.1:0", "--proxy", "127.0.0.1")])
def test_single_user_is_for_this_machine(bin_dir, tmp_path, words):
    done = subprocess.run([bin_dir / "assayd", "--data", tmp_path / "data", "--single-user", *words], text=True,
                          capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "--single-user: only at a loopback address" in done.stderr
