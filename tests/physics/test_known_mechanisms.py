"""Linkages whose motion is known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from animato.character.character import Character
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.spatial import quaternions
from tests import mechanism_builders as known

EXACT = 1e-9


@pytest.mark.parametrize(
    ("character", "redundant", "loops"),
    [
        (known.four_bar(), 3, 1),
        (known.bennett()[0], 3, 1),
        (known.sarrus(), 1, 1),
        (known.peaucellier(), 9, 3),
        (known.stewart(), 0, 5),
    ],
    ids=lambda value: value.name if isinstance(value, Character) else None,
)
def test_redundancy(character: Character, redundant: int, loops: int) -> None:
    """rows - rank: every planar loop states three things twice; Bennett's and Sarrus' geometry does the rest."""
    counts = build_mechanism(character).counts
    actuators = counts.control_variables
    assert (counts.redundant_passive, counts.redundant_active, counts.loops) == (redundant, 0, loops)
    assert counts.mobility == actuators
    assert counts.constraints == counts.state_variables + redundant


def test_four_bar_coupler_curve() -> None:
    crank, coupler, rocker, base = known.FOUR_BAR
    mechanism = build_mechanism(known.four_bar())
    turns = np.linspace(0.0, 2.0 * math.pi, 181)
    motion = loop_kinematics(mechanism, turns[:, None])
    b = crank * np.column_stack([np.cos(1.0 + turns), np.sin(1.0 + turns)])
    c = known.circles_meet(b, coupler, np.array([base, 0.0]), rocker)
    rest = (c - b)[0]
    along, across = (c - b) @ rest, (c - b)[:, 1] * rest[0] - (c - b)[:, 0] * rest[1]
    angle = np.arctan2(across, along)
    point = np.array([0.35, 0.2])  # of the coupler, from B
    curve = b + np.column_stack(
        [
            np.cos(angle) * point[0] - np.sin(angle) * point[1],
            np.sin(angle) * point[0] + np.cos(angle) * point[1],
        ]
    )
    turn = motion.quaternions_wxyz("coupler")
    found = motion.positions("coupler") + quaternions.rotate(turn, np.array([*point, 0.0]))
    np.testing.assert_allclose(found[:, :2], curve, atol=EXACT)
    np.testing.assert_allclose(found[:, 2], 0.0, atol=EXACT)
    np.testing.assert_allclose(motion.states[-1, :3], motion.states[0, :3], atol=EXACT)
    assert motion.dropped_residual.max() < EXACT
    assert motion.residual.max() < 1e-12
    assert not motion.flipped.any()
    assert len(motion.branch_changes) == 0


def test_bennett_angles() -> None:
    character, rest = known.bennett()
    mechanism = build_mechanism(character)
    first = np.linspace(0.0, 1.8, 61)
    motion = loop_kinematics(mechanism, first[:, None])
    angles = joint_coordinates(mechanism, motion.states).columns(("R1", "R2", "R3", "R4")) + rest
    expected = known.bennett_second(rest[0] + first)
    np.testing.assert_allclose(angles[:, 1], expected, atol=EXACT)
    np.testing.assert_allclose(angles[:, 2], -angles[:, 0], atol=EXACT)
    np.testing.assert_allclose(angles[:, 3], -angles[:, 1], atol=EXACT)
    assert motion.dropped_residual.max() < EXACT


def test_sarrus_rises_straight() -> None:
    mechanism = build_mechanism(known.sarrus())
    turns = np.linspace(-0.4, 0.8, 50)
    motion = loop_kinematics(mechanism, turns[:, None])
    height = 2.0 * known.SARRUS_LENGTH * np.cos(known.SARRUS_ANGLE + turns)
    straight = np.column_stack([np.zeros((50, 2)), height])
    np.testing.assert_allclose(motion.positions("platform"), straight, atol=EXACT)
    level = np.abs(motion.quaternions_wxyz("platform")[:, 0])
    np.testing.assert_allclose(level, 1.0, atol=EXACT)
    assert motion.dropped_residual.max() < EXACT


def test_peaucellier_draws_a_line() -> None:
    mechanism = build_mechanism(known.peaucellier())
    turns = np.linspace(-0.9, 0.25, 80)
    motion = loop_kinematics(mechanism, turns[:, None])
    line = (known.PEAUCELLIER_LONG**2 - known.PEAUCELLIER_SIDE**2) / (2.0 * known.PEAUCELLIER_ARM)
    d = motion.positions("cd")
    np.testing.assert_allclose(d[:, 0], line, atol=EXACT)
    height = line * np.tan((known.PEAUCELLIER_START + turns) / 2.0)
    np.testing.assert_allclose(d[:, 1], height, atol=EXACT)
    assert motion.dropped_residual.max() < EXACT


def test_stewart_there_and_back() -> None:
    """Leg lengths of wanted platform poses are known in closed form; the solver finds the poses again."""
    base, platform = known.stewart_anchors()
    mechanism = build_mechanism(known.stewart())
    time = np.linspace(0.0, 2.0 * math.pi, 90)
    place = np.column_stack([0.1 * np.sin(time), 0.08 * np.sin(2.0 * time), known.STEWART_HEIGHT + 0.1 * np.sin(time)])
    vector = np.column_stack([0.25 * np.sin(time), -0.2 * np.sin(time), 0.3 * np.sin(2.0 * time)])
    turn = quaternions.quaternion_from_rotation_vector(vector)
    tops = place[:, None] + np.einsum("tij,nj->tni", quaternions.matrix_from_quaternion(turn), platform)
    lengths = np.linalg.norm(tops - base, axis=2)
    rest = np.linalg.norm(platform + np.array([0.0, 0.0, known.STEWART_HEIGHT]) - base, axis=1)
    motion = loop_kinematics(mechanism, lengths - rest)
    np.testing.assert_allclose(motion.positions("platform"), place, atol=EXACT)
    off = quaternions.multiply(quaternions.conjugate(turn), motion.quaternions_wxyz("platform"))
    np.testing.assert_allclose(off[:, 1:], 0.0, atol=EXACT)  # half the angle; the cosine would hide 1e-8
    np.testing.assert_allclose(motion.states[-1], motion.states[0], atol=EXACT)
    assert motion.smallest_singular_value.min() > 1e-3


def test_tilted_four_bar_shows_in_the_dropped_rows() -> None:
    """Negative control: five degrees of tilt keep the kept rows exact and break the dropped ones."""
    mechanism = build_mechanism(known.four_bar(tilt=True))
    assert mechanism.counts.redundant_passive == 3
    straight = loop_kinematics(mechanism, np.zeros((1, 1)), [0.0])
    tilted = loop_kinematics(mechanism, np.zeros((1, 1)), [math.radians(5.0)])
    assert straight.dropped_residual[0] < 1e-12
    assert tilted.residual[0] < 1e-12
    assert tilted.dropped_residual[0] > 0.02
