"""The part of the page that shows balance: the ZMP on the floor, and its way to the rim over time."""

from __future__ import annotations

import numpy as np

from animato.findings import BalanceFinding, balance_sentence, interval_words, unbroken
from animato.mechanics.contact import convex_hull
from animato.report.kit import Axes, Markup, element, path, peak_keeping, time_cursor

WIDTH, HEIGHT = 560, 260
PLOT = (64.0, 20.0, 482.0, 206.0)
"""Left, top, width and height of the plots [pixels]."""
MAX_POINTS = 900
OUTLINE_COUNT = 9


def balance_section(finding: BalanceFinding, player: str = "") -> Markup:
    """Two cards: where on the floor, and when.

    Args:
        finding: The worst moment of balance.
        player: Identifier of the player whose time the curve shares; "" where there is none.
    """
    sentence = balance_sentence(finding)
    over = "card over" if finding.is_over else "card"
    too_far = f" It is outside {interval_words(finding)}." if finding.is_over else ""
    cards = [
        element(
            "figure",
            element("h3", "On the floor"),
            _floor(finding, f"The path of the ZMP over the soles, seen from above. {sentence}"),
            element(
                "figcaption",
                "Shaded: what touches at the marked moment; outlined: at others. Metres, from above.",
            ),
            class_=over,
        ),
        element(
            "figure",
            element("h3", "Room to the rim"),
            _room(finding, f"Distance of the ZMP to the rim of what touches, over time. {sentence}", player),
            element("figcaption", unbroken(sentence + too_far)),
            class_=over,
        ),
    ]
    return element(
        "section",
        element("h2", "Balance", id="balance"),
        element(
            "p",
            "The ZMP (zero moment point) is where the floor's pushes act as one. A character whose soles only push "
            "stays on them while the ZMP is inside the hull of what touches the floor.",
            class_="lead",
        ),
        element("div", *cards, class_="cards"),
    )


def _floor(finding: BalanceFinding, title: str) -> Markup:
    balance = finding.balance
    worst = int(np.searchsorted(balance.times, finding.time))
    touching = balance.support.touching
    ever = balance.corners.positions[..., :2][touching]
    shown = np.concatenate([ever, balance.zmp[~balance.flight]])
    axes = _same_scale(shown)
    hull = convex_hull(balance.corners.positions[worst, touching[worst], :2])
    x, y = float(axes.x(balance.zmp[worst, 0])), float(axes.y(balance.zmp[worst, 1]))
    mark = element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4)
    return _chart(
        title,
        axes.frame(across_unit=" m", up_ticks=4),
        axes.inside(
            element("path", class_="band", d=path(axes.x(hull[:, 0]), axes.y(hull[:, 1])) + "Z"),
            *_outlines(axes, finding),
            *(_stretch(axes, balance.zmp[run, 0], balance.zmp[run, 1], "value") for run in _runs(~balance.flight)),
            *(_stretch(axes, balance.zmp[run, 0], balance.zmp[run, 1], "beyond") for run in _runs(balance.lost)),
        ),
        element("g", mark, class_="worst over" if finding.is_over else "worst"),
    )


def _outlines(axes: Axes, finding: BalanceFinding) -> list[Markup]:
    """Hulls of what touches at some moments of the clip."""
    balance = finding.balance
    standing = np.flatnonzero(~balance.flight)
    moments = standing[np.linspace(0, standing.size - 1, OUTLINE_COUNT).astype(int)]
    hulls = [
        convex_hull(np.round(balance.corners.positions[one, balance.support.touching[one], :2], 3))
        for one in moments.tolist()
    ]
    lines = dict.fromkeys(path(axes.x(hull[:, 0]), axes.y(hull[:, 1])) + "Z" for hull in hulls)
    return [element("path", class_="limit", d=line) for line in lines]


def _room(finding: BalanceFinding, title: str, player: str) -> Markup:
    balance = finding.balance
    kept = peak_keeping(np.nan_to_num(balance.outside), MAX_POINTS)
    times, room = balance.times[kept], -100.0 * balance.outside[kept]
    low, high = min(0.0, float(np.nanmin(room))), max(0.0, float(np.nanmax(room)))
    spare = 0.1 * (high - low) or 1.0
    axes = Axes(*PLOT, (float(times[0]), float(times[-1])), (low - spare, high + spare))
    rim = float(axes.y(0.0))
    left, top, width, _ = PLOT
    return _chart(
        title,
        axes.frame(across_unit=" s", up_unit=" cm", up_ticks=4),
        axes.inside(
            element("path", class_="band", d=f"M{left:g},{top:g}h{width:g}V{rim:.1f}h{-width:g}Z"),
            element("path", class_="limit", d=f"M{left:g},{rim:.1f}h{width:g}"),
            *(_stretch(axes, times[run], room[run], "value") for run in _runs(np.isfinite(room))),
            *(_stretch(axes, times[run], room[run], "beyond") for run in _runs(balance.lost[kept])),
        ),
        time_cursor(player, axes) if player else None,
    )


def _same_scale(points: np.ndarray) -> Axes:
    """Axes in which a metre is as long across as up, with all points in them."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, (_, _, width, height) = 0.5 * (low + high), PLOT
    scale = 1.12 * max(float((high[0] - low[0]) / width), float((high[1] - low[1]) / height), 1e-4)
    across, up = 0.5 * scale * width, 0.5 * scale * height
    return Axes(*PLOT, (middle[0] - across, middle[0] + across), (middle[1] - up, middle[1] + up))


def _chart(title: str, *parts: Markup | None) -> Markup:
    return element("svg", element("title", title), *parts, class_="curve", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")


def _stretch(axes: Axes, x: np.ndarray, y: np.ndarray, class_: str) -> Markup:
    return element("path", class_=class_, d=path(axes.x(x), axes.y(y)))


def _runs(marked: np.ndarray) -> list[np.ndarray]:
    """Indices of each stretch of marked moments; one alone is doubled, as a line needs two ends."""
    where = np.flatnonzero(marked)
    runs = np.split(where, np.flatnonzero(np.diff(where) > 1) + 1) if where.size else []
    return [run if run.size > 1 else np.repeat(run, 2) for run in runs]
