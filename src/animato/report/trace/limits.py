"""The part of the page of trace that shows how much of each limit is used: joints by time."""

from __future__ import annotations

import numpy as np

from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.report.kit import Markup, usage_strip


def limit_strip(usage: LimitUsage, player: str = "") -> Markup:
    """Joints that move by time, coloured by the share of their limits; `player` is whose time it shares."""
    moving = [index for index in range(len(usage.axes)) if _moves(usage, index)]
    shown = LimitUsage(
        usage.times,
        usage.frame_times,
        tuple(usage.axes[index] for index in moving),
        {kind: usage.values[kind][:, moving] for kind in LIMIT_KINDS},
        {kind: usage.shares[kind][:, moving] for kind in LIMIT_KINDS},
        usage.notes,
    )
    return usage_strip(shown, player=player)


def _moves(usage: LimitUsage, axis: int) -> bool:
    return bool(np.ptp(usage.values["position"][:, axis]) > 1e-9)
