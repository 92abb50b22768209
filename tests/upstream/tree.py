#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Puts the dissectors for Wireshark's own tree into Debian's source of Wireshark, compiles them there, has the tree's
checkers look at them and at the plugin, and shows the dissectors captures with random errors. Prints a table; status 1
where something is wrong, 2 where the source is not to be had."""

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


def fuzzed(upstream, folder, captures, rounds):
    """How many spoilt captures the dissectors were shown, and those at which tshark failed."""
    tshark = wireshark.Tshark(made.plugin(upstream, folder), folder)
    count, failed = 0, []
    for capture in captures:
        for chance in SPOILT:
            for seed in range(rounds):
                path = folder / "spoilt.pcap"
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
    for name in made.NAMES:
        path = pathlib.Path(shutil.copy(given.upstream / name, tree / "epan" / "dissectors"))
        found = {"compiles": compiled(tree, path, folder)}
        found |= {checker: complaints(tree, command, path.relative_to(tree)) for checker, command in CHECKERS.items()}
        said += [f"{name}: {what}:\n{text}" for what, text in found.items() if text]
        rows.append(f"| {name} | " + " | ".join("wrong" if text else "good" for text in found.values()) + " |")
    sources = [path for path in (ROOT / "dissector").rglob("*.c")
               if "upstream" not in path.parts and path.name not in GUARDED]
    found = {checker: "".join(complaints(tree, CHECKERS[checker], path) for path in sources)
             for checker in ("checkAPIs", "checkfiltername")}
    said += [f"the plugin: {what}:\n{text}" for what, text in found.items() if text]
    rows.append(f"| the plugin, {len(sources)} files | - | {'wrong' if found['checkAPIs'] else 'good'} | - | "
                f"{'wrong' if found['checkfiltername'] else 'good'} | - | - |")
    captures = [ROOT / "tests" / "captures" / "lam-impi.pcap", *sorted(given.upstream.glob("*.pcap"))]
    count, failed = fuzzed(given.upstream.resolve(), folder, captures, given.rounds)
    shutil.rmtree(folder)
    print("".join(said), end="", file=sys.stderr)
    print(f"| source | compiles | {' | '.join(CHECKERS)} |\n|---|" + "---|" * (len(CHECKERS) + 1))
    print("\n".join(rows))
    print(f"captures with random errors: {count}, failures: {len(failed)} {failed or ''}")
    return int(bool(said or failed))


if __name__ == "__main__":
    sys.exit(main())
