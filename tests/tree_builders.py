"""Random characters whose joints form a tree, and how they move."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Character, Coupling, Frame, Joint
from animato.mechanics.tree import States
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.motion import Clip
from animato.spatial import quaternions


def random_frame(rng: np.random.Generator) -> Frame:
    turn = quaternions.quaternion_from_rotation_vector(rng.normal(size=3))
    return Frame(tuple(rng.normal(size=3) * 0.3), tuple(turn))


def random_body(rng: np.random.Generator, name: str) -> Body:
    root = rng.normal(size=(3, 3)) * 0.1
    inertia = root @ root.T + 0.01 * np.eye(3)
    six = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return Body(name, mass=float(rng.uniform(0.5, 3)), centre=tuple(rng.normal(size=3) * 0.1), inertia=tuple(six))


def random_character(rng: np.random.Generator, *, floats: bool) -> Character:
    """A branching character with every joint type, gears, a reversed joint and a configured one."""
    kinds = [
        "revolute",
        "universal",
        "fixed",
        "cylindrical",
        "spherical",
        "prismatic",
        "cartesian",
        "revolute",
        "revolute",
    ]
    bodies = [random_body(rng, f"b{n}") for n in range(len(kinds) + 1)]
    joints = [] if floats else [Joint("hold", "ground", "world", "b0", frame_parent=random_frame(rng))]
    for n, kind in enumerate(kinds):
        parent = f"b{n}" if n < 5 else f"b{rng.integers(0, n + 1)}"
        backward = kind in ("universal", "prismatic") and not floats
        first, second = (f"b{n + 1}", parent) if backward else (parent, f"b{n + 1}")
        coupling = Coupling("j0", -1.7, 0.3) if n == 8 else None
        role = "configurable" if n == 7 else None
        joints.append(
            Joint(
                f"j{n}",
                kind,
                first,
                second,
                role,
                random_frame(rng),
                random_frame(rng),
                tuple(rng.normal(size=3)),
                tuple(rng.normal(size=3)),
                coupling=coupling,
                configuration=(0.4,) if role else (),
            )
        )
    return Character("tangle", tuple(bodies), tuple(joints))


def random_clip(rng: np.random.Generator, character: Character, frames: int = 9) -> Clip:
    times = np.sort(rng.uniform(0, 2, frames))
    positions = rng.normal(size=(frames, len(character.coordinate_names)))
    for column, name in enumerate(character.coordinate_names):
        if name.endswith(".qw"):
            turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(frames, 3)))
            positions[:, column : column + 4] = quaternions.continuous(turns)
    base = rng.normal(size=(frames, 3)) if character.floats else None
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(frames, 3))) if character.floats else None
    return Clip(times, character.coordinate_names, positions, base, turns)


def tangled_character(rng: np.random.Generator, *, floats: bool) -> Character:
    """A branching character with balls walked both ways, gears that follow joints before and beside them, losses."""
    kinds = ["spherical", "revolute", "spherical", "universal", "cylindrical", "cartesian", "prismatic", "revolute"]
    backward = (0, 3, 4, 6)
    couplings = {6: Coupling("j1", 0.4, 0.1), 7: Coupling("j1", -1.7, 0.3)}
    parents = (0, 1, 2, 1, 3, 4, 3, 5)
    bodies = [random_body(rng, f"b{n}") for n in range(len(kinds) + 1)]
    role = "actuated" if floats else None  # a ground joint that may move leaves the root free
    joints = [Joint("hold", "ground", "world", "b0", role, frame_parent=random_frame(rng))]
    for n, kind in enumerate(kinds):
        ends = (f"b{parents[n]}", f"b{n + 1}")
        first, second = ends[::-1] if n in backward else ends
        joint = Joint(
            f"j{n}",
            kind,
            first,
            second,
            None,
            random_frame(rng),
            random_frame(rng),
            tuple(rng.normal(size=3)),
            tuple(rng.normal(size=3)),
            coupling=couplings.get(n),
            armature=0.1 * n,
            damping=0.2 * n,
            friction=0.3 * n,
        )
        joints.append(joint)
    return Character("tangle", tuple(bodies), tuple(joints))


def random_states(rng: np.random.Generator, character: Character, count: int = 11) -> States:
    """States of order one, which a spline through random poses would not be."""
    tree = packed_tree(character)
    positions, root = rng.normal(size=(count, len(tree.neutral))), rng.normal(size=(count, 7))
    root[:, 3:] = quaternions.normalized(root[:, 3:])
    for first, _, _ in tree.balls:
        positions[:, first : first + 4] = quaternions.normalized(positions[:, first : first + 4])
    if not tree.has_free_root:
        root[:] = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    v, a = rng.normal(size=(2, count, len(tree.dof_names)))
    return States(np.arange(count) / 100.0, positions, v, a, root)
