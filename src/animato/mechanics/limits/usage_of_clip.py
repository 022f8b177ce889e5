"""How much of each limit a clip uses, whatever the character."""

from __future__ import annotations

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.mechanics.limits.loop_usage import loop_limit_usage
from animato.mechanics.limits.usage import Floor, LimitUsage, tree_torque_peak, tree_usage_and_floor
from animato.motion import Clip
from animato.outcome import Progress


def limit_usage(
    character: Character,
    clip: Clip,
    *,
    oversampling: int = 4,
    progress: Progress | None = None,
) -> LimitUsage:
    """Evaluates a clip against every limit of a character.

    Args:
        character: Whose joints form a tree or close loops; flexible parts are taken as rigid.
        clip: What it should do.
        oversampling: Points looked at per frame; the motion between frames is the clip's spline.
        progress: Told what is being worked on.
    """
    return usage_and_floor(character, clip, oversampling=oversampling, progress=progress)[0]


def usage_and_floor(
    character: Character,
    clip: Clip,
    *,
    oversampling: int = 4,
    progress: Progress | None = None,
) -> tuple[LimitUsage, Floor | None]:
    """The same as `limit_usage`, and what the floor gives where soles are known, for whoever needs both."""
    if topology_of(rigidified(character)).is_tree:
        return tree_usage_and_floor(character, clip, oversampling=oversampling, progress=progress)
    return loop_limit_usage(character, clip, oversampling=oversampling, progress=progress), None


def torque_peak(character: Character, clip: Clip) -> float:
    """The largest share of any torque at the frames of a clip; 0 where there is no such limit."""
    if topology_of(rigidified(character)).is_tree:
        return tree_torque_peak(character, clip)
    return loop_limit_usage(character, clip, oversampling=1).peak("torque")
