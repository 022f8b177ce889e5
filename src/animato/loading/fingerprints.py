"""What a clip or a character is, in a word of 64 letters: the same content has the same word on every machine."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character, Mesh
from animato.formats.character_yaml import character_to_yaml
from animato.motion import Clip


def fingerprint(*things: Clip | Character | str | bytes) -> str:
    """SHA-256 of the content, in hexadecimal.

    Of a clip: its times, names and numbers, to the bit; not where it came from. Of a character: the text of its file
    and the bytes of its meshes, wherever they lie. Of words: themselves.
    """
    total = hashlib.sha256()
    for thing in things:
        if isinstance(thing, Clip):
            _put_clip(total, thing)
        elif isinstance(thing, Character):
            _put_character(total, thing)
        else:
            content = thing if isinstance(thing, bytes) else thing.encode()
            total.update(b"words" + len(content).to_bytes(8, "little") + content)
    return total.hexdigest()


def _put_clip(total: hashlib._Hash, clip: Clip) -> None:
    total.update(b"clip" + "\0".join(clip.names).encode() + b"\0")
    for array in (clip.times, clip.positions, clip.base_positions, clip.base_quaternions_wxyz):
        if array is None:
            total.update(b"none")
        else:
            total.update(str(array.shape).encode() + np.ascontiguousarray(array, dtype="<f8").tobytes())


def _put_character(total: hashlib._Hash, character: Character) -> None:
    numbers: dict[str, int] = {}

    def numbered(geometry: Any) -> Any:
        """The same robot in another folder is the same robot: a mesh is called by its number."""
        if not isinstance(geometry, Mesh):
            return geometry
        return replace(geometry, path=f"mesh {numbers.setdefault(geometry.path, len(numbers))}")

    bodies = [
        replace(body, shapes=tuple(replace(one, geometry=numbered(one.geometry)) for one in body.shapes))
        for body in character.bodies
    ]
    parts = [replace(part, geometry=numbered(part.geometry)) for part in character.flexible_parts]
    nameless = replace(character, bodies=tuple(bodies), flexible_parts=tuple(parts))
    total.update(b"character" + character_to_yaml(nameless).encode() + b"\0")
    for path in numbers:
        file = Path(path)
        total.update(hashlib.sha256(file.read_bytes()).digest() if file.is_file() else b"missing")
