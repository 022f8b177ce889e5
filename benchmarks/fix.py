"""fix beside what people do today: slow-down, clamp and low-pass, toppra along the path, Ruckig following the frames.

`python -m benchmarks.fix CASE` runs one case and tells of everybody; without a case it names them.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Column, Table

from animato.fix import build, solve
from benchmarks.fix_cases import CHOSEN, REPORTED, Case, cases, named
from benchmarks.fix_clips import to_and_fro
from benchmarks.fix_convex import convex_gap
from benchmarks.fix_growth import measured
from benchmarks.fix_measures import Judgement, Result, judged
from benchmarks.fix_ours import SLIDER, ours, solution
from benchmarks.fix_peer_ruckig import ruckig_follower
from benchmarks.fix_peer_toppra import toppra_in_time, toppra_on_path
from benchmarks.fix_peers import low_pass, low_pass_by_joint, slowdown
from benchmarks.mimic_cases import left_out
from benchmarks.row import Row, best_seconds

PEERS: tuple[Callable[[Case], Result], ...] = (slowdown, toppra_on_path, low_pass, toppra_in_time, ruckig_follower)
"""What people do today."""

HARDER: tuple[Callable[[Case], Result], ...] = (low_pass_by_joint,)
"""What they could do; not counted among the peers, but told of."""

CLEARLY_S, CLEARLY_MM = 1e-3, 0.01
"""Share of a duration, and deviation, by which somebody is clearly better."""


@lru_cache(maxsize=64)
def everybody(case: Case) -> tuple[tuple[Judgement, ...], tuple[Judgement, ...], tuple[Judgement, ...]]:
    """Ours by the slider, the peers and the harder ones, judged."""
    own = tuple(judged(case, ours(case, time)) for time in SLIDER)
    peers = tuple(judged(case, peer(case)) for peer in PEERS)
    return own, peers, tuple(judged(case, peer(case)) for peer in HARDER)


def rows(*, quick: bool) -> list[Row]:
    """All rows.

    Args:
        quick: Four cases, and minutes in place of an hour.
    """
    here = cases(quick=quick)
    broken = [case for case in here if case.broken]
    found = [*_pico_rows(), *_case_rows(broken), *_summary_rows(broken), _identity_row(here)]
    gap = convex_gap()
    found.append(Row("convex_gap", gap.objective, "of the objective, ours above theirs", "lower", "clarabel", 0.0))
    found.append(Row("convex_control_points", gap.control_points, "m of 1 m of range, apart", "lower", "clarabel", 0.0))
    found.append(Row("convex_seconds", gap.seconds, "s", "lower", "clarabel", gap.peer_seconds))
    return [*found, *_growth_rows(quick=quick), *_page_rows()]


def _pico_rows() -> list[Row]:
    """Ten seconds of pico at fifty frames a second: first run of the process, and the best of three more."""
    case = named("pico.hello")
    clip = to_and_fro(case.clip, 10.0)

    def run() -> object:
        return solve(build(case.character, clip))

    first = best_seconds(run, 1)
    return [
        Row("pico.seconds", best_seconds(run, 3), "s", "lower"),
        Row("pico.first_seconds", first, "s, first of the process", "lower"),
    ]


def best_in_time(judgements: tuple[Judgement, ...]) -> Judgement | None:
    """Who keeps every limit at the artist's duration with the least deviation."""
    kept = [one for one in judgements if one.keeps and one.in_time]
    return min(kept, key=lambda one: one.mean_mm) if kept else None


def _case_rows(broken: list[Case]) -> list[Row]:
    """The deviation of each case at the artist's duration; without a value of the peers where none keeps the limits."""
    found = []
    for case in broken:
        own, peers, _ = everybody(case)
        best = best_in_time(peers)
        name, value = ("", None) if best is None else (best.by, best.mean_mm)
        short = "pico" if case.name == "pico.hello" else case.name
        found.append(Row(f"{short}.deviation_mm", own[0].mean_mm, "mm", "lower", name, value))
    return found


def _summary_rows(broken: list[Case]) -> list[Row]:
    ratios, harder, tempo = list[float](), list[float](), list[float]()
    dominated, unsolved = 0, 0
    for case in broken:
        own, peers, more = everybody(case)
        if own[0].keeps_strictly:
            for peer_set, into in ((peers, ratios), (more, harder)):
                best = best_in_time(peer_set)
                if best is not None:
                    into.append(own[0].mean_mm / max(best.mean_mm, 1e-9))
        on_path = next(one for one in peers if one.by == "toppra")
        if own[-1].keeps_strictly and on_path.keeps:
            tempo.append(own[-1].duration_ratio / on_path.duration_ratio)
        unsolved += sum(not one.keeps_strictly for one in own)
        dominated += any(_beaten(one, peer) for one in own for peer in peers)
    share = max(one.worst_share for case in broken for one in everybody(case)[0])
    theirs = max(one.worst_share for case in broken for one in everybody(case)[1] if one.keeps)
    counted = f"of {len(ratios)} of {len(broken)} cases"
    return [
        Row("mean.deviation_ratio", _geometric(ratios), f"ours over best peer, {counted}", "lower"),
        Row("worst.deviation_ratio", max(ratios, default=np.nan), "ours over best peer", "lower"),
        Row("harder.deviation_ratio", _geometric(harder), "ours over low-pass by joint", "lower"),
        Row("on_path.duration_ratio", _geometric(tempo), "time alone gives way, ours over toppra", "lower"),
        Row("worst_limit_share", share, "share of a limit", "lower", "peers that keep them", theirs),
        Row("unsolved", unsolved, f"of {len(SLIDER) * len(broken)} results beyond a limit", "lower"),
        Row("dominated", dominated, f"of {len(broken)} cases", "lower"),
    ]


def _geometric(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values)))) if values else float("nan")


def _beaten(one: Judgement, peer: Judgement) -> bool:
    """Whether a peer that keeps the limits is clearly better in both, duration and deviation."""
    if not peer.keeps or not np.isfinite(one.mean_mm):
        return peer.keeps
    faster = peer.duration_ratio < one.duration_ratio * (1.0 - CLEARLY_S)
    return faster and peer.mean_mm < one.mean_mm - CLEARLY_MM


def _identity_row(here: list[Case]) -> Row:
    """By how much clips are changed that break nothing, over all frames and the whole slider."""
    worst = 0.0
    for case in here:
        if case.broken:
            continue
        for time in SLIDER:
            clip = solution(case, time).clip
            same = clip.frame_count == case.clip.frame_count
            off = np.abs(clip.positions - case.clip.positions).max() if same else np.inf
            late = np.abs(clip.times - case.clip.times).max() if same else np.inf
            worst = max(worst, float(off), float(late))
    return Row("identity_error", worst, "rad, m or s", "lower")


def _growth_rows(*, quick: bool) -> list[Row]:
    lengths = [measured(minutes) for minutes in ((0.5, 2.0) if quick else (1.0, 10.0, 60.0))]
    short, long = lengths[0], lengths[-1]
    found = [Row(f"ms_per_frame.{one.minutes:g}_min", 1e3 * one.seconds_per_frame, "ms", "lower") for one in lengths]
    ratio = long.seconds_per_frame / short.seconds_per_frame
    found.append(Row("growth", ratio, f"time a frame, {long.minutes:g} over {short.minutes:g} min", "lower"))
    found.append(Row("memory", long.memory_mb, f"MB more for {long.minutes:g} min", "lower"))
    return found


def _page_rows() -> list[Row]:
    """Weight of the page of pico's greeting, and frames a second of its player where there is a browser."""
    from benchmarks.browser import lacking, page_kb, player_fps

    with tempfile.TemporaryDirectory() as folder:
        try:
            page = solution(named("pico.hello"), 0.0).save_page(Path(folder) / "fix.html")
        except ModuleNotFoundError as missing:
            left_out("page_kb, player_fps", f"there is no page yet ({missing.name})")
            return []
        found = [Row("page_kb", page_kb(page), "kB", "lower")]
        if not left_out("player_fps", lacking() or ""):
            found.append(Row("player_fps", player_fps(page), "frames a second, no graphics card", "higher"))
    return found


def tables(rows: list[Row]) -> list[Table]:
    """Everybody on every case that was run."""
    names = {row.name.removesuffix(".deviation_mm") for row in rows if row.name.endswith(".deviation_mm")}
    names = {"pico.hello" if name == "pico" else name for name in names}
    return [table(case) for case in REPORTED if case.name in names]


def table(case: Case) -> Table:
    """Everybody on one case; who broke a limit or found nothing is told of, too."""
    titles = ("worst share", "mean mm", "worst mm", "duration", "s")
    result = Table(Column("by", no_wrap=True), *titles, "note", title=case.name)
    own, peers, harder = everybody(case)
    for one in (*own, *peers, *harder):
        kept = one.keeps_strictly if one in own else one.keeps
        mark = "" if kept else " (breaks a limit)" if np.isfinite(one.mean_mm) else " (nothing)"
        numbers = (one.worst_share, one.mean_mm, one.worst_mm, one.duration_ratio, one.seconds)
        formats = (".5f", ".2f", ".1f", ".3f", ".2f")
        texts = [format(number, how) for number, how in zip(numbers, formats, strict=True)]
        result.add_row(one.by + mark, *texts, one.note)
    return result


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("Cases: " + ", ".join(case.name for case in (*CHOSEN, *REPORTED)))
    Console(width=160).print(table(named(sys.argv[1])))
