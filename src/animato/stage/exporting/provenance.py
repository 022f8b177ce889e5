"""What every exported file says of itself: names, units, order, rate, and what made it."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from animato.errors import AnimatoError
from animato.formats.files import write_whole
from animato.loading import fingerprint
from animato.stage.exporting.take import Take
from animato.version import __version__


def provenance_of(take: Take, **layout: object) -> dict[str, Any]:
    """A mapping for JSON.

    Args:
        take: What is exported.
        **layout: What the format adds: order of columns, order of bodies, order of quaternions, units.
    """
    return {
        "made_by": f"animato {__version__}",
        "motion": take.name,
        "motion_sha256": fingerprint(take.original),
        "character": take.character.name,
        "character_sha256": fingerprint(take.character),
        "rate_hz": take.rate_hz,
        "frames": take.clip.frame_count,
        "joint_names": list(take.clip.names),
        "units": {"angle": "rad", "length": "m", "time": "s", "up": "z"},
        "quaternion_order": "wxyz",
        "notes": list(take.notes),
        **layout,
    }


def write_with_about(path: Path, content: str | bytes, about: dict[str, Any]) -> tuple[Path, Path]:
    """Writes a file and what it cannot say of itself beside it, both or neither.

    What stood beside an earlier file of that name goes first: it must not speak for another one.
    """
    beside = path.with_name(path.name + ".about.json")
    with suppress(OSError):
        beside.unlink()
    written = write_whole(path, content)
    try:
        return written, save_about(path, about)
    except AnimatoError:
        written.unlink()
        raise


def save_about(path: str | Path, about: dict[str, Any]) -> Path:
    """Writes what a file cannot say of itself into a file beside it, `NAME.about.json`."""
    beside = Path(path)
    return write_whole(beside.with_name(beside.name + ".about.json"), json.dumps(about, indent=2) + "\n")
