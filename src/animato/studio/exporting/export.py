"""One thing that can be taken along: what it is for, and what it does not hold."""

from __future__ import annotations

import importlib.util
from dataclasses import asdict, dataclass
from typing import Any

MOTION, DRAWING, CHARACTER, FLOATING, PROJECT = "motion", "drawing", "character", "floating", "project"
CAPTURE, BENDING, MOVING, DESIGN = "capture", "bending", "moving", "design"
"""What must be there: a capture, parts that bend, parts that bend or loops, targets of a design."""


@dataclass(frozen=True)
class Export:
    """One thing that can be taken along.

    Attributes:
        name: In messages.
        group: Under which people find it.
        label: What it is called.
        words: What it is for, in a sentence.
        lacks: What it does not hold, in a sentence; "" where nothing is missing.
        ending: Of the file, after the name of the take or the character.
        needs: What must be there, one of the words above.
        slow: Whether it takes more than a moment.
    """

    name: str
    group: str
    label: str
    words: str
    lacks: str
    ending: str
    needs: str
    slow: bool = False

    @property
    def why(self) -> str:
        """Why nobody can have it here: something is not installed; "" where one can."""
        if self.ending.endswith(".mp4") and importlib.util.find_spec("imageio_ffmpeg") is None:
            return "Films of this kind need one more package: pip install 'animato[video]'."
        for ending, package, extra in ((".ros2.zip", "rosbags", "ros"), (".lerobot.zip", "pyarrow", "lerobot")):
            if self.ending == ending and importlib.util.find_spec(package) is None:
                return f"Such files need one more package: pip install 'animato[{extra}]'."
        return ""

    def for_page(self) -> dict[str, Any]:
        """Plain values, and why it cannot be had where something is not installed."""
        return {**asdict(self), "why": self.why}
