"""How long a transition takes: as short as its coordinates find their way, as long as torque and balance need."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.fix.joining.assembly import joined_clip
from animato.fix.joining.holding import BALANCE, Worst, worst_in_transition
from animato.fix.joining.pair import Pair
from animato.fix.joining.tracks import LONGEST_S, Setting, Way, never, patient, shortest_frames, way_in
from animato.fix.joining.transition_error import TransitionError

TO_REST_S = 0.3
"""The least time of a natural transition from or to rest [s]."""

TIPS = "The character would tip in a transition: it was not found in balance."

_LONGER = 1.15  # while torques do not hold
_STRETCHES = 4.0  # times the length that all but torques need: longer does not help


@dataclass(frozen=True, eq=False)
class Found:
    """A transition inside the limits.

    Attributes:
        way: Of all tracks.
        decides: The coordinate or joint for which it takes as long as it does.
        notes: What was given up, in plain sentences.
    """

    way: Way
    decides: str
    notes: tuple[str, ...] = ()


def shortest(pair: Pair, setting: Setting, *, upright: bool = True) -> Found:
    """The shortest transition that keeps what the setting asks.

    Args:
        pair: What it leads between.
        setting: What all tracks share.
        upright: Whether it is to be in balance, where the character stands; where no length is, it is the shortest
            without.

    Raises:
        TransitionError: There is none.
    """
    frames, decides, eager = _calm_frames(pair, setting)
    search = _Search(pair, eager, frames, upright)
    found = search.run(frames, decides)
    if found is None and search.worst is not None and search.worst.kind == BALANCE:
        search = _Search(pair, eager, frames, upright=False)
        found = search.run(frames, decides)
        if found is not None:
            return Found(found.way, found.decides, (TIPS,))
    if found is None:
        raise TransitionError(_hopeless(search.worst, search.most * setting.step_s))
    return found


def worst_of(pair: Pair, way: Way, *, fine: bool, upright: bool) -> Worst:
    """The largest share of a limit in a transition."""
    first = pair.before.frame_count - 1
    joined = joined_clip(pair, way)
    return worst_in_transition(pair.character, joined, first, first + way.frames, fine=fine, upright=upright)


def _calm_frames(pair: Pair, setting: Setting) -> tuple[int, str, Setting]:
    """The least frames in which each coordinate finds its way, which needs them, and with what bounds."""
    channels = pair.channels(0)
    for eager in patient(setting):
        found = shortest_frames(channels, eager)
        for _ in range(8):  # where the second clip is carried on, where it stands depends on how long it takes
            if found is None or isinstance(way_in(found[0], pair.channels(found[0]), eager), Way):
                break
            more = shortest_frames(pair.channels(found[0]), eager)
            found = None if more is None else (max(found[0] + 1, more[0]), more[1])
        if found is not None:
            frames, decides = found
            least = _least(setting)
            return max(frames, least), decides if frames >= least else "", eager
    label = never(channels, eager)
    raise TransitionError(
        f"No motion of {label} leads from the end of the first clip to the start of the second inside its range and "
        "limits: at one of them it moves too fast, too near the end of its range. Run fix on the clips first, or cut "
        "them at a calmer frame."
    )


def _least(setting: Setting) -> int:
    """Frames that a natural transition has at least."""
    to_rest = 1 in (setting.frames_before, setting.frames_after)
    return math.ceil(TO_REST_S / setting.step_s - 1e-9) if to_rest and not setting.quick else 1


class _Search:
    """Tries lengths until all limits hold, torques and turns included."""

    def __init__(self, pair: Pair, setting: Setting, frames: int, upright: bool) -> None:
        self.pair, self.setting, self.upright = pair, setting, upright
        self.most = min(math.ceil(LONGEST_S / setting.step_s), math.ceil(_STRETCHES * frames) + 50)
        self.most = max(self.most, frames)
        self.worst: Worst | None = None

    def run(self, frames: int, decides: str) -> Found | None:
        """The shortest from so many frames on; None where there is none."""
        low, high = frames - 1, frames
        while self._way(high, fine=False) is None:
            decides = self.worst.axis if self.worst is not None else decides
            low, high = high, math.ceil(_LONGER * high) + 1
            if high > self.most:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._way(middle, fine=False) is not None else (middle, high)
        for count in range(high, self.most + 1):
            way = self._way(count, fine=True)
            if way is not None:
                return Found(way, decides)
        return None

    def _way(self, frames: int, *, fine: bool) -> Way | None:
        """The transition in so many frames, where it keeps all limits."""
        way = way_in(frames, self.pair.channels(frames), self.setting)
        if isinstance(way, str):
            return None
        worst = worst_of(self.pair, way, fine=fine, upright=self.upright)
        if worst.holds:
            return way
        self.worst = worst
        return None


def _hopeless(worst: Worst | None, seconds: float) -> str:
    if worst is None:
        return f"No transition of up to {seconds:.2f} s was found."
    return (
        f"Even in {seconds:.2f} s the transition asks {worst.axis} for {100.0 * worst.share:.0f} % of its {worst.kind} "
        f"limit ({worst.value}): the way between the two poses leads through what it cannot do. Put a pose between "
        "them, as a clip of one frame, or run fix on the clips first."
    )
