from __future__ import annotations

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.kernels.compiled import kernel
from animato.kernels.cosine_sine import cosine_sine
from animato.kernels.lanes import LANES, give, lanes, put_lanes, spread, square_root, take, where_larger
from animato.kernels.vectors import matrix_at, put_triple, quaternion_of
from animato.mechanics.tree.kinematics import centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.mechanics.tree.states import states_of_clip
from animato.motion.clip import Clip
from animato.spatial import quaternions


@kernel
def arithmetic(given: np.ndarray, out: np.ndarray) -> None:
    a, b = lanes(given, 0), lanes(given, 1)
    put_lanes(out, 0, 2.0 * a + b / 3.0 - 1.0)
    put_lanes(out, 1, where_larger(a, b, a, -1.0))
    put_lanes(out, 2, square_root(a * a))
    chosen = spread(4.0) if given[0, 0] > 1e9 else a
    put_lanes(out, 3, chosen)


@kernel
def circle(angles: np.ndarray, cosines: np.ndarray, sines: np.ndarray) -> None:
    for row in range(len(angles)):
        c, s = cosine_sine(lanes(angles, row))
        put_lanes(cosines, row, c)
        put_lanes(sines, row, s)


@kernel
def quaternion_rows(rotation: np.ndarray, out: np.ndarray) -> None:
    w, x, y, z = quaternion_of(matrix_at(rotation, 0))
    put_lanes(out, 0, w)
    put_triple(out, 1, (x, y, z))


def test_operators_work_lane_by_lane() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, LANES))
    out = np.empty((4, LANES))
    arithmetic(np.array([a, b]), out)
    np.testing.assert_allclose(out, [2 * a + b / 3 - 1, np.where(a >= b, a, -1), np.abs(a), a], rtol=0, atol=1e-15)


@pytest.mark.parametrize("size", [1e-9, 1.0, 10.0, 1e3, 1e7])
def test_cosine_sine_agree_with_numpy(size: float) -> None:
    angles = np.random.default_rng(1).uniform(-size, size, (1000, LANES))
    cosines, sines = np.empty_like(angles), np.empty_like(angles)
    circle(angles, cosines, sines)
    np.testing.assert_allclose(cosines, np.cos(angles), rtol=0, atol=4e-16)
    np.testing.assert_allclose(sines, np.sin(angles), rtol=0, atol=4e-16)


def test_cosine_sine_at_the_borders_between_half_turns() -> None:
    borders = np.pi * np.arange(-40, 40) / 2
    angles = np.sort(np.concatenate([borders, np.nextafter(borders, -99), np.nextafter(borders, 99)])).reshape(
        -1, LANES
    )
    cosines, sines = np.empty_like(angles), np.empty_like(angles)
    circle(angles, cosines, sines)
    np.testing.assert_allclose(cosines, np.cos(angles), rtol=0, atol=4e-16)
    np.testing.assert_allclose(sines, np.sin(angles), rtol=0, atol=4e-16)


def test_not_a_number_stays_in_its_lane() -> None:
    angles = np.zeros((1, LANES))
    angles[0, 2], angles[0, 5] = np.nan, np.inf
    cosines, sines = np.empty_like(angles), np.empty_like(angles)
    circle(angles, cosines, sines)
    bad = np.isin(np.arange(LANES), [2, 5])
    assert np.array_equal(np.isnan(cosines[0]), bad)
    assert np.array_equal(np.isnan(sines[0]), bad)
    assert np.all(cosines[0, ~bad] == 1.0)
    assert np.all(sines[0, ~bad] == 0.0)


def test_each_lane_picks_its_own_largest_component() -> None:
    near = np.eye(4)[np.arange(LANES) % 4] + 1e-3 * np.random.default_rng(2).normal(size=(LANES, 4))
    given = quaternions.normalized(near)
    rotation = np.ascontiguousarray(quaternions.matrix_from_quaternion(given).reshape(LANES, 9).T)
    out = np.empty((4, LANES))
    quaternion_rows(rotation, out)
    given = given * np.where(given[:, :1] < 0, -1.0, 1.0)
    np.testing.assert_allclose(out.T, given, rtol=0, atol=1e-12)  # 1e-3 in w is found from 1e-3 in the matrix


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1, 3 * LANES])
def test_take_and_give_bring_a_table_back(count: int) -> None:
    table = np.random.default_rng(3).normal(size=(count, 5))
    back, rows = np.full_like(table, np.nan), np.full((5, LANES), np.nan)
    for first in range(0, count, LANES):
        take(table, first, rows)
        assert np.all(np.isfinite(rows))
        give(rows, first, back)
    assert np.array_equal(back, table)


@pytest.mark.parametrize("count", [1, LANES + 3])
def test_a_moment_does_not_depend_on_its_neighbours(count: int) -> None:
    character = load_character("torso29")
    names = character.coordinate_names
    values = 0.3 * np.random.default_rng(4).normal(size=(3 * LANES, len(names)))
    clip = Clip(np.arange(len(values)) / 50.0, names, values)
    hand = character.end_points[0].body
    whole, part = states_of_clip(character, clip), states_of_clip(character, clip, clip.times[5 : 5 + count])
    here = slice(5, 5 + count)
    # the clip's own frames are taken as they are, other times from its spline: equal up to rounding
    for ours, all_ours in (
        (inverse_dynamics(character, part).values, inverse_dynamics(character, whole).values),
        (forward_kinematics(character, part).positions, forward_kinematics(character, whole).positions),
        (forward_kinematics(character, part).quaternions_wxyz, forward_kinematics(character, whole).quaternions_wxyz),
        (frame_jacobians(character, part, hand), frame_jacobians(character, whole, hand)),
        (centre_of_mass(character, part), centre_of_mass(character, whole)),
    ):
        np.testing.assert_allclose(ours, all_ours[here], rtol=0, atol=1e-10 * max(1.0, np.abs(all_ours).max()))
