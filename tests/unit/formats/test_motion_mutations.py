"""Damaged files: an error of the family or a valid motion, never another exception, a hang or a flood of memory."""

from __future__ import annotations

import io
import json
import re
import resource
import signal
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError
from animato.formats.capture.bvh_writer import bvh_text
from animato.formats.motion_files import load_motion
from animato.formats.tables.clip_csv import clip_csv_text
from animato.formats.tables.npz import npz_bytes
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.spatial import quaternions

COUNT = 100
LONGEST_S = 5.0
LARGEST_GROWTH_KB = 600_000

NUMBERS = ["1e308", "-1e308", "nan", "inf", "-inf", "999999999", "-1", "0", "1e-320", "x", "", "1,5", "--3", "1e999"]
VALUES: list[object] = [-1, 0, 1, 7, 10**9, 10**30, 1e300, 2.5, "x", "", None, True, [], [1], {}, {"a": 1}, [[]]]


def capture(rng: np.random.Generator) -> CapturedMotion:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(6, 4, 3)))
    return CapturedMotion(
        np.arange(6) / 30.0,
        ("hips", "spine", "head", "head.end"),
        np.array((-1, 0, 1, 2)),
        rng.normal(size=(4, 3)),
        np.concatenate([turns[:, :3], np.tile((1.0, 0.0, 0.0, 0.0), (6, 1, 1))], axis=1),
    )


def clip(rng: np.random.Generator) -> Clip:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(8, 3)))
    values, places = rng.normal(size=(8, 2)), rng.normal(size=(8, 3))
    return Clip(np.arange(8) / 30.0, ("neck", "lift"), values, places, turns, "made up")


def small_glb(rng: np.random.Generator) -> bytes:
    """Two bones with linear, step and cubic keys and one sparse accessor."""
    keys = np.arange(4, dtype="<f4") / 10.0
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(4, 3)))[:, [1, 2, 3, 0]].astype("<f4")
    blocks = [keys.tobytes(), turns.tobytes(), rng.normal(size=(12, 3)).astype("<f4").tobytes()]
    blocks += [np.array([1, 3, 0, 0], dtype="<u2").tobytes(), rng.normal(size=(2, 3)).astype("<f4").tobytes()]
    starts = np.concatenate([[0], np.cumsum([len(block) for block in blocks])])
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "root", "children": [1], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]},
            {"name": "tip", "matrix": np.eye(4).ravel().tolist()},
        ],
        "skins": [{"joints": [0, 1]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC4", "byteOffset": 0},
            {"bufferView": 2, "componentType": 5126, "count": 12, "type": "VEC3"},
            {
                "componentType": 5126,
                "count": 4,
                "type": "VEC3",
                "sparse": {
                    "count": 2,
                    "indices": {"bufferView": 3, "componentType": 5123},
                    "values": {"bufferView": 4},
                },
            },
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": int(start), "byteLength": len(block)}
            for start, block in zip(starts, blocks, strict=False)
        ],
        "buffers": [{"byteLength": int(starts[-1])}],
        "animations": [
            {
                "name": "wave",
                "channels": [
                    {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 1, "path": "translation"}},
                    {"sampler": 2, "target": {"node": 0, "path": "translation"}},
                ],
                "samplers": [
                    {"input": 0, "output": 1, "interpolation": "LINEAR"},
                    {"input": 0, "output": 2, "interpolation": "CUBICSPLINE"},
                    {"input": 0, "output": 3, "interpolation": "STEP"},
                ],
            }
        ],
    }
    return glb_container(content, b"".join(blocks))


def glb_container(content: object, blob: bytes) -> bytes:
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def mutated_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Damage that knows nothing of the format."""
    kind = rng.integers(6)
    place = int(rng.integers(len(data)))
    if kind == 0:
        flipped = bytearray(data)
        for spot in rng.integers(len(data), size=int(rng.integers(1, 20))):
            flipped[spot] ^= 1 << int(rng.integers(8))
        return bytes(flipped)
    if kind == 1:
        return data[:place]
    if kind == 2:
        return data[:place] + rng.bytes(int(rng.integers(1, 64))) + data[place:]
    if kind == 3:
        return data[:place] + data[min(place + int(rng.integers(1, 200)), len(data)) :]
    if kind == 4:
        return rng.bytes(int(rng.integers(0, 400)))
    return data[:4] + rng.bytes(int(rng.integers(0, 400)))


def mutated_text(data: bytes, rng: np.random.Generator) -> bytes:
    """Lines and numbers exchanged, repeated, removed; counts made absurd; nesting made deep."""
    text = data.decode()
    lines = text.splitlines()
    spot, other = (int(one) for one in rng.integers(len(lines), size=2))
    kind = rng.integers(8)
    if kind == 0:
        lines[spot], lines[other] = lines[other], lines[spot]
    elif kind == 1:
        del lines[spot : spot + int(rng.integers(1, 4))]
    elif kind == 2:
        lines.insert(spot, lines[other])
    elif kind in (3, 4):
        words = [match.span() for match in re.finditer(r"-?[\d.]+(?:e-?\d+)?", text)]
        start, end = words[int(rng.integers(len(words)))]
        return (text[:start] + str(rng.choice(NUMBERS)) + text[end:]).encode()
    elif kind == 5:
        claim = str(rng.choice(["999999999", "-3", "0", "1e9", "9" * 40, "2.5", "x"]))
        return re.sub(r"(Frames: |CHANNELS )\d+", rf"\g<1>{claim}", text).encode()
    elif kind == 6:
        deep = int(rng.integers(10, 5000))
        nest = "JOINT a{}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
        lines.insert(min(4, len(lines)), "".join(nest.format(n) for n in range(deep)) + "}\n" * deep)
    else:
        lines[spot] = lines[spot].replace(" ", "\t").replace(",", ";") * int(rng.integers(0, 3))
    return "\n".join(lines).encode()


def mutated_glb(data: bytes, rng: np.random.Generator) -> bytes:
    """One value of the JSON replaced or removed, in a container that is otherwise whole."""
    length = struct.unpack_from("<I", data, 12)[0]
    content, blob = json.loads(data[20 : 20 + length]), data[28 + length :]
    if rng.random() < 0.15:
        flipped = bytearray(blob)
        for spot in rng.integers(len(blob), size=8):
            flipped[spot] = int(rng.integers(256))
        return glb_container(content, bytes(flipped))
    for _ in range(int(rng.integers(1, 4))):
        here = content
        while True:
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            key = keys[int(rng.integers(len(keys)))]
            if isinstance(here[key], dict | list) and here[key] and rng.random() < 0.85:
                here = here[key]
                continue
            if rng.random() < 0.2:
                del here[key]
            else:
                here[key] = VALUES[int(rng.integers(len(VALUES)))]
            break
        if not content:
            break
    return glb_container(content, blob)


def mutated_npz(data: bytes, rng: np.random.Generator) -> bytes:
    """Members removed, renamed, exchanged or with other headers, in a zip that is otherwise whole."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    names = list(members)
    name, other = (names[int(n)] for n in rng.integers(len(names), size=2))
    kind = rng.integers(6)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[name] = members[other]
    elif kind == 2:
        claim = rng.choice(["(999999999,)", "(-1,)", "(0,)", "(3, 999999999, 999999999)", "()", "((1,),)", "(1e9,)"])
        members[name] = re.sub(rb"\([\d, ]*\)", str(claim).encode(), members[name], count=1)
    elif kind == 3:
        dtype = rng.choice(["|O8", "<f4", "<c16", "|V8", "<U2", ">f8", "<i8", "|b1", "<M8", "<f99"])
        members[name] = re.sub(rb"'[<>|][a-zA-Z]\d+'", f"'{dtype}'".encode(), members[name], count=1)
    elif kind == 4:
        body = bytearray(members[name])
        for spot in rng.integers(len(body), size=6):
            body[spot] = int(rng.integers(256))
        members[name] = bytes(body)
    else:
        members[f"{name}.more"] = rng.bytes(50)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED) as archive:
        for key, content in members.items():
            archive.writestr(key, content)
    return out.getvalue()


def originals(suffix: str, rng: np.random.Generator) -> list[bytes]:
    if suffix == ".bvh":
        return [bvh_text(capture(rng))[0].encode()]
    if suffix == ".csv":
        plain = "frame;neck (deg);lift [mm]\n" + "".join(f"{n};{n},5;{2 * n}\n" for n in range(9))
        return [clip_csv_text(clip(rng)).encode(), ("# fps: 30\n" + plain).encode()]
    if suffix == ".glb":
        return [small_glb(rng)]
    stroke = Stroke(rng.normal(size=(5, 2)), np.arange(5.0), rng.random(5))
    markers = MarkerMotion(np.arange(3.0), ("a", "b"), rng.normal(size=(3, 2, 3)))
    motions = (clip(rng), capture(rng), markers, stroke, Posture(("a",), np.zeros(1)))
    return [npz_bytes(motion) for motion in motions]


AWARE: dict[str, Callable[[bytes, np.random.Generator], bytes]] = {
    ".bvh": mutated_text,
    ".csv": mutated_text,
    ".glb": mutated_glb,
    ".npz": mutated_npz,
}


def mutations(suffix: str, count: int, randomness: int) -> Iterator[bytes]:
    """Damaged files, half of them by damage that knows the format."""
    rng = np.random.default_rng(randomness)
    files = originals(suffix, rng)
    for index in range(count):
        data = files[index % len(files)]
        for _ in range(int(rng.integers(1, 3))):
            try:
                data = AWARE[suffix](data, rng) if rng.random() < 0.6 else mutated_bytes(data, rng)
            except Exception:  # already too damaged for damage that knows the format
                data = mutated_bytes(data or b"x", rng)
        yield data


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"a damaged file took more than {LONGEST_S} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one on its way to another thread would end the process
        signal.signal(signal.SIGALRM, before)


def outcome(path: Path) -> str:
    """What loading led to: "error" of the family, or "motion"; anything else is raised."""
    try:
        with time_limit():
            motion = load_motion(path)
    except AnimatoError as error:
        assert str(error).strip(), "an error says something"
        assert len(str(error)) < 2500, "an error stays readable"
        return "error"
    assert isinstance(motion, Clip | CapturedMotion | MarkerMotion | Stroke | Posture)
    return "motion"


@pytest.mark.parametrize("suffix", sorted(AWARE))
def test_damaged_files_never_break_the_reader(suffix: str, tmp_path: Path) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    path = tmp_path / f"damaged{suffix}"
    outcomes = []
    for number, data in enumerate(mutations(suffix, COUNT, randomness=7)):
        path.write_bytes(data)
        started = time.perf_counter()
        try:
            outcomes.append(outcome(path))
        except Exception as error:
            pytest.fail(f"mutation {number} of {suffix}: {type(error).__name__}: {error}")
        assert time.perf_counter() - started < LONGEST_S
    assert outcomes.count("error") > COUNT / 2, "the mutations do damage"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < LARGEST_GROWTH_KB


@pytest.mark.parametrize("suffix", sorted(AWARE))
def test_undamaged_files_load(suffix: str, tmp_path: Path) -> None:
    """The control: what the mutations start from is valid, so that their errors come from the damage."""
    for number, data in enumerate(originals(suffix, np.random.default_rng(7))):
        path = tmp_path / f"whole{number}{suffix}"
        path.write_bytes(data)
        assert outcome(path) == "motion"
