"""What a fix did, in sentences that an animator understands."""

from __future__ import annotations

from animato.findings import distance, finding_sentence, percent, rounded, seconds
from animato.findings import verdict as check_verdict
from animato.report.fix.changes import Change, gathered, largest_elsewhere
from animato.report.fix.evidence import Evidence, Trade

_NOTHING_M = 5e-5
_TOLD = 6
_MUCH = 0.15  # of the character's reach: a change that makes another motion of it


def headline(evidence: Evidence) -> str:
    """The whole result in one sentence."""
    solution, name = evidence.solution, evidence.before.character.name
    if not solution.outcome.usable:
        return f"{name} cannot do {_clip(evidence)}: {_small(solution.outcome.reason)}"
    if not solution.changed:
        return f"{name} can do {_clip(evidence)} as it is: nothing was changed."
    return f"{name} can do {_clip(evidence)} now, {_what_gave_way(evidence)}."


def fix_text(evidence: Evidence) -> list[str]:
    """What the command line says: the headline, what was wrong, what has changed, and what it would cost otherwise."""
    said = [headline(evidence)]
    solution = evidence.solution
    if not solution.outcome.usable:
        return [*said, *(f"  {one.advice}" for one in evidence.obstacles if one.advice)]
    wrong = wrong_sentences(evidence)
    if wrong:
        said += ["What was wrong:", *(f"  {one}" for one in _few(wrong))]
    if solution.changed:
        said += ["What was changed:", *(f"  {one}" for one in change_sentences(evidence))]
    return [*said, *(one for one in (trade_sentence(evidence), doubt_sentence(evidence)) if one)]


def wrong_sentences(evidence: Evidence) -> list[str]:
    """What the artist's motion asks too much of, as `check` says it."""
    before = evidence.before
    tips = [check_verdict(before)] if before.tips and not before.findings else []
    return tips + [finding_sentence(before, one) for one in before.findings]


def change_sentences(evidence: Evidence) -> list[str]:
    """Where and by how much, the largest first, and what is true of the rest."""
    found = [change_words(one) for one in _few_changes(evidence.points)]
    found += [change_words(one) for one in gathered(evidence.gazes)[:2]]
    if evidence.joints:
        one = evidence.joints[0]
        label = evidence.before.labels.get(one.name, _plain(one.name))
        found.append(f"of all joints {label} most: {distance(one.most, angular=one.angular)} at {one.time_s:.2f} s")
    found += _tempo_words(evidence)
    found.append(rest_words(evidence))
    return found


def change_words(one: Change) -> str:
    """As in "left hand, 2.1 to 2.6 s: 6 mm"."""
    name = _plain(one.name)
    if one.kind == "gaze":
        return f"where {name} point{'s' * (not name.endswith('s'))}, {_span(one)}: {distance(one.most, angular=True)}"
    return f"{name}, {_span(one)}: {distance(one.most, angular=False)}"


def rest_words(evidence: Evidence) -> str:
    """What is true of everything that is not told of."""
    told = _few_changes(evidence.points)
    many = {one.name for one in told if one.places > 1}
    parts = (*(one for one in told if one.places == 1), *(one for one in evidence.points if one.name in many))
    rest = largest_elsewhere(evidence.solution, parts)
    timing = ", but for its timing" if _tempo_words(evidence) else ""
    if rest <= _NOTHING_M:
        return f"the rest is as you made it{timing}"
    return f"the rest is within {distance(rest, angular=False)} of what you made{timing}"


def trade_sentence(evidence: Evidence) -> str:
    """What it would have cost with more or less time, in one sentence; empty where that was not tried."""
    others = [one for one in evidence.trades if not one.chosen and one.usable]
    return f"Otherwise: {'; '.join(_trade_words(one) for one in others)}." if others else ""


def doubt_sentence(evidence: Evidence) -> str:
    """That so much has changed that it may be another motion; empty where that is not so."""
    solution = evidence.solution
    far, name, _ = solution.deviation.largest
    reach = float(solution.problem.levers.max(initial=0.0))
    if not evidence.usable or far <= _MUCH * reach:
        return ""
    share = f"{percent(far / reach)} of its reach"
    return f"Mind: {_plain(name)} is off by {share}, which is seen. Let time give way, with `time=1`, or ask for less."


def trade_name(one: Trade) -> str:
    """What gives way: shape, time or both."""
    if one.time is None:
        return "the duration that was asked for"
    return {0.0: "shape alone gives way", 1.0: "time gives way"}.get(one.time, f"both give way (`time={one.time:g}`)")


def longer_words(longer: float) -> str:
    """As in "3 % longer" or "as long as yours"."""
    if abs(longer - 1.0) < 5e-5:
        return "as long as yours"
    return f"{rounded(100.0 * abs(longer - 1.0), 2)} % {'longer' if longer > 1.0 else 'shorter'}"


def facts(evidence: Evidence) -> list[tuple[str, str]]:
    """At a glance."""
    solution, before = evidence.solution, evidence.before
    peaks = [max((one.share for one in result.worst), default=0.0) for result in (before, evidence.after)]
    asked = seconds(solution.problem.clip.duration)
    if not evidence.usable or not solution.changed:
        return [
            ("Duration", asked),
            ("Limits exceeded", str(len(before.findings))),
            ("Hardest used", percent(peaks[0])),
            ("Looked for", f"{rounded(solution.seconds, 2)} s"),
        ]
    far, name, _ = solution.deviation.largest
    other = "" if abs(solution.longer - 1.0) < 5e-5 else f" ({asked} asked)"
    return [
        ("Duration", f"{seconds(solution.clip.duration)}{other}"),
        ("Limits exceeded", f"{len(before.findings)} before, {len(evidence.after.findings)} now"),
        ("Hardest used", f"{percent(peaks[0])} before, {percent(peaks[1])} now"),
        ("Visible change", f"{distance(solution.deviation.mean_m, angular=False)} on average"),
        ("At most", distance(far, angular=False) + (f", {_plain(name)}" if far > _NOTHING_M else "")),
        ("Found in", f"{rounded(solution.seconds, 2)} s"),
    ]


def _what_gave_way(evidence: Evidence) -> str:
    """How long it is, and the largest change, in a clause."""
    solution = evidence.solution
    kept = abs(solution.longer - 1.0) < 5e-5
    timing = "in your time" if kept else longer_words(solution.longer)
    if not solution.deviation.points:
        return timing
    far, name, when = solution.deviation.largest
    if far <= _NOTHING_M:
        return f"{timing}: nothing that is seen has left its place"
    mean, most = (distance(one, angular=False) for one in (solution.deviation.mean_m, far))
    where = f"{_plain(name)} at {seconds(when)}"
    return f"{timing}: what is seen is {mean} from where you had it on average, {most} at most ({where})"


def _tempo_words(evidence: Evidence) -> list[str]:
    """Soft ends, and tempo where that is another."""
    solution = evidence.solution
    before, after = evidence.soft_ends_s
    found = [f"a soft start of {seconds(before)} stands before it"] if before > 0.0 else []
    found += [f"a soft stop of {seconds(after)} stands behind it"] if after > 0.0 else []
    longer = (solution.clip.duration - before - after) / solution.problem.clip.duration
    if abs(longer - 1.0) >= 5e-5:
        slower = (
            ", slower only where it must be" if longer > 1.0 and solution.problem.options.duration_s is None else ""
        )
        found.append(f"it is {longer_words(longer)}{slower}")
    return found


def _trade_words(one: Trade) -> str:
    taken = f"where {trade_name(one)} it is {longer_words(one.longer)}"
    if one.most_m <= _NOTHING_M:
        return f"{taken}, and nothing that is seen moves"
    change = f"{distance(one.mean_m, angular=False)} on average, {distance(one.most_m, angular=False)} at most"
    return f"{taken} and off by {change}"


def _span(one: Change) -> str:
    if one.places > 1:
        return f"in {one.places} places, most at {one.time_s:.1f} s"
    if one.end_s - one.start_s < 0.05:
        return f"at {one.time_s:.2f} s"
    return f"{one.start_s:.1f} to {one.end_s:.1f} s"


def _clip(evidence: Evidence) -> str:
    name = evidence.before.clip_name
    return name if name.startswith("the ") else f"'{name}'"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _few(sentences: list[str]) -> list[str]:
    more = len(sentences) - _TOLD
    return sentences[:_TOLD] + ([f"and {more} more"] if more > 0 else [])


def _few_changes(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    return gathered(changes)[:_TOLD]
