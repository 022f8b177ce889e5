"""One scorer for all methods: what a robot's motion keeps of a person's, and whether the robot could perform it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.errors import MotionError
from animato.mechanics.collision import deepest
from animato.mechanics.contact import corners_of
from animato.mechanics.limits import usage_of_states
from animato.mechanics.tree import States, forward_kinematics
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging.balance import carried, inner_frames, out_percent
from animato.mimic.judging.between_frames import between_frames
from animato.mimic.judging.feet import FeetMotion, feet_motion
from animato.mimic.judging.frame_states import frame_states, frame_step
from animato.mimic.judging.key_points import key_points_of
from animato.mimic.judging.rules import Rules
from animato.mimic.person import Person
from animato.motion import Clip

DEFAULT = Rules()


@dataclass(frozen=True, repr=False)
class Score(Described):
    """Figures of one motion. NaN where there is nothing to judge: no swing, no hands that meet, no known shapes.

    Attributes:
        frames: How many were judged.
        scale: Of the person, best for the whole clip.
        zmp_out_percent: Frames on the floor whose ZMP is outside the soles of feet that support.
        zmp_strict_out_percent: The same against corners that truly touch.
        zmp_120_out_percent: The same between the frames, on the motion's own curve.
        flight_frames: Frames in which nothing supports, or nearly no weight is carried.
        keypoint_mm: Mean distance of key-points, relative to the pelvis.
        torque_share: Largest share of a limit of torque, with forces of the floor in friction cones.
        wrench_residual_share: Largest part of the root's wrench that these cannot give, over the weight.
        torque_120_share: Largest share of a limit of torque between the frames.
        penetration_120_mm: Deepest corner of a sole between the frames.
        skate_120_worst_cm_s: The largest speed of parts that should stand still between the frames.
        velocity_share: Largest share of a limit of velocity.
        position_share: Largest share of a range; above 1 outside.
        velocity_fine_share, position_fine_share: The same on a finer grid.
        skate_mean_cm_s: Mean horizontal speed of parts of feet that should stand still.
        skate_worst_cm_s: The largest.
        penetration_mm: Deepest corner of a sole below the floor.
        float_mm: Mean height of the lowest corners of supporting feet.
        collision_mm: Deepest penetration of two bodies of the robot.
        hands_gap_mm: Mean error of the distance of wrists while the person's hands are together.
        swing_clearance_share: Mean clearance of swinging feet as a share of the person's, scaled.
        swing_worst_share: The lowest.
        laplacian_cm2: Mean Laplacian energy of the interaction mesh.
    """

    frames: int
    scale: float
    zmp_out_percent: float
    zmp_strict_out_percent: float
    zmp_120_out_percent: float
    flight_frames: int
    keypoint_mm: float
    torque_share: float
    torque_120_share: float
    penetration_120_mm: float
    skate_120_worst_cm_s: float
    wrench_residual_share: float
    velocity_share: float
    position_share: float
    velocity_fine_share: float
    position_fine_share: float
    skate_mean_cm_s: float
    skate_worst_cm_s: float
    penetration_mm: float
    float_mm: float
    collision_mm: float
    hands_gap_mm: float
    swing_clearance_share: float
    swing_worst_share: float
    laplacian_cm2: float

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {field.name: f"{getattr(self, field.name):.4g}" for field in fields(self)}


def score(
    anatomy: Anatomy,
    clip: Clip,
    person: Person,
    *,
    curve: Clip | None = None,
    shapes: Character | None = None,
    rules: Rules = DEFAULT,
) -> Score:
    """Judges a motion of a robot by the person's.

    Args:
        anatomy: Of the robot: its key-points and soles.
        clip: The motion at an even rate, `rules.rate_hz` where figures are to compare; its frames are judged.
        person: At the same frames; its times are the capture's, which differ where the robot is slower.
        curve: The motion as it is delivered, looked at between the frames; the spline through them where not given.
        shapes: The same robot with shapes of its bodies, for collisions; the robot itself where not given.
        rules: The constants.

    Raises:
        MotionError: The clip and the person have different numbers of frames, or the clip's rate is uneven.
    """
    if len(person.times) != clip.frame_count:
        raise MotionError(
            f"The clip has {clip.frame_count} frames and the person {len(person.times)}; "
            f"both must be given at the same moments."
        )
    states = frame_states(anatomy.character, clip)
    poses = forward_kinematics(anatomy.character, states)
    points = key_points_of(anatomy, poses, person)
    feet = feet_motion(anatomy, poses, person, frame_step(clip))
    between = between_frames(anatomy, curve or clip, clip, feet, rules)
    skates, swings = 100.0 * feet.skates(), feet.swing_shares(person, points.scale, rules)
    flight_frames, dynamics = _dynamics(anatomy, states, feet, rules)
    return Score(
        frames=clip.frame_count,
        scale=points.scale,
        flight_frames=flight_frames,
        **dynamics,
        **asdict(between),
        keypoint_mm=1e3 * float(points.errors.mean()),
        skate_mean_cm_s=_mean(skates),
        skate_worst_cm_s=float(skates.max(initial=0.0)),
        penetration_mm=1e3 * feet.penetration(),
        float_mm=1e3 * _mean(feet.floats()),
        collision_mm=deepest(shapes or anatomy.character, clip).depth_mm,
        hands_gap_mm=1e3 * _mean(points.hands_gaps(rules.hands_m)),
        swing_clearance_share=_mean(swings),
        swing_worst_share=float(swings.min()) if len(swings) else np.nan,
        laplacian_cm2=1e4 * float(points.laplacian_energies().mean()),
    )


def _dynamics(anatomy: Anatomy, states: States, feet: FeetMotion, rules: Rules) -> tuple[int, dict[str, float]]:
    """Frames in flight, and figures of balance and limits, without the frames at both ends."""
    corners = corners_of(anatomy.character, states, feet.points)
    found = carried(anatomy, states, corners, feet.supporting, rules)
    inner = inner_frames(len(states.times), rules.ends)
    standing = inner & ~found.flight
    unknown = np.full_like(states.velocities, np.nan)
    usage = usage_of_states(anatomy.character, states, unknown, unknown)
    return int(np.count_nonzero(inner & found.flight)), {
        "zmp_out_percent": out_percent(found.zmp, corners, feet.supporting, standing, rules),
        "zmp_strict_out_percent": out_percent(found.zmp, corners, feet.touching(rules), standing, rules),
        "torque_share": float(np.nanmax(found.torque_shares[inner], initial=0.0)),
        "wrench_residual_share": float(found.residual_share[standing].max(initial=0.0)),
        "velocity_share": float(np.nanmax(usage.shares["velocity"][inner], initial=0.0)),
        "position_share": usage.peak("position"),
    }


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else np.nan
