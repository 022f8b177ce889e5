"""The command line of `express_track`: followers beside one another on some cases, as a small table."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table

from benchmarks.express_courses import COURSES, SETS
from benchmarks.express_track_cases import CHARACTERS, case
from benchmarks.express_track_followers import FOLLOWERS, Follow, follow_filtered
from benchmarks.express_track_measures import Figures, figures
from benchmarks.express_track_peers import PEERS

HEADINGS: dict[str, Callable[[Figures], str]] = {
    "error": lambda found: f"{found.error:.4f}",
    "off %": lambda found: f"{found.off_percent:.2f}",
    "fast s/min": lambda found: f"{found.fast_s_per_min:.2f}",
    "travel rad/min": lambda found: f"{found.travel:.1f}",
    "changes/min": lambda found: f"{found.changes:.1f}",
    "worst deg": lambda found: f"{found.worst_deg:.1f}",
    "possible %": lambda found: f"{found.possible_percent:.0f}",
}


def follower_of(name: str) -> Follow:
    """By its name: one of animato's, or a peer behind the motion filter."""
    return FOLLOWERS[name] if name in FOLLOWERS else lambda case: follow_filtered(case, PEERS[name][0])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.express_track", description=__doc__)
    parser.add_argument("--set", choices=SETS, default="chosen", dest="chosen")
    parser.add_argument("--chain", default="C", help=f"some of {','.join(CHARACTERS)}")
    parser.add_argument("--course", default="eight", help=f"some of {','.join(COURSES)}, or all")
    followers = ",".join((*FOLLOWERS, *PEERS))
    parser.add_argument("--follower", default="ours,rule", help=f"some of {followers}")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cases", type=int, default=3, help="how many postures")
    parser.add_argument("--free-roll", action="store_true", help="directions with any roll")
    parser.add_argument("--each", action="store_true", help="also every case by itself")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    chosen = parser.parse_args()
    written = {}
    table = Table(*(Column(name, no_wrap=True) for name in ("chain", "course", "follower")), *HEADINGS, "s")
    for chain in chosen.chain.split(","):
        for course in COURSES if chosen.course == "all" else chosen.course.split(","):
            cases = [
                case(chain, course, chosen.chosen, n, chosen.seconds, free_roll=chosen.free_roll)
                for n in range(chosen.cases)
            ]
            for name in chosen.follower.split(","):
                begin = time.perf_counter()
                moved = [follower_of(name)(one) for one in cases]
                seconds = time.perf_counter() - begin
                found = figures(cases, moved)
                written[f"{chain}.{course}.{name}"] = asdict(found)
                if chosen.json is not None:
                    chosen.json.write_text(json.dumps(written, indent=2) + "\n")
                table.add_row(chain, course, name, *(show(found) for show in HEADINGS.values()), f"{seconds:.1f}")
                for n in range(len(cases) if chosen.each else 0):
                    one = figures(cases[n : n + 1], moved[n : n + 1])
                    table.add_row("", "", f"  case {n}", *(show(one) for show in HEADINGS.values()), "", style="dim")
    Console(width=None if Console().is_terminal else 140).print(table)
