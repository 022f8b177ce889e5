"""The two didactic motions: one motor turns a rod, straight there and straight back."""

from __future__ import annotations

from animato.gallery.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

ROD_KEYS = (
    Key(0.2, {"motor": 0.0}),
    Key(0.5, {"motor": 30.0}, Ease.EVEN),
    Key(2.0, {"motor": 30.0}, Ease.EVEN),
    Key(2.3, {"motor": 0.0}, Ease.EVEN),
)
"""30 degrees in 0.3 s, a pause of 1.5 s, and back."""

TWO_RODS_KEYS = (Key(0.4, {"motor": 0.0}), Key(1.2, {"motor": 90.0}, Ease.EVEN))
"""The upper rod goes from upright to level."""


def rod_swing() -> Clip:
    """The clip `rod_swing`."""
    return keyed_clip(ROD_KEYS, ("motor",), duration_s=4.0, source="keyframed for rod: 30 degrees, a pause, and back")


def two_rods_fall() -> Clip:
    """The clip `two_rods_fall`."""
    return keyed_clip(
        TWO_RODS_KEYS, ("motor",), duration_s=3.5, source="keyframed for two_rods: from upright to level in 0.8 s"
    )
