"""Through singular poses: straight on, whatever the frames hit; dead centres; rests that are no pose to work from."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint, Limits
from animato.errors import MechanismError
from animato.mechanics.loops import LoopMotion, loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import Mechanism, joint_coordinates
from tests import mechanism_builders as known

Z = (0.0, 0.0, 1.0)
HALF_TURN = (0.0, 0.0, 0.0, 1.0)
PARALLELOGRAM = (0.4, 1.0, 0.4, 1.0)


def flat(*linkages: tuple[float, float, float, float]) -> Character:
    """Four-bars side by side, each drawn flat: crank and coupler ahead, rocker back."""
    bodies, joints = [Body("base")], [Joint("ground", "ground", "world", "base")]
    for n, (crank, coupler, rocker, base) in enumerate(linkages):
        names = [f"{part} {n}" for part in ("crank", "coupler", "rocker")]
        bodies += map(Body, names)
        joints += [
            Joint(f"A {n}", "revolute", "base", names[0], "actuated", Frame((0, 0, n)), axis=Z),
            Joint(f"B {n}", "revolute", names[0], names[1], "passive", Frame((crank, 0, 0)), axis=Z),
            Joint(f"C {n}", "revolute", names[1], names[2], "passive", Frame((coupler, 0, 0), HALF_TURN), axis=Z),
            Joint(
                f"D {n}", "revolute", names[2], "base", "passive", Frame((rocker, 0, 0)), Frame((base, 0, n)), axis=Z
            ),
        ]
    return Character("flat", tuple(bodies), tuple(joints))


def coupler_turns(motion: LoopMotion, number: int = 0) -> np.ndarray:
    """How far a coupler is turned against the base [rad], shape [step]; never, in a parallelogram."""
    return 2.0 * np.abs(np.arcsin(np.clip(motion.quaternions_wxyz(f"coupler {number}")[:, 3], -1.0, 1.0)))


@pytest.mark.parametrize("count", [12, 13, 30, 31, 32, 41])
def test_a_parallelogram_stays_one_through_its_flat_pose(count: int) -> None:
    """Whether a frame falls into the flat pose or the pose lies between two; both ways, from rest."""
    mechanism = build_mechanism(flat(PARALLELOGRAM))
    wave = np.sin(np.linspace(0.0, 4.0 * np.pi, count))
    for controls in (wave, -wave):
        motion = loop_kinematics(mechanism, controls[:, None])
        assert motion.residual.max() < 1e-9
        assert coupler_turns(motion).max() < 1e-4
        assert len(motion.crossed) == 3
        assert "passes a singular pose" in motion.notes[0]


@pytest.mark.parametrize("count", [20, 21])
def test_one_that_came_crossed_over_stays_crossed(count: int) -> None:
    """Negative control: staying a parallelogram is not simply what is always chosen."""
    mechanism = build_mechanism(flat(PARALLELOGRAM))
    state = _crossed(mechanism, 0.5)
    turns = np.linspace(0.5, -0.5, count)[:, None]
    start = np.vstack([state, np.tile(mechanism.state + 3.0, (count - 1, 1))])
    motion = loop_kinematics(mechanism, turns, start=start)
    assert motion.residual.max() < 1e-9
    assert len(motion.crossed) == 1
    # It is symmetric about the flat pose, which turns its coupler most far from there.
    turned = coupler_turns(motion)
    assert turned[0] == pytest.approx(turned[-1], abs=1e-9)
    assert turned[0] > 0.5


def test_standing_in_the_flat_pose_forgets_nothing() -> None:
    mechanism = build_mechanism(flat(PARALLELOGRAM))
    to, stay, on = np.linspace(0.5, 0.0, 10), np.zeros(5), np.linspace(0.0, 0.5, 10)
    for after in (on, -on):
        motion = loop_kinematics(mechanism, np.concatenate([to, stay, after])[:, None])
        assert coupler_turns(motion).max() < 1e-4
        assert len(motion.crossed) == (0 if after is on else 1)


def test_one_stands_flat_while_another_moves_through() -> None:
    mechanism = build_mechanism(flat(PARALLELOGRAM, (0.3, 0.8, 0.3, 0.8)))
    left = np.concatenate([np.linspace(0.5, 0.0, 10), np.zeros(15), np.linspace(0.0, -0.5, 10)])
    right = np.concatenate([np.full(10, 0.4), np.linspace(0.4, -0.4, 15), np.full(10, -0.4)])
    motion = loop_kinematics(mechanism, np.column_stack([left, right]))
    assert motion.residual.max() < 1e-9
    assert max(coupler_turns(motion, n).max() for n in (0, 1)) < 1e-4
    assert motion.crossed  # two passed at once leave the determinant's sign as it was and count as none


def test_linkages_that_are_no_parallelogram_go_straight_on() -> None:
    """Crank + coupler = base + rocker: one flat pose, two ways; the rocker turns on, not back."""
    mechanism = build_mechanism(flat((0.3, 1.1, 0.8, 0.6)))
    assert mechanism.rest_is_singular
    motion = loop_kinematics(mechanism, 0.4 * np.sin(np.linspace(0.0, 2.0 * np.pi, 30))[:, None])
    assert motion.residual.max() < 1e-9
    rocker = np.unwrap(joint_coordinates(mechanism, motion.states).columns(("D 0",))[:, 0])
    # At the singular rest itself rows hold to 1e-9, and states to the root of that.
    np.testing.assert_allclose(rocker - np.pi, np.pi - rocker[::-1], atol=1e-4)
    assert np.ptp(rocker) > 0.1


def test_a_dead_centre_is_named() -> None:
    mechanism = build_mechanism(known.four_bar(lengths=(0.6, 0.7, 0.8, 1.4)))
    turns = np.linspace(0.0, 1.5, 60)[:, None]
    with pytest.raises(MechanismError, match="It stops at a dead centre, beyond which its bodies can only go back"):
        loop_kinematics(mechanism, turns)
    assert "dead centre" in loop_kinematics(mechanism, turns, require_reached=False).notes[-1]


GAP = 0.2  # [rad] of the foot's turn in which the rod is too short


def foot(*, limits: bool = True) -> Character:
    """A foot that is drawn where it never stands: crank and rod in line, its range beyond a gap without closed poses.

    The foot turns about x = 0.35; its tip is out of reach of crank and rod between -0.2 rad and 0, so that 0
    is a dead centre, and its range is -2.4 to -0.5 rad.
    """
    tip = np.array((0.35 + 0.055 * np.cos(GAP / 2), 0.055 * np.sin(GAP / 2)))
    reach, way = float(np.hypot(*tip)), float(np.arctan2(tip[1], tip[0]))
    ahead = (float(np.cos(way / 2)), 0.0, 0.0, float(np.sin(way / 2)))
    foot_limits, crank_limits = (Limits(-2.4, -0.5), Limits(-2.5, -0.4)) if limits else (Limits(), Limits())
    joints = (
        Joint("ground", "ground", "world", "base"),
        Joint(
            "crank",
            "revolute",
            "base",
            "crank",
            "passive",
            Frame((0, 0, 0), ahead),
            axis=Z,
            stated_limits=(crank_limits,),
        ),
        Joint("rod", "revolute", "crank", "rod", "passive", Frame((0.055, 0, 0)), axis=Z),
        Joint(
            "foot", "revolute", "base", "foot", "actuated", Frame((0.35, 0, 0)), axis=Z, stated_limits=(foot_limits,)
        ),
        Joint(
            "tie",
            "spherical",
            "rod",
            "foot",
            "passive",
            Frame((reach - 0.055, 0, 0)),
            Frame((*(tip - (0.35, 0.0)), 0.0)),
        ),
    )
    return Character("foot", tuple(map(Body, ("base", "crank", "rod", "foot"))), joints)


def test_a_motion_starts_where_it_starts_if_the_rest_is_no_pose_to_work_from() -> None:
    mechanism = build_mechanism(foot())
    assert mechanism.rest_is_singular
    turns = np.linspace(-0.6, -2.3, 40)
    motion = loop_kinematics(mechanism, turns[:, None])
    assert motion.entered
    assert "No way leads 'foot' from its rest" in motion.notes[0]
    assert motion.residual.max() < 1e-9
    crank = joint_coordinates(mechanism, motion.states).columns(("crank",))[:, 0]
    assert crank.min() > -2.5
    assert crank.max() < -0.4


def test_what_no_pose_closes_is_not_entered() -> None:
    """In the gap, and, without limits that the rest breaks, beyond it only on purpose."""
    mechanism = build_mechanism(foot())
    with pytest.raises(MechanismError, match="cannot follow its controls at step 0"):
        loop_kinematics(mechanism, [[-0.1]])
    with pytest.raises(MechanismError, match="cannot follow"):
        loop_kinematics(mechanism, np.linspace(-0.6, -0.1, 20)[:, None])


def test_an_ordinary_rest_is_where_every_motion_comes_from() -> None:
    """Another way to put it together is not taken silently: a rest that is neither singular nor out of limits leads."""
    mechanism = build_mechanism(known.four_bar(lengths=(0.6, 0.7, 0.8, 1.4)))
    motion = loop_kinematics(mechanism, [[1.4]], require_reached=False)
    assert not motion.entered
    assert not motion.reached[0]


def _crossed(mechanism: Mechanism, turn: float) -> np.ndarray:
    """The parallelogram crossed over, from two circles: coupler and rocker with the crank at an angle."""
    crank, coupler, rocker, base = PARALLELOGRAM
    b = crank * np.array([np.cos(turn), np.sin(turn)])
    other = known.circles_meet(b, coupler, np.array([base, 0.0]), rocker)
    straight = b + np.array([base, 0.0])
    if np.allclose(other, straight, atol=1e-6):  # the other of the two points: mirrored about the line of centres
        line = np.array([base, 0.0]) - b
        line /= np.linalg.norm(line)
        other = b + 2.0 * ((straight - b) @ line) * line - (straight - b)
    state = mechanism.state.copy().reshape(-1, 7)
    ways = {"crank 0": (np.zeros(2), b), "coupler 0": (b, other), "rocker 0": (other, np.array([base, 0.0]))}
    for name, (start, end) in ways.items():
        angle = float(np.arctan2(*(end - start)[::-1]))
        state[mechanism.body_index(name)] = [*start, 0.0, np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)]
    return state.ravel()
