"""Hip centres from markers on the pelvis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

BEHIND, ASIDE, BELOW = 0.19, 0.36, 0.30
"""Of a hip centre from the middle between the front markers (ASIS), as shares of the distance between these.

Bell, Pedersen, Brand: A comparison of the accuracy of several hip center location prediction methods, Journal of
Biomechanics 23, 1990.
"""

HIP_NOTE = (
    f"Hip centres are predicted from the markers of the pelvis: {BEHIND:g} of the distance between the front ones "
    f"behind, {ASIDE:g} aside and {BELOW:g} below their middle (Bell, Pedersen, Brand 1990)."
)


def hip_centres(points: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Both hip centres, shape [frame, 3] each, or nothing where the markers do not span the pelvis.

    Args:
        points: Means of markers: "left_asis", "right_asis", and behind them "sacrum" or both of "left_psis" and
            "right_psis".
    """
    fronts = "left_asis", "right_asis"
    backs = [name for name in ("left_psis", "right_psis") if name in points]
    if len(backs) < 2:
        backs = ["sacrum"] if "sacrum" in points else []
    if not all(name in points for name in fronts) or not backs:
        return {}
    left, right = points[fronts[0]], points[fronts[1]]
    middle = 0.5 * (left + right)
    width = np.linalg.norm(left - right, axis=-1, keepdims=True)
    aside = (left - right) / np.maximum(width, 1e-9)
    forward = middle - np.mean([points[name] for name in backs], axis=0)
    forward = forward - np.sum(forward * aside, axis=-1, keepdims=True) * aside
    forward = forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)
    down = np.cross(aside, forward)
    centre = middle + width * (BELOW * down - BEHIND * forward)
    return {"left_hip": centre + ASIDE * width * aside, "right_hip": centre - ASIDE * width * aside}
