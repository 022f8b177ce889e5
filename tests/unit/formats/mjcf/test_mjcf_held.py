"""What holds joints of MJCF files that have no motor: tendons, polynomials, and springs that press against stops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Character, JointRole
from animato.errors import MechanismError
from animato.formats.mjcf import load_mjcf
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import joint_coordinates

mujoco = pytest.importorskip("mujoco")


def chain(*joints: str) -> str:
    """Bodies one on the other, each with a hinge that has some attributes."""
    opened = "".join(f'<body pos="0 0 0.1"><joint axis="0 1 0" {one}/><geom size="0.02"/>' for one in joints)
    return f"<worldbody>{opened}{'</body>' * len(joints)}</worldbody>"


def tendon(name: str, limits: str = "", **shares: float) -> str:
    inside = "".join(f'<joint joint="{joint}" coef="{share}"/>' for joint, share in shares.items())
    return f'<fixed name="{name}" {limits}>{inside}</fixed>'


def load(folder: Path, inside: str) -> Character:
    path = folder / "model.xml"
    path.write_text(f"<mujoco>{inside}</mujoco>")
    return load_mjcf(path)


NARROW = 'limited="true" range="0.04 0.06"'
MOTOR_A = '<actuator><position joint="a"/></actuator>'


@pytest.mark.parametrize("held", ["equality", "limits"])
def test_a_tendon_over_two_joints_is_a_gear(tmp_path: Path, held: str) -> None:
    limits, equality = (
        (NARROW, "") if held == "limits" else ("", '<equality><tendon tendon1="t" polycoef="0.05 0 0 0 0"/></equality>')
    )
    tendons = f"<tendon>{tendon('t', limits, a=1.0, b=-2.0)}</tendon>"
    character = load(tmp_path, chain('name="a"', 'name="b"') + tendons + equality + MOTOR_A)
    gear = character.joint("b").coupling
    assert gear is not None
    assert (gear.leader, gear.ratio) == ("a", pytest.approx(0.5))
    assert gear.offset == pytest.approx(-0.025)  # a - 2 b = 0.05
    assert "'t'" in character.description
    assert ("play of 0.005" in character.description) == (held == "limits")


def test_two_tendons_of_one_length_are_a_gear(tmp_path: Path) -> None:
    tendons = f"<tendon>{tendon('one', a=1.0)}{tendon('two', b=3.0)}</tendon>"
    equality = '<equality><tendon tendon1="one" tendon2="two" polycoef="0 2 0 0 0"/></equality>'
    gear = load(tmp_path, chain('name="a"', 'name="b"') + tendons + equality + MOTOR_A).joint("b").coupling
    assert gear is not None
    assert gear.ratio == pytest.approx(1.0 / 6.0)


def test_a_tendon_with_room_couples_nothing(tmp_path: Path) -> None:
    wide = 'limited="true" range="-1 1"'
    character = load(
        tmp_path, chain('name="a"', 'name="b"') + f"<tendon>{tendon('t', wide, a=1.0, b=1.0)}</tendon>" + MOTOR_A
    )
    assert character.joint("b").coupling is None
    assert character.description == ""


def test_two_motors_that_turn_two_joints_together(tmp_path: Path) -> None:
    """A differential: what is turned is actuated, within what the motors can do, and the motors stand still."""
    bodies = chain('name="roll" range="-40 40"', 'name="yaw"', 'name="m" range="-60 60"', 'name="n" range="-60 60"')
    tendons = (
        f"<tendon>{tendon('r', NARROW.replace('0.04 0.06', '-0.01 0.01'), m=0.3, n=-0.3, roll=1.0)}"
        f"{tendon('y', NARROW.replace('0.04 0.06', '-0.01 0.01'), m=-0.2, n=-0.2, yaw=1.0)}</tendon>"
    )
    motors = '<actuator><position joint="m" forcerange="-2 2"/><position joint="n" forcerange="-3 3"/></actuator>'
    character = load(tmp_path, bodies + tendons + motors)
    roles = {joint.name: joint.role for joint in character.joints if joint.coordinate_names}
    assert [name for name, role in roles.items() if role is JointRole.ACTUATED] == ["roll", "yaw"]
    assert [name for name, role in roles.items() if role is JointRole.CONFIGURABLE] == ["m", "n"]
    roll, yaw = (character.joint(name).limits[0] for name in ("roll", "yaw"))
    # Alone, roll turns the motors by 1 / 0.6 to either side, yaw both by 1 / 0.4.
    assert roll.torque == pytest.approx(5.0 / 0.6)
    assert yaw.torque == pytest.approx(5.0 / 0.4)
    assert roll.upper == pytest.approx(np.radians(0.6 * 60.0))
    assert yaw.lower == pytest.approx(-np.radians(0.4 * 60.0))
    assert "m and n turn roll and yaw together" in character.description
    build_mechanism(character)


def test_what_gears_cannot_state_is_said(tmp_path: Path) -> None:
    bodies = chain('name="a"', 'name="b"', 'name="c"')
    motors = '<actuator><position joint="a"/><position joint="b"/></actuator>'
    character = load(tmp_path, bodies + f"<tendon>{tendon('t', NARROW, a=1.0, b=1.0, c=1.0)}</tendon>" + motors)
    assert "Tendons 't' are left out: they couple a, b, c" in character.description
    assert character.joint("c").role is JointRole.PASSIVE


def test_a_tendon_between_sites_is_still_left_out(tmp_path: Path) -> None:
    spatial = '<tendon><spatial name="s"><site site="x"/><site site="y"/></spatial></tendon>'
    equality = '<equality><tendon tendon1="s" polycoef="0 0 0 0 0"/></equality>'
    assert load(tmp_path, chain('name="a"') + spatial + equality + MOTOR_A).joint("a").role is JointRole.ACTUATED


def test_of_a_polynomial_the_linear_part_is_kept_and_the_rest_is_said(tmp_path: Path) -> None:
    equality = '<equality><joint joint1="b" joint2="a" polycoef="0.1 2 0.5 0 0"/></equality>'
    character = load(tmp_path, chain('name="a" range="-20 40"', 'name="b"') + equality + MOTOR_A)
    gear = character.joint("b").coupling
    assert gear is not None
    assert (gear.ratio, gear.offset) == (2.0, pytest.approx(0.1))
    off = 0.5 * np.radians(40.0) ** 2
    assert f"off by up to {off:.3g} where a is -0.349 to 0.698" in character.description


# A finger: the motor turns the driver, the coupler hinges on it and cannot turn beyond straight; a link with a
# spring leads the follower, which is tied to the coupler. Five bars: one freedom is the motor's, one the spring's.
FINGER = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 0" timestep="0.0005"/>
  <worldbody>
    <body name="driver"><joint name="driver" axis="0 0 1" range="0 0.8" damping="0.1" armature="0.005"/>
      <geom size="0.01" contype="0" conaffinity="0"/>
      <body name="coupler" pos="-0.02 0.03 0"><joint name="coupler" axis="0 0 1" range="-1.5 0" armature="0.001"
          solreflimit="0.001 1" solimplimit="0.99 0.999 0.0001"/>
        <geom size="0.01" contype="0" conaffinity="0"/></body></body>
    <body name="link" pos="0.03 0.01 0">
      <joint name="link" axis="0 0 1" stiffness="0.05" springref="SPRING" damping="0.001" armature="0.001"/>
      <geom size="0.01" contype="0" conaffinity="0"/>
      <body name="follower" pos="-0.01 0.05 0"><joint name="follower" axis="0 0 1" armature="0.001"/>
        <geom size="0.01" contype="0" conaffinity="0"/></body></body>
  </worldbody>
  <equality>
    <connect body1="follower" body2="coupler" anchor="-0.03 0.01 0" solref="0.002 1" solimp="0.99 0.999 0.0001"/>
  </equality>
  <actuator><position joint="driver" kp="20"/></actuator>
</mujoco>"""


def finger(folder: Path, spring: float) -> Path:
    path = folder / "finger.xml"
    path.write_text(FINGER.replace("SPRING", str(spring)))
    return path


def test_springs_that_press_a_joint_against_its_stop_hold_it_there(tmp_path: Path) -> None:
    """As MuJoCo has it after four seconds of simulation with the motor at 0.2 rad."""
    path = finger(tmp_path, 2.0)
    character = load_mjcf(path)
    assert character.joint("coupler").role is JointRole.CONFIGURABLE
    assert "Springs of link press coupler against their stops" in character.description
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.2
    for _ in range(8000):
        mujoco.mj_step(model, data)
    mechanism = build_mechanism(character)
    motion = loop_kinematics(mechanism, [[float(data.joint("driver").qpos[0])]])
    found = joint_coordinates(mechanism, motion.states)
    for name in ("coupler", "link", "follower"):
        # MuJoCo's stops and ties give way a little, however stiff.
        assert found.columns((name,))[0, 0] == pytest.approx(float(data.joint(name).qpos[0]), abs=2e-3)


def test_springs_that_pull_off_the_stop_hold_nothing(tmp_path: Path) -> None:
    character = load_mjcf(finger(tmp_path, -2.0))
    assert character.joint("coupler").role is JointRole.PASSIVE
    with pytest.raises(MechanismError, match="under-actuated"):
        build_mechanism(character)
