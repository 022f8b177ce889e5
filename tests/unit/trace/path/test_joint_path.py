"""The joint path: a clamped spline over s."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import AnimatoError, SplineError, UnknownNameError
from animato.motion.posture import Posture
from animato.spatial.basis import clamped_knots
from animato.trace.path.joint_path import JointPath


@pytest.fixture
def path(rng: np.random.Generator) -> JointPath:
    breaks = np.concatenate([[0.0], np.sort(rng.uniform(0.05, 0.95, 9)), [1.0]])
    return JointPath(("a", "b", "c"), clamped_knots(breaks), rng.normal(size=(13, 3)))


def test_it_begins_and_ends_at_its_end_control_points(path: JointPath) -> None:
    np.testing.assert_allclose(path.at(0.0), path.control_points[0], atol=1e-14)
    np.testing.assert_allclose(path.at(1.0), path.control_points[-1], atol=1e-14)
    np.testing.assert_array_equal(path.at([-3.0, 7.0]), path.at([0.0, 1.0]))


def test_it_stays_between_its_control_points(path: JointPath) -> None:
    q = path.at(np.linspace(0.0, 1.0, 2001))
    assert np.all(q >= path.control_points.min(axis=0) - 1e-13)
    assert np.all(q <= path.control_points.max(axis=0) + 1e-13)


def test_derivatives_are_those_of_the_path(path: JointPath) -> None:
    s = np.linspace(0.01, 0.99, 57)
    step = 1e-5
    for order in (1, 2):
        slope = (path.at(s + step, order - 1) - path.at(s - step, order - 1)) / (2 * step)
        scale = np.abs(path.at(s, order)).max()
        np.testing.assert_allclose(path.at(s, order), slope, atol=1e-6 * scale)


def test_samples_are_all_orders_at_once(path: JointPath) -> None:
    s = np.linspace(0.0, 1.0, 41)
    samples = path.samples(s)
    for order, values in enumerate((samples.q, samples.dq, samples.ddq)):
        np.testing.assert_array_equal(values, path.at(s, order))
    np.testing.assert_array_equal(samples.s, s)


def test_places_may_have_any_shape(path: JointPath) -> None:
    assert path.at(0.3).shape == (3,)
    assert path.at(np.full((4, 2), 0.3)).shape == (4, 2, 3)
    np.testing.assert_array_equal(path.at(np.full((4, 2), 0.3))[3, 1], path.at(0.3))


def test_the_whole_posture_knows_what_is_held() -> None:
    held = Posture(("d",), np.array([0.5]))
    path = JointPath(("a",), clamped_knots(np.array([0.0, 1.0])), np.zeros((4, 1)), held)
    assert path.posture(0.4).value("d") == 0.5
    assert path.posture(0.4).names == ("a", "d")
    assert path.column("a") == 0
    assert path.control_point_count == 4
    with pytest.raises(UnknownNameError, match="'b' is not in"):
        path.column("b")


@pytest.mark.parametrize(
    "knots",
    [
        np.linspace(0.0, 1.0, 12),  # not clamped
        clamped_knots(np.array([0.0, 0.5, 2.0])),  # not on [0, 1]
        np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]),  # a double knot has no second derivative
        np.zeros(3),
    ],
)
def test_knots_that_make_no_path(knots: np.ndarray) -> None:
    with pytest.raises(SplineError):
        JointPath(("a",), knots, np.zeros((max(len(knots) - 4, 0), 1)))


def test_control_points_must_be_finite_and_fit(path: JointPath) -> None:
    with pytest.raises(AnimatoError, match="shape"):
        JointPath(path.names, path.knots, path.control_points[1:])
    with pytest.raises(AnimatoError, match="finite"):
        JointPath(path.names, path.knots, np.full_like(path.control_points, np.nan))
    with pytest.raises(SplineError, match="0 to 3"):
        path.at(0.5, 4)
