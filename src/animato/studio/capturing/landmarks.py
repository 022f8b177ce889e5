"""Names of a body's landmarks, as the studio tells of them."""

from __future__ import annotations

from animato.mimic.person import LANDMARKS

__all__ = ["LANDMARKS", "mirror_name"]


def mirror_name(landmark: str) -> str:
    """The landmark, or the part of a foot, on the other side; itself where it has none."""
    for side, other in (("left", "right"), ("right", "left")):
        if landmark.startswith((f"{side}_", f"{side} ")):
            return other + landmark.removeprefix(side)
    return landmark
