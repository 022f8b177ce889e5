"""Whether limits hold in a transition, and at the two frames between which it leads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.findings import find_balance
from animato.fix.joining.tracks import REACH, ClipEnd
from animato.fix.joining.transition_error import TransitionError
from animato.mechanics.limits import SHARE_TOLERANCE, LimitUsage, limit_usage
from animato.motion import Clip

FINE = 100
"""Points between frames at which the final transition is held against the limits."""

_COARSE, _COARSE_LOOPS = 4, 1  # points while a length is sought; dynamics of loops are slow
_STATE_KINDS = ("position", "velocity", "acceleration", "torque")
_ALL_KINDS = (*_STATE_KINDS, "jerk")
BALANCE = "balance"
"""A kind of limit beside those of joints."""

_UNITS = {"position": "", "velocity": "/s", "acceleration": "/s^2", "jerk": "/s^3"}


@dataclass(frozen=True)
class Worst:
    """The largest used share of a limit.

    Attributes:
        share: 1 is the limit itself.
        axis: Its name.
        kind: Of the limit.
        value: What is asked for, in SI with its unit.
        time: When [s].
    """

    share: float
    axis: str
    kind: str
    value: str
    time: float

    @property
    def holds(self) -> bool:
        """Whether no limit is exceeded."""
        return self.share <= 1.0 + SHARE_TOLERANCE


def worst_in_transition(
    character: Character, joined: Clip, first_frame: int, last_frame: int, *, fine: bool, upright: bool
) -> Worst:
    """The largest share in a transition.

    Args:
        character: Who performs.
        joined: The whole clip.
        first_frame: Of the transition: the last of what is before.
        last_frame: Of the transition: the first of what comes after.
        fine: Whether to look at every hundredth of a frame.
        upright: Whether balance counts, where the character stands on soles and keeps it at both ends.
    """
    near = joined.part(slice(max(0, first_frame - REACH), last_frame + REACH + 1))
    is_tree = topology_of(rigidified(character)).is_tree
    points = (FINE if fine else _COARSE) if is_tree else _COARSE_LOOPS
    usage = limit_usage(character, near, oversampling=points)
    begin, end = joined.times[first_frame], joined.times[last_frame]
    slack = 1e-9 * max(1.0, abs(end))
    inside = (usage.times >= begin - slack) & (usage.times <= end + slack)
    worst = _worst(usage, inside, _ALL_KINDS)
    return _tipping(character, near, begin, end) or worst if upright and worst.holds else worst


def _tipping(character: Character, near: Clip, begin: float, end: float) -> Worst | None:
    """The worst moment of balance in a transition; None where it is kept, or was not at an end of it."""
    times = near.times[(near.times >= begin - 1e-9) & (near.times <= end + 1e-9)]
    found = find_balance(character, near, times)
    if found is None or not found.is_over or found.time in (times[0], times[-1]):
        return None
    return Worst(1.0 + found.outside, "balance", BALANCE, f"{1e3 * found.outside:.1f} mm outside", found.time)


def refuse_broken_end(character: Character, end: ClipEnd, called: str, before: ClipEnd | None = None) -> None:
    """Says so where the frame that a transition is to begin or end at is beyond a limit already.

    Args:
        character: Who performs.
        end: The end of the first clip, or the start of the second.
        called: What people call that clip.
        before: For the start of the second: where the first ends. What the second does not name stays there, and a
            second that names nothing at all, where a motion just comes to rest, cannot be beyond anything.

    Raises:
        TransitionError: Which limit of which joint, by how much.
    """
    if not end.clip.names and not end.clip.has_base:
        return
    usage = limit_usage(character, end.near if before is None else _held(end.near, before), oversampling=1)
    worst = _worst(usage, np.isclose(usage.times, end.time), _STATE_KINDS)
    if worst.holds:
        return
    does = "ends" if end.last else "begins"
    share = f"{100.0 * worst.share:{'.0f' if worst.share > 1.01 else '.3f'}}"  # what is over is never "100 %"
    raise TransitionError(
        f"{called} {does} with {worst.axis} at {share} % of its {worst.kind} limit ({worst.value}), "
        f"so no transition can keep that limit. Run fix on that clip first, or cut it at a calmer frame."
    )


def _held(near: Clip, before: ClipEnd) -> Clip:
    """The start of a clip with what it does not name as it is where another ends."""
    known = before.clip
    added = [n for n, name in enumerate(known.names) if name not in near.names]
    still = np.tile(known.positions[before.frame, added], (near.frame_count, 1))
    return replace(
        near, names=(*near.names, *(known.names[n] for n in added)), positions=np.hstack([near.positions, still])
    )


def _worst(usage: LimitUsage, chosen: np.ndarray, kinds: tuple[str, ...]) -> Worst:
    found = Worst(0.0, "", "", "", 0.0)
    times = usage.times[chosen]
    for kind in kinds:
        shares = np.nan_to_num(usage.shares[kind][chosen], nan=0.0)
        if not shares.size:
            continue
        row, column = np.unravel_index(int(np.argmax(shares)), shares.shape)
        share = float(shares[row, column])
        if share > found.share:
            axis = usage.axes[column]
            value = float(usage.values[kind][chosen][row, column])
            found = Worst(share, axis.name, kind, f"{value:.3g} {_unit(kind, axis.angular)}", float(times[row]))
    return found


def _unit(kind: str, angular: bool) -> str:
    if kind == "torque":
        return "N m" if angular else "N"
    return ("rad" if angular else "m") + _UNITS[kind]
