"""Four captures on the G1 beside two peers: every figure of the scorer, and the robot upright in MuJoCo."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from animato.errors import AnimatoError
from animato.mimic.judging import Score
from benchmarks.mimic_cases import PEERS, left_out, missing, peer_clip, peer_score, person, robot
from benchmarks.mimic_ours import solved
from benchmarks.mimic_play import play, stays_percent
from benchmarks.row import Row

FIGURES: dict[str, tuple[str, Literal["lower", "higher"]]] = {
    "zmp_out_percent": ("%", "lower"),
    "zmp_strict_out_percent": ("%", "lower"),
    "zmp_120_out_percent": ("%", "lower"),
    "keypoint_mm": ("mm", "lower"),
    "torque_share": ("1", "lower"),
    "torque_120_share": ("1", "lower"),
    "wrench_residual_share": ("1", "lower"),
    "velocity_share": ("1", "lower"),
    "velocity_fine_share": ("1", "lower"),
    "position_fine_share": ("1", "lower"),
    "skate_mean_cm_s": ("cm/s", "lower"),
    "skate_worst_cm_s": ("cm/s", "lower"),
    "skate_120_worst_cm_s": ("cm/s", "lower"),
    "penetration_mm": ("mm", "lower"),
    "penetration_120_mm": ("mm", "lower"),
    "float_mm": ("mm", "lower"),
    "collision_mm": ("mm", "lower"),
    "hands_gap_mm": ("mm", "lower"),
    "swing_clearance_share": ("1", "higher"),
    "swing_worst_share": ("1", "higher"),
    "laplacian_cm2": ("cm^2", "lower"),
}
"""Figures of `Score` that become rows, with their unit and which way is better."""

SCORED = ("golf", "walk", "dance", "wave")
SMALL = "pico"
OTHERS = (SMALL, "talos", "icub")


def score_rows(name: str, ours: Score, theirs: dict[str, Score]) -> list[Row]:
    """A row a figure and peer; the first peer's without an ending. Figures that nobody has are left out."""
    rows = []
    for figure, (unit, better) in FIGURES.items():
        value = getattr(ours, figure)
        if math.isnan(value):
            continue
        for peer, one in theirs.items():
            peer_value = getattr(one, figure)
            known = None if math.isnan(peer_value) else peer_value
            rows.append(Row(f"{name}.{figure}{_ending(peer)}", value, unit, better, peer, known))
    return rows


def clip_rows(name: str, *, quick: bool) -> list[Row]:
    """All rows of one capture on the G1: scored, timed and played; in a quick run with one set of gains only."""
    if left_out(f"{name}.*", missing()):
        return []
    ours = solved(person(name), "g1")
    anatomy, frames = ours.solution.problem.anatomy, ours.frames
    theirs = {peer: peer_score(name, peer) for peer in PEERS}
    rows = score_rows(name, ours.score(), theirs)
    rows.append(Row(f"{name}.slowed_percent", ours.solution.slowed_percent, "%", "lower", "holosoma", 0.0))
    up = play(anatomy, ours.solution.clip).upright_s
    stays = None if quick else stays_percent(anatomy, ours.solution.clip)
    for peer in PEERS:
        clip, seconds = peer_clip(name, peer)
        end = _ending(peer)
        rows.append(Row(f"{name}.s_per_frame{end}", ours.seconds / frames, "s", "lower", peer, seconds))
        rows.append(Row(f"play.g1.{name}.upright_s{end}", up, "s", "higher", peer, play(anatomy, clip).upright_s))
        if stays is not None:
            theirs_stay = stays_percent(anatomy, clip)
            rows.append(Row(f"play.g1.{name}.stays_percent{end}", stays, "%", "higher", peer, theirs_stay))
    return rows


def other_robot_rows(robot_name: str) -> list[Row]:
    """Golf on a robot that nothing was set up for."""

    def found() -> list[Row]:
        ours = solved(person("golf"), robot_name)
        score = ours.score()
        keys = ("zmp_out_percent", "torque_share", "keypoint_mm")
        rows = [Row(f"golf.{robot_name}.{key}", getattr(score, key), *FIGURES[key]) for key in keys]
        used = ours.solution.usage.peak("torque")
        return [*rows, Row(f"golf.{robot_name}.used_torque_share", used, *FIGURES["torque_share"])]

    return _guarded(f"golf.{robot_name}.*", robot_name, found)


def small_play_rows(name: str, *, quick: bool) -> list[Row]:
    """A capture on the small humanoid, played."""

    def found() -> list[Row]:
        ours = solved(person(name), SMALL)
        anatomy, clip = ours.solution.problem.anatomy, ours.solution.clip
        up = play(anatomy, clip)
        rows = [Row(f"play.{SMALL}.{name}.upright_s", up.upright_s, "s", "higher", "the clip's end", up.duration_s)]
        if not quick:
            rows.append(Row(f"play.{SMALL}.{name}.stays_percent", stays_percent(anatomy, clip), "%", "higher"))
        return rows

    return _guarded(f"play.{SMALL}.{name}.upright_s", SMALL, found)


def _guarded(what: str, robot_name: str, found: Callable[[], list[Row]]) -> list[Row]:
    """The rows, or a word on why there are none."""
    reason = missing()
    if not reason and robot(robot_name) is None:
        reason = "the robot is not on this machine (package example-robot-data)"
    if left_out(what, reason):
        return []
    try:
        return found()
    except AnimatoError as error:
        left_out(what, str(error))
        return []


def _ending(peer: str) -> str:
    return "" if peer == next(iter(PEERS)) else f".{peer.lower()}"
