"""What the published method is given, and what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError, OptionError
from animato.mimic.mesh import Link
from animato.mimic.published.fitting import DAMPING
from animato.mimic.published.marker_set import MarkerSet
from animato.mimic.published.proportions import links_of, scale_of


@dataclass(frozen=True, kw_only=True)
class PublishedOptions:
    """What the published method leaves open.

    Attributes:
        alpha: Weight of the acceleration energy; 0 in the paper's validation.
        square_m: Side of the square about the middle of the feet that holds the ZMP; 0.15 m in the paper.
        balance: Keep the ZMP in it.
        joint_limits: Keep joints within their ranges, by a barrier in the fit of the configuration.
        velocity_limits: Keep joint velocities within their limits.
        torques: Assumed limits of joints above the waist [N m]; none where empty.
        damping: Of the configuration's fit to markers [m^2/rad^2].
        price: Of crossing a limit by one, in the first step's mean Laplacian energies of a frame; raised where an
            answer crosses one, so that nothing is crossed that need not be.
        iterations: At most, at each price.
        tolerance: Of the objective, relative.
    """

    alpha: float = 0.0
    square_m: float = 0.15
    balance: bool = True
    joint_limits: bool = True
    velocity_limits: bool = False
    torques: Mapping[str, float] | None = None
    damping: float = DAMPING
    price: float = 20.0
    iterations: int = 200
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        for name in ("square_m", "damping", "price", "tolerance"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise OptionError(f"`{name}` must be greater than 0, not {getattr(self, name)!r}.")
        if not (np.isfinite(self.alpha) and self.alpha >= 0.0):
            raise OptionError(f"`alpha` must be a number of at least 0, not {self.alpha!r}.")


@dataclass(frozen=True, eq=False)
class PublishedProblem:
    """All that both steps need.

    Attributes:
        markers: On the robot.
        times: Evenly apart [s], [frame].
        source: Captured markers times the scale [m], [frame, marker, 3].
        links: With the robot's lengths.
        held: Places of markers that are held [m], NaN where free, [frame, marker, 3].
        shares: Of the feet in the middle that the ZMP keeps to, [frame, 2].
        rest: Coordinates that the fit is damped towards, [coordinate].
        scale: Of the person.
        options: What was left open.
        notes: What was filled, left out or assumed.
    """

    markers: MarkerSet
    times: np.ndarray
    source: np.ndarray
    links: tuple[Link, ...]
    held: np.ndarray
    shares: np.ndarray
    rest: np.ndarray
    scale: float
    options: PublishedOptions
    notes: tuple[str, ...] = ()


def build_published(
    markers: MarkerSet,
    times: np.ndarray,
    captured: np.ndarray,
    options: PublishedOptions | None = None,
    *,
    scale: float | None = None,
    shares: np.ndarray | None = None,
    rest: np.ndarray | None = None,
    notes: tuple[str, ...] = (),
) -> PublishedProblem:
    """Prepares; markers of feet can be held afterwards by `replace(problem, held=...)`.

    Args:
        markers: On the robot.
        times: Evenly apart [s], [frame], at least three.
        captured: The person's markers, in the robot's order [m], [frame, marker, 3].
        options: What the method leaves open.
        scale: Of the person; fitted to the links where not given.
        shares: Of the right and the left foot, [frame, 2]; a half each where not given, as in the paper.
        rest: Coordinates, [coordinate]; neutral where not given.
        notes: To be passed on.

    Raises:
        MotionError: Shapes do not fit, or times are not even.
    """
    expected = (len(times), len(markers.places), 3)
    if captured.shape != expected or len(times) < 3:
        raise MotionError(
            f"Markers must have the shape {list(expected)} with 3 frames or more; given {list(captured.shape)}."
        )
    gaps = np.diff(times)
    if gaps.min() <= 0.0 or np.ptp(gaps) > 1e-6 * gaps.mean():
        raise MotionError("Frames must be evenly apart in time: resample the capture first.")
    links = links_of(markers)
    found = scale_of(captured, links) if scale is None else float(scale)
    return PublishedProblem(
        markers,
        np.asarray(times, dtype=np.float64),
        found * captured,
        links,
        np.full(captured.shape, np.nan),
        np.full((len(times), 2), 0.5) if shares is None else shares,
        markers.tree.neutral if rest is None else rest,
        found,
        options or PublishedOptions(),
        notes,
    )
