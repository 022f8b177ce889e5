"""How much of each limit a clip uses, over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import Character, Joint, JointType, Limits
from animato.described import Described
from animato.mechanics.contact import LEAST_STANDING, Corners, Support, corner_forces, corners_of, standing_share
from animato.mechanics.limits.free_ends import FreeEnd, free_ends
from animato.mechanics.tree import GeneralizedForces, States, Tree, inverse_dynamics, packed_tree, states_of_clip
from animato.motion import Clip
from animato.outcome import Iteration, Progress

LIMIT_KINDS = ("position", "velocity", "acceleration", "jerk", "torque")

SHARE_TOLERANCE = 1e-6
"""What a share may exceed 1 by: motions that are planned exactly to a limit are not to be blamed for rounding."""

LEAST_TORQUE = 0.01
"""Share of its torque at rest that a motor is taken to give even beyond its top speed, so that shares are finite."""


@dataclass(frozen=True)
class Axis:
    """One thing that a motor moves.

    Attributes:
        name: Of the coordinate; of the joint where it has one axis or is spherical.
        joint: Name of the joint.
        angular: Whether it turns [rad] or slides [m].
        limits: Those that hold.
    """

    name: str
    joint: str
    angular: bool
    limits: Limits


@dataclass(frozen=True, eq=False, repr=False)
class LimitUsage(Described):
    """Used shares of limits. A share of 1 is the limit itself.

    The share of a position is its distance from the middle of its range in half ranges. That of a
    torque is against what the motor can give at that speed while it drives, and at rest while it brakes.

    Attributes:
        times: The clip's frames and points between them [s], [time].
        frame_times: The clip's frames [s], [frame].
        axes: Every axis of the character that can move.
        values: By kind: signed values, magnitudes for spherical joints [SI], [time, axis].
        shares: By kind: used share, NaN where there is no such limit, [time, axis].
        notes: What was assumed, in plain sentences.
        carried_by: What carries the character: "world" where it is held, "floor" where soles touch it, else "root".
    """

    times: np.ndarray
    frame_times: np.ndarray
    axes: tuple[Axis, ...]
    values: dict[str, np.ndarray]
    shares: dict[str, np.ndarray]
    notes: tuple[str, ...]
    carried_by: str = "world"

    def facts(self) -> dict[str, str]:
        """At a glance: the largest share of each kind of limit."""
        known = [kind for kind in LIMIT_KINDS if np.any(np.isfinite(self.shares[kind]))]
        return {kind: f"{100.0 * self.peak(kind):.1f} %" for kind in known} or {"limits": "none"}

    @property
    def holds(self) -> bool:
        """Whether no limit is exceeded anywhere."""
        return all(self.peak(kind) <= 1.0 + SHARE_TOLERANCE for kind in LIMIT_KINDS)

    def peak(self, kind: str) -> float:
        """The largest share of one kind over all axes and times; 0 where there is no such limit."""
        share = self.shares[kind]
        return float(np.nanmax(share)) if np.any(np.isfinite(share)) else 0.0


@dataclass(frozen=True)
class _Source:
    """Where an axis takes its numbers from: columns of the states, and a gear."""

    axis: Axis
    coordinate: int
    dof: int
    ball: bool = False
    ratio: float = 1.0
    offset: float = 0.0
    leads: bool = True


@dataclass(frozen=True, eq=False)
class Floor:
    """What a character with soles does, and what the floor gives to it.

    Attributes:
        states: What it does.
        forces: Its inverse dynamics without contact.
        corners: Of its soles.
        support: What the floor gives.
    """

    states: States
    forces: GeneralizedForces
    corners: Corners
    support: Support


def tree_usage_and_floor(
    character: Character,
    clip: Clip,
    *,
    oversampling: int = 4,
    progress: Progress | None = None,
) -> tuple[LimitUsage, Floor | None]:
    """Evaluates a clip against every limit of a character whose joints form a tree.

    Args:
        character: A tree character; flexible parts are taken as rigid.
        clip: What it should do.
        oversampling: Points looked at per frame; the motion between frames is the clip's spline, with other ends where
            only its ends are over a limit (see `free_ends`).
        progress: Told what is being worked on.

    Returns:
        The usage, and what the floor gives; None where there are no soles or the ends of the clip are others than those
        of its spline, so that what the floor gives is not that of the clip alone.
    """
    say = progress or (lambda _: None)
    moments = len(clip.times) * oversampling
    tree = packed_tree(character)
    times = between_frames(clip.times, oversampling)
    say(Iteration(stage="kinematics", total=moments))
    ends = free_ends(clip, _limits_of(character))
    states = _with_ends(tree, states_of_clip(character, clip, times), ends)
    say(Iteration(stage="dynamics", total=moments))
    torques, notes, carried_by, floor = _torques(character, tree, clip, states)
    jerks = _jerks(character, tree, clip, states)
    for end in ends:
        jerks[:, tree.dof_names.index(end.name)] += end.at(times, 3)
    held = tuple(_held_note(states)) if states.held else ()
    usage = usage_of_states(character, states, torques, jerks, frame_times=clip.times, notes=held + notes)
    return replace(usage, carried_by=carried_by), None if ends else floor


def tree_torque_peak(character: Character, clip: Clip) -> float:
    """The largest share of any torque at the frames of a clip, 0 where there is no such limit: a part of the above.

    Args:
        character: A tree character.
        clip: What it should do.
    """
    tree = packed_tree(character)
    states = _with_ends(tree, states_of_clip(character, clip, clip.times), free_ends(clip, _limits_of(character)))
    torques = _torques(character, tree, clip, states)[0]
    peak = 0.0
    for source in _sources(character):
        limits = source.axis.limits
        if source.leads and not (limits.torque is None and limits.curve is None):
            torque = _column(source, torques[:, source.dof : source.dof + 3])
            speed = _column(source, states.velocities[:, source.dof : source.dof + 3])
            share = np.abs(torque) / _available_torque(limits, torque, speed)
            peak = max(peak, float(np.nanmax(share)) if np.any(np.isfinite(share)) else 0.0)
    return peak


@lru_cache(maxsize=32)
def _limits_of(character: Character) -> dict[str, Limits]:
    """By coordinate of a joint whose coordinates are its degrees of freedom."""
    return {
        name: limits
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
    }


def _with_ends(tree: Tree, states: States, ends: Sequence[FreeEnd]) -> States:
    """The states with other ends of some coordinates."""
    if not ends:
        return states
    positions, velocities, accelerations = (
        np.array(one) for one in (states.positions, states.velocities, states.accelerations)
    )
    for end in ends:
        dof = tree.dof_names.index(end.name)
        positions[:, tree.coordinate_names.index(end.name)] += end.at(states.times, 0)
        velocities[:, dof] += end.at(states.times, 1)
        accelerations[:, dof] += end.at(states.times, 2)
    return replace(states, positions=positions, velocities=velocities, accelerations=accelerations)


def usage_of_states(
    character: Character,
    states: States,
    torques: np.ndarray,
    jerks: np.ndarray,
    *,
    frame_times: np.ndarray | None = None,
    notes: tuple[str, ...] = (),
) -> LimitUsage:
    """The same of states that are known already, whatever they are from.

    Args:
        character: A tree character.
        states: What it does.
        torques: [N m or N], shape [time, dof].
        jerks: [rad/s^3 or m/s^3], shape [time, dof]; NaN where they are not known.
        frame_times: Of the frames that this is from [s]; all times where not given.
        notes: What was assumed, in plain sentences.
    """
    sources = _sources(character)
    columns = [
        {
            "position": _column(source, states.positions[:, source.coordinate : source.coordinate + 4], position=True),
            "velocity": _column(source, states.velocities[:, source.dof : source.dof + 3]),
            "acceleration": _column(source, states.accelerations[:, source.dof : source.dof + 3]),
            "jerk": _column(source, jerks[:, source.dof : source.dof + 3]),
            "torque": _column(source, torques[:, source.dof : source.dof + 3]),
        }
        for source in sources
    ]
    shape = (len(states.times), 0)
    values = {
        kind: np.column_stack([column[kind] for column in columns]) if columns else np.zeros(shape)
        for kind in LIMIT_KINDS
    }
    shares = {
        kind: np.column_stack([_share(kind, source, column) for source, column in zip(sources, columns, strict=True)])
        if columns
        else np.zeros(shape)
        for kind in LIMIT_KINDS
    }
    frames = states.times if frame_times is None else frame_times
    return LimitUsage(states.times, frames, tuple(source.axis for source in sources), values, shares, notes)


def between_frames(frames: np.ndarray, oversampling: int) -> np.ndarray:
    """The frames, and evenly spaced points between each two of them."""
    if len(frames) < 2 or oversampling < 2:
        return frames
    steps = np.arange(oversampling) / oversampling
    inner = frames[:-1, None] + steps * np.diff(frames)[:, None]
    return np.append(inner.ravel(), frames[-1])


@lru_cache(maxsize=32)
def _sources(character: Character) -> tuple[_Source, ...]:
    """One a coordinate, one a spherical joint, and one a joint that follows another."""
    tree = packed_tree(character)
    sources = []
    first_dof: dict[str, int] = {}
    for dof, joint in enumerate(tree.dof_joints):
        if joint is not None:
            first_dof.setdefault(joint.name, dof)
    for joint in character.joints:
        if joint.coupling is not None:
            leader = character.joint(joint.coupling.leader)
            column, dof = tree.coordinate_names.index(leader.name), first_dof[leader.name]
            ratio, offset = joint.coupling.ratio, joint.coupling.offset
            sources.append(_Source(axis_of(joint, 0, joint.name), column, dof, False, ratio, offset, False))
        elif joint.is_free_coordinate and joint.type is JointType.SPHERICAL:
            column = tree.coordinate_names.index(joint.coordinate_names[0])
            sources.append(_Source(axis_of(joint, 0, joint.name), column, first_dof[joint.name], True))
        elif joint.is_free_coordinate:
            for n, name in enumerate(joint.coordinate_names):
                column = tree.coordinate_names.index(name)
                sources.append(_Source(axis_of(joint, n, name), column, first_dof[joint.name] + n))
    return tuple(sources)


def axis_of(joint: Joint, index: int, name: str) -> Axis:
    """One coordinate of a joint with its limits."""
    slides = joint.type in (JointType.PRISMATIC, JointType.CARTESIAN)
    slides = slides or (joint.type is JointType.CYLINDRICAL and index == 0)
    return Axis(name, joint.name, not slides, joint.limits[index])


def _column(source: _Source, block: np.ndarray, *, position: bool = False) -> np.ndarray:
    """The numbers of one axis from its columns of the states."""
    if source.ball:
        if position:
            return 2.0 * np.arctan2(np.linalg.norm(block[:, 1:4], axis=1), np.abs(block[:, 0]))
        return np.linalg.norm(block, axis=1)
    offset = source.offset if position else 0.0
    return source.ratio * block[:, 0] + offset


def _share(kind: str, source: _Source, column: dict[str, np.ndarray]) -> np.ndarray:
    """Used share of one kind of limit, NaN where it is not limited."""
    if source.ball and kind == "position":
        high = source.axis.limits.range[1]
        return column[kind] / high if np.isfinite(high) and high > 0.0 else np.full(len(column[kind]), np.nan)
    if kind == "torque" and not source.leads:
        return np.full(len(column[kind]), np.nan)
    return used_share(kind, source.axis.limits, AxisColumns(*(column[one] for one in LIMIT_KINDS)))


def coordinate_axes(character: Character, names: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of coordinates, by name; spherical joints have none."""
    found = {
        name: axis_of(joint, index, name)
        for joint in character.joints
        if joint.type is not JointType.SPHERICAL
        for index, name in enumerate(joint.coordinate_names)
    }
    return tuple(found[name] for name in names)


def usage_of_columns(
    axes: Sequence[Axis],
    columns: Sequence[AxisColumns],
    times: np.ndarray,
    *,
    frame_times: np.ndarray | None = None,
    notes: tuple[str, ...] = (),
) -> LimitUsage:
    """Of axes whose motion and torque are known already, as from a simulation.

    Args:
        axes: As many as there are columns.
        columns: What each does.
        times: [s], [time].
        frame_times: Of the frames that this is from [s]; all times where not given.
        notes: What was assumed, in plain sentences.
    """
    values = {kind: np.column_stack([one.of(kind) for one in columns]) for kind in LIMIT_KINDS}
    shares = {
        kind: np.column_stack([used_share(kind, axis.limits, one) for axis, one in zip(axes, columns, strict=True)])
        for kind in LIMIT_KINDS
    }
    return LimitUsage(times, times if frame_times is None else frame_times, tuple(axes), values, shares, notes)


class AxisColumns(NamedTuple):
    """What one axis does, [time] each."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    jerk: np.ndarray
    torque: np.ndarray

    def of(self, kind: str) -> np.ndarray:
        """The column of a kind of limit."""
        return np.asarray(getattr(self, kind))


def used_share(kind: str, limits: Limits, column: AxisColumns) -> np.ndarray:
    """Used share of one kind of limit of an axis, NaN where it is not limited, [time]."""
    value = column.of(kind)
    if kind == "position":
        return _position_share(value, *limits.range)
    if kind == "torque":
        if limits.torque is None and limits.curve is None:
            return np.full(len(value), np.nan)
        return np.asarray(np.abs(value) / _available_torque(limits, value, column.velocity))
    bound = getattr(limits, kind)
    return np.full(len(value), np.nan) if bound is None else np.abs(value) / bound


def _position_share(value: np.ndarray, low: float, high: float) -> np.ndarray:
    """Distance from the middle in half ranges; with one end only, 1 + distance beyond it."""
    if np.isfinite(low) and np.isfinite(high):
        half = max(0.5 * (high - low), 1e-9)
        return np.abs(value - 0.5 * (high + low)) / half
    if np.isfinite(high):
        return np.maximum(0.0, 1.0 + value - high)
    if np.isfinite(low):
        return np.maximum(0.0, 1.0 + low - value)
    return np.full(len(value), np.nan)


def _available_torque(limits: Limits, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """What the motor can give: on its curve while it drives, as at rest while it brakes."""
    stall = limits.torque if limits.torque is not None else float(limits.curve.torques[0]) if limits.curve else np.inf
    if limits.curve is None:
        return np.full(len(torque), stall)
    curve = np.maximum(limits.curve.torque_at(speed), LEAST_TORQUE * limits.curve.torques[0])
    return np.where(torque * speed > 0.0, np.minimum(stall, curve), stall)


def _jerks(character: Character, tree: Tree, clip: Clip, states: States) -> np.ndarray:
    """Jerk by degree of freedom; of spherical joints by differences of their accelerations."""
    jerks = np.zeros_like(states.velocities)
    if len(states.times) > 1:
        for _, dof, _ in tree.balls:
            jerks[:, dof : dof + 3] = np.gradient(states.accelerations[:, dof : dof + 3], states.times, axis=0)
    spline = clip.jerk(states.times)
    for column, name in enumerate(clip.names):
        if name in tree.dof_names:
            jerks[:, tree.dof_names.index(name)] = spline[:, column]
    return jerks


def _torques(
    character: Character, tree: Tree, clip: Clip, states: States
) -> tuple[np.ndarray, tuple[str, ...], str, Floor | None]:
    """Torques of all degrees of freedom, with the floor's help where the character stands; and what carries it."""
    forces = inverse_dynamics(character, states)
    if not (tree.has_free_root and character.floats):
        return forces.values, (), "world", None
    notes = [] if clip.has_base else ["The clip does not say where the root is; it is held still at the origin."]
    if not character.soles:
        notes.append("No soles are known, so torques are those of a character carried by its root.")
        return forces.values, tuple(notes), "root", None
    corners = corners_of(character, states)
    support = corner_forces(character, corners, forces, corners.touching)
    floor = Floor(states, forces, corners, support)
    share = float(np.mean(np.any(support.touching, axis=1)))
    if standing_share(character, states, forces, support.touching) < LEAST_STANDING:
        touches = f"A sole touches the floor (z = 0) at {100.0 * share:.0f} % of the moments only"
        told = touches if share > 0.0 else "No sole touches the floor (z = 0)"
        notes.append(f"{told}, so torques are those of a character carried by its root.")
        return forces.values, tuple(notes), "root", floor
    notes.append(f"The floor (z = 0) carries the soles, at {100.0 * share:.0f} % of the moments.")
    weight = float(tree.arrays.mass.sum() * np.linalg.norm(tree.arrays.gravity))
    touching = np.any(support.touching, axis=1)
    off = np.linalg.norm(support.imbalance[:, 3:6], axis=1) * touching
    if weight > 0.0 and off.max() > 0.01 * weight:
        worst = int(np.argmax(off))
        notes.append(
            f"It would tip: at {states.times[worst]:.2f} s the soles cannot give {off[worst]:.2g} N m for balance."
        )
    return support.torques, tuple(notes), "floor", floor


def _held_note(states: States) -> list[str]:
    names = ", ".join(states.held[:8]) + (", ..." if len(states.held) > 8 else "")
    return [f"The clip does not name {len(states.held)} coordinates; they are held at rest: {names}."]
