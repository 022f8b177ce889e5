"""First and second derivatives of every constraint row against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import WORLD, Coupling, Joint, JointRole, JointType
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.mechanism import Mechanism
from animato.mechanics.loops.constraints.values import constraint_curvature, constraint_jacobians, constraint_values

MOVING = [kind for kind in JointType if kind not in (JointType.FIXED, JointType.GROUND)]
STEP = 1e-4


def _frame(rng: np.random.Generator) -> Frame:
    return Frame(tuple(rng.normal(size=3)), tuple(rng.normal(size=4)))


def _chain(kind: JointType, role: JointRole, rng: np.random.Generator) -> Mechanism:
    """Ground, a joint of the kind walked from parent to child and one from child to parent."""
    axes = tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
    joints = (
        Joint("ground", JointType.GROUND, WORLD, "base", frame_parent=_frame(rng), frame_child=_frame(rng)),
        Joint("one", kind, "base", "link", role, _frame(rng), _frame(rng), *axes),
        Joint("two", kind, "tip", "link", role, _frame(rng), _frame(rng), *axes),
    )
    character = Character("chain", (Body("base"), Body("link"), Body("tip")), joints)
    return build_mechanism(character, require_actuated=False)


def _geared(rng: np.random.Generator) -> Mechanism:
    joints = (
        Joint("ground", JointType.GROUND, WORLD, "base"),
        Joint("lead", JointType.REVOLUTE, "base", "link", None, _frame(rng), _frame(rng)),
        Joint("turn", JointType.REVOLUTE, "link", "tip", None, _frame(rng), coupling=Coupling("lead", -2.0, 0.3)),
        Joint("slide", JointType.PRISMATIC, "link", "rod", None, _frame(rng), coupling=Coupling("lead", 0.4, 0.1)),
    )
    return build_mechanism(Character("geared", tuple(map(Body, ("base", "link", "tip", "rod"))), joints))


CASES = [(kind, role) for kind in MOVING for role in JointRole] + [(JointType.FIXED, JointRole.PASSIVE)]


def _mechanism(case: tuple[JointType, JointRole] | str) -> Mechanism:
    rng = np.random.default_rng(7)
    return _geared(rng) if isinstance(case, str) else _chain(*case, rng)


def _point(mechanism: Mechanism) -> tuple[np.ndarray, list[int]]:
    """An arbitrary point (s, u, p), no row satisfied, and where s and u end."""
    widths = [len(mechanism.state_names), len(mechanism.control_names), len(mechanism.design_names)]
    return np.random.default_rng(11).normal(size=sum(widths)), list(np.cumsum(widths)[:2])


@pytest.mark.parametrize("case", [*CASES, "geared"], ids=str)
def test_jacobians(case: tuple[JointType, JointRole] | str) -> None:
    mechanism = _mechanism(case)
    z, ends = _point(mechanism)
    near = z + STEP * np.vstack([np.eye(len(z)), -np.eye(len(z))])
    values = constraint_values(mechanism, *np.split(near, ends, axis=1), rows="all")
    expected = (values[: len(z)] - values[len(z) :]).T / (2.0 * STEP)
    found = constraint_jacobians(mechanism, *(part[None] for part in np.split(z, ends)), rows="all")
    dense = [
        pattern.dense(numbers[0])
        for pattern, numbers in (
            (found.rows.state, found.state),
            (found.rows.control, found.control),
            (found.rows.design, found.design),
        )
    ]
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(np.hstack(dense), expected, atol=1e-7 * scale)


@pytest.mark.parametrize("case", [*CASES, "geared"], ids=str)
def test_curvature(case: tuple[JointType, JointRole] | str) -> None:
    mechanism = _mechanism(case)
    z, ends = _point(mechanism)
    rows = len(mechanism.rows)
    multipliers = np.random.default_rng(13).normal(size=rows)

    def slope(points: np.ndarray) -> np.ndarray:
        found = constraint_jacobians(mechanism, *np.split(points, ends, axis=1), rows="all")
        parts = [
            pattern.dense(numbers)
            for pattern, numbers in (
                (found.rows.state, found.state),
                (found.rows.control, found.control),
                (found.rows.design, found.design),
            )
        ]
        return np.einsum("r,nrv->nv", multipliers, np.concatenate(parts, axis=2))

    near = z + STEP * np.vstack([np.eye(len(z)), -np.eye(len(z))])
    slopes = slope(near)
    expected = (slopes[: len(z)] - slopes[len(z) :]) / (2.0 * STEP)
    state, control, design = (part[None] for part in np.split(z, ends))
    values = constraint_curvature(mechanism, state, control, design, multipliers[None], rows="all")
    pattern = mechanism.row_set("all").curvature
    assert np.all(pattern.rows <= pattern.columns)
    upper = pattern.dense(values[0])
    full = upper + np.triu(upper, 1).T
    np.testing.assert_allclose(full, expected, atol=1e-7 * max(1.0, float(np.abs(expected).max())))


def test_steps_do_not_mix() -> None:
    """Eleven steps at once, more than one set of lanes, give what each gives alone."""
    mechanism = _mechanism((JointType.UNIVERSAL, JointRole.ACTUATED))
    rng = np.random.default_rng(3)
    states = rng.normal(size=(11, len(mechanism.state_names)))
    controls = rng.normal(size=(11, len(mechanism.control_names)))
    together = constraint_jacobians(mechanism, states, controls)
    for step in range(11):
        alone = constraint_jacobians(mechanism, states[step], controls[step])
        np.testing.assert_array_equal(together.values[step], alone.values[0])
        np.testing.assert_array_equal(together.state[step], alone.state[0])
