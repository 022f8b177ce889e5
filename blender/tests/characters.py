# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of our own for the tests, and animato's own kinematics to compare with."""

OF_OUR_OWN = {
    "slider": """
animato: 1
name: slider
bodies:
  rail: {mass: 1 kg}
  cart: {mass: 200 g, shapes: [{box: {size: [10 cm, 10 cm, 5 cm]}}]}
  wrist: {mass: 100 g, shapes: [{sphere: {radius: 3 cm}}]}
joints:
  hold: {type: ground, child: rail}
  slide: {type: prismatic, parent: rail, child: cart, at: [0.1, 0.2, 0.3], axis: [1, 2, -1],
    limits: {lower: -100 mm, upper: 250 mm, velocity: 1}}
  roll: {type: revolute, parent: cart, child: wrist, at: [0.3, 0.2, 0.4], axis: [0, -1, 0],
    limits: {lower: -170 deg, upper: 100 deg, velocity: 3}}
""",
    "mixed": """
animato: 1
name: mixed
bodies: {trunk: {mass: 1 kg}, a: {mass: 1 kg}, b: {mass: 1 kg}, c: {mass: 1 kg}, d: {mass: 1 kg}, e: {mass: 1 kg},
  f: {mass: 1 kg}}
joints:
  neck: {type: spherical, parent: trunk, child: a, at: [0, 0, 0.3]}
  hip: {type: universal, parent: trunk, child: b, at: [0.1, 0, -0.2], axis: [1, 0, 1], second_axis: [0, 1, 0]}
  rod: {type: cylindrical, parent: b, child: c, at: [0, 0.2, -0.3], axis: [0, 0, -1]}
  table: {type: cartesian, parent: trunk, child: d, at: [0, -0.2, 0], axis: [0, 1, 0], second_axis: [0, 0, 1]}
  lead: {type: revolute, parent: d, child: e, at: [0.2, -0.2, 0], axis: [1, 1, 1], limits: {lower: -1, upper: 1}}
  follow: {type: revolute, parent: e, child: f, at: [0.3, -0.2, 0], axis: [1, 0, -1],
    follows: {leader: lead, ratio: -0.5, offset: 0.2}}
""",
}

FORWARD = """
import json, sys, numpy as np, animato as an
from animato.formats.outgoing import plain_tree
from animato.loading.performing import _poses
character = an.load_character(sys.argv[1])
tree, rng, count = plain_tree(character), np.random.default_rng(int(sys.argv[2])), 6
base = turn = None
if tree.ties:
    names = character.actuated_coordinate_names
    values = np.cumsum(rng.uniform(0, 0.1, size=(count, len(names))), axis=0)
    clip = an.mechanics.loops.clip_with_loops(tree.character, an.Clip(np.arange(count) / 24, names, values))
else:
    def turns():
        found = rng.normal(size=(count, 4))
        return found / np.linalg.norm(found, axis=1, keepdims=True)
    names, values = [], []
    for joint in character.free_joints:
        names += joint.coordinate_names
        if joint.type == "spherical":
            values += list(turns().T)
            continue
        for limit in joint.limits:
            low, high = limit.range
            values.append(rng.uniform(max(low, -1.5), min(high, 1.5), size=count))
    if character.floats:
        base, turn = rng.normal(size=(count, 3)), turns()
    clip = an.Clip(np.arange(count) / 24, tuple(names), np.array(values).T, base, turn)
poses, bodies = _poses(tree, clip), {}
for body in tree.character.bodies:
    pose, rows = poses.of(body.name), np.tile(np.eye(4), (count, 1, 1))
    rows[:, :3, :3], rows[:, :3, 3] = pose.rotation, pose.position
    bodies[body.name] = rows.tolist()
values = dict(zip(clip.names, clip.positions.T.tolist()))
if base is not None:
    parts = ("x", "y", "z", "qw", "qx", "qy", "qz")
    values |= {"base." + part: column for part, column in zip(parts, np.hstack([base, turn]).T.tolist())}
print(json.dumps({"bodies": bodies, "values": values}))
"""
"""Random positions of a character inside its limits, and where its bodies are then, loops closed."""


def written(name, folder):
    """A shipped character's name, or the file of one of our own."""
    if name not in OF_OUR_OWN:
        return name
    path = folder / f"{name}.yaml"
    path.write_text(OF_OUR_OWN[name])
    return path
