from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint
from animato.character.landmarks import EndPoint
from animato.character.limits import Limits
from animato.errors import CharacterError, UnknownNameError
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import build_chain, tip_orientations
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip
from animato.spatial import quaternions
from tests.unit.express.chains import SKELETONS, random_character, random_positions, skeleton

GROUND = Joint("stand", "ground", "world", "base")


def two_joints(**second: object) -> Character:
    options: dict[str, object] = {"type": "revolute", "axis": (1, 0, 0), "stated_limits": (Limits(-1, 1),), **second}
    first = Joint("first", "revolute", "base", "arm", axis=(0, 0, 1), stated_limits=(Limits(-1, 1),))
    bend = Joint("second", parent="arm", child="hand", **options)  # type: ignore[arg-type]
    tip = EndPoint("tip", "hand")
    return Character("two", (Body("base"), Body("arm"), Body("hand")), (GROUND, first, bend), end_points=(tip,))


@pytest.mark.parametrize("letter", SKELETONS)
def test_the_skeletons_are_as_in_the_paper(letter: str) -> None:
    chain = skeleton(letter)
    assert chain.names == tuple(f"joint_{i + 1}" for i in range(len(chain.names)))
    # the first and last twist, and all segments are straight at zero
    assert chain.arrays.twister[0]
    assert chain.arrays.twister[-1]
    zero = tip_orientations(chain, np.zeros((1, len(chain.names))))
    np.testing.assert_allclose(quaternions.rotate(zero[0], chain.end_point.forward), (0, 0, 1), atol=1e-12)


def test_orientations_are_those_of_mechanics(rng: np.random.Generator) -> None:
    for seed in range(5):
        character = random_character(np.random.default_rng(seed), 5)
        chain = build_chain(character, "tip")
        positions = random_positions(rng, chain, 4)
        clip = Clip(np.arange(4.0), chain.names, positions)
        tip = chain.end_point
        bodies = forward_kinematics(character, clip).of(tip.body).quaternion_wxyz
        wanted = quaternions.multiply(bodies, tip.frame.transform.quaternion_wxyz)
        apart = quaternions.angle_between(tip_orientations(chain, positions), wanted)
        np.testing.assert_allclose(apart, 0.0, atol=1e-7)  # the square root of rounding, by the arc cosine's nature


def test_a_sliding_joint_is_allowed_and_does_not_bend() -> None:
    chain = build_chain(two_joints(type="prismatic"), "tip")
    assert chain.arrays.slides.tolist() == [False, True]
    turned = tip_orientations(chain, np.array([[0.3, 0.0], [0.3, 0.5]]))
    np.testing.assert_allclose(turned[0], turned[1], atol=1e-12)


def test_an_end_point_that_does_not_exist() -> None:
    with pytest.raises(UnknownNameError, match=r"'tipp' is not in 'skeleton_c'\. Did you mean 'tip'"):
        build_chain(load_character("skeleton_c"), "tipp")


def test_a_chain_of_one_joint() -> None:
    one = Joint("only", "revolute", "base", "arm", axis=(0, 0, 1))
    character = Character("one", (Body("base"), Body("arm")), (GROUND, one), end_points=(EndPoint("tip", "arm"),))
    with pytest.raises(CharacterError, match=r"hangs on 1 joint\(s\).*at least 2"):
        build_chain(character, "tip")


def test_a_spherical_joint_on_the_way() -> None:
    with pytest.raises(CharacterError, match=r"Joint 'second' of 'two'.*is spherical; write it as three revolute"):
        build_chain(two_joints(type="spherical", stated_limits=(Limits(upper=1.0),)), "tip")


def test_a_coupled_joint_on_the_way() -> None:
    from animato.character.joint import Coupling

    for ratio, why in ((2.0, "through a gear or backward"), (1.0, "drives several joints")):
        character = two_joints(stated_limits=(), coupling=Coupling("first", ratio))
        with pytest.raises(CharacterError, match=why):
            build_chain(character, "tip")
