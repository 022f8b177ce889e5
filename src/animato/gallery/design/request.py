"""From what a person asks for to a motion and options: shipped targets by name, or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from animato.character import Character
from animato.design.options import Options
from animato.design.problem import TARGET_SUFFIXES, TargetMotion, load_targets
from animato.errors import OptionError, UnknownNameError, unknown_name
from animato.formats import load_character
from animato.gallery.design.demonstrators import Demonstrator, demonstrators
from animato.gallery.design.four_bar import four_bar_demonstrator
from animato.motion import Clip


def shipped_targets() -> dict[str, Demonstrator]:
    """Targets that come with animato, by name, each made for a character of its own."""
    four_bar = four_bar_demonstrator()
    return {four_bar.name: four_bar, **demonstrators()}


def requested_motion(
    character: Character,
    target: str,
    options: Options | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    controls: Clip | None = None,
    performer: Character | None = None,
    follow: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    rate_hz: float | None = None,
) -> tuple[TargetMotion, Options]:
    """The motion that a command line describes, with the options for it.

    Args:
        character: Whose joints are placed.
        target: A name of `shipped_targets`, or a file, see `design.load_targets`.
        options: Of the design; what they leave open is as a shipped target is made for.
        weights: How much more than others a target counts, by name.
        controls: What actuators do now, which they keep to; found by inverse kinematics where not given.
        performer: Whose clip the file is.
        follow: Only these points.
        mapping: Name in the file by name of the character's point.
        rate_hz: Steps a second.

    Raises:
        AnimatoError: Anything that is wrong with the request, said in a sentence.
    """
    asked = options or Options()
    if Path(target).suffix or Path(target).exists():
        motion = load_targets(
            target,
            character,
            performer=performer,
            follow=follow,
            mapping=mapping,
            weights=weights,
            controls=controls,
            rate_hz=rate_hz,
        )
        return motion, asked
    shipped = shipped_targets()
    if target not in shipped:
        unknown = unknown_name("target", target, shipped, "animato")
        raise UnknownNameError(f"{unknown} Or give a file: {', '.join(TARGET_SUFFIXES)}.")
    if performer is not None or follow or mapping or rate_hz is not None:
        raise OptionError(f"'{target}' is a target that comes with animato; performer, points and rate are its own.")
    made = shipped[target]
    _check_made_for(made, character)
    motion = made.motion(character).weighted(weights or {})
    return motion if controls is None else motion.with_controls(character, controls), made.asked(asked)


def _check_made_for(made: Demonstrator, character: Character) -> None:
    """A shipped target moves bodies by name: any design of its character has them."""
    meant = load_character(made.character)
    have = {body.name for body in character.bodies} | set(character.coordinate_names)
    needed = [body.name for body in meant.bodies] + list(meant.coordinate_names)
    missing = [name for name in needed if name not in have]
    if missing:
        raise OptionError(
            f"The target '{made.name}' is made for the character '{made.character}' and designs of it; "
            f"'{character.name}' has no '{missing[0]}'. Take '{made.character}', or give a file of targets."
        )
