"""The published method on Pico: balance, limits, links and feet hold; bad input is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import CharacterError, MotionError, OptionError, UnknownNameError
from animato.formats import load_character
from animato.gallery.mimic.lift_on_pico import SQUARE_M, lift_on_pico, pico_markers
from animato.mimic.mesh import length_error
from animato.mimic.published import (
    MarkerPlace,
    MarkerSet,
    PublishedOptions,
    PublishedProblem,
    build_published,
    links_of,
    scale_of,
    solve_published,
)
from animato.mimic.published.result import joint_ranges
from animato.outcome import Status


@pytest.fixture(scope="module")
def problem() -> PublishedProblem:
    return lift_on_pico()


def test_ten_postures_come_into_balance(problem: PublishedProblem) -> None:
    found = solve_published(problem)
    assert found.outcome.solved
    assert found.zmp_max_cm(after=False) > 100.0 * SQUARE_M > found.zmp_max_cm()
    assert found.zmp_max_cm() <= 50.0 * SQUARE_M * (1.0 + 1e-6)
    assert length_error(found.positions, problem.links) < 1e-6
    held = np.isfinite(problem.held)
    np.testing.assert_array_equal(found.positions[held], problem.held[held])
    np.testing.assert_allclose(found.after.fit.markers[held], problem.held[held], atol=2e-3)  # the fit pulls a little
    lower, upper = joint_ranges(problem).angle[:, 6:]
    assert ((found.clip.positions > lower) & (found.clip.positions < upper)).all()
    assert found.laplacian.sum() >= found.presolved.laplacian.sum() * (1.0 - 1e-9)
    assert found.clip.frame_count == 10


def test_velocity_and_torque_limits_hold(problem: PublishedProblem) -> None:
    free = solve_published(problem)
    most = {
        name: 0.9 * float(np.abs(free.torques[name]).max()) for name in ("left_shoulder_pitch", "right_shoulder_pitch")
    }
    found = solve_published(replace(problem, options=replace(problem.options, torques=most, velocity_limits=True)))
    assert found.outcome.usable
    for name, limit in most.items():
        assert np.abs(found.torques[name]).max() <= limit * (1.0 + 1e-6) < np.abs(free.torques[name]).max()


def test_an_answer_that_crosses_a_limit_is_not_usable_and_says_which() -> None:
    too_cheap = PublishedOptions(square_m=SQUARE_M, price=1e-9)
    found = solve_published(lift_on_pico(too_cheap, frames=3))
    assert found.outcome.status is Status.INFEASIBLE
    assert "the ZMP's square by" in found.outcome.reason


def test_links_are_what_no_joint_changes() -> None:
    markers = pico_markers()
    names = markers.names
    found = {(names[link.first], names[link.second]): link.length for link in links_of(markers)}
    assert found["left_hip", "left_knee"] == pytest.approx(0.075)
    assert found["left_knee", "left_ankle"] == pytest.approx(0.075)
    assert ("left_hip", "left_ankle") not in found
    assert ("left_hand", "right_hand") not in found


def test_the_scale_is_the_robot_over_the_person(problem: PublishedProblem) -> None:
    half = 0.5 * problem.source
    assert scale_of(half, problem.links) == pytest.approx(2.0 * scale_of(problem.source, problem.links))


def test_bad_input_is_refused(problem: PublishedProblem) -> None:
    markers, times = problem.markers, problem.times
    with pytest.raises(MotionError, match="evenly apart"):
        build_published(markers, np.array([0.0, 0.1, 0.3]), problem.source[:3])
    with pytest.raises(MotionError, match="Markers must have the shape"):
        build_published(markers, times, problem.source[:, :4])
    with pytest.raises(OptionError, match="`alpha`"):
        PublishedOptions(alpha=-1.0)
    with pytest.raises(OptionError, match="`square_m`"):
        PublishedOptions(square_m=0.0)
    with pytest.raises(UnknownNameError, match="elbw"):
        solve_published(replace(problem, options=replace(problem.options, torques={"left_elbw": 1.0})))
    arm = load_character("arm6")
    place = MarkerPlace("a", arm.bodies[-1].name, (0.0, 0.0, 0.0))
    with pytest.raises(CharacterError, match="floating base"):
        MarkerSet(arm, (place,), (place, place))
