"""ERIK's hyper-parameters under the names of the paper's Table 2 and appendix."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from animato.errors import OptionError, unknown_name
from animato.express.facing import ErrorWeights
from animato.express.options import Minimized, Options
from animato.mechanics.tree import Chain


class ErikHyperParameters(NamedTuple):
    """What stays the same from one solution to the next; kernels take it as it is.

    The paper publishes the two weights, the threshold and the extensions. The rest is ours: one degree of
    disturbance and two patient iterations give its iteration counts (docs/express-erik.md).

    Attributes:
        orientation_error_weight: Of the orientation error in the combined one (eq. 19).
        posture_error_weight: Of the posture error (eq. 19).
        error_aggravation: How much more a bend costs than the one before it (eq. 21).
        threshold_epsilon: Combined error at which a solution is accepted.
        max_erik_iterations: Rounds of forward and backward phase.
        max_ccd_iterations: Rounds of each CCD and BWCD.
        ccd_precision: Error (1 - cos angle) / 2 of the facing direction at which CCD and BWCD stop.
        precision: Change of an error that counts as none: in CCD, and when non-convergence is detected.
        nonconv_patience: Iterations without a lower error that count as non-convergence.
        disturbance_theta: Offset of the tricks and distance from joint edges [rad].
        lalut_step: Angle between rows of the latitude tables [rad].
        symmetric_endpoint: Extension: the end-point is as good upside down.
        avoid_joint_edges: Extension: joints keep off the ends of their limits.
        nonconv_offset_trick: Extension: a target that does not converge is first offset a little.
        nonconv_ccd_trick: Extension: then CCD is tried, from the candidate and from the empty solution.
        posture_twists_target: Alg. 2 line 5: the posture's twist of the end-point is added to the target.
            Errors are still measured from the target as given, so this makes them larger.
        shape_error: The error function: whether it has the signed shape error in the place of the posture error.
    """

    orientation_error_weight: float = Options.orientation_weight
    posture_error_weight: float = Options.posture_weight
    error_aggravation: float = Options.aggravation
    threshold_epsilon: float = Options.erik_threshold
    max_erik_iterations: int = Options.erik_iterations
    max_ccd_iterations: int = Options.erik_descent_iterations
    ccd_precision: float = Options.erik_descent_precision
    precision: float = Options.erik_precision
    nonconv_patience: int = Options.erik_patience
    disturbance_theta: float = Options.erik_disturbance_rad
    lalut_step: float = Options.erik_table_step_rad
    symmetric_endpoint: bool = True
    avoid_joint_edges: bool = Options.erik_avoid_edges
    nonconv_offset_trick: bool = Options.erik_offset_trick
    nonconv_ccd_trick: bool = Options.erik_ccd_trick
    posture_twists_target: bool = Options.erik_twist_target
    shape_error: bool = False


_RANGES: dict[str, tuple[float, float, str]] = {
    "orientation_error_weight": (0.0, math.inf, "0 or more"),
    "posture_error_weight": (0.0, math.inf, "0 or more"),
    "error_aggravation": (1e-6, 1e6, "greater than 0"),
    "threshold_epsilon": (0.0, math.inf, "0 or more"),
    "max_erik_iterations": (1, 10_000, "1 to 10000"),
    "max_ccd_iterations": (1, 10_000, "1 to 10000"),
    "ccd_precision": (0.0, 1.0, "0 to 1"),
    "precision": (0.0, 1.0, "0 to 1"),
    "nonconv_patience": (1, 10_000, "1 to 10000"),
    "disturbance_theta": (0.0, math.pi / 2.0, "0 to pi / 2 rad"),
    "lalut_step": (1e-4, math.pi / 4.0, "0.0001 to pi / 4 rad"),
}


def hyper_parameters_of(options: Options, weights: ErrorWeights, minimized: Minimized) -> ErikHyperParameters:
    """Hyper-parameters from options of express.

    Args:
        options: Checked by themselves.
        weights: Of the errors; symmetric as the end-point or the options say.
        minimized: Which error stands beside the orientation.
    """
    return ErikHyperParameters(
        orientation_error_weight=weights.orientation,
        posture_error_weight=weights.posture,
        error_aggravation=weights.aggravation,
        threshold_epsilon=float(options.erik_threshold),
        max_erik_iterations=int(options.erik_iterations),
        max_ccd_iterations=int(options.erik_descent_iterations),
        ccd_precision=float(options.erik_descent_precision),
        precision=float(options.erik_precision),
        nonconv_patience=int(options.erik_patience),
        disturbance_theta=float(options.erik_disturbance_rad),
        lalut_step=float(options.erik_table_step_rad),
        symmetric_endpoint=weights.symmetric,
        avoid_joint_edges=options.erik_avoid_edges,
        nonconv_offset_trick=options.erik_offset_trick,
        nonconv_ccd_trick=options.erik_ccd_trick,
        posture_twists_target=options.erik_twist_target,
        shape_error=minimized == "shape",
    )


def checked_hyper_parameters(chain: Chain, given: Mapping[str, object]) -> ErikHyperParameters:
    """Hyper-parameters from options; what is not given has its default, and symmetry is the end-point's own.

    Raises:
        UnknownNameError: A name that is not one of them.
        OptionError: A value that is not of its kind or out of its range.
    """
    defaults = ErikHyperParameters(symmetric_endpoint=chain.end_point.symmetric)
    values: dict[str, object] = dict(defaults._asdict())
    for name, value in given.items():
        if name not in values:
            raise unknown_name("hyper-parameter", name, values, "erik")
        values[name] = _checked(name, value, type(values[name]))
    return ErikHyperParameters(**values)  # type: ignore[arg-type]  # each is of its default's type


def _checked(name: str, value: object, kind: type) -> bool | int | float:
    """The value as bool, int or float, or an error."""
    if kind is bool:
        if not isinstance(value, bool):
            raise OptionError(f"The hyper-parameter '{name}' is switched by true or false, given {value!r}.")
        return value
    least, most, allowed = _RANGES[name]
    whole = "a whole number" if kind is int else "a number"
    try:
        number = float(value)  # type: ignore[arg-type]  # what cannot be a number raises
    except (TypeError, ValueError):
        number = math.nan
    if (
        isinstance(value, bool)
        or not (math.isfinite(number) and least <= number <= most)
        or (kind is int and number != int(number))
    ):
        raise OptionError(f"The hyper-parameter '{name}' must be {whole}, {allowed}, given {value!r}.")
    return int(number) if kind is int else number
