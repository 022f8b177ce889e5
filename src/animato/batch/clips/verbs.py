"""Each verb as a batch has it done: a file and a character in, what came out in the same words for all verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from animato.batch.clips.wishes import Wishes, options_of
from animato.character import Character
from animato.errors import MotionError
from animato.findings import BalanceFinding, Finding, check, findings_of
from animato.formats import load_motion
from animato.loading import load_clip_and_losses
from animato.mechanics.limits import LimitUsage
from animato.motion import CapturedMotion, Clip, MarkerMotion


@dataclass(frozen=True, eq=False)
class Performed:
    """What became of a clip.

    Attributes:
        usable: Whether the robot can do it, as the verb says.
        reason: In a sentence.
        clip: What was judged: the verb's result, or the clip itself.
        usage: How much of each limit that uses.
        worst: The worst moment of each axis and limit, the worst of all first.
        balance: The worst moment of its balance; None where there is none to keep, or the verb's own verdict has it.
        result: What is kept; None where the verb makes no clip.
        measures: Numbers of the verb's own by name, in SI units.
    """

    usable: bool
    reason: str
    clip: Clip
    usage: LimitUsage
    worst: tuple[Finding, ...]
    balance: BalanceFinding | None = None
    result: Clip | None = None
    measures: Mapping[str, float] = field(default_factory=dict)


def performed(verb: str, wishes: Wishes, model: Character, path: Path) -> Performed:
    """Has a verb work on the clip of a file."""
    return _VERBS[verb](wishes, model, path)


def _checked(wishes: Wishes, model: Character, path: Path) -> Performed:
    clip, losses = load_clip_and_losses(path, model, **_how(wishes))
    found = check(model, clip, clip_name=path.stem, remarks=losses, **wishes.options)
    measures = {"near_misses": float(len(found.near_misses))}
    if found.balance is not None:
        measures["balance_outside_m"] = found.balance.outside
    outcome = found.outcome
    return Performed(
        outcome.usable, outcome.reason, found.clip, found.usage, found.worst, found.balance, measures=measures
    )


def _fixed(wishes: Wishes, model: Character, path: Path) -> Performed:
    from animato.fix import build, solve

    clip, _ = load_clip_and_losses(path, model, **_how(wishes))
    solution = solve(build(model, clip, options_of("fix", wishes)))
    usable = solution.outcome.usable
    judged = check(model, solution.clip if usable else clip, keep_reference_pose=True)
    measures = {
        "longer": solution.longer,
        "change_mean_m": solution.deviation.mean_m,
        "change_most_m": solution.deviation.largest[0],
        "asked_worst": max(solution.before.peak(kind) for kind in solution.before.shares),
    }
    result, reason = solution.clip if usable else None, solution.outcome.reason
    return Performed(usable, reason, judged.clip, judged.usage, judged.worst, judged.balance, result, measures)


def _mimicked(wishes: Wishes, model: Character, path: Path) -> Performed:
    from animato.mimic import build, load_mapping, solve

    motion = load_motion(path, **_how(wishes))
    if not isinstance(motion, CapturedMotion | MarkerMotion):
        raise MotionError(
            f"{path.name} holds no captured person but a {type(motion).__name__.lower()}. A capture is a skeleton "
            "(.bvh, .amc, .glb), markers (.c3d, .trc) or joints of a body model (.npz)."
        )
    known = load_mapping(wishes.mapping) if wishes.mapping else None
    solution = solve(build(model, motion, options_of("mimic", wishes), mapping=known))
    measures = {
        "keypoint_mean_m": float(solution.errors.mean()),
        "keypoint_mean_without_balance_m": float(solution.kinematic_errors.mean()),
        "slowed_percent": solution.slowed_percent,
        "scale": solution.scale,
    }
    outcome, usage, worst = solution.outcome, solution.usage, findings_of(solution.usage)
    return Performed(outcome.usable, outcome.reason, solution.clip, usage, worst, None, solution.clip, measures)


def _steadied(wishes: Wishes, model: Character, path: Path) -> Performed:
    from animato.steady import build, solve

    clip, _ = load_clip_and_losses(path, model, **_how(wishes))
    solution = solve(build(model, clip, options_of("steady", wishes)))
    measures = {"peak_before_m": solution.peak_before, "peak_after_m": solution.peak_after}
    outcome, usage, worst = solution.outcome, solution.usage, findings_of(solution.usage)
    return Performed(outcome.usable, outcome.reason, solution.clip, usage, worst, None, solution.clip, measures)


def _how(wishes: Wishes) -> Any:
    return dict(wishes.reading)


_VERBS: dict[str, Callable[[Wishes, Character, Path], Performed]] = {
    "check": _checked,
    "fix": _fixed,
    "mimic": _mimicked,
    "steady": _steadied,
}
