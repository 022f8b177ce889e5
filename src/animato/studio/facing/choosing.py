"""What of a character can look, and what it holds meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from animato.character import Character
from animato.motion import Posture

if TYPE_CHECKING:
    from animato.studio.facing.live_gaze import LiveGaze

RATE_HZ = 100.0
_LOOKS = ("eye", "head", "face", "gaze", "look", "light", "camera", "beak", "nose", "skull")


def what_looks(character: Character) -> list[str]:
    """Names of what can be chosen, the likeliest first: end-points, then markers and bodies that sound like a head."""
    ends = [one.name for one in character.end_points]
    places = [*(one.name for one in character.markers), *(one.name for one in character.bodies)]
    others = [name for name in places if _sounds_like_a_head(name)]
    ranked = sorted(ends, key=lambda name: not _sounds_like_a_head(name))
    return list(dict.fromkeys([*ranked, *others]))


def first_posture(character: Character) -> str:
    """The posture to begin with: the first one that is not plain rest; "" where there is none."""
    names = [one.name for one in character.postures]
    return next((name for name in names if name not in ("rest", "neutral")), names[0] if names else "")


def posture_named(character: Character, postures: Mapping[str, Posture], name: str) -> Posture:
    """One that was kept, one of the character's own, or, for "", all joints at rest.

    Raises:
        UnknownNameError: There is none of this name.
    """
    if not name:
        rest = np.array([value for joint in character.free_joints for value in joint.neutral])
        return Posture(character.coordinate_names, rest, "rest")
    return postures[name] if name in postures else Posture.named(character, name)


def build_gaze(character: Character, posture: Posture, end_point: str | None, manner: Mapping[str, float]) -> LiveGaze:
    """A character that looks; that takes up to some seconds where machine code is made for the first time.

    Args:
        character: Who.
        posture: What it holds.
        end_point: What looks; the only end-point where not given.
        manner: Of its motion, by words of `express.Options`.

    Raises:
        AnimatoError: Nothing of it can look, and why.
    """
    from animato.express import Options, build  # all of express: who opens a studio need not wait for it
    from animato.studio.facing.live_gaze import LiveGaze

    manners: dict[str, Any] = dict(manner)
    options = Options(end_point=end_point, rate_hz=RATE_HZ, **manners)
    gaze = LiveGaze(build(character, posture, options=options))
    gaze.breathe(True)
    gaze.step()  # what is compiled at first use is compiled now
    gaze.breathe(False)
    return gaze


def _sounds_like_a_head(name: str) -> bool:
    return any(word in name.lower() for word in _LOOKS)
