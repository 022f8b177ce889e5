"""Where a search begins: standing, or where someone says."""

from __future__ import annotations

import numpy as np

from animato.mechanics.tree import packed_tree, states_of_clip
from animato.mimic.curve import ControlPoints, controls_through
from animato.mimic.optimization.packing import pelvis_path
from animato.mimic.problem import Problem
from animato.motion import Clip
from animato.spatial import quaternions


def standing_controls(problem: Problem) -> ControlPoints:
    """The robot stands all the time, where the person is and turned as the person is."""
    anatomy, count = problem.anatomy, len(problem.times)
    root = np.array(anatomy.stand_root)
    upright = quaternions.normalized(root[3:])
    pelvis = anatomy.point("pelvis")
    turns = quaternions.multiply(quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), facing(problem)), upright)
    path = pelvis_path(problem, problem.scale)
    # the pelvis may be on another body than the root; in a stand it is near enough to it
    on_root = np.array(pelvis.position) if pelvis.body == packed_tree(problem.character).root_body else np.zeros(3)
    places = path - quaternions.rotate(turns, np.tile(on_root, (count, 1)))
    places[:, 2] = root[2]
    return controls_through(places, turns, np.tile(anatomy.stand_posture, (count, 1)))


def facing(problem: Problem) -> np.ndarray:
    """Angle about z to where the person faces, 0 along x, without leaps [rad], [knot]."""
    person = problem.person
    across = np.zeros((len(problem.times), 3))
    for place in ("hip", "shoulder"):
        if person.has(f"left_{place}") and person.has(f"right_{place}"):
            across += person.landmark(f"left_{place}") - person.landmark(f"right_{place}")
    return np.unwrap(np.arctan2(-across[:, 0], across[:, 1]))


def controls_of_clip(problem: Problem, clip: Clip) -> ControlPoints:
    """A clip of the robot, stretched to the problem's duration, as a start."""
    share = problem.times / problem.times[-1]
    states = states_of_clip(problem.character, clip, clip.times[0] + share * clip.duration)
    return controls_through(states.root[:, :3], states.root[:, 3:], states.positions)
