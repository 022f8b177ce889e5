"""What stands beside a file that cannot say its own names: `NAME.about.json`, as exports write it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from animato.formats.files import is_file, load_json
from animato.formats.training.quaternion_order import QuaternionOrder


@dataclass(frozen=True)
class About:
    """What is said beside a file.

    Attributes:
        joint_names: Of the columns behind those of the base.
        rate_hz: Frames a second.
        quaternion_order: Of the base; None where it has no quaternion.
        base_rests: Whether the base is written only because the format wants one.
    """

    joint_names: tuple[str, ...]
    rate_hz: float
    quaternion_order: QuaternionOrder | None
    base_rests: bool


def about_beside(path: str | Path, frames: int, columns: int) -> About | None:
    """What is said beside a file of so many frames and columns; None where nothing is, or it is of another file.

    Raises:
        FileFormatError: It is there and is not JSON.
    """
    beside = Path(path).with_name(Path(path).name + ".about.json")
    if not is_file(beside):
        return None
    said = load_json(beside, "what stands beside a motion")
    names = said.get("joint_names") if isinstance(said, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    if said.get("frames") != frames or len(names) + 7 != columns or len(set(names)) < len(names):
        return None
    return _about(said, tuple(names))


def _about(said: dict[str, Any], names: tuple[str, ...]) -> About | None:
    rate, order = said.get("rate_hz"), said.get("quaternion_order")
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0.0 < rate < 1e9:
        return None
    known = cast("QuaternionOrder", order) if order in get_args(QuaternionOrder) else None
    return About(names, float(rate), known, said.get("base") == "at rest")
