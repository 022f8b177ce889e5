"""Options refuse what cannot be meant, by name."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from animato.design.options import DesignWeights, Options
from animato.errors import OptionError


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"optimize": "everything"}, "`optimize` must be one of design, control, both, not 'everything'"),
        ({"optimize": "contol"}, "Did you mean 'control'"),
        ({"hessian": "newton"}, "`hessian` must be one of gauss-newton, exact"),
        ({"method": None}, "`method` must be one of arrow, riccati, ldlt, not None"),
        ({"initial": "random"}, "`initial` must be one of frames, sequential"),
        ({"tolerance": 1.0}, "`tolerance` must be between 0 and 1"),
        ({"limit_margin": 0.5}, "`limit_margin` must be between 0 and 0.5"),
        ({"limit_margin": "0.1"}, "`limit_margin`"),
        ({"iterations": -1}, "`iterations` must be a whole number of at least 0"),
        ({"iterations": 2.5}, "`iterations`"),
        ({"singular_floor": float("nan")}, "`singular_floor`"),
        ({"clearance_m": -0.1}, "`clearance_m` must be a number of at least 0"),
        ({"clearance_pairs": (("left", "right", "top"),)}, "`clearance_pairs`"),
        ({"control_factors": (1.0, 0.0)}, "`control_factors` must be numbers above 0"),
        ({"weights": 2.0}, "`weights` must be DesignWeights"),
    ],
)
def test_what_is_not_allowed_is_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError) as error:
        Options(**wrong)
    assert words in str(error.value)


def test_weights_are_numbers_and_two_of_them_are_needed() -> None:
    with pytest.raises(OptionError, match=r"`weights\.limits` must be a number of at least 0, not -1\.0"):
        DesignWeights(limits=-1.0)
    with pytest.raises(OptionError, match=r"`weights\.control` must be a number above 0, not 0\.0"):
        DesignWeights(control=0.0)
    assert DesignWeights(shape=0.0).shape == 0.0


def test_what_is_left_open_is_both() -> None:
    assert Options().design_free and Options().controls_free
    assert not Options(optimize="control").design_free and not Options(optimize="design").controls_free


def test_options_bring_nothing_heavy() -> None:
    code = "import sys, animato.design.options; print('numpy' in sys.modules or 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
