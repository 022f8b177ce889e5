"""Key poses: what people set by hand, and the motion that goes through it."""

from animato.studio.keys.completing import completed
from animato.studio.keys.ease import Ease
from animato.studio.keys.extracting import extracted
from animato.studio.keys.key import Key
from animato.studio.keys.key_tool import KeyTool
from animato.studio.keys.keyed import BLANK_RATE_HZ, Keyed
from animato.studio.keys.mirroring import mirrored
from animato.studio.keys.motion import keyed_motion

__all__ = [
    "BLANK_RATE_HZ",
    "Ease",
    "Key",
    "KeyTool",
    "Keyed",
    "completed",
    "extracted",
    "keyed_motion",
    "mirrored",
]
