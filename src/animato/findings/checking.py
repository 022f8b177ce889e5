"""Can the robot do this, before anything moves? The check and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

from animato.character import Character
from animato.described import HasPage
from animato.findings.balance_finding import BalanceFinding, find_balance
from animato.findings.finding import Finding, findings_of
from animato.findings.joint_names import listed, pretty_names
from animato.loading import as_character, as_clip
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage, fitting_speed, limit_usage
from animato.motion import Clip
from animato.outcome import Outcome, Progress, Status

LONGEST_NAME = 40  # a source longer than this tells a story, which is no name


@dataclass(frozen=True, eq=False, repr=False)
class CheckResult(HasPage):
    """What a check of a clip against a character found.

    Attributes:
        character: Who should perform.
        clip: What should be performed.
        usage: How much of each limit the clip uses, over time.
        worst: The worst moment of each axis and kind that has a limit, the largest share first.
        playback_speed: Largest factor up to 1 at which velocity, acceleration, jerk and torque fit;
            None where no speed does.
        ghost: The artist's motion that the clip was made from, where there is one.
        ghost_usage: The same of the ghost.
        clip_name: What people call the clip.
        remarks: What else is known about the clip, such as what a capture lost on its way to it.
        balance: The worst moment of balance; None where there is none to keep.
    """

    REPORT = "check"

    character: Character
    clip: Clip
    usage: LimitUsage
    worst: tuple[Finding, ...]
    playback_speed: float | None
    ghost: Clip | None = None
    ghost_usage: LimitUsage | None = None
    clip_name: str = "the clip"
    remarks: tuple[str, ...] = ()
    balance: BalanceFinding | None = None

    @cached_property
    def outcome(self) -> Outcome:
        """Whether the robot can do it, in a word and in a sentence."""
        if not self.findings and not self.tips:
            return Outcome(Status.SOLVED, "Every limit that is known holds." if self.worst else "No limits are known.")
        tips = ""
        if self.balance is not None and self.tips:
            tips = f"It would tip {self.balance.direction} at {self.balance.time:.2f} s."
        if not self.findings:
            return Outcome(Status.INFEASIBLE, tips)
        worst = self.findings[0]
        over = f"the {worst.kind} of {self.labels[worst.axis]} by most, {100.0 * worst.share:.0f} % of what it has"
        return Outcome(Status.INFEASIBLE, f"{len(self.findings)} limits are exceeded, {over}. {tips}".rstrip())

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"clip": self.clip_name, "character": self.character.name, "outcome": self.outcome.reason}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What does not fit, worst first."""
        return tuple(finding for finding in self.worst if finding.is_over)

    @property
    def tips(self) -> bool:
        """Whether it would lose its balance."""
        return self.balance is not None and self.balance.is_over

    @cached_property
    def near_misses(self) -> tuple[Finding, ...]:
        """What fits but only just, closest first."""
        return tuple(finding for finding in self.worst if finding.is_near)

    @cached_property
    def maxima(self) -> dict[str, dict[str, Finding]]:
        """Axis name -> kind -> its worst moment; kinds without a limit are left out."""
        table: dict[str, dict[str, Finding]] = {axis.name: {} for axis in self.usage.axes}
        for finding in self.worst:
            table[finding.axis][finding.kind] = finding
        return table

    @cached_property
    def labels(self) -> dict[str, str]:
        """Axis name -> what people call it."""
        return pretty_names(axis.name for axis in self.usage.axes)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, and what could not be checked."""
        known = (*self.remarks, *self.usage.notes, *(self.balance.notes if self.balance else ()))
        unlimited = [kind for kind in LIMIT_KINDS if not any(finding.kind == kind for finding in self.worst)]
        if not unlimited or len(unlimited) == len(LIMIT_KINDS):
            return known
        verb = "was" if len(unlimited) == 1 else "were"
        missing = (
            f"{listed(unlimited).capitalize()} {verb} not checked: no joint of {self.character.name} has such a limit."
        )
        return (*known, missing)


def check(
    character: Character | str | Path,
    clip: Clip | str | Path,
    ghost: Clip | str | Path | None = None,
    *,
    clip_name: str | None = None,
    remarks: Sequence[str] = (),
    oversampling: int = 4,
    progress: Progress | None = None,
) -> CheckResult:
    """Checks a clip against the limits of a character and, where it stands on soles, its balance.

    Args:
        character: Who should perform; or the name or file of a character.
        clip: What should be performed; or the name or file of a clip.
        ghost: The artist's motion that the clip was made from; drawn beside it.
        clip_name: What people call the clip; where not given, it follows from the clip's source.
        remarks: What else is known about the clip; stands first among the notes.
        oversampling: Points looked at for each step from frame to frame.
        progress: Told what is being worked on.

    Returns:
        The verdict with all its numbers.

    Raises:
        MotionError: The clip does not belong to the character.
    """
    model = as_character(character)
    motion = as_clip(clip, model)
    artist = None if ghost is None else as_clip(ghost, model)
    usage = limit_usage(model, motion, oversampling=oversampling, progress=progress)
    ghost_usage = None if artist is None else limit_usage(model, artist, oversampling=oversampling)
    return CheckResult(
        character=model,
        clip=motion,
        usage=usage,
        worst=findings_of(usage),
        playback_speed=fitting_speed(model, motion, usage),
        ghost=artist,
        ghost_usage=ghost_usage,
        clip_name=clip_name or name_of_source(motion.source),
        remarks=tuple(remarks),
        balance=find_balance(model, motion, usage.times),
    )


def name_of_source(source: str) -> str:
    """A short name for a clip: the stem of a file, a short source as it is, otherwise "the clip"."""
    text = source.strip()
    path = PurePath(text.replace("\\", "/"))
    name = path.stem if path.suffix and " " not in path.suffix else text
    return name if 0 < len(name) <= LONGEST_NAME else "the clip"
