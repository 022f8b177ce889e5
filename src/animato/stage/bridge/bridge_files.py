"""What an editor reads: one JSON file, in which long arrays stand as bytes in base64."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from animato.formats.files import write_whole
from animato.version import __version__

BRIDGE_VERSION = 1
"""Goes up when a key changes its meaning or goes away; new keys may come without that."""


def save_bridge_file(path: str | Path, kind: str, told: Mapping[str, Any]) -> Path:
    """Writes what is told, whole or not at all.

    Args:
        path: Ends in .json.
        kind: "character" or "answer".
        told: Plain things and numpy arrays; an array becomes `{"dtype", "shape", "base64"}` with little-endian
            numbers, the last axis fastest.
    """
    content = {"animato_bridge": BRIDGE_VERSION, "animato_version": __version__, "kind": kind, **told}
    return write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False, default=_packed) + "\n")


def _packed(value: Any) -> dict[str, Any]:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} has no place in a file of the bridge.")
    plain = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
    text = base64.b64encode(plain.tobytes()).decode("ascii")
    return {"dtype": plain.dtype.str, "shape": list(plain.shape), "base64": text}
