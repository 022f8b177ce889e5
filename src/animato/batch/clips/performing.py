"""What a process of a batch does with a clip: it reads it, has the verb work on it, and tells of it in a row.

Nothing that is wrong with one clip leaves this file as an error: the row says so.
"""

from __future__ import annotations

import functools
import math
import re
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, cast

import numpy as np

from animato.batch.clips.job import BaseChoice, Job
from animato.batch.clips.listing import ClipTask
from animato.batch.clips.verbs import Performed, performed
from animato.batch.engine import LateError, Storage, deadline
from animato.character import Character
from animato.errors import AnimatoError
from animato.formats import load_character, save_motion
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage
from animato.motion import Clip

FITS, OVER, FAILED = "fits", "does not fit", "failed"
STATUSES = (FITS, OVER, FAILED)

_COPIES = "animato-"  # what the names of folders of copies begin with

STRIP = 48
"""Parts of a clip's time of which the strip tells the largest share."""

_LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"
FULL_LEVEL = 20
"""The level of a share of 1 in a strip: shares of 0 to 1.75 are the digits and letters 0 to z."""


def perform_chunk(job: Job, tasks: Sequence[ClipTask]) -> list[dict[str, Any]]:
    """Rows of a chunk, each with the seconds that it took."""
    return [perform(job, task) for task in tasks]


def perform(job: Job, task: ClipTask) -> dict[str, Any]:
    """The row of one clip, whatever becomes of it."""
    began = time.perf_counter()
    try:
        with deadline(job.longest_s):
            row = _row(job, task)
    except LateError:
        row = failed_row(job, task, late(job.longest_s))
    except AnimatoError as error:
        row = failed_row(job, task, str(error))
    except Exception as error:  # a fault of ours must not stop the others
        row = failed_row(job, task, f"{type(error).__name__}: {error}. This is a fault in animato.")
    return {**row, "seconds": time.perf_counter() - began}


def late(longest_s: float | None) -> str:
    """What is said of a clip that took too long."""
    return f"it took longer than {longest_s or 0.0:g} s and was stopped; a larger `longest_s` gives it more time."


def failed_row(job: Job, task: ClipTask, why: str) -> dict[str, Any]:
    """The row of a clip of which nothing is known but why."""
    return {**_named(job, task), "status": FAILED, "error": _placeless(job, " ".join(why.split()))}


def _placeless(job: Job, words: str) -> str:
    """A sentence without the folder of the clips or of their copies: the same wherever the batch runs."""
    clips = Storage(job.clips)
    folder = clips.folder.as_posix() if clips.is_local else job.clips.rstrip("/")
    copies = rf"{re.escape(gettempdir())}/{_COPIES}\w+/"
    return re.sub(copies, "", words.replace(f"{folder}/", ""))


def _named(job: Job, task: ClipTask) -> dict[str, Any]:
    robot = job.robots[task.robot]
    return {
        "key": task.key,
        "clip": task.clip,
        "robot": robot.label,
        "verb": job.verb,
        "clip_sha256": task.sha256,
        "robot_sha256": robot.sha256,
        "version": job.version,
    }


def _row(job: Job, task: ClipTask) -> dict[str, Any]:
    robot, out = job.robots[task.robot], Storage(job.out)
    model = loaded_character(robot.source, robot.base, robot.sha256)
    with ExitStack() as stack:
        path = brought(job, task, stack)
        done = performed(job.verb, job.wishes, model, path)
        result = ""
        if done.result is not None and done.usable:
            result = task.result
            _save(out, result, done.result, model, stack)
    worst = _worst(done)
    verdict = done.reason
    if done.usable and worst["limits"]:
        told = f"{worst['worst_kind']} of {worst['worst_joint']}" if worst["worst_joint"] else worst["worst_kind"]
        verdict += f". But {told} is at {100.0 * worst['worst']:.0f} % of its limit, which {job.verb} does not keep."
    return {
        **_named(job, task),
        "status": FITS if done.usable and not worst["limits"] else OVER,
        "verdict": verdict,
        **worst,
        "frames": done.clip.frame_count,
        "duration_s": float(done.clip.duration),
        "strip": strip_of(done.usage),
        "result": result,
        "measures": {name: float(value) for name, value in done.measures.items() if math.isfinite(value)},
    }


def brought(job: Job, task: ClipTask, stack: ExitStack) -> Path:
    """The clip's file where it can be opened, with what it needs beside it."""
    clips = Storage(job.clips)
    into = Path() if clips.is_local else Path(stack.enter_context(TemporaryDirectory(prefix=_COPIES)))
    for name in task.beside:
        clips.brought(name, into)
    return clips.brought(task.clip, into)


def _save(out: Storage, name: str, clip: Clip, model: Character, stack: ExitStack) -> None:
    """Writes a resulting clip, whole."""
    if out.is_local:
        save_motion(out.folder / name, clip, model)
        return
    place = Path(stack.enter_context(TemporaryDirectory(prefix=_COPIES))) / "result.npz"
    save_motion(place, clip, model)
    out.write(name, place.read_bytes())


@functools.lru_cache(maxsize=8)
def loaded_character(source: str, base: str, _sha256: str) -> Character:
    """A robot, loaded once in a process."""
    return load_character(source, base=cast(BaseChoice, base))


def _worst(done: Performed) -> dict[str, Any]:
    """The worst moment, which is the one that the verdict names, and what is too much."""
    worst: dict[str, Any] = {"worst": 0.0, "worst_kind": "", "worst_joint": "", "worst_at_s": 0.0}
    if done.worst:
        first = done.worst[0]
        worst = {"worst": first.share, "worst_kind": first.kind, "worst_joint": first.axis, "worst_at_s": first.time}
    over = {finding.kind for finding in done.worst if finding.is_over}
    limits = [kind for kind in LIMIT_KINDS if kind in over]
    if done.balance is not None and done.balance.is_over:
        limits.append("balance")
        if done.balance.share > worst["worst"]:
            worst = {"worst": float(done.balance.share), "worst_kind": "balance", "worst_joint": ""}
            worst["worst_at_s"] = float(done.balance.time)
    return {**worst, "limits": limits}


def strip_of(usage: LimitUsage) -> str:
    """The largest share of any limit over time, as a letter for each part of it; see FULL_LEVEL."""
    known = [usage.shares[kind] for kind in LIMIT_KINDS if usage.shares[kind].size]
    if not known:
        return ""
    highest = np.zeros(len(usage.times))
    for shares in known:
        highest = np.maximum(highest, np.nan_to_num(shares, nan=0.0, posinf=1e9).max(axis=1))
    edges = np.unique(np.linspace(0, len(highest), STRIP + 1).astype(int))
    parts = np.maximum.reduceat(highest, edges[:-1]) if len(edges) > 1 else highest
    levels = np.minimum(len(_LEVELS) - 1, (FULL_LEVEL * np.minimum(parts, 1e6)).astype(int))
    over = np.flatnonzero(parts > 1.0 + SHARE_TOLERANCE)
    levels[over] = np.maximum(levels[over], FULL_LEVEL + 1)  # what is over is seen to be, by however little
    return "".join(_LEVELS[level] for level in levels)
