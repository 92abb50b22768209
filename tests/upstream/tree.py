#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Puts the dissectors for Wireshark's own tree into Debian's source of Wireshark, compiles and registers them there,
has the tree's checkers look at them and at the plugin, and shows the dissectors captures with random errors, as the
tree's fuzz-test does and by itself. Prints a table; status 1 where something is wrong, 2 where the source is not to be
had."""

import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "dissector")]

import debian  # noqa: E402
import made  # noqa: E402
import wireshark  # noqa: E402

ROOT = HERE.parents[1]
GUARDED = {"packet-assay.c"}  # of the plugin's sources: an interpreter's numbers are read by strtoull, checked
CHECKERS = {
    "checkAPIs": ["perl", "tools/checkAPIs.pl"], "checkhf": ["perl", "tools/checkhf.pl"],
    "checkfiltername": ["perl", "tools/checkfiltername.pl"],
    "check_typed_item_calls": ["python3", "tools/check_typed_item_calls.py", "--mask", "--label", "--consecutive",
                               "--missing-items", "--file"],
    "check_tfs": ["python3", "tools/check_tfs.py", "--file"],
}
SPOILT = (0.001, 0.005, 0.02)
DEADLINE = 300


def complaints(tree, command, path):
    """What a checker says against a file."""
    done = subprocess.run([*command, path], cwd=tree, capture_output=True, text=True, timeout=DEADLINE, check=False)
    text = done.stdout + done.stderr
    wrong = done.returncode or "warnings" in text and "0 warnings" not in text
    return text if wrong else ""


def compiled(tree, path, folder):
    """What the compiler says against a file, with the headers of the tree before those that are installed."""
    (folder / "config.h").touch()
    headers = [f"-I{place}" for place in (folder, tree, tree / "include", tree / "epan" / "dissectors")]
    done = subprocess.run(["gcc", *made.WARNINGS, "-c", *headers, *made.flags("--cflags"), path, "-o",
                           folder / (path.stem + ".o")], capture_output=True, text=True, check=False)
    return done.stderr


def committed(tree, paths):
    """What the tree's hook says against their being committed."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tree)]
    steps = ([*git, "init", "-q"], [*git, "commit", "-q", "--allow-empty", "-m", "empty"],
             [*git, "add", "--force", *(str(path.relative_to(tree)) for path in paths)])
    shutil.rmtree(tree / ".git", ignore_errors=True)
    for step in steps:
        subprocess.run(step, check=True, capture_output=True)
    found = subprocess.run([*git, "diff", "--cached", "--name-only"], capture_output=True, text=True, check=True).stdout
    assert len(found.split()) == len(paths), found
    return complaints(tree, ["sh"], "tools/pre-commit")


def registered(tree, path, folder):
    """What stands against its being among the tree's dissectors: it is registered and handed over like they are."""
    name = path.stem.removeprefix("packet-")
    said = complaints(tree, ["python3", "tools/make-regs.py", "dissectors", str(folder / "registered.c")], path)
    text = (folder / "registered.c").read_text(encoding="utf-8") if not said else ""
    return said or "".join(f"no {word}{name}\n" for word in ("proto_register_", "proto_reg_handoff_")
                           if f'"{word}{name}"' not in text)


def typed(captures):
    """What captype does not call a capture."""
    said = subprocess.run(["captype", *captures], capture_output=True, text=True, check=False)
    return "".join(f"{line}\n" for line in (said.stdout + said.stderr).splitlines() if not line.endswith(": pcap"))


def fuzz_tested(tree, tshark, captures, rounds):
    """What the tree's own test says of the installed tshark with the dissectors; its files are where anybody reads."""
    for name in ("fuzz-test.sh", "test-common.sh"):
        shutil.copy(tree / "tools" / name, tshark.folder)
    scratch = tshark.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    scratch.chmod(0o777)
    programs = pathlib.Path(shutil.which("tshark")).parent
    done = subprocess.run(tshark.command("bash", tshark.folder / "fuzz-test.sh", "-2", "-b", programs, "-d", scratch,
                                         "-P", "1", "-p", rounds, *captures), cwd=scratch, capture_output=True,
                          text=True, env=tshark.environment, timeout=DEADLINE * rounds, check=False)
    tested = done.stdout.count(" OK (")
    return tested, done.stdout + done.stderr if done.returncode or tested != rounds * len(captures) else ""


def fuzzed(tshark, captures, rounds):
    """How many spoilt captures the dissectors were shown, and those at which tshark failed."""
    count, failed, path = 0, [], tshark.folder / "spoilt.pcap"
    for capture in captures:
        for chance in SPOILT:
            for seed in range(rounds):
                subprocess.run(["editcap", "-E", str(chance), "--seed", str(seed), capture, path], check=True,
                               capture_output=True)
                path.chmod(0o644)
                done = tshark.run("-n", "-2", "-V", "-r", path, "-z", "portals,tree", "-z", "impi,srt", check=False)
                count += 1
                if done.returncode or "Dissector bug" in done.stdout or "Dissector bug" in done.stderr:
                    failed.append((capture.name, chance, seed, done.returncode))
    return count, failed


def main():
    """Fetches, copies, compiles, checks, fuzzes, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="where what is fetched is kept")
    parser.add_argument("--upstream", required=True, type=pathlib.Path, help="where the dissectors are")
    parser.add_argument("--rounds", type=int, default=10, help="spoilt captures for each capture and chance")
    given = parser.parse_args()
    tree = debian.or_end(debian.source, given.folder.resolve(), "bookworm", "wireshark")
    said, rows = [], []
    folder = wireshark.public_folder()
    paths = [pathlib.Path(shutil.copy(given.upstream / name, tree / "epan" / "dissectors")) for name in made.NAMES]
    for name, path in zip(made.NAMES, paths):
        found = {"compiles": compiled(tree, path, folder), "registered": registered(tree, path, folder)}
        found |= {checker: complaints(tree, command, path.relative_to(tree)) for checker, command in CHECKERS.items()}
        said += [f"{name}: {what}:\n{text}" for what, text in found.items() if text]
        rows.append(f"| {name} | " + " | ".join("wrong" if text else "good" for text in found.values()) + " |")
    sources = [path for path in (ROOT / "dissector").rglob("*.c")
               if "upstream" not in path.parts and path.name not in GUARDED]
    found = {checker: "".join(complaints(tree, CHECKERS[checker], path) for path in sources)
             for checker in ("checkAPIs", "checkfiltername")}
    said += [f"the plugin: {what}:\n{text}" for what, text in found.items() if text]
    rows.append(f"| the plugin, {len(sources)} files | - | - | {'wrong' if found['checkAPIs'] else 'good'} | - | "
                f"{'wrong' if found['checkfiltername'] else 'good'} | - | - |")
    captures = [pathlib.Path(shutil.copy(path, folder)) for path in sorted(given.upstream.glob("*.pcap"))]
    tshark = wireshark.Tshark(made.plugin(given.upstream.resolve(), folder), folder)
    count, failed = fuzzed(tshark, captures, given.rounds)
    tested, failures = fuzz_tested(tree, tshark, captures, given.rounds)
    whole = {"pre-commit": committed(tree, paths), "captype": typed(captures), "fuzz-test": failures}
    said += [f"{what}:\n{text}" for what, text in whole.items() if text]
    shutil.rmtree(folder)
    print("".join(said), end="", file=sys.stderr)
    print(f"| source | compiles | registered | {' | '.join(CHECKERS)} |\n|---|" + "---|" * (len(CHECKERS) + 2))
    print("\n".join(rows))
    print(f"pre-commit: {'wrong' if whole['pre-commit'] else 'good'}; captures: {len(captures)}; captype: "
          f"{'wrong' if whole['captype'] else 'good'}; fuzz-test: {tested} rounds, {'wrong' if failures else 'good'}")
    print(f"captures with random errors: {count}, failures: {len(failed)} {failed or ''}")
    return int(bool(said or failed))


if __name__ == "__main__":
    sys.exit(main())
