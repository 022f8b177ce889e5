"""What a check found, in plain words."""

from __future__ import annotations

import math

from animato.findings.balance_finding import BalanceFinding
from animato.findings.checking import CheckResult
from animato.findings.coverage import KIND_WORDS, Coverage
from animato.findings.finding import Finding
from animato.findings.human_units import human_unit, in_human_unit, in_si, percent, rounded, seconds
from animato.findings.joint_names import capitalized, listed, pretty_name

CAPACITY = {
    "position": "range",
    "velocity": "top speed",
    "acceleration": "top acceleration",
    "jerk": "top jerk",
    "torque": "torque",
}
"""What a joint has of each kind, as in "143 % of its top speed"."""


def amount(share: float) -> str:
    """A share as the start of "... its top speed": "143 % of", "12 times"."""
    return f"{rounded(share, 2)} times" if share >= 10.0 else f"{percent(share)} of"


def moment(finding: Finding) -> str:
    """When it happens: "2.31 s (frame 115)"."""
    return f"{seconds(finding.time)} (frame {finding.frame})"


def distance(value: float, *, angular: bool, digits: int = 2) -> str:
    """A length of the range in words: "4.2 degrees", "12 mm"."""
    number = rounded(value * human_unit("position", angular=angular).factor, digits)
    return f"{number} mm" if not angular else f"{number} degree" if number == "1" else f"{number} degrees"


def _apart(value: float, limit: float, *, angular: bool) -> tuple[str, str]:
    """Two places of the range with as many digits as it takes to tell them apart."""
    for digits in (3, 4, 5, 6):
        pair = distance(value, angular=angular, digits=digits), distance(limit, angular=angular, digits=digits)
        if pair[0] != pair[1]:
            break
    return pair


def sentence(finding: Finding, label: str | None = None, *, motor: str = "motor") -> str:
    """One finding as one sentence.

    Args:
        finding: What was found; it may be over its limit or within it.
        label: What the axis is called; its prettified name where not given.
        motor: What drives the joint, as in "its servo gives 3 N m".
    """
    who = capitalized(label or pretty_name(finding.axis))
    if not finding.is_over:
        return _within(finding, who)
    if finding.kind == "position":
        sent, end = _apart(finding.value, finding.limit, angular=finding.angular)
        return (
            f"{who} goes beyond its range by {distance(finding.excess, angular=finding.angular)} at {moment(finding)}: "
            f"it is sent to {sent}, its range ends at {end}."
        )
    if finding.kind == "torque":
        return f"{who} {_strength(finding, motor)}"
    what = CAPACITY[finding.kind]
    return f"{who} is asked for {amount(finding.share)} its {what} at {moment(finding)}: {_measured(finding)}."


def _strength(finding: Finding, motor: str) -> str:
    """What is asked of the motor and what it gives, after the joint's name."""
    need = in_si(abs(finding.value), "torque", angular=finding.angular)
    what = CAPACITY["torque"] if finding.angular else "force"
    if finding.is_spent:
        return (
            f"is too fast to be driven at {moment(finding)}: it needs {need}, its {motor} gives next to nothing then."
        )
    given = in_si(finding.limit, "torque", angular=finding.angular)
    speed = " at that speed" if finding.limit < finding.limit_at_rest else ""
    share = f"{amount(finding.share)} its {what}"
    return f"is asked for {share} at {moment(finding)}: it needs {need}, its {motor} gives {given}{speed}."


def _measured(finding: Finding) -> str:
    """Value and limit: "11.5 rad/s (660 deg/s), its limit is 8.1 rad/s"."""
    value, kind, angular = abs(finding.value), finding.kind, finding.angular
    shown = in_si(value, kind, angular=angular)
    if angular:
        shown += f" ({in_human_unit(value, kind, angular=True)})"
    return f"{shown}, its limit is {in_si(finding.limit, kind, angular=angular)}"


def _within(finding: Finding, who: str) -> str:
    if finding.kind == "position":
        left = distance(abs(finding.limit - finding.value), angular=finding.angular)
        return f"{who} comes within {left} of the end of its range at {moment(finding)}."
    what = CAPACITY[finding.kind]
    if not finding.angular:
        what = what.replace("torque", "force")
    return f"{who} uses {percent(finding.share)} of its {what} at {moment(finding)}."


def motor_word(result: CheckResult, finding: Finding) -> str:
    """What drives the joint: "servo" where it is known, "motor" otherwise."""
    actuator = result.character.joint(finding.joint).actuator
    return "servo" if actuator is not None and actuator.servo is not None else "motor"


def finding_sentence(result: CheckResult, finding: Finding) -> str:
    """One finding of a check as one sentence."""
    return sentence(finding, result.labels[finding.axis], motor=motor_word(result, finding))


def balance_sentence(finding: BalanceFinding) -> str:
    """A moment of balance as one sentence, whether it is lost or kept."""
    far, when = distance(abs(finding.outside), angular=False), f"{seconds(finding.time)} (frame {finding.frame})"
    if finding.is_over:
        return f"The ZMP leaves the soles by {far} at {when}: it would tip {finding.direction}."
    return f"The ZMP comes within {far} of the rim of the soles at {when}."


def interval_words(finding: Finding | BalanceFinding) -> str:
    """When a finding is over its limit: "from 2.20 s to 2.45 s", "in 3 places, 0.41 s in all"."""
    if not finding.intervals:
        return ""
    if len(finding.intervals) == 1:
        start, end = finding.intervals[0]
        return f"from {seconds(start)} to {seconds(end)}" if end - start >= 0.01 else f"at {seconds(finding.time)}"
    return f"in {len(finding.intervals)} places, {seconds(finding.time_over)} in all"


def speed_percent(speed: float) -> str:
    """A playback speed as whole percent, rounded down so that it still fits."""
    return f"{math.floor(100.0 * speed + 1e-9)} %" if speed >= 0.01 else f"{rounded(100.0 * speed, 1)} %"


def verdict(result: CheckResult) -> str:
    """The answer in one or two sentences; how many joints follow and what was left out where that is not all."""
    coverage = result.coverage
    follows = following(result)
    few = coverage is not None and 2 * len(coverage.moving) < coverage.joint_count
    parts = (f"Only {follows}", _answer(result)) if few else (_answer(result), capitalized(follows))
    doubt = "Mind: the angles look like degrees that were read as radians." if result.doubt else ""
    pose = "It is a single frame: a pose, in which nothing moves." if result.clip.frame_count == 1 else ""
    return " ".join(part for part in (doubt, *parts, pose, left_out_sentence(result)) if part)


def following(result: CheckResult) -> str:
    """How many joints follow the clip; empty where all do."""
    coverage = result.coverage
    if coverage is None or len(coverage.moving) == coverage.joint_count:
        return ""
    moving, count = len(coverage.moving), coverage.joint_count
    rest = "the other stands still" if count - moving == 1 else "the others stand still"
    return f"{moving} of its {count} joints follow{'s' * (moving == 1)}; {rest}."


def left_out_sentence(result: CheckResult) -> str:
    """Which frames were left out as reference poses; empty where none were."""
    ends = zip(result.left_out, ("first", "last"), strict=True)
    which = [f"the {end} frame" if count == 1 else f"the {end} {count} frames" for count, end in ends if count]
    if not which:
        return ""
    verb = "is" if sum(result.left_out) == 1 else "are"
    return f"{capitalized(listed(which))} {verb} left out: a pose from which the motion leaps, as a T-pose is."


def checked_sentence(result: CheckResult) -> str:
    """What was checked and what was not, and why."""
    coverage = result.coverage
    if coverage is None:
        return ""
    kinds = [_of_how_many(coverage, kind) for kind in coverage.checked]
    kinds += ["balance"] if coverage.balance else []
    told = f"Checked: {listed(kinds)}." if kinds else "Nothing could be checked."
    missing = []
    if coverage.unchecked:
        plural = "s" if len(coverage.unchecked) > 1 else ""
        words = listed(KIND_WORDS[kind] for kind in coverage.unchecked)
        missing.append(f"{words}, because the file states no such limit{plural}")
    if coverage.carried_by == "root":
        why = "hardly a sole touches the floor" if result.character.soles else "no soles are known"
        why = "it floats and has closed loops" if not coverage.is_tree else why
        missing.append(f"balance, because {why}, so torques are those of a robot carried by its root")
    return f"{told} Not checked: {'; '.join(missing)}." if missing else told


def _of_how_many(coverage: Coverage, kind: str) -> str:
    count = coverage.limited[kind]
    part = "" if count == coverage.axis_count else f" of {count} of {coverage.axis_count} axes"
    return KIND_WORDS[kind] + part


def _as_far(result: CheckResult) -> str:
    """What to add to "can do" where something was not there to be checked."""
    coverage = result.coverage
    return "" if coverage is None or coverage.is_whole else " as far as could be checked"


def _answer(result: CheckResult) -> str:
    who, what = result.character.name, _quoted(result.clip_name)
    if not result.worst and result.balance is None:
        return f"{who} has no limits that {what} could break, so there was nothing to check."
    if result.balance is not None and result.tips:
        return f"{who} cannot do {what} as it is: {_tipping(result, result.balance)}"
    if not result.worst:
        return f"{who} keeps its balance in {what}; it has no limits that could be broken."
    if result.outcome.usable:
        closest = result.worst[0]
        label = result.labels[closest.axis]
        if closest.is_near:
            near = f"The closest call is {label}, at {percent(closest.share)} of its {CAPACITY[closest.kind]}."
        else:
            near = f"No joint uses more than {percent(closest.share)} of what it has."
        kept = "" if result.balance is None else ", and it keeps its balance"
        limits = "its limits" if not _as_far(result) else "the limits that are known"
        return f"{who} can do {what}{_as_far(result)}: every joint stays within {limits}{kept}. {near}"
    ranges = tuple(finding for finding in result.findings if finding.kind == "position")
    if len(ranges) == len(result.findings):
        return f"{who} cannot do {what} as it is: {_out_of_range(result, ranges)}. Playing it slower does not help."
    joints = listed_joints(result, result.findings)
    verb = "is" if len({finding.joint for finding in result.findings}) == 1 else "are"
    return f"{who} cannot do {what} as it is: {joints} {verb} asked for too much. {_at_speed(result, ranges)}".rstrip()


def _tipping(result: CheckResult, balance: BalanceFinding) -> str:
    """How it would tip, and what else is too much."""
    held = " (its body held where it rests: the clip does not say where it is)" if _root_unsaid(result) else ""
    tips = f"it would tip {balance.direction} at {seconds(balance.time)}{held}"
    if not result.findings:
        still = "standing still in that pose"
        return f"{tips}, even {still}." if balance.falls_at_rest else f"{tips}. {still.capitalize()} it would not."
    verb = "is" if len({finding.joint for finding in result.findings}) == 1 else "are"
    return f"{tips}, and {listed_joints(result, result.findings)} {verb} asked for too much."


def _root_unsaid(result: CheckResult) -> bool:
    """Whether a clip of a character that floats says nothing about its root."""
    return result.character.floats and result.clip.base_positions is None


def _quoted(name: str) -> str:
    return name if name.startswith("the ") else f"'{name}'"


def listed_joints(result: CheckResult, findings: tuple[Finding, ...]) -> str:
    """The joints of some findings: by name up to two, by number beyond."""
    names = list(dict.fromkeys(result.labels[finding.axis] for finding in findings))
    return listed(names) if len(names) <= 2 else f"{len(names)} joints"


def _at_speed(result: CheckResult, ranges: tuple[Finding, ...]) -> str:
    """Whether playing the clip slower would help, apart from the ranges that it leaves."""
    if result.doubt:
        return ""  # nobody plays degrees as radians, at any speed
    if result.playback_speed is None:
        return "Playing it slower does not help: some torque is needed even to hold the pose."
    speed = speed_percent(result.playback_speed)
    if not ranges:
        return f"Played at {speed} speed it would fit."
    return f"Played at {speed} speed it would fit, except that {_out_of_range(result, ranges)}."


def _out_of_range(result: CheckResult, ranges: tuple[Finding, ...]) -> str:
    if len(ranges) == 1:
        (one,) = ranges
        return f"{result.labels[one.axis]} leaves its range by {distance(one.excess, angular=one.angular)}"
    return f"{listed_joints(result, ranges)} leave their range"
