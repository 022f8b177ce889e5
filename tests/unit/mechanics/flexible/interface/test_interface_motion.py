"""The motion of an interface: its hinges against poses, and their derivatives against Taylor series."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import CharacterError
from animato.mechanics.flexible.interface import (
    InterfaceMap,
    PackedInterfaces,
    interface_map,
    pack_interfaces,
    polar_rotation,
    polar_rotation_rate,
    polar_rotation_second,
    put_interface_motion,
)


def some_points(flat: bool) -> np.ndarray:
    """A cloud of nodes, in a plane or not, [node, 3]."""
    points = np.random.default_rng(5).normal(size=(12, 3))
    if flat:
        points[:, 2] = 0.3
    return points


def an_interface(flat: bool, modes: int = 4) -> tuple[InterfaceMap, np.ndarray]:
    """An interface of most of the cloud, and a basis that moves all of it, [node, 3, mode]."""
    random = np.random.default_rng(6)
    basis = random.normal(size=(12, 3, modes))
    return interface_map(some_points(flat), np.arange(1, 11), random.uniform(0.5, 1.5, size=10)), basis


def rotation_of(turns: np.ndarray) -> np.ndarray:
    """Rx Ry Rz of three turns."""
    found = np.eye(3)
    for axis, angle in enumerate(turns):
        c, s = np.cos(angle), np.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        one = np.eye(3)
        one[i, i], one[i, j], one[j, i], one[j, j] = c, -s, s, c
        found = found @ one
    return found


def motion(packed: PackedInterfaces, a: np.ndarray, v: np.ndarray, acc: np.ndarray) -> tuple[np.ndarray, ...]:
    """All that the kernel writes."""
    out = (*(np.full(6, np.nan) for _ in range(3)), *(np.full((6, len(a)), np.nan) for _ in range(3)))
    put_interface_motion(packed, 0, a, v, acc, True, *out)
    return out


STATE = np.random.default_rng(8).normal(size=(3, 4)) * np.array([[0.12], [0.5], [2.0]])


@pytest.mark.parametrize("flat", [True, False])
def test_hinges_are_centroid_and_polar_rotation(flat: bool) -> None:
    one, basis = an_interface(flat)
    phi = motion(pack_interfaces([(one, basis)]), *STATE)[0]
    moved = basis @ STATE[0]
    assert np.allclose(phi[:3], one.weights @ moved[one.nodes], atol=1e-14)
    assert np.allclose(rotation_of(phi[3:]), polar_rotation(one.rest + one.linear_part_of(moved)), atol=1e-13)
    assert np.linalg.norm(phi[3:]) > 0.05


@pytest.mark.parametrize("flat", [True, False])
def test_rates_follow_the_hinges_over_time(flat: bool) -> None:
    packed = pack_interfaces([an_interface(flat)])
    a, v, acc = STATE
    exact = motion(packed, a, v, acc)
    h = 1e-3

    def at(t: float) -> tuple[np.ndarray, ...]:
        return motion(packed, a + v * t + 0.5 * acc * t * t, v + acc * t, acc)

    before, after, farther_before, farther_after = at(-h), at(h), at(-2 * h), at(2 * h)
    for value, rate in ((0, 1), (3, 4), (1, 2), (4, 5)):
        slope = (8 * (after[value] - before[value]) - farther_after[value] + farther_before[value]) / (12 * h)
        assert np.allclose(slope, exact[rate], rtol=1e-8, atol=1e-8 * np.abs(exact[rate]).max())


@pytest.mark.parametrize("flat", [True, False])
def test_jacobians_are_those_of_value_rate_and_acceleration(flat: bool) -> None:
    packed = pack_interfaces([an_interface(flat)])
    exact = motion(packed, *STATE)
    jac, jac_v, jac_a = exact[3:]
    expected = {(0, 0): jac, (1, 0): jac_v, (1, 1): jac, (2, 0): jac_a, (2, 1): 2 * jac_v, (2, 2): jac}
    h = 1e-3
    for (value, by), want in expected.items():
        for k in range(4):
            moved = []
            for n in (-2, -1, 1, 2):
                state = STATE.copy()
                state[by, k] += n * h
                moved.append(motion(packed, *state)[value])
            slope = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * h)
            assert np.allclose(slope, want[:, k], rtol=1e-8, atol=1e-8 * np.abs(want).max())


def test_large_turns_are_found() -> None:
    one, _ = an_interface(flat=True)
    turn = rotation_of(np.array([1.4, 0.3, -1.2]))
    rest = some_points(flat=True)
    basis = (rest @ turn.T - rest)[:, :, None]
    phi = motion(pack_interfaces([(one, basis)]), np.ones(1), np.zeros(1), np.zeros(1))[0]
    assert np.allclose(phi[3:], [1.4, 0.3, -1.2], atol=1e-13)


@pytest.mark.parametrize("flat", [True, False])
def test_rows_that_vanish_leave_no_turn_at_any_size(flat: bool) -> None:
    one, basis = an_interface(flat)
    rows = one.rows(12)
    held = basis.reshape(36, -1) - np.linalg.pinv(rows) @ rows @ basis.reshape(36, -1)
    phi = motion(pack_interfaces([(one, held.reshape(12, 3, -1))]), 3.0 * STATE[0], STATE[1], STATE[2])[0]
    assert np.allclose(phi, 0.0, atol=1e-13)


def test_derivatives_of_the_polar_decomposition() -> None:
    random = np.random.default_rng(2)
    A = np.eye(3) + 0.3 * random.normal(size=(3, 3))
    one, other = random.normal(size=(2, 3, 3))
    h = 1e-4
    slope = (polar_rotation(A + h * one) - polar_rotation(A - h * one)) / (2 * h)
    assert np.allclose(polar_rotation_rate(A, one), slope, atol=1e-6)
    mixed = (polar_rotation_rate(A + h * other, one) - polar_rotation_rate(A - h * other, one)) / (2 * h)
    assert np.allclose(polar_rotation_second(A, one, other), mixed, atol=1e-6)
    assert np.allclose(polar_rotation_second(A, one, other), polar_rotation_second(A, other, one), atol=1e-12)


def test_nodes_on_a_line_are_refused() -> None:
    points = np.zeros((5, 3))
    points[:, 0] = np.arange(5.0)
    with pytest.raises(CharacterError, match="`extent`"):
        interface_map(points, np.arange(5), np.ones(5))
