"""What a result is worked out from once more: everything that was asked for when it was made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from animato.errors import OptionError
from animato.motion import Clip, Posture
from animato.studio.capturing import Captured, place_of
from animato.studio.designing import Making, Wish, has_loops, making_of
from animato.studio.document import Document, Take
from animato.studio.drawing import Drawn, wished_start
from animato.studio.exporting.export import BENDING, CAPTURE, DESIGN, MOVING
from animato.studio.fixing import options_from
from animato.studio.steadying import Wishes


@dataclass(frozen=True, eq=False)
class DrawnRecipe:
    """For `trace`: a drawing, and the posture near which its motion is sought."""

    drawn: Drawn
    start: Posture | None


@dataclass(frozen=True, eq=False)
class FixedRecipe:
    """For `fix`: the artist's motion, options of `fix`, and what was made of it before where that is known."""

    clip: Clip
    options: Any
    performed: Clip | None


@dataclass(frozen=True, eq=False)
class SteadiedRecipe:
    """For `steady` and `simulate`: the artist's motion, what is played, and what is wanted."""

    clip: Clip
    played: Clip
    wishes: Wishes


@dataclass(frozen=True, eq=False)
class CapturedRecipe:
    """For `mimic`: where the capture is, and how it is read."""

    place: str
    captured: Captured


@dataclass(frozen=True, eq=False)
class DesignedRecipe:
    """For `design`: targets, and what may change."""

    making: Making
    wish: Wish


Recipe = DrawnRecipe | FixedRecipe | SteadiedRecipe | CapturedRecipe | DesignedRecipe


def recipe_of(name: str, needs: str, document: Document, take: Take | None, folder: Path) -> Recipe | None:
    """What is asked for again; None for exports of what is at hand.

    Args:
        name: Of the export.
        needs: Of the export.
        document: With settings of all tools.
        take: Which; None where there is none.
        folder: Of the project.

    Raises:
        AnimatoError: What it needs is not there.
    """
    if needs == DESIGN:
        return _design(document)
    if take is None:
        raise OptionError("There is no take to be exported; draw, pose or import one first.")
    if name.startswith("trace_"):
        if not isinstance(take.source, Drawn):
            raise OptionError(f"'{take.name}' is not drawn.")
        return DrawnRecipe(take.source, wished_start(document, take.source.wishes.start))
    if needs == CAPTURE:
        if not isinstance(take.source, Captured):
            raise OptionError(f"'{take.name}' does not come from a capture.")
        return CapturedRecipe(place_of(folder, take.source.file), take.source)
    if needs in (BENDING, MOVING):
        return _bending(needs, document, take)
    if name.startswith("fix_"):
        clip = _motion(take)
        options = options_from(document.settings.get("fix", {}))
        return FixedRecipe(clip, options, take.performed if take.verb == "fix" else None)
    return None


def _motion(take: Take) -> Clip:
    if take.motion is None:
        raise OptionError(f"'{take.name}' has no motion yet{f': {take.remark}' if take.remark else '.'}")
    return take.motion


def _bending(needs: str, document: Document, take: Take) -> SteadiedRecipe:
    character = document.character
    if needs == BENDING and not character.flexible_parts:
        raise OptionError(f"Nothing of '{character.name}' bends, so there is nothing to steady.")
    if not character.flexible_parts and not has_loops(character):
        raise OptionError(f"'{character.name}' neither bends nor closes loops: it moves as the take says.")
    if character.floats:
        raise OptionError(f"'{character.name}' floats; only characters that are held are simulated.")
    motion = _motion(take)
    wishes = Wishes.from_values(document.settings.get("steady", {}))
    return SteadiedRecipe(motion, take.clip or motion, wishes)


def _design(document: Document) -> DesignedRecipe:
    wish = Wish.from_values(document.settings.get("design", {}))
    if not wish.kind:
        raise OptionError("No design is open: choose target paths in the mode Design first.")
    return DesignedRecipe(making_of(document, wish), wish)
