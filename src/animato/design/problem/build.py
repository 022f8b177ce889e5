"""Puts a design problem together and checks it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Character, JointRole
from animato.design.options import Options
from animato.design.problem.problem import Problem
from animato.design.problem.target_files import load_targets
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms import (
    ClearanceRows,
    DroppedRows,
    SingularFloor,
    SoftRows,
    TrackingTarget,
    colliding_pairs,
    limits_of,
    packed_tracking,
)
from animato.errors import MotionError, OptionError, unknown_name
from animato.loading import as_character
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import Mechanism

Motions = TargetMotion | Sequence[TargetMotion] | Sequence[TrackingTarget] | str | Path
"""What `build` takes as a motion: one or several, the targets of one, or a file."""


def build(
    character: Character | Mechanism | str | Path,
    motion: Motions,
    options: Options | None = None,
    *,
    terms: Sequence[SoftRows] = (),
) -> Problem:
    """Puts a problem together and checks it.

    Args:
        character: Complete and assembled, or its name or file; its configurable joints are the design.
        motion: One or several motions for one design; the targets of a single motion; or a file, see `load_targets`.
        options: What may change, what must hold, and what counts how much.
        terms: More rows that are asked to be zero, beside those that the options ask for.

    Raises:
        MechanismError: Under-actuated, not to be assembled, or limits that exclude the rest pose.
        UnknownNameError: A target for a body that does not exist.
        MotionError: The motion is none, or contradicts itself.
        OptionError: Options that this character does not allow.
    """
    asked = Options() if options is None else options
    if not isinstance(asked, Options):
        raise OptionError(f"`options` must be design.Options(...), not {options!r:.60}.")
    model = character.character if isinstance(character, Mechanism) else as_character(character)
    mechanism = character if isinstance(character, Mechanism) else build_mechanism(model)
    if asked.design_free and not mechanism.design_names:
        raise OptionError(
            f"'{mechanism.name}' has no configurable joints, so there is no design to optimize. "
            "Give joints the role 'configurable', or ask for `optimize=control`."
        )
    _check_held(mechanism, asked)
    motions = _as_motions(motion, model)
    return Problem(
        character=model,  # a mechanism's own has no postures
        mechanism=mechanism,
        motions=motions,
        tracking=packed_tracking(mechanism, [one.targets for one in motions]),
        limits=limits_of(mechanism, margin=asked.limit_margin),
        options=asked,
        references=np.vstack([_references(mechanism, one) for one in motions]),
        reference_weights=asked.weights.control * _control_factors(mechanism, asked),
        starts=tuple(int(n) for n in np.cumsum([0, *(one.step_count for one in motions[:-1])])),
        spans=np.concatenate([np.full(one.step_count, 1.0 / one.rate_hz) for one in motions])[:-1],
        terms=(*_asked_terms(mechanism, asked), *terms),
    )


def _asked_terms(mechanism: Mechanism, options: Options) -> list[SoftRows]:
    """The terms that options stand for."""
    weights = options.weights
    found: list[SoftRows] = [DroppedRows.of(mechanism, weights)] if len(mechanism.dropped) else []
    if options.singular_floor > 0.0:
        found.append(SingularFloor(mechanism, options.singular_floor, weights.floor))
    if options.clearance_m > 0.0:
        pairs = options.clearance_pairs or colliding_pairs(mechanism)
        found.append(ClearanceRows(mechanism, pairs, options.clearance_m, weights.clearance))
    return found


def _check_held(mechanism: Mechanism, options: Options) -> None:
    """Only motors can be held: joints that follow, or are set once, keep to nothing of their own."""
    motors = [
        joint.name
        for joint in mechanism.joints
        if joint.role is JointRole.ACTUATED and joint.coupling is None and joint.coordinate_names
    ]
    for name in options.hold:
        if name not in (*motors, *mechanism.control_names):
            raise unknown_name("motor", name, motors, mechanism.name)


def _control_factors(mechanism: Mechanism, options: Options) -> np.ndarray:
    count = len(mechanism.controls)
    if options.control_factors and len(options.control_factors) != count:
        names = ", ".join(mechanism.control_names)
        raise OptionError(
            f"`control_factors` must be {count} numbers, one for each of {names}; not {len(options.control_factors)}."
        )
    return np.array(options.control_factors or np.ones(count))


def _as_motions(given: Motions, character: Character) -> tuple[TargetMotion, ...]:
    if isinstance(given, str | Path):
        return (load_targets(given, character),)
    if isinstance(given, TargetMotion):
        return (given,)
    items = list(given) if isinstance(given, Sequence) else []
    motions = [item for item in items if isinstance(item, TargetMotion)]
    targets = [item for item in items if isinstance(item, TrackingTarget)]
    if not items or len(items) not in (len(motions), len(targets)):
        raise MotionError(
            "`motion` must be a TargetMotion or several, the TrackingTargets of one, or a file of targets; "
            f"given {given!r:.60}."
        )
    return tuple(motions) or (TargetMotion(tuple(targets)),)


def _references(mechanism: Mechanism, motion: TargetMotion) -> np.ndarray:
    shape = (motion.step_count, len(mechanism.control_names))
    if motion.controls is None:
        return np.full(shape, np.nan)
    given = np.asarray(motion.controls, dtype=np.float64)
    if given.shape != shape or not np.all(np.isfinite(given)):
        raise MotionError(
            f"The controls of the motion '{motion.name}' must be finite numbers of the shape [step, control] = "
            f"{list(shape)}, not {list(given.shape)}."
        )
    return given
