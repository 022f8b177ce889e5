"""Initial and optimized design in one player, over what they should do."""

from __future__ import annotations

import numpy as np

from animato.character import JointRole, JointType
from animato.design.optimization import Performance, Solution
from animato.design.terms import TrackingTarget
from animato.mechanics.tree import BodyPoses
from animato.motion import Clip
from animato.report.design.charts import step_times
from animato.report.design.marks import AXIS_SHARE, HAS_AXIS, target_pose, wanted_pose
from animato.report.design.views import body_poses
from animato.report.kit import (
    Ball,
    Film,
    Line,
    Markup,
    Pin,
    Pins,
    PlacedBodies,
    Readout,
    Thing,
    Trail,
    element,
    film_player,
)
from animato.spatial import quaternions
from animato.view.raster import Colour
from animato.view.scene import build_scene

PLAYER = "film"
"""Identifier of the player; charts and pictures of the page name it."""

WANTED: Colour = (0.56, 0.20, 0.80)
BEFORE: Colour = (0.84, 0.37, 0.0)
AFTER: Colour = (0.0, 0.45, 0.70)
"""What is asked for, what the initial and what the optimized design does; as in the charts."""

_ROLES: dict[str, Colour] = {
    "actuated": (0.78, 0.16, 0.16),
    "configurable": (0.08, 0.40, 0.75),
    "passive": (0.18, 0.49, 0.20),
}
_DOT = 0.012  # of the character's size
_MOST_TARGETS = 8
_WORDS = (
    "Solid: the optimized design. Translucent: the initial one, which can stand beside it. Purple: where points and "
    "bodies should be. A click on a chart or a picture below shows that moment."
)


def film_of(solution: Solution) -> Film:
    """The film of a design, before and after."""
    before, after = solution.initial, solution.optimized
    figures = [
        _figure(after, solution, name="the optimized design"),
        _figure(before, solution, name="the initial design", ghost=True),
    ]
    wanted = _wanted(solution)
    if wanted is not None:
        figures.append(wanted)
    things = [*_ways(solution), *_readouts(solution), *_joints(solution)]
    motions = solution.problem.motions
    times, starts = step_times(solution), solution.problem.starts
    names = tuple((float(times[n]), motion.name.replace("_", " ")) for n, motion in zip(starts, motions, strict=True))
    title = f"{solution.problem.character.name}, initial and optimized, over what it should do"
    return Film(tuple(figures), tuple(things), names if len(motions) > 1 else (), title)


def film_section(solution: Solution) -> Markup:
    """The player, at the beginning of the motion."""
    player = film_player(film_of(solution), PLAYER)
    lead = element("p", _WORDS, class_="lead")
    return element(
        "section", element("h2", "Before and after"), lead, element("div", player, class_="card"), id="motion"
    )


def _figure(performance: Performance, solution: Solution, *, name: str, ghost: bool = False) -> PlacedBodies:
    """A design by the states that were found, not by what joints would make of them."""
    clips, times = performance.clips, step_times(solution)
    clip = Clip(times, clips[0].names, np.concatenate([clip.positions for clip in clips]))
    poses = body_poses(performance, np.arange(solution.problem.step_count))
    placed = BodyPoses(times, poses.names, poses.positions, poses.quaternions_wxyz)
    return PlacedBodies(performance.character, clip, name=name, ghost=ghost, placed=placed)


def _wanted(solution: Solution) -> PlacedBodies | None:
    """Bodies whose turn is asked for, where they should be; None where none is."""
    performance, problem = solution.optimized, solution.problem
    names = [one.body for motion in problem.motions for one in motion.targets if one.orientations_wxyz is not None]
    names = list(dict.fromkeys(names))
    if not names:
        return None
    actual = body_poses(performance, np.arange(problem.step_count))
    positions = np.stack([actual.of(name).position for name in names], axis=1)
    turns = np.stack([actual.of(name).quaternion_wxyz for name in names], axis=1)
    for motion, first in zip(problem.motions, problem.starts, strict=True):
        here = np.arange(first, first + motion.step_count)
        for target in motion.targets:
            if target.orientations_wxyz is None:
                continue
            pose, column = wanted_pose(performance, target, here), names.index(target.body)
            positions[here, column], turns[here, column] = pose.position, pose.quaternion_wxyz
    placed = BodyPoses(step_times(solution), tuple(names), positions, turns)
    clip = performance.clips[0]
    return PlacedBodies(
        performance.character, clip, name="where bodies should be", ghost=True, colour=WANTED, placed=placed
    )


def _ways(solution: Solution) -> list[Thing]:
    """Where points should go, and where they go."""
    problem, times = solution.problem, step_times(solution)
    size = build_scene(solution.optimized.character).size
    things: list[Thing] = []
    for motion, first in zip(problem.motions, problem.starts, strict=True):
        steps = np.arange(first, first + motion.step_count)
        for target in [one for one in motion.targets if one.positions is not None][:_MOST_TARGETS]:
            assert target.positions is not None
            own = (times, _only(target.positions, steps, problem.step_count))
            things += [
                Line(target.positions, colour=WANTED, layer="where points should go"),
                Ball(*own, colour=WANTED, radius=_DOT * size, layer="where points should go"),
                _trail(solution.initial, target, steps, times, BEFORE),
                _trail(solution.optimized, target, steps, times, AFTER),
            ]
    return things


def _trail(
    performance: Performance, target: TrackingTarget, steps: np.ndarray, times: np.ndarray, colour: Colour
) -> Trail:
    """The way of a target's point; dashed for the initial design."""
    way = target_pose(performance, target, steps).position
    places = _only(way, steps, performance.problem.step_count)
    return Trail(times, places, colour=colour, dashed=colour is BEFORE, layer="where points go")


def _only(values: np.ndarray, steps: np.ndarray, count: int) -> np.ndarray:
    """Values at some steps, NaN at all others, [step, 3]."""
    found = np.full((count, 3), np.nan)
    found[steps] = values
    return found


def _readouts(solution: Solution) -> list[Thing]:
    """How far the worst target is off, of both designs: places and turns."""
    times = step_times(solution)
    found: list[Thing] = []
    far = solution.initial.errors.positions
    scale, unit = (100.0, " cm") if float(np.nanmax(np.append(far, 0.0))) >= 0.1 else (1000.0, " mm")
    for name, one in (("initial", solution.initial), ("optimized", solution.optimized)):
        off, turned = one.errors.positions, one.errors.orientations
        if np.isfinite(off).any():
            found.append(Readout(times, scale * _worst(off), before=f"{name} ", after=f"{unit} off"))
        if np.isfinite(turned).any():
            found.append(Readout(times, np.degrees(_worst(turned)), before=f"{name} ", after="° off"))
    return found


def _worst(table: np.ndarray) -> np.ndarray:
    """Largest of each row; NaN where nothing is asked for, [step]."""
    known = np.isfinite(table).any(axis=1)
    return np.where(known, np.nanmax(np.where(np.isfinite(table), table, -np.inf), axis=1), np.nan)


def _joints(solution: Solution) -> list[Thing]:
    """Joints of both designs by their role, as pins; those of the initial one dashed."""
    found: list[Thing] = []
    for figure, performance in enumerate((solution.optimized, solution.initial)):
        found.append(Pins(_pins(performance), figure, dashed=figure == 1, layer="joints", shown=False))
    return found


def _pins(performance: Performance) -> tuple[Pin, ...]:
    character, reach = performance.problem.character, 0.5 * AXIS_SHARE * build_scene(performance.character).size
    numbers = {body.name: n for n, body in enumerate(character.bodies)}
    pins = []
    for joint in character.joints:
        if joint.type in (JointType.GROUND, JointType.FIXED):
            continue
        held = joint.parent in numbers  # else by the world, and what it carries shows it
        body, frame = (joint.parent, joint.frame_parent) if held else (joint.child, joint.frame_child)
        axis = quaternions.rotate(frame.transform.quaternion_wxyz, joint.axes[:, 0])
        half = (reach if joint.type in HAS_AXIS else 0.0) * axis
        (a, b, c), (d, e, f) = frame.transform.position - half, frame.transform.position + half
        colour = _ROLES[str(JointRole(joint.role or JointRole.PASSIVE))]
        pins.append(Pin(numbers[body], (a, b, c), (d, e, f), colour))
    return tuple(pins)
