"""`animato design`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from tyro.conf import OmitArgPrefixes, Positional, UseAppendAction, arg

from animato.cli.line import DOES_NOT_FIT, FITS, Base, CharacterName, OutFile, check_suffix, flags, say, unset, working
from animato.design.options import DesignWeights, Options
from animato.errors import MechanismError, OptionError


def _weights_named() -> type[DesignWeights]:
    """Weights whose flags say what they are: --limits-weight."""
    named = [
        (one.name, Annotated[float, arg(name=f"{one.name}-weight", metavar="X")], one.default)
        for one in fields(DesignWeights)
    ]
    made = make_dataclass("DesignWeights", named, bases=(DesignWeights,), frozen=True, eq=False)
    made.__doc__ = DesignWeights.__doc__
    return made


@dataclass(frozen=True)
class _Placing:
    """Where a file of targets lies, and what it does not say about itself.

    Attributes:
        scale: Factor on all places of the file.
        place: Where the origin of the file is, and its turn about z.
        fit: Scale, turn about z and move the file so that its first moment fits the character at rest.
        turns: Of a skeleton: follow turns of bones too, from the first moment on.
        first_frame: Of a skeleton: frames to leave out at the start, such as a T-pose.
        metres_per_unit: Of a skeleton: its unit.
        up_axis: Of a skeleton or markers: which way is up.
        animation: Of a .glb: its name, where there are several.
    """

    scale: Annotated[float | None, arg(metavar="X", help_behavior_hint="(default: 1)")] = None
    place: Annotated[tuple[float, float, float, float] | None, arg(metavar="X Y Z DEG", help_behavior_hint="")] = None
    fit: bool = False
    turns: bool = False
    first_frame: Annotated[int | None, arg(metavar="N", help_behavior_hint="")] = None
    metres_per_unit: Annotated[float | None, arg(metavar="X", help_behavior_hint="(default: guessed)")] = None
    up_axis: Annotated[Literal["y", "z"] | None, arg(metavar="{y,z}", help_behavior_hint="(default: guessed)")] = None
    animation: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="")] = None

    def stated(self) -> Any:
        """The keywords of a `TargetReading`."""
        said = {name: getattr(self, name) for name in ("first_frame", "metres_per_unit", "up_axis", "animation")}
        reading = {name: value for name, value in said.items() if value is not None}
        return {"scale": self.scale, "place": self.place, "fit": self.fit, "turns": self.turns, "reading": reading}


if TYPE_CHECKING:
    from animato.character import Character
    from animato.design.optimization import Solution
    from animato.design.problem import TargetMotion
    from animato.design.study import ChoiceResult
    from animato.outcome import Progress

    DesignFlags = Options
    PlacingFlags = _Placing
else:
    PlacingFlags = Annotated[_Placing, OmitArgPrefixes]
    _Weights = _weights_named()
    _Options = make_dataclass("Options", [("weights", _Weights, _Weights())], bases=(Options,), frozen=True, eq=False)
    _Options.__doc__ = Options.__doc__
    DesignFlags = flags(_Options, clearance_pairs="BODY BODY")
AS_USUAL: Options = unset(DesignFlags)
AS_IT_LIES = _Placing()


def design(
    character: Positional[CharacterName],
    /,
    *,
    target: Annotated[tuple[str, ...], arg(metavar="TARGET"), UseAppendAction] = (),
    free: Annotated[tuple[str, ...], arg(metavar="NAME:WHAT[:FAR]"), UseAppendAction] = (),
    handle: Annotated[tuple[str, ...], arg(metavar="HANDLE"), UseAppendAction] = (),
    choose: Annotated[tuple[str, ...], arg(metavar="JOINT=ONE|OTHER"), UseAppendAction] = (),
    weight: Annotated[tuple[str, ...], arg(metavar="NAME=FACTOR", help_behavior_hint="(default: 1 each)")] = (),
    follow: Annotated[tuple[str, ...], arg(metavar="NAME", help_behavior_hint="(default: all)")] = (),
    mapping: Annotated[dict[str, str] | None, arg(name="map", metavar="NAME COLUMN", help_behavior_hint="")] = None,
    performer: Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="")] = None,
    controls: Annotated[tuple[str, ...], arg(metavar="CLIP"), UseAppendAction] = (),
    rate_hz: Annotated[float | None, arg(metavar="HZ", help_behavior_hint="(default: the file's)")] = None,
    placing: PlacingFlags = AS_IT_LIES,
    designing: DesignFlags = AS_USUAL,
    inaccurate: Annotated[tuple[float, float] | None, arg(metavar="M DEG", help_behavior_hint="")] = None,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("design.yaml"),
    as_built: OutFile = None,
    table: OutFile = None,
    clip: OutFile = None,
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the design)")] = None,
    json: OutFile = None,
    base: Base = "auto",
) -> int:
    """Set lengths, places and axes of joints so that the character can do the motion.

    Args:
        character: Whose configurable joints are set.
        target: Paths of its end-points, markers or bodies (.csv, .json), markers (.npz, .trc, .c3d) or a skeleton
            (.bvh, .glb, .amc). Or a shipped target: kickbot, legs, bear and biker for the characters of these names,
            four_bar for adjustable_four_bar. Several are one design for all of them. None, with controls and a
            handle, edits what is done now.
        free: More to design: JOINT:axis, JOINT:orientation (how far in degrees), JOINT:position (metres along x,y,z),
            BODY:length (metres).
        handle: A pull on a target: "pen at 1.2s move 0,0,0.05 turn 0,0,10 width 0.4", in metres, degrees, seconds.
        choose: Ways to build a joint, of which all are tried: types, roles, servos, or same for as it is.
        weight: Targets that count more or less, such as torso=2.
        follow: Only these points of the file.
        mapping: Which point or bone of the file a point of the character follows, where names differ.
        performer: Of a clip: who performs it, such as a rig; its points of the same names are followed.
        controls: A clip of what the motors do now, one a target: where the search begins and what pulls them; what
            must keep to it exactly is said by hold. Found where not given.
        rate_hz: Steps a second.
        placing: Of the files.
        designing: Of the design.
        inaccurate: How far off joints are built [m and deg, one standard deviation]; the page says what it does.
        out: The character file of the design, .yaml; not written where the design cannot be used.
        as_built: The same with the design made one with the bodies, .yaml.
        table: Its joints as a table for whoever builds it, .csv.
        clip: The motion of all its joints, .npz or .csv.
        page: The page to write.
        json: Also write the result for machines.
        base: Whether a URDF robot is held or floats.
    """
    from animato.design import design_tolerances, freed
    from animato.formats import load_character
    from animato.gallery.design import requested_motions, save_design
    from animato.loading import load_clip
    from animato.report.design import choice_words, design_text, save_json, save_page, spread_words

    for path, what, *allowed in (
        (out, "the design", ".yaml", ".yml"),
        (as_built, "the design", ".yaml", ".yml"),
        (table, "the joints", ".csv"),
        (clip, "the motion", ".npz", ".csv"),
        (page, "the page", ".html", ".htm"),
        (json, "the result", ".json"),
    ):
        check_suffix(path, what, *allowed)
    with working("reading") as progress:
        model = freed(load_character(character, base=base), free)
        motions, asked = requested_motions(
            model,
            target,
            designing,
            handles=handle,
            weights=parsed_weights(weight),
            controls=[load_clip(one, model) for one in controls],
            performer=None if performer is None else load_character(performer, base=base),
            follow=follow,
            mapping=mapping,
            rate_hz=rate_hz,
            **placing.stated(),
        )
        progress.stage("building the problem")
        solution, tried = solved(model, motions, asked, choose, progress)
        spread = None
        if inaccurate is not None:
            progress.stage("building it with inaccurate parts")
            length, angle = inaccurate
            spread = design_tolerances(solution.optimized, length_m=length, angle_rad=math.radians(angle))
        progress.stage("writing the page")
        where = save_page(page or out.with_suffix(".html"), solution, choices=tried, spread=spread)
        if json is not None:
            save_json(json, solution)
        written = save_design(solution, out, table=table, clip=clip, as_built=as_built)
    told = [*choice_words(tried), *design_text(solution), *([] if spread is None else [spread_words(spread)])]
    for sentence in (*told, *written, f"The page: {where}"):
        say(sentence)
    return FITS if solution.met else DOES_NOT_FIT


def solved(
    model: Character, motions: tuple[TargetMotion, ...], options: Options, choose: Sequence[str], progress: Progress
) -> tuple[Solution, tuple[ChoiceResult, ...]]:
    """The design, and all candidates where there is something to choose.

    Raises:
        MechanismError: No candidate can be built.
    """
    from animato.design import alternatives_from, build, candidates, solve, solve_choices

    if not choose:
        return solve(build(model, motions, options), progress=progress), ()
    tried = solve_choices(candidates(model, alternatives_from(choose)), motions, options)
    best = next((one.solution for one in tried if one.solution is not None), None)
    if best is None:
        told = " ".join(f"{one.candidate.label}: {one.reason}" for one in tried[:4])
        raise MechanismError(f"None of the {len(tried)} choices can be built. {told}")
    return best, tried


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
