"""From what a person asks for to a design problem: shipped targets by name, or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from animato.character import Character
from animato.design.problem import (
    TARGET_SUFFIXES,
    DesignProblem,
    Optimize,
    TargetMotion,
    build_design_problem,
    load_target_motion,
)
from animato.design.terms import DesignWeights
from animato.errors import MotionError, OptionError, UnknownNameError, unknown_name
from animato.formats import load_character
from animato.gallery.design.demonstrators import Demonstrator, demonstrators
from animato.gallery.design.four_bar import four_bar_demonstrator
from animato.mechanics.loops.assembly import build_mechanism
from animato.motion import Clip

Wish = Literal["design", "control", "both"]
WISHES: dict[str, Optimize] = {"design": "design", "control": "control", "both": "design+control"}


def shipped_targets() -> dict[str, Demonstrator]:
    """Targets that come with animato, by name, each made for a character of its own."""
    four_bar = four_bar_demonstrator()
    return {four_bar.name: four_bar, **demonstrators()}


def requested_problem(
    character: Character,
    target: str,
    *,
    optimize: Wish | None = None,
    weights: Mapping[str, float] | None = None,
    controls: Clip | None = None,
    performer: Character | None = None,
    follow: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    rate_hz: float | None = None,
) -> DesignProblem:
    """The problem that a command line describes.

    Args:
        character: Whose joints are placed.
        target: A name of `shipped_targets`, or a file, see `load_target_motion`.
        optimize: What may change; for a shipped target what it is made for, otherwise both.
        weights: How much more than others a target counts, by name.
        controls: What actuators do now, which they keep to; found by inverse kinematics where not given.
        performer: Whose clip the file is.
        follow: Only these points.
        mapping: Name in the file by name of the character's point.
        rate_hz: Steps a second.

    Raises:
        AnimatoError: Anything that is wrong with the request, said in a sentence.
    """
    shipped = shipped_targets()
    if Path(target).suffix or Path(target).exists():
        motion = load_target_motion(
            target, character, performer=performer, follow=follow, mapping=mapping, weights=weights, rate_hz=rate_hz
        )
        wish, terms = WISHES[optimize or "both"], DesignWeights()
    elif target in shipped:
        if performer is not None or follow or mapping or rate_hz is not None:
            raise OptionError(
                f"'{target}' is a target that comes with animato; performer, points and rate are its own."
            )
        made = shipped[target]
        _check_made_for(made, character)
        motion = weighted(made.motion(character), weights or {})
        wish, terms = (WISHES[optimize] if optimize else made.optimize), made.weights
    else:
        unknown = unknown_name("target", target, shipped, "animato")
        raise UnknownNameError(f"{unknown} Or give a file: {', '.join(TARGET_SUFFIXES)}.")
    if controls is not None:
        motion = replace(motion, controls=_profile(character, motion, controls))
    return build_design_problem(character, motion, optimize=wish, weights=terms)


def _check_made_for(made: Demonstrator, character: Character) -> None:
    """A shipped target moves bodies by name: any design of its character has them."""
    meant = load_character(made.character)
    have = {body.name for body in character.bodies} | set(character.coordinate_names)
    needed = [body.name for body in meant.bodies] + list(meant.coordinate_names)
    missing = [name for name in needed if name not in have]
    if missing:
        raise OptionError(
            f"The target '{made.name}' is made for the character '{made.character}' and designs of it; "
            f"'{character.name}' has no '{missing[0]}'. Give a file of targets, or: animato design {made.character} "
            f"--target {made.name}."
        )


def weighted(motion: TargetMotion, factors: Mapping[str, float]) -> TargetMotion:
    """A motion some of whose targets count more or less.

    Args:
        motion: Whose targets.
        factors: On the weights, by name of the target.
    """
    names = [target.name for target in motion.targets]
    for name, factor in factors.items():
        if name not in names:
            raise unknown_name("target", name, names, motion.name)
        if not (np.isfinite(factor) and factor >= 0.0):
            raise OptionError(f"The weight of '{name}' is a number of at least 0, not {factor}.")
    targets = [
        replace(
            target,
            position_weights=factors.get(target.name, 1.0) * target.position_weights,
            orientation_weight=factors.get(target.name, 1.0) * np.asarray(target.orientation_weight),
        )
        for target in motion.targets
    ]
    return replace(motion, targets=tuple(targets))


def parsed_weights(words: Sequence[str]) -> dict[str, float]:
    """Weights from words such as "torso=2"."""
    found: dict[str, float] = {}
    for word in words:
        name, equals, value = word.rpartition("=")
        try:
            found[name] = float(value)
        except ValueError:
            equals = ""
        if not (name and equals):
            raise OptionError(f"A weight is NAME=FACTOR, such as torso=2, not '{word}'.")
    return found


def _profile(character: Character, motion: TargetMotion, clip: Clip) -> np.ndarray:
    """Controls at the steps of a motion from a clip; those it does not name rest."""
    mechanism = build_mechanism(character)
    for name in clip.names:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    if not set(clip.names) & set(mechanism.control_names):
        raise MotionError(f"The controls name no actuator of '{character.name}': {', '.join(mechanism.control_names)}.")
    times = clip.times[0] + np.arange(motion.step_count) / motion.rate_hz
    if times[-1] > clip.times[-1] + 0.5 / motion.rate_hz:
        raise MotionError(
            f"The controls last {clip.duration:.2f} s, the target {times[-1] - times[0]:.2f} s; they must last as long."
        )
    found = np.tile(mechanism.controls, (len(times), 1))
    for column, name in enumerate(mechanism.control_names):
        if name in clip.names:
            found[:, column] = np.interp(times, clip.times, clip.positions[:, clip.column(name)])
    return found
