"""Where energy is over time, and how much of it nothing explains."""

from __future__ import annotations

import numpy as np

from animato.mechanics.simulation import Simulation
from animato.report.bending import chart_style
from animato.report.kit import Axes, Markup, chart_file, element, key, peak_keeping, time_cursor

_WIDTH, _LEFT, _PLOT = 1120, 64, 1036
_MOST_POINTS = 900


def draw_energies(simulation: Simulation, player: str = "") -> Markup:
    """Energies since the start, the motors' work and losses; below them what is left over.

    Args:
        simulation: A character that followed a clip.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    energy, times = simulation.energy, simulation.times[:: simulation.run.energy_every]
    lines = {
        "kinetic": energy.kinetic - energy.kinetic[0],
        "height": energy.gravitational - energy.gravitational[0],
        "springs": energy.elastic - energy.elastic[0],
        "work of motors": energy.work,
        "lost to damping": energy.dissipated,
    }
    low, high = min(float(one.min()) for one in lines.values()), max(float(one.max()) for one in lines.values())
    room = max(0.08 * (high - low), 1e-9)
    span = (float(times[0]), float(times[-1]))
    axes = Axes(_LEFT, 56, _PLOT, 220, span, (low - room, high + room))
    drift = 1000.0 * energy.drift
    largest = 1.15 * max(float(np.abs(drift).max()), 1e-9)
    below = Axes(_LEFT, 340, _PLOT, 70, span, (-largest, largest))
    content = element(
        "g",
        key([(name, f"c{n}") for n, name in enumerate(lines)], _LEFT, 20),
        axes.frame(title="energy since the start [J]", across_unit=" s", up_ticks=4),
        axes.inside(*(_line(axes, times, one, f"c{n}") for n, one in enumerate(lines.values()))),
        below.frame(title="what nothing explains [mJ]", across_unit=" s", up_ticks=3),
        below.inside(_line(below, times, drift, "c7")),
        *((time_cursor(player, one) for one in (axes, below)) if player else ()),
    )
    return chart_file(content, chart_style(), "Energies over time", _WIDTH, 440)


def _line(axes: Axes, x: np.ndarray, y: np.ndarray, class_: str) -> Markup:
    chosen = peak_keeping(y, _MOST_POINTS)
    return axes.line(x[chosen], y[chosen], class_)
