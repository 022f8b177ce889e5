"""Derivatives of what `fix` asks of a character, against central differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character.structure import rigidified
from animato.fix.shape import Mechanics, Motion, Moving, StandingMechanics, TreeMechanics, moving_of
from animato.fix.shape.visible import Visible
from animato.mechanics.contact import corners_of
from animato.mechanics.tree import states_of_clip
from tests.tree_builders import random_states, tangled_character

H = 1e-5


def with_losses(character: an.Character) -> an.Character:
    """Dry friction and damping in every joint, so that rows of motors hold all of their terms."""
    joints = tuple(
        replace(joint, friction=0.05, damping=0.02) if joint.stated_limits else joint for joint in character.joints
    )
    return replace(character, joints=joints)


def moved_motion(mechanics: TreeMechanics, seed: int, size: float = 0.05) -> Motion:
    """The reference with random changes; a root stays where it is, at which its derivatives are exact."""
    moving, reference, rng = mechanics.moving, mechanics.reference, np.random.default_rng(seed)
    first, count = moving.root, len(mechanics.reference.times)
    parts = [
        np.hstack([np.zeros((count, first)), block[:, columns[first:]]])
        for block, columns in (
            (reference.positions, moving.coordinates),
            (reference.velocities, moving.dofs),
            (reference.accelerations, moving.dofs),
        )
    ]
    for part, scale in zip(parts, (size, 10.0 * size, 100.0 * size), strict=True):
        part[:, first:] += scale * rng.normal(size=(count, len(moving) - first))
    return Motion(slice(0, count), *parts)


def lamp() -> TreeMechanics:
    character, clip = with_losses(an.load_character("lamp")), an.load_clip("lamp_look")
    states = states_of_clip(character, clip, clip.times[20:120:5])
    points = (("head", np.array([0.05, 0.0, 0.02])), ("upper", np.array([0.0, 0.02, 0.1])))
    bodies = [body.name for body in character.bodies]
    known = tuple((name if name in bodies else bodies[-1], place) for name, place in points)
    return TreeMechanics(character, states, moving_of(character, clip.names), known)


def pico_clip() -> tuple[an.Character, an.Clip]:
    character = with_losses(rigidified(an.load_character("pico")))
    return character, an.load_clip("pico_hello")


def pico_in_the_air() -> TreeMechanics:
    """Its root moves, and nothing holds it."""
    character, clip = pico_clip()
    states = states_of_clip(character, clip, clip.times[30:150:10])
    points = (("head", np.array([0.05, 0.0, 0.02])),)
    return TreeMechanics(character, states, moving_of(character, clip.names).with_root(), points)


def pico_on_its_soles(*, root: bool) -> StandingMechanics:
    character, clip = pico_clip()
    states = states_of_clip(character, clip, clip.times[30:150:10])
    moving: Moving = moving_of(character, clip.names)
    touching = corners_of(character, states).touching
    assert touching.any()
    points = (("head", np.array([0.05, 0.0, 0.02])), ("left_forearm", np.array([0.0, 0.0, -0.05])))
    return StandingMechanics(character, states, moving.with_root() if root else moving, points, touching)


def tangle() -> TreeMechanics:
    """Balls, gears, slides and a free root."""
    rng = np.random.default_rng(11)
    character = tangled_character(rng, floats=True)
    limits = an.character.Limits(torque=3.0)
    joints = tuple(
        replace(joint, stated_limits=(limits,) * len(joint.coordinate_names))
        if joint.type in ("revolute", "universal", "cylindrical", "cartesian", "prismatic") and joint.coupling is None
        else joint
        for joint in character.joints
    )
    limited = replace(character, joints=joints)
    states = random_states(rng, limited, 8)
    moving = moving_of(limited, limited.coordinate_names).with_root()
    return TreeMechanics(limited, states, moving, (("b8", np.array([0.1, 0.2, -0.1])),))


CASES = {
    "lamp": lamp,
    "pico in the air": pico_in_the_air,
    "pico on its soles": lambda: pico_on_its_soles(root=True),
    "pico on its soles, root held": lambda: pico_on_its_soles(root=False),
    "tangle": tangle,
}


def differences(mechanics: Mechanics, motion: Motion, part: int, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Central differences of loads and of places by one column of q, v or a."""
    found = []
    step = H * (1.0, 10.0, 100.0)[part]
    for way in (step, -step):
        blocks = [np.array(one) for one in (motion.q, motion.v, motion.a)]
        blocks[part][:, column] += way
        there = Motion(motion.moments, *blocks)
        found.append((mechanics.loads(there), mechanics.places(there)))
    return (found[0][0] - found[1][0]) / (2.0 * step), (found[0][1] - found[1][1]) / (2.0 * step)


@pytest.mark.parametrize("case", CASES)
def test_loads_and_places_change_as_their_derivatives_say(case: str) -> None:
    mechanics = CASES[case]()
    motion = moved_motion(mechanics, 5)
    rows, jacobians = mechanics.load_rows(motion), mechanics.jacobians(motion)
    assert rows.values.shape[1] == len(mechanics.row_names) > 0
    np.testing.assert_allclose(rows.values, mechanics.loads(motion), atol=1e-9)
    # Friction turns within 0.2 rad/s and torque-speed curves have corners: differences across these tell nothing.
    calm = _no_corner(mechanics, motion)
    for part, exact in enumerate((rows.by_q, rows.by_v, rows.by_a)):
        scale = np.abs(exact).max()
        for column in range(len(mechanics.moving)):
            loads, places = differences(mechanics, motion, part, column)
            off = np.abs(loads - exact[:, :, column]) / scale
            assert np.where(calm, off, 0.0).max() < 1e-5, (part, mechanics.moving.names[column])
            if part == 0:
                np.testing.assert_allclose(jacobians[:, column], places, atol=1e-6)


def _no_corner(mechanics: TreeMechanics, motion: Motion) -> np.ndarray:
    """Where no row of a motor is near a corner of its own, [moment, row]."""
    motors = mechanics.motors
    speeds = mechanics.states(motion).velocities[:, motors.dof]
    calm = np.ones((len(speeds), len(mechanics.row_names)), dtype=bool)
    corners = np.array([0.0, 0.2])
    calm[:, : len(motors)] = np.abs(np.abs(speeds)[..., None] - corners).min(axis=-1) > 1e-2
    return calm


def test_a_broken_derivative_is_seen() -> None:
    """Signs of one column turned over: the comparison above would fail."""
    mechanics = lamp()
    motion = moved_motion(mechanics, 5)
    exact = mechanics.load_rows(motion).by_q
    loads, _ = differences(mechanics, motion, 0, 1)
    assert np.abs(loads + exact[:, :, 1]).max() / np.abs(exact).max() > 1e-2


def test_what_is_seen_has_exact_slopes() -> None:
    """The cost's derivative, and Gauss and Newton's matrix, which is exact where nothing is off."""
    mechanics, rng = lamp(), np.random.default_rng(2)
    motion = moved_motion(mechanics, 7)
    count, columns = motion.q.shape
    visible = Visible(
        rng.uniform(0.5, 2.0, (count, 2)),
        rng.uniform(0.01, 0.1, (count, columns)),
        mechanics.places(moved_motion(mechanics, 8)),
        motion.q + 0.01 * rng.normal(size=motion.q.shape),
    )
    pull, squares = visible.derivatives(mechanics.places(motion), mechanics.jacobians(motion), motion.q)
    way = rng.normal(size=motion.q.shape)

    def cost(step: float) -> float:
        there = replace(motion, q=motion.q + step * way)
        return visible.cost(mechanics.places(there), there.q)

    slope = (cost(H) - cost(-H)) / (2.0 * H)
    assert float(np.sum(pull * way)) == pytest.approx(slope, rel=1e-6)
    there = replace(visible, targets=mechanics.places(motion), wanted=motion.q)
    visible = there
    bend = float(np.einsum("ti,tij,tj->", way, squares, way))
    assert 2.0 * cost(1e-3) / 1e-6 == pytest.approx(bend, rel=1e-2)
    assert visible.cost(mechanics.places(motion), motion.q) == 0.0
    part = visible.part(slice(3, 6))
    assert len(part.weights) == len(part.angles) == len(part.targets) == len(part.wanted) == 3
