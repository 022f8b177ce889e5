from __future__ import annotations

import numpy as np

from animato.character import Limits
from animato.report.bending import Course, Curve, draw_deviations, draw_motors, draw_spectra, length, telling_moments
from animato.report.bending.spectrum_chart import amplitude_spectrum
from tests.html_pages import assert_whole


def test_a_spectrum_shows_amplitude_and_frequency() -> None:
    times = np.arange(0.0, 10.0, 0.01)
    wave = np.stack([0.003 * np.sin(2 * np.pi * 2.5 * times), 0.004 * np.cos(2 * np.pi * 2.5 * times)], axis=1)
    frequency, level = amplitude_spectrum(wave, 0.01)
    assert abs(frequency[np.argmax(level)] - 2.5) < 1e-9
    assert abs(level.max() - 0.005) < 2e-5


def test_telling_moments_are_peaks_that_are_apart() -> None:
    times = np.linspace(0.0, 10.0, 1001)
    off = np.exp(-(((times - 3.0) / 0.3) ** 2)) + 0.8 * np.exp(-(((times - 7.0) / 0.3) ** 2))
    assert np.allclose(telling_moments(times, off, 2), [3.0, 7.0], atol=0.02)
    assert len(telling_moments(times, off, 50)) < 50


def test_charts_are_whole_and_name_what_they_show() -> None:
    times = np.linspace(0.0, 2.0, 201)
    off = 0.05 * np.abs(np.sin(6.0 * times))[:, None] * [1.0, 0.5]
    chart = draw_deviations(times, ["head", "left_hand"], [Curve("before", "before", off)], player="film")
    assert_whole(chart)
    assert "left hand, off its target [cm]" in chart and chart.count('data-cursor="film"') == 2
    assert "time-cursor" not in draw_deviations(times, ["head", "left_hand"], [Curve("before", "before", off)])
    spectra = draw_spectra(0.01, [Curve("before", "before", off)], [1.5, 1.501, 4.0, 99.0], highest_hz=10.0)
    assert "1, 2: 1.5" in spectra and "3: 4" in spectra and "4: 99" not in spectra
    wave = np.sin(times)[:, None]
    course = Course("after", "steadied", wave, wave, 200.0 * wave, 0.5 * wave)
    limits = Limits(lower=-2.0, upper=2.0, velocity=4.0, acceleration=100.0, torque=1.0)
    motors = draw_motors(times, ["hip_pitch"], [limits], [True], [course], player="film")
    assert_whole(motors)
    assert motors.count('data-cursor="film"') == 4  # position, speed, acceleration and torque have a time each
    assert "hip pitch" in motors and "200 % of its limit" in motors and "50 % of its limit" in motors


def test_lengths_come_in_the_unit_that_suits_them() -> None:
    words = [length(one) for one in (0.2251, 0.0741, 0.0047, 0.00083, 4e-7, float("inf"))]
    assert words == ["22.5 cm", "7.4 cm", "4.7 mm", "0.83 mm", "less than 0.1 mm", "out of all bounds"]
