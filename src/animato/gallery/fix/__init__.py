"""The demo of fix."""

from animato.gallery.fix.cheer import pico_cheer
from animato.gallery.fix.demo import make_fix_demo

__all__ = ["make_fix_demo", "pico_cheer"]
