"""Poses from which the closing of loops is tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from animato.character import FREEDOM, Joint, JointRole, JointType, Vector
from animato.mechanics.loops.assembly.placing import rest_of, tree_joints, tree_state
from animato.mechanics.loops.constraints import Mechanism
from animato.spatial import quaternions

_JITTERS = (0.02, 0.1, 0.3)  # [typical lengths and 1]
_SPREADS = (0.3, 0.8, np.pi)  # [rad, and typical lengths] of joints, each for a third of the layouts
_LAYOUTS = 24
_BODIES = 300  # layouts times bodies, at most: closing takes the cube of the bodies


def start_states(draft: Mechanism, *, actuators_free: bool, seed: int = 0, layouts: int = 0) -> Iterator[np.ndarray]:
    """States to start from, nearest to the drawing first, shape [state] each.

    First the tree as drawn; then bodies a little beside it, because a linkage laid out straight has no
    slope to follow; then trees whose joints stand at random, ever farther from the drawing.

    Args:
        draft: Its state is that of the drawn tree.
        actuators_free: Whether actuated joints are laid out at random as well.
        seed: Of the random numbers.
        layouts: How many of the last kind; as many as its size allows where 0.
    """
    generator = np.random.default_rng(seed)
    start = draft.state
    yield start
    spread = np.tile(np.array([draft.length] * 3 + [1.0] * 4), len(start) // 7)
    for size in _JITTERS:
        yield start + size * spread * generator.standard_normal(len(start))
    count = layouts or int(np.clip(_BODIES // len(draft.body_names), 4, _LAYOUTS))
    tree = tree_joints(draft.character)
    moving = [joint for joint in draft.joints if joint.name in tree and _is_free(joint, actuators_free)]
    if not moving:
        return
    for n in range(count):
        size = _SPREADS[n * len(_SPREADS) // count]
        yield _layout(draft, moving, size, generator)


def start_count(draft: Mechanism) -> int:
    """How many starts there are where nothing closes, with actuators at rest and free together."""
    return 2 * (1 + len(_JITTERS) + int(np.clip(_BODIES // len(draft.body_names), 4, _LAYOUTS)))


def _is_free(joint: Joint, actuators_free: bool) -> bool:
    if not FREEDOM[joint.type] or joint.coupling is not None or joint.role is JointRole.CONFIGURABLE:
        return False
    return actuators_free or joint.role is not JointRole.ACTUATED


def _layout(draft: Mechanism, moving: list[Joint], size: float, generator: np.random.Generator) -> np.ndarray:
    character, length = draft.character, draft.length
    controls = dict(zip(draft.control_names, draft.controls.tolist(), strict=True))
    # Actuators stand where the mechanism has them, which is not at rest where loops did not close there.
    stands: dict[str, Vector] = {
        joint.name: tuple(controls[name] for name in joint.coordinate_names)
        for joint in draft.joints
        if joint.coordinate_names and joint.coordinate_names[0] in controls
    }
    for joint in moving:
        if joint.type is JointType.SPHERICAL:
            turn = quaternions.quaternion_from_rotation_vector(generator.uniform(-size, size, 3))
            stands[joint.name] = tuple(turn.tolist())
            continue
        rest = np.array(rest_of(joint, character))
        slides = {JointType.PRISMATIC: 1, JointType.CARTESIAN: 3, JointType.CYLINDRICAL: 1}.get(joint.type, 0)
        units = np.where(np.arange(len(rest)) < slides, length, 1.0)
        stands[joint.name] = tuple((rest + generator.uniform(-size, size, len(rest)) * units).tolist())
    return tree_state(character, stands)
