# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay decode` and `assay encode` for IMPI: what is said, by hand, and how broken octets are told."""

import json
import pathlib
import subprocess

import pytest

VECTORS = pathlib.Path(__file__).resolve().parent.parent.parent / "wire" / "vectors"


@pytest.fixture(name="assay")
def fixture_assay(bin_dir):
    """Runs assay with arguments and octets on standard input."""

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
        return subprocess.run(
            [bin_dir / "assay", *arguments], input=stdin, capture_output=True, timeout=180, check=False
        )

    return run


def decoded(assay, proto: str, octets: bytes) -> list[dict]:
    """The messages in octets that must be whole."""
    result = assay("decode", "--proto", proto, "-", stdin=octets)
    assert (result.returncode, result.stderr) == (0, b"")
    return [json.loads(line) for line in result.stdout.splitlines()]


def fields(assay, proto: str, name: str) -> list[tuple[str, dict]]:
    """Name and fields of each message in a vector."""
    result = assay("decode", "--proto", proto, "--hex", str(VECTORS / proto / f"{name}.hex"))
    assert (result.returncode, result.stderr) == (0, b"")
    return [(line["message"], line["fields"]) for line in map(json.loads, result.stdout.splitlines())]


def test_the_key_of_the_document(assay):
    """Section 2.3.3: the mask 2, then 5678."""
    assert fields(assay, "impi-client", "auth-key") == [
        ("AUTH", {"cmd": "AUTH", "len": 4, "auth_mask": "0x00000002"}),
        ("KEY", {"key": 5678}),
    ]
    assert fields(assay, "impi-server", "choice-key") == [("CHOICE", {"which": "IMPI_AUTH_KEY", "len": 0})]


def test_the_ports_of_the_document(assay):
    """Figure 2.3: what the server makes of three clients' ports."""
    assert fields(assay, "impi-server", "coll-port")[1] == (
        "COLL",
        {
            "cmd": "COLL",
            "len": 36,
            "label": "IMPI_H_PORT",
            "client_mask": "0x00000007",
            "values": [5001, 5002, 5003, 6001, 6002, 7001, 7002],
        },
    )


@pytest.mark.parametrize(
    "name,values",
    [
        ("coll-version", ["0.0", "0.1", "0.2"]),
        ("coll-addresses", ["::10.0.0.1", "::ffff:192.168.0.2", "2001:db8:0:0:0:0:0:1"]),
        ("coll-pids", [12345, 4294967297, "9223372036854775807", "-9223372036854775808"]),
        ("coll-label-alone", []),
    ],
)
def test_values_are_shown_as_what_they_are(assay, name, values):
    """Versions, addresses, signed numbers; what a JSON reader would round is a string."""
    assert fields(assay, "impi-client", name)[0][1]["values"] == values


@pytest.mark.parametrize("name,data", [("coll-unknown", "01020304050607"), ("coll-part-of-a-value", "000013890000")])
def test_other_payloads_stay_opaque(assay, name, data):
    """An unknown label's octets, and octets that are no whole values."""
    said = fields(assay, "impi-client", name)[0][1]
    assert said["data"] == data and "values" not in said


def test_a_packet(assay):
    """All fields of one packet, by hand."""
    assert fields(assay, "impi-packet", "data") == [
        (
            "DATA",
            {
                "pk_type": "DATA",
                "pk_len": 5,
                "pk_src.p_hostid": "::127.0.0.1",
                "pk_src.p_pid": 101,
                "pk_dest.p_hostid": "::ffff:127.0.0.2",
                "pk_dest.p_pid": -2,
                "pk_srqid": "0x0000000000000011",
                "pk_drqid": "0x0000000000000000",
                "pk_msglen": 5,
                "pk_lsrank": 1,
                "pk_tag": 7,
                "pk_cid": 0,
                "pk_seqnum": 1,
                "pk_count": 5,
                "pk_dtype": "0x00000000deadbeef",
                "pk_reserved": "0x0000000000000000",
                "data": "68656c6c6f",
            },
        )
    ]


def test_text_tells_what_means_nothing(assay):
    """For people a field that the packet does not use is left out where it is zero, and marked where it is not."""
    path = str(VECTORS / "impi-packet" / "syncack-with-lengths.hex")
    text = assay("decode", "--proto", "impi-packet", "--text", "--hex", path).stdout.decode()
    assert "    Data length             128 (means nothing here)\n" in text
    assert "    Source request          0x0000000000000012\n" in text
    assert "Datatype" not in text


def test_a_long_broadcast_goes_through_in_pieces(assay):
    """A label with 300000 values, which no chunk holds, comes back whole."""
    values = b"".join(i.to_bytes(8, "big") for i in range(300000))
    octets = b"COLL" + (len(values) + 4).to_bytes(4, "big") + bytes.fromhex("00003100") + values
    (message,) = decoded(assay, "impi-client", octets)
    assert message["fields"]["values"] == list(range(300000))
    encoded = assay("encode", "--proto", "impi-client", "-", stdin=json.dumps(message).encode())
    assert encoded.stdout == octets


@pytest.mark.parametrize(
    "proto,octets,words",
    [
        ("impi-client", "41555448 ffffffff", "offset 0: the message that begins here has a negative length"),
        ("impi-client", "444f4e45 00000000 434f4c4c", "offset 8: the message that begins here is cut off at offset 12"),
        ("impi-client", "434f4c4c 00000010 00002100 00001389", "offset 0: the COLL that begins here is cut off at"),
        ("impi-server", "000000", "offset 0: the message that begins here is cut off at offset 3, 5 "),
        ("impi-packet", "00000002 00000000", "offset 0: the packet that begins here is cut off at offset 8, 120 "),
        ("impi-packet", "07000000" + "00" * 124, "no packet begins with 07 00 00 00: unknown pk_type"),
    ],
)
def test_broken_octets(assay, proto, octets, words):
    """Exit status 2 and one line that names the offset."""
    result = assay("decode", "--proto", proto, "--hex", "-", stdin=octets.encode())
    assert result.returncode == 2
    assert words in result.stderr.decode() and result.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "proto,text,octets",
    [
        ("impi-client", '{"message":"DONE","fields":{}}', "444f4e4500000000"),
        ("impi-client", '{"message":"COLL","fields":{"label":"IMPI_C_NHOSTS","values":[3]}}',
         "434f4c4c000000080000110000000003"),
        ("impi-client", '{"message":"COLL","fields":{"label":4688,"data":"0102"}}', "434f4c4c00000006000012500102"),
        ("impi-client", '{"message":"COLL","fields":{"data":"001100"}}', "434f4c4c00000003001100"),
        ("impi-client", '{"message":"OTHER","fields":{"cmd":"0x58595a57"}}', "58595a5700000000"),
        ("impi-client", '{"message":"IMPI","fields":{"rank":-1}}', "494d504900000004ffffffff"),
        ("impi-client", '{"message":"COLL","fields":{"label":"IMPI_C_COLL_XSIZE","values":["default"]}}',
         "434f4c4c0000000800001500ffffffff"),
        ("impi-server", '{"message":"CHOICE","fields":{"which":"IMPI_AUTH_KEY"}}', "0000000100000000"),
    ],
)
def test_what_follows_may_be_left_out(assay, proto, text, octets):
    """Codes and lengths are made from the rest."""
    encoded = assay("encode", "--proto", proto, "-", stdin=text.encode())
    assert (encoded.returncode, encoded.stderr, encoded.stdout.hex()) == (0, b"", octets)


@pytest.mark.parametrize(
    "proto,text,words",
    [
        ("impi-client", '{"message":"CHOICE","fields":{"which":0}}', "names no message of this protocol"),
        ("impi-server", '{"message":"CHOICE","fields":{}}', "which"),
        ("impi-client", '{"message":"IMPI","fields":{"rank":2147483648}}', "rank"),
        ("impi-client", '{"message":"IMPI","fields":{"rank":-2147483649}}', "rank"),
        ("impi-client", '{"message":"KEY","fields":{"key":-1}}', "key"),
        ("impi-client", '{"message":"COLL","fields":{"label":4688,"values":[1]}}', "values"),
        ("impi-client", '{"message":"COLL","fields":{"label":8448,"values":[1],"data":""}}', "two payloads"),
        ("impi-client", '{"message":"COLL","fields":{"label":8448,"values":[4294967296]}}', "larger than the field"),
        ("impi-client", '{"message":"COLL","fields":{"label":8192,"values":["127.0.0.1"]}}', "no IPv6 address"),
        ("impi-client", '{"message":"COLL","fields":{"label":4096,"values":["0"]}}', "values"),
        ("impi-client", '{"message":"COLL","fields":{"len":9,"label":8448,"values":[1]}}', "octets that follow"),
        ("impi-packet", '{"message":"FINI","fields":{"data":""}}', "data"),
    ],
)
def test_encode_says_what_is_wrong(assay, proto, text, words):
    """Nothing is written; one line names the message and the field."""
    encoded = assay("encode", "--proto", proto, "-", stdin=text.encode())
    assert (encoded.returncode, encoded.stdout) == (2, b"")
    assert words in encoded.stderr.decode() and encoded.stderr.count(b"\n") == 1
