# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The documents say what is: links lead somewhere, commands and their options exist, numbers are those of the tree."""

import json
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRACKED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
DOCUMENTS = [ROOT / name for name in TRACKED.split()] or sorted(ROOT.glob("[!b]*/**/*.md")) + sorted(ROOT.glob("*.md"))
COMMANDS = ("run", "certify", "cases", "decode", "encode", "check", "verify")
each_document = pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))


def commands_in(page: pathlib.Path) -> list[str]:
    """The lines of code in a document: those of blocks, fenced or indented, and what stands between backquotes."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"^    (\S.*)", rest, re.MULTILINE)
    return lines + [part for line in rest.splitlines() for part in re.findall(r"`([^`]+)`", line)]


def words_of(line: str) -> list[str]:
    """A command's words as a shell would cut them, without a comment at the end."""
    line = re.sub(r"\s#.*", "", line)
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


@each_document
def test_links(page):
    """Every link that is no address leads to something in the tree."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert re.match(r"https?:", target) or (page.parent / target).exists(), target


@pytest.fixture(name="targets", scope="module")
def fixture_targets(build) -> set[str]:
    """The targets that the makefile knows."""
    result = subprocess.run(
        ["make", "-C", ROOT, "-pnRrq", f"B={build}"], capture_output=True, text=True, timeout=180, check=False
    )
    return set(re.findall(r"^([a-z][a-z-]*):", result.stdout, re.MULTILINE))


@pytest.fixture(name="help_of", scope="module")
def fixture_help_of(bin_dir):
    """What a program, or a command of it, says with --help."""
    said = {}

    def help_of(*command):
        if command not in said:
            said[command] = subprocess.run([bin_dir / command[0], *command[1:], "--help"], capture_output=True,
                                           text=True, timeout=180, check=True).stdout
        return said[command]

    return help_of


@each_document
def test_targets(targets, page):
    """Every target of `make` in a document is one that the makefile knows; the interpreter's has one of its own."""
    own = {"interp-portals", "interp-mpi", "sut-agent"}
    for line in commands_in(page):
        words = words_of(line)
        if words[:1] == ["make"] and "-C" not in words:
            named = {word for word in words[1:] if re.fullmatch(r"[a-z][a-z-]*", word)}
            assert named <= targets | own, line


def test_help_of_make(targets):
    """`make help` names every target that is there to be called, and no other one."""
    said = subprocess.run(["make", "-s", "-C", ROOT, "help"], capture_output=True, text=True, timeout=180, check=True)
    phony = {word for line in (ROOT / "Makefile", *ROOT.glob("*/build.mk"), *ROOT.glob("*/*/*.mk"))
             for words in re.findall(r"^\.PHONY: (.*)", line.read_text(encoding="utf-8"), re.MULTILINE)
             for word in words.split()}  # fmt: skip
    callable_ = {word for word in phony if "$" not in word and not word.startswith(("lint-", "fuzz-run"))}
    several = "install|uninstall|bench|check|fuzz|lint|mutants|variants|three|dissector|web|repeat"
    named = set(re.findall(rf"(?<![\w./-])((?:{several})-[a-z-]+|[a-z]+)(?![\w./-])", said.stdout))
    assert callable_ - {"help"} <= named
    for words in re.findall(r"make ([a-z-]+)", said.stdout):
        assert words in targets or words == "lint-", words


def uses(words: list[str], programs: set[str]):
    """Program, or program and command, with the options that it is given: up to the next program, or to --."""
    command, options = (), []
    for word in words:
        name = word.rsplit("/", 1)[-1]
        if name in programs or word in ("--", "|", "&&", ";"):
            if command:
                yield command, options
            command, options = ((name,) if name in programs else ()), []
        elif command == ("assay",) and word in COMMANDS:
            command = ("assay", word)
        elif command and re.match(r"--?[a-z]", word):
            options.append(word)
    if command:
        yield command, options


@each_document
def test_options(page, bin_dir, help_of):
    """Every option that a document gives to a program of ours is one that its --help names."""
    programs = {path.name for path in bin_dir.iterdir() if path.is_file() and not path.name.startswith("assay-mpi")}
    for line in commands_in(page):
        for command, options in uses(words_of(line), programs):
            said = help_of(*command)
            for option in options:
                assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", said), f"{line}: {option}"


def test_numbers():
    """How many requirements and ambiguities there are, and how many programs meet."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    specs = (ROOT / "specs" / "README.md").read_text(encoding="utf-8")
    for profile, title in (("portals-3.0", "Portals"), ("impi-0.0", "IMPI")):
        rows = json.loads((ROOT / "specs" / f"{profile}.json").read_text(encoding="utf-8"))
        assert f"{len(rows)} of {title}" in readme
        last = max(int(name[1:]) for row in rows for name in row.get("ambiguities", ()))
        assert f"`A01` to `A{last}`" in specs, profile


def test_every_specification_is_listed():
    """specs/README.md names each file of its folder."""
    listed = (ROOT / "specs" / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "specs").iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in listed, path.name


def test_every_source_of_the_interpreter_is_listed():
    """What a vendor reads before building names every source, by itself or with others of its beginning."""
    folder = "interpreter"
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z0-9_-]+\*?)\.[ch]", text)
    begun = tuple(name[:-1] for name in named if name.endswith("*"))
    for path in sorted((ROOT / folder).glob("*.c")):
        assert path.stem in named or (begun and path.stem.startswith(begun)), path.name


# The vector of an answer to HELLO is of a later minor version, so it is not compared.
OCTETS = "hello - put ack get reply barrier number acknowledge".split()


def octets_of(text: str) -> str:
    """The hexadecimal digits of lines that begin with octets, without what is said beside them."""
    found = [re.match(r"\s*((?:[0-9a-f]{2}){1,}(?: (?:[0-9a-f]{2})+)*)(?=\s{2}|\s*#|\s*$)", line)
             for line in text.splitlines()]
    return "".join(match.group(1) for match in found if match).replace(" ", "")


def test_the_octets_of_the_binding():
    """The messages of chapter 9 are those of the vectors, octet by octet."""
    text = (ROOT / "specs" / "portals-wire.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n)+", text[text.index("## 9."):], re.MULTILINE)
    assert len(blocks) == len(OCTETS)
    for name, block in ((name, block) for name, block in zip(OCTETS, blocks) if name != "-"):
        vector = (ROOT / "wire" / "vectors" / f"{name}.hex").read_text(encoding="utf-8")
        assert octets_of(block) == octets_of(vector), name
