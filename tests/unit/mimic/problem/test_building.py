"""From a robot and a person to a problem."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Character, Joint, JointType
from animato.errors import AnimatoError, CharacterError, MotionError, OptionError
from animato.mimic.optimization.packing import cone, pelvis_path
from animato.mimic.options import Options
from animato.mimic.problem import Emphasis, Pin, at_times, build
from tests.mimic_solved import SIZE, pico, pico_anatomy, problem_of, standing_person, stepping_person


def test_a_problem_of_a_person() -> None:
    person = stepping_person()
    problem = problem_of(person)
    assert len(problem.times) == 31 and problem.times[0] == 0.0
    assert problem.facts() == {
        "robot": "pico",
        "person": "made up",
        "knots": "31 at 30 Hz",
        "landmarks": "14",
        "scale": f"{problem.scale:.3f}",
    }
    assert problem.scale == pytest.approx(1.0 / SIZE, rel=0.02)
    assert "pelvis" not in problem.landmarks and len(problem.landmarks) == 14
    ankle = problem.landmarks.index("left_ankle")
    wanted = problem.scale * (person.landmark("left_ankle") - person.landmark("pelvis"))
    np.testing.assert_allclose(problem.targets[:, ankle], wanted, atol=1e-9)
    path = pelvis_path(problem, problem.scale)
    np.testing.assert_allclose(path[0, :2], person.landmark("pelvis")[0, :2], atol=1e-12)
    np.testing.assert_allclose(path[:, 2], problem.scale * person.landmark("pelvis")[:, 2], atol=1e-12)


def test_a_scale_and_a_rate_that_are_given() -> None:
    problem = problem_of(stepping_person(), Options(scale=0.3, rate_hz=20.0))
    assert problem.scale == 0.3 and problem.step == pytest.approx(0.05) and len(problem.times) == 21


def test_emphasis_counts_where_and_when_it_is_wanted() -> None:
    wanted = (Emphasis("left_wrist", 3.0, 0.25, 0.75), Emphasis("left_wrist", 2.0), Emphasis("head", 5.0))
    problem = build(pico(), stepping_person(), anatomy=pico_anatomy(), emphasis=wanted)
    column = problem.landmarks.index("left_wrist")
    inside = (problem.source_times >= 0.25) & (problem.source_times <= 0.75)
    np.testing.assert_array_equal(problem.emphasis[:, column], np.where(inside, 6.0, 2.0))
    assert np.all(np.delete(problem.emphasis, column, axis=1) == 1.0)


def test_other_times_are_another_problem() -> None:
    problem = problem_of(stepping_person())
    slower = at_times(problem, np.linspace(0.0, 1.0, 41), problem.step)
    assert len(slower.times) == len(slower.plan.times) == len(slower.emphasis) == 41
    assert slower.times[-1] == pytest.approx(40.0 / 30.0)
    np.testing.assert_allclose(slower.person.positions[::4], problem.person.positions[::3], atol=1e-6)
    with pytest.raises(MotionError, match="at least 8"):
        at_times(problem, np.linspace(0.0, 1.0, 7), problem.step)


def test_what_cannot_be_built_is_said() -> None:
    with pytest.raises(MotionError, match="knots"):
        problem_of(standing_person(), Options(rate_hz=5.0))
    with pytest.raises(OptionError, match="landmarks: "):
        Emphasis("left_thumb", 1.0)
    with pytest.raises(OptionError, match="weight"):
        Emphasis("left_wrist", -1.0)
    with pytest.raises(AnimatoError):
        build("arm6", standing_person())
    robot = pico()
    joints = list(robot.joints)
    place = next(n for n, joint in enumerate(joints) if joint.name == "neck_pan")
    old = joints[place]
    joints[place] = Joint(old.name, JointType.SPHERICAL, old.parent, old.child)
    with pytest.raises(CharacterError, match="spherical"):
        build(Character("round", robot.bodies, tuple(joints)), standing_person())


def test_pins_are_kept() -> None:
    pin = Pin(0.5, (("left_elbow", 1.0),))
    assert build(pico(), standing_person(), anatomy=pico_anatomy(), pins=(pin,)).pins == (pin,)


@pytest.mark.parametrize("friction", [0.3, 1.0])
def test_edges_of_the_friction_cone(friction: float) -> None:
    """Each has a vertical part of 1 and is on the cone, so that all that they give together is inside of it."""
    edges = cone(friction)
    np.testing.assert_allclose(edges[:, 2], 1.0)
    np.testing.assert_allclose(np.hypot(edges[:, 0], edges[:, 1]), friction)
    np.testing.assert_allclose(edges.sum(axis=0)[:2], 0.0, atol=1e-12)
