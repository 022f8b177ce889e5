"""What processes are sent to do for a capture; `mimic` is large and is loaded there, not at the desk."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from animato.character import Character
from animato.errors import AnimatoError, MotionError
from animato.findings import capitalized
from animato.loading import load_clip_and_losses
from animato.loading.preparing import prepared
from animato.motion import Clip
from animato.outcome import Progress
from animato.studio.capturing.captured import Captured
from animato.studio.capturing.seen import Followed, Seen

if TYPE_CHECKING:
    from animato.mimic.problem import Problem

_SHORT = Captured("person_wave", end_s=0.5)


def warm(character: Character) -> None:
    """Makes a process ready for the first capture, before somebody waits for it."""
    with contextlib.suppress(AnimatoError):
        follow(character, _SHORT.file, _SHORT)


def look(character: Character, place: str, captured: Captured) -> Seen:
    """See `looking.see`."""
    from animato.studio.capturing.looking import see

    return see(character, place, captured)


def follow(character: Character, place: str, captured: Captured, progress: Progress | None = None) -> Followed:
    """See `following.followed`."""
    from animato.studio.capturing.following import followed

    return followed(character, place, captured, progress)


def perform(character: Character, place: str, captured: Captured, progress: Progress | None = None) -> Followed:
    """See `following.performed`."""
    from animato.studio.capturing.following import performed

    return performed(character, place, captured, progress)


def asked(character: Character, place: str, captured: Captured) -> Problem:
    """What `mimic` is asked for, see `following.problem_of`.

    Raises:
        AnimatoError: No person, no humanoid.
    """
    from animato.studio.capturing.following import problem_of
    from animato.studio.capturing.looking import see

    return problem_of(character, place, captured, see(character, place, captured), preview=False)


def transfer(
    character: Character, place: str, joints: Mapping[str, str], progress: Progress | None = None
) -> tuple[Clip, str]:
    """The plain transfer: angles of bones onto joints, for characters that are no humanoids.

    Args:
        character: Who.
        place: Of the file.
        joints: Joint -> bone, for joints whose names do not tell.
        progress: Is told nothing; it is quick.

    Raises:
        AnimatoError: No joint has a bone.
    """
    try:
        clip, losses = load_clip_and_losses(place, character, mapping=joints)
    except MotionError as error:
        # the library says how programs name bones; here they are chosen in a list
        raise MotionError(
            str(error).split(" Say which bone")[0] + " Choose below which bone moves which joint."
        ) from None
    ready = prepared(character, clip)
    words = [one for one in (*losses, *ready.remarks) if "`" not in one]
    return ready.clip, capitalized(f"{'; '.join(words)}.") if words else ""
