"""Builds the problem of one robot and one person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Character, JointType
from animato.errors import CharacterError, MotionError
from animato.loading import as_character
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.contacts import ContactEdit, plan_contacts
from animato.mimic.options import Options
from animato.mimic.person import Person, person_of, resampled
from animato.mimic.problem.problem import Emphasis, Pin, Problem
from animato.motion import CapturedMotion, MarkerMotion

_KEY_POINTS = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist")
_FEWEST_KNOTS = 8


def build(
    character: Character | str | Path,
    motion: CapturedMotion | MarkerMotion | Person | str | Path,
    options: Options | None = None,
    *,
    anatomy: Anatomy | None = None,
    contacts: Sequence[ContactEdit] = (),
    pins: Sequence[Pin] = (),
    emphasis: Sequence[Emphasis] = (),
) -> Problem:
    """Builds a problem.

    Args:
        character: A humanoid with a floating base; or its name or file.
        motion: What a person did, captured in any way.
        options: What is wanted.
        anatomy: Where the robot's landmarks are; found where not given.
        contacts: What is to touch otherwise than captured.
        pins: Poses to be held at moments.
        emphasis: Weights of parts of the body over time.
    """
    options = options or Options()
    robot = as_character(character)
    _check_joints(robot)
    anatomy = anatomy or anatomy_of(robot)
    person = motion if isinstance(motion, Person) else _person(motion, options)
    step = 1.0 / options.rate_hz
    count = int(np.floor((person.times[-1] - person.times[0]) / step + 1e-6)) + 1
    if count < _FEWEST_KNOTS:
        raise MotionError(
            f"The motion lasts {person.times[-1] - person.times[0]:.3g} s; at least "
            f"{(_FEWEST_KNOTS - 1) * step:.2g} s are needed."
        )
    times = np.arange(count) * step
    source_times = person.times[0] + times
    sampled = resampled(person, np.minimum(source_times, person.times[-1]))
    landmarks = tuple(
        f"{side}_{place}"
        for side in ("left", "right")
        for place in _KEY_POINTS
        if sampled.has(f"{side}_{place}") and f"{side}_{place}" in anatomy.names
    )
    plan = plan_contacts(sampled, anatomy, times, edits=contacts)
    return Problem(
        character=robot,
        options=options,
        person=sampled,
        anatomy=anatomy,
        plan=plan,
        times=times,
        source_times=source_times,
        landmarks=landmarks,
        scale=options.scale or _scale(sampled, anatomy),
        emphasis=_emphasis(landmarks, source_times, emphasis),
        pins=tuple(pins),
        notes=(*sampled.notes, *anatomy.notes, *plan.notes),
    )


def _person(motion: CapturedMotion | MarkerMotion | str | Path, options: Options) -> Person:
    if isinstance(motion, str | Path):
        from animato.formats import load_motion

        loaded = load_motion(motion)
        if not isinstance(loaded, CapturedMotion | MarkerMotion):
            raise MotionError(f"{motion} holds no captured person; a skeleton or markers are needed.")
        motion = loaded
    return person_of(motion, start_s=options.start_s, end_s=options.end_s)


def _check_joints(robot: Character) -> None:
    for joint in robot.free_joints:
        if joint.type is JointType.SPHERICAL:
            raise CharacterError(
                f"Joint '{joint.name}' of '{robot.name}' is spherical; a humanoid's motors turn about one axis each. "
                f"Replace it by three joints of one axis."
            )


def _scale(person: Person, anatomy: Anatomy) -> float:
    """Of leg lengths, hip to knee to ankle, robot to person."""
    from animato.mimic.mapping import uniform_scale

    return float(uniform_scale(person, anatomy))


def _emphasis(landmarks: tuple[str, ...], times: np.ndarray, wanted: Sequence[Emphasis]) -> np.ndarray:
    weights = np.ones((len(times), len(landmarks)))
    for one in wanted:
        if one.landmark not in landmarks:
            continue
        start = -np.inf if one.start_s is None else one.start_s
        end = np.inf if one.end_s is None else one.end_s
        weights[(times >= start) & (times <= end), landmarks.index(one.landmark)] *= one.weight
    return weights
