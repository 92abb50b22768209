# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The archive that vendors get: builds alone, against the reference as it is installed, and is always the same."""

import json
import os
import pathlib
import re
import subprocess
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def test_contents(tarball):
    with tarfile.open(tarball) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    [folder] = {name.split("/")[0] for name in names}
    assert folder.startswith("assay-interpreter-")
    assert names == sorted(names)
    assert {(member.mtime, member.uid, member.gid) for member in members} == {(0, 0, 0)}
    assert {f"{folder}/{name}" for name in ("README.md", "PROTOCOL.md", "LICENSE", "Makefile", "VERSION")} <= set(names)


def test_builds_alone_and_runs(unpack, root, lib_dir, variant, run, manager):
    if variant != "release":
        pytest.skip("one variant is enough")
    inside = unpack()
    made = subprocess.run(["make", "-j2", "CFLAGS=-O0 -Werror", f"PORTALS_CFLAGS=-I{root}/ref-impl/include",
                           f"PORTALS_LIBS={lib_dir}/libportals.a -lpthread -ldl"],
                          cwd=inside, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    run(inside / "interp-portals")
    peer = manager.accept()
    assert peer.hello["name"] == "interp-portals/" + (inside / "VERSION").read_text().strip()
    assert peer.do("PtlInit") == {"rc": "PTL_OK"}
    assert peer.do("PtlFini") == {"rc": "void"}
    assert peer.do("quit") == {}


@pytest.mark.long
def test_a_header_without_return_codes(unpack, tmp_path):
    """Every return code that the header may lack can be missing: the interpreter compiles, and says which are."""
    header = (HERE / "badlib" / "portals.h").read_text()
    lacking = re.findall(r"PTL_\w+", re.search(r"names='(.*?)'", (unpack() / "probe.sh").read_text(), re.S)[1])
    for name in lacking:
        header = re.sub(rf"\b{name} = [^,]*,", "", header)
    (tmp_path / "portals.h").write_text(header)
    inside = unpack()
    objects = [str(source.with_suffix(".o").relative_to(inside)) for source in inside.glob("portals/*.c")]
    made = subprocess.run(["make", "-j2", *objects, "CFLAGS=-O0 -Werror -DHANDLES_ARE_INTEGERS",
                           f"PORTALS_CFLAGS=-I{tmp_path}"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "this portals.h has no " + " ".join(lacking) in made.stderr


def test_without_a_header(unpack):
    """A header that cannot be found is said in so many words; the agent does not need one."""
    inside = unpack()
    made = subprocess.run(["make"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode != 0
    assert "set PORTALS_CFLAGS" in made.stderr
    made = subprocess.run(["make", "interp-mpi", "MPICC=gcc"], cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode != 0
    assert "mpi.h cannot be compiled; set MPICC" in made.stderr
    made = subprocess.run(["make", "-j2", "sut-agent", "CFLAGS=-O0"], cwd=inside, capture_output=True, text=True,
                          check=False)
    assert made.returncode == 0 and made.stderr == ""
    assert (inside / "sut-agent").exists()


# Functions of the document, and what another header makes of them: those that example/portals.h bridges.
CPLANT = {
    "PtlGetId": "ptl_handle_ni_t interface, ptl_process_id_t *id, ptl_id_t *gsize",
    "PtlTransId": "ptl_handle_ni_t interface, ptl_process_id_t from, ptl_process_id_t *id",
    "PtlNIDist": "ptl_handle_ni_t interface, ptl_process_id_t process, unsigned long *distance",
    "PtlMEInsert": "ptl_handle_me_t current, ptl_process_id_t id, ptl_match_bits_t bits, ptl_match_bits_t ignored, "
                   "ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_me_t *handle",
    "PtlMDInsert": "ptl_handle_md_t current, ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_ins_pos_t position, "
                   "ptl_handle_md_t *handle",
    "PtlPut": "ptl_handle_md_t mem_desc, ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t portal, "
              "ptl_ac_index_t cookie, ptl_match_bits_t bits, ptl_size_t offset, ptl_match_bits_t header",
}


def objects(inside, flags, revision="first"):
    """The compiler looks at what meets the library; what `make` said."""
    sources = [*inside.glob("portals/*.c"), *inside.glob(f"portals/{revision}/*.c")]
    names = [str(source.with_suffix(".o").relative_to(inside)) for source in sources]
    made = subprocess.run(["make", "-j2", *names, "CFLAGS=-fsyntax-only -Werror", f"PORTALS_CFLAGS={flags}"],
                          cwd=inside, capture_output=True, text=True, check=False)
    return made.returncode, made.stderr


def cplant(folder):
    header = (HERE / "badlib" / "portals.h").read_text()
    for name, arguments in CPLANT.items():
        header, count = re.subn(rf"\bint {name}\([^;]*\);", f"int {name}({arguments});", header)
        assert count == 1, name
    folder.mkdir()
    (folder / "vendor_portals.h").write_text(header)
    (folder / "portals.h").write_text("#include <vendor_portals.h>\n")


@pytest.mark.long
def test_a_header_that_is_to_be_bridged(unpack, tmp_path):
    """The functions that take other arguments are named; behind the example of an adapter all is well."""
    cplant(tmp_path / "vendor")
    status, said = objects(unpack(), f"-I{tmp_path}/vendor")
    assert status != 0 and f"not as the document prints them: {' '.join(sorted(CPLANT, key=ORDER.index))};" in said
    inside = unpack()
    status, said = objects(inside, f"-I{inside}/example -I{tmp_path}/vendor")
    assert status == 0, said
    assert "not as the document prints them" not in said and "lacks" not in said


ORDER = ["PtlGetId", "PtlTransId", "PtlNIDist", "PtlMEInsert", "PtlMDInsert", "PtlPut"]


def test_what_is_missing_is_named(unpack, tmp_path):
    header = (HERE / "badlib" / "portals.h").read_text()
    assert "user_ptr" in header
    (tmp_path / "portals.h").write_text(header.replace("user_ptr", "cookie_of_user").replace("PTL_MD_TRUNCATE", "CUT"))
    status, said = objects(unpack(), f"-I{tmp_path}")
    assert status != 0 and "this portals.h lacks ptl_md_t.user_ptr PTL_MD_TRUNCATE:" in said


@pytest.mark.long
def test_integer_handles_of_several_sizes_are_found(unpack):
    status, said = objects(unpack(), f"-I{HERE}/badlib")
    assert status == 0 and "converted by assignment" in said, said


def test_the_list_is_what_the_sources_use(unpack):
    """Everything of the library that the sources name, and nothing else."""
    inside = unpack()
    listed = subprocess.run(["sh", "probe.sh", "list"], cwd=inside, capture_output=True, text=True, check=True).stdout
    text = "\n".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
                     for path in sorted([*inside.glob("portals/*.[ch]"), *inside.glob("portals/first/*.[ch]")]))
    for pattern in (r"\bPtl[A-Z]\w+", r"\bptl_\w+_t\b"):
        used = set(re.findall(pattern, text))
        assert used == set(re.findall(pattern, listed)), pattern
    assert set(re.findall(r"\bPTL_\w+\b", listed)) <= set(re.findall(r"\bPTL_\w+\b", text))


LATER = HERE.parents[1] / "ref-impl" / "include"


@pytest.mark.parametrize("revision", [pytest.param("3.2", marks=pytest.mark.long), "3.3"])
def test_a_later_header_needs_no_adapter(unpack, revision):
    """Which revision it is the compiler says; nothing is written, nothing is said to be missing."""
    status, said = objects(unpack(), f"-I{LATER}/portals-{revision}", "later")
    assert status == 0, said
    assert f"is of Portals {revision}" in said and "lacks" not in said


@pytest.mark.long
def test_a_code_that_a_later_header_lacks(unpack, tmp_path):
    """It is a code that no library returns, and no reason not to compile."""
    header = (LATER / "portals-3.3" / "portals3.h").read_text(encoding="utf-8")
    (tmp_path / "portals3.h").write_text(header.replace("    PTL_UNKNOWN_ERROR", "    PTL_OTHER_ERROR"))
    inside = unpack()
    status, said = objects(inside, f"-I{tmp_path}", "later")
    assert status == 0 and "-DPTL_UNKNOWN_ERROR=-" in (inside / "portals_names.mk").read_text(), said


@pytest.mark.long
def test_functions_that_a_later_header_lacks(unpack, tmp_path):
    """They are named and left out; one that is a macro is there."""
    header = (LATER / "portals-3.3" / "portals3.h").read_text(encoding="utf-8")
    for name in ("PtlGetPut", "PtlNIFailStr", "PtlHandleIsEqual"):
        header = re.sub(rf"^[^\n/]*\b{name}\([^;]*;", "", header, flags=re.MULTILINE)
    header += "#define PtlHandleIsEqual(a, b) ((a) == (b))\n"
    (tmp_path / "portals3.h").write_text(header)
    inside = unpack()
    status, said = objects(inside, f"-I{tmp_path}", "later")
    assert status == 0 and "has no PtlNIFailStr PtlGetPut; the cases" in said, said
    flags = (inside / "portals_names.mk").read_text()
    assert "-DNO_PtlGetPut" in flags and "-DNO_PtlHandleIsEqual" not in flags


@pytest.mark.long
def test_what_a_later_header_has_otherwise(unpack, tmp_path):
    """Functions that cases can do without are left out, what nothing depends on has a substitute, the rest is named."""
    header = (LATER / "portals-3.3" / "portals3.h").read_text(encoding="utf-8")
    for old, new in (("PtlNIFailStr(ptl_handle_ni_t", "PtlNIFailStr(void *where, ptl_handle_ni_t"),
                     (r"typedef [^;]*\bptl_time_t;", ""), (r"\bptl_time_t\b", "int"),
                     (r"#define PTL_EQ_HANDLER_NONE[^\n]*", "")):
        header, count = re.subn(old.replace("Str(", r"Str\("), new, header)
        assert count, old
    (tmp_path / "portals3.h").write_text(header)
    status, said = objects(unpack(), f"-I{tmp_path}", "later")
    assert status == 0, said
    assert "has no PtlNIFailStr as Portals 3.3 has them; the cases that need them are skipped" in said
    header = re.sub(r"(PtlNIDist\([^;]*?)unsigned long", r"\1double", header.replace("max_size;", "largest;"))
    (tmp_path / "portals3.h").write_text(header)
    status, said = objects(unpack(), f"-I{tmp_path}", "later")
    assert status != 0 and "lacks ptl_md_t.max_size, which Portals 3.3 has;" in said, said
    assert "has other arguments than Portals 3.3: PtlNIDist;" in said, said


def test_a_later_header_like_that_of_the_reference_library(unpack, tmp_path):
    """Another spelling, a constant that wants <stddef.h>, and interfaces in the header of a network."""
    header = (LATER / "portals-3.3" / "portals3.h").read_text(encoding="utf-8")
    for old, new in ((r"#define PTL_NO_ACK_REQ.*", ""), (r"\bPTL_NOACK_REQ\b", "PTL_NO_ACK_REQ"),
                     (r"(#define PTL_EQ_HANDLER_NONE) .*", r"\1 (ptl_eq_handler_t)NULL"), (r"#include <stddef.h>", ""),
                     (r"#define PTL_IFACE_DEFAULT.*", "")):
        header, count = re.subn(old, new, header)
        assert count, old
    (tmp_path / "portals3.h").write_text(header)
    (tmp_path / "p3nal_utcp.h").write_text("#define PTL_IFACE_DEFAULT ((ptl_interface_t)4)\n")
    status, said = objects(unpack(), f"-I{tmp_path}", "later")
    assert status == 0 and "lacks" not in said and "has no" not in said, said


@pytest.mark.parametrize("revision", ["3.2", "3.3"])
def test_the_list_of_a_later_revision(unpack, revision):
    """Everything that it names is in the reference's header; a revision without a list is refused."""
    inside = unpack()
    listed = subprocess.run(["sh", "probe.sh", "list", revision], cwd=inside, capture_output=True, text=True,
                            check=True).stdout
    header = (LATER / f"portals-{revision}" / "portals3.h").read_text(encoding="utf-8")
    for pattern in (r"\bPtl[A-Z]\w+", r"\bptl_\w+_t\b", r"\bPTL_\w+"):
        named, there = (set(re.findall(pattern, text)) for text in (listed, header))
        assert named <= there, named - there
    refused = subprocess.run(["sh", "probe.sh", "list", "3.1"], cwd=inside, capture_output=True, check=False)
    assert refused.returncode == 2


# What each revision's header declares and the library then lacks: functions that the interpreter can do without, and
# others.
UNLINKED = {
    "3.0": ("libportals.a", "", [], ["PtlNIDist", "PtlMDInsert"]),
    "3.2": ("libportals32.a", "portals-3.2", ["PtlMEAttachAny"], ["PtlMEInsert"]),
    "3.3": ("libportals33.a", "portals-3.3",
            ["PtlGetUid", "PtlMEAttachAny", "PtlGetJid", "PtlNIFailStr", "PtlHandleIsEqual", "PtlEQPoll",
             "PtlPutRegion", "PtlGetRegion", "PtlGetPut"], ["PtlNIDist"])}


@pytest.mark.parametrize("revision", [pytest.param(name, marks=[] if name == "3.3" else pytest.mark.long)
                                      for name in UNLINKED])
def test_functions_that_a_library_lacks(unpack, root, lib_dir, bin_dir, variant, tmp_path, revision):
    """The header declares them, and the linker does not find them. The interpreter is built all the same, and the
    library judged: cases about what it can do without are skipped, those about the others fail."""
    if variant != "release":
        pytest.skip("one variant is enough")
    name, folder, spares, gaps = UNLINKED[revision]
    library, inside = tmp_path / name, unpack()
    symbols = [word for gone in (*spares, *gaps) for word in ("--redefine-sym", f"{gone}=other_{gone}")]
    subprocess.run(["objcopy", *symbols, lib_dir / name, library], check=True)
    made = subprocess.run(["make", "-j2", "CFLAGS=-O0 -Werror", f"PORTALS_CFLAGS=-I{root}/ref-impl/include/{folder}",
                           f"PORTALS_LIBS={library} -lpthread -ldl"],
                          cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert not spares or f"lacks {' '.join(spares)}; the cases that need them are skipped" in made.stderr
    assert f"lacks {' '.join(gaps)}; what stands in their place returns PTL_FAIL" in made.stderr
    cases = {"3.0": {"ni-distance": "fail", "md-errors": "fail", "match-both-criteria": "pass"},
             "3.2": {"attach-any-criteria": "skip", "put-starts-and-ends": "pass"},
             "3.3": {"poll-tells-which": "skip", "parts-on-the-wire": "skip", "put-starts-and-ends": "pass"}}[revision]
    report = tmp_path / "report"
    subprocess.run([bin_dir / "assay", "run", "--profile", f"portals-{revision}", "--case", ",".join(cases),
                    "--report", report, "--", bin_dir / "portalsrun", "-np", "{np}", inside / "interp-portals",
                    "{args}"], capture_output=True, text=True, check=False)
    judged = json.loads((report / "report.json").read_text())["cases"]
    assert {case["id"]: case["verdict"] for case in judged} == cases, judged


def test_the_reference_is_there_to_compare(unpack, root):
    assert (unpack() / "example" / "reference.h").read_text() == (root / "ref-impl/include/portals.h").read_text()
