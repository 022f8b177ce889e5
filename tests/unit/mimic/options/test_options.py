"""What is asked of mimic, and what cannot be."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from animato.errors import OptionError
from animato.mimic.options import Options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate_hz", 0.0),
        ("rate_hz", -30.0),
        ("clip_hz", float("nan")),
        ("friction", 0),
        ("tolerance", 0.0),
        ("rounds", 0),
        ("scale", 0.0),
        ("scale", float("inf")),
        ("margin", 0.5),
        ("margin", -0.01),
        ("sole_margin_mm", -1.0),
        ("clearance_mm", "much"),
        ("start_s", -1.0),
        ("acceleration_weight", None),
    ],
)
def test_what_cannot_be_is_named(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"`{name}`"):
        Options(**{name: value})


def test_what_may_be_left_open() -> None:
    options = Options(start_s=None, end_s=None, scale=None, margin=0.0, sole_margin_mm=0)
    assert options.scale is None and options.balance and options.slow_down
    for field in fields(Options):
        assert field.name in (Options.__doc__ or ""), field.name
