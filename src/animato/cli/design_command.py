"""`animato design`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.flags import flags, unset
from animato.cli.options import DOES_NOT_FIT, FITS, Base, CharacterName, OtherMotion, OutFile, check_suffix
from animato.cli.terminal import say, working
from animato.design.options import DesignWeights, Options
from animato.errors import OptionError


def _weights_named() -> type[DesignWeights]:
    """Weights whose flags say what they are: --limits-weight."""
    named = [
        (one.name, Annotated[float, arg(name=f"{one.name}-weight", metavar="X")], one.default)
        for one in fields(DesignWeights)
    ]
    made = make_dataclass("DesignWeights", named, bases=(DesignWeights,), frozen=True, eq=False)
    made.__doc__ = DesignWeights.__doc__
    return made


if TYPE_CHECKING:
    DesignFlags = Options
else:
    _Weights = _weights_named()
    _Options = make_dataclass("Options", [("weights", _Weights, _Weights())], bases=(Options,), frozen=True, eq=False)
    _Options.__doc__ = Options.__doc__
    DesignFlags = flags(_Options, clearance_pairs="BODY BODY")
AS_USUAL: Options = unset(DesignFlags)


def design(
    character: Positional[CharacterName],
    /,
    *,
    target: Annotated[str, arg(metavar="TARGET")],
    weight: Annotated[tuple[str, ...], arg(metavar="NAME=FACTOR", help_behavior_hint="(default: 1 each)")] = (),
    follow: Annotated[tuple[str, ...], arg(metavar="NAME", help_behavior_hint="(default: all)")] = (),
    mapping: Annotated[dict[str, str] | None, arg(name="map", metavar="NAME COLUMN", help_behavior_hint="")] = None,
    performer: Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="")] = None,
    controls: OtherMotion = None,
    rate_hz: Annotated[float | None, arg(metavar="HZ", help_behavior_hint="(default: the file's)")] = None,
    designing: DesignFlags = AS_USUAL,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("design.yaml"),
    table: OutFile = None,
    clip: OutFile = None,
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the design)")] = None,
    json: OutFile = None,
    base: Base = "auto",
) -> int:
    """Place the joints so that the character can do the motion.

    Args:
        character: Whose configurable joints are placed.
        target: Paths of its end-points, markers or bodies (.csv, .json, .npz, .trc). Or a shipped target: kickbot,
            legs, bear and biker for the characters of these names, four_bar for adjustable_four_bar.
        weight: Targets that count more or less, such as torso=2.
        follow: Only these points of the file.
        mapping: Which point of the file a point of the character follows, where names differ.
        performer: Of a clip: who performs it, such as a rig; its points of the same names are followed.
        controls: A clip of what the motors do now: where the search begins and what pulls them. Found where not given.
        rate_hz: Steps a second.
        designing: Of the design.
        out: The character file of the design, .yaml; not written where the design cannot be used.
        table: Its joints as a table for whoever builds it, .csv.
        clip: The motion of all its joints, .npz or .csv.
        page: The page to write.
        json: Also write the result for machines.
        base: Whether a URDF robot is held or floats.
    """
    from animato.design import build, solve
    from animato.formats import load_character
    from animato.gallery.design import requested_motion, save_design
    from animato.loading import load_clip
    from animato.report.design import design_text, save_json

    for path, what, *allowed in (
        (out, "the design", ".yaml", ".yml"),
        (table, "the joints", ".csv"),
        (clip, "the motion", ".npz", ".csv"),
        (page, "the page", ".html", ".htm"),
        (json, "the result", ".json"),
    ):
        check_suffix(path, what, *allowed)
    with working("reading") as progress:
        model = load_character(character, base=base)
        motion, asked = requested_motion(
            model,
            target,
            designing,
            weights=parsed_weights(weight),
            controls=None if controls is None else load_clip(controls, model),
            performer=None if performer is None else load_character(performer, base=base),
            follow=follow,
            mapping=mapping,
            rate_hz=rate_hz,
        )
        progress.stage("building the problem")
        solution = solve(build(model, motion, asked), progress=progress)
        progress.stage("writing the page")
        where = solution.save_page(page or out.with_suffix(".html"))
        if json is not None:
            save_json(json, solution)
        written = save_design(solution, out, table=table, clip=clip)
    for sentence in (*design_text(solution), *written, f"The page: {where}"):
        say(sentence)
    return FITS if solution.met else DOES_NOT_FIT


def parsed_weights(words: Sequence[str]) -> dict[str, float]:
    """Weights from words such as "torso=2"."""
    found: dict[str, float] = {}
    for word in words:
        name, equals, value = word.rpartition("=")
        try:
            found[name] = float(value)
        except ValueError:
            equals = ""
        if not (name and equals):
            raise OptionError(f"A weight is NAME=FACTOR, such as torso=2, not '{word}'.")
    return found
