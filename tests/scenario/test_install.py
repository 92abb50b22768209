# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`make install` into an empty prefix, and a newcomer's first steps from there: nothing of the source tree is used.

What is installed is the release build; the sanitizers' variants are not meant to be.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FUNCTIONS = re.findall(
    r"^(?:int|void) (Ptl\w+)\(", (ROOT / "ref-impl" / "include" / "portals.h").read_text(encoding="utf-8"), re.MULTILINE
)
PROGRAMS = ("assay", "assayd", "interp-portals", "sut-agent", "portalsrun", "assay-mpicc",
            "assay-mpicxx", "assay-mpif77", "assay-mpif90")
# What a user of the installed library may have set, and this test must not have.
OURS = ("ASSAY_", "PMIX_", "PKG_CONFIG", "LD_LIBRARY_PATH", "MANPATH", "CPATH", "LIBRARY_PATH")


def environment(**more: str) -> dict[str, str]:
    """The environment of somebody who never saw the source tree."""
    return {key: value for key, value in os.environ.items() if not key.startswith(OURS)} | more


def run(*command, cwd=None, env=None, timeout=1800) -> subprocess.CompletedProcess:
    """Runs a command, whatever comes of it."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env or environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def make(build: pathlib.Path, target: str, prefix, destdir="") -> subprocess.CompletedProcess:
    """Calls the makefile of the source tree; the only use that is made of it."""
    result = run(
        "make", "-C", ROOT, target, f"B={build}", f"PREFIX={prefix}", f"DESTDIR={destdir}", "VARIANT=release",
        env=dict(os.environ), timeout=1800,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def files_below(folder: pathlib.Path) -> set[str]:
    """Everything that is not a folder, by its path from `folder`."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


@pytest.fixture(name="prefix", scope="module")
def fixture_prefix(build, variant, tmp_path_factory) -> pathlib.Path:
    """A prefix that was empty, with everything installed."""
    if variant != "release":
        pytest.skip("only the release build is installed")
    prefix = tmp_path_factory.mktemp("install") / "prefix"
    make(build, "install", prefix)
    return prefix


@pytest.fixture(name="example", scope="module")
def fixture_example(prefix, tmp_path_factory) -> pathlib.Path:
    """The program of portals(7), as mandoc renders it: what a reader would copy."""
    page = prefix / "share" / "man" / "man7" / "portals.7"
    text = re.sub(".\b", "", run("mandoc", "-T", "ascii", page).stdout)
    found = re.search(r"^ *#include <portals\.h>\n *#include .*?^ *}$(?=\s+Build it)", text, re.MULTILINE | re.DOTALL)
    assert found, "portals(7) has no program followed by the words on how to build it"
    source = tmp_path_factory.mktemp("example") / "hello.c"
    source.write_text(found.group(0) + "\n", encoding="ascii")
    return source


def flags(prefix: pathlib.Path, *which: str, library: str = "portals") -> list[str]:
    """What pkg-config says about an installed library."""
    env = environment(PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    result = run("pkg-config", *which, library, env=env)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def compiler(name: str) -> str:
    """A compiler by its name; the test is skipped where there is none."""
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    return name


@pytest.mark.parametrize("linking", ["shared", "static"])
def test_example_of_the_manual(prefix, example, tmp_path, linking):
    """The manual's program, built by the manual's words, does what the manual says, under the installed launcher."""
    program = tmp_path / "hello"
    words = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", program, example]
    if linking == "static":
        words += ["-static", *flags(prefix, "--cflags", "--libs", "--static")]
    else:
        words += flags(prefix, "--cflags", "--libs")
    built = run("gcc", *words)
    assert built.returncode == 0, built.stderr
    env = environment(LD_LIBRARY_PATH=str(prefix / "lib")) if linking == "shared" else environment()
    linked = run("ldd", program, env=env).stdout
    assert (f"{prefix}/lib/libportals.so" in linked) == (linking == "shared")
    result = run(prefix / "bin" / "portalsrun", "-np", "2", program, env=env)
    assert (result.returncode, result.stderr) == (0, "")
    assert sorted(result.stdout.splitlines()) == ["rank 0: hello", "rank 1: hello"]


@pytest.mark.parametrize("linking", ["shared", "static", "assay-mpicc"])
def test_mpi_program(prefix, tmp_path, linking):
    """pkg-config's words or the compiler wrapper build an MPI program, and the installed launcher runs it."""
    program, source = tmp_path / "hello", ROOT / "tests" / "mpi" / "programs" / "hello.c"
    words = {
        "shared": lambda: ["gcc", source, *flags(prefix, "--cflags", "--libs", library="assay-mpi")],
        "static": lambda: ["gcc", "-static", source,
                           *flags(prefix, "--cflags", "--libs", "--static", library="assay-mpi")],
        "assay-mpicc": lambda: [prefix / "bin" / "assay-mpicc", source],
    }[linking]()
    built = run(*words, "-Wall", "-Wextra", "-Werror", "-o", program)
    assert built.returncode == 0, built.stderr
    env = environment(LD_LIBRARY_PATH=str(prefix / "lib")) if linking == "shared" else environment()
    result = run(prefix / "bin" / "portalsrun", "-np", "2", program, env=env)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "Hello from 0 of 2\nHello from 1 of 2, 17 characters\n"


@pytest.mark.parametrize("linking", ["shared", "static"])
@pytest.mark.parametrize("name", ["unexpected33", "mover32", "symmetric33", "collective33"])
def test_programs_of_later_revisions(prefix, tmp_path, name, linking):
    """Programs for Portals 3.2 and 3.3 are built by pkg-config's words, and the installed launcher runs them."""
    program, source = tmp_path / name, ROOT / "tests" / "later" / "programs" / f"{name}.c"
    library = f"portals-3.{name[-1]}"
    words = ["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-I", ROOT, "-o", program, source]
    if linking == "static":
        words += ["-static", *flags(prefix, "--cflags", "--libs", "--static", library=library)]
    else:
        words += flags(prefix, "--cflags", "--libs", library=library)
    built = run("gcc", *words)
    assert built.returncode == 0, built.stderr
    env = environment(LD_LIBRARY_PATH=str(prefix / "lib")) if linking == "shared" else environment()
    result = run(prefix / "bin" / "portalsrun", "-np", "3", program, *([tmp_path, "2"] if name == "mover32" else []),
                 env=env)
    assert (result.returncode, result.stdout) == (0, "right\n"), result.stderr


def test_trace_of_the_manual(prefix, example, tmp_path):
    """The manual's second run leaves a capture of each process."""
    program = tmp_path / "hello"
    assert run("gcc", "-o", program, example, *flags(prefix, "--cflags", "--libs")).returncode == 0
    traces = tmp_path / "trace"
    traces.mkdir()
    env = environment(LD_LIBRARY_PATH=str(prefix / "lib"), ASSAY_TRACE=str(traces))
    assert run(prefix / "bin" / "portalsrun", "-np", "2", program, env=env).returncode == 0
    names = sorted(path.name for path in traces.iterdir())
    assert len(names) == 2
    assert all(re.fullmatch(rf"portals-{rank}-\d+\.pcapng", name) for rank, name in enumerate(names))


def test_header_in_cpp(prefix, tmp_path):
    """C++ programs can use the header and the library."""
    source = tmp_path / "none.cpp"
    source.write_text(
        "#include <portals.h>\n"
        "int main() { return PtlNIHandle(PTL_HANDLE_ANY(PTL_EQ_NONE), nullptr) == PTL_NOINIT ? 0 : 1; }\n",
        encoding="ascii",
    )
    program = tmp_path / "none"
    words = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-o", program, source, *flags(prefix, "--cflags", "--libs")]
    built = run(compiler("g++"), *words)
    assert built.returncode == 0, built.stderr
    assert run(program, env=environment(LD_LIBRARY_PATH=str(prefix / "lib"))).returncode == 0


def test_pkg_config_knows_the_version(prefix):
    """The file speaks of the prefix and of the version that the programs print."""
    version = run(prefix / "bin" / "portalsrun", "--version").stdout.split()[1]
    assert flags(prefix, "--modversion") == [version]
    assert flags(prefix, "--variable=prefix") == [str(prefix)]


def case_files(prefix: pathlib.Path) -> set[str]:
    """The files out of which the installed program takes its cases."""
    result = run(prefix / "bin" / "assay", "cases", "--json", cwd="/")
    assert result.returncode == 0, result.stderr
    return {pathlib.PurePath(case["file"]).name for case in json.loads(result.stdout)}


@pytest.mark.long
def test_cases_are_the_installed_ones(build, prefix):
    """A case file that is added beside the installed ones is read; installing anew takes it away again."""
    folder = prefix / "share" / "assay" / "cases" / "portals-3.0"
    before = case_files(prefix)
    assert before == {path.name for path in folder.rglob("*.lua")}
    smoke = (folder / "1-foundations" / "11-smoke.lua").read_text(encoding="utf-8")
    (folder / "zz-left-behind.lua").write_text(smoke.replace('id = "smoke-', 'id = "left-'), encoding="utf-8")
    assert case_files(prefix) == before | {"zz-left-behind.lua"}
    make(build, "install", prefix)
    assert case_files(prefix) == before


def test_judging_the_reference(prefix, tmp_path):
    """The installed tester judges the installed reference, found beside itself."""
    template = [prefix / "bin" / "portalsrun", "-np", "{np}", prefix / "bin" / "interp-portals", "{args}"]
    report = tmp_path / "report"
    result = run(
        prefix / "bin" / "assay", "run", "--case", "smoke-put", "--report", report, "--", *template, cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout + result.stderr
    summary = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert (summary["verdict"], summary["summary"]["pass"]) == ("conforms", 1)
    assert (report / "junit.xml").is_file()


@pytest.fixture(name="service")
def fixture_service(prefix, tmp_path):
    """The installed service on a free port; gives its address. It must end in order."""
    command = [prefix / "bin" / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"]
    with subprocess.Popen(
        command, cwd="/", env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            greeting = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", greeting)
            assert found, greeting + process.stderr.read()
            yield found.group(0)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=180) == 0
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.long
def test_service_and_its_interpreter(service, prefix, tmp_path):
    """The service serves pages, and an interpreter that builds against the installed library."""
    with urllib.request.urlopen(f"{service}/sign-in", timeout=180) as page:
        assert page.headers["Content-Type"].startswith("text/html")
        assert b"<html" in page.read()
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{service}/api/v1/runs", timeout=180)
    assert refused.value.code == 401
    archive = tmp_path / "assay-interpreter.tar.gz"
    with urllib.request.urlopen(f"{service}/download/assay-interpreter.tar.gz", timeout=180) as download:
        archive.write_bytes(download.read())
    assert archive.read_bytes() == (prefix / "share" / "assay" / "assay-interpreter.tar.gz").read_bytes()
    assert run("tar", "xzf", archive, cwd=tmp_path).returncode == 0
    (folder,) = tmp_path.glob("assay-interpreter-*/")
    cflags, libs = " ".join(flags(prefix, "--cflags")), " ".join(flags(prefix, "--libs"))
    env = {key: value for key, value in environment().items() if not key.startswith("MAKE")}
    built = run("make", "CFLAGS=-O0", f"PORTALS_CFLAGS={cflags}", f"PORTALS_LIBS={libs}", cwd=folder, env=env)
    assert built.returncode == 0, built.stdout + built.stderr
    env = environment(LD_LIBRARY_PATH=str(prefix / "lib"))
    assert run("./interp-portals", "--version", cwd=folder, env=env).stdout.startswith("interp-portals ")


def test_certifying_through_the_service(service, prefix, tmp_path):
    """`assay certify` finds the launch agent beside itself and brings the report home."""
    issued = run(prefix / "bin" / "assayd", "--data", tmp_path / "data", "--issue-token", "newcomer")
    assert issued.returncode == 0, issued.stderr
    template = [prefix / "bin" / "portalsrun", "-np", "{np}", prefix / "bin" / "interp-portals", "{args}"]
    options = ["--url", service, "--profile", "portals-3.0", "--case", "smoke-put", "--report", tmp_path / "report"]
    result = run(
        prefix / "bin" / "assay", "certify", *options, "--", *template,
        env=environment(ASSAY_API_TOKEN=issued.stdout.strip()), cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    assert {"report.json", "junit.xml", "cases/smoke-put.txt", "cases/smoke-put.pcapng"} <= files_below(
        tmp_path / "report"
    )


@pytest.mark.parametrize("name", [*PROGRAMS, "portals", "mpi", *FUNCTIONS])
def test_manual_is_found(prefix, name):
    """man finds a page for every program and every function, and can show it."""
    shown = run("man", "-M", prefix / "share" / "man", name, env=environment(MANPAGER="cat", MANWIDTH="80", LC_ALL="C"))
    assert shown.returncode == 0, shown.stderr
    assert name in re.sub(".\b", "", shown.stdout)


def test_staging_and_uninstalling(build, prefix, tmp_path):
    """DESTDIR moves everything and stands in no file; uninstall leaves nothing but what was there before."""
    stage = tmp_path / "stage"
    staged = pathlib.Path(f"{stage}/opt/assay")
    (staged / "bin").mkdir(parents=True)
    (staged / "bin" / "somebody-elses").write_text("stays", encoding="ascii")
    make(build, "install", "/opt/assay", stage)
    assert files_below(staged) == files_below(prefix) | {"bin/somebody-elses"}
    assert str(stage) not in (staged / "lib" / "pkgconfig" / "portals.pc").read_text(encoding="utf-8")
    make(build, "uninstall", "/opt/assay", stage)
    assert files_below(staged) == {"bin/somebody-elses"}
    assert not (staged / "share" / "assay").exists()
