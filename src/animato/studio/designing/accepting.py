"""A design becomes the project's character, and takes become takes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.design import baked
from animato.errors import AnimatoError, CharacterError
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip
from animato.outcome import Iteration, Progress
from animato.studio.designing.found import Found
from animato.studio.designing.wish import Wish
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed

_VERB = "design"
_OTHERS = "The mechanism has changed since; make it performable again."


def accepted_character(character: Character, proposal: Character) -> Character:
    """The proposal as it would be built: what was freed is fixed where it was found.

    Joints that the character had as configurable stay so, set as they were found.

    Args:
        character: Before.
        proposal: Designed, with what was freed for it.
    """
    known = {joint.name for joint in character.joints}
    return baked(proposal, only=[joint.name for joint in proposal.joints if joint.name not in known])


def accepted(document: Document, wish: Wish, found: Found, begin: float) -> Document:
    """The document with the proposal as its character.

    The take that the targets come from performs what was found; of a target that comes with animato a take is made.

    Args:
        document: Before.
        wish: What was asked for.
        found: What was found, wholly solved.
        begin: When the target begins on the take's clock [s].
    """
    assert found.character is not None and found.clip is not None  # rough ones are never accepted
    character = accepted_character(document.character, found.character)
    stem = PurePosixPath(document.character_name).stem or document.character.name
    clip = replace(found.clip, times=found.clip.times + begin)
    same = character == document.character  # motors alone did it
    takes = tuple(_take(one, wish, clip, same=same) for one in document.takes)
    after = replace(document, takes=takes, settings={**document.settings, "design": Wish().values()})
    if not same:
        after = replace(after, character=character, character_name=f"character/{stem}.yaml")
    if wish.kind == "shipped":
        name = after.free_name(wish.name)
        after = after.with_take(Take(name, Keyed.of(clip), clip))
    return after


def _take(take: Take, wish: Wish, clip: Clip, *, same: bool) -> Take:
    if wish.kind != "shipped" and take.name == wish.name:
        return take.performed_by(_VERB, clip)
    if take.performed is not None and not same:
        return replace(take, performed=None, verb="", remark=_OTHERS)
    return take


def has_loops(character: Character) -> bool:
    """Whether passive joints depend on how the mechanism is built."""
    try:
        return not topology_of(rigidified(character)).is_tree
    except CharacterError:
        return False


def closed_again(character: Character, clips: tuple[Clip, ...], progress: Progress | None = None) -> list[Clip | str]:
    """Clips of another mechanism, with what motors do kept and passive joints as they are now.

    Args:
        character: The new mechanism.
        clips: Of the old one.
        progress: Told of every clip.

    Returns:
        For each the clip, or why the mechanism cannot follow, in a sentence.
    """
    found: list[Clip | str] = []
    for number, clip in enumerate(clips, 1):
        if progress is not None:
            progress(Iteration(stage="closing loops", number=number, total=len(clips), seconds=0.0))
        try:
            found.append(clip_with_loops(character, clip))
        except AnimatoError as error:
            found.append(str(error))
    return found
