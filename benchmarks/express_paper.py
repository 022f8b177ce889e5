"""What Ribeiro and Paiva (2019) publish: figures of their Tables 8 and 9.

Table 8 has mean times on a cluster, corrected to a laptop of 2017. Table 9 has errors on skeleton C, the posture error
with its weight of 0.2; its DLS leaves out samples with excessive errors.
"""

from __future__ import annotations

POSTURES = {"A": 33, "B": 377, "C": 3789, "D": 3789, "E": 3789, "F": 8305, "G": 19657}
"""Table 8: postures of each skeleton."""

TARGETS = 7609
"""Section 4.0.3: target orientations of each posture."""

ERIK_MS = {"A": 45.0, "B": 45.0, "C": 37.0, "D": 36.0, "E": 28.0, "F": 35.0, "G": 74.0}
"""Table 8: mean time of a sample [ms]."""

DLS400_MS = 678.0
"""Table 8: the same of their DLS with 400 iterations on skeleton C [ms]."""

ERIK_C = (0.026614, 0.005819, 0.020795)
DLS_C = (0.086831, 0.052523, 0.034308)
"""Table 9: mean combined, orientation and weighted posture error on skeleton C; DLS with 400 iterations."""
