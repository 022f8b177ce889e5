"""The page of a fitted material: record and model over each other, and the numbers with their errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.formats.files import write_whole
from animato.report.bending import PLAYER
from animato.report.kit import (
    PLAYER_STYLE,
    Axes,
    Markup,
    chart_file,
    element,
    film_player,
    key,
    notes_section,
    package_text,
    player_script,
    section,
    time_cursor,
    verdict_header,
    whole_page,
)
from animato.report.material_fit.film import film_of
from animato.report.material_fit.words import fit_text, with_unit
from animato.steady.materials import MaterialFit
from animato.version import __version__

_WIDTH, _LEFT, _PLOT = 1120, 64, 1036


def fit_page(fit: MaterialFit) -> str:
    """The whole page as HTML."""
    title = f"What {fit.part.replace('_', ' ')} is made of"
    first, *rest = fit_text(fit)
    state = "fits" if fit.outcome.usable else "over"
    facts = [
        ("Young's modulus", with_unit(fit.youngs_modulus, 1e9, "GPa")),
        ("mass damping", with_unit(fit.mass_damping, 1.0, "1/s")),
        ("stiffness damping", with_unit(fit.stiffness_damping, 1e-6, "µs")),
        ("damping of the first mode", f"{100.0 * fit.damping_ratio:.3g} %"),
        ("frequency of the record", f"{fit.record.frequency_hz:.4g} Hz"),
    ]
    body = element(
        "main",
        verdict_header("fit", title, state, "fitted" if fit.outcome.usable else "not settled", [first, *rest], facts),
        section("The swing, to be played", _PLAYED, film_player(film_of(fit), PLAYER)),
        section(
            "The swing", "Displacement of the tip: what was measured, and what the model does.", draw_swing(fit, PLAYER)
        ),
        section("What is left", "The difference, drawn larger.", _difference(fit)),
        notes_section(
            [*fit.notes, f"Source of the record: {fit.record.source or 'unknown'}.", f"animato {__version__}"]
        ),
    )
    return whole_page(title, body, player_script(), styles=(PLAYER_STYLE, "charts.css", "bending_charts.css"))


_PLAYED = (
    "Orange is what was measured, in its own colours the model. The record knows the tip alone; between the part is "
    "drawn as it bends in its slowest mode. The charts below share its time."
)


def save_page(path: str | Path, fit: MaterialFit) -> Path:
    """Writes the page, whole or not at all."""
    write_whole(path, fit_page(fit))
    return Path(path)


def draw_swing(fit: MaterialFit, player: str = "") -> Markup:
    """Record and model over time.

    Args:
        fit: A fitted material.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    times, record, model = fit.record.times, 1000.0 * fit.record.values, 1000.0 * fit.simulated
    most = 1.1 * float(max(np.abs(record).max(), np.abs(model).max()))
    axes = Axes(_LEFT, 44, _PLOT, 320, (0.0, float(times[-1])), (-most, most))
    lines = [axes.line(times, record, "before"), axes.line(times, model, "after")]
    names = key([("measured", "before"), ("model", "after")], _LEFT, 20)
    frame = axes.frame(title="displacement [mm]", across_unit=" s")
    cursor = [time_cursor(player, axes)] if player else []
    return _chart(element("g", names, frame, axes.inside(*lines), *cursor), "Displacement of the tip over time", 400)


def _difference(fit: MaterialFit) -> Markup:
    times, left = fit.record.times, 1000.0 * (fit.simulated - fit.record.values)
    most = 1.15 * max(float(np.abs(left).max()), 1e-6)
    axes = Axes(_LEFT, 28, _PLOT, 150, (0.0, float(times[-1])), (-most, most))
    frame = axes.frame(title="model minus record [mm]", across_unit=" s")
    return _chart(
        element("g", frame, axes.inside(axes.line(times, left, "after")), time_cursor(PLAYER, axes)),
        "Model minus record over time",
        220,
    )


def _chart(content: Markup, title: str, height: int) -> Markup:
    return chart_file(content, package_text("charts.css") + package_text("bending_charts.css"), title, _WIDTH, height)
