"""What has changed over time: how far points are from where the artist has them, and the tempo."""

from __future__ import annotations

import numpy as np

from animato.findings import distance
from animato.report.fix.evidence import Evidence, performing
from animato.report.fix.film_section import PLAYER
from animato.report.kit import Axes, Markup, chart_file, element, key, package_text, path, peak_keeping, time_cursor

WIDTH = 1120
_LEFT, _PLOT, _MOST_POINTS, _MOST_LINES = 64, 1036, 900, 6


def draw_deviations(evidence: Evidence, player: str = PLAYER) -> Markup:
    """How far each named point is from where the artist has it; bands where the artist's motion asks too much.

    Args:
        evidence: Of a fix.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    deviation = evidence.solution.deviation
    order = sorted(range(len(deviation.points)), key=lambda n: -float(deviation.metres[:, n].max(initial=0.0)))
    shown = order[:_MOST_LINES]
    largest = 1000.0 * float(deviation.metres.max(initial=0.0))
    axes = Axes(_LEFT, 56, _PLOT, 200, _span(evidence), (0.0, 1.12 * max(largest, 1e-2)))
    lines = []
    for n, point in enumerate(shown):
        values = 1000.0 * deviation.metres[:, point]
        chosen = peak_keeping(values, _MOST_POINTS)
        lines.append(axes.line(deviation.times[chosen], values[chosen], f"c{n}"))
    names = [(deviation.points[point].replace("_", " "), f"c{n}") for n, point in enumerate(shown)]
    parts = [
        axes.inside(*_bands(evidence, axes)),
        axes.frame(title="from where you had it [mm]", across_unit=" s"),
        axes.inside(*lines),
        key(names, _LEFT + 260, 47),
        *([_peak(evidence, axes)] if largest > 0.0 else []),
        *([time_cursor(player, axes)] if player else []),
    ]
    title = "How far named points are from where the artist has them"
    return chart_file(element("g", *parts), _style(), title, WIDTH, 300)


def draw_tempo(evidence: Evidence, player: str = PLAYER) -> Markup:
    """How fast the artist's time runs in the fixed motion; 100 % is as it was made.

    Args:
        evidence: Of a fix whose time gave way.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    solution = evidence.solution
    times = solution.clip.times
    tempo = 100.0 * np.gradient(solution.pace, times)
    chosen = peak_keeping(tempo, _MOST_POINTS)
    low, high = min(float(tempo.min()), 90.0), max(float(tempo.max()), 104.0)
    axes = Axes(_LEFT, 40, _PLOT, 130, _span(evidence), (max(0.0, low - 5.0), high + 2.0))
    whole = element("path", class_="limit", d=path(axes.x(times[[0, -1]]), axes.y(np.full(2, 100.0))))
    parts = [
        axes.inside(*_bands(evidence, axes)),
        axes.frame(title="tempo [% of yours]", across_unit=" s"),
        axes.inside(whole, axes.line(times[chosen], tempo[chosen], "c1")),
        *([time_cursor(player, axes)] if player else []),
    ]
    return chart_file(element("g", *parts), _style(), "How fast the artist's time runs", WIDTH, 210)


def time_gave_way(evidence: Evidence) -> bool:
    """Whether the fixed motion has another tempo, soft ends apart."""
    solution, part = evidence.solution, performing(evidence.solution)
    return not np.allclose(np.diff(solution.pace[part]), np.diff(solution.clip.times[part]), atol=1e-6)


def _span(evidence: Evidence) -> tuple[float, float]:
    times = evidence.solution.clip.times
    return float(times[0]), float(times[-1])


def _bands(evidence: Evidence, axes: Axes) -> list[Markup]:
    """Where the artist's motion asks too much."""
    found = []
    for start, end in {span for one in evidence.before.findings for span in one.intervals}:
        left, right = (float(axes.x(evidence.robot_time(time))) for time in (start, end))
        size = {"x": f"{left:.1f}", "width": f"{max(right - left, 1.0):.1f}"}
        found.append(element("rect", class_="band", y=f"{axes.top:.1f}", height=f"{axes.height:.1f}", **size))
    return found


def _peak(evidence: Evidence, axes: Axes) -> Markup:
    """The largest change, with its number."""
    far, name, when = evidence.solution.deviation.largest
    x, y = float(axes.x(when)), float(axes.y(1000.0 * far))
    left = x > axes.left + 0.8 * axes.width
    words = f"{name.replace('_', ' ')}, {distance(far, angular=False)}"
    return element(
        "text", words, class_="title", x=f"{x + (-8 if left else 8):.1f}", y=f"{y - 4:.1f}",
        text_anchor="end" if left else "start",
    )  # fmt: skip


def _style() -> str:
    return str(package_text("charts.css"))
