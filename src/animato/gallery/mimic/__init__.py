"""The demos of mimic, and a made-up person whose captures come with animato."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.gallery.mimic.captures import CAPTURES, save_captures
    from animato.gallery.mimic.demo import MIMIC_DEMOS, make_mimic_demo

__all__ = [
    "CAPTURES",
    "MIMIC_DEMOS",
    "make_mimic_demo",
    "save_captures",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.gallery.mimic.captures": ("CAPTURES", "save_captures"),
        "animato.gallery.mimic.demo": ("MIMIC_DEMOS", "make_mimic_demo"),
    },
)
