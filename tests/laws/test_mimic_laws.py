"""What a solve must not depend on: sides, places, headings; and rest stays rest."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mimic.optimization import Solution, solve
from animato.mimic.options import Options
from tests.mimic_solved import hopping_person, key_points, problem_of, solved, stepping_person
from tests.pose_builders import mirrored_person, person_of_points

OPTIONS = Options(collisions=False)
SWAP = {"left": "right", "right": "left"}


def mirrored_points(solution: Solution) -> np.ndarray:
    names = ["pelvis", *solution.problem.landmarks]
    other = ["_".join(SWAP.get(word, word) for word in name.split("_")) for name in names]
    return key_points(solution)[:, [names.index(name) for name in other]] * (1.0, -1.0, 1.0)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest distance of key-points [m]."""
    return float(np.linalg.norm(one - other, axis=2).max())


def test_a_mirrored_person_gives_the_mirrored_motion() -> None:
    mirrored = solve(problem_of(mirrored_person(stepping_person()), OPTIONS))
    assert mirrored.outcome.usable
    assert apart(mirrored_points(mirrored), key_points(solved("step"))) < 1e-3
    assert apart(key_points(mirrored), key_points(solved("step"))) > 1e-2  # its own mirror image it is not


def test_a_hop_of_both_feet_is_its_own_mirror_image() -> None:
    hop = solved("hop")
    assert hop.outcome.usable and hop.problem.plan.flight.any()
    assert apart(mirrored_points(hop), key_points(hop)) < 2e-3
    loads = hop.forces[..., 2].reshape(len(hop.forces), 2, -1).sum(axis=2)
    assert np.abs(loads[:, 0] - loads[:, 1]).max() < 0.1 * loads.sum(axis=1).max()


@pytest.mark.parametrize("angle", [0.5 * np.pi, 1.0])
def test_where_and_to_where_it_happens_does_not_matter(angle: float) -> None:
    """Friction is a pyramid of four sides in the world, so a heading that it does not share may differ by a little."""
    person, by = stepping_person(), np.array((2.0, -1.0, 0.0))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    moved = solve(problem_of(person_of_points(person.times, person.names, person.positions @ turn.T + by), OPTIONS))
    # the search begins on the robot's place as it is captured, not scaled, so that alone is moved by as much
    assert apart(key_points(moved), key_points(solved("step")) @ turn.T + by) < 1e-3


def test_when_it_happens_does_not_matter() -> None:
    person = stepping_person()
    later = solve(problem_of(person_of_points(person.times + 5.0, person.names, person.positions), OPTIONS))
    # times that round otherwise end the search a little elsewhere within its tolerance
    assert apart(key_points(later), key_points(solved("step"))) < 1e-3
    assert later.clip.times[0] == 0.0


def test_who_stands_still_is_not_moved() -> None:
    solution = solved("stand")
    assert solution.outcome.usable
    points = key_points(solution)
    inner = points[3:-3]
    assert np.ptp(inner, axis=0).max() < 5e-4
    # both ends of a clip may give way a little: what comes after them nobody has to carry
    assert np.ptp(points, axis=0).max() < 3e-3
    assert solution.errors.mean() < 1e-3


def test_a_larger_person_gives_the_same_motion() -> None:
    """The scale is fitted, so a person twice as large moves the robot as well; only its path is as it was captured."""
    person = stepping_person()
    large = solve(problem_of(person_of_points(person.times, person.names, 1.05 * person.positions), OPTIONS))
    assert large.scale == pytest.approx(solved("step").scale / 1.05, rel=3e-3)
    shift = key_points(large)[0, 0] - key_points(solved("step"))[0, 0]
    assert apart(key_points(large) - shift, key_points(solved("step"))) < 2e-3


def test_the_hop_is_high_enough_to_be_one() -> None:
    """Negative control of the hop: a person that stays on the floor has no flight."""
    assert not problem_of(hopping_person(height=0.02), OPTIONS).plan.flight.any()
