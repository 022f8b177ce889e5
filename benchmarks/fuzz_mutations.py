"""Damage for files: some that knows nothing of formats, some that knows text, JSON, XML, zip and containers."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.fuzz_seeds import glb_container

Mutation = Callable[[bytes, np.random.Generator], bytes]

NUMBERS = (
    "1e308", "-1e308", "nan", "inf", "-inf", "Infinity", "999999999", "1000000000000", "-1", "0", "-0", "1e-320", "x",
    "", "1,5", "--3", "1e999", "9" * 40, "1" * 5000, "0x10", "1_000", "\u0663", "2147483648", "4294967296",
    "1e9", "0.1e",
)  # fmt: skip
TOKENS = (
    "\x1b[31m", "\u202e", "\x00", "\ufeff", "\r", "\t", "%s%n", "../../../../etc/passwd", "/dev/zero",
    "file:///dev/random",
    "A" * 5000, "{{{{", "}}}}", "[[[[", "]]]]", "((((", "<a>", "</a>", "&x;", "<!DOCTYPE x [<!ENTITY y 'z'>]>", "*a",
    "&a ", "<<: *a", "!!python/object:os.system", "null", "true", "~", "\"", "'", "\\", "\\ud800", "package://x/../../y.stl",
    "http://localhost/x", "@x.usda@", "#p", "\u00e9", "\U0001f600", "-", ":", ",", ";", "=", "NaN", "None",
)  # fmt: skip
VALUES: tuple[object, ...] = (
    -1, 0, 1, 7, 10**9, 10**30, 10**400, 1e300, 2.5, float("inf"), float("nan"), "x", "", None, True, [], [1], {},
    {"a": 1}, [[]], [None], ["\x1b[2J"], "A" * 3000,
)  # fmt: skip
_NUMBER = re.compile(rb"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]{2,}")


def _chosen(rng: np.random.Generator, things: Sequence[Any]) -> Any:
    return things[int(rng.integers(len(things)))]


def flipped(data: bytes, rng: np.random.Generator) -> bytes:
    """Some bits turned over."""
    changed = bytearray(data)
    for spot in rng.integers(len(data), size=int(rng.integers(1, 20))):
        changed[spot] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def cut(data: bytes, rng: np.random.Generator) -> bytes:
    """The end, the middle or nearly all taken away, or a piece repeated."""
    a, b = sorted(int(one) for one in rng.integers(len(data) + 1, size=2))
    return bytes(
        _chosen(rng, (data[:a], data[:a] + data[b:], data[:b] + data[a:], data[a:], data[:b] + data[a:b] * 50))
    )


def strewn(data: bytes, rng: np.random.Generator) -> bytes:
    """Noise put in."""
    place = int(rng.integers(len(data) + 1))
    return data[:place] + rng.bytes(int(rng.integers(1, 64))) + data[place:]


def miscounted(data: bytes, rng: np.random.Generator) -> bytes:
    """A whole number of 1, 2 or 4 bytes replaced by one that a counter has at its ends."""
    size = int(_chosen(rng, (1, 2, 4)))
    place = int(rng.integers(max(len(data) - size, 1)))
    value = int(_chosen(rng, (0, 1, (1 << (8 * size)) - 1, 1 << (8 * size - 1), (1 << (8 * size - 1)) - 1)))
    return data[:place] + value.to_bytes(size, "little") + data[place + size :]


def renumbered(data: bytes, rng: np.random.Generator) -> bytes:
    """A number written as another, or as none."""
    spans = [found.span() for found in _NUMBER.finditer(data)]
    if not spans:
        return strewn(data, rng)
    start, end = _chosen(rng, spans)
    return data[:start] + str(_chosen(rng, NUMBERS)).encode() + data[end:]


def reworded(data: bytes, rng: np.random.Generator) -> bytes:
    """A nasty word put in, or a word of the file exchanged with another one."""
    spans = [found.span() for found in _WORD.finditer(data)]
    if not spans or rng.random() < 0.5:
        place = int(rng.integers(len(data) + 1))
        return data[:place] + str(_chosen(rng, TOKENS)).encode() + data[place:]
    start, end = _chosen(rng, spans)
    first, last = _chosen(rng, spans)
    return data[:start] + data[first:last] + data[end:]


def relined(data: bytes, rng: np.random.Generator) -> bytes:
    """Lines exchanged, repeated, removed or run together."""
    lines = data.split(b"\n")
    spot, other = (int(one) for one in rng.integers(len(lines), size=2))
    kind = rng.integers(5)
    if kind == 0:
        lines[spot], lines[other] = lines[other], lines[spot]
    elif kind == 1:
        del lines[spot : spot + int(rng.integers(1, 4))]
    elif kind == 2:
        lines[spot:spot] = [lines[other]] * int(rng.integers(1, 200))
    elif kind == 3:
        lines[spot] = lines[spot].replace(b" ", b"\t").replace(b",", b";")
    else:
        return data.replace(b"\n", bytes(_chosen(rng, (b"\r\n", b"\r", b" ", b"\x0b", b""))))
    return b"\n".join(lines)


def nested(data: bytes, rng: np.random.Generator) -> bytes:
    """Something opened many times over."""
    place, deep = int(rng.integers(len(data) + 1)), int(rng.integers(10, 20_000))
    opening, closing = _chosen(
        rng,
        (
            (b"[", b"]"),
            (b"{", b"}"),
            (b"<a>", b"</a>"),
            (b"(", b")"),
            (b"<g>", b"</g>"),
            (b"- ", b""),
            (b'{"a":', b"}"),
        ),
    )
    return data[:place] + opening * deep + (closing * deep if rng.random() < 0.5 else b"") + data[place:]


def restructured(data: bytes, rng: np.random.Generator) -> bytes:
    """Values of a JSON document exchanged, removed or replaced."""
    content = json.loads(data)
    for _ in range(int(rng.integers(1, 4))):
        content = _with_other_value(content, rng)
    return json.dumps(content).encode()


def _with_other_value(content: Any, rng: np.random.Generator) -> Any:
    here = content
    while isinstance(here, dict | list) and here:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = _chosen(rng, keys)
        if isinstance(here[key], dict | list) and here[key] and rng.random() < 0.8:
            here = here[key]
            continue
        if rng.random() < 0.2:
            del here[key]
        else:
            here[key] = _chosen(rng, VALUES)
        return content
    return _chosen(rng, VALUES)


def remarked(data: bytes, rng: np.random.Generator) -> bytes:
    """Elements and attributes of XML removed, repeated, renamed or refilled."""
    spans = [found.span() for found in re.finditer(rb"<[^<>]*>", data)]
    pairs = [found.span(2) for found in re.finditer(rb"([\w:]+)=\"([^\"]*)\"", data)]
    kind = rng.integers(4)
    if kind == 0 and spans:
        start, end = _chosen(rng, spans)
        return data[:start] + data[end:]
    if kind == 1 and spans:
        start, end = _chosen(rng, spans)
        place, _ = _chosen(rng, spans)
        return data[:place] + data[start:end] * int(rng.integers(1, 30)) + data[place:]
    if pairs:
        start, end = _chosen(rng, pairs)
        first, last = _chosen(rng, pairs)
        new = data[first:last] if kind == 2 else str(_chosen(rng, (*NUMBERS, *TOKENS))).encode()
        return data[:start] + new + data[end:]
    return reworded(data, rng)


def repacked(data: bytes, rng: np.random.Generator) -> bytes:
    """Members of a zip exchanged, renamed, refilled or with headers and sizes that lie."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name, other = _chosen(rng, list(members)), _chosen(rng, list(members))
    kind = rng.integers(8)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[name] = members[other]
    elif kind == 2:
        claim = _chosen(
            rng, (b"(999999999,)", b"(-1,)", b"(0,)", b"(3, 999999999, 999999999)", b"()", b"((1,),)", b"(1e9,)")
        )
        members[name] = re.sub(rb"\([\d, ]*\)", claim, members[name], count=1)
    elif kind == 3:
        dtype = _chosen(
            rng, (b"|O8", b"<f4", b"<c16", b"|V8", b"<U2", b">f8", b"<i8", b"|b1", b"<M8", b"<f99", b"<f16")
        )
        members[name] = re.sub(rb"'[<>|][a-zA-Z]\d+'", b"'" + dtype + b"'", members[name], count=1)
    elif kind == 4:
        members[name] = flipped(members[name] or b"x", rng)
    elif kind == 5:
        members[f"{name}.more"] = rng.bytes(50)
    elif kind == 6:
        members[name] = members[name] + b"\0" * 30_000_000  # what deflates to almost nothing
    packed = io.BytesIO()
    way = zipfile.ZIP_DEFLATED if rng.random() < 0.6 or kind == 6 else zipfile.ZIP_STORED
    with zipfile.ZipFile(packed, "w", way) as archive:
        for key, content in members.items():
            archive.writestr(key, content)
    result = packed.getvalue()
    if kind == 7:  # the directory says that a member has another size than it has
        spot = result.rfind(b"PK\x01\x02")
        result = result[: spot + 24] + struct.pack("<I", int(_chosen(rng, (0, 1, 10, 1 << 31)))) + result[spot + 28 :]
    return result


def reglued(data: bytes, rng: np.random.Generator) -> bytes:
    """The JSON of a binary glTF file restructured, in a container that is otherwise whole."""
    length = struct.unpack_from("<I", data, 12)[0]
    content, blob = data[20 : 20 + length], data[28 + length :]
    if rng.random() < 0.15:
        return glb_container(json.loads(content), flipped(blob, rng))
    return glb_container(json.loads(restructured(content, rng)), blob)


PLAIN: tuple[Mutation, ...] = (flipped, cut, strewn, miscounted)
TEXT: tuple[Mutation, ...] = (renumbered, renumbered, reworded, relined, nested, cut)
AWARE: dict[str, tuple[Mutation, ...]] = {
    ".json": (restructured,),
    ".jsonl": TEXT,
    ".urdf": (remarked,),
    ".xml": (remarked,),
    ".svg": (remarked,),
    ".dae": (remarked,),
    ".npz": (repacked,),
    ".usdz": (repacked,),
    ".glb": (reglued,),
}
_BINARY = (".npz", ".usdz", ".usdc", ".glb", ".c3d", ".npy", ".stl")


def mutated(data: bytes, suffix: str, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """A damaged copy of a file.

    Args:
        data: The file.
        suffix: Tells its format.
        others: Other files, of which a piece may be put in.
        rng: All chance.
    """
    for _ in range(int(rng.integers(1, 4))):
        data = data[:2_000_000] or b"x"
        chance = rng.random()
        if chance < 0.04:
            other = _chosen(rng, others)
            place, first = int(rng.integers(len(data) + 1)), int(rng.integers(len(other)))
            data = data[:place] + other[first:]
            continue
        text = PLAIN if suffix in _BINARY else TEXT
        choice = AWARE.get(suffix, text) if chance < 0.5 else text if chance < 0.85 else PLAIN
        try:
            data = _chosen(rng, choice)(data, rng)
        except Exception:  # already too damaged for damage that knows the format
            data = _chosen(rng, PLAIN)(data or b"x", rng)
    return data
