"""Damaged files of every format, and the worst that is known: refused in our words, in time and within memory.

The long run is `python -m benchmarks fuzz`; these few hundred files are of another seed.
"""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError, FileFormatError
from animato.formats import load_character, load_motion
from animato.formats.strokes import read_strokes
from animato.formats.usd import rehearsal
from benchmarks.fuzz import damaged_file, undamaged, verdicts
from benchmarks.fuzz_seeds import OBJ, URDF, USDA, seeds, small_c3d
from benchmarks.fuzz_worker import READERS

COUNT = 200


def test_damaged_files_are_refused_in_our_words() -> None:
    found = list(verdicts(COUNT, seed=11))
    bad = [f"{one.number} {one.seed.name}: {one.said}" for one in found if one.what in ("foreign", "hang")]
    assert not bad, "\n".join(bad)
    assert sum(one.what == "refused" for one in found) > COUNT / 2, "the damage does damage"


def test_undamaged_files_are_read() -> None:
    """The control: what is damaged is whole, so that refusals come from the damage."""
    found = list(undamaged())
    assert [one for one in found if one.what != "read"] == []
    assert {one.seed.reader for one in found} == set(READERS)


def test_a_run_can_be_repeated() -> None:
    originals = seeds()
    for number in (0, 7):
        assert damaged_file(number, 5, originals)[1] == damaged_file(number, 5, originals)[1]


def refused(path: Path, *, reader: str = "motion", match: str | None = None) -> str:
    with pytest.raises(AnimatoError, match=match) as told:
        READERS[reader](path)
    return str(told.value)


@pytest.mark.parametrize("reader", ["character", "motion", "strokes", "targets", "mesh"])
def test_streams_without_end_are_refused(tmp_path: Path, reader: str) -> None:
    suffix = {"character": ".urdf", "strokes": ".json", "targets": ".json", "mesh": ".stl"}.get(reader, ".bvh")
    pipe, zero = tmp_path / f"pipe{suffix}", tmp_path / f"zero{suffix}"
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    refused(pipe, reader=reader)
    refused(zero, reader=reader)


@pytest.mark.parametrize("reader", sorted(READERS))
@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "y/" * 3000, "\ud800"])
def test_names_that_no_file_can_have(tmp_path: Path, reader: str, name: str) -> None:
    suffix = {"motion": ".bvh", "strokes": ".json", "targets": ".json", "mesh": ".stl", "array": ".npy"}
    if reader in ("loops", "skeleton"):
        (tmp_path / "robot.urdf").write_text(URDF)
        pytest.skip("these name a second file")
    refused(tmp_path / f"{name}{suffix.get(reader, '.yaml')}", reader=reader)


@pytest.mark.parametrize(
    "text",
    [
        '{"unit": [], "points": [[0, 0], [1, 1]]}',
        '{"unit": {"a": 1}, "points": [[0, 0], [1, 1]]}',
        '{"points": [[0, 0], [1, ' + "9" * 5000 + "]]}",
        '{"points": [[0, 0], [1, Infinity]]}',
        '{"points": [[0, 0], [1, 1e999]]}',
        "[" * 100_000,
        '{"points": ' * 50_000,
    ],
)
def test_strokes_that_are_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    refused(path, reader="strokes")


@pytest.mark.parametrize("word", ["Infinity", "-Infinity", "1e999", "9" * 400])
def test_infinity_is_no_gap(tmp_path: Path, word: str) -> None:
    path = tmp_path / "a.json"
    start = '{"rate_hz": 60, "targets": {"light": {"positions": [[0, 0, 0.1], null, [0, 0, '
    path.write_text(f"{start}{word}]]}}}}}}")
    refused(path, reader="targets")
    table = tmp_path / "a.csv"
    table.write_text("time,light.x,light.y,light.z\n0,0,0,0.1\n1,,,\n2,0,0,inf\n")
    refused(table, reader="targets", match="too large")
    c3d = bytearray(small_c3d(np.random.default_rng(0)))
    c3d[1024:1028] = struct.pack("<f", np.inf)
    (tmp_path / "a.c3d").write_bytes(c3d)
    refused(tmp_path / "a.c3d", match="damaged")


def test_an_archive_that_unpacks_into_much_more(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("times.npy", b"\0" * 50_000_000)
    assert path.stat().st_size < 100_000
    refused(path, match="claims")


def test_an_archive_whose_sizes_lie(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("times.npy", b"\0" * 50_000_000)
    data = bytearray(packed.getvalue())
    for mark, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        spot = data.rfind(mark)
        data[spot + place : spot + place + 4] = struct.pack("<I", 100)
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    refused(path, match="damaged")


@pytest.mark.parametrize(
    "text",
    [
        # ten references in each of eight prims: a hundred million prims of a kilobyte and a half
        "#usda 1.0\n"
        + "".join(
            f'def "l{n}"\n{{\n' + "".join(f'def "c{k}" (references = </l{n + 1}>)\n{{\n}}\n' for k in range(10)) + "}\n"
            for n in range(8)
        )
        + 'def "l8"\n{\n}\n',
        "#usda 1.0\n" + 'def "a" {' * 20_000,
        USDA.replace('"hinge"', '"hin\udcffge"'),
    ],
    ids=["references", "nested", "not UTF-8"],
)
def test_usd_that_would_take_everything(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pxr")
    monkeypatch.setattr(rehearsal, "PROBE_SECONDS", 2)
    monkeypatch.setattr(rehearsal, "PROBE_MEMORY", 200_000_000)
    path = tmp_path / "a.usda"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    refused(path, reader="character")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.bvh", b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}\nMOTION\n"
                  b"Frames: 999999999\nFrame Time: 0.01\n1 2 3\n"),
        ("a.urdf", b"<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>"),
        ("a.urdf", b"<robot>" + b"<link>" * 100_000),
        ("a.yaml", b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [%s]\n" % (n, n, b", ".join(
            [b"*a" if n == 0 else b"*b%d" % (n - 1)] * 9)) for n in range(12))),
        ("a.yaml", b"a: " + b"[" * 100_000),
        ("a.npz", b"PK\x05\x06" + b"\xff" * 18),
    ],
)  # fmt: skip
def test_claims_entities_aliases_and_depth(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    refused(path, reader="character" if name.endswith(("urdf", "yaml")) else "motion")


def test_meshes_that_claim_or_unfold(tmp_path: Path) -> None:
    claims = tmp_path / "a.stl"
    claims.write_bytes(b"\0" * 80 + struct.pack("<I", 1 << 31) + b"\0" * 100)
    refused(claims, reader="mesh", match="cut off")
    ply = tmp_path / "a.ply"
    ply.write_text("ply\nformat ascii 1.0\nelement vertex 999999999999\nproperty float x\nend_header\n0\n")
    refused(ply, reader="mesh", match="damaged")
    scene = "".join(
        f'<node id="n{n}"><instance_node url="#n{n + 1}"/><instance_node url="#n{n + 1}"/></node>' for n in range(40)
    )
    dae = tmp_path / "a.dae"
    dae.write_text(f"<COLLADA><library_nodes>{scene}<node id='n40'/></library_nodes></COLLADA>")
    refused(dae, reader="mesh", match="unfold")
    archive = tmp_path / "a.3mf"
    archive.write_bytes(OBJ.encode())
    refused(archive, reader="mesh", match="meshes end in")


def test_a_file_cannot_make_the_reader_open_another_one(tmp_path: Path) -> None:
    """A mesh may name any path; reading the robot does not open it."""
    path = tmp_path / "a.urdf"
    path.write_text(URDF.replace("package://crank/rod.stl", "/dev/zero"))
    assert load_character(path).name == "crank"


def test_large_numbers_in_a_file_are_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"points": [[0, 0], [1, 10**400]]}))
    with pytest.raises(FileFormatError):
        read_strokes(path)
    trc = tmp_path / "a.trc"
    trc.write_text("PathFileType\t4\n\n999999999999\n\n\n\n")
    with pytest.raises(FileFormatError):
        load_motion(trc)


def test_a_course_at_a_time_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"point": [0.4, 0.2, 0.2], "time_s": 1' + "0" * 400 + "}\n0.3 0.1 0.2\n")
    READERS["target_lines"](path)
