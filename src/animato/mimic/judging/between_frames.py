"""What a motion does between the frames at which it was asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.mechanics.contact import corners_of
from animato.mechanics.limits import usage_of_states
from animato.mechanics.tree import states_of_clip
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging.balance import carried, inner_frames, out_percent
from animato.mimic.judging.feet import FeetMotion
from animato.mimic.judging.frame_states import frame_states, frame_step
from animato.mimic.judging.rules import Rules
from animato.motion import Clip


@dataclass(frozen=True)
class BetweenFrames:
    """Figures of a motion's own curve.

    Attributes:
        zmp_120_out_percent: Samples on the floor whose ZMP is outside the soles of feet that support.
        torque_120_share: Largest share of a limit of torque at these samples.
        penetration_120_mm: Deepest corner of a sole below the floor at these samples.
        skate_120_worst_cm_s: Largest horizontal speed between these samples of parts that should stand still.
        velocity_fine_share: Largest share of a limit of velocity on a fine grid.
        position_fine_share: Largest share of a range on a fine grid.
    """

    zmp_120_out_percent: float
    torque_120_share: float
    penetration_120_mm: float
    skate_120_worst_cm_s: float
    velocity_fine_share: float
    position_fine_share: float


def between_frames(anatomy: Anatomy, curve: Clip, frames: Clip, feet: FeetMotion, rules: Rules) -> BetweenFrames:
    """Judges the curve that a robot would be given.

    Args:
        anatomy: The robot.
        curve: The motion as it is delivered, at any rate; between its frames it is a cubic spline.
        frames: The same at the frames at which it is judged otherwise.
        feet: Contacts of the person at those frames; a sample has those of the nearest frame.
        rules: The constants.
    """
    many = max(1, round(rules.between_hz * frame_step(frames)))
    count = many * (frames.frame_count - 1) + 1
    times = np.linspace(frames.times[0], frames.times[-1], count)
    states = frame_states(anatomy.character, curve.resampled(times))
    corners = corners_of(anatomy.character, states, feet.points)
    nearest = np.rint(np.arange(count) / many).astype(np.int64)
    supporting = feet.supporting[nearest]
    finer = _resampled(feet, corners.positions, many)
    found = carried(anatomy, states, corners, supporting, rules)
    inner = inner_frames(count, many * rules.ends)
    fine = np.linspace(times[0], times[-1], rules.finer * (frames.frame_count - 1) + 1)
    moving = states_of_clip(anatomy.character, curve, fine)
    unknown = np.full_like(moving.velocities, np.nan)
    usage = usage_of_states(anatomy.character, moving, unknown, unknown)
    return BetweenFrames(
        zmp_120_out_percent=out_percent(found.zmp, corners, supporting, inner & ~found.flight, rules),
        torque_120_share=float(np.nanmax(found.torque_shares[inner], initial=0.0)),
        penetration_120_mm=1e3 * finer.penetration(),
        skate_120_worst_cm_s=100.0 * float(finer.skates().max(initial=0.0)),
        velocity_fine_share=usage.peak("velocity"),
        position_fine_share=usage.peak("position"),
    )


def _resampled(feet: FeetMotion, corners: np.ndarray, many: int) -> FeetMotion:
    """The soles between the frames; a part should stand still at samples between two frames in both of which it should.

    Args:
        feet: At the frames.
        corners: Where corners are at the samples [m], [sample, corner, 3].
        many: Samples a frame.
    """
    place = np.arange(len(corners)) / many
    before, after = np.floor(place).astype(np.int64), np.ceil(place).astype(np.int64)
    return replace(
        feet,
        corners=corners,
        strict=feet.strict[before] & feet.strict[after],
        support=feet.support[before] & feet.support[after],
        step=feet.step / many,
    )
