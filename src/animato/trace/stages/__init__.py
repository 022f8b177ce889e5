"""What tells of the steps of a solve."""

from animato.trace.stages.stage import Stage

__all__ = [
    "Stage",
]
