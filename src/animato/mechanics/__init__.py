"""What bodies do: trees, loops, contact and limits, for whole clips at once."""

from animato.lazy import lazily

__getattr__, __dir__ = lazily(
    __name__, {}, rooms=("collision", "contact", "flexible", "limits", "loops", "simulation", "tree")
)
