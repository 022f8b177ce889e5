"""Ranges of controls, velocities and design parameters, from the limits of a character's joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Joint, JointRole, JointType
from animato.design.terms.barrier import Bounds
from animato.errors import MechanismError
from animato.mechanics.loops.constraints import Mechanism

_FREE_MARGIN = 0.1
"""Margin of a limit that has no counterpart on the other side [rad or m]."""


@dataclass(frozen=True, eq=False)
class DesignLimits:
    """Ranges, infinite where there is none.

    A spherical joint may turn by at most `upper` from neutral. As |w| = cos(turn / 2), that is a lower limit
    of w, the first of its quaternion. Its velocity limit bounds each rate of its quaternion by a quarter,
    which bounds the length of all four by a half.

    Attributes:
        controls: Lower and upper, shape [2, control].
        velocities: Largest, shape [control].
        design: Lower and upper, shape [2, design].
        control_bounds, velocity_bounds, design_bounds: The same as barriers.
    """

    controls: np.ndarray
    velocities: np.ndarray
    design: np.ndarray
    control_bounds: Bounds
    velocity_bounds: Bounds
    design_bounds: Bounds


def limits_of(mechanism: Mechanism, *, margin: float = 0.1) -> DesignLimits:
    """Collects the limits of actuated and configurable joints.

    Args:
        mechanism: Whose joints.
        margin: Share of a range, on each side, in which the barrier acts.

    Raises:
        MechanismError: Limits that exclude the rest pose.
    """
    controls, velocities = _ranges(mechanism, mechanism.control_names, JointRole.ACTUATED)
    design, _ = _ranges(mechanism, mechanism.design_names, JointRole.CONFIGURABLE)
    _follow_gears(mechanism, controls, velocities)
    for names, ranges, rest, kind in (
        (mechanism.control_names, controls, mechanism.controls, "actuator"),
        (mechanism.design_names, design, mechanism.design, "design parameter"),
    ):
        _check_rest(mechanism, names, ranges, rest, kind)
    return DesignLimits(
        controls, velocities, design,
        Bounds.between(controls[0], controls[1], _margins(controls, margin)),
        Bounds.between(-velocities, velocities, margin * np.where(np.isfinite(velocities), velocities, 1.0)),
        Bounds.between(design[0], design[1], _margins(design, margin)),
    )  # fmt: skip


def _ranges(mechanism: Mechanism, names: tuple[str, ...], role: JointRole) -> tuple[np.ndarray, np.ndarray]:
    ranges = np.tile([[-np.inf], [np.inf]], (1, len(names)))
    velocities = np.full(len(names), np.inf)
    for joint in mechanism.joints:
        if joint.role is not role or joint.coupling is not None or not joint.coordinate_names:
            continue
        first = names.index(joint.coordinate_names[0])
        if joint.type is JointType.SPHERICAL:
            _spherical(joint, first, ranges, velocities)
            continue
        for n, limits in enumerate(joint.limits):
            ranges[:, first + n] = limits.range
            velocities[first + n] = np.inf if limits.velocity is None else limits.velocity
    return ranges, velocities


def _spherical(joint: Joint, first: int, ranges: np.ndarray, velocities: np.ndarray) -> None:
    limits = joint.limits[0]
    if limits.upper is not None and limits.upper < np.pi:
        ranges[0, first] = np.cos(limits.upper / 2.0)
    if limits.velocity is not None:
        velocities[first : first + 4] = limits.velocity / 4.0


def _follow_gears(mechanism: Mechanism, controls: np.ndarray, velocities: np.ndarray) -> None:
    """A leader must also keep the limits of what follows it."""
    for joint in mechanism.joints:
        gear = joint.coupling
        if gear is None or joint.role is JointRole.CONFIGURABLE or gear.ratio == 0.0:
            continue
        leader, limits = mechanism.control_names.index(gear.leader), joint.limits[0]
        ends = sorted((value - gear.offset) / gear.ratio for value in limits.range)
        controls[0, leader] = max(controls[0, leader], ends[0])
        controls[1, leader] = min(controls[1, leader], ends[1])
        if limits.velocity is not None:
            velocities[leader] = min(velocities[leader], limits.velocity / abs(gear.ratio))


def _margins(ranges: np.ndarray, margin: float) -> np.ndarray:
    width = ranges[1] - ranges[0]
    return np.where(np.isfinite(width), np.maximum(margin * width, 1e-9), _FREE_MARGIN)


def _check_rest(mechanism: Mechanism, names: tuple[str, ...], ranges: np.ndarray, rest: np.ndarray, kind: str) -> None:
    out = np.flatnonzero((rest < ranges[0] - 1e-9) | (rest > ranges[1] + 1e-9))
    if not len(out):
        return
    told = ", ".join(
        f"'{names[n]}' rests at {rest[n]:.4g} and may go from {ranges[0, n]:.4g} to {ranges[1, n]:.4g}" for n in out[:5]
    )
    raise MechanismError(
        f"The limits of {len(out)} {kind}{'s' if len(out) > 1 else ''} of '{mechanism.name}' exclude the rest pose: "
        f"{told}. Widen the limits, or move the rest pose into them."
    )
