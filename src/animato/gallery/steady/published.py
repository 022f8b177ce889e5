"""What Hoshyari et al. (2019) report of their seven animations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A row of Table 1, and the peaks that the text gives.

    Attributes:
        full_dof, reduced_dof: Of the flexible parts, as a mesh and reduced.
        rigid_dof: Six a rigid body; the base does not count.
        parameters: Of all motor profiles together.
        duration_s: Of the animation.
        steps_per_s: Of the reduced simulation with steps of 0.5 ms ("FPS").
        minutes: Of the retargeting.
        peak_before_cm, peak_after_cm: Largest deviation without and with it; None where the text is silent.
    """

    full_dof: int
    reduced_dof: int
    rigid_dof: int
    parameters: int
    duration_s: float
    steps_per_s: float
    minutes: float
    peak_before_cm: float | None = None
    peak_after_cm: float | None = None

    @property
    def realtime(self) -> float:
        """Simulated seconds a second."""
        return 0.5e-3 * self.steps_per_s


TABLE_1: dict[str, Published] = {
    "rod": Published(30390, 11, 12, 150, 4.0, 275.0, 24.5),
    "two_rods": Published(46242, 19, 18, 100, 3.5, 260.0, 70.0),
    "dancer": Published(81552, 76, 42, 800, 8.5, 115.0, 160.0),
    "bartender": Published(82377, 67, 36, 1000, 8.5, 120.0, 160.0),
    "rapper": Published(97788, 82, 54, 1000, 10.0, 90.0, 340.0),
    "drummer": Published(85731, 75, 96, 2600, 10.0, 108.0, 182.0, 7.0, 1.0),
    "boxer": Published(85731, 75, 96, 3250, 9.75, 108.0, 185.0, 9.0, 1.5),
}
