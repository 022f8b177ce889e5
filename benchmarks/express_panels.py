"""Panels of lines and dots as SVG: what the figures of the evaluation need, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WIDTH, HEIGHT = 300, 220
LEFT, TOP, RIGHT, BOTTOM = 38, 24, 8, 24


class Panel:
    """One chart with its own ranges.

    Args:
        x: Range of the first number of a point.
        y: Range of the second.
        title: Above it.
        axes: Whether the ranges are written beside it; without, both have the same scale.
    """

    def __init__(self, x: tuple[float, float], y: tuple[float, float], title: str, *, axes: bool = False) -> None:
        self._x, self._y, self._axes = x, y, axes
        self._parts = [f'<text x="{WIDTH / 2:.0f}" y="16" text-anchor="middle">{title}</text>']
        self._labels = 0
        if axes:
            low, base = LEFT, HEIGHT - BOTTOM
            self._parts.append(f'<path d="M{low} {TOP}V{base}H{WIDTH - RIGHT}" stroke="#999" fill="none"/>')
            for value, anchor in ((x[0], "start"), (x[1], "end")):
                at = self._place(np.array([[value, y[0]]]))[0]
                self._parts.append(f'<text x="{at[0]:.0f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{value:g}</text>')
            self._parts.append(f'<text x="{low - 4}" y="{TOP + 10}" text-anchor="end">{y[1]:.2g}</text>')

    def _place(self, points: np.ndarray) -> np.ndarray:
        """Points in the panel [px], [m, 2]."""
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        scale = np.array([wide / (self._x[1] - self._x[0]), high / (self._y[1] - self._y[0])])
        offset = np.zeros(2)
        if not self._axes:
            offset = np.array([0.5 * (wide - wide * scale.min() / scale[0]), 0.0])
            scale = np.full(2, scale.min())
        shifted = (np.asarray(points) - (self._x[0], self._y[0])) * scale + offset
        placed: np.ndarray = np.stack([LEFT + shifted[:, 0], HEIGHT - BOTTOM - shifted[:, 1]], axis=1)
        return placed

    def line(
        self, points: np.ndarray, colour: str, *, width: float = 1.5, opacity: float = 1.0, label: str | None = None
    ) -> None:
        """A line through points, [m, 2]; a label stands in the corner."""
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in self._place(points))
        faint = f' opacity="{opacity:g}"' if opacity < 1.0 else ""
        self._parts.append(f'<path d="M{path}" stroke="{colour}" stroke-width="{width:g}" fill="none"{faint}/>')
        if label is not None:
            y = TOP + 12 + 13 * self._labels
            self._parts.append(f'<text x="{WIDTH - RIGHT}" y="{y}" text-anchor="end" fill="{colour}">{label}</text>')
            self._labels += 1

    def dots(self, points: np.ndarray, colour: str, size: float) -> None:
        """Dots at points, [m, 2], as one path whose strokes have round ends and no length."""
        places = np.unique(np.round(self._place(points)).astype(int), axis=0)  # dots on dots are not seen
        path = "".join(f"M{x} {y}h0" for x, y in places)
        style = f'stroke="{colour}" stroke-width="{size:g}" stroke-linecap="round"'
        self._parts.append(f'<path d="{path}" {style}/>')

    def upright(self, x: float, colour: str, *, dashed: bool = False) -> None:
        """A line from top to bottom at x."""
        at = self._place(np.array([[x, self._y[0]]]))[0, 0]
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="{colour}" stroke-width=".8"{dash}/>')

    def drawn(self, column: int, row: int) -> str:
        """The panel at a place of a grid."""
        return f'<g transform="translate({column * WIDTH} {row * HEIGHT + 26})">{"".join(self._parts)}</g>'


def page(title: str, panels: Sequence[Panel], columns: int) -> str:
    """Panels in a grid, as an SVG document."""
    rows = -(-len(panels) // columns)
    wide, high = columns * WIDTH, rows * HEIGHT + 30
    body = "\n".join(panel.drawn(n % columns, n // columns) for n, panel in enumerate(panels))
    font = 'font-family="sans-serif" font-size="11"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" {font}>\n'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>\n'
        f'<text x="{wide / 2:.0f}" y="18" text-anchor="middle" font-size="14">{title}</text>\n{body}\n</svg>\n'
    )
