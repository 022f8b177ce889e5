"""The check report as one page that needs nothing else: no network, no other file."""

from __future__ import annotations

from pathlib import Path

from animato.findings import (
    BalanceFinding,
    CheckResult,
    Finding,
    capitalized,
    checked_sentence,
    rounded,
    seconds,
    speed_percent,
    suggestions,
    verdict,
)
from animato.formats.files import write_whole
from animato.report.check.balance_section import balance_section
from animato.report.check.curve_section import curve_section, pairs_to_draw
from animato.report.check.film_section import PLAYER, film_section
from animato.report.check.joint_table import joint_table
from animato.report.check.pose_section import pose_section
from animato.report.check.sole_section import sole_section
from animato.report.check.strip_section import strip_section
from animato.report.check.text import close_calls, too_much
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    notes_section,
    package_text,
    player_script,
    sentence_list,
    verdict_header,
    whole_page,
)
from animato.version import __version__

LISTED_COUNT = 6

# The page may load nothing and send nothing; a browser enforces it.


def check_page(result: CheckResult, *, pictures: bool = True) -> str:
    """The whole page as HTML.

    Args:
        result: A check.
        pictures: Whether to draw the character at its key moments.
    """
    pairs = pairs_to_draw(result)
    limited = bool(result.worst)
    title = f"Can {result.character.name} do {result.clip_name}?"
    film = film_section(result) if pictures else None
    player = PLAYER if film is not None else ""
    main = element(
        "main",
        _header(result),
        film,
        _lists(result),
        strip_section(result, pairs, player) if limited else None,
        curve_section(result, pairs, player) if limited else None,
        None if result.balance is None else balance_section(result.balance, player),
        sole_section(result) if result.sole_guess is not None and result.sole_guess.soles else None,
        pose_section(result) if pictures else None,
        joint_table(result) if result.usage.axes else None,
        _notes(result),
    )
    hint = element("div", id="hint", class_="hint", role="status", hidden=True)
    scripts = [element("script", package_text("player_numbers.js"), package_text("check_page.js"))]
    scripts += [player_script()] if player else []
    return whole_page(title, main, hint, *scripts, styles=(PLAYER_STYLE,) if player else ())


def save_page(path: str | Path, result: CheckResult, *, pictures: bool = True) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, check_page(result, pictures=pictures))


def _header(result: CheckResult) -> Markup:
    state, answer = ("fits", "Yes, it fits") if result.outcome.usable else ("over", "Not as it is")
    if result.outcome.usable and result.coverage is not None and not result.coverage.is_whole:
        answer = "Yes, as far as could be checked"
    if not result.worst and result.balance is None:
        state, answer = "none", "Nothing to check"
    name = result.clip_name
    clip = name if name.startswith("the ") else f"“{name}”"
    title = f"Can {result.character.name} do {clip}?"
    return verdict_header("check", title, state, answer, _sentences(result), _facts(result))


def _sentences(result: CheckResult) -> list[str]:
    return [sentence for sentence in (verdict(result), checked_sentence(result)) if sentence]


def _facts(result: CheckResult) -> list[tuple[str, str]]:
    clip = result.clip
    rate = f"{rounded((clip.frame_count - 1) / clip.duration)} a second" if clip.duration > 0.0 else "a single pose"
    speed = result.playback_speed
    only_ranges = not result.outcome.usable and all(finding.kind == "position" for finding in result.findings)
    balance = result.balance
    facts = [
        ("Duration", seconds(clip.duration)),
        ("Frames", f"{clip.frame_count}, {rate}"),
        _joints_fact(result),
        ("Too much", str(len({finding.joint for finding in result.findings}))),
        ("Speed that fits", "none" if speed is None or only_ranges or result.tips else speed_percent(speed)),
    ]
    if balance is not None:
        kept = f"lost for {seconds(balance.time_over)}" if balance.is_over else "kept"
        facts.insert(3, ("Balance", kept))
    return facts if result.worst else facts[:3] + facts[3:4] * (balance is not None)


def _joints_fact(result: CheckResult) -> tuple[str, str]:
    coverage = result.coverage
    if coverage is None:
        return "Joints checked", str(len({finding.joint for finding in result.worst}))
    return "Joints that follow", f"{len(coverage.moving)} of {coverage.joint_count}"


def _lists(result: CheckResult) -> Markup | None:
    """What is too much, what is close, and what would help."""
    parts = [
        sentence_list(
            "What is too much",
            too_much(result),
            "over",
            shown=LISTED_COUNT,
            moments=_moments(result.findings, result.balance if result.tips else None),
        ),
        sentence_list("What would help", list(suggestions(result)), "help", shown=LISTED_COUNT),
        sentence_list(
            "Close to a limit",
            close_calls(result),
            "near",
            shown=LISTED_COUNT,
            moments=_moments(result.near_misses, result.balance if _is_near(result) else None),
        ),
    ]
    shown = [part for part in parts if part is not None]
    return element("section", *shown, class_="lists") if shown else None


def _is_near(result: CheckResult) -> bool:
    return result.balance is not None and result.balance.is_near


def _moments(findings: tuple[Finding, ...], balance: BalanceFinding | None) -> list[tuple[float, str]]:
    """When what a list tells of is at its worst [s], and at which axis; balance stands first, as in the list."""
    first = [] if balance is None else [(balance.time, "")]
    return first + [(one.time, one.axis) for one in findings]


def _notes(result: CheckResult) -> Markup:
    usage = result.usage
    made = [
        f"Between frames the motion is the cubic spline through all frames; {len(usage.times)} moments were looked at, "
        f"{rounded(len(usage.times) / max(1, len(usage.frame_times)), 2)} for each frame. Frames count from 0.",
        "Range: distance from the middle of the range in half ranges. Speed, acceleration and jerk: derivatives of the "
        "spline against the limits. Torque: what the motors must give (rigid bodies, recursive Newton-Euler) against "
        "what they can give at that speed; a motor that brakes is not weakened by its speed.",
        f"Source of the clip: {result.clip.source or 'not stated'}. Made by animato {__version__}.",
    ]
    ghost = [] if result.ghost is None else [f"Dashed: the artist's motion, {result.ghost.source or 'not stated'}."]
    return notes_section(capitalized(note) for note in (*result.notes, *ghost, *made))
