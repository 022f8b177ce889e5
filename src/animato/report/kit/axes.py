"""A small chart inside a larger SVG: its frame, its ticks, and lines that stay in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.report.kit.markup import Markup, element
from animato.report.kit.scale import Scale, round_ticks, tick_text


@dataclass(frozen=True)
class Axes:
    """Where one chart stands and what its edges mean.

    Attributes:
        left, top, width, height: Of the plot, without its labels [pixels].
        across: Values at the left and the right edge.
        up: Values at the lower and the upper edge.
    """

    left: float
    top: float
    width: float
    height: float
    across: tuple[float, float]
    up: tuple[float, float]

    @property
    def x(self) -> Scale:
        """Values to pixels from the left."""
        return Scale(*self.across, self.left, self.left + self.width)

    @property
    def y(self) -> Scale:
        """Values to pixels from the top."""
        return Scale(*self.up, self.top + self.height, self.top)

    def frame(self, *, title: str = "", across_unit: str = "", up_unit: str = "", up_ticks: int = 3) -> Markup:
        """Grid lines, ticks and a title above; a unit stands behind the last number, up_ticks 0 leaves them out."""
        parts = [element("path", class_="axis", d=f"M{self.left:.1f},{self.top + self.height:.1f}h{self.width:.1f}")]
        heights = round_ticks(*self.up, up_ticks) if up_ticks else []
        for value in heights:
            y = float(self.y(value))
            label = tick_text(value, heights) + up_unit
            parts.append(element("path", class_="grid", d=f"M{self.left:.1f},{y:.1f}h{self.width:.1f}"))
            parts.append(element("text", label, x=f"{self.left - 7:.1f}", y=f"{y + 4:.1f}", text_anchor="end"))
        values = round_ticks(*self.across, max(3, int(self.width / 80)))
        for value in values:
            x = float(self.x(value))
            label = tick_text(value, values) + (across_unit if value == values[-1] else "")
            parts.append(element("path", class_="axis", d=f"M{x:.1f},{self.top + self.height:.1f}v4"))
            low = f"{self.top + self.height + 18:.1f}"
            parts.append(element("text", label, x=f"{x:.1f}", y=low, text_anchor="middle"))
        parts.append(element("text", title, class_="title", x=f"{self.left:.1f}", y=f"{self.top - 9:.1f}"))
        return element("g", *parts)

    def line(self, x: np.ndarray, y: np.ndarray, class_: str) -> Markup:
        """A curve through values."""
        return element("path", class_=f"line {class_}", d=path(self.x(x), self.y(y)))

    def inside(self, *parts: Markup) -> Markup:
        """Parts cut off at the edges of the plot, with a little room for the width of lines."""
        left, top, width, height = self.left, self.top - 2, self.width, self.height + 3
        box = f"{left:g} {top:g} {width:g} {height:g}"
        return element(
            "svg", *parts, x=f"{left:g}", y=f"{top:g}", width=f"{width:g}", height=f"{height:g}", viewBox=box
        )


def path(x: np.ndarray, y: np.ndarray) -> str:
    """A broken line through pixels."""
    return "M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def key(entries: list[tuple[str, str]], left: float, y: float) -> Markup:
    """A row of coloured strokes with their names; entries of (text, class)."""
    parts = []
    for text, class_ in entries:
        parts.append(element("path", class_=f"line key {class_}", d=f"M{left:.1f},{y - 4:.1f}h16"))
        parts.append(element("text", text, x=f"{left + 22:.1f}", y=f"{y:.1f}"))
        left += 22 + 6.6 * len(text) + 16
    return element("g", *parts)


def chart_file(content: Markup, style: str, title: str, width: int, height: int) -> Markup:
    """A chart that is a file of its own, and can stand in a page as it is."""
    return element(
        "svg",
        element("title", title),
        element("style", Markup(style)),
        element("rect", class_="paper", width=width, height=height),
        content,
        xmlns="http://www.w3.org/2000/svg",
        class_="chart",
        viewBox=f"0 0 {width} {height}",
        role="img",
    )
