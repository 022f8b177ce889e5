"""Edges of soles and the load that leans away from them."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mimic.optimization.leaning import EDGES, leaning_of, outside_vectors

SOLE = np.array([(-0.05, -0.03), (0.1, -0.03), (0.1, 0.03), (-0.05, 0.03)])
ASIDE = np.array((0.0, 0.1))
CORNERS = np.tile(np.vstack([SOLE + ASIDE, SOLE - ASIDE]), (5, 1, 1))
LEFT, RIGHT = np.arange(8) < 4, np.arange(8) >= 4
MARGIN = 2e-3
INSIDE = np.zeros((5, 2))


def handed_over() -> tuple[np.ndarray, np.ndarray]:
    """Loads of the left foot until knot 2, then of the right; the left stands until 2, the right from then on."""
    loads = np.zeros((5, 8))
    loads[:3, LEFT] = loads[3:, RIGHT] = 0.25
    stands = np.zeros((5, 8), dtype=bool)
    stands[:3, LEFT] = stands[3:, RIGHT] = True
    return loads, stands


def smoothed(points: np.ndarray, loads: np.ndarray, t: int) -> np.ndarray:
    """Centre of the loads around a knot, as whoever looks at frames sees it, [2]."""
    weights = np.array([1.0, 4.0, 1.0])[:, None] * loads[t - 1 : t + 2]
    return np.asarray(np.einsum("tc,tcx->x", weights, points[t - 1 : t + 2]) / weights.sum())


def test_rows_are_where_a_neighbour_pushes_elsewhere() -> None:
    loads, stands = handed_over()
    leaning = leaning_of(CORNERS, loads, stands, INSIDE, MARGIN)
    assert leaning.reach.shape == (5, EDGES, 8)
    np.testing.assert_array_equal(np.isfinite(leaning.least).any(axis=1), [False, False, True, True, False])
    assert not leaning.reach[[0, 1, 4]].any()


def test_a_row_that_holds_keeps_the_smoothed_zmp_inside(rng: np.random.Generator) -> None:
    """Random loads at the knot: rows hold exactly where what is seen is inside the sole, less the margin."""
    before, stands = handed_over()
    leaning = leaning_of(CORNERS, before, stands, INSIDE, MARGIN)
    seen = {True: 0, False: 0}
    for _ in range(300):
        loads = before.copy()
        shares = rng.dirichlet(np.full(4, 0.4))
        loads[2, LEFT] = shares
        holds = bool(np.all(leaning.reach[2] @ loads[2] >= leaning.least[2]))
        place = smoothed(CORNERS, loads, 2)
        low, high = ASIDE + SOLE.min(axis=0) + MARGIN, ASIDE + SOLE.max(axis=0) - MARGIN
        assert holds == bool(np.all((place >= low) & (place <= high)))
        seen[holds] += 1
    assert min(seen.values()) > 20


def test_evenly_loaded_it_would_be_seen_outside() -> None:
    """Negative control: without leaning, what is seen at the hand-over is between the soles."""
    loads, stands = handed_over()
    leaning = leaning_of(CORNERS, loads, stands, INSIDE, MARGIN)
    assert smoothed(CORNERS, loads, 2)[1] == pytest.approx(0.1 - 0.2 / 6.0)
    assert smoothed(CORNERS, loads, 2)[1] < 0.07
    assert np.any(leaning.reach[2] @ loads[2] < leaning.least[2])


def test_nothing_to_watch_on_a_line_or_where_all_stands() -> None:
    loads, stands = handed_over()
    assert not np.isfinite(leaning_of(CORNERS, loads, np.ones_like(stands), INSIDE, MARGIN).least).any()
    stands[:, [0, 1, 4, 5]] = False  # two corners each
    assert not np.isfinite(leaning_of(CORNERS, loads, stands, INSIDE, MARGIN).least).any()


def test_a_knot_keeps_away_from_an_edge_that_was_crossed_nearby(rng: np.random.Generator) -> None:
    """The ZMP of the knot's own loads stays inside by as much as it was outside, on that side alone."""
    rims = INSIDE.copy()
    rims[2] = (0.004, 0.0)  # in front of the toes
    loads = np.zeros((5, 8))
    loads[:, LEFT] = 0.25
    stands = np.tile(LEFT, (5, 1))
    leaning = leaning_of(CORNERS, loads, stands, rims, MARGIN)
    np.testing.assert_array_equal(np.isfinite(leaning.least).any(axis=1), np.arange(5) == 2)
    low, high = ASIDE + SOLE.min(axis=0) + MARGIN, ASIDE + SOLE.max(axis=0) - MARGIN - rims[2]
    seen = {True: 0, False: 0}
    for _ in range(200):
        shares = rng.dirichlet(np.full(4, 0.3))
        place = shares @ (SOLE + ASIDE)
        holds = bool(np.all(leaning.reach[2][:, LEFT] @ shares >= leaning.least[2]))
        assert holds == bool(np.all((place >= low) & (place <= high)))
        seen[holds] += 1
    assert min(seen.values()) > 20


def test_how_far_points_are_outside() -> None:
    zmp = np.array([(0.0, 0.1), (0.15, 0.1), (0.0, 0.05), (np.nan, np.nan), (-0.2, 0.1)])
    stands = np.tile(LEFT, (5, 1))
    stands[4] = False  # nothing stands
    out = outside_vectors(zmp, CORNERS, stands)
    np.testing.assert_allclose(out, [(0.0, 0.0), (0.05, 0.0), (0.0, -0.02), (0.0, 0.0), (0.0, 0.0)], atol=1e-12)
