"""The page of a fitted material: the swing plays, and the charts share its time."""

from __future__ import annotations

from html import unescape

import numpy as np
import pytest

from animato.formats import load_character
from animato.outcome import Outcome, Status
from animato.report.material_fit import film_of, fit_page
from animato.steady.materials import FittedValue, MaterialFit, Oscillation
from tests.html_pages import assert_whole

DIRECTION = np.array([0.6, 0.8, 0.0])


@pytest.fixture(scope="module")
def fit() -> MaterialFit:
    """A rod that swings by 3 cm askew of its axes; the model is a tenth smaller."""
    rod, times = load_character("rod"), np.linspace(0.0, 1.0, 251)
    swing = 0.03 * np.cos(2.0 * np.pi * 2.0 * times)
    known = FittedValue(1.0, 0.1)
    return MaterialFit(
        character=rod,
        part="rod",
        record=Oscillation(times, swing, DIRECTION, "made up"),
        material=rod.flexible_parts[0].material,
        youngs_modulus=known,
        mass_damping=known,
        stiffness_damping=known,
        simulated=0.9 * swing,
        damping_ratio=0.01,
        outcome=Outcome(Status.SOLVED, "it settled", 5),
        notes=(),
    )


def test_tips_are_where_record_and_model_have_them(fit: MaterialFit) -> None:
    film = film_of(fit)
    model, measured = film.figures
    assert measured.ghost and not model.ghost
    for figure, values in ((model, fit.simulated), (measured, fit.record.values)):
        tips = figure.poses(fit.record.times).of("ball").position
        rest = 0.5 * (tips[0] + tips[62])  # the swing's middle, to the first order
        along = (tips - rest) @ DIRECTION
        # a mode is straight where a rod bends: 3 cm of a rod of some 60 cm
        np.testing.assert_allclose(along, values, atol=5e-4)
        assert np.abs((tips - rest) @ np.cross(DIRECTION, [0.0, 0.0, 1.0])).max() < 2e-4


def test_the_page_plays(fit: MaterialFit) -> None:
    text = fit_page(fit)
    assert_whole(text)
    assert text.count('data-cursor="film"') == 2
    assert "film-data" in unescape(fit._repr_html_())
