"""The page of mimic: the person and the robot side by side, and what had to give way for balance and torque."""

from __future__ import annotations

from pathlib import Path

from animato.formats.files import write_whole
from animato.mimic import Solution
from animato.outcome import Progress, announcer
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    notes_section,
    player_script,
    section,
    sentence_list,
    strip_legend,
    usage_strip,
    verdict_header,
    whole_page,
)
from animato.report.mimic.charts import draw_contacts, draw_errors, draw_landmarks, draw_margin, draw_timing
from animato.report.mimic.footprints import draw_footprints
from animato.report.mimic.holding import draw_holders, held_strip
from animato.report.mimic.moments import mapping_picture, mapping_table, moment_cards
from animato.report.mimic.playing import PLAYER, pair_player
from animato.report.mimic.shown import Shown, gather, plain
from animato.report.mimic.words import (
    balance_words,
    beyond_words,
    capture_name,
    cost_words,
    doubt_words,
    facts,
    feet_words,
    given_up_moments,
    given_up_sentences,
    held_sentences,
    limit_moments,
    limit_sentences,
    slowed_words,
    verdict_words,
)
from animato.version import __version__

_SLOWED = 0.05  # percent; less is nothing to draw


def mimic_page(shown: Shown, *, pictures: bool = True, progress: Progress | None = None) -> str:
    """The whole page as HTML.

    Args:
        shown: A solution, with what is shown of it.
        pictures: Whether to draw the robot.
        progress: Told what is being worked on.
    """
    solution = shown.solution
    title = f"{solution.problem.character.name} mimics {capture_name(solution)}"
    slowed = solution.slowed_percent >= _SLOWED
    announcer(progress)("drawing the page")
    body = element(
        "main",
        _header(shown, title),
        section("Side by side", _PLAYER, pair_player(shown, still=pictures)),
        _lists(shown),
        section("Moments", _MOMENTS, moment_cards(shown)) if pictures else None,
        section("Balance", _BALANCE, draw_footprints(shown), draw_margin(shown, PLAYER)),
        section("Contacts", _CONTACTS, draw_contacts(shown, PLAYER)),
        section("What was given up, and when", _ERRORS, draw_errors(shown, PLAYER), draw_landmarks(shown)),
        _margins(solution),
        _bare_section("What holds which frame", _HOLDS, held_strip(shown, PLAYER), _card(draw_holders(shown, PLAYER))),
        section("Where it is slower", _SLOWER, draw_timing(shown, PLAYER)) if slowed else None,
        section("Who is who", _MAPPING, mapping_picture(shown) if pictures else None, mapping_table(shown)),
        _notes(shown),
    )
    return whole_page(title, body, player_script(), styles=(PLAYER_STYLE, "bending_page.css", "mimic_page.css"))


def save_page(
    path: str | Path,
    solution: Solution,
    *,
    shown: Shown | None = None,
    pictures: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, mimic_page(shown or gather(solution), pictures=pictures, progress=progress))


_NOTHING = "nothing: no key-point is farther off for balance and torque"
_FREE = "nothing: no limit is nearly reached anywhere"
_PLAYER = (
    "On the left the person of the capture, on the right the robot with the person's bones over it as thin lines. "
    "Blue-green is left, orange is right. The green patch is where the soles stand, the green dot the ZMP: inside the "
    "patch it does not tip. The mesh says which parts of the body are near which others. Charts, strips and sentences "
    "below share its time: a click takes it there."
)
_MOMENTS = (
    "The person with markers and interaction mesh, the robot with the same mesh between its own markers (yellow)."
)
_BALANCE = (
    "The floor from above: soles where they stand (blue left, orange right) and the path of the ZMP, the point about "
    "which the floor's push has no moment. It must be inside the hull of the soles that stand."
)
_CONTACTS = (
    "Heels and toes apart, as labelled from the person and planned for the robot. Blue is left, orange is right."
)
_ERRORS = (
    "Distance of each landmark from the person's, both from the pelvis and the person scaled. Orange is the motion "
    "that only follows the person and its contacts; blue is the one that also keeps balance and torque."
)
_MARGINS = "Each line is a joint, time runs to the right. The number is the largest share. "
_HOLDS = (
    "The same for what may hold the whole motion: where a row is orange, more likeness would cost it. Below: which "
    "joint it is, and when; the longest first, with the share of the frames."
)
_SLOWER = "Where torque or speed did not allow the person's pace, time gave way before shape."
_MAPPING = (
    "Which bone or marker of the capture is which landmark, and where the robot has it. Found by names, shape and "
    "pose; it can be saved, corrected and used again."
)


def _lists(shown: Shown) -> Markup:
    given_up, solution = given_up_sentences(shown), shown.solution
    return element(
        "section",
        sentence_list("What was given up", given_up or [_NOTHING], "help", moments=given_up_moments(shown)),
        sentence_list("What holds the motion", held_sentences(shown) or [_FREE], "help"),
        sentence_list("What it asks of the motors", limit_sentences(solution), "help", moments=limit_moments(solution)),
        class_="lists",
    )


def _margins(solution: Solution) -> Markup:
    labels = [plain(axis.name) for axis in solution.usage.axes]
    return element(
        "section",
        element("h2", "Margins of every limit"),
        element("p", _MARGINS, strip_legend(), class_="lead"),
        usage_strip(solution.usage, player=PLAYER, labels=labels),
    )


def _bare_section(title: str, words: str, *content: Markup | None) -> Markup:
    """A section whose content has a border of its own."""
    return element("section", element("h2", title), element("p", words, class_="lead"), *content)


def _card(content: Markup | None) -> Markup | None:
    return None if content is None else element("div", content, class_="card", style="margin-top:16px")


def _header(shown: Shown, title: str) -> Markup:
    solution = shown.solution
    outcome = solution.outcome
    answer = "Not to be used"
    if outcome.usable:
        answer = "It stays on its feet" if solution.problem.options.balance else "It follows the person"
    stands = f"{balance_words(shown)} {feet_words(shown)}"
    verdicts = [verdict_words(shown), stands, f"{cost_words(shown)} {slowed_words(solution)}"]
    verdicts += [*beyond_words(solution), *doubt_words(solution)]
    return verdict_header("mimic", title, "fits" if outcome.usable else "over", answer, verdicts, facts(shown))


def _notes(shown: Shown) -> Markup:
    solution = shown.solution
    problem, options = solution.problem, solution.problem.options
    unique = dict.fromkeys((*problem.notes, *solution.notes, *solution.usage.notes))
    notes = [
        *unique,
        f"{len(problem.times)} knots at {options.rate_hz:g} a second, friction {options.friction:g}, "
        f"{100.0 * options.margin:g} % of every limit and {options.sole_margin_mm:g} mm of the soles' rim left unused.",
        "Key-points: " + ", ".join(problem.landmarks).replace("_", " ") + ".",
        f"{solution.outcome.reason[:1].upper()}{solution.outcome.reason[1:]}. Made by animato {__version__}.",
    ]
    return notes_section(notes)
