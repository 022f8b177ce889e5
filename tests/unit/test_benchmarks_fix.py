"""The judge of the benchmark of fix, its peers and its convex program, on small cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from animato.motion import Clip
from benchmarks.fix_cases import CHOSEN, REPORTED, Case, named
from benchmarks.fix_clips import to_and_fro
from benchmarks.fix_convex import bernstein_rows
from benchmarks.fix_measures import Result, deviations, judged, worst_shares
from benchmarks.fix_peers import bounds, clamped, in_range, least_slowdown, rate_limited, stretched

LAMP = named("lamp.look_2x")


def test_sets_share_no_case_and_no_name() -> None:
    names = [case.name for case in (*CHOSEN, *REPORTED)]
    assert len(set(names)) == len(names)
    assert len([case for case in REPORTED if case.broken]) >= 12
    assert len({case.who for case in REPORTED}) >= 5


def test_the_artist_does_not_deviate_and_breaks_limits() -> None:
    found = judged(LAMP, Result("artist", LAMP.clip))
    assert found.worst_mm < 1e-9
    assert found.in_time
    assert not found.keeps
    assert found.worst_share > 1.1


def test_slower_is_no_deviation_along_its_pace_but_one_at_equal_times() -> None:
    slower = stretched(LAMP.clip, 2.0)
    apart, weights = deviations(LAMP, Result("slower", slower, LAMP.clip.times))
    assert apart.max() < 1e-12
    assert weights.sum() == pytest.approx(1.0)
    late = Clip(LAMP.clip.times, LAMP.clip.names, np.roll(LAMP.clip.positions, 5, axis=0))
    assert judged(LAMP, Result("late", late, np.roll(LAMP.clip.times, 5))).mean_mm > 1.0  # its pace does not help


def test_a_pace_that_falls_or_leaves_something_out_is_refused() -> None:
    slower = stretched(LAMP.clip, 2.0)
    for pace in (LAMP.clip.times[::-1], 0.5 * LAMP.clip.times):
        with pytest.raises(ValueError, match="falls or does not cover"):
            deviations(LAMP, Result("liar", slower, pace))


@pytest.mark.parametrize("name", ["lamp.look_2x", "pico_bust.hello_1.5x", "pico.hello"])
def test_pinocchio_agrees_on_torques(name: str) -> None:
    pytest.importorskip("pinocchio")
    case = named(name)
    ours = worst_shares(case, case.clip, fine=1)
    theirs = worst_shares(case, case.clip, fine=1, second_opinion=True)
    assert theirs["torque"] == pytest.approx(ours["torque"], rel=1e-9)


def test_the_least_slowdown_is_the_least() -> None:
    clip = in_range(LAMP)
    factor = least_slowdown(LAMP, clip)
    assert factor is not None
    assert max(worst_shares(LAMP, stretched(clip, factor)).values()) <= 1.0
    assert max(worst_shares(LAMP, stretched(clip, 0.99 * factor)).values()) > 1.0


def test_no_tempo_helps_where_gravity_is_too_much() -> None:
    case = named("arm6_loaded.reach")
    assert least_slowdown(case, in_range(case)) is None


def test_clamp_and_rate_limit_do_what_they_say() -> None:
    case = named("lamp.chirp_into_limits")
    lower, upper = bounds(case, "position")
    clip = clamped(case, 0.01)
    assert np.all(clip.positions > lower)
    assert np.all(clip.positions < upper)
    steps = np.abs(np.diff(rate_limited(case, clip).positions, axis=0))
    assert np.all(steps <= bounds(case, "velocity") * np.diff(clip.times)[:, None] + 1e-12)


def test_to_and_fro_is_as_long_as_asked_and_has_no_jump() -> None:
    clip = to_and_fro(LAMP.clip, 7.0)
    assert clip.duration == pytest.approx(7.0, abs=0.011)
    most = np.abs(np.diff(LAMP.clip.positions, axis=0)).max()
    assert np.abs(np.diff(clip.positions, axis=0)).max() <= most + 1e-12


def test_bernstein_rows_bound_the_spline_and_its_derivatives(rng: np.random.Generator) -> None:
    times = np.sort(rng.uniform(0.0, 1.0, 12))
    curve = make_interp_spline(times, rng.normal(size=12), k=3)
    values, rows = bernstein_rows(times)
    np.testing.assert_allclose(values @ curve.c, curve(times), atol=1e-10)
    fine = np.linspace(times[0], times[-1], 4001)[1:-1]
    for order in range(4):
        coefficients = rows[order] @ curve.c
        found = curve(fine, order) if order else curve(fine)
        assert found.max() <= coefficients.max() + 1e-6 * np.abs(coefficients).max()
        assert found.min() >= coefficients.min() - 1e-6 * np.abs(coefficients).max()
        if order >= 2:  # lines and constants are as large as their coefficients
            np.testing.assert_allclose(coefficients.max(), found.max(), rtol=0.02)


def test_every_case_can_be_named() -> None:
    assert isinstance(named(REPORTED[0].name), Case)
    with pytest.raises(SystemExit, match="There is no case"):
        named("nobody")
