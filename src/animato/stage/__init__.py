"""The stage: motion goes out to servos, to files of other programs, and into shows."""

from animato.lazy import lazily

__all__: list[str] = []

__getattr__, __dir__ = lazily(
    __name__, {}, rooms=("bridge", "emulated", "exporting", "lines", "playing", "rig", "servos", "shows")
)
