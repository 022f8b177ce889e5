from __future__ import annotations

import numpy as np
import pytest

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.findings.finding import findings_of
from animato.findings.limit_band import limit_band


def test_worst_first_with_time_frame_value_and_limit(mixed_result) -> None:
    first, *rest = mixed_result.worst
    assert (first.axis, first.kind) == ("left_elbow_joint", "velocity")
    assert first.share == pytest.approx(11.5 / 8.0, abs=1e-12)
    assert first.time == pytest.approx(2.31, abs=1e-12)
    assert first.frame == 115  # 2.30 s and 2.32 s are as near; the earlier frame counts
    assert (first.value, first.limit) == (11.5, 8.0)
    assert [one.share for one in rest] == sorted((one.share for one in rest), reverse=True)
    assert {(one.axis, one.kind) for one in mixed_result.findings} == {
        ("left_elbow_joint", "velocity"),
        ("left_elbow_joint", "position"),
    }
    assert [(one.axis, one.kind) for one in mixed_result.near_misses] == [("right_knee_joint", "torque")]


def test_negative_values_meet_the_lower_limit(make_usage) -> None:
    usage = make_usage(
        {"a": Limits(-1.0, 2.0, velocity=1.0)}, {"a": {"position": [0, -1.5, 0], "velocity": [0, 0, -3]}}
    )
    by_kind = {one.kind: one for one in findings_of(usage)}
    assert (by_kind["position"].limit, by_kind["position"].value) == (-1.0, -1.5)
    assert by_kind["position"].excess == pytest.approx(0.5, abs=1e-12)
    assert (by_kind["velocity"].limit, by_kind["velocity"].value) == (1.0, -3.0)
    assert by_kind["velocity"].excess == pytest.approx(2.0, abs=1e-12)


def test_intervals_end_where_the_line_crosses_the_limit(make_usage) -> None:
    usage = make_usage({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.0, 2.0, 0.5, 0.5, 3.0]}}, times=range(5))
    (finding,) = findings_of(usage)
    assert np.allclose(finding.intervals, [(0.5, 1.0 + 2.0 / 3.0), (3.2, 4.0)], atol=1e-12)
    assert finding.time_over == pytest.approx(7.0 / 6.0 + 0.8, abs=1e-12)


def test_a_rounding_error_beyond_the_limit_is_no_finding(make_usage) -> None:
    limits = {"a": Limits(velocity=1.0)}
    (planned,) = findings_of(make_usage(limits, {"a": {"velocity": [0.0, 1.0 + 1e-8]}}))
    assert not planned.is_over and planned.is_near and planned.intervals == ()
    (beyond,) = findings_of(make_usage(limits, {"a": {"velocity": [0.0, 1.0 + 1e-5]}}))
    assert beyond.is_over and len(beyond.intervals) == 1


def test_without_limits_nothing_is_found(make_usage) -> None:
    assert findings_of(make_usage({"a": Limits()}, {"a": {"velocity": [1e9, 0.0]}})) == ()


def test_gaps_and_infinite_shares_are_borne(make_usage) -> None:
    usage = make_usage({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.5, 2.0, 0.5, 0.5]}})
    usage.shares["velocity"][:, 0] = [np.nan, np.inf, np.nan, 0.5]
    (finding,) = findings_of(usage)
    assert finding.is_over and finding.share == np.inf and finding.time == pytest.approx(0.01)
    assert np.all(np.isfinite(finding.intervals))


def test_band_of_a_torque_speed_curve_is_narrower_only_while_driving(make_usage) -> None:
    limits = Limits(torque=3.0, curve=TorqueSpeedCurve((0.0, 10.0), (3.0, 0.0)))
    usage = make_usage({"a": limits}, {"a": {"velocity": [0.0, 5.0, -5.0, 20.0], "torque": [1.0, 1.0, 1.0, 0.0]}})
    lower, upper = limit_band(usage, 0, "torque")
    assert np.allclose(upper, [3.0, 1.5, 3.0, 0.03], atol=1e-12)
    assert np.allclose(lower, [-3.0, -3.0, -1.5, -3.0], atol=1e-12)
    (finding,) = findings_of(usage)
    assert (finding.time, finding.limit, finding.limit_at_rest) == (0.01, 1.5, 3.0)


def test_a_motor_beyond_its_top_speed_is_told_of_after_the_speed(make_usage) -> None:
    limits = Limits(velocity=10.0, torque=3.0, curve=TorqueSpeedCurve((0.0, 10.0), (3.0, 0.0)))
    usage = make_usage({"a": limits}, {"a": {"velocity": [0.0, 12.0], "torque": [0.0, 1.0]}})
    speed, torque = findings_of(usage)
    assert (speed.kind, torque.kind) == ("velocity", "torque")
    assert torque.is_spent and torque.share == pytest.approx(100.0 / 3.0) and not speed.is_spent


def test_band_agrees_with_the_shares_of_the_mechanics(make_character, rng) -> None:
    from animato.mechanics.limits import LIMIT_KINDS, limit_usage
    from animato.motion.clip import Clip

    limits = Limits(-1.0, 0.7, acceleration=50.0, jerk=900.0)
    character = make_character({"a": limits, "b": limits}, servo="SG90")
    clip = Clip(np.arange(40) / 20.0, ("a", "b"), rng.uniform(-1.2, 1.0, (40, 2)))
    usage = limit_usage(character, clip)
    for kind in LIMIT_KINDS:
        for axis in range(2):
            lower, upper = limit_band(usage, axis, kind)
            value, share = usage.values[kind][:, axis], usage.shares[kind][:, axis]
            middle, half = 0.5 * (upper + lower), 0.5 * (upper - lower)
            if kind == "torque":  # the two sides of the band are limits of their own
                middle, half = 0.0, np.where(value >= 0.0, upper, -lower)
            assert np.allclose(np.abs(value - middle) / half, share, rtol=1e-9), (kind, axis)
            assert np.array_equal(share > 1.0, (value > upper) | (value < lower)), (kind, axis)
