"""The demonstrators of `design`: a character, a motion it should do, and what may change for it.

After Maloisel et al. (2023), Sec. 8. The mechanisms are our own and have the counts of the paper's Table 5; the motions
are our own and have the numbers of steps of its Table 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from animato.character import Character
from animato.design.options import DesignWeights, Options
from animato.design.problem import Problem, TargetMotion, build
from animato.design.terms import TrackingTarget
from animato.errors import unknown_name
from animato.gallery.design import bear, biker, kickbot, legs


@dataclass(frozen=True)
class Demonstrator:
    """One of them.

    Attributes:
        name: Of the demonstrator.
        character: Name of a character that comes with animato.
        motion: Makes the motion, from that character in its initial design.
        options: What may change, and what counts how much.
        paper_improvement_percent: By how much the paper's own objective fell on its own robot.
        point: What it shows, in a sentence.
    """

    name: str
    character: str
    motion: Callable[[Character], TargetMotion]
    options: Options
    paper_improvement_percent: float
    point: str

    def problem(self, character: Character) -> Problem:
        """The design problem of its character."""
        return build(character, self.motion(character), self.options)

    def asked(self, options: Options) -> Options:
        """Options of somebody who left open what may change, or what counts how much."""
        untold = vars(options.weights) == vars(DesignWeights())
        weights = self.options.weights if untold else options.weights
        return replace(options, optimize=options.optimize or self.options.optimize, weights=weights)


def biker_motion(edit: str, *, step_count: int = biker.STEPS) -> Callable[[Character], TargetMotion]:
    """The biker's motion after an edit, see `biker.EDITS`."""

    def motion(character: Character) -> TargetMotion:
        targets = biker.biker_targets(character, edit, step_count=step_count)
        controls = biker.biker_controls(step_count)
        return TargetMotion(targets, biker.RATE_HZ, controls, edit)

    return motion


def _motion(
    targets: Callable[[Character], tuple[TrackingTarget, ...]], rate_hz: float, name: str
) -> Callable[[Character], TargetMotion]:
    return lambda character: TargetMotion(targets(character), rate_hz, name=name)


def demonstrators() -> dict[str, Demonstrator]:
    """All of them by name, in the order of the paper's Table 6."""
    found = (
        Demonstrator(
            "kickbot",
            "kickbot",
            _motion(kickbot.kickbot_targets, kickbot.RATE_HZ, "kick"),
            Options(optimize="both"),
            93.82,
            "A humanoid with 14 hinges kicks like a rig with ball joints, once its axes are placed for it.",
        ),
        Demonstrator(
            "kickbot_built",
            "kickbot_built",
            _motion(kickbot.built_kickbot_targets, kickbot.RATE_HZ, "kick"),
            Options(optimize="control"),
            67.02,
            "With slow motors the whole clip is planned at once, so that the foot is there when it counts.",
        ),
        Demonstrator(
            "legs",
            "legs",
            _motion(legs.legs_targets, legs.RATE_HZ, "twist"),
            Options(optimize="both", weights=DesignWeights(control=1e-6, design=1e-6, limits=1e-4)),
            99.97,
            "Two rings that are turned by hand bring a twist within the limits of the hips.",
        ),
        Demonstrator(
            "bear",
            "bear",
            _motion(bear.bear_targets, bear.RATE_HZ, "swipe"),
            Options(optimize="both"),
            78.31,
            "A bear on three limbs, with more motors than it can use freely, swipes with the fourth.",
        ),
        Demonstrator(
            "biker",
            "biker",
            biker_motion("roll"),
            Options(optimize="design"),
            99.19,
            "The torso rolls evenly and farther while both motors do what they did.",
        ),
    )
    return {one.name: one for one in found}


def demonstrator(name: str) -> Demonstrator:
    """The demonstrator of that name."""
    known = demonstrators()
    if name not in known:
        raise unknown_name("demonstrator", name, known, "design")
    return known[name]
