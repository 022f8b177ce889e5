"""ERIK's algebra, joint model and latitude tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.errors import CharacterError
from animato.express.published.erik import algebra
from animato.express.published.erik.joint_model import (
    JointModel,
    away_from_edge,
    build_joint_model,
    latitude_angle,
    safe_angle,
    safe_cyclic,
    safe_twist,
    target_latitude,
)
from animato.express.published.erik.latitude_table import table_range
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import Chain, PackedChain, build_chain
from animato.spatial import quaternions

angles = st.floats(-20.0, 20.0, allow_nan=False)


def one_joint_model(
    lower: float, upper: float, axis: tuple[float, float, float] = (1.0, 0.0, 0.0), step: float = math.pi / 180.0
) -> JointModel:
    """Two equal joints, straight at zero; tests look at the second."""
    chain = build_chain(load_character("skeleton_a"), "tip")
    unit = np.array(axis) / np.linalg.norm(axis)
    up = np.tile([0.0, 0.0, 1.0], (2, 1))
    arrays = PackedChain(
        np.eye(3),
        np.zeros(3),
        np.zeros(2, dtype=bool),
        np.tile(unit, (2, 1)),
        np.tile(np.eye(3), (2, 1, 1)),
        0.1 * up,
        np.eye(3),
        0.1 * up[0],
        up,
        np.abs(unit @ up.T) > 0.999,
        np.full(2, lower),
        np.full(2, upper),
    )
    return build_joint_model(Chain(arrays, ("one", "two"), chain.limits[:2], chain.end_point), step)


def direction_at(model: JointModel, angle: float) -> tuple[float, float, float]:
    """Where the second joint's segment points in its own frame."""
    x, y, z = quaternions.rotate(quaternions.quaternion_about(model.axis[1], angle), (0.0, 0.0, 1.0))
    return float(x), float(y), float(z)


@pytest.mark.parametrize(
    ("lower", "upper"), [(-1.5, 1.5), (-math.pi, math.pi), (0.2, 1.4), (-1.0, -0.1), (-math.inf, math.inf)]
)
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (1.0, 2.0, 0.5)])
def test_the_latitude_table_gives_back_the_angle(lower: float, upper: float, axis: tuple[float, float, float]) -> None:
    step = 0.002
    model = one_joint_model(lower, upper, axis, step)
    first, last = table_range(lower, upper)
    for angle in np.linspace(first, last, 41)[1:-1]:
        latitude, hemisphere = target_latitude(model, 1, direction_at(model, angle))
        # the cosine is flat at the poles, where a linear table is off by up to a quarter of its step
        assert latitude_angle(model, 1, latitude, hemisphere) == pytest.approx(angle, abs=step / 3.9)


def test_the_two_hemispheres_mirror_a_joint_that_is_straight_at_zero() -> None:
    model = one_joint_model(-2.0, 2.0)
    for latitude in np.linspace(0.3, 0.99, 20):
        assert latitude_angle(model, 1, latitude, 0) == pytest.approx(-latitude_angle(model, 1, latitude, 1), abs=1e-12)


def test_an_empty_hemisphere_is_answered_by_the_other() -> None:
    model = one_joint_model(0.2, 1.4)
    assert model.row_count[0, 1] == 0
    assert latitude_angle(model, 1, 0.9, 0) == latitude_angle(model, 1, 0.9, 1) > 0.2


def test_latitudes_beyond_the_limits_are_clamped_to_them() -> None:
    model = one_joint_model(-1.0, 0.5)
    assert latitude_angle(model, 1, 0.0, 1) == pytest.approx(0.5, abs=1e-12)
    assert latitude_angle(model, 1, 0.0, 0) == pytest.approx(-1.0, abs=1e-12)
    assert latitude_angle(model, 1, 1.0, 1) == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(angle=angles, middle=st.floats(-3.0, 3.0), half=st.floats(0.01, 3.0))
def test_safe_angles_and_twists_never_break_limits(angle: float, middle: float, half: float) -> None:
    model = one_joint_model(middle - half, middle + half)
    lower, upper = model.lower[1], model.upper[1]
    for safe in (safe_angle, safe_cyclic, safe_twist):
        assert lower <= safe(model, 1, angle) <= upper
    assert lower <= away_from_edge(model, 1, upper, 0.5) <= upper


@settings(max_examples=100, deadline=None)
@given(angle=angles)
def test_a_twister_of_half_a_turn_reaches_every_twist_or_its_opposite(angle: float) -> None:
    model = one_joint_model(-math.pi / 2, math.pi / 2)
    off = math.fmod(safe_twist(model, 1, angle) - angle, math.pi)
    assert min(abs(off), math.pi - abs(off)) < 1e-9


def test_a_cyclic_angle_below_zero_stays_below_zero() -> None:
    assert safe_cyclic(one_joint_model(-math.pi / 2, math.pi / 2), 1, -0.5) == pytest.approx(-0.5, abs=1e-12)


def test_edges_are_avoided_only_at_the_edge() -> None:
    model = one_joint_model(-1.0, 1.0)
    assert away_from_edge(model, 1, 1.0, 0.1) == pytest.approx(0.9)
    assert away_from_edge(model, 1, -1.0, 0.1) == pytest.approx(-0.9)
    assert away_from_edge(model, 1, 0.95, 0.1) == 0.95
    assert away_from_edge(model, 1, 2.0, 0.1) == 2.0


@settings(max_examples=100, deadline=None)
@given(yaw=st.floats(-3.1, 3.1), pitch=st.floats(-3.1, 3.1), roll=st.floats(-3.1, 3.1), turn=st.floats(0.0, 3.1))
def test_yaw_pitch_and_roll_compose_the_turn(yaw: float, pitch: float, roll: float, turn: float) -> None:
    axis = (math.cos(turn), math.sin(turn), 0.0)
    up = (0.0, 0.0, 1.0)

    def composed(a: float, b: float, c: float) -> np.ndarray:
        return quaternions.multiply(
            quaternions.multiply(quaternions.quaternion_about(up, a), quaternions.quaternion_about(axis, b)),
            quaternions.quaternion_about(up, c),
        )

    whole = composed(yaw, pitch, roll)
    again = composed(*algebra.yaw_pitch_roll(tuple(float(x) for x in whole), axis))  # type: ignore[arg-type]
    assert abs(whole @ again) == pytest.approx(1.0, abs=1e-9)


def test_opposite_directions_have_a_turn_between_them() -> None:
    for a in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        q = algebra.turn_between(a, algebra.negative(a))
        assert np.allclose(algebra.rotate(a, q), algebra.negative(a), atol=1e-12)


def test_a_chain_that_only_slides_is_refused() -> None:
    chain = build_chain(load_character("skeleton_a"), "tip")
    sliding = Chain(chain.arrays._replace(slides=np.ones(3, dtype=bool)), chain.names, chain.limits, chain.end_point)
    with pytest.raises(CharacterError, match="No joint up to 'tip' turns"):
        build_joint_model(sliding, 0.02)
