"""An open chain solved as constraint rows stands where walking along its joints puts it."""

from __future__ import annotations

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip
from animato.spatial import quaternions


@pytest.mark.parametrize("name", ["arm6", "lamp", "torso29"])
def test_trees(name: str) -> None:
    character = load_character(name)
    mechanism = build_mechanism(character)
    times = np.linspace(0.0, 1.0, 24)
    rng = np.random.default_rng(1)
    ends = rng.uniform(-1.2, 1.2, size=len(mechanism.control_names))
    clip = Clip(times, mechanism.control_names, times[:, None] * ends)
    motion = loop_kinematics(mechanism, clip.positions)
    poses = forward_kinematics(character, clip)
    for body in poses.names:
        walked = poses.of(body)
        np.testing.assert_allclose(motion.positions(body), walked.position, atol=1e-10)
        angle = quaternions.angle_between(motion.quaternions_wxyz(body), walked.quaternion_wxyz)
        np.testing.assert_allclose(angle, 0.0, atol=1e-7)  # acos near 1 knows half the digits
    found = joint_coordinates(mechanism, motion.states).columns(clip.names)
    np.testing.assert_allclose(found, clip.positions, atol=1e-10)
