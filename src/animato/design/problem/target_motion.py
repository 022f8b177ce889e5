"""One motion that a design should do: targets, and what motors do now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.errors import MotionError, OptionError, unknown_name
from animato.mechanics.loops.assembly import build_mechanism
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class TargetMotion:
    """One motion that a design should do.

    Attributes:
        targets: At least one, all with the same number of steps.
        rate_hz: Steps a second.
        controls: What actuators do now: where the search begins, and what pulls them as the weight says, shape
            [step, control]; None finds out by inverse kinematics on the initial design.
        name: What people call it.
        notes: What was done to it on the way here, in sentences.
    """

    targets: tuple[TrackingTarget, ...]
    rate_hz: float = 60.0
    controls: np.ndarray | None = None
    name: str = "motion"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", tuple(self.targets))
        if not self.targets:
            raise MotionError(f"The motion '{self.name}' has no targets; give at least one.")
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise OptionError(f"`rate_hz` of the motion '{self.name}' must be above 0, not {self.rate_hz}.")
        names = [target.name for target in self.targets]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise MotionError(f"Targets must differ in name; '{twice[0]}' stands twice in '{self.name}'. Name them.")
        steps = {target.step_count for target in self.targets}
        if len(steps) > 1:
            told = ", ".join(f"'{target.name}' {target.step_count}" for target in self.targets)
            raise MotionError(f"All targets of the motion '{self.name}' must have as many steps, not {told}.")

    @property
    def step_count(self) -> int:
        """Number of time steps."""
        return self.targets[0].step_count

    def weighted(self, factors: Mapping[str, float]) -> TargetMotion:
        """The motion with some of its targets counting more or less.

        Args:
            factors: On the weights, by name of the target; 1 is as much as now.
        """
        names = [target.name for target in self.targets]
        for name, factor in factors.items():
            if name not in names:
                raise unknown_name("target", name, names, self.name)
            if not (np.isfinite(factor) and factor >= 0.0):
                raise OptionError(f"The weight of '{name}' is a number of at least 0, not {factor}.")
        targets = [
            replace(
                target,
                position_weights=factors.get(target.name, 1.0) * target.position_weights,
                orientation_weight=factors.get(target.name, 1.0) * np.asarray(target.orientation_weight),
            )
            for target in self.targets
        ]
        return replace(self, targets=tuple(targets))

    def with_controls(self, character: Character, clip: Clip) -> TargetMotion:
        """The motion with motors that start from a clip; those that it does not name rest.

        Args:
            character: Whose motors.
            clip: What they do, at least as long as the motion.
        """
        mechanism = build_mechanism(character)
        for name in clip.names:
            if name not in character.coordinate_names:
                raise unknown_name("coordinate", name, character.coordinate_names, character.name)
        if not set(clip.names) & set(mechanism.control_names):
            motors = ", ".join(mechanism.control_names)
            raise MotionError(f"`controls` names no actuator of '{character.name}': {motors}.")
        times = clip.times[0] + np.arange(self.step_count) / self.rate_hz
        if times[-1] > clip.times[-1] + 0.5 / self.rate_hz:
            lasts = f"{clip.duration:.2f} s, the target {times[-1] - times[0]:.2f} s"
            raise MotionError(f"The clip of `controls` lasts {lasts}; it must last as long.")
        found = np.tile(mechanism.controls, (len(times), 1))
        for column, name in enumerate(mechanism.control_names):
            if name in clip.names:
                found[:, column] = np.interp(times, clip.times, clip.positions[:, clip.column(name)])
        return replace(self, controls=found)
