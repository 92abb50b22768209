#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_load.py: the service under load, with real launch agents and the reference as their systems under test.

Of each store three things, one after the other, and what has to hold:

    crowd    as many systems as --systems come at once, of which --at-once are executed: no case has another verdict
             than pass, so no deadline was missed; an account with one run waits for at most one turn of the others
    kills    --kills times SIGKILL at a random moment while --under-way runs are: what had been shown as judged is there
             afterwards with the same verdict, and each run that ends has one verdict, pass, for each of its cases
    hostile  --half-open connections that say half a request, others that say it drop by drop, agents and interpreters
             that flood, stall or send endless lines, while --under-way honest runs are: these conform, the others end

`make bench-load` runs it; LOADFLAGS="--systems 40 --at-once 10 --kills 10 --half-open 500" a smaller one. Prints a line
for each, and what did not hold below; exit status 1 then.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "web"))

import postgresql  # noqa: E402
from service import Client, Service  # noqa: E402

from hostile import Hostile  # noqa: E402

SUITE = "smoke,movement"
ACCOUNTS = 8
LIMITS = {"account-items": 100000, "account-requests": 60000000, "account-costly": 1000000,
          "address-requests": 1000000, "account-streams": 2048, "streams": 2048}
PATIENCE_S = 3600
HEALTH = b'{"ok": true}' + b" " * 500  # about as long as what the service says


class Watch:
    """Another person, a process of its own (watch.py), who asks the service and a bare program for little."""

    def __init__(self, service, bare):
        self.words = [sys.executable, pathlib.Path(__file__).with_name("watch.py"), str(service.port), str(bare)]

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.seen = json.loads(self.process.communicate("\n", timeout=PATIENCE_S)[0])

    def most(self, word):
        return max(one[word] for one in self.seen["queue"])

    def line(self):
        return " | ".join(f"{waits[len(waits) // 2]:.1f} ms, {waits[int(len(waits) * .99)]:.0f} ms, {waits[-1]:.0f} ms"
                          for waits in (sorted(self.seen[who]) for who in ("service", "bare")))


class Load:
    """A service, accounts, and what did not hold."""

    def __init__(self, bin_dir, folder, store, options):
        words = {**LIMITS, "runs": options.at_once, "account-runs": max(1, options.at_once - options.under_way)}
        self.options, self.wrong, self.bare = options, [], options.bare_port
        self.service = Service(bin_dir, folder / "data", *(f"--limit={name}={n}" for name, n in words.items()),
                               on=postgresql.server() if store == "postgresql" else None)
        self.service.listen = f"127.0.0.1:{self.service.port}"  # agents find it again
        self.service.read_link()
        Client.exchanges = collections.deque(maxlen=1)  # of hundreds of thousands
        self.clients = [self.service.client("load")]
        self.clients += [self.another(f"Firm {number}") for number in range(1, ACCOUNTS)]

    def another(self, name):
        link = self.browser().post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
        return self.signed_in(link, name)

    def signed_in(self, link, name):
        answer = Client(self.service).post("/api/v1/session", {"code": link.split("code=")[1], "name": name})
        assert answer.status == 201, answer.body
        client = Client(self.service, cookie=answer.cookies[0].split("=", 1)[1].split(";")[0])
        client.csrf = client.get("/api/v1/session").json["csrf"]
        return client

    def browser(self):
        """The owner's, by the service's own link: an API token invites nobody."""
        if not hasattr(self, "owner"):
            self.service.stop()
            self.service.start("--sign-in-link")
            self.owner = self.signed_in(self.service.read_link(), None)
        return self.owner

    def check(self, good, what):
        if not good:
            self.wrong.append(what)

    def begin(self, client, **order):
        """A run and its agent."""
        made = client.run(**{"suite": SUITE, **order})
        return Begun(client, made["run"]["id"], self.service.agent(made["token"]))

    def check_end(self, run):
        """Each case of the run has one verdict, pass."""
        state = run.client.get(f"/api/v1/runs/{run.id}").json
        results = run.client.get(f"/api/v1/runs/{run.id}/results").json["results"]
        ids = [one["id"] for one in results]
        bad = [f"{one['id']} {one['verdict']}: {one['reason'] or one['observed']}" for one in results
               if one["verdict"] != "pass"]
        self.check(state["state"] == "finished" and len(ids) == len(set(ids)) == state["total"] and not bad,
                   f"run {run.id}: {state['state']}, {state['problem']}, {len(ids)} of {state['total']} cases, "
                   f"{'; '.join(bad)}")
        return results


class Begun:
    """A run that has begun, its agent, and what has been shown of it."""

    def __init__(self, client, run, agent):
        self.client, self.id, self.agent, self.shown = client, run, agent, {}
        threading.Thread(target=agent.stderr.read, daemon=True).start()

    def over(self):
        return self.client.get(f"/api/v1/runs/{self.id}").json["ended"] is not None

    def look(self):
        """Adds what is shown now. What was shown before and is another now, or is not there."""
        now = {one["id"]: one["verdict"] for one in
               self.client.get(f"/api/v1/runs/{self.id}/results").json["results"]}
        changed = [f"{name} {verdict} became {now.get(name)}" for name, verdict in self.shown.items()
                   if now.get(name) != verdict]
        self.shown = now
        return changed

    def end(self):
        """The agent's exit status; it leaves soon after its run."""
        return self.agent.wait(PATIENCE_S)


def wait_all(runs):
    late = time.monotonic() + PATIENCE_S
    waiting = list(runs)
    while waiting:
        assert time.monotonic() < late, f"{len(waiting)} runs are not over"
        waiting = [run for run in waiting if not run.over()]
        time.sleep(0.5)


def crowd(load):
    """The first account brings all systems but one each of the others, and brings them first."""
    options, begun = load.options, time.monotonic()
    many, others = load.clients[0], load.clients[1:]
    with Watch(load.service, load.bare) as watch:
        runs = [load.begin(many) for _ in range(options.systems - len(others))]
        alone = [load.begin(client) for client in others]
        wait_all(runs + alone)
    for run in runs + alone:
        load.check_end(run)
        load.check(run.end() == 0, f"run {run.id}: its agent left with {run.agent.returncode}")
    of_alone = [run.client.get(f"/api/v1/runs/{run.id}").json for run in alone]
    starts = sorted(run.client.get(f"/api/v1/runs/{run.id}").json["started"] for run in runs + alone)
    last = max(starts.index(run["started"]) for run in of_alone)
    # They come last; of what is free from then on every second place at least is theirs.
    before = sum(start < max(run["created"] for run in of_alone) for start in starts)
    load.check(last - before <= 2 * len(alone), f"runs of accounts with a single one came as {last + 1}th of "
               f"{len(starts)}, {before} of which had begun before")
    return (f"{len(starts)} systems, {watch.most('under_way')} executed at once, {watch.most('queued')} waiting; the "
            f"last of the single ones came {last + 1}th", time.monotonic() - begun, watch)


def kills(load):
    options, begun, ended = load.options, time.monotonic(), 0
    dice = random.Random(options.seed)
    runs = []
    with Watch(load.service, load.bare) as watch:
        for number in range(options.kills):
            over = [run for run in runs if run.over()]
            for run in over:
                load.check(not run.look(), f"kill {number}: run {run.id} has changed at its end")
                load.check_end(run)
            ended += len(over)
            runs = [run for run in runs if run not in over]
            runs += [load.begin(dice.choice(load.clients)) for _ in range(options.under_way - len(runs))]
            time.sleep(dice.uniform(0.1, 3))
            for run in runs:
                run.look()
            load.service.kill()
            load.service.start()
            for run in runs:
                changed = run.look()
                load.check(not changed, f"kill {number}: run {run.id}: {', '.join(changed)}")
        wait_all(runs)
    for run in runs:
        load.check(not run.look(), f"run {run.id} has changed at its end")
        load.check_end(run)
        load.check(run.end() == 0, f"run {run.id}: its agent left with {run.agent.returncode}")
    return f"{options.kills} kills, {ended + len(runs)} runs", time.monotonic() - begun, watch


def hostile(load):
    options, begun = load.options, time.monotonic()
    honest, mallory = load.clients[1], load.clients[2]
    victims = [mallory.run(suite=SUITE) for _ in range(len(Hostile.AGENTS) + len(Hostile.INTERPRETERS))]
    with Watch(load.service, load.bare) as watch, Hostile(load.service.port, options.half_open) as crew:
        for victim, kind in zip(victims, Hostile.AGENTS):
            crew.agent(victim["token"], kind)
        agents = [load.service.agent(victim["token"], sys.executable, pathlib.Path(__file__).with_name("hostile.py"),
                                     kind, "{args}")
                  for victim, kind in zip(victims[len(Hostile.AGENTS):], Hostile.INTERPRETERS)]
        runs = [load.begin(honest) for _ in range(options.under_way)]
        wait_all(runs)
        crew.give_up()
        held = crew.held()
        for victim in victims:
            answer = mallory.post(f"/api/v1/runs/{victim['run']['id']}/cancel", None)
            load.check(answer.status == 202 or mallory.get(f"/api/v1/runs/{victim['run']['id']}").json["ended"],
                       f"a hostile run is neither over nor cancelled: {answer.body}")
        for victim in victims:
            state = mallory.wait_over(victim["run"]["id"])
            load.check(state["verdict"] != "conforms", f"a hostile run conforms: {state}")
    for run in runs:
        load.check_end(run)
        load.check(run.end() == 0, f"run {run.id}: its agent left with {run.agent.returncode}")
    for agent in agents:
        agent.kill()
        agent.communicate()
    return (f"{held} half-open connections, {len(victims)} hostile systems, {len(runs)} honest runs",
            time.monotonic() - begun, watch)


def measure(folder, store, options):
    """A line for each part; what did not hold."""
    folder.mkdir()
    wrong, load = [], Load(options.bin, folder, store, options)
    for part in options.parts.split(","):
        load.wrong = []
        said, seconds, watch = {"crowd": crowd, "kills": kills, "hostile": hostile}[part](load)
        print(f"| {store} | {part}: {said} | {seconds:.0f} | {watch.line()} | {len(load.wrong)} |", flush=True)
        wrong += [f"{store}, {part}: {one}" for one in load.wrong]
    load.service.end()
    shutil.rmtree(folder)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("bare", type=pathlib.Path)
    parser.add_argument("--stores", default="sqlite,postgresql")
    parser.add_argument("--parts", default="crowd,kills,hostile")
    parser.add_argument("--systems", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--under-way", type=int, default=6)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--half-open", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    print(f"seed {options.seed}",
          "| store | what | seconds | another's answer: median, 99 of 100, longest | the bare program's | "
          "did not hold |",
          "| --- | --- | ---: | --- | --- | ---: |", sep="\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="assay-load-") as folder:
        folder = pathlib.Path(folder)
        (folder / "health").write_bytes(HEALTH)
        with subprocess.Popen([options.bare, folder / "health"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bare:
            options.bare_port = int(bare.stdout.readline())
            wrong = [one for store in options.stores.split(",") for one in measure(folder / store, store, options)]
            bare.stdin.close()
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
