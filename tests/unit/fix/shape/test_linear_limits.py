"""Range, speed, acceleration and jerk as rows: what they bound, and in which shares."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Character, Coupling, Joint, Limits
from animato.fix.shape import Moving, moving_of
from animato.fix.shape.linear_limits import ROOM, LinearLimits
from animato.fix.shape.spline_space import ORDERS, SplineSpace
from animato.mechanics.limits import limit_usage
from animato.motion import Clip


def pair(*, gear: Coupling | None = None, **second: float) -> Character:
    """Two hinges; the first has every limit, the second those that are given or follows the first."""
    full = Limits(lower=-0.4, upper=1.0, velocity=2.0, acceleration=20.0, jerk=400.0)
    bodies = tuple(Body(name, mass=1.0, inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0)) for name in ("base", "arm", "hand"))
    joints = (
        Joint("hold", "ground", "world", "base"),
        Joint("one", "revolute", "base", "arm", stated_limits=(full,)),
        Joint("two", "revolute", "arm", "hand", coupling=gear, stated_limits=(Limits(**second),)),
    )
    return Character("pair", bodies, joints)


def waving(names: tuple[str, ...], size: float = 1.0) -> Clip:
    times = np.linspace(0.0, 1.0, 31)
    waves = [size * np.sin((5.0 + 2.0 * n) * times + n) for n in range(len(names))]
    return Clip(times, names, np.column_stack(waves))


def limits_of(character: Character, clip: Clip) -> tuple[Moving, SplineSpace, LinearLimits]:
    moving, space = moving_of(character, clip.names), SplineSpace(clip.spline.knots, clip.times)
    return moving, space, LinearLimits.of(space, moving)


def test_excess_is_the_share_that_check_sees() -> None:
    """Accelerations and jerks to the last bit of the curve, ranges and speeds with the hull's room."""
    character, clip = pair(), waving(("one", "two"))
    _, _, limits = limits_of(character, clip)
    excess = limits.excess(clip.spline.control_points)
    usage = limit_usage(character, clip, oversampling=60)
    for kind in ORDERS:
        own = float(excess[kind][:, 0].max()) + 1.0 - ROOM
        seen = float(np.nanmax(usage.shares[kind]))
        tight = 1e-6 if kind in ("acceleration", "jerk") else 0.02
        assert seen - 1e-6 <= own <= seen * (1.0 + tight) + 1e-6
        assert np.all(excess[kind][:, 1] == -np.inf)  # nothing limits the second one


def test_a_limit_of_one_side_counts_in_its_own_unit() -> None:
    character, clip = pair(upper=0.3), waving(("two",))
    _, _, limits = limits_of(character, clip)
    assert list(limits.stencils) == ["position"]
    excess = limits.excess(clip.spline.control_points)["position"].max()
    usage = limit_usage(character, clip, oversampling=60)
    np.testing.assert_allclose(excess, np.nanmax(usage.shares["position"]) - 1.0, atol=2e-3)
    nothing = {"position": np.zeros((len(limits.stencils["position"]), 1), dtype=bool)}
    rows = limits.rows(clip.spline.control_points, 10.0, nothing)
    assert np.all(rows.upper <= 10.0) and np.all(np.isfinite(rows.upper))


def test_rows_foretell_the_excess_of_a_step() -> None:
    """a . step - upper is how far beyond its limit a number is after the step, for each row that is chosen."""
    character, clip = pair(lower=-0.2, velocity=1.0), waving(("one", "two"), 0.5)
    moving, _, limits = limits_of(character, clip)
    controls = clip.spline.control_points
    step = 0.1 * np.random.default_rng(2).normal(size=controls.shape)
    also = {kind: np.zeros((len(one), len(moving)), dtype=bool) for kind, one in limits.stencils.items()}
    every = {kind: np.ones_like(one) for kind, one in also.items()}
    rows = limits.rows(controls, -np.inf, every)
    after = np.array(
        [
            rows.coefficients[n] @ step[rows.first[n] : rows.first[n] + 4, rows.column[n]] - rows.upper[n]
            for n in range(len(rows))
        ]
    )
    found = np.concatenate([one[np.isfinite(one)] for one in limits.excess(controls + step).values()])
    np.testing.assert_allclose(after.max(), found.max(), rtol=1e-9)
    # Each excess is the larger one of two rows, so every one of them is among the rows.
    distances = np.abs(np.sort(after)[:, None] - found[None, :]).min(axis=0)
    np.testing.assert_allclose(distances, 0.0, atol=1e-9 * np.abs(found).max())
    assert np.all(np.isinf(rows.price))


def test_only_near_limits_are_rows() -> None:
    character, clip = pair(), waving(("one",), 0.2)
    moving, _, limits = limits_of(character, clip)
    controls = clip.spline.control_points
    none = {kind: np.zeros((len(one), len(moving)), dtype=bool) for kind, one in limits.stencils.items()}
    for near in (0.0, 0.3, 0.9, 2.5):
        rows = limits.rows(controls, near, none)
        expected = 0
        for kind, stencils in limits.stencils.items():
            values = stencils.of(controls)
            expected += int(np.sum((limits.upper[kind] - values) / limits.size[kind] < near))
            expected += int(np.sum((values - limits.lower[kind]) / limits.size[kind] < near))
        assert len(rows) == expected
        assert rows.upper.max(initial=0.0) <= near
    assert len(limits.rows(controls, -1.0, none)) == 0


def test_what_follows_by_a_gear_tightens_its_leader() -> None:
    """The follower turns -2 times as far, plus 0.1: its range and its speed bound the leader."""
    character = pair(gear=Coupling("one", -2.0, 0.1), lower=-0.5, upper=0.7, velocity=1.0, jerk=1e4)
    moving = moving_of(character, ("one",))
    np.testing.assert_allclose([moving.lower["position"][0], moving.upper["position"][0]], [-0.3, 0.3])
    np.testing.assert_allclose(moving.upper["velocity"], 0.5)
    np.testing.assert_allclose(moving.upper["acceleration"], 20.0)
    np.testing.assert_allclose(moving.upper["jerk"], 400.0)
    clip = waving(("one",), 0.3)
    _, _, limits = limits_of(character, clip)
    usage = limit_usage(character, clip, oversampling=60)
    own = limits.excess(clip.spline.control_points)["velocity"].max() + 1.0
    assert np.nanmax(usage.shares["velocity"]) - 1e-6 <= own <= 1.02 * np.nanmax(usage.shares["velocity"])
