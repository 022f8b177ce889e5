from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from animato.errors import OptionError
from animato.express import Options
from animato.express.facing.errors import ErrorWeights


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate_hz", 0.0),
        ("rate_hz", np.nan),
        ("rate_hz", "fast"),
        ("rate_hz", None),
        ("rate_hz", (50.0, 100.0)),
        ("rate_hz", True),
        ("duration_s", -1.0),
        ("target_rate_hz", np.inf),
        ("smoothness", 1.1),
        ("smoothness", (0.1, np.nan)),
        ("responsiveness", -0.1),
        ("roll_tolerance_rad", 4.0),
        ("minimize", "shapes"),
        ("orientation_weight", 0.0),
        ("posture_weight", -1.0),
        ("solve_every", 0),
        ("solve_every", 1.5),
        ("horizon_s", -1.0),
        ("end_point", 3),
        ("idle_seed", -1),
        ("method", "ccd"),
        ("dls_iterations", 0),
        ("erik_threshold", -0.1),
        ("erik_iterations", 2.5),
        ("erik_disturbance_rad", 2.0),
        ("erik_avoid_edges", 1),
    ],
)
def test_what_is_not_allowed_is_named(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"^`{name}` must be .*, not .*\\.$"):
        Options(**{name: value})


def test_numbers_for_each_joint_are_taken_from_arrays_too() -> None:
    options = Options(smoothness=np.array([0.1, 0.2]))  # type: ignore[arg-type]
    assert options.smoothness == (0.1, 0.2)
    assert hash(options) == hash(Options(smoothness=(0.1, 0.2)))


def test_every_option_has_a_line_of_help() -> None:
    told = re.findall(r"^        (\w+): .+", Options.__doc__ or "", flags=re.MULTILINE)
    assert told == [one.name for one in fields(Options)]


def test_weights_have_their_defaults_here() -> None:
    assert ErrorWeights() == (Options.orientation_weight, Options.posture_weight, Options.aggravation, True)


def test_options_bring_nothing_heavy() -> None:
    """The command line's help is made from them."""
    code = "import sys, animato.express.options; print([one for one in ('numpy', 'numba') if one in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.strip() == "[]"
