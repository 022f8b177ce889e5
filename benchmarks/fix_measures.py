"""One judge for every way of fixing a clip: limits between frames with Pinocchio's dynamics, deviation, duration.

Limits are those of the cubic spline through the result's frames, which is what a clip is between them, at 100 points a
frame; torques are Pinocchio's. Of a character on its soles, the floor's part of the torques is the house's, for it is
no matter of dynamics but of which of many forces a floor gives; that one is looked at with 20 points a frame.

Deviation: a result comes with its pace, the artist's time of each of its frames. At the artist's duration that is the
frame's own time, for everybody: being late is being elsewhere. A result that lasts longer is compared with where the
artist's motion is at its pace. The mean is one over the artist's time, so that a stretch that is played slowly does not
count more than others; of all named points, in millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.mechanics.collision import CollisionModel, distances
from animato.mechanics.contact import floor_support
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage, usage_of_states
from animato.mechanics.tree import States, forward_kinematics, inverse_dynamics, packed_tree, states_of_clip
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from animato.motion import Clip
from animato.spatial import quaternions
from benchmarks.fix_cases import Case

FINE = 100
"""Points a frame at which limits are judged."""

FLOOR_FINE = 20
"""The same where the floor carries the character: each point is a small program of its own."""

SAME_DURATION = 1e-6
"""Share by which durations may differ and still be the artist's."""

PEERS_MAY = 1e-3
"""What shares of a peer may exceed 1 by and still count as kept; ours may not (see `SHARE_TOLERANCE`)."""


@dataclass(frozen=True, eq=False)
class Result:
    """What somebody made of a clip.

    Attributes:
        by: Who.
        clip: The result; None where there is none.
        pace: Artist's time of each of its frames [s], never falling, [frame]; None stands for the same time.
        seconds: That it took.
        note: How it was set, or why there is no clip.
    """

    by: str
    clip: Clip | None
    pace: np.ndarray | None = None
    seconds: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class Judgement:
    """What a result is worth.

    Attributes:
        by: Who made it.
        shares: Largest used share by kind of limit.
        overlap_m: By how much bodies come closer than asked [m]; 0 where nothing is asked.
        mean_mm, worst_mm: Deviation of the named points.
        duration_ratio: Over the artist's.
        seconds: That it took.
        note: Of the result.
    """

    by: str
    shares: dict[str, float]
    overlap_m: float
    mean_mm: float
    worst_mm: float
    duration_ratio: float
    seconds: float
    note: str = ""

    @property
    def worst_share(self) -> float:
        """Of all kinds of limits."""
        return max(self.shares.values(), default=0.0)

    @property
    def keeps(self) -> bool:
        """Whether every limit holds, as peers are judged."""
        return self.worst_share <= 1.0 + PEERS_MAY and self.overlap_m <= 1e-4

    @property
    def keeps_strictly(self) -> bool:
        """The same as we are judged: up to rounding."""
        return self.worst_share <= 1.0 + SHARE_TOLERANCE and self.overlap_m <= 1e-4

    @property
    def in_time(self) -> bool:
        """Whether it lasts as long as the artist's motion."""
        return abs(self.duration_ratio - 1.0) <= SAME_DURATION


def usage_at(character: Character, clip: Clip, oversampling: int, *, second_opinion: bool = False) -> LimitUsage:
    """Used shares on a grid between frames, of the clip's own spline and no other.

    Args:
        character: Without spherical joints.
        clip: What it does.
        oversampling: Points a frame.
        second_opinion: Whether Pinocchio gives the torques.
    """
    steps = np.arange(oversampling) / oversampling
    inner = clip.times[:-1, None] + steps * np.diff(clip.times)[:, None]
    times = np.append(inner.ravel(), clip.times[-1])
    states = states_of_clip(character, clip, times)
    own = inverse_dynamics(character, states)
    torques = _pinocchio_torques(character, states) if second_opinion else own.values
    if character.floats and character.soles:
        torques = torques + (floor_support(character, states, own).torques - own.values)
    jerks = np.zeros_like(states.velocities)
    names = packed_tree(character).dof_names
    jerks[:, [names.index(name) for name in clip.names]] = clip.jerk(times)
    return usage_of_states(character, states, torques, jerks, frame_times=clip.times)


def _pinocchio_torques(character: Character, states: States) -> np.ndarray:
    """Inverse dynamics by Pinocchio, with what rotors and friction add, [time, dof]."""
    import pinocchio

    twin, tree = pinocchio_twin(character), packed_tree(character)
    data = twin.model.createData()
    q, v = twin.configurations(states), twin.velocities(states.velocities)
    a = np.array(twin.velocities(states.accelerations))
    if tree.has_free_root:  # theirs is the spatial acceleration, ours that of the point
        a[:, :3] -= np.cross(v[:, 3:6], v[:, :3])
    tau = np.empty_like(v)
    for moment in range(len(q)):
        tau[moment] = pinocchio.rnea(twin.model, data, q[moment], v[moment], a[moment])
    own = twin.forces(tau) + tree.armature * states.accelerations + tree.damping * states.velocities
    return np.asarray(own + tree.friction * np.sign(states.velocities))


def worst_shares(case: Case, clip: Clip, *, fine: int = 4, second_opinion: bool = False) -> dict[str, float]:
    """The largest used share by kind; a peer looks for its settings by these."""
    usage = usage_at(case.character, clip, fine, second_opinion=second_opinion)
    return {kind: usage.peak(kind) for kind in LIMIT_KINDS}


def points_of(character: Character, clip: Clip, times: np.ndarray | None = None) -> np.ndarray:
    """Places of all end-points in the world [m], [time, point, 3]."""
    poses = forward_kinematics(character, clip, times)
    places = []
    for point in character.end_points:
        body = poses.names.index(point.body)
        arm = np.tile(point.frame.position, (len(poses.times), 1))
        places.append(poses.positions[:, body] + quaternions.rotate(poses.quaternions_wxyz[:, body], arm))
    return np.stack(places, axis=1)


def deviations(case: Case, result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Distances of the named points from the artist's [m], [frame, point], and the weight of each frame, [frame]."""
    clip, artist = result.clip, case.clip
    assert clip is not None
    start, end = float(artist.times[0]), float(artist.times[-1])
    same = abs(clip.duration / artist.duration - 1.0) <= SAME_DURATION
    pace = start + (clip.times - clip.times[0]) if same or result.pace is None else result.pace
    pace = np.clip(pace, start, end)
    if not same and (np.any(np.diff(pace) < -1e-9) or abs(pace[0] - start) > 1e-6 or abs(pace[-1] - end) > 1e-6):
        raise ValueError(f"The pace of {result.by} on {case.name} falls or does not cover the artist's motion.")
    apart = points_of(case.character, clip) - points_of(case.character, artist, pace)
    steps = np.diff(pace)
    weights = 0.5 * (np.append(steps, 0.0) + np.append(0.0, steps))
    return np.linalg.norm(apart, axis=2), weights / weights.sum()


def judged(case: Case, result: Result) -> Judgement:
    """The judgement of a result; infinite deviation where there is none."""
    if result.clip is None:
        none = dict.fromkeys(LIMIT_KINDS, np.inf)
        return Judgement(result.by, none, 0.0, np.inf, np.inf, np.inf, result.seconds, result.note)
    clip = result.clip
    on_floor = case.character.floats
    shares = worst_shares(case, clip, fine=FLOOR_FINE if on_floor else FINE, second_opinion=True)
    if on_floor:  # what needs no floor is looked at as finely as elsewhere
        loose = replace(case.character, soles=())
        fine = usage_at(loose, clip, FINE)
        shares |= {kind: fine.peak(kind) for kind in LIMIT_KINDS if kind != "torque"}
    apart, weights = deviations(case, result)
    return Judgement(
        by=result.by,
        shares=shares,
        overlap_m=overlap(case, clip),
        mean_mm=1000.0 * float(weights @ apart.mean(axis=1)),
        worst_mm=1000.0 * float(apart.max()),
        duration_ratio=clip.duration / case.clip.duration,
        seconds=result.seconds,
        note=result.note,
    )


def overlap(case: Case, clip: Clip) -> float:
    """By how much bodies come closer than was asked [m], at 4 points a frame."""
    if case.clearance_m is None:
        return 0.0
    times = np.linspace(clip.times[0], clip.times[-1], 4 * clip.frame_count)
    poses = forward_kinematics(case.character, clip, times)
    nearest = distances(CollisionModel.of(case.character), poses)
    return max(0.0, case.clearance_m - float(nearest.min(initial=np.inf)))
