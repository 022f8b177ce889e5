"""What comes out where clips were joined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from animato.character import Character
from animato.described import HasPage
from animato.findings import CheckResult, check
from animato.motion import Clip
from animato.outcome import Outcome


@dataclass(frozen=True)
class Transition:
    """Where one motion becomes the next.

    Attributes:
        first_frame: Of the joined clip: the last frame of what was before.
        last_frame: The first frame of what comes after.
        start_s, end_s: When they are [s].
        decides: The coordinate or joint for which it takes as long as it does; empty where its length was asked for.
    """

    first_frame: int
    last_frame: int
    start_s: float
    end_s: float
    decides: str = ""

    @property
    def duration_s(self) -> float:
        """[s]."""
        return self.end_s - self.start_s


@dataclass(frozen=True, eq=False, repr=False)
class Joined(HasPage):
    """Clips that have become one.

    Attributes:
        character: Who performs.
        clip: All of it, at the frame rate of the first clip.
        transitions: In order of time; those of a soft start and stop are among them.
        notes: What was done to the clips, in plain sentences.
        name: What people call it.
    """

    REPORT = "check"

    character: Character
    clip: Clip
    transitions: tuple[Transition, ...]
    notes: tuple[str, ...] = ()
    name: str = "joined"

    def facts(self) -> dict[str, str]:
        """At a glance."""
        lengths = ", ".join(f"{one.duration_s:.2f} s at {one.start_s:.2f} s" for one in self.transitions)
        return {
            "character": self.character.name,
            "frames": str(self.clip.frame_count),
            "duration": f"{self.clip.duration:.3f} s",
            "transitions": lengths or "none",
        }

    @cached_property
    def checked(self) -> CheckResult:
        """The whole clip held against every limit: that of the clips themselves counts here, too."""
        return check(self.character, self.clip, clip_name=self.name, remarks=self.sentences(), keep_reference_pose=True)

    @property
    def outcome(self) -> Outcome:
        """Whether the robot can do all of it."""
        return self.checked.outcome

    @property
    def transitions_hold(self) -> bool:
        """Whether nothing that is too much is in a transition."""
        moments = [finding.time for finding in self.checked.findings]
        if self.checked.tips and self.checked.balance is not None:
            moments.append(self.checked.balance.time)
        return not any(one.start_s < time < one.end_s for one in self.transitions for time in moments)

    def sentences(self) -> tuple[str, ...]:
        """The transitions and notes, for people."""
        told = [
            f"A transition of {one.duration_s:.2f} s leads on at {one.start_s:.2f} s (frames {one.first_frame} to "
            f"{one.last_frame}){f', as long as {one.decides} needs' if one.decides else ''}."
            for one in self.transitions
        ]
        return (*told, *self.notes)

    def save_page(self, path: str | Path) -> Path:
        """Writes the page of the check of all of it."""
        return self.checked.save_page(path)
