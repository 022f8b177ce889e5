"""The page of design plays: both designs by their states, over what they should do, and charts share the time."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from animato.design.optimization.solution import Solution
from animato.design.optimization.solve import solve
from animato.design.problem.build import build
from animato.formats.character_files import load_character
from animato.gallery.design.demonstrators import demonstrator
from animato.gallery.design.request import requested_motion
from animato.report.design.charts import step_times
from animato.report.design.film import film_of
from animato.report.design.page import design_page
from animato.report.design.views import body_poses
from animato.report.kit import Ball, Line, Pins, PlacedBodies, Readout, Trail
from animato.view.scene import pose_bodies
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def solution() -> Solution:
    linkage = load_character("adjustable_four_bar")
    return solve(build(linkage, *requested_motion(linkage, "four_bar")))


@pytest.fixture(scope="module")
def turned() -> Solution:
    """A rider whose torso should turn, in a few steps; how near it comes is not the matter."""
    made = demonstrator("biker")
    problem = made.problem(load_character(made.character))
    return solve(build(problem.character, problem.motions[0], replace(made.options, iterations=2)))


def test_both_designs_are_shown_as_they_were_found(solution: Solution) -> None:
    after, before = film_of(solution).figures
    assert before.ghost and not after.ghost
    times, steps = step_times(solution), np.arange(solution.problem.step_count)
    for figure, performance in ((after, solution.optimized), (before, solution.initial)):
        found, states = figure.poses(times), body_poses(performance, steps)
        np.testing.assert_allclose(found.positions, states.positions, atol=1e-12)
        # what joints make of the clip is the same
        posed = pose_bodies(figure.character, figure.clip)
        np.testing.assert_allclose(posed.positions, states.positions, atol=1e-9)


def test_targets_are_lines_and_marks_and_both_ways_grow(solution: Solution) -> None:
    things = film_of(solution).things
    (target,) = solution.problem.motions[0].targets
    (line,) = [one for one in things if isinstance(one, Line)]
    (ball,) = [one for one in things if isinstance(one, Ball)]
    assert target.positions is not None
    np.testing.assert_allclose(line.places, target.positions)
    np.testing.assert_allclose(ball.places, target.positions)
    before, after = [one for one in things if isinstance(one, Trail)]
    assert before.growing and after.growing and before.dashed and not after.dashed
    off = np.linalg.norm(before.places - target.positions, axis=1)
    np.testing.assert_allclose(off, solution.initial.errors.positions[:, 0], atol=1e-9)
    first, second = [one for one in things if isinstance(one, Readout)]
    np.testing.assert_allclose(first.values, 1000.0 * off, atol=1e-6)
    assert first.after == second.after == " mm off"  # one unit for both, so that they can be compared


def test_joints_are_pins_of_both_designs(solution: Solution) -> None:
    after, before = [one for one in film_of(solution).things if isinstance(one, Pins)]
    assert (after.figure, before.figure) == (0, 1) and before.dashed and not after.shown
    joints = [joint for joint in solution.problem.character.joints if str(joint.type) not in ("ground", "fixed")]
    assert len(after.pins) == len(before.pins) == len(joints)


def test_bodies_stand_where_they_should_be(turned: Solution) -> None:
    *_, wanted = film_of(turned).figures
    assert isinstance(wanted, PlacedBodies) and wanted.ghost and wanted.placed is not None
    (target,) = turned.problem.motions[0].targets
    assert wanted.placed.names == (target.body,) and target.orientations_wxyz is not None
    dots = np.sum(wanted.poses(step_times(turned)).of(target.body).quaternion_wxyz * target.orientations_wxyz, axis=1)
    np.testing.assert_allclose(np.abs(dots), 1.0, atol=1e-9)
    assert {part.body for part in wanted.scene().parts} == {wanted.scene().body_names.index(target.body)}


def test_several_motions_follow_one_another_and_are_named(solution: Solution) -> None:
    motion = solution.problem.motions[0]
    half = motion.step_count // 2
    parts = []
    for name, here in (("up", slice(0, half)), ("down", slice(half, motion.step_count))):
        (one,) = motion.targets
        assert one.positions is not None
        cut = (replace(one, positions=one.positions[here], position_weights=np.ones(3), orientation_weight=1.0),)
        parts.append(replace(motion, targets=cut, name=name, controls=None))
    problem = replace(solution.problem, motions=tuple(parts), starts=(0, half))
    both = replace(
        solution,
        problem=problem,
        initial=replace(solution.initial, problem=problem),
        optimized=replace(solution.optimized, problem=problem),
    )
    film = film_of(both)
    times = step_times(both)
    assert [words for _, words in film.words] == ["up", "down"]
    assert film.words[1][0] == pytest.approx(times[half]) and film.span == pytest.approx((0.0, times[-1]))
    trails = [one for one in film.things if isinstance(one, Trail)]
    assert len(trails) == 4 and np.isnan(trails[0].places[half:]).all()


def test_the_page_plays_and_everything_on_it_shares_the_time(solution: Solution) -> None:
    page = design_page(solution)
    assert_whole(page)
    assert len(page) < 600_000
    assert page.count('class="figure-player"') == 1 and page.count('class="still"') == 1
    assert page.count('data-cursor="film"') == 2
    shown = [float(time) for time in re.findall(r'class="pair" data-time="([\d.]+)"', page)]
    assert len(shown) == 6 and shown == sorted(shown)
    bare = design_page(solution, pictures=False)
    assert "figure-player" not in bare and "data-cursor" not in bare
    assert solution._repr_html_().startswith("<iframe")
