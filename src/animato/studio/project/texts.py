"""The content of a project's files: JSON and CSV whose numbers come back bit for bit."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, FileFormatError, MotionError
from animato.formats.character_yaml import save_character_yaml
from animato.formats.tables import clip_csv_text, load_motion_csv, load_npz_motion, save_npz
from animato.motion import Clip


def json_bytes(values: Mapping[str, Any]) -> bytes:
    """A JSON file of plain values, as people read it: a line a field, a row of numbers on a line."""
    text = _lines(json.loads(json.dumps(values, default=_plain)), "") + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half of a letter, as a page may send it; only escaped it can be kept
        return json.dumps(values, default=_plain, indent=1).encode()


def read_json(place: Path, content: bytes) -> dict[str, Any]:
    """What such a file says.

    Raises:
        FileFormatError: It is none; with the line.
    """
    try:
        values = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise FileFormatError(place, "this is not text.") from None
    except json.JSONDecodeError as error:
        raise FileFormatError(place, f"this is not JSON: {error.msg}.", error.lineno) from None
    except (RecursionError, ValueError):
        raise FileFormatError(place, "this is not JSON that a studio wrote.") from None
    if not isinstance(values, dict):
        raise FileFormatError(place, "this is not a file of a project: it holds no fields.", 1)
    return values


def clip_bytes(clip: Clip, character: Character | None) -> tuple[bytes, str]:
    """The content of a clip's file and its ending: .csv, or .npz where a name cannot stand in a table."""
    try:
        return clip_csv_text(clip, character).encode("utf-8"), ".csv"
    except (MotionError, UnicodeEncodeError):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "clip.npz"
            save_npz(place, clip)
            return place.read_bytes(), ".npz"


def read_clip(place: Path) -> Clip:
    """The clip of such a file.

    Raises:
        AnimatoError: It cannot be read.
    """
    motion = load_npz_motion(place) if place.suffix == ".npz" else load_motion_csv(place, kind="clip")
    if not isinstance(motion, Clip):
        raise FileFormatError(place, "this is no clip.")
    return motion


def character_bytes(character: Character, place: Path) -> bytes:
    """The content of a character's file that will stand at a place: meshes are named from there."""
    beside = place.with_name(f".new.{place.stem}.writing.yaml")
    try:
        save_character_yaml(beside, character)
        return beside.read_bytes()
    except OSError as error:
        raise AnimatoError(f"Cannot save '{place}': {error.strerror or error}.") from None
    finally:
        beside.unlink(missing_ok=True)


def fingerprint(content: bytes) -> str:
    """By which it is known whether a file is the one that was written."""
    return hashlib.sha256(content).hexdigest()


def _plain(value: object) -> Any:
    """Numbers and arrays of numpy, tuples and the like as JSON knows them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise AnimatoError(f"A {type(value).__name__} cannot be kept in a project.")


def _lines(value: Any, indent: str) -> str:
    """Nested as far as there are fields; what holds only numbers and words stands on one line."""
    inner = indent + "  "
    if isinstance(value, dict) and value:
        rows = [f"{inner}{_flat(key)}: {_lines(one, inner)}" for key, one in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        return "[\n" + ",\n".join(f"{inner}{_row(one, inner)}" for one in value) + f"\n{indent}]"
    return _flat(value)


def _row(value: Any, indent: str) -> str:
    """One thing of a list: on a line where that can be read."""
    flat = _flat(value)
    return flat if len(flat) <= 160 or not isinstance(value, dict | list) else _lines(value, indent)


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
