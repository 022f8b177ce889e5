"""Derivatives of what linkages do, against central differences."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.character.structure import rigidified
from animato.mechanics.simulation import Linkage, LinkageMoments, build_linkage, build_system
from tests.simulation_builders import heavy_five_bar, heavy_four_bar

_STEP = 1e-4


def linkage(name: str) -> Linkage:
    random = np.random.default_rng(5)
    made = {"four-bar": heavy_four_bar, "five-bar": heavy_five_bar}
    character = made[name](random) if name in made else rigidified(an.load_character(name))
    body = character.bodies[-1].name
    return build_linkage(build_system(character), points=((body, np.array([0.1, -0.02, 0.05])),))


@pytest.mark.parametrize("name", ["four-bar", "five-bar", "biker"])
def test_derivatives_are_those_of_the_motion(name: str) -> None:
    moved, random = linkage(name), np.random.default_rng(3)
    n_p, n_u = moved.motor_count, moved.passive_count
    q, v, a = (scale * random.normal(size=(6, n_p)) for scale in (0.1, 1.0, 5.0))
    z, gaps = moved.followed(q)
    assert gaps.max() < 1e-10
    exact = moved.derivatives(z, v, a)
    points = moved.jacobians(z)

    def at(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[LinkageMoments, np.ndarray]:
        pose, _ = moved.followed(q, z)
        return moved.moments(pose, v, a), pose

    for p in range(n_p):
        way = _STEP * np.eye(n_p)[p]
        pairs = {
            "q": (at(q + way, v, a), at(q - way, v, a)),
            "v": (at(q, v + way, a), at(q, v - way, a)),
            "a": (at(q, v, a + way), at(q, v, a - way)),
        }
        rates = {
            key: [(x - y) / (2.0 * _STEP) for x, y in zip(_numbers(one, n_u), _numbers(other, n_u), strict=True)]
            for key, (one, other) in pairs.items()
        }
        wanted: dict[str, list[np.ndarray | None]] = {
            "q": [exact.follow, exact.v_by_q, exact.a_by_q, exact.by_q],
            "v": [None, exact.follow, 2.0 * exact.v_by_q, exact.by_v],
            "a": [None, None, exact.follow, exact.by_a],
        }
        for key, parts in wanted.items():
            for rate, part in zip(rates[key], parts, strict=True):
                known = np.zeros_like(rate) if part is None else part[:, :, p]
                # Differences of accelerations carry their rounding, 1e-10, over the step.
                np.testing.assert_allclose(rate, known, rtol=1e-5, atol=2e-5 * max(1.0, np.abs(known).max()))
        places = [moved.places(one[1]) for one in pairs["q"]]
        np.testing.assert_allclose(points[:, p], (places[0] - places[1]) / (2.0 * _STEP), atol=1e-6)


def _numbers(found: tuple[LinkageMoments, np.ndarray], n_u: int) -> tuple[np.ndarray, ...]:
    moments, pose = found
    return pose[:, :n_u], moments.v[:, :n_u], moments.a[:, :n_u], moments.torques


def test_out_of_reach_everything_stays_finite() -> None:
    """Two arms that are pulled apart; and motors pull together against the gap."""
    moved = linkage("five-bar")
    apart = np.linspace(0.0, 1.0, 21)[:, None] * np.array([[1.5, -1.5]])
    z, gaps = moved.followed(apart)
    assert gaps[0] < 1e-10 and gaps[-1] > 5e-3
    found = moved.derivatives(z, np.ones_like(apart), np.ones_like(apart))
    for numbers in (z, found.v, found.a, found.torques, found.by_q, found.by_v, found.by_a, moved.jacobians(z)):
        assert np.isfinite(numbers).all()
    pull = moved.pull_together(z[-1])
    less = moved.followed(apart[-1:] - 0.002 * pull / np.linalg.norm(pull), z[-1:])[1]
    assert less[0] == pytest.approx(gaps[-1] - 0.002 * np.linalg.norm(pull), rel=0.1)


def test_more_motors_than_freedoms_are_noticed() -> None:
    bear = build_linkage(build_system(rigidified(an.load_character("bear"))))
    assert bear.contradicts(bear.followed(np.zeros((1, bear.motor_count)))[0][0])
    assert not linkage("biker").contradicts(np.zeros(16))
