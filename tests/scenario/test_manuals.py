# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The manuals say what is: each page is held against the program, the header or the sources that it describes."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted(ROOT.glob("*/man/*.[1-8]"))
PROGRAM_PAGES = {page.stem: page for page in PAGES if page.suffix in (".1", ".8")}
FUNCTION_PAGES = [page for page in PAGES if page.suffix == ".3"]
HEADER = (ROOT / "ref-impl" / "include" / "portals.h").read_text(encoding="utf-8")
LATER_HEADERS = [path.read_text(encoding="utf-8")
                 for path in sorted((ROOT / "ref-impl" / "include").glob("portals-3.*/**/*.h"))]
# Commands inside a program have a part of the page of their own.
COMMANDS = {"assay": ("run", "certify", "cases", "profiles", "spec", "decode", "encode", "check", "replay", "verify")}
# Manuals of other projects that our pages may point to.
FOREIGN = {"gzip 1", "mergecap 1", "mpirun 1", "openssl 1", "tshark 1", "wireshark 1", "cp 1", "exit 3", "zstd 1"}
FUNCTION = re.compile(r"^(int|void) (Ptl\w+)\(([^;]*)\);", re.MULTILINE)


def part(page: pathlib.Path, name: str) -> str:
    """The source between the heading `name` and the next one of its level."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^\.S([hs]) {re.escape(name)}$(.*?)(?=^\.Sh |^\.S\1 |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page.name} has no part {name}"
    return found.group(2)


def names_of(page: pathlib.Path) -> list[str]:
    """The names under which a page is found."""
    return re.findall(r"^\.Nm (\S+)", part(page, "NAME"), re.MULTILINE)


def flags(text: str) -> set[str]:
    """The options in mdoc source, as one types them."""
    return {"-" + flag.replace("\\-", "-") for flag in re.findall(r"\bFl ((?:\\-)?[A-Za-z][\w-]*)", text)}


def described_flags(text: str) -> set[str]:
    """The options that head an item of a list."""
    return flags("\n".join(line for line in text.splitlines() if line.startswith(".It Fl")))


def help_of(bin_dir: pathlib.Path, *command: str) -> str:
    """What --help prints, which must go to standard output and be a success."""
    result = subprocess.run(
        [bin_dir / command[0], *command[1:], "--help"], capture_output=True, text=True, timeout=180, check=False
    )
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout


def help_flags(text: str) -> set[str]:
    """The options in the text of --help: long ones anywhere, short ones where they head a line; in an example not those
    of the command behind "--", which is somebody else's."""
    text = re.sub(r" -- .*", "", text)
    found = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    for line in text.splitlines():
        if re.match(r" +-", line):
            head = re.split(r"  +", line.strip())[0]
            found |= set(re.findall(r"(?<![\w-])-[a-z]+\b", head))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_is_clean(page):
    """mandoc finds nothing to warn of."""
    result = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True, timeout=180, check=False
    )
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


def test_every_program_has_its_page(bin_dir):
    """Each program has a page that names it, and every page names programs."""
    programs = {path.name for path in bin_dir.iterdir() if path.is_file()}
    assert programs == {name for page in PROGRAM_PAGES.values() for name in names_of(page)}


@pytest.mark.parametrize("program", sorted(PROGRAM_PAGES))
def test_options(bin_dir, program):
    """What --help names is described, what is described --help names, and the synopsis names nothing else."""
    page = PROGRAM_PAGES[program]
    text = page.read_text(encoding="utf-8")
    for command in COMMANDS.get(program, ()):
        named = help_flags(help_of(bin_dir, program, command)) | {"--help"}
        assert named == described_flags(part(page, f"{program} {command}")), command
    if program not in COMMANDS:
        assert help_flags(help_of(bin_dir, program)) == described_flags(text)
    assert flags(part(page, "SYNOPSIS")) <= described_flags(text) | {"--version"}


def taken_by(*paths: str) -> set[str]:
    """The options that sources take: rows of getopt_long's tables, rows with a name, and words that are compared."""
    text = "\n".join((ROOT / path).read_text(encoding="utf-8") for path in paths)
    long = re.findall(r'\{"([a-z-]+)", (?:required|no)_argument', text)
    words = re.findall(r'(?:strcmp\([^"()]+(?:\[\d\])?, |\] = \{)"(--?[a-z][a-z-]+|-n)"', text)
    return {"--" + name for name in long} | set(words) - {"-h"}


SOURCES = {
    "assay": ("tester/commands/run.c", "tester/commands/certify/options.c", "tester/commands/cases.c",
              "tester/commands/profiles.c", "tester/commands/spec.c",
              "tester/commands/codec/proto.c", "tester/commands/check.c", "tester/commands/verify.c"),
    "assayd": ("web/service/options.c",),
    "impirun": ("ref-impl/impi/arguments.c",),
    "interp-mpi": ("interpreter/core/main.c", "interpreter/mpi/environment.c"),
    "interp-portals": ("interpreter/core/main.c", "interpreter/portals/interfaces.c"),
    "portalsrun": ("ref-impl/launch/options.c",),
    "sut-agent": ("interpreter/agent/options.c",),
}  # fmt: skip


@pytest.mark.parametrize("program", sorted(SOURCES))
def test_options_of_the_sources(bin_dir, program):
    """What a program takes --help names, and nothing else."""
    named = set().union(*(help_flags(help_of(bin_dir, *filter(None, (program, command))))
                          for command in COMMANDS.get(program, ("",))))  # fmt: skip
    assert taken_by(*SOURCES[program]) | {"--help"} == named | {"--help"}


@pytest.mark.parametrize("program", sorted(PROGRAM_PAGES))
def test_version(bin_dir, program):
    """Every program says which version it is, under its own name."""
    result = subprocess.run([bin_dir / program, "--version"], capture_output=True, text=True, timeout=180, check=False)
    assert result.returncode == 0
    assert re.match(rf"{program} \d+\.\d+\.\d+\b", result.stdout)


def test_commands_of_assay(bin_dir):
    """The commands that `assay --help` lists are those of the page."""
    listed = re.findall(r"^  ([a-z]+) ", help_of(bin_dir, "assay"), re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS["assay"])
    synopsis = re.findall(r"^\.Cm (\w+)", part(PROGRAM_PAGES["assay"], "SYNOPSIS"), re.MULTILINE)
    assert sorted(synopsis) == sorted(COMMANDS["assay"])


@pytest.mark.parametrize("program", sorted(PROGRAM_PAGES))
def test_exit_statuses(bin_dir, program):
    """The numbers that --help gives for the exit status are those of the page."""
    page = set(re.findall(r"^\.It (\d+)", part(PROGRAM_PAGES[program], "EXIT STATUS"), re.MULTILINE))
    named = set()
    for command in COMMANDS.get(program, ("",)):
        text = help_of(bin_dir, *filter(None, (program, command)))
        status = re.search(r"^.*?(?:Exit status|Status): (.*)", text, re.MULTILINE | re.DOTALL)
        named |= set(re.findall(r"\b\d+\b", status.group(1))) if status else set()
    assert named == page


def prototypes_of(page: pathlib.Path) -> dict[str, tuple[str, list[str]]]:
    """Name -> type and parameters of the functions in a page's synopsis."""
    found = {}
    kind, name, parameters = "", "", []
    for line in part(page, "SYNOPSIS").splitlines():
        macro, _, rest = line.partition(" ")
        if macro == ".Ft":
            kind = rest
        elif macro == ".Fn":
            name, _, rest = rest.partition(" ")
            found[name] = (kind, re.findall(r'"([^"]*)"', rest) or [rest])
        elif macro == ".Fo":
            name, parameters = rest, []
        elif macro == ".Fa":
            parameters.append(rest.strip('"'))
        elif macro == ".Fc":
            found[name] = (kind, parameters)
    return found


def test_prototypes():
    """All functions of portals.h, each in one page, with the same parameters in the same order."""
    declared = {
        name: (kind, [re.sub(r"\s+", " ", parameter).strip() for parameter in parameters.split(",")])
        for kind, name, parameters in FUNCTION.findall(HEADER)
    }
    assert len(declared) == 26
    described = {}
    for page in FUNCTION_PAGES:
        prototypes = prototypes_of(page)
        assert sorted(prototypes) == sorted(names_of(page))
        assert not set(prototypes) & set(described)
        described.update(prototypes)
    assert described == declared


def codes() -> set[str]:
    """All return codes, in all their spellings."""
    numbers = re.findall(r"^#define (PTL_\w+) +\d+ /\*", HEADER, re.MULTILINE)
    spellings = re.findall(r"^#define (PTL_\w+) +PTL_\w+ +/\*", HEADER, re.MULTILINE)
    return {name for name in numbers + spellings if not name.startswith("PTL_MAX_")}


def returns_in_header() -> dict[str, set[str]]:
    """Function -> the codes that the comment above it says it returns."""
    returned = {}
    for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\n(?:int|void) (Ptl\w+)\(", HEADER, re.DOTALL):
        said = re.search(r"Returns\s+(.*)", comment, re.DOTALL)
        returned[name] = set(re.findall(r"PTL_\w+", said.group(1))) if said else set()
    return returned


@pytest.mark.parametrize("page", FUNCTION_PAGES, ids=lambda page: page.name)
def test_return_codes(page):
    """A page lists the codes that the header's comments over its functions list."""
    declared = set().union(*(returns_in_header()[name] for name in names_of(page))) & codes()
    lines = re.findall(r"^\.(?:It )?Dv (.*)", part(page, "RETURN VALUES"), re.MULTILINE)
    assert declared == set(re.findall(r"PTL_\w+", " ".join(lines))) & codes()


@pytest.mark.parametrize("page", [page for page in PAGES if "PTL_" in page.read_text()], ids=lambda page: page.name)
def test_constants_exist(page):
    """No page names a constant that the header does not define: of 3.0, or of later revisions where it is theirs."""
    defined = "\n".join(LATER_HEADERS) if page.name == "portals3.7" else HEADER
    for name in set(re.findall(r"\bPTL_\w+", page.read_text(encoding="utf-8"))):
        assert re.search(rf"\b{name}\b", defined), name


def test_limits():
    """The limits in portals(7) are the header's."""
    page = (ROOT / "ref-impl" / "man" / "portals.7").read_text(encoding="utf-8")
    described = dict(re.findall(r"^\.It Dv (PTL_MAX_\w+) Ta (\d+)", page, re.MULTILINE))
    assert described == dict(re.findall(r"^#define (PTL_MAX_\w+) +(\d+)", HEADER, re.MULTILINE))


def test_environment():
    """Every variable of ours that a source reads is in a manual, and every one in a manual is read or set somewhere."""
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("ref-impl", "interpreter", "tester", "web")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".c", ".sh")
    )
    spelt = set(re.findall(r'(?:"|\$\{)(ASSAY_[A-Z_]+)(?:"|:-)', sources))
    # The compiler wrappers are made of one script, which gets the name when it is built.
    rules = (ROOT / "ref-impl" / "mpi" / "build.mk").read_text(encoding="utf-8")
    spelt |= set(re.findall(r"@VARIABLE@\|(ASSAY_[A-Z0-9_]+)\|", rules))
    described = set()
    for page in PAGES:
        for line in re.findall(r"^\.(?:It )?Ev (.*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            described |= set(re.findall(r"ASSAY_[A-Z0-9_]+", line))
    assert described == spelt


def test_references_lead_somewhere():
    """Every cross reference is a page of ours, under any of its names, or a known one of somebody else."""
    ours = {f"{name} {page.suffix[1:]}" for page in PAGES for name in names_of(page)}
    for page in PAGES:
        for target in re.findall(r"\bXr (\S+ \d)", page.read_text(encoding="utf-8")):
            assert target in ours | FOREIGN, f"{page.name}: {target}"


def test_every_function_of_later_headers_has_a_manual():
    """A function of the later revisions is in the page about what differs, or in one of those of 3.0."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    functions = {name for header in LATER_HEADERS for name in re.findall(r"\b(Ptl[A-Z]\w+)\(", header)}
    assert len(functions) > 40
    assert [name for name in sorted(functions) if not re.search(rf"\b{name}\b", text)] == []
