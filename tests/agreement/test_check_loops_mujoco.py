"""What the check asks of the motor of a four-bar, against MuJoCo's inverse dynamics of the opened linkage.

With its loop opened at C, MuJoCo gives the generalized forces f of a motion. The loop's force l at C and the motor's
torque t must make them: f = t e_A + J^T l, where passive joints have no motor. Two equations of passive joints give the
two components of l in the plane, the third gives t.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Character, JointType, Limits, mass_properties_of
from animato.character.structure import rest_poses
from animato.findings import check, checked_sentence
from animato.mechanics.simulation import loop_torques
from animato.motion import Clip
from tests.simulation_builders import heavy_four_bar

mujoco = pytest.importorskip("mujoco")

TIMES = np.linspace(0.0, 2.0, 41)
CLIP = Clip(TIMES, ("A",), (0.4 * np.sin(3.0 * TIMES))[:, None], source="swing.csv")


def numbers(values: object) -> str:
    return " ".join(f"{value:.17g}" for value in np.ravel(values))


def opened(character: Character) -> object:
    """The linkage as MuJoCo's model, opened at C; all frames of the rest pose are parallel to the world's."""
    poses = rest_poses(character)

    def body(name: str, parent: str, joint: str, inner: str = "") -> str:
        heavy = mass_properties_of(character.body(name))
        about = heavy.inertia[2, 2]  # in the plane nothing else counts, and MuJoCo refuses what no body could have
        at = np.array(character.joint(joint).frame_child.position)
        return (
            f'<body name="{name}" pos="{numbers(poses[name].position - poses[parent].position)}">'
            f'<joint name="{joint}" type="hinge" axis="0 0 1" pos="{numbers(at)}"/>'
            f'<inertial mass="{heavy.mass:.17g}" pos="{numbers(heavy.centre)}" diaginertia="{numbers([about] * 3)}"/>'
            f"{inner}</body>"
        )

    tree = body("crank", "base", "A", body("coupler", "crank", "B")) + body("rocker", "base", "D")
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option gravity="{numbers(character.gravity)}"/>'
        f'<worldbody><body name="base" pos="{numbers(poses["base"].position)}">{tree}</body></worldbody></mujoco>'
    )


def motor_torques(character: Character, clip: Clip) -> np.ndarray:
    """Of the motor A, by MuJoCo, [frame]."""
    found = loop_torques(character, clip)
    names = (*found.system.unknown_names, *found.system.motor_names)
    model = opened(character)
    data = mujoco.MjData(model)
    closing = character.joint("C")
    torques = np.empty(len(found.times))
    known = {name: n for n, name in enumerate(names)}
    for k in range(len(found.times)):
        for j, joint in enumerate(("A", "B", "D")):
            rows = [found.coordinates, found.velocities, found.accelerations]
            data.qpos[j], data.qvel[j], data.qacc[j] = (_of(joint, rows[n][k], known) for n in range(3))
        mujoco.mj_inverse(model, data)
        jacobians = []
        for name, frame in ((closing.parent, closing.frame_parent), (closing.child, closing.frame_child)):
            index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
            place = data.xpos[index] + data.xmat[index].reshape(3, 3) @ np.array(frame.position)
            linear = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, linear, None, place, index)
            jacobians.append(linear[:2])
        gap = jacobians[0] - jacobians[1]
        push = np.linalg.solve(gap[:, 1:].T, data.qfrc_inverse[1:])
        torques[k] = data.qfrc_inverse[0] - gap[:, 0] @ push
    return torques


def _of(joint: str, row: np.ndarray, known: dict[str, int]) -> float:
    """In a plane turns along both ways round the loop are the same: A + B + C = D."""
    if joint in known:
        return float(row[known[joint]])
    a, b, c, d = (float(row[known[name]]) if name in known else 0.0 for name in "ABCD")
    return d - a - c if joint == "B" else a + b + c


def test_the_check_of_a_four_bar_gives_the_torque_of_mujoco(rng: np.random.Generator) -> None:
    character = heavy_four_bar(rng)
    result = check(character, CLIP, oversampling=1)
    axes = [axis.name for axis in result.usage.axes]
    ours, theirs = result.usage.values["torque"][:, axes.index("A")], motor_torques(character, CLIP)
    assert np.ptp(theirs) > 0.1
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)
    heavier = heavy_four_bar(np.random.default_rng(99))
    assert np.abs(ours - motor_torques(heavier, CLIP)).max() > 1e-2  # negative control


def test_a_loop_that_floats_is_checked_as_held_at_its_root_and_that_is_said(rng: np.random.Generator) -> None:
    held = heavy_four_bar(rng)
    floating = replace(held, joints=tuple(one for one in held.joints if one.type is not JointType.GROUND))
    ours, theirs = (check(one, CLIP, oversampling=1) for one in (floating, held))
    np.testing.assert_allclose(ours.usage.values["torque"], theirs.usage.values["torque"], atol=1e-9)
    assert ours.coverage is not None and ours.coverage.carried_by == "root"
    assert any("root is held still" in note for note in ours.notes)
    assert "balance, because it floats and has closed loops" in checked_sentence(ours)


def test_passive_joints_of_a_loop_are_checked_too(rng: np.random.Generator) -> None:
    limits = (Limits(-3.0, 3.0, velocity=5.0, acceleration=50.0, jerk=500.0),)
    bare = heavy_four_bar(rng)
    joints = tuple(
        replace(one, stated_limits=limits) if one.name in ("A", "B", "C", "D") else one for one in bare.joints
    )
    result = check(replace(bare, joints=joints), CLIP, oversampling=8)
    assert [axis.name for axis in result.usage.axes] == ["A", "B", "C", "D"]
    assert checked_sentence(result).startswith("Checked: range, speed, acceleration and jerk.")
    assert result.coverage is not None and (result.coverage.joint_count, result.coverage.moving) == (1, ("A",))
    times, values = result.usage.times, result.usage.values
    a, b, c, d = values["position"].T
    np.testing.assert_allclose(a + b + c, d, atol=1e-5)  # round the loop; between frames D is a spline
    for passive in (1, 2, 3):
        for low, high in (("position", "velocity"), ("velocity", "acceleration"), ("acceleration", "jerk")):
            slope = np.gradient(values[low][:, passive], times)[16:-16]
            np.testing.assert_allclose(values[high][16:-16, passive], slope, atol=5e-2 * np.abs(slope).max())
