"""Can the robot do this, before anything moves? The check and what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path, PurePath

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.described import HasPage
from animato.findings.balance_finding import BalanceFinding, find_balance
from animato.findings.coverage import Coverage, coverage_of
from animato.findings.finding import Finding, findings_of
from animato.findings.joint_names import listed, pretty_names
from animato.loading import as_character, as_clip
from animato.loading.preparing import prepared
from animato.mechanics.contact import SoleGuess, guessed_soles, soles_of_bodies
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage, fitting_speed, limit_usage, usage_and_floor
from animato.motion import Clip
from animato.outcome import Outcome, Progress, Status

_AS_SAID = ", as was said"
LONGEST_NAME = 40  # a source longer than this tells a story, which is no name


@dataclass(frozen=True, eq=False, repr=False)
class CheckResult(HasPage):
    """What a check of a clip against a character found.

    Attributes:
        character: Who should perform.
        clip: What should be performed.
        usage: How much of each limit the clip uses, over time.
        worst: The worst moment of each axis and kind that has a limit, the largest share first.
        find_speed: Finds the largest factor up to 1 at which velocity, acceleration, jerk and torque fit; see
            `playback_speed`.
        ghost: The artist's motion that the clip was made from, where there is one.
        ghost_usage: The same of the ghost.
        clip_name: What people call the clip.
        remarks: What else is known about the clip, such as what a capture lost on its way to it.
        balance: The worst moment of balance; None where there is none to keep.
        coverage: What was looked at and what could not be; None in a result that was put together by hand.
        left_out: Frames of the clip that were left out as reference poses, at its beginning and at its end.
        doubt: What may be wrong with the whole clip, such as degrees taken for radians; "" where nothing is.
        sole_guess: Soles that were taken because the character states none, or why none were; None where it has its own
            or needs none.
    """

    REPORT = "check"

    character: Character
    clip: Clip
    usage: LimitUsage
    worst: tuple[Finding, ...]
    find_speed: Callable[[], float | None]
    ghost: Clip | None = None
    ghost_usage: LimitUsage | None = None
    clip_name: str = "the clip"
    remarks: tuple[str, ...] = ()
    balance: BalanceFinding | None = None
    coverage: Coverage | None = None
    left_out: tuple[int, int] = (0, 0)
    doubt: str = ""
    sole_guess: SoleGuess | None = None

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

    @cached_property
    def playback_speed(self) -> float | None:
        """Largest factor up to 1 at which velocity, acceleration, jerk and torque fit; None where no speed does.

        Slower motions are tried for it, so it is found when it is asked for.
        """
        return self.find_speed()

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
        """What fits but only just, closest first; joints that stand still at the end of their range are not at risk."""
        still = set() if self.coverage is None else {*self.coverage.still, *self.coverage.unnamed}
        return tuple(
            finding
            for finding in self.worst
            if finding.is_near and not (finding.kind == "position" and finding.joint in still)
        )

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
        return dict(_labels(tuple(axis.name for axis in self.usage.axes)))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, and what could not be checked."""
        doubts = (self.doubt,) if self.doubt else ()
        known = (
            *doubts,
            *self._soles_said,
            *self.remarks,
            *self.usage.notes,
            *(self.balance.notes if self.balance else ()),
        )
        unlimited = [kind for kind in LIMIT_KINDS if not any(finding.kind == kind for finding in self.worst)]
        if not unlimited or len(unlimited) == len(LIMIT_KINDS):
            return known
        verb = "was" if len(unlimited) == 1 else "were"
        missing = (
            f"{listed(unlimited).capitalize()} {verb} not checked: no joint of {self.character.name} has such a limit."
        )
        return (*known, missing)

    @property
    def _soles_said(self) -> tuple[str, ...]:
        guess = self.sole_guess
        if guess is None:
            return ()
        if guess.soles and not self.character.floats:
            return (f"Soles carry a character that floats; {self.character.name} is held, and needs none.",)
        if guess.soles and guess.reason.endswith(_AS_SAID):
            return (f"Taken for soles: {guess.reason}.",)
        if guess.soles:
            return (f"{self.character.name} states no soles; taken for soles: {guess.reason}.",)
        return (
            f"{self.character.name} states no soles, and none were guessed: {guess.reason}. "
            "Name the bodies that it stands on to have its balance checked.",
        )


def check(
    character: Character | str | Path,
    clip: Clip | str | Path,
    ghost: Clip | str | Path | None = None,
    *,
    clip_name: str | None = None,
    remarks: Sequence[str] = (),
    oversampling: int = 4,
    keep_reference_pose: bool = False,
    soles: Sequence[str] | None = None,
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
        keep_reference_pose: Whether a pose at the beginning or end from which the motion leaps is checked, too.
        soles: Bodies to stand on, by the flat bottoms of their shapes at rest, in place of soles that the character
            states. Where not given and it states none, they are guessed if the feet leave no doubt; an empty list
            guesses none.
        progress: Told what is being worked on.

    Returns:
        The verdict with all its numbers.

    Raises:
        MotionError: The clip does not belong to the character.
        CharacterError: A body that is named as a sole has no flat bottom.
    """
    model, guess = with_soles(as_character(character), soles)
    ready = prepared(model, as_clip(clip, model), keep_reference_pose=keep_reference_pose)
    motion = ready.clip
    artist = None if ghost is None else as_clip(ghost, model)
    usage, floor = usage_and_floor(model, motion, oversampling=oversampling, progress=progress)
    ghost_usage = None if artist is None else limit_usage(model, artist, oversampling=oversampling)
    balance = find_balance(model, motion, usage.times, ready.first_frame, floor=floor)
    is_tree = topology_of(rigidified(model)).is_tree
    return CheckResult(
        character=model,
        clip=motion,
        usage=usage,
        worst=findings_of(usage, ready.first_frame),
        find_speed=partial(fitting_speed, model, motion, usage),
        ghost=artist,
        ghost_usage=ghost_usage,
        clip_name=clip_name or name_of_source(motion.source),
        remarks=(*ready.remarks, *_still_true(remarks, ready.left_out)),
        balance=balance,
        coverage=coverage_of(model, motion, usage, is_tree=is_tree, balance=balance is not None),
        left_out=ready.left_out,
        doubt=ready.doubt,
        sole_guess=guess,
    )


def _still_true(remarks: Sequence[str], left_out: tuple[int, int]) -> tuple[str, ...]:
    """Remarks about a clip without those that ask for what was done: to leave its first frame out."""
    return tuple(remark for remark in remarks if not (left_out[0] and "as a calibration pose does" in remark))


def with_soles(character: Character, soles: Sequence[str] | None) -> tuple[Character, SoleGuess | None]:
    """The character with soles to stand on, and where they are from; None where they are its own, or none are needed.

    Args:
        character: Who should perform.
        soles: Bodies to stand on; None guesses where the character states none.
    """
    if soles:
        given = soles_of_bodies(character, soles)
        named = " and ".join(f"'{one.body}'" for one in given)
        return replace(character, soles=given), SoleGuess(given, f"the flat bottoms of {named}{_AS_SAID}")
    if soles is not None or character.soles or not character.floats or not topology_of(character).is_tree:
        return character, None
    guess = guessed_soles(character)
    return (replace(character, soles=guess.soles) if guess.soles else character), guess


def name_of_source(source: str) -> str:
    """A short name for a clip: the stem of a file, a short source as it is, otherwise "the clip"."""
    text = source.strip()
    path = PurePath(text.replace("\\", "/"))
    name = path.stem if path.suffix and " " not in path.suffix else text
    return name if 0 < len(name) <= LONGEST_NAME else "the clip"


@lru_cache(maxsize=32)
def _labels(names: tuple[str, ...]) -> dict[str, str]:
    """What people call axes; asked for at every edit of a clip."""
    return pretty_names(names)
