"""What Ribeiro and Paiva (2019) publish: their Tables 8 and 9.

Table 8 has times on a cluster, corrected to a laptop of 2017. Table 9 has errors on skeleton C, the posture error with
its weight of 0.2; of DLS, both leave out samples by the rule of section 4.0.4.
"""

from __future__ import annotations

from typing import NamedTuple


class Figures(NamedTuple):
    """Least, largest, mean and standard deviation."""

    least: float
    most: float
    mean: float
    deviation: float


class Published(NamedTuple):
    """A line of Table 8: joints, postures and samples; iterations; and time of a sample [ms]."""

    joints: int
    postures: int
    samples: int
    iterations: Figures
    ms: Figures


TABLE_8 = {
    "A": Published(3, 33, 251_097, Figures(1, 7, 4.14, 2.17), Figures(6, 126, 45, 28)),
    "B": Published(4, 377, 2_868_593, Figures(1, 10, 3.42, 2.19), Figures(8, 189, 45, 30)),
    "C": Published(5, 3_789, 28_830_501, Figures(1, 12, 2.31, 2.08), Figures(6, 1165, 37, 36)),
    "C-dls100": Published(5, 3_789, 20_561_499, Figures(1, 100, 63, 43.6), Figures(1.60, 2112, 167, 121)),
    "C-dls200": Published(5, 3_789, 20_561_499, Figures(1, 200, 120, 92.8), Figures(1.57, 3822, 298, 240)),
    "C-dls_stopping": Published(5, 3_789, 20_561_499, Figures(1, 400, 234, 191.6), Figures(1.55, 7520, 678, 570)),
    "D": Published(5, 3_789, 28_830_501, Figures(1, 13, 2.02, 1.67), Figures(10, 458, 36, 30)),
    "E": Published(5, 3_789, 28_830_501, Figures(1, 12, 1.93, 1.78), Figures(6, 225, 28, 27)),
    "F": Published(6, 8_305, 63_192_745, Figures(1, 13, 1.61, 1.46), Figures(13, 368, 35, 35)),
    "G": Published(8, 19_657, 149_570_113, Figures(1, 11, 1.35, 1.02), Figures(22, 759, 74, 63)),
}
"""By skeleton, of ERIK; and of DLS with at most 100, 200 and 400 iterations on skeleton C."""

POSTURES = {letter: TABLE_8[letter].postures for letter in "ABCDEFG"}
"""Postures of each skeleton."""

TARGETS = 7609
"""Section 4.0.3: target orientations of each posture."""

TABLE_9 = {
    "erik": (0.026614, 0.021258, 0.005819, 0.009977, 0.020795, 0.021520),
    "dls100": (0.087067, 0.086930, 0.052744, 0.085997, 0.034323, 0.020593),
    "dls200": (0.086973, 0.086897, 0.052652, 0.085980, 0.034321, 0.020591),
    "dls_stopping": (0.086831, 0.086581, 0.052523, 0.085669, 0.034308, 0.020579),
}
"""Mean and deviation of combined, orientation and weighted posture error on skeleton C."""
