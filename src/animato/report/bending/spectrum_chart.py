"""Which frequencies are in what is off, with those of the modes marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.findings import rounded
from animato.report.bending.curves import LEFT, PLOT, WIDTH, Curve, chart_style, thinned
from animato.report.kit import Axes, Markup, chart_file, element, key

_HEIGHT, _TOP = 230, 64
_DECADES = 5


def draw_spectra(step_s: float, curves: Sequence[Curve], modes_hz: Sequence[float], *, highest_hz: float) -> Markup:
    """Amplitude spectra, on a logarithmic scale.

    Args:
        step_s: Between moments [s].
        curves: Differences of places from their targets [m], [time, column]; squares of columns are summed.
        modes_hz: Frequencies to mark.
        highest_hz: Right end of the chart.
    """
    spectra = [amplitude_spectrum(one.values, step_s) for one in curves]
    largest = max(float(level[frequency <= highest_hz].max()) for frequency, level in spectra)
    top = float(np.ceil(np.log10(max(1000.0 * largest, 1e-9)) + 0.1))
    axes = Axes(LEFT, _TOP, PLOT, _HEIGHT, (0.0, highest_hz), (top - _DECADES, top))
    lines = []
    for one, (frequency, level) in zip(curves, spectra, strict=True):
        seen = frequency <= highest_hz
        decades = np.log10(np.maximum(1000.0 * level[seen], 1e-12))
        lines.append(thinned(axes, frequency[seen], decades, one.kind))
    marks = [_mode(axes, row, *one) for row, one in enumerate(_together(modes_hz)) if one[1] <= highest_hz]
    content = element(
        "g",
        key([(one.name, one.kind) for one in curves], LEFT, 20),
        axes.frame(title="", across_unit=" Hz", up_ticks=0),
        *_decade_lines(axes, top),
        *marks,
        axes.inside(*lines),
    )
    return chart_file(content, chart_style(), "Spectrum of what is off, before and after", WIDTH, _TOP + _HEIGHT + 32)


def amplitude_spectrum(values: np.ndarray, step_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz] and amplitudes in the unit of the values, of all columns together, with a Hann window."""
    count = len(values)
    window = np.hanning(count)
    flat = (values - values.mean(axis=0)).reshape(count, -1)
    waves = np.fft.rfft(flat * window[:, None], axis=0) * 2.0 / window.sum()
    return np.fft.rfftfreq(count, step_s), np.sqrt(np.sum(np.abs(waves) ** 2, axis=1))


def _decade_lines(axes: Axes, top: float) -> list[Markup]:
    parts = []
    for power in range(int(top) - _DECADES, int(top) + 1):
        y = float(axes.y(power))
        words = f"{10.0**power:g} mm"
        parts.append(element("path", class_="grid", d=f"M{axes.left:.1f},{y:.1f}h{axes.width:.1f}"))
        parts.append(element("text", words, x=f"{axes.left - 7:.1f}", y=f"{y + 4:.1f}", text_anchor="end"))
    return parts


def _together(modes_hz: Sequence[float]) -> list[tuple[str, float]]:
    """Numbers and frequency of modes; those that are as good as equal as one."""
    found: list[tuple[str, float]] = []
    for number, frequency in enumerate(modes_hz):
        if found and abs(found[-1][1] - frequency) < 0.005 * frequency:
            found[-1] = (f"{found[-1][0]}, {number + 1}", found[-1][1])
        else:
            found.append((str(number + 1), frequency))
    return found


def _mode(axes: Axes, row: int, numbers: str, frequency: float) -> Markup:
    """A line at a mode; words stand in three rows, so that neighbours do not cover one another."""
    x = float(axes.x(frequency))
    return element(
        "g",
        element("path", class_="mode", d=f"M{x:.1f},{axes.top - 4:.1f}v{axes.height + 4:.1f}"),
        element(
            "text",
            f"{numbers}: {rounded(frequency)}",
            class_="small",
            x=f"{x + 3:.1f}",
            y=f"{axes.top - 28 + 11 * (row % 3):.1f}",
        ),
    )
