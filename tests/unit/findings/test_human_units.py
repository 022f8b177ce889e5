from __future__ import annotations

import math

import pytest

from animato.findings.human_units import in_human_unit, in_si, percent, rounded, seconds, unbroken


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (11.52, "11.5"),
        (8.06, "8.06"),
        (8.1, "8.1"),
        (3.0, "3"),
        (658.9, "659"),
        (6876.4, "6880"),
        (999.6, "1000"),
        (9.996, "10"),
        (0.04567, "0.0457"),
        (-0.5, "-0.5"),
        (0.0, "0"),
        (1.5e-6, "1.5e-06"),
        (100.0, "100"),
        (143000.0, "143000"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
        (math.nan, "?"),
    ],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert rounded(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.43, "143 %"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (1.004, "100.4 %"),
        (0.996, "99.6 %"),
        (1.0004, "100.04 %"),
        (9.99, "999 %"),
        (29.9, "> 999 %"),
        (math.inf, "> 999 %"),
        (math.nan, "-"),
    ],
)
def test_percent_shows_the_side_of_the_limit(share: float, text: str) -> None:
    assert percent(share) == text


def test_lines_do_not_end_between_number_and_unit() -> None:
    sentence = "143 % of its speed at 2.31 s (frame 115): 4.1 N m, 2 degrees, 3 sisters"
    assert unbroken(sentence).replace("\N{NO-BREAK SPACE}", "_") == (
        "143_% of its speed at 2.31_s (frame_115): 4.1_N_m, 2_degrees, 3 sisters"
    )


def test_units_of_people() -> None:
    assert in_human_unit(math.pi, "position", angular=True) == "180 deg"
    assert in_human_unit(0.012, "position", angular=False) == "12 mm"
    assert in_human_unit(4.1, "torque", angular=True) == "4.1 N m"
    assert in_human_unit(4.1, "torque", angular=False) == "4.1 N"
    assert in_si(80.0, "acceleration", angular=True) == "80 rad/s²"
    assert in_si(0.4, "velocity", angular=False) == "0.4 m/s"
    assert seconds(2.3149) == "2.31 s"
