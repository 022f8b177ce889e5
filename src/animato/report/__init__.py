"""Pages and text for people."""

from animato.lazy import lazily

__getattr__, __dir__ = lazily(
    __name__,
    {},
    rooms=(
        "bending",
        "character",
        "check",
        "design",
        "express",
        "fix",
        "kit",
        "material_fit",
        "mimic",
        "playing",
        "simulate",
        "steady",
        "trace",
    ),
)
