"""Courses, cases and measures of tracking: what they promise, and that the measures can fail."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import express_track
from benchmarks.express_courses import CHOSEN, COURSES, REPORTED, Course, circle, stop_go, walk
from benchmarks.express_track import course_rows, followed, tracking_table
from benchmarks.express_track_cases import RATE, Case, build_case, case, postures
from benchmarks.express_track_followers import follow_filtered
from benchmarks.express_track_measures import UNITS, Figures, Moved, figures
from benchmarks.express_track_peers import PEERS, LocalSolver

FIGURES = Figures(0.1, 1.0, 2.0, 30.0, 4.0, 100.0, 6.0)


def moved(course: Course) -> np.ndarray:
    """Angles from frame to frame [deg]."""
    values = course.points if course.directions is None else course.directions
    assert values is not None
    return np.degrees(np.linalg.norm(np.diff(values, axis=0), axis=1))


def test_the_two_sets_have_nothing_in_common() -> None:
    assert not set(CHOSEN.seeds) & set(REPORTED.seeds)
    assert CHOSEN.posture_seed != REPORTED.posture_seed
    for name in COURSES:
        assert name == "jumps" or not set(CHOSEN.speeds[name]) & set(REPORTED.speeds[name])


@pytest.mark.parametrize("name", [name for name in COURSES if name != "jumps"])
def test_courses_are_smooth_and_the_same_for_the_same_seed(name: str) -> None:
    course, again = (REPORTED.course(name, 0, 12.0, RATE) for _ in range(2))
    steps = moved(course)
    assert np.array_equal(steps, moved(again))
    assert steps.max() * RATE < 8.0 * REPORTED.speeds[name][0]
    assert np.abs(np.diff(steps)).max() * RATE < 0.2 * REPORTED.speeds[name][0]


def test_a_circle_goes_round_at_its_speed_and_a_walk_stands_at_its_end() -> None:
    assert moved(circle(3, 36.0, 12.0, RATE))[200:].mean() * RATE == pytest.approx(36.0, rel=1e-3)
    assert moved(walk(4, 20.0, 20.0, RATE))[-499:].max() == 0.0
    assert np.mean(moved(stop_go(4, 30.0, 20.0, RATE)) == 0.0) > 0.2


def test_points_stay_near_and_jumps_come_every_two_seconds() -> None:
    for n in range(6):
        points = REPORTED.course("near", n, 20.0, RATE).points
        assert points is not None
        aside = np.linalg.norm(points[:, :2], axis=1)
        assert aside.min() >= 0.5 - 1e-9 and aside.max() <= 1.0 + 1e-9
    steps = moved(REPORTED.course("jumps", 0, 20.0, RATE))
    assert np.array_equal(np.flatnonzero(steps) + 1, 200 * np.arange(1, 10))


@pytest.fixture(scope="module")
def circled() -> Case:
    return case("C", "circle", "chosen", 0, 4.0)


def test_a_motion_that_stands_is_found_out(circled: Case) -> None:
    standing = np.tile(circled.start, (400, 1))
    found = figures([circled], [Moved(standing, np.zeros_like(standing))])
    assert found.possible_percent == 100.0
    assert found.off_percent > 90.0 and found.worst_deg > 20.0 and found.error > 0.1
    assert found.travel == 0.0 and found.fast_s_per_min == 0.0


def test_a_motion_that_hurries_is_found_out(circled: Case) -> None:
    swinging = 0.3 * np.sin(10.0 * np.arange(400) / RATE)[:, None] + np.tile(circled.start, (400, 1))
    found = figures([circled], [Moved(swinging, np.gradient(swinging, 1.0 / RATE, axis=0))])
    assert 10.0 < found.fast_s_per_min < 60.0
    assert found.travel == pytest.approx(60.0 * 5 * 0.3 * 10.0 * 2.0 / np.pi, rel=0.1)


def test_time_off_target_counts_only_where_facing_is_possible(circled: Case) -> None:
    standing = np.tile(circled.start, (400, 1))
    late = replace(circled, possible=np.arange(400) < 210)
    found = figures([late], [Moved(standing, np.zeros_like(standing))])
    assert found.possible_percent == pytest.approx(5.0)
    assert found.worst_deg < 45.0


def test_a_lamp_cannot_face_what_is_behind_it() -> None:
    behind = build_case("lamp", "rest", circle(3, 60.0, 6.0, RATE))
    assert 0.2 < behind.possible.mean() < 1.0


def test_the_arm_has_seven_joints_and_its_postures_are_inside_its_limits() -> None:
    for posture in postures("arm7", 5, 3):
        assert build_case("arm7", posture, circle(3, 60.0, 0.5, RATE)).start.shape == (7,)


def test_a_peer_follows_for_a_while_from_where_all_begin(circled: Case) -> None:
    found = follow_filtered(circled, LocalSolver)
    assert np.abs(found.positions[0] - circled.start).max() < 1e-3
    assert figures([circled], [found]).worst_deg < 5.0


def test_rows_have_the_rule_beside_them_and_say_which_peer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PEERS, "lively", (PEERS["lively"][0], "no_such_package"))
    assert followed("lively", []) is None
    monkeypatch.setattr(express_track, "case", lambda *_: None)
    monkeypatch.setattr(express_track, "followed", lambda name, _: None if name == "lively" else FIGURES)
    rows = course_rows("C", "eight", quick=False)
    named = {row.name: row for row in rows}
    assert [f"track.C.eight.{measure}" for measure in UNITS] == [row.name for row in rows[:4]]
    assert all(row.peer == "rule" for row in rows[:4])
    assert named["track.C.eight.error.lively"].peer == "lively: not installed"
    assert tracking_table(rows, "C").row_count == len(COURSES)
