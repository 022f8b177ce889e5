"""Figures 7 to 13 of Ribeiro and Paiva (2019), drawn of our own sweep, as small SVG files.

    python -m benchmarks.express_figures FOLDER --out docs/images

FOLDER is that of `benchmarks.express_sweep`; a figure whose samples are missing is left out. Figures 7 to 9 show the
postures and the targets themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from animato.batch.sweeping import stored_sweep
from animato.express.sweep.exclusion import THRESHOLD
from animato.express.sweep.samples import Sweep, build_sweep
from animato.express.sweep.statistics import ERROR_EDGES, SweepStatistics
from animato.formats.files import write_whole
from animato.spatial import quaternions
from benchmarks.express_panels import Panel, page
from benchmarks.express_samples import SKELETONS, chain_of

COLOURS = ("#c0392b", "#d68910", "#1e8449", "#2471a3", "#7d3c98", "#616a6b", "#17202a")
KINDS = {"combined": 1.0, "orientation": 1.0, "posture": 0.2}
"""Errors, with the weight that the paper's figures give them."""

EVERY_POSTURE = 23  # of Figure 8: all 3789 lines would make a file of a megabyte and look much the same


def joint_points(sweep: Sweep, positions: np.ndarray) -> np.ndarray:
    """Where the joints and the end-point of a chain are [m], [n + 1, 3]."""
    arrays = sweep.chain.arrays
    turn, place, points = arrays.base_rotation, arrays.base_position, []
    for k, angle in enumerate(positions):
        place = place + turn @ arrays.position[k]
        points.append(place)
        own = quaternions.matrix_from_quaternion(quaternions.quaternion_about(arrays.axis[k], angle))
        turn = turn @ arrays.rotation[k] @ own
    return np.array([*points, place + turn @ arrays.tip_position])


def posture_figures() -> dict[str, str]:
    """Figure 7, five postures of skeleton C, and Figure 8, its postures in three views."""
    sweep = build_sweep(chain_of("C"))
    some = [joint_points(sweep, sweep.postures[n]) for n in np.linspace(200, len(sweep.postures) - 200, 5, dtype=int)]
    every = [joint_points(sweep, one) for one in sweep.postures[::EVERY_POSTURE]]
    size = 1.05 * max(np.abs(points).max() for points in every)
    five, views = [], []
    for n, points in enumerate(some):
        panel = Panel((-size, size), (-size, size), f"posture {n + 1}")
        oblique = np.stack([points[:, 1] + 0.35 * points[:, 0], points[:, 2] + 0.2 * points[:, 0]], axis=1)
        panel.line(oblique, COLOURS[3], width=3.0)
        panel.dots(oblique, COLOURS[0], 5.0)
        five.append(panel)
    for name, (a, b) in {"from the front": (0, 2), "from the side": (1, 2), "from above": (0, 1)}.items():
        panel = Panel((-size, size), (-size, size), name)
        for points in every:
            panel.line(points[:, (a, b)], COLOURS[3], width=0.5, opacity=0.25)
        views.append(panel)
    return {"7": page("Fig. 7: five postures of skeleton C", five, 5), "8": page("Fig. 8: its postures", views, 3)}


def target_figure() -> str:
    """Figure 9: targets as directions, the roll as the distance from the middle and as the colour."""
    targets = build_sweep(chain_of("C")).targets_wxyz
    facing = quaternions.rotate(targets, chain_of("C").end_point.forward)
    roll = _rolls(targets, facing)
    points = facing * (1.0 + 0.4 * roll[:, None] / np.pi)
    panels = []
    for name, (a, b) in {"from the front": (0, 2), "from above": (0, 1)}.items():
        panel = Panel((-1.5, 1.5), (-1.5, 1.5), name)
        for colour, chosen in (
            (COLOURS[0], roll < -0.1),
            (COLOURS[2], roll > 0.1),
            (COLOURS[3], np.abs(roll) <= 0.1),
        ):
            panel.dots(points[chosen][:, (a, b)], colour, 1.6)
        panels.append(panel)
    return page("Fig. 9: targets; roll negative red, none blue, positive green", panels, 2)


def _rolls(targets: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """Turn about the facing direction from level [rad], [t]."""
    side = quaternions.rotate(targets, (1.0, 0.0, 0.0))
    level = np.cross((0.0, 0.0, 1.0), facing)
    size = np.linalg.norm(level, axis=1, keepdims=True)
    level = np.where(size > 1e-9, level / np.maximum(size, 1e-9), (1.0, 0.0, 0.0))
    turned: np.ndarray = np.arctan2(np.sum(np.cross(level, side) * facing, axis=1), np.sum(level * side, axis=1))
    return turned


def normal_panel(kind: str, found: Sequence[tuple[str, SweepStatistics]], widest: float) -> Panel:
    """Normal distributions with the mean and the deviation of each, and the threshold."""
    x = np.linspace(0.0, widest, 160)
    weight = KINDS[kind]
    curves = []
    for _, one in found:
        mean, deviation = weight * one[kind].mean, max(weight * one[kind].deviation, 1e-3)
        curves.append(np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2.0 * np.pi)))
    panel = Panel((0.0, widest), (0.0, 1.05 * float(np.max(curves))), kind, axes=True)
    for (name, _), curve, colour in zip(found, curves, COLOURS, strict=False):
        panel.line(np.stack([x, curve], axis=1), colour, label=name)
    panel.upright(THRESHOLD, "#000", dashed=True)
    return panel


def histogram_panel(title: str, kind: str, found: Sequence[tuple[str, SweepStatistics]], widest: float) -> Panel:
    """Histograms as outlines: shares of samples by error; the threshold dashed, the largest errors solid."""
    weight = KINDS[kind]
    edges = weight * ERROR_EDGES
    bins = min(int(np.searchsorted(edges, widest)), len(edges) - 1)
    step = max(1, bins // 60)
    first = np.arange(0, bins, step)
    x = np.stack([edges[first], edges[np.minimum(first + step, bins)]], axis=1).ravel()
    shares = [[one[kind].histogram[n : n + step].sum() / one.count for n in first] for _, one in found]
    panel = Panel((0.0, widest), (0.0, 1.05 * float(np.max(shares))), title, axes=True)
    for (name, one), share, colour in zip(found, shares, COLOURS, strict=False):
        panel.line(np.stack([x, np.repeat(share, 2)], axis=1), colour, label=name)
        panel.upright(min(weight * one[kind].most, widest), colour)
    panel.upright(THRESHOLD, "#000", dashed=True)
    return panel


def statistics_figures(folder: Path) -> dict[str, str]:
    """Figures 10 to 13 of what a folder of the sweep has."""

    def of(name: str, letter: str) -> SweepStatistics:
        return stored_sweep(folder / name / letter)

    def some(letter: str, names: Iterable[str]) -> list[tuple[str, SweepStatistics]]:
        return [(name, found) for name in names if (found := of(name, letter)).count]

    out = {}
    alone = some("C", ("erik", "dls100_nopost", "animato"))
    if len(alone) == 3:
        panels = [
            histogram_panel("orientation error", "orientation", alone, 0.12),
            normal_panel("orientation", alone, 0.12),
        ]
        out["10"] = page("Fig. 10: skeleton C; DLS without a posture, excluded targets left out", panels, 2)
    for number, name in (("11", "erik"), ("11-animato", "animato")):
        found = [(letter, one) for letter in SKELETONS[1:] if (one := of(name, letter)).count]
        if found:
            panels = [normal_panel(kind, found, 0.12) for kind in KINDS]
            out[number] = page(f"Fig. 11: normal distributions of {name}, skeletons B to G", panels, 3)
    panels = []
    for letter in SKELETONS:
        found = some(letter, ("erik", "animato"))
        panels += [
            histogram_panel(f"{letter}: {kind}", kind, found, 0.7 if letter == "A" else 0.12) for kind in KINDS if found
        ]
    if panels:
        out["12"] = page("Fig. 12: share of samples by error; threshold dashed, largest error solid", panels, 3)
    compared = some("C", ("erik", "dls100", "dls200", "dls400", "animato"))
    if len(compared) == 5:
        out["13"] = page("Fig. 13: skeleton C", [normal_panel(kind, compared, 0.2) for kind in KINDS], 3)
    return out


def main() -> None:
    """Writes what can be drawn."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.express_figures", description=__doc__)
    parser.add_argument("folder", type=Path, help="of benchmarks.express_sweep")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    options = parser.parse_args()
    figures = {**posture_figures(), "9": target_figure(), **statistics_figures(options.folder)}
    for name, text in figures.items():
        path = options.out / f"express-evaluation-{name}.svg"
        write_whole(path, text)
        print(f"{path} ({len(text) // 1024} kB)")


if __name__ == "__main__":
    main()
