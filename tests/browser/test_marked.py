# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What anybody writes stays text: marked pieces of HTML go into every text field of every body that openapi.json
describes, into what a system under test prints, the client's name and every query that a page reads; then every page
that it describes is opened. None of the pieces has become an element, and each page has a policy that lets nothing
inline run. A field or a page that comes later is tried too."""

import json
import re
import shlex

import pytest

from pages import Browser
from service import PATIENCE, Client, Service
from test_account import code_of
from test_revocation import fixture_own  # noqa: F401: sets the cases of the service
from test_rejudge import rejudge, spoil

# Bodies whose texts are secrets, ids or dates of their own, and say nothing that is shown.
NOT_SHOWN = {"code", "password", "old", "implementation", "profile", "expires"}
# Refused unless they are names that the profile knows.
KNOWN_ONLY = {"suite", "case", "cases", "requirements", "server", "guest"}
LOOK = """
return {made: [...document.querySelectorAll("[data-mark], [id^=mark]")].map((one) => one.outerHTML),
        ran: window.marked ?? null,
        links: [...document.querySelectorAll("[href], [src], [action]")].map((one) => one.getAttribute("href") ??
          one.getAttribute("src") ?? one.getAttribute("action")).filter((one) => /^(java|vb)script:|^data:/i.test(one)),
        text: document.body.textContent}
"""


def mark(name):
    """A piece of HTML that leaves its quotes and its element, and names itself."""
    return f"{name}\"'><img data-mark src=x onerror=marked=1>"


@pytest.fixture(scope="module")
def described(root):
    return json.loads((root / "specs" / "openapi.json").read_text())


def orders(document):
    """(path, {field: schema}, required) of each body that is posted."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
                schema = document["components"]["schemas"][name]
                assert method == "post"
                yield path, schema["properties"], schema.get("required", [])


def is_text(schema):
    kinds = schema.get("type")
    return "string" in (kinds if isinstance(kinds, list) else [kinds]) and "enum" not in schema


def sign_in(service, link):
    """As somebody whose name, and whose browser's name, is marked."""
    answer = Client(service).post("/api/v1/session", {"code": code_of(link), "name": mark("member")},
                                  User_Agent=mark("client"))
    assert answer.status == 201, answer.body
    found = re.match(r"assay_session=([^;]+)", answer.cookies[0]).group(1)
    one = Client(service, cookie=found)
    one.csrf = one.get("/api/v1/session").json["csrf"]
    return one


def certified(service, owner, bin_dir):
    """A run of an implementation whose launcher prints a mark, and its certificate."""
    implementation = owner.post("/api/v1/implementations", {key: mark(key) for key in ("name", "version")})
    assert implementation.status == 201, implementation.body
    made = owner.post("/api/v1/runs", {"implementation": implementation.json["id"], "profile": "portals-3.0"}).json
    start = f"np=$1; shift; exec {bin_dir / 'portalsrun'} -np $np {bin_dir / 'interp-portals'} \"$@\""
    script = f"echo {shlex.quote(mark('printed'))}; {start}"
    agent = service.agent(made["token"], "sh", "-c", script, "sh", "{np}", "{args}")
    state = owner.wait_over(made["run"]["id"])
    agent.wait(PATIENCE)
    agent.stderr.close()
    assert state["certificate"], state
    return state


@pytest.fixture(name="full")
def fixture_full(own, bin_dir, tmp_path):
    """The owner of a service that has one of each, and what it is called."""
    own.end()
    service = Service(bin_dir, tmp_path / "marked", "--issuer", mark("issuer"), "--issuer-address", mark("address"))
    try:
        owner = sign_in(service, service.read_link())
        state = certified(service, owner, bin_dir)
        spoil(service, owner, state["id"])
        assert rejudge(service)[0] == 1
        case = owner.get(f"/api/v1/runs/{state['id']}/results").json["results"][0]["id"]
        owner.ids = {"run": state["id"], "other": state["id"], "implementation": state["implementation"]["id"],
                     "certificate": state["certificate"], "case": case, "profile": "portals-3.0",
                     "lesson": "short-put", "member": str(owner.get("/api/v1/members").json["members"][0]["id"])}
        yield service, owner
    finally:
        service.end()


def fill(document, owner):
    """Posts every text field marked; returns the marks that were taken."""
    taken = set()
    for path, fields, required in orders(document):
        where = re.sub(r"{(\w+)}", lambda found: owner.ids[found.group(1)], path)
        texts = [name for name, schema in fields.items() if is_text(schema) and name not in NOT_SHOWN]
        body = {"expires": "2999-12-31", **owner.ids}
        body = {name: body[name] for name in required if name in body}
        free = [name for name in texts if name not in KNOWN_ONLY]
        marks = {name: mark(f"{path.rsplit('/', 1)[1][:9]}-{name[:8]}") for name in free}
        more = {"cases": owner.ids["case"]} if "cases" in fields else {}
        if free and path != "/api/v1/session":
            answer = owner.post(where, {**body, **more, **marks})
            assert answer.status < 300, (path, answer.body)
            if "link" in (answer.json if answer.body else {}):
                owner.ids["secret"] = answer.json["link"].rsplit("/", 1)[1]
            taken |= {text.split('"')[0] for text in marks.values()}
        for name in KNOWN_ONLY & set(texts):  # refused, and the refusal is no page
            answer = owner.post(where, {**body, **marks, name: mark(name)})
            assert answer.status >= 400 and answer.headers["content-type"] == "application/json", (path, name)
    return taken


def pages(document, ids, root):
    """Every page that is described, and once more with each query that some script of ours reads."""
    texts = [path.read_text() for path in sorted((root / "web" / "pages" / "assets").glob("*.js"))]
    queries = sorted({name for text in texts for name in re.findall(r'get\("(\w+)"\)', text)})
    assert "next" in queries and len(queries) > 5
    for path, methods in document["paths"].items():
        content = methods.get("get", {"responses": {}})["responses"].get("200", {}).get("content", {})
        # The page of a guest is written as the shared report is.
        if path != "/met/{token}" and any(kind.startswith("text/html") for kind in content):
            filled = re.sub(r"{(\w+)}", lambda found: ids[found.group(1)], path)
            yield filled
            if path in ("/runs/new", "/sign-in", "/waivers", "/account"):
                yield filled + "?" + "&".join(f"{name}={json.dumps(mark(name))[1:-1]}" for name in queries)


def look(browser, path, wanted):
    """What is wrong with a page, once it has been filled; and which marks it shows as text."""
    browser.open(path)
    browser.wait.until(lambda _: browser.all("h1"), f"a heading of {path}")
    browser.chrome.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    found = browser.wait.until(
        lambda chrome: (lambda seen: seen if all(one in seen["text"] for one in wanted) else None)(
            chrome.execute_script(LOOK)), f"{wanted} on {path}")
    assert (found["made"], found["ran"], found["links"]) == ([], None, []), (path, found)
    return found["text"]


# What a page is known to show, some of it when it has been asked for: then all of it is there.
SHOWN = {"/": ["name\"", "version\""], "/account": ["member\"", "client\"", "tokens-name", "organisat-name"],
         "/waivers": ["waivers-owner", "waivers-reason"]}


@pytest.mark.long
def test_text_stays_text(chrome, full, described, root, screenshots):
    service, owner = full
    taken = fill(described, owner)
    assert len(taken) > 8, taken
    browser = Browser(chrome, service, screenshots)
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    said, seen = "", []
    for path in pages(described, owner.ids, root):
        answer = owner.get(path.split("?")[0])
        policy = answer.headers.get("content-security-policy", "")
        assert answer.status == 200 and "default-src 'none'" in policy and "unsafe" not in policy, (path, policy)
        said += look(browser, path, SHOWN.get(path, []))
        seen.append(path)
    assert len(seen) > 20, seen
    assert {one for one in taken if one not in said} <= {"implement-notes"}, taken  # no page shows them
    for name in ("issuer", "member", "client", "name", "version"):
        assert f"{name}\"'><img data-mark" in said, name
    badge = owner.get(f"/certificates/{owner.ids['certificate']}/badge.svg").body.decode()
    assert "<img" not in badge and "<script" not in badge
    assert not [one for one in browser.complaints() if "Content Security Policy" in one]
    # What is looked for would be found.
    chrome.execute_script("document.body.insertAdjacentHTML('beforeend', arguments[0])", mark("control"))
    assert len(chrome.execute_script(LOOK)["made"]) == 1
