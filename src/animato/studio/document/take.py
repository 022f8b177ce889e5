"""One take: what was made, the motion that it is, and what the robot does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from animato.motion import Clip
from animato.studio.document.source import Source


@dataclass(frozen=True, eq=False)
class Take:
    """A motion with where it comes from.

    Attributes:
        name: What people call it; names its files too.
        source: What was made: keys, a drawing, a capture.
        motion: What the source says, the artist's motion; None until it is solved.
        performed: What a verb made out of it so that the robot can; None where none has.
        verb: Which verb did: fix or steady; "" where none has.
        remark: What there is to say about it, in a sentence: why a solve failed, what it kept.
    """

    name: str
    source: Source
    motion: Clip | None = None
    performed: Clip | None = None
    verb: str = ""
    remark: str = ""

    @property
    def clip(self) -> Clip | None:
        """What is played and exported: what the robot can do where that is known."""
        return self.performed if self.performed is not None else self.motion

    def made_anew(self, source: Source, motion: Clip | None, remark: str = "") -> Take:
        """With another source and its motion; what a verb made of the one before does not fit any more."""
        return replace(self, source=source, motion=motion, performed=None, verb="", remark=remark)

    def performed_by(self, verb: str, clip: Clip | None, remark: str = "") -> Take:
        """With what a verb made of its motion."""
        return replace(self, performed=clip, verb=verb if clip is not None else "", remark=remark)

    def for_page(self) -> dict[str, Any]:
        """At a glance."""
        clip = self.clip
        return {
            "name": self.name,
            "kind": self.source.kind,
            "duration": 0.0 if clip is None else clip.duration,
            "solved": self.motion is not None,
            "verb": self.verb,
            "remark": self.remark,
        }
