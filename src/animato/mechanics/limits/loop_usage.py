"""How much of each limit a clip uses, for characters whose joints close loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character, Joint, JointRole, JointType
from animato.character.structure import rigidified
from animato.errors import MechanismError, MotionError
from animato.mechanics.limits.usage import (
    AxisColumns,
    LimitUsage,
    between_frames,
    coordinate_axes,
    usage_of_columns,
)
from animato.mechanics.loops import clip_with_loops
from animato.mechanics.simulation import LoopTorques, held_at_root, loop_torques
from animato.motion import Clip
from animato.outcome import Iteration, Progress

_FLOATS = (
    "It floats and has closed loops: torques are those of a character whose root is held still as it stands at rest; "
    "what its root does and what the floor gives are not counted."
)
_MOST_MOMENTS = 40_000  # each takes about a twentieth of a millisecond


def loop_limit_usage(
    character: Character, clip: Clip, *, oversampling: int = 4, progress: Progress | None = None
) -> LimitUsage:
    """Evaluates a clip against every limit of a character with closed loops.

    One that floats is taken as held at its root, which stands as it does at rest.

    Motors move as the clip says; what is passive follows from the loops, and torques from the dynamics of all of it.

    Args:
        character: Its loops determine every passive joint; flexible parts are taken as rigid.
        clip: Of its motors; columns of passive joints are not read.
        oversampling: Points looked at per frame; fewer where the clip is long.
        progress: Told what is being worked on.

    Raises:
        MechanismError: Loops do not close, or something moves freely.
    """
    times = between_frames(clip.times, max(1, min(oversampling, _MOST_MOMENTS // len(clip.times))))
    if progress is not None:
        progress(Iteration(stage="dynamics of loops", total=len(times)))
    floats = character.floats
    character = held_at_root(character) if floats else character
    found = loop_torques(rigidified(character), clip, times)
    names = (*found.system.unknown_names, *found.names)
    jerks = _jerks(found, clip)
    limited = {
        name
        for joint in character.joints
        if joint.type is not JointType.SPHERICAL and joint.role is not JointRole.CONFIGURABLE and joint.coupling is None
        for index, name in enumerate(joint.coordinate_names)
        if name in found.names or _is_limited(joint, index)
    }
    closing, told = _closing(character, clip, [name for name in limited if name not in names])
    chosen = [name for name in character.coordinate_names if name in limited and (name in names or closing is not None)]
    columns = [
        _column(found, names.index(name), jerks) if name in names else _of_clip(closing, name, times)
        for name in chosen
        if name in names or closing is not None
    ]
    axes, notes = coordinate_axes(character, chosen), (*_notes(character, found), *told, *[_FLOATS] * floats)
    usage = usage_of_columns(axes, columns, times, frame_times=clip.times, notes=notes)
    return replace(usage, carried_by="root" if floats else "world")


def _closing(character: Character, clip: Clip, names: list[str]) -> tuple[Clip | None, tuple[str, ...]]:
    """The motion of joints that close the loops, at the clip's frames; and why it is not known where it is not."""
    if not names or not clip.frame_count:
        return None, ()
    try:
        whole = clip_with_loops(rigidified(character), clip).selected(sorted(names))
    except (MechanismError, MotionError) as error:
        return None, (f"Limits of the joints that close loops were not checked: {error}",)
    return replace(whole, positions=np.unwrap(whole.positions, axis=0)), ()


def _of_clip(clip: Clip | None, name: str, times: np.ndarray) -> AxisColumns:
    """What a coordinate of a clip does; it has no motor."""
    assert clip is not None  # for the type checker: chosen only then
    column = clip.column(name)
    value, rate, bend = (clip.spline(times, derivative=order)[:, column] for order in range(3))
    return AxisColumns(value, rate, bend, clip.jerk(times)[:, column], np.zeros(len(times)))


def _is_limited(joint: Joint, index: int) -> bool:
    limits = joint.limits[min(index, len(joint.limits) - 1)]
    stated = (limits.velocity, limits.acceleration, limits.jerk)
    return bool(np.isfinite(limits.range).any() or any(bound is not None for bound in stated))


def _column(found: LoopTorques, z: int, jerks: np.ndarray) -> AxisColumns:
    passive = found.system.unknown_count
    motor = z - passive
    nothing = np.zeros(len(found.times))
    return AxisColumns(
        found.coordinates[:, z],
        found.velocities[:, z],
        found.accelerations[:, z],
        jerks[:, motor] if motor >= 0 else _rate(found.accelerations[:, z], found.times),
        found.torques[:, motor] if motor >= 0 else nothing,
    )


def _rate(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Differences over time; accelerations of passive joints have no closed derivative here."""
    return np.asarray(np.gradient(values, times)) if len(times) > 1 else np.zeros(len(times))


def _jerks(found: LoopTorques, clip: Clip) -> np.ndarray:
    """Of the motors, from the clip's spline, [time, motor]."""
    jerks, spline = np.zeros((len(found.times), len(found.names))), clip.jerk(found.times)
    for motor, name in enumerate(found.names):
        if name in clip.names:
            jerks[:, motor] = spline[:, clip.column(name)]
    return jerks


def _notes(character: Character, found: LoopTorques) -> tuple[str, ...]:
    worst = float(found.closure_forces.max(initial=0.0))
    notes = [f"Loops are closed at every moment; the joints that close them carry up to {worst:.3g} N."]
    if found.redundant:
        notes.append(
            f"{found.redundant} conditions of the loops follow from others, so that forces inside the loops depend on "
            "play and stiffness; the least are told. Torques of the motors do not depend on it."
        )
    if character.flexible_parts:
        notes.append("Flexible parts are taken as rigid; `animato simulate` bends them.")
    return tuple(notes)
