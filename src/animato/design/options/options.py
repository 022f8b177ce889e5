"""All options of `design`, each with its only default."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from animato.errors import OptionError, did_you_mean

Optimize = Literal["design", "control", "both"]
Method = Literal["arrow", "riccati", "ldlt"]
Hessian = Literal["gauss-newton", "exact"]
Initial = Literal["frames", "sequential"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class DesignWeights:
    """How much each term counts beside the tracking targets, at every time step.

    Attributes:
        control: Keeps controls near their reference [1/rad^2 or 1/m^2]; large values keep given profiles.
        design: Keeps design parameters near their reference, which follows the iterates at 2, 4, 8, ...
        velocity: Of squared velocities [s^2/rad^2 or s^2/m^2]; keeps controls smooth where targets leave them open.
        limits: Of the barriers of limits.
        actuators: Of the squared rows of surplus actuators: all of them agree in the least-squares sense.
        shape: Of the squared redundant rows of joints: leads a design back to the shape by which its loops close.
        floor: Of the squared shortfall below the floor of the smallest singular value.
        clearance: Of the squared shortfall below the clearance between bodies [1/m^2].
    """

    control: float = 1e-4
    design: float = 1e-3
    velocity: float = 1e-6
    limits: float = 1e-3
    actuators: float = 1e4
    shape: float = 1e4
    floor: float = 1e4
    clearance: float = 1e4

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = "above" if field.name in ("control", "design") else "of at least"  # else a design is not unique
            if not _is_number(value) or value < 0.0 or (value == 0.0 and least == "above"):
                raise OptionError(f"`weights.{field.name}` must be a number {least} 0, not {value!r}.")


@dataclass(frozen=True)
class Options:
    """What may change about a character, what must hold, and how the design is searched for.

    Attributes:
        optimize: What may change; both where not given, or what a shipped target is made for.
        method: How search directions are found; the result is the same.
        hessian: Second derivatives of targets and constraints left out, or exact.
        tolerance: Share of the objective by which it must fall in an iteration to go on.
        iterations: At most.
        initial: How the given design follows: each step for itself, or after the step before as fast as motors can;
            where not given each for itself, unless only the control may change.
        limit_margin: Share of a range, at each end, in which the barrier of a limit acts.
        singular_floor: Smallest singular value that is allowed along the motion, without a unit; 0 for none.
        clearance_m: Distance that bodies keep from one another; 0 for none.
        clearance_pairs: Which pairs of bodies; where not given all that may collide, which can be hundreds and slow.
        control_factors: On the weight of single controls, in their order; 1 each where not given.
        hold: Motors that keep exactly to the controls they are given, or to rest where they are given none.
        tolerance_m: How near a point must come to where it should be for the motion to be met; where not given, a
            twentieth of what its path spans, but 0.1 to 1 % of the character.
        tolerance_deg: How near a body must be turned to how it should be.
        weights: How much each term counts.
    """

    optimize: Optimize | None = None
    method: Method = "arrow"
    hessian: Hessian = "gauss-newton"
    tolerance: float = 4e-3
    iterations: int = 100
    initial: Initial | None = None
    limit_margin: float = 0.1
    singular_floor: float = 0.0
    clearance_m: float = 0.0
    clearance_pairs: tuple[tuple[str, str], ...] = ()
    control_factors: tuple[float, ...] = ()
    hold: tuple[str, ...] = ()
    tolerance_m: float | None = None
    tolerance_deg: float = 3.0
    weights: DesignWeights = DesignWeights()

    def __post_init__(self) -> None:
        _check_choice("optimize", self.optimize, None, *get_args(Optimize))
        _check_choice("method", self.method, *get_args(Method))
        _check_choice("hessian", self.hessian, *get_args(Hessian))
        _check_choice("initial", self.initial, None, *get_args(Initial))
        for name, low, high in (("tolerance", 0.0, 1.0), ("limit_margin", 0.0, 0.5)):
            value = getattr(self, name)
            if not (_is_number(value) and low < value < high):
                raise OptionError(f"`{name}` must be between {low:g} and {high:g}, not {value!r}.")
        for name in ("singular_floor", "clearance_m"):
            value = getattr(self, name)
            if not (_is_number(value) and value >= 0.0):
                raise OptionError(f"`{name}` must be a number of at least 0, not {value!r}; 0 asks for nothing.")
        for name in ("tolerance_m", "tolerance_deg"):
            value = getattr(self, name)
            if not (value is None and name == "tolerance_m") and not (_is_number(value) and value > 0.0):
                raise OptionError(f"`{name}` must be a number above 0, not {value!r}.")
        if isinstance(self.hold, str) or not all(isinstance(name, str) for name in self.hold):
            raise OptionError(f"`hold` must be names of motors, not {self.hold!r:.60}.")
        if not isinstance(self.iterations, int) or self.iterations < 0:
            raise OptionError(f"`iterations` must be a whole number of at least 0, not {self.iterations!r}.")
        if not all(_is_number(one) and one > 0.0 for one in self.control_factors):
            raise OptionError(f"`control_factors` must be numbers above 0, not {self.control_factors!r}.")
        if not isinstance(self.weights, DesignWeights):
            raise OptionError(f"`weights` must be DesignWeights(...), not {self.weights!r:.60}.")
        pairs = tuple(tuple(pair) for pair in self.clearance_pairs)
        if not all(len(pair) == 2 and all(isinstance(name, str) for name in pair) for pair in pairs):
            raise OptionError(f"`clearance_pairs` must be pairs of names of bodies, not {self.clearance_pairs!r:.60}.")
        object.__setattr__(self, "clearance_pairs", pairs)
        object.__setattr__(self, "control_factors", tuple(self.control_factors))
        object.__setattr__(self, "hold", tuple(self.hold))

    @property
    def design_free(self) -> bool:
        """Whether design parameters may change, where there are any."""
        return self.optimize != "control"

    @property
    def controls_free(self) -> bool:
        """Whether controls may change."""
        return self.optimize != "design"


def _check_choice(name: str, given: Any, *allowed: str | None) -> None:
    if given not in allowed:
        words = [one for one in allowed if one is not None]
        hint = did_you_mean(given, words) if isinstance(given, str) else ""
        raise OptionError(f"`{name}` must be one of {', '.join(words)}, not {given!r}.{hint}")
