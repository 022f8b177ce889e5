"""What can be wanted of `mimic`."""

from animato.mimic.options.options import Options

__all__ = [
    "Options",
]
