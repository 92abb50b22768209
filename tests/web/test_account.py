# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Signing in, sessions and their protection, API tokens, more accounts."""

import re
import stat

from service import Client


def code_of(link):
    return re.search(r"code=([\w-]+)$", link).group(1)


def sign_in(service, link, **more):
    answer = Client(service).post("/api/v1/session", {"code": code_of(link), **more})
    assert answer.status == 201, answer.body
    cookie = answer.cookies[0]
    browser = Client(service, cookie=re.match(r"assay_session=([^;]+)", cookie).group(1))
    browser.csrf = browser.get("/api/v1/session").json["csrf"]
    return browser, cookie


def test_first_link_makes_the_owner_once(own_service):
    """The link of the first start asks for a name, makes the owner's account, and works once."""
    service = own_service()
    link = service.read_link()
    nobody = Client(service)
    assert nobody.get("/api/v1/session").json == {"account": None, "csrf": ""}
    assert nobody.post("/api/v1/session", {"code": code_of(link)}).code == "name_wanted"
    browser, cookie = sign_in(service, link, name="Ada")
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert browser.get("/api/v1/session").json["account"] == {"name": "Ada", "owner": True}
    again = nobody.post("/api/v1/session", {"code": code_of(link), "name": "Eve"})
    assert (again.status, again.code) == (401, "bad_code")


def test_later_starts_print_a_link_only_when_asked(own_service):
    service = own_service()
    sign_in(service, service.read_link(), name="Ada")
    assert service.stop() == 0
    service.start()
    assert service.stop() == 0
    service.start("--sign-in-link")
    browser, _ = sign_in(service, service.read_link())
    assert browser.get("/api/v1/session").json["account"]["name"] == "Ada"


def test_secrets_are_not_in_the_data_folder(own_service):
    """Tokens and codes are kept as hashes; the signing key is readable by its owner alone."""
    service = own_service()
    link = service.read_link()
    browser, _ = sign_in(service, link, name="Ada")
    token = browser.post("/api/v1/tokens", {"name": "ci"}).json["token"]
    assert service.stop() == 0
    stored = b"".join(path.read_bytes() for path in service.data.rglob("*") if path.is_file())
    for secret in (token, code_of(link), browser.cookie):
        assert secret.encode() not in stored
    assert stat.S_IMODE((service.data / "signing.key").stat().st_mode) == 0o600
    assert stat.S_IMODE(service.data.stat().st_mode) == 0o700


def test_cookie_needs_the_csrf_token(own_service):
    service = own_service()
    browser, _ = sign_in(service, service.read_link(), name="Ada")
    body = {"name": "X", "version": "1"}
    foreign = Client(service, cookie=browser.cookie)
    assert foreign.post("/api/v1/implementations", body).code == "csrf"
    assert foreign.post("/api/v1/implementations", body, X_Assay_CSRF="guess").code == "csrf"
    assert browser.post("/api/v1/implementations", body, Sec_Fetch_Site="cross-site").code == "foreign_origin"
    assert browser.post("/api/v1/implementations", body).status == 201


def test_signing_out_ends_the_session(own_service):
    service = own_service()
    browser, _ = sign_in(service, service.read_link(), name="Ada")
    assert browser.delete("/api/v1/session").status == 200
    assert browser.get("/api/v1/runs").status == 401


def test_signing_out_all_others(own_service):
    """Whoever has lost a device ends all other sessions and the links of the account, and of no other account; the
    session that asks stays, and so do tokens. With a token all sessions go."""
    service = own_service()
    browser, _ = sign_in(service, service.read_link(), name="Ada")
    client = service.client()
    other, _ = sign_in(service, client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    eve, _ = sign_in(service, invitation(browser), name="Eve")
    unused = code_of(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    assert Client(service, cookie=other.cookie).delete("/api/v1/sessions").code == "csrf"
    assert browser.delete("/api/v1/sessions").status == 204
    assert [one.get("/api/v1/runs").status for one in (browser, other, eve, client)] == [200, 401, 200, 200]
    assert Client(service).post("/api/v1/session", {"code": unused}).code == "bad_code"
    assert client.delete("/api/v1/sessions").status == 204
    assert [one.get("/api/v1/runs").status for one in (browser, eve)] == [401, 200]


def test_token_lives_until_it_is_revoked(service, client):
    made = client.post("/api/v1/tokens", {"name": "short-lived"}).json
    other = Client(service, token=made["token"])
    assert other.get("/api/v1/runs").status == 200
    assert made["token"] not in client.get("/api/v1/tokens").body.decode()
    assert client.delete(f"/api/v1/tokens/{made['id']}").status == 204
    assert other.get("/api/v1/runs").status == 401
    assert client.delete(f"/api/v1/tokens/{made['id']}").code == "no_token"


def test_accounts_do_not_see_each_other(own_service):
    """An invited account has its own implementations and runs, and may not invite."""
    service = own_service()
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    guest, _ = sign_in(service, invitation(owner), name="Guest")
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    assert guest.get(f"/api/v1/runs/{run}").code == "no_run"
    assert guest.get(f"/api/v1/runs/{run}/events").status == 404
    assert guest.post(f"/api/v1/runs/{run}/cancel", None).status == 404
    assert guest.get("/api/v1/runs").json == {"runs": []}
    assert guest.get(f"/api/v1/implementations/{made['run']['implementation']['id']}").status == 404
    assert guest.post("/api/v1/sign-in-links", {"for": "new-account"}).code == "owner_only"
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"


def test_a_token_lets_nobody_in(own_service):
    """It may be in many hands: no account comes by it, nor by the links that it makes, nor by theirs."""
    service = own_service()
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    token = service.client()
    by_link, _ = sign_in(service, token.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    again, _ = sign_in(service, by_link.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    for client in (token, by_link, again):
        assert client.get("/api/v1/session").json["account"] == {"name": "Ada", "owner": True}
        answer = client.post("/api/v1/sign-in-links", {"for": "new-account"})
        assert (answer.status, answer.code) == (403, "browser_only")
    other, _ = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    assert sign_in(service, invitation(other), name="Eve")[0].get("/api/v1/runs").status == 200


def invitation(owner):
    return owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]


def accounts(client):
    return {one["name"]: one for one in client.get("/api/v1/accounts").json["accounts"]}


def test_an_account_is_removed_with_all_that_it_has(own_service):
    """Not while a run is under way, and by nobody else but the owner; what others have stays."""
    service = own_service()
    ada, _ = sign_in(service, service.read_link(), name="Ada")
    eve, _ = sign_in(service, invitation(ada), name="Eve")
    bob, _ = sign_in(service, invitation(ada), name="Bob")
    token = Client(service, token=eve.post("/api/v1/tokens", {"name": "ci"}).json["token"])
    kept = ada.run()["run"]["id"]
    run = eve.run()["run"]["id"]
    assert list(accounts(ada)) == ["Ada", "Eve", "Bob"] and list(accounts(eve)) == ["Eve"]
    one = accounts(ada)["Eve"]
    assert (one["runs"], one["implementations"], one["owner"], one["mine"]) == (1, 1, False, False)
    address = f"/api/v1/accounts/{one['id']}"
    assert Client(service).delete(address).status == 401
    assert (bob.delete(address).status, bob.delete(address).code) == (404, "no_account")
    assert eve.delete(address).code == ada.delete(address).code == "run_under_way"
    assert eve.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert eve.wait_over(run)["state"] == "cancelled"
    assert Client(service, cookie=eve.cookie).delete(address).code == "csrf"
    assert ada.delete(address).status == 204
    assert [client.get("/api/v1/runs").status for client in (eve, token, ada, bob)] == [401, 401, 200, 200]
    assert list(accounts(ada)) == ["Ada", "Bob"] and ada.delete(address).code == "no_account"
    assert [one["id"] for one in ada.get("/api/v1/runs").json["runs"]] == [kept]
    assert bob.delete(f"/api/v1/accounts/{accounts(bob)['Bob']['id']}").status == 204
    assert bob.get("/api/v1/runs").status == 401
    assert sign_in(service, invitation(ada), name="Eve")[0].get("/api/v1/runs").json == {"runs": []}
    assert ada.post(f"/api/v1/runs/{kept}/cancel", None).status == 202
    assert ada.wait_over(kept)["state"] == "cancelled"


def test_the_owner_stays(own_service):
    service = own_service()
    ada, _ = sign_in(service, service.read_link(), name="Ada")
    for number in (accounts(ada)["Ada"]["id"], 0, 99, "x", "1x", "-1", 2**63, 2**64 + 1):
        answer = ada.delete(f"/api/v1/accounts/{number}")
        assert (answer.status, answer.code) == ((409, "owner_stays") if number == 1 else (404, "no_account")), number


def test_pages_ask_to_sign_in(nobody, client):
    answer = nobody.get("/runs/new")
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in?next=/runs/new")
    assert client.get("/runs/new").status == 200
    for path in ("/sign-in", "/verify", "/certificates/abc"):
        assert nobody.get(path).status == 200
