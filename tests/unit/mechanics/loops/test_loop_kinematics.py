"""Following controls: more actuators than freedom, flips, unreachable steps, warm starts, clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from animato.errors import MechanismError, OptionError
from animato.formats.character_files import load_character
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.assembly.mobility import unit_scales
from animato.mechanics.loops.clip import clip_with_loops
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.constraints.values import constraint_jacobians, constraint_values
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.motion.clip import Clip
from animato.view.scene.posing import pose_bodies
from tests import mechanism_builders as known
from tests.mechanism_builders import ACTUATED, four_bar


def _rocker_angles(turns: np.ndarray) -> np.ndarray:
    mechanism = build_mechanism(four_bar())
    return joint_coordinates(mechanism, loop_kinematics(mechanism, turns[:, None]).states).columns(("D",))[:, 0]


def test_surplus_actuators_that_agree_are_followed() -> None:
    mechanism = build_mechanism(four_bar(rocker_role=ACTUATED))
    assert (mechanism.counts.redundant_passive, mechanism.counts.redundant_active) == (3, 1)
    turns = np.linspace(0.0, 1.5, 30)
    motion = loop_kinematics(mechanism, np.column_stack([turns, _rocker_angles(turns)]))
    assert motion.actuator_residual.max() < 1e-9
    expected = loop_kinematics(build_mechanism(four_bar()), turns[:, None]).states
    np.testing.assert_allclose(motion.states, expected, atol=1e-9)


def test_surplus_actuators_that_disagree_share_the_error() -> None:
    """The sum of squares of both actuator rows is what one-dimensional minimization finds."""
    mechanism = build_mechanism(four_bar(rocker_role=ACTUATED))
    rocker = float(_rocker_angles(np.array([0.2]))[0]) + 0.1
    motion = loop_kinematics(mechanism, [[0.2, rocker]])
    assert motion.residual[0] < 1e-12

    def cost(turn: float) -> float:
        return float(np.sin(turn - 0.2) ** 2 + np.sin(_rocker_angles(np.array([turn]))[0] - rocker) ** 2)

    best = minimize_scalar(cost, bounds=(0.0, 0.5), method="bounded", options={"xatol": 1e-10})
    crank = joint_coordinates(mechanism, motion.states).columns(("A",))[0, 0]
    assert crank == pytest.approx(best.x, abs=1e-6)
    assert motion.actuator_residual[0] > 0.01


def test_actuators_that_contradict_one_another_all_along_are_followed() -> None:
    """Crank and rocker told to turn against one another: each step is a least-squares one."""
    mechanism = build_mechanism(four_bar(rocker_role=ACTUATED))
    wave = 0.3 * np.sin(np.linspace(0.0, 2.0 * np.pi, 25))
    motion = loop_kinematics(mechanism, np.column_stack([wave, -wave]))
    assert motion.residual.max() < 1e-9
    assert motion.actuator_residual.max() > 0.1
    alone = loop_kinematics(mechanism, [[wave[7], -wave[7]]])
    np.testing.assert_allclose(motion.states[7], alone.states[0], atol=1e-6)


def test_singular_values_are_those_of_the_dense_matrix() -> None:
    for roles in ({}, {"D": "actuated"}):
        mechanism = build_mechanism(four_bar(), roles=roles)
        turns = np.linspace(0.0, 1.5, 10)
        controls = np.column_stack([turns, _rocker_angles(turns)])[:, : len(mechanism.control_names)]
        motion = loop_kinematics(mechanism, controls)
        found = constraint_jacobians(mechanism, motion.states, controls, rows="all")
        by_row, by_column = unit_scales(mechanism)
        surplus = mechanism.row_indices("surplus")
        assert len(surplus) + len(mechanism.row_indices("redundant")) == len(mechanism.dropped)
        assert len(surplus) == len(roles)
        rows = sorted([*mechanism.kept, *surplus])
        dense = (found.rows.state.dense(found.state) * by_row[:, None] * by_column)[:, rows]
        expected = np.linalg.svd(dense, compute_uv=False)[:, -1]
        np.testing.assert_allclose(motion.smallest_singular_value, expected, rtol=1e-4)


def test_folding_four_bar_reports_the_singular_pose() -> None:
    """With a short coupler the crank cannot pass: the distance from singular falls, and the end is named."""
    mechanism = build_mechanism(four_bar(lengths=(0.6, 0.7, 0.8, 1.4)))
    turns = np.linspace(0.0, 1.5, 60)[:, None]
    with pytest.raises(MechanismError, match=r"cannot follow its controls at step \d+ of 60 \(A = "):
        loop_kinematics(mechanism, turns)
    motion = loop_kinematics(mechanism, turns, require_reached=False)
    count = int(motion.reached.sum())
    assert 5 < count < 60
    assert np.all(motion.reached[:count])
    assert np.all(np.isnan(motion.states[count:]))
    sigma = motion.smallest_singular_value[:count]
    assert sigma[-1] < 0.5 * sigma[0]


def test_flips_are_seen() -> None:
    """Negative control: a body turned by half a turn satisfies every row and is reported."""
    mechanism = build_mechanism(known.stewart())
    state = mechanism.state.copy()
    first = 7 * mechanism.body_index("rod 0")
    way = np.array(mechanism.character.joint("leg 0").axis)
    state[first + 3 : first + 7] = [0.0, *way]  # half a turn about the rod's own length
    values = constraint_values(mechanism, state, mechanism.controls, rows="all")
    assert np.abs(values).max() < 1e-12
    assert np.any(constraint_values(mechanism, state, mechanism.controls, rows="branch") < 0.0)
    flipped = loop_kinematics(mechanism, mechanism.controls[None], start=state[None])
    assert flipped.flipped[0]
    assert flipped.flipped_joints == ("leg 0",)
    assert not loop_kinematics(mechanism, mechanism.controls[None]).flipped[0]


def test_warm_starts_and_far_first_steps() -> None:
    mechanism = build_mechanism(four_bar())
    turns = np.linspace(2.5, 4.0, 40)[:, None]
    motion = loop_kinematics(mechanism, turns)
    nearby = loop_kinematics(mechanism, turns + 0.02, start=motion.states)
    np.testing.assert_allclose(nearby.states, loop_kinematics(mechanism, turns + 0.02).states, atol=1e-9)
    bad = motion.states.copy()
    bad[20] = mechanism.state + 3.0
    np.testing.assert_allclose(loop_kinematics(mechanism, turns, start=bad).states, motion.states, atol=1e-9)


def test_wrong_shapes_are_refused() -> None:
    mechanism = build_mechanism(four_bar())
    with pytest.raises(OptionError, match=r"controls of the shape \[step, 1\]"):
        loop_kinematics(mechanism, np.zeros((3, 2)))
    with pytest.raises(OptionError, match="Rows can be one of 'kept', 'dropped'"):
        constraint_values(mechanism, mechanism.state, mechanism.controls, rows="some")
    with pytest.raises(OptionError, match="finite"):
        loop_kinematics(mechanism, [[np.nan]])
    with pytest.raises(OptionError, match="The states of 'four-bar' must have 28 columns"):
        constraint_values(mechanism, np.zeros(5), np.zeros(1))


def test_clip_with_loops() -> None:
    character = four_bar()
    times = np.linspace(0.0, 1.0, 11)
    clip = clip_with_loops(character, Clip(times, ("A",), 4.0 * times[:, None]))
    assert clip.names == character.coordinate_names
    np.testing.assert_array_equal(clip.positions[:, 0], 4.0 * times)
    np.testing.assert_allclose(clip.positions[:, clip.column("D")], _rocker_angles(4.0 * times), atol=1e-9)
    # Around the loop all angles add up: B and C turn with the bars, D the other way.
    total = clip.positions @ [1.0, 1.0, 1.0, -1.0]
    np.testing.assert_allclose(total, 0.0, atol=1e-9)


def test_loops_are_drawn_closed() -> None:
    """A clip of the crank alone: where the view puts the coupler's end is where it puts the rocker's."""
    character = four_bar()
    times = np.linspace(0.0, 1.0, 5)
    poses = pose_bodies(character, Clip(times, ("A",), 2.0 * times[:, None]))
    closing = character.joint("C")
    ends = [
        poses.of(body).apply(frame.position)
        for body, frame in ((closing.parent, closing.frame_parent), (closing.child, closing.frame_child))
    ]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_dr_legs(shared_data: Path) -> None:
    """A real robot in single precision: twelve motors, six planar loops, 2239 frames from rest."""
    pytest.importorskip("pxr")
    folder = shared_data / "mechanisms" / "dr_legs"
    mechanism = build_mechanism(load_character(folder / "dr_legs.usda"))
    counts = mechanism.counts
    assert (counts.components, counts.loops, counts.mobility, counts.control_variables) == (31, 6, 12, 12)
    assert (counts.redundant_passive, counts.redundant_active) == (12, 0)
    controls = np.load(folder / "dr_legs_animation_100fps.npy")
    motion = loop_kinematics(mechanism, controls)
    assert motion.reached.all()
    assert motion.residual.max() < 1e-12
    assert motion.dropped_residual.max() < 1e-6  # the file has single precision
    assert not motion.flipped.any()
    assert len(motion.branch_changes) == 0
    found = joint_coordinates(mechanism, motion.states).columns(mechanism.control_names)
    np.testing.assert_allclose(found, controls, atol=1e-9)
