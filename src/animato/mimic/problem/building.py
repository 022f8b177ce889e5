"""Builds the problem of one robot and one person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from animato.character import Character, JointType
from animato.errors import CharacterError, MotionError
from animato.formats import load_motion
from animato.loading import as_character
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.contacts import ContactEdit, plan_contacts
from animato.mimic.mapping import Mapping, uniform_scale
from animato.mimic.mesh import meshes_of
from animato.mimic.options import Options
from animato.mimic.person import Person, person_of, resampled
from animato.mimic.problem.problem import Emphasis, Pin, Problem
from animato.mimic.problem.proportions import leg_scale, relative_landmarks, wants_segments
from animato.mimic.problem.timing import flight_pace, knots_at_pace
from animato.motion import CapturedMotion, MarkerMotion
from animato.spatial.cubic_spline import interpolate

_KEY_POINTS = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist")
_FEWEST_KNOTS = 8
_FLIGHT_HZ = 60.0
"""Knots a second of clips with flights: at 30 a robot would leave the floor within one."""


def build(
    character: Character | str | Path,
    motion: CapturedMotion | MarkerMotion | Person | str | Path,
    options: Options | None = None,
    *,
    mapping: Mapping | None = None,
    anatomy: Anatomy | None = None,
    contacts: Sequence[ContactEdit] = (),
    pins: Sequence[Pin] = (),
    emphasis: Sequence[Emphasis] = (),
    objects: np.ndarray | None = None,
) -> Problem:
    """Builds a problem.

    Args:
        character: A humanoid with a floating base; or its name or file.
        motion: What a person did, captured in any way.
        options: What is wanted.
        mapping: Which bones or markers, and which places of the robot, are which landmarks, where that is not to be
            found automatically.
        anatomy: Where the robot's landmarks are; found where not given.
        contacts: What is to touch otherwise than captured.
        pins: Poses to be held at moments.
        emphasis: Weights of parts of the body over time.
        objects: Points of a club, a chair or the floor in the person's world, at the person's frames [m],
            [frame, point, 3]; they count where `mesh_weight` does.

    Raises:
        CharacterError: The robot is no humanoid with a floating base.
        MotionError: The motion is no person's, or too short.
    """
    options = options or Options()
    robot = as_character(character)
    _check_joints(robot)
    if anatomy is None:
        anatomy = (
            anatomy_of(robot)
            if mapping is None
            else anatomy_of(robot, points=mapping.points, soles=mapping.sole_of_side)
        )
    person = motion if isinstance(motion, Person) else _person(motion, options, mapping)
    by_segments = wants_segments(person, anatomy) if options.segments is None else options.segments
    scale = options.scale or (leg_scale(person, anatomy) if by_segments else float(uniform_scale(person, anatomy)))
    first, last = float(person.times[0]), float(person.times[-1])
    nothing = Problem(
        character=robot,
        options=options,
        person=person,
        capture=person,
        anatomy=anatomy,
        plan=plan_contacts(person, anatomy, person.times - first),
        times=np.zeros(0),
        source_times=np.zeros(0),
        landmarks=_landmarks(person, anatomy),
        scale=scale,
        relative=np.zeros((0, 0, 3)),
        by_segments=by_segments,
        mesh=np.zeros((0, 0, 0)),
        emphasis=np.zeros((0, 0)),
        pins=tuple(pins),
        objects=_checked_objects(objects, person),
        contacts=tuple(contacts),
        wanted=(*_mapped_weights(mapping), *emphasis),
    )
    flies = bool(nothing.plan.flight.any())
    step = 1.0 / (max(options.rate_hz, _FLIGHT_HZ) if flies else options.rate_hz)
    pace = flight_pace(nothing.plan.flight, scale)
    source_times = knots_at_pace(first, last, person.times, pace, step) if flies else _even(first, last, step)
    return at_times(nothing, source_times, step)


def at_times(problem: Problem, source_times: np.ndarray, step: float) -> Problem:
    """The same problem with other times of the capture at its knots.

    Args:
        problem: What is asked.
        source_times: Of the capture [s], [knot].
        step: Between knots in the robot's time [s].
    """
    if len(source_times) < _FEWEST_KNOTS:
        raise MotionError(
            f"The motion has {len(source_times)} knots of {step:.3g} s; at least {_FEWEST_KNOTS} are needed. Give a "
            f"longer one, or a greater `rate_hz`."
        )
    person = resampled(problem.capture, np.clip(source_times, problem.capture.times[0], problem.capture.times[-1]))
    times = np.arange(len(source_times)) * step
    plan = plan_contacts(person, problem.anatomy, times, edits=problem.contacts)
    return replace(
        problem,
        person=person,
        plan=plan,
        times=times,
        source_times=source_times,
        relative=relative_landmarks(person, problem.anatomy, problem.landmarks, problem.scale, problem.by_segments),
        mesh=_mesh(problem, person, source_times),
        emphasis=_emphasis(problem.landmarks, source_times, problem.wanted),
        notes=(*person.notes, *problem.anatomy.notes, *_proportions(problem), *plan.notes),
    )


def _mesh(problem: Problem, person: Person, source_times: np.ndarray) -> np.ndarray:
    """L^T L over pelvis and key-points; objects are vertices of the mesh, too, but nothing moves them."""
    if problem.options.mesh_weight == 0.0:
        return np.zeros((0, 0, 0))
    columns = [person.names.index(name) for name in ("pelvis", *problem.landmarks)]
    objects = None
    if problem.objects is not None:
        flat = problem.objects.reshape(len(problem.objects), -1)
        times = np.clip(source_times, problem.capture.times[0], problem.capture.times[-1])
        objects = interpolate(problem.capture.times, flat)(times).reshape(len(times), -1, 3)
    matrices = meshes_of(np.ascontiguousarray(person.positions[:, columns]), objects=objects).matrices
    body = matrices[:, :, : len(columns)]
    return np.asarray(np.matmul(body.transpose(0, 2, 1), body))


def _checked_objects(objects: np.ndarray | None, person: Person) -> np.ndarray | None:
    if objects is None:
        return None
    points = np.asarray(objects, dtype=np.float64)
    if (
        points.ndim != 3
        or points.shape[0] != len(person.times)
        or points.shape[2] != 3
        or not np.isfinite(points).all()
    ):
        raise MotionError(
            f"`objects` are points [frame, point, 3] at the person's {len(person.times)} frames; given the shape "
            f"{list(points.shape)}."
        )
    return points


def _proportions(problem: Problem) -> tuple[str, ...]:
    if not problem.by_segments:
        return ()
    return ("Its proportions are not a person's: each segment keeps its direction and gets the robot's length.",)


def _even(first: float, last: float, step: float) -> np.ndarray:
    return first + np.arange(int(np.floor((last - first) / step + 1e-6)) + 1) * step


def _person(motion: CapturedMotion | MarkerMotion | str | Path, options: Options, mapping: Mapping | None) -> Person:
    if isinstance(motion, str | Path):
        loaded = load_motion(motion)
        if not isinstance(loaded, CapturedMotion | MarkerMotion):
            raise MotionError(f"{motion} holds no captured person; a skeleton or markers are needed.")
        motion = loaded
    sources = None if mapping is None else mapping.sources
    return person_of(motion, sources=sources, start_s=options.start_s, end_s=options.end_s)


def _mapped_weights(mapping: Mapping | None) -> tuple[Emphasis, ...]:
    """What a mapping says of how much landmarks count."""
    return () if mapping is None else tuple(Emphasis(name, weight) for name, weight in mapping.weights)


def _check_joints(robot: Character) -> None:
    for joint in robot.free_joints:
        if joint.type is JointType.SPHERICAL:
            raise CharacterError(
                f"Joint '{joint.name}' of '{robot.name}' is spherical; a humanoid's motors turn about one axis each. "
                f"Replace it by three joints of one axis."
            )


def _landmarks(person: Person, anatomy: Anatomy) -> tuple[str, ...]:
    """Key-points that both have."""
    names = (f"{side}_{place}" for side in ("left", "right") for place in _KEY_POINTS)
    return tuple(name for name in names if person.has(name) and name in anatomy.names)


def _emphasis(landmarks: tuple[str, ...], times: np.ndarray, wanted: Sequence[Emphasis]) -> np.ndarray:
    weights = np.ones((len(times), len(landmarks)))
    for one in wanted:
        if one.landmark not in landmarks:
            continue
        start = -np.inf if one.start_s is None else one.start_s
        end = np.inf if one.end_s is None else one.end_s
        weights[(times >= start) & (times <= end), landmarks.index(one.landmark)] *= one.weight
    return weights
