"""The curve of a four-bar's pen, drawn out, turned and bent, and the five lengths that draw it."""

from __future__ import annotations

import math

import numpy as np

from animato.character import Character
from animato.design.options import DesignWeights, Options
from animato.design.problem import TargetMotion
from animato.design.terms import TrackingTarget
from animato.gallery.design.demonstrators import Demonstrator
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism

RATE_HZ = 60.0
STEPS = 120
LENGTHS = {"crank_length": 0.006, "coupler_length": 0.012, "rocker_length": -0.009, "pen_x": 0.012, "pen_z": -0.020}
"""How much longer each adjustable length is in the four-bar that drew the curve [m]."""


def four_bar_controls() -> np.ndarray:
    """One even turn of the crank [rad], shape [step, 1]."""
    return np.linspace(0.0, 2.0 * np.pi, STEPS)[:, None]


def four_bar_motion(character: Character) -> TargetMotion:
    """The curve that the pen draws with other lengths, at the same turn of the crank.

    Args:
        character: The adjustable four-bar.
    """
    mechanism = build_mechanism(character)
    lengths = mechanism.design + [LENGTHS.get(name, 0.0) for name in mechanism.design_names]
    pen = character.end_point("pen")
    drawn = loop_kinematics(mechanism, four_bar_controls(), lengths)
    target = TrackingTarget(
        pen.body,
        np.array(pen.frame.position),
        drawn.positions(pen.body),
        position_weights=np.full(3, 100.0),
        name="pen",
    )
    return TargetMotion((target,), RATE_HZ, four_bar_controls(), "another curve")


def four_bar_demonstrator() -> Demonstrator:
    """The five-parameter synthesis of a planar four-bar from its own curve."""
    return Demonstrator(
        "four_bar",
        "adjustable_four_bar",
        four_bar_motion,
        Options(optimize="design", weights=DesignWeights(design=1e-6, limits=1e-6)),
        math.nan,
        "Five lengths are found again from the curve that they draw.",
    )
