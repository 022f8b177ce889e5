"""From what a person asks for to a motion and options: shipped targets by name, or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from animato.character import Character
from animato.design.options import Options
from animato.design.problem import TARGET_SUFFIXES, TargetMotion, load_targets
from animato.design.study import Handle, as_handle, handled, motion_now
from animato.errors import OptionError, UnknownNameError, unknown_name
from animato.formats import MotionReading, load_character
from animato.gallery.design.demonstrators import Demonstrator, demonstrators
from animato.gallery.design.four_bar import four_bar_demonstrator
from animato.motion import Clip


def shipped_targets() -> dict[str, Demonstrator]:
    """Targets that come with animato, by name, each made for a character of its own."""
    four_bar = four_bar_demonstrator()
    return {four_bar.name: four_bar, **demonstrators()}


class TargetReading(TypedDict, total=False):
    """How to read a file of targets, see `design.load_targets`.

    Attributes:
        performer: Whose clip the file is.
        follow: Only these points.
        mapping: Name in the file by name of the character's point.
        rate_hz: Steps a second.
        scale: Factor on all places.
        place: x, y, z [m] and a turn about z [deg].
        fit: Whether the first moment is fitted to the character at rest.
        turns: Whether turns of bones count.
        reading: What the file does not say about itself.
    """

    performer: Character | None
    follow: Sequence[str]
    mapping: Mapping[str, str] | None
    rate_hz: float | None
    scale: float | None
    place: Sequence[float] | None
    fit: bool
    turns: bool
    reading: MotionReading | None


def requested_motion(
    character: Character,
    target: str,
    options: Options | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    controls: Clip | None = None,
    **how: Unpack[TargetReading],
) -> tuple[TargetMotion, Options]:
    """The motion that a command line describes, with the options for it.

    Args:
        character: Whose joints are set.
        target: A name of `shipped_targets`, or a file, see `design.load_targets`.
        options: Of the design; what they leave open is as a shipped target is made for.
        weights: How much more than others a target counts, by name.
        controls: What actuators do now: a start and a pull; found by inverse kinematics where not given.
        **how: How to read a file.

    Raises:
        AnimatoError: Anything that is wrong with the request, said in a sentence.
    """
    asked = options or Options()
    if Path(target).suffix or Path(target).exists():
        return load_targets(target, character, weights=weights, controls=controls, **how), asked
    shipped = shipped_targets()
    if target not in shipped:
        unknown = unknown_name("target", target, shipped, "animato")
        raise UnknownNameError(f"{unknown} Or give a file: {', '.join(TARGET_SUFFIXES)}.")
    if any(value not in (None, (), {}, False) for value in how.values()):
        raise OptionError(
            f"'{target}' is a target that comes with animato; performer, points, placing and rate are its own."
        )
    made = shipped[target]
    _check_made_for(made, character)
    motion = made.motion(character).weighted(weights or {})
    return motion if controls is None else motion.with_controls(character, controls), made.asked(asked)


def requested_motions(
    character: Character,
    targets: Sequence[str],
    options: Options | None = None,
    *,
    handles: Sequence[Handle | str] = (),
    weights: Mapping[str, float] | None = None,
    controls: Sequence[Clip] = (),
    **how: Unpack[TargetReading],
) -> tuple[tuple[TargetMotion, ...], Options]:
    """All motions that a command line describes, with the options for them.

    Args:
        character: Whose joints are set.
        targets: As for `requested_motion`; none edits what the character does now with its controls.
        options: Of the design.
        handles: Where targets are pulled; of one motion only.
        weights: How much more than others a target counts, by name.
        controls: One clip a target, or none.
        **how: How to read files.
    """
    if handles and len(targets) > 1:
        raise OptionError("A `handle` edits one motion; give one `target`, or none to edit what is done now.")
    if not targets:
        return (_edited_now(character, handles, weights, controls, how),), options or Options()
    if len(controls) not in (0, len(targets)):
        raise OptionError(f"Give no `controls`, or as many as targets: {len(targets)}, not {len(controls)}.")
    motions, asked = [], options or Options()
    for n, target in enumerate(targets):
        own = controls[n] if controls else None
        motion, asked = requested_motion(character, target, asked, weights=weights, controls=own, **how)
        motions.append(handled(motion, handles) if handles else motion)
    return tuple(motions), asked


def _edited_now(
    character: Character,
    handles: Sequence[Handle | str],
    weights: Mapping[str, float] | None,
    controls: Sequence[Clip],
    how: TargetReading,
) -> TargetMotion:
    if len(controls) != 1 or not handles:
        raise OptionError(
            "Give a `target`: a file or the name of a motion; or `controls` and a `handle`, to edit what is done now."
        )
    every = [as_handle(one) for one in handles]
    names = [*(how.get("follow") or ()), *(one.name for one in every)]
    motion = motion_now(character, controls[0], names, rate_hz=how.get("rate_hz"))
    return handled(motion.weighted(weights or {}), every)


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
