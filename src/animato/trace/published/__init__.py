"""The methods as the papers print them, beside which ours are measured."""

from animato.trace.published.iterative import iterate_paths

__all__ = [
    "iterate_paths",
]
