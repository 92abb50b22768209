# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay decode` and `assay encode` as a script meets them: each vector there and back, and broken input."""

import json
import pathlib
import subprocess

import pytest

VECTORS = pathlib.Path(__file__).resolve().parent.parent.parent / "wire" / "vectors"
INTERCEPT = VECTORS / "intercept"
PROTOS = ("impi-client", "impi-server", "impi-packet", "intercept")
FOLDERS = {"portals": VECTORS, **{proto: VECTORS / proto for proto in PROTOS}}
VALID = [(proto, path) for proto, folder in FOLDERS.items() for path in sorted(folder.glob("*.hex"))]
# Their headers promise octets that are not in the file.
CUT_OFF = {"put-ones", "reply-ones", "data-ones", "datasync-ones"}
# What decode, which judges form only, cannot get past: file -> offset of the message, words of the complaint.
BROKEN = {
    "operation-unknown": (0, "unknown operation"),
    "operation-http": (0, "unknown operation"),
    "hello-wrong-magic": (0, "unknown operation"),
    "hello-byte-order": (0, "unknown operation"),
    "length-above-maximum": (0, "above 2^40"),
    "length-all-ones": (0, "above 2^40"),
    "reply-length-above-maximum": (0, "above 2^40"),
    "short-operation": (0, "cut off at offset 3"),
    "short-header": (0, "cut off at offset 52"),
    "short-data": (0, "cut off at offset 80"),
}


def octets_of(path: pathlib.Path) -> bytes:
    """The octets of a vector, read without any of the code under test."""
    lines = (line.split("#")[0] for line in path.read_text(encoding="ascii").splitlines())
    return bytes.fromhex("".join("".join(lines).split()))


@pytest.fixture(name="assay")
def fixture_assay(bin_dir):
    """Runs assay with arguments and octets on standard input."""

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
        return subprocess.run(
            [bin_dir / "assay", *arguments], input=stdin, capture_output=True, timeout=180, check=False
        )

    return run


def one_line(stderr: bytes) -> str:
    """The complaint, which must be exactly one line."""
    assert stderr.endswith(b"\n") and stderr.count(b"\n") == 1, stderr
    return stderr.decode()


@pytest.mark.parametrize(
    "proto,vector",
    [(proto, path) for proto, path in VALID if path.stem not in CUT_OFF],
    ids=lambda value: getattr(value, "stem", value),
)
def test_vector_there_and_back(assay, proto, vector):
    """Octets and hexadecimal text decode alike, every line is JSON, and encoding gives the octets back."""
    octets = octets_of(vector)
    decoded = assay("decode", "--proto", proto, "-", stdin=octets)
    assert (decoded.returncode, decoded.stderr) == (0, b"")
    assert assay("decode", "--proto", proto, "--hex", "--json", str(vector)).stdout == decoded.stdout
    messages = [json.loads(line) for line in decoded.stdout.splitlines()]
    assert messages and messages[0]["offset"] == 0
    encoded = assay("encode", "--proto", proto, "-", stdin=decoded.stdout)
    assert (encoded.returncode, encoded.stderr, encoded.stdout) == (0, b"", octets)
    pretty = "\n".join(json.dumps(message, indent=2) for message in messages)
    assert assay("encode", "--proto", proto, "-", stdin=pretty.encode()).stdout == octets
    text = assay("encode", "--proto", proto, "--hex", "-", stdin=decoded.stdout).stdout
    assert assay("decode", "--proto", proto, "--hex", "-", stdin=text).stdout == decoded.stdout


def test_what_a_put_says(assay):
    """The fields of one message, by hand."""
    decoded = assay("decode", "--proto", "portals", "--hex", str(VECTORS / "put.hex"))
    assert json.loads(decoded.stdout) == {
        "offset": 0,
        "message": "put",
        "fields": {
            "operation": "put",
            "initiator.nid": "127.0.0.1",
            "initiator.pid": 50001,
            "initiator.gid": 7,
            "initiator.rid": 0,
            "target.nid": "127.0.0.1",
            "target.pid": 50002,
            "target.gid": 7,
            "target.rid": 1,
            "portal": 4,
            "cookie": 0,
            "match_bits": "0x0123456789abcdef",
            "offset": 16,
            "md": "0x0000000100000002",
            "rlength": 5,
            "data": "68656c6c6f",
        },
    }


PUT_FROM_PUMA = "MPI message: tag 19088743, rank 35243, context 6589, ready yes, reply yes, long yes"


def test_what_match_bits_say(assay):
    """In the layout that the user names; the line still encodes to the octets that it was made of."""
    arguments = ("decode", "--proto", "portals", "--hex", str(VECTORS / "put.hex"))
    decoded = assay(*arguments, "--match-bits", "puma-mpi").stdout
    assert json.loads(decoded)["match_bits"] == PUT_FROM_PUMA
    assert assay("encode", "--proto", "portals", "-", stdin=decoded).stdout == octets_of(VECTORS / "put.hex")
    text = assay(*arguments, "--match-bits", "assay-mpi", "--text").stdout.decode()
    assert "The match bits say      access to an MPI window: context slot 19088743\n" in text
    assert "match_bits" not in json.loads(assay(*arguments[:-1], "--match-bits", "puma-mpi",
                                                str(VECTORS / "hello.hex")).stdout)


@pytest.mark.parametrize(
    "command,proto,layout,words",
    [
        ("decode", "portals", "lam", "no layout is called lam; there are: assay-mpi, puma-mpi"),
        ("decode", "impi-packet", "puma-mpi", "--match-bits is for --proto portals"),
        ("encode", "portals", "puma-mpi", "--match-bits is for decode"),
    ],
)
def test_match_bits_of_nobody(assay, command, proto, layout, words):
    result = assay(command, "--proto", proto, "--match-bits", layout, "-")
    assert (result.returncode, result.stdout) == (2, b"") and words in one_line(result.stderr)


@pytest.mark.parametrize("proto", ["portals", "impi-client", "impi-server", "impi-packet", "intercept"])
@pytest.mark.parametrize("octets, options", [(b"", []), (b"# nothing yet\n", ["--hex"])])
def test_no_octets_at_all(assay, proto, octets, options):
    """An empty input is said to be one, as what made it may have failed."""
    decoded = assay("decode", "--proto", proto, *options, "-", stdin=octets)
    assert (decoded.returncode, decoded.stdout) == (2, b"")
    assert decoded.stderr == b"assay decode: standard input: nothing to decode: the input holds no octets\n"


def test_a_stream_of_several(assay):
    """Messages come in their order with the offsets at which they begin."""
    decoded = assay("decode", "--proto", "portals", "--hex", str(VECTORS / "stream.hex"))
    messages = [json.loads(line) for line in decoded.stdout.splitlines()]
    assert [(m["offset"], m["message"]) for m in messages] == [
        (0, "hello"),
        (48, "put"),
        (129, "put"),
        (205, "get"),
        (281, "barrier"),
    ]


def test_more_than_memory_chunks(assay):
    """A put of 1 MiB goes through in pieces and comes back whole."""
    head = octets_of(VECTORS / "put.hex")[:68]
    octets = head + (1 << 20).to_bytes(8, "big") + bytes(i * 7 % 251 for i in range(1 << 20))
    decoded = assay("decode", "--proto", "portals", "-", stdin=octets)
    assert decoded.returncode == 0
    assert assay("encode", "--proto", "portals", "-", stdin=decoded.stdout).stdout == octets


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_broken_stream(assay, name):
    """What comes before the violation is printed; the violation is one line that names its offset; exit status 2."""
    offset, words = BROKEN[name]
    first = octets_of(VECTORS / "hello.hex")
    decoded = assay("decode", "--proto", "portals", "-", stdin=first + octets_of(VECTORS / "invalid" / f"{name}.hex"))
    assert decoded.returncode == 2
    assert json.loads(decoded.stdout.splitlines()[0])["message"] == "hello"
    complaint = one_line(decoded.stderr)
    assert f"offset {offset + len(first)}:" in complaint
    if "offset" in words:
        words = f"cut off at offset {int(words.split()[-1]) + len(first)}"
    assert words in complaint


@pytest.mark.parametrize(
    "proto,vector",
    [(proto, path) for proto, path in VALID if path.stem in CUT_OFF],
    ids=lambda value: getattr(value, "stem", value),
)
def test_cut_off_message_is_marked(assay, proto, vector):
    """A message without all its payload is printed with a mark, and encode does not take it for whole."""
    decoded = assay("decode", "--proto", proto, "--hex", str(vector))
    assert decoded.returncode == 2
    assert json.loads(decoded.stdout)["error"] == "cut off"
    encoded = assay("encode", "--proto", proto, "-", stdin=decoded.stdout)
    assert (encoded.returncode, encoded.stdout) == (2, b"")
    assert "error" in one_line(encoded.stderr)


@pytest.mark.parametrize(
    "name,words",
    [
        ("crc-bit", "wrong CRC"),
        ("crc-complement", "wrong CRC"),
        ("header-bit", "wrong CRC"),
        ("kind-zero", "begins with 00: unknown kind"),
        ("kind-6", "begins with 06: unknown kind"),
        ("length-odd", "has 12 octets of payload: no whole quadwords"),
        ("length-above-maximum", "has 512 octets of payload, more than its kind may have"),
        ("length-above-maximum-vdma", "has 520 octets of payload, more"),
        ("acknowledge-with-payload", "has 8 octets of payload, more"),
        ("short-header", "cut off at offset 35, 1 or more octets too early"),
        ("short-payload", "cut off at offset 44, 12 or more octets too early"),
        ("short-crc", "cut off at offset 55, 1 or more octets too early"),
    ],
)
def test_broken_frame(assay, name, words):
    """The frame before the broken one is printed; one line names the offset at which the broken one begins."""
    folder = INTERCEPT
    octets = octets_of(folder / "acknowledge.hex") + octets_of(folder / "invalid" / f"{name}.hex")
    decoded = assay("decode", "--proto", "intercept", "-", stdin=octets)
    assert decoded.returncode == 2
    assert [json.loads(line)["message"] for line in decoded.stdout.splitlines()] == ["acknowledge"]
    assert words in one_line(decoded.stderr)
    assert "cut off" in words or "offset 20:" in decoded.stderr.decode()


def test_what_a_frame_implies(assay):
    """Kind, type, lengths, reserved fields, padding and CRC follow from the rest; a length that does not is refused."""
    fields = {"planes": 15, "flags": 1, "sequence": 0, "destination": 2, "source": 1, "destination_vnic": 1}
    fields |= {"source_vnic": 1, "message_number": 7, "packet_number": 15, "data": "aa"}
    message = {"message": "stop_data", "fields": fields}
    encoded = assay("encode", "--proto", "intercept", "-", stdin=json.dumps(message).encode())
    assert encoded.stdout == octets_of(INTERCEPT / "stop_data.hex")
    for name, value in (("length", 24), ("rmpp_length", 26)):
        wrong = {"message": "stop_data", "fields": fields | {name: value}}
        encoded = assay("encode", "--proto", "intercept", "-", stdin=json.dumps(wrong).encode())
        assert (encoded.returncode, encoded.stdout) == (2, b"")
        assert name in one_line(encoded.stderr)


@pytest.mark.parametrize("text,line", [("00 0", 1), ("00\n\nxx", 3), ("0 0", 1)])
def test_broken_hexadecimal(assay, text, line):
    """The complaint names the line of the text."""
    decoded = assay("decode", "--proto", "portals", "--hex", "-", stdin=text.encode())
    assert decoded.returncode == 2
    assert f"line {line}:" in one_line(decoded.stderr)


@pytest.mark.parametrize(
    "text,words",
    [
        ("{", "message 1"),
        ("[1]", "message"),
        ('{"message":"shout","fields":{}}', "names no message of this protocol"),
        ('{"message":"put"}', "fields"),
        ('{"message":"put","fields":{"colour":1}}', "colour"),
        ('{"message":"barrier","fields":{}}', "initiator.nid"),
        ('{"message":"put","fields":{"data":"0"}}', "data"),
        ('{"message":"barrier","fields":{"operation":4294967296}}', "larger than the field"),
        ('{"message":"barrier","fields":{"initiator.nid":"127.0.0.256"}}', "initiator.nid"),
    ],
)
def test_encode_says_what_is_wrong(assay, text, words):
    """Nothing is written; one line names the message and the field."""
    encoded = assay("encode", "--proto", "portals", "-", stdin=text.encode())
    assert (encoded.returncode, encoded.stdout) == (2, b"")
    assert words in one_line(encoded.stderr)


def test_encode_refuses_a_length_that_the_data_has_not(assay):
    """A put's length and its data must agree; without a length the data's own is taken."""
    message = json.loads(assay("decode", "--proto", "portals", "--hex", str(VECTORS / "put.hex")).stdout)
    message["fields"]["rlength"] = 6
    encoded = assay("encode", "--proto", "portals", "-", stdin=json.dumps(message).encode())
    assert encoded.returncode == 2 and "rlength" in one_line(encoded.stderr)
    del message["fields"]["rlength"], message["fields"]["operation"]
    encoded = assay("encode", "--proto", "portals", "-", stdin=json.dumps(message).encode())
    assert encoded.stdout == octets_of(VECTORS / "put.hex")


@pytest.mark.parametrize("command", ["decode", "encode"])
@pytest.mark.parametrize(
    "arguments,words",
    [
        ([], "--proto with one of portals, impi-client"),
        (["--proto", "morse", "-"], "no protocol is called morse; there are: portals, impi-client"),
        (["--proto", "portals"], "one file"),
        (["--proto", "portals", "/nonexistent/file"], "No such file"),
        (["--proto", "portals", "--loud", "-"], "--loud"),
    ],
)
def test_usage(assay, command, arguments, words):
    """Exit status 2 and one line that says what to do."""
    result = assay(command, *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert words in one_line(result.stderr)


@pytest.mark.parametrize("command", ["decode", "encode"])
def test_full_disk(bin_dir, assay, command):
    """Output that cannot be written is no success."""
    source = assay("decode", "--proto", "portals", "--hex", str(VECTORS / "stream.hex")).stdout
    stdin = source if command == "encode" else octets_of(VECTORS / "stream.hex")
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [bin_dir / "assay", command, "--proto", "portals", "-"],
            input=stdin,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=180,
            check=False,
        )
    assert result.returncode == 2
    assert "standard output cannot be written" in one_line(result.stderr)
