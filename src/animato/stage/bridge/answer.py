"""What comes back to an editor: a motion on its own frames, heat on the joints, marks where it is too much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.findings import CheckResult, check, finding_sentence, verdict
from animato.fix import Options, build, solve
from animato.formats.outgoing import plain_tree
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.motion import Clip
from animato.outcome import Progress
from animato.stage.bridge.bones import ROOT_COORDINATES
from animato.stage.bridge.markers import Mark, marks_of
from animato.stage.bridge.on_frames import held_on_frames

HOTTEST = 10.0
"""Shares above this, infinity too, are told as this."""
_SAME_S = 1e-9
_MOST_FRAMES = 1_000_000


@dataclass(frozen=True, eq=False)
class Answer:
    """What a check or a fix says to an editor.

    Attributes:
        verb: "check" or "fix".
        fits: Whether the robot can do what is in `values`.
        sentence: The answer in one sentence.
        more: What was wrong, what has changed, notes.
        coordinates: Of the columns of `values`; all that the character has, loops closed, the root's last.
        values: [m, rad or parts of quaternions] at even frames from the first moment on, shape [frame, coordinate];
            without frames where there is no motion to give.
        joints: Of the columns of `heat`.
        heat: Largest share of any limit around each frame, 1 is the limit itself, shape [frame, joint].
        marks: Moments at which it is too much; of a fix that cannot be done, those of the motion as it was given.
    """

    verb: str
    fits: bool
    sentence: str
    more: tuple[str, ...]
    coordinates: tuple[str, ...]
    values: np.ndarray
    joints: tuple[str, ...]
    heat: np.ndarray
    marks: tuple[Mark, ...]

    def to_dict(self) -> dict[str, Any]:
        """For `save_bridge_file`."""
        told = {one: getattr(self, one) for one in ("verb", "fits", "sentence", "coordinates", "values", "joints")}
        return {**told, "more": list(self.more), "heat": self.heat, "marks": [asdict(mark) for mark in self.marks]}


def answer_to_check(
    character: Character,
    clip: Clip,
    rate_hz: float,
    *,
    name: str = "the action",
    remarks: Sequence[str] = (),
    page: Path | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Whether the robot can do it, frame by frame.

    Args:
        character: Who should perform.
        clip: What; the frames of the answer start where it does.
        rate_hz: Frames a second of the editor.
        name: What people call the clip.
        remarks: What else is known about it.
        page: Also write the page of the check there.
        progress: Told what is being worked on.
    """
    frame_times(clip, rate_hz)  # refuses a rate before the work, and before a page is written
    result = check(character, clip, clip_name=name, remarks=tuple(remarks), keep_reference_pose=True, progress=progress)
    if page is not None:
        result.save_page(page)
    more = (*(finding_sentence(result, one) for one in result.findings), *result.notes)
    return _answer("check", result.outcome.usable, verdict(result), more, result, clip, rate_hz)


def answer_to_fix(
    character: Character,
    clip: Clip,
    rate_hz: float,
    *,
    options: Options,
    name: str = "the action",
    remarks: Sequence[str] = (),
    page: Path | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The motion put right, frame by frame; where that cannot be done, why.

    Args:
        character: Who should perform.
        clip: What the artist wants.
        rate_hz: Frames a second of the editor.
        options: What is wanted.
        name: What people call the clip.
        remarks: What else is known about it.
        page: Also write the page of the fix there.
        progress: Told what is being worked on.
    """
    from animato.report.fix import fix_text, gather_evidence, save_page

    frame_times(clip, rate_hz)  # as above
    solution = solve(build(character, clip, options), progress=progress)
    evidence = gather_evidence(solution, name=name, remarks=remarks, trade=False, progress=progress)
    if page is not None:
        save_page(page, solution, evidence=evidence, progress=progress)
    sentence, *more = (" ".join(line.split()) for line in fix_text(evidence))
    more += solution.notes
    if not solution.outcome.usable:
        return _answer("fix", False, sentence, more, evidence.before, None, rate_hz)
    if not solution.changed:
        return _answer("fix", True, sentence, more, evidence.after, solution.clip, rate_hz)
    framed, result = held_on_frames(character, solution.clip, rate_hz, options, progress)
    fits = result.outcome.usable
    if not fits:
        more.append(f"On {rate_hz:g} frames a second it does not hold all limits: {result.outcome.reason}")
    return _answer("fix", fits, sentence, more, result, framed, rate_hz)


def _answer(
    verb: str,
    fits: bool,
    sentence: str,
    more: Sequence[str],
    result: CheckResult,
    clip: Clip | None,
    rate_hz: float,
) -> Answer:
    character = result.character
    if clip is None:
        nothing = np.zeros((0, 0))
        return Answer(verb, fits, sentence, tuple(more), (), nothing, (), nothing, _from_start(result))
    times = frame_times(clip, rate_hz)
    coordinates, values = _values(character, clip, times)
    joints, heat = heat_of(result.usage, times)
    return Answer(verb, fits, sentence, tuple(more), coordinates, values, joints, heat, _from_start(result))


def _from_start(result: CheckResult) -> tuple[Mark, ...]:
    """Marks counted from the clip's first moment, as the frames of the answer are."""
    start = float(result.clip.times[0])
    return tuple(Mark(mark.time_s - start, mark.name, mark.sentence, mark.share) for mark in marks_of(result))


def frame_times(clip: Clip, rate_hz: float) -> np.ndarray:
    """Moments of the editor's frames on the clip's clock [s]; the last frame is the clip's end or just behind it."""
    if not (math.isfinite(rate_hz) and rate_hz > 0.0) or clip.duration * rate_hz > _MOST_FRAMES:
        raise OptionError(f"`rate_hz` is above 0 and gives at most {_MOST_FRAMES} frames; given {rate_hz!r}.")
    count = math.ceil(clip.duration * rate_hz - 1e-6) + 1
    times = clip.times[0] + np.arange(count) / rate_hz
    return clip.times if count == clip.frame_count and np.abs(times - clip.times).max() < _SAME_S else times


def _values(character: Character, clip: Clip, times: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    tree = plain_tree(character)
    if times is not clip.times:
        clip = clip.resampled(np.minimum(times, clip.times[-1]))
    if tree.ties:
        from animato.mechanics.loops import clip_with_loops  # only loops need it

        clip = clip_with_loops(tree.character, clip)
    if clip.base_positions is None or clip.base_quaternions_wxyz is None or not character.floats:
        return clip.names, clip.positions
    return (*clip.names, *ROOT_COORDINATES), np.hstack(
        [clip.positions, clip.base_positions, clip.base_quaternions_wxyz]
    )


def heat_of(usage: LimitUsage, times: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """The largest share of any limit of each joint, from half a frame before each frame to half a frame behind it.

    Args:
        usage: Shares at moments that may lie closer than the frames.
        times: Of the frames [s].

    Returns:
        Names of joints, and shares of the shape [frame, joint]; 0 where a joint has no limit.
    """
    over_kinds = np.nanmax([np.nan_to_num(usage.shares[kind], nan=0.0, posinf=HOTTEST) for kind in LIMIT_KINDS], axis=0)
    shares = np.clip(over_kinds, 0.0, HOTTEST)
    frame = np.searchsorted(0.5 * (times[1:] + times[:-1]), usage.times)
    largest = np.zeros((len(times), shares.shape[1]))
    np.maximum.at(largest, frame, shares)
    # Frames closer than the samples have none of their own, and take the nearest one's.
    empty = np.setdiff1d(np.arange(len(times)), frame)
    if len(empty):
        nearest = np.clip(np.searchsorted(0.5 * (usage.times[1:] + usage.times[:-1]), times[empty]), 0, len(shares) - 1)
        largest[empty] = shares[nearest]
    joints = tuple(dict.fromkeys(axis.joint for axis in usage.axes))
    columns = [[n for n, axis in enumerate(usage.axes) if axis.joint == joint] for joint in joints]
    heat = [largest[:, some].max(axis=1) for some in columns]
    return joints, np.column_stack(heat) if heat else np.zeros((len(times), 0))
