"""The methods as the papers print them, beside which ours are measured."""

from animato.trace.published.iterative import iterate_paths
from animato.trace.published.pollard import PollardMotion, follow_exact_timing

__all__ = [
    "PollardMotion",
    "follow_exact_timing",
    "iterate_paths",
]
