"""Discrete choices of a design by enumeration: joint types, actuators, servos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from animato.character import FREEDOM, LIMIT_COUNT, SERVOS, Actuator, Character, Joint, JointRole, JointType
from animato.design.optimization import Solution, solve
from animato.design.options import Options
from animato.design.problem import Motions, build
from animato.errors import AnimatoError, OptionError, missing_dependency, unknown_name

CHANGES = ("type", "role", "servo")
"""What a choice may change about a joint."""

Alternatives = Mapping[str, Sequence[Mapping[str, str]]]


@dataclass(frozen=True)
class Candidate:
    """One way to build a character.

    Attributes:
        label: What was chosen, for people.
        character: Built that way.
    """

    label: str
    character: Character

    @property
    def actuator_count(self) -> int:
        """Joints that are driven."""
        return sum(joint.role is JointRole.ACTUATED for joint in self.character.joints)

    @property
    def servo_mass(self) -> float:
        """Of all servos whose type is known [kg]."""
        servos = [joint.actuator.servo for joint in self.character.joints if joint.actuator is not None]
        return sum(SERVOS[name].mass for name in servos if name is not None)


@dataclass(frozen=True, eq=False)
class ChoiceResult:
    """What became of a candidate.

    Attributes:
        candidate: Which.
        solution: Of its design; None where it could not be solved.
        reason: Why not, or how the solve ended.
    """

    candidate: Candidate
    solution: Solution | None
    reason: str

    @property
    def cost(self) -> float:
        """What is left of the targets' cost; infinite where there is no usable design."""
        if self.solution is None or not self.solution.outcome.usable:
            return float("inf")
        return float(self.solution.optimized.objective.tracking.sum())


AS_IT_IS = "same"
"""The word of a choice that changes nothing."""


def alternatives_from(words: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    """Alternatives from words such as "hip=revolute|universal", "knee=same|configurable" or "neck=XL430-W250|same".

    Args:
        words: Each a joint and what to choose from: types of joints, roles, servos by name, or "same".

    Raises:
        OptionError: A word that says no choice.
    """
    found: dict[str, list[dict[str, str]]] = {}
    for word in words:
        name, _, rest = word.rpartition("=")
        choices = [part.strip() for part in rest.split("|") if part.strip()]
        if not name or len(choices) < 2:
            raise OptionError(f"`choose` is JOINT=ONE|OTHER, such as hip=revolute|universal; not '{word}'.")
        found[name] = [_change_in(choice) for choice in choices]
    return found


def _change_in(choice: str) -> dict[str, str]:
    if choice == AS_IT_IS:
        return {}
    kinds: dict[str, Sequence[str]] = {"type": list(JointType), "role": list(JointRole), "servo": list(SERVOS)}
    for what, allowed in kinds.items():
        if choice in allowed:
            return {what: choice}
    every = [*(str(one) for allowed in kinds.values() for one in allowed), AS_IT_IS]
    raise unknown_name("choice", choice, every, "`choose`")


def candidates(character: Character, alternatives: Alternatives) -> tuple[Candidate, ...]:
    """All combinations of choices.

    Args:
        character: To start from.
        alternatives: By joint, what to choose from; each changes its "type", its "role" ("configurable" makes
            an actuator a joint that is set once, so there is one actuator fewer) or its "servo". An empty
            alternative leaves the joint as it is.
    """
    for name in alternatives:
        character.joint(name)  # raises for a name that is not there
    found = []
    for combination in product(*alternatives.values()):
        joints, words = list(character.joints), []
        for name, changes in zip(alternatives, combination, strict=True):
            place = next(n for n, joint in enumerate(joints) if joint.name == name)
            joints[place] = _changed(joints[place], changes)
            words.append(f"{name}: {', '.join(changes.values()) or 'as it is'}")
        found.append(Candidate("; ".join(words), replace(character, joints=tuple(joints), postures=())))
    return tuple(found)


def _changed(joint: Joint, changes: Mapping[str, str]) -> Joint:
    """The joint after a choice; limits and a setting that no longer fit its type are left out."""
    for key in changes:
        if key not in CHANGES:
            raise OptionError(f"A choice may change {', '.join(CHANGES)} of a joint, not '{key}'.")
    for key, allowed in (("type", JointType), ("role", JointRole)):
        names = [one.value for one in allowed]
        if changes.get(key, names[0]) not in names:
            raise unknown_name(f"joint {key}", changes[key], names, "animato")
    kind = JointType(changes.get("type", joint.type))
    role = JointRole(changes.get("role", joint.role or JointRole.PASSIVE)) if FREEDOM[kind] else JointRole.PASSIVE
    limits = joint.stated_limits if len(joint.stated_limits) == LIMIT_COUNT[kind] else ()
    setting = joint.configuration if role is JointRole.CONFIGURABLE and kind is joint.type else ()
    actuator = Actuator(changes["servo"]) if "servo" in changes else joint.actuator
    actuator = actuator if role is JointRole.ACTUATED else None
    return replace(joint, type=kind, role=role, stated_limits=limits, configuration=setting, actuator=actuator)


def solve_choices(
    chosen: Sequence[Candidate],
    motion: Motions,
    options: Options | None = None,
    *,
    workers: int = 1,
) -> tuple[ChoiceResult, ...]:
    """Optimizes every candidate and sorts them, the best first.

    Args:
        chosen: From `candidates`, or of one's own.
        motion: As for `build`.
        options: Of every design.
        workers: Processes at once; more than one needs `joblib`.
    """
    if workers < 1:
        raise OptionError(f"`workers` must be at least 1, not {workers}.")
    if workers > 1:
        try:
            from joblib import Parallel, delayed
        except ImportError:
            raise missing_dependency("joblib", "cluster", "Solving several choices at once") from None
        results = list(Parallel(n_jobs=workers)(delayed(_solved)(candidate, motion, options) for candidate in chosen))
    else:
        results = [_solved(candidate, motion, options) for candidate in chosen]
    order = np.lexsort(([result.candidate.servo_mass for result in results], [result.cost for result in results]))
    return tuple(results[n] for n in order)


def _solved(candidate: Candidate, motion: Motions, options: Options | None) -> ChoiceResult:
    try:
        solution = solve(build(candidate.character, motion, options))
    except AnimatoError as error:
        return ChoiceResult(candidate, None, str(error))
    return ChoiceResult(candidate, solution, solution.outcome.reason)
