"""Loops of MJCF files rest where MuJoCo has them: balls, sites, gears, springs and keyframes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import JointRole
from animato.character.structure import rest_poses, rest_stands, rezeroed
from animato.formats.mjcf import load_mjcf
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism

mujoco = pytest.importorskip("mujoco")

# Two cranks carry a plate by rods with a ball at either end. The way over the ties to the plate is the shorter one.
STEWART = """
<mujoco>
  <worldbody>
    <body name="column" pos="0 0 0.1"><joint name="lift" type="slide" axis="0 0 1"/><geom size="0.05"/>
      <body name="neck" pos="0 0 0.2"><joint name="nod" axis="0 1 0"/><geom size="0.02"/>
        <body name="plate" pos="0 0 0.1"><joint name="tilt" axis="1 0 0"/><geom size="0.1"/></body></body></body>
    <body name="crank 1" pos="0.3 0 0" euler="0 0 20"><joint name="motor 1" axis="0 1 0"/><geom size="0.03"/>
      <body name="rod 1" pos="0.1 0 0" euler="10 -60 5"><joint type="ball" name="ball 1"/><geom size="0.01"/></body>
    </body>
    <body name="crank 2" pos="0 0.3 0" euler="0 0 110"><joint name="motor 2" axis="0 1 0"/><geom size="0.03"/>
      <body name="rod 2" pos="0.1 0 0" euler="-5 -70 3"><joint type="ball" name="ball 2"/><geom size="0.01"/></body>
    </body>
  </worldbody>
  <equality>
    <connect name="tie 1" body1="rod 1" body2="plate" anchor="0.35 0 0.01"/>
    <connect name="tie 2" body1="rod 2" body2="plate" anchor="0.36 0.02 0"/>
  </equality>
  <actuator><position joint="motor 1"/><position joint="motor 2"/><position joint="lift"/></actuator>
  <keyframe><key name="home" qpos="0.01 0.1 0.05 0.2 0.9 0.1 0.3 0.2 -0.1 0.9 0.2 0.1 0.3"/></keyframe>
</mujoco>"""


def written(folder: Path, text: str) -> Path:
    path = folder / "model.xml"
    path.write_text(text)
    return path


def mujoco_positions(path: Path, qpos: np.ndarray | None = None) -> dict[str, np.ndarray]:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    if qpos is not None:
        data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    return {model.body(n).name: data.xpos[n].copy() for n in range(1, model.nbody)}


def test_balls_at_loops_rest_as_mujoco_has_them(tmp_path: Path):
    path = written(tmp_path, STEWART)
    character = load_mjcf(path)
    for name, position in mujoco_positions(path).items():
        np.testing.assert_allclose(rest_poses(character)[name].position, position, atol=1e-12)
    assert max(stand.distance for stand in rest_stands(character).values()) < 1e-12
    mechanism = build_mechanism(character)
    assert len(mechanism.idle) == 2
    first = 7 * mechanism.body_index("plate")
    np.testing.assert_allclose(mechanism.state[first : first + 3], mujoco_positions(path)["plate"], atol=1e-12)
    controls = mechanism.controls + np.linspace(0.0, 0.02, 8)[:, None]
    assert loop_kinematics(mechanism, controls).residual.max() < 1e-10


def test_a_keyframe_places_bodies_beyond_ties_as_mujoco_does(tmp_path: Path):
    path = written(tmp_path, STEWART)
    character = load_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    theirs = mujoco_positions(path, model.key_qpos[0])
    (home,) = character.postures
    stated = dict(home.values)
    tree = [joint for joint in character.free_joints if not joint.name.startswith("tie")]
    zeros = {
        joint.name: tuple(
            stated.get(name, rest) for name, rest in zip(joint.coordinate_names, joint.neutral, strict=True)
        )
        for joint in tree
    }
    rods = rest_poses(rezeroed(character, zeros))
    np.testing.assert_allclose(rods["rod 1"].position, theirs["rod 1"], atol=1e-9)
    assert {name for name in stated if name.startswith("tie 1")} == {f"tie 1.q{part}" for part in "wxyz"}


OPEN_SITES = """
<mujoco>
  <worldbody>
    <body name="crank"><joint name="motor" axis="0 0 1"/><geom size="0.03"/>
      <body name="coupler" pos="0.4 0 0" euler="0 0 70"><joint name="b" axis="0 0 1"/><geom size="0.03"/>
        <site name="tip" pos="0.9 0 0"/></body></body>
    <body name="rocker" pos="1 0 0" euler="0 0 120"><joint name="d" axis="0 0 1"/><geom size="0.03"/>
      <site name="top" pos="0.8 0 0"/></body>
  </worldbody>
  <equality><connect name="tie" site1="tip" site2="top"/></equality>
  <actuator><position joint="motor"/></actuator>
</mujoco>"""


def test_sites_apart_at_the_reference_are_closed_with_the_motor_where_it_was(tmp_path: Path):
    path = written(tmp_path, OPEN_SITES)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert np.linalg.norm(data.site("tip").xpos - data.site("top").xpos) > 0.05
    character = load_mjcf(path)
    (stand,) = rest_stands(character).values()
    assert stand.distance < 1e-12
    np.testing.assert_allclose(rest_poses(character)["coupler"].position, (0.4, 0.0, 0.0), atol=1e-12)
    assert character.description == ""


def test_sites_that_cannot_meet_are_said_and_the_file_is_read(tmp_path: Path):
    character = load_mjcf(written(tmp_path, OPEN_SITES.replace('pos="1 0 0"', 'pos="3 0 0"')))
    assert "No pose was found in which all loops close; at rest these are open: tie by" in character.description


GEARED = """
<mujoco>
  <worldbody><body name="hand"><geom size="0.1"/>
    <body name="left"><joint name="l" type="slide" axis="0 1 0"/><geom size="0.01"/></body>
    <body name="right"><joint name="r" type="slide" axis="0 1 0"/><geom size="0.01"/></body>
    <body name="third"><joint name="t" type="slide" axis="0 1 0"/><geom size="0.01"/></body></body></worldbody>
  <equality><joint joint1="l" joint2="r" polycoef="0.01 -2 0 0 0"/><joint joint1="t" joint2="l" polycoef="0 3 0 0 0"/>
  </equality>
  <actuator><position joint="t"/></actuator>
</mujoco>"""


def test_the_motor_at_the_end_of_a_chain_of_gears_leads_it(tmp_path: Path):
    character = load_mjcf(written(tmp_path, GEARED))
    assert character.coordinate_names == ("t",)
    assert character.joint("t").role is JointRole.ACTUATED
    left, right = (character.joint(name).coupling for name in "lr")
    assert left is not None
    assert right is not None
    assert (left.leader, right.leader) == ("t", "t")
    # l = t / 3 and r = (0.01 - l) / 2, as stated the other way round.
    assert (left.ratio, left.offset) == pytest.approx((1 / 3, 0.0), abs=1e-15)
    assert (right.ratio, right.offset) == pytest.approx((-1 / 6, 0.005), abs=1e-15)


def test_relaxed_springs_hold_what_no_motor_does(tmp_path: Path):
    closed = OPEN_SITES.replace(
        '<connect name="tie" site1="tip" site2="top"/>', '<connect body1="coupler" body2="rocker" anchor="0.9 0 0"/>'
    )
    sprung = closed.replace(
        '<body name="rocker" pos="1 0 0" euler="0 0 120"><joint name="d" axis="0 0 1"/>',
        '<body name="leaf" pos="1 0 0"><joint name="leaf" axis="0 0 1" stiffness="500"/><geom size="0.01"/>'
        '<body name="rocker" pos="0.1 0 0" euler="0 0 120"><joint name="d" axis="0 0 1"/>',
    ).replace("</worldbody>", "</body></worldbody>")
    character = load_mjcf(written(tmp_path, sprung))
    assert character.joint("leaf").role is JointRole.CONFIGURABLE
    assert character.description == "Springs hold leaf at rest"
    assert build_mechanism(character).counts.mobility == 1
    # A spring that is not relaxed there pulls elsewhere, and nobody knows where to.
    bent = load_mjcf(written(tmp_path, sprung.replace('stiffness="500"', 'stiffness="500" springref="40"')))
    assert bent.joint("leaf").role is JointRole.PASSIVE
    assert "Springs of leaf hold under load what no motor does" in bent.description


def test_what_an_included_file_includes_may_lie_beside_it(tmp_path: Path):
    (tmp_path / "parts").mkdir()
    arm = '<x><body name="arm"><geom size="0.1"/><include file="hand.xml"/></body></x>'
    (tmp_path / "parts" / "arm.xml").write_text(arm)
    (tmp_path / "parts" / "hand.xml").write_text('<x><body name="hand"><joint name="j"/><geom size="0.1"/></body></x>')
    path = written(tmp_path, '<mujoco><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>')
    assert [body.name for body in load_mjcf(path).bodies] == ["arm", "hand"]
