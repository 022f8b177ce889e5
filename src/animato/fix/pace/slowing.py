"""The least slow-down with which a character can follow a clip."""

from __future__ import annotations

import math

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import OptionError
from animato.fix.pace.sweep import eased_steps
from animato.fix.pace.tempo import NODES_A_FRAME, PaceRules, WindowPace, nodes_of
from animato.fix.pace.time_map import Pace
from animato.fix.pace.window import window_pace
from animato.motion import Clip
from animato.outcome import Progress, Stage

_WINDOW_FRAMES = 1500
_LEAST_MARGIN = 64  # frames on both sides of a window: what a spline's end does has faded there
_SPARE_S = 0.5  # and so much time more than the longest change of tempo takes


def local_pace(
    character: Character,
    clip: Clip,
    *,
    tempo_change_per_s: float = 2.0,
    ease_s: float = 0.1,
    slowest: float = 0.05,
    fastest: float = 1.0,
    headroom: float = 1.0,
    looks: int = 10,
    progress: Progress | None = None,
) -> Pace:
    """Slows a clip down where speed, acceleration, jerk or torque are over a limit, and only there.

    The path stays as it is. A clip within its limits keeps its times, bit for bit. Ranges, bodies that touch and
    balance are none of time's business.

    Args:
        character: Whose limits hold.
        clip: What it should do.
        tempo_change_per_s: Largest change of the tempo in a second [1/s]: with 2, half the tempo is reached in a
            quarter of a second. Infinite: as quick as the motors.
        ease_s: Time over which a change of tempo begins and ends [s].
        slowest: Least tempo, whatever limits ask for; more than 0.
        fastest: Largest tempo; 1 is the artist's.
        headroom: Tempo up to which it is found out what limits leave, for `Pace.fitted` and `Pace.keeping`.
        looks: How often, at most, the performed frames are held against the limits, and places slowed further where
            the spline through them is over; 0 takes the plan as it is.
        progress: Told of every window.

    Raises:
        OptionError: An option is out of its range.
    """
    _check(tempo_change_per_s, ease_s, slowest, fastest, headroom)
    if clip.frame_count == 1:
        return Pace(clip.times, clip.times)
    rules = PaceRules(min(tempo_change_per_s, 1e9), ease_s, slowest, fastest, max(headroom, fastest), looks)
    is_tree = topology_of(rigidified(character)).is_tree
    windows = _windows(clip, rules)
    told = Stage("slowing down", progress, len(windows))
    nodes = nodes_of(clip.times)
    b, quick = np.full(len(nodes), np.inf), np.full(len(nodes), np.inf)
    notes: dict[str, None] = {}
    for (first, last), (own_first, own_last) in windows:
        part = clip if (first, last) == (0, clip.frame_count) else clip.part(slice(first, last))
        found = window_pace(character, part, rules, is_tree=is_tree)
        _put(found, first, own_first, own_last, b, quick)
        notes.update(dict.fromkeys(found.notes))
        told.step()
    times = _times(nodes, b, rules)
    if times is None:
        times = clip.times
    quickest = None
    if rules.headroom > rules.fastest:
        quicker = _times(nodes, quick, rules)
        least = clip.times if quicker is None else quicker
        quickest = np.minimum(np.diff(least), np.diff(times)) / np.diff(clip.times)
    return Pace(clip.times, times, quickest, tuple(notes))


def _check(change: float, ease: float, slowest: float, fastest: float, headroom: float) -> None:
    if not change > 0.0:
        raise OptionError(f"`tempo_change_per_s` must be more than 0 1/s, not {change}; infinite is allowed.")
    if not 0.0 <= ease < math.inf:
        raise OptionError(f"`ease_s` must be a time of at least 0 s, not {ease}.")
    if not 0.0 < slowest <= fastest < math.inf:
        raise OptionError(
            f"`slowest` must be more than 0 and at most `fastest`, which is finite; given {slowest} and {fastest}."
        )
    if not 0.0 < headroom < math.inf:
        raise OptionError(f"`headroom` must be a finite tempo of more than 0, not {headroom}.")


def _windows(clip: Clip, rules: PaceRules) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Frames of each window with its margins, and those whose tempo it decides; both as (first, end)."""
    count = clip.frame_count
    rate = (count - 1) / clip.duration
    margin = _LEAST_MARGIN + math.ceil(rate * (rules.fastest**2 / (2.0 * rules.change) + rules.ease_s + _SPARE_S))
    size = max(_WINDOW_FRAMES, 4 * margin)
    if count <= size + 2 * margin:
        return [((0, count), (0, count))]
    found = []
    for start in range(0, count, size):
        end = min(start + size, count)
        # neighbours decide the frames around a seam together
        found.append(
            (
                (max(start - margin, 0), min(end + margin, count)),
                (max(start - margin // 2, 0), min(end + margin // 2, count)),
            )
        )
        if end == count:
            break
    return found


def _put(found: WindowPace, first: int, own_first: int, own_last: int, b: np.ndarray, quick: np.ndarray) -> None:
    """Writes what a window decides; where two do, the slower."""
    here = slice(NODES_A_FRAME * own_first, NODES_A_FRAME * (own_last - 1) + 1)
    there = slice(NODES_A_FRAME * (own_first - first), NODES_A_FRAME * (own_last - 1 - first) + 1)
    b[here] = np.minimum(b[here], found.b[there])
    quick[here] = np.minimum(quick[here], found.quick[there])


def _times(nodes: np.ndarray, b: np.ndarray, rules: PaceRules) -> np.ndarray | None:
    """The robot's times at the frames [s], [frame]; None where the tempo is 1 everywhere."""
    if np.all(b == 1.0):
        return None
    widths = np.diff(nodes)
    eased_steps(widths, rules.change, b)
    tempo = np.sqrt(b)
    lasting = 2.0 * widths / (tempo[1:] + tempo[:-1])
    return np.asarray(nodes[0] + np.append(0.0, np.cumsum(lasting))[::NODES_A_FRAME])
