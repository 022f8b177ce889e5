"""What carries a robot: its ZMP against its soles, and torques with the floor's help."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.contact import (
    Corners,
    friction_cone,
    outside_distance,
    root_wrench,
    shared_wrench,
    weight_of,
    zero_moment_points,
)
from animato.mechanics.limits import usage_of_states
from animato.mechanics.tree import States, inverse_dynamics
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging.rules import Rules


@dataclass(frozen=True, eq=False)
class Carried:
    """How soles carry a robot.

    Attributes:
        flight: No foot supports, or hardly any weight is carried, [frame].
        zmp: On the floor [m], [frame, 2]; NaN where hardly any weight is carried.
        torque_shares: Used shares of limits of torque, NaN where there is none, [frame, axis].
        residual_share: Force [N] and moment [N m] at the root that soles cannot give, over the weight [N], [frame].
    """

    flight: np.ndarray
    zmp: np.ndarray
    torque_shares: np.ndarray
    residual_share: np.ndarray


def carried(anatomy: Anatomy, states: States, corners: Corners, supporting: np.ndarray, rules: Rules) -> Carried:
    """Balance and torques of a motion whose feet are said to support or not.

    Forces of the floor are in friction cones at the corners of supporting soles, and as near as can be to the wrench
    that the motion needs, moments taken about the world's origin. About which point matters only in frames whose
    wrench soles cannot give.

    Args:
        anatomy: The robot.
        states: What it does.
        corners: Of its soles.
        supporting: Corners of feet that support, [frame, corner].
        rules: The constants.
    """
    character = anatomy.character
    forces = inverse_dynamics(character, states)
    wrench = root_wrench(character, states, forces)
    edges = friction_cone(rules.friction)
    pushes = np.broadcast_to(edges, (*corners.positions.shape[:2], *edges.shape))
    moments = np.cross(corners.positions[:, :, None], edges)
    columns = np.concatenate([pushes, moments], axis=-1)  # wrench of each edge, [frame, corner, edge, 6]
    columns = np.where(supporting[..., None, None], columns, 0.0).reshape(len(columns), -1, 6)
    shares = shared_wrench(columns.transpose(0, 2, 1), np.hstack([wrench.force, wrench.moment]))
    given = shares.reshape(*supporting.shape, len(edges)) @ edges
    torques = forces.values - np.einsum("tcid,tci->td", corners.jacobians, given)
    usage = usage_of_states(character, states, torques, np.full_like(torques, np.nan))
    zmp = zero_moment_points(character, states)
    flight = ~supporting.any(axis=1) | np.isnan(zmp).any(axis=1)
    residual = np.linalg.norm(torques[:, :6], axis=1) / weight_of(character)
    return Carried(flight, zmp, usage.shares["torque"], residual)


def out_percent(zmp: np.ndarray, corners: Corners, touching: np.ndarray, frames: np.ndarray, rules: Rules) -> float:
    """Percentage of frames whose ZMP is outside the hull of touching corners, or that have none; NaN without frames.

    Args:
        zmp: On the floor [m], [frame, 2].
        corners: Of the soles.
        touching: Which of them span the hull, [frame, corner].
        frames: Which frames count, [frame].
        rules: The constants.
    """
    if not frames.any():
        return np.nan
    distance = outside_distance(zmp[frames], corners.positions[frames, :, :2], touching[frames])
    return 100.0 * float(np.mean(~(distance <= rules.outside_m)))  # not a number: no corner touches


def inner_frames(count: int, ends: int) -> np.ndarray:
    """All frames but some at both ends, [frame]."""
    index = np.arange(count)
    return (index >= ends) & (index < count - ends)
