"""How much of each limit a clip uses, whatever the character."""

from __future__ import annotations

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.mechanics.limits.loop_usage import loop_limit_usage
from animato.mechanics.limits.usage import LimitUsage, tree_limit_usage
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
    is_tree = topology_of(rigidified(character)).is_tree
    return (tree_limit_usage if is_tree else loop_limit_usage)(
        character, clip, oversampling=oversampling, progress=progress
    )
