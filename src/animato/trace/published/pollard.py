"""The baseline that keeps the timing and lets the path give way, after Pollard and others (2002).

Luo and Hauser (2012) compare with it: Pollard, Hodgins, Riley, Atkeson: Adapting Human Motion for the Control of a
Humanoid Robot. Joint angles of the drawn motion, cut off at the joint limits, are followed by a critically damped
tracker whose velocity, and here also acceleration, is cut off at the limits,

    a = 2 sqrt(k) (v_drawn - v) + k (q_drawn - q),

once forwards and once backwards in time. The mean of both has no lag, and holds the limits because each of them does:
in differences from frame to frame, to which the spline between frames adds a little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character, JointType
from animato.errors import OptionError
from animato.kernels.compiled import kernel
from animato.mechanics.tree import PointKinematics
from animato.motion import Clip
from animato.trace.options import Options
from animato.trace.path import approach_kernel, build_path_problem
from animato.trace.sketch import Sketch

_ITERATIONS = np.array([60, 8])


@dataclass(frozen=True, eq=False)
class PollardMotion:
    """A motion as long as the drawing.

    Attributes:
        clip: Of all coordinates.
        s: Places along the sketch, [m].
        deviations: Distance of each point from the sketch when the drawing was there [m], [m, point].
        mean_square: f_g, the weighted mean square of them over the sketch [m^2].
    """

    clip: Clip
    s: np.ndarray
    deviations: np.ndarray
    mean_square: float


def follow_exact_timing(
    character: Character,
    sketch: Sketch,
    options: Options | None = None,
    *,
    stiffness: float = 900.0,
    limit_accelerations: bool = True,
) -> PollardMotion:
    """Follows a sketch at its own times as well as velocity and acceleration limits let it.

    Args:
        character: A tree character.
        sketch: Paths of its points in the world.
        options: Posture from which the inverse kinematics starts, and frames a second.
        stiffness: k of the tracker [1/s^2].
        limit_accelerations: Whether acceleration limits are held too; Pollard and others hold velocities only.
    """
    if not (np.isfinite(stiffness) and stiffness > 0.0):
        raise OptionError(f"`stiffness` is a number above 0, given {stiffness}.")
    options = replace(options or Options(), control_point_count=8, place_count=501)
    problem = build_path_problem(character, sketch, options)
    kinematics = problem.kinematics
    times = np.linspace(0.0, sketch.duration, max(int(np.ceil(sketch.duration * options.rate_hz)), 2) + 1)
    drawn = sketch.positions.reshape(len(sketch.times), -1)
    x = np.column_stack([np.interp(times, sketch.times, column) for column in drawn.T])
    wanted = _walk(kinematics, x, problem.weight, problem.seeds, problem.pull)
    fastest, hardest = _rates(character, kinematics.names)
    q = np.empty_like(wanted)
    step = float(times[1] - times[0])
    _track(wanted, step, stiffness, fastest, hardest if limit_accelerations else np.full_like(hardest, np.inf), q)
    clip = _clip(kinematics, times, np.clip(q, kinematics.lower, kinematics.upper), sketch)
    at = clip.spline(sketch.t_of_s(problem.places))[:, : len(kinematics.names)]
    off = kinematics.places(at) - problem.targets.reshape(len(problem.places), -1, 3)
    deviations = np.linalg.norm(off, axis=2)
    return PollardMotion(clip, problem.places, deviations, float(problem.share @ (deviations**2 @ sketch.weights)))


def _walk(kinematics: PointKinematics, x: np.ndarray, weight: np.ndarray, seeds: np.ndarray, pull: float) -> np.ndarray:
    """Postures [frame, n] along targets x [frame, 3 t], from the start that stays nearest to them."""
    targets = np.ascontiguousarray(np.repeat(x[:, None], len(seeds), axis=1))
    walks, cost = np.empty((len(x), *seeds.shape)), np.empty((len(x), len(seeds)))
    limits = kinematics.lower, kinematics.upper
    rest = np.ascontiguousarray(np.broadcast_to(seeds[0], seeds.shape))
    approach_kernel(
        kinematics.tree.arrays, kinematics.chains, targets, weight, *limits, seeds, rest, pull, _ITERATIONS, walks, cost
    )
    jumps = np.sum(np.diff(walks, axis=0) ** 2, axis=(0, 2))
    return np.ascontiguousarray(walks[:, int(np.argmin(cost.mean(axis=0) + 1e-5 * jumps))])


def _rates(character: Character, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and acceleration limits of coordinates, infinite where there are none."""
    limits = {
        name: one
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for name, one in zip(joint.coordinate_names, joint.limits, strict=True)
    }
    fastest = [limits[name].velocity or np.inf for name in names]
    hardest = [limits[name].acceleration or np.inf for name in names]
    return np.array(fastest), np.array(hardest)


def _clip(kinematics: PointKinematics, times: np.ndarray, q: np.ndarray, sketch: Sketch) -> Clip:
    held = kinematics.held
    positions = np.hstack([q, np.tile(held.positions, (len(times), 1))])
    return Clip(times, kinematics.names + held.names, positions, source=sketch.source)


@kernel
def _track(
    wanted: np.ndarray, dt: float, stiffness: float, fastest: np.ndarray, hardest: np.ndarray, out: np.ndarray
) -> None:
    """Writes the mean of a forward and a backward pass of the tracker along wanted [frame, n]."""
    frames, n = wanted.shape
    for i in range(n):
        for way in range(2):
            first = 0 if way == 0 else frames - 1
            sign = 1 if way == 0 else -1
            q, v = wanted[first, i], 0.0
            if frames > 1:
                v = (wanted[first + sign, i] - q) / dt
            v = min(max(v, -fastest[i]), fastest[i])
            out[first, i] = q if way == 0 else 0.5 * (out[first, i] + q)
            for k in range(1, frames):
                f = first + sign * k
                speed = (wanted[f, i] - wanted[f - sign, i]) / dt
                a = 2.0 * np.sqrt(stiffness) * (speed - v) + stiffness * (wanted[f - sign, i] - q)
                a = min(max(a, -hardest[i]), hardest[i])
                v = min(max(v + a * dt, -fastest[i]), fastest[i])
                q += v * dt
                out[f, i] = q if way == 0 else 0.5 * (out[f, i] + q)
