"""`animato mimic`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

from tyro.conf import Positional, arg

from animato.cli.line import (
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    OtherMotion,
    OutFile,
    check_suffix,
    flags,
    say,
    unset,
    working,
)
from animato.errors import AnimatoError, MotionError, OptionError
from animato.library import LIBRARY
from animato.mimic.options import Options

if TYPE_CHECKING:
    from animato.character import Character
    from animato.formats import MotionReading
    from animato.mimic.problem import Emphasis, Problem

    MimicFlags = Options
else:
    MimicFlags = flags(Options)
AS_USUAL: Options = unset(MimicFlags)
CaptureName = Annotated[
    str, arg(metavar="CAPTURE", help="A .bvh, .amc, .c3d, .trc, .glb or .npz file, or a shipped capture's name.")
]
_CAPTURES = (".bvh", ".amc", ".c3d", ".trc", ".glb", ".npz", ".npy", ".csv")
_NUMBER = r"\d+(?:\.\d+)?"
InFile = Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="")]


def mimic(
    capture: Positional[CaptureName],
    /,
    *,
    robot: CharacterName,
    wanted: MimicFlags = AS_USUAL,
    emphasize: Annotated[tuple[str, ...], arg(metavar="NAME=WEIGHT[@START-END]", help_behavior_hint="")] = (),
    mapping: InFile = None,
    save_mapping: OutFile = None,
    contacts: InFile = None,
    save_contacts: OutFile = None,
    start: OtherMotion = None,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("mimicked.csv"),
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the clip)")] = None,
    json: OutFile = None,
    export_csv: OutFile = None,
    export_npz: OutFile = None,
    export_hz: Annotated[float, arg(metavar="HZ")] = 30.0,
    metres_per_unit: Annotated[float | None, arg(metavar="M", help_behavior_hint="(default: guessed)")] = None,
    up_axis: Literal["auto", "y", "z"] = "auto",
    capture_hz: Annotated[float | None, arg(metavar="HZ", help_behavior_hint="(default: as it says)")] = None,
    skeleton: InFile = None,
    animation: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="")] = None,
    base: Base = "float",
) -> int:
    """Have a humanoid do what a person did, in balance and inside its motors' limits.

    Args:
        capture: What a person did.
        robot: Who is to do it: a humanoid with a floating base.
        wanted: What is wanted.
        emphasize: Landmarks that count more or less: left_wrist=5, head=0, right_toe=10@1.5-2 from 1.5 to 2 s.
        mapping: Which bones or markers are which places of the robot, where what is found by itself is wrong.
        save_mapping: Also write what was found, to be changed and given as `--mapping`.
        contacts: What the feet do, where what is found from the capture is wrong.
        save_contacts: Also write what was found, to be changed and given as `--contacts`.
        start: A clip to begin from, as an earlier run has written it.
        out: The clip to write, .csv or .npz.
        page: The page to write.
        json: Also write the result for machines.
        export_csv: Also write base x, y, z, quaternion x, y, z, w and joints without a header, for training tools.
        export_npz: Also write qpos, joints, poses of bodies and contacts, for training tools.
        export_hz: Frames a second of both.
        metres_per_unit: Of a capture that does not say it.
        up_axis: Of a capture that does not say it.
        capture_hz: Frames a second of a capture that does not say them.
        skeleton: The .asf of an .amc, where it is not beside it.
        animation: Which one of a .glb with several.
        base: Whether a URDF robot is held or floats.
    """
    from animato.formats import load_character, save_motion
    from animato.loading import load_clip
    from animato.mimic.contacts import save_contacts as write_contacts
    from animato.mimic.mapping import mapping_of
    from animato.mimic.mapping import save_mapping as write_mapping
    from animato.mimic.optimization import solve
    from animato.report.mimic import gather, mimic_text, save_exports, save_json, save_page

    for path, what, endings in (
        (out, "the clip", (".csv", ".npz")),
        (page, "the page", (".html", ".htm")),
        (json, "the result", (".json",)),
        (export_csv, "the motion for training", (".csv",)),
        (export_npz, "the motion for training", (".npz",)),
        (save_mapping, "the mapping", (".yaml", ".yml")),
        (save_contacts, "the contacts", (".yaml", ".yml")),
    ):
        check_suffix(path, what, *endings)
    _refuse_swapped(capture, robot)
    with working("reading") as progress:
        model = load_character(robot, base=base)
        told = {
            "up_axis": None if up_axis == "auto" else up_axis,
            "metres_per_unit": metres_per_unit,
            "rate_hz": capture_hz,
            "skeleton": skeleton,
            "animation": animation,
        }
        how = cast("MotionReading", {name: value for name, value in told.items() if value is not None})
        problem = _problem(capture, how, model, wanted, mapping, contacts, emphasize)
        written = []
        if save_mapping is not None:
            written.append(f"The mapping: {write_mapping(save_mapping, mapping_of(problem.person, problem.anatomy))}")
        if save_contacts is not None:
            written.append(f"The contacts: {write_contacts(save_contacts, problem.plan)}")
        solution = solve(problem, start=None if start is None else load_clip(start, model), progress=progress)
        save_motion(out, solution.clip, model)
        shown = gather(solution)
        where = save_page(page or out.with_suffix(".html"), solution, shown=shown, progress=progress)
        written += [f"The clip: {out}", f"The page: {where}"]
        written += save_exports(solution, csv=export_csv, npz=export_npz, rate_hz=export_hz)
        if json is not None:
            save_json(json, solution, shown)
    for sentence in (*mimic_text(shown), *written):
        say(sentence)
    return FITS if solution.outcome.usable else DOES_NOT_FIT


def _problem(
    capture: str,
    how: MotionReading,
    model: Character,
    wanted: Options,
    mapping: Path | None,
    contacts: Path | None,
    emphasize: tuple[str, ...],
) -> Problem:
    """What is asked for, with what the files say."""
    from animato.formats import load_motion
    from animato.mimic.contacts import load_contacts
    from animato.mimic.mapping import load_mapping
    from animato.mimic.problem import build
    from animato.motion import CapturedMotion, MarkerMotion

    options = Options(**{one.name: getattr(wanted, one.name) for one in fields(Options)})
    with _flag_names({"rate_hz": "capture_hz"}):
        motion = load_motion(capture, **how)
    if not isinstance(motion, CapturedMotion | MarkerMotion):
        raise MotionError(
            f"{capture} holds no captured person but a {type(motion).__name__.lower()}. A capture is a skeleton (.bvh, "
            ".amc, .glb), markers (.c3d, .trc) or joints of a body model (.npz); person_wave comes with animato."
        )
    known = None if mapping is None else load_mapping(mapping)
    with _flag_names({"sources": "mapping", "points": "mapping", "soles": "mapping"}):
        return build(
            model,
            motion,
            options,
            mapping=known,
            contacts=() if contacts is None else load_contacts(contacts),
            emphasis=[emphasis_from(one) for one in emphasize],
        )


@contextmanager
def _flag_names(names: dict[str, str]) -> Iterator[None]:
    """Parameters that are called otherwise here, in what the library says of them."""
    try:
        yield
    except AnimatoError as error:
        told = str(error)
        for name, own in names.items():
            told = told.replace(f"`{name}`", f"`{own}`")
        error.args = (told,)
        raise


def _refuse_swapped(capture: str, robot: str) -> None:
    """Says how it goes where the robot stands in the place of the capture and the other way round."""
    shipped = robot.isidentifier() and any((LIBRARY / "clips").glob(f"{robot}.*"))
    is_motion = shipped or Path(robot).suffix.lower() in _CAPTURES
    if is_motion and (Path(capture).suffix == ".urdf" or (LIBRARY / "characters" / f"{capture}.yaml").is_file()):
        raise OptionError(
            f"'{robot}' is a motion and '{capture}' a character. Did you mean: animato mimic {robot} --robot {capture}?"
        )


def emphasis_from(words: str) -> Emphasis:
    """What "left_wrist=5@1.5-2" says."""
    from animato.mimic.problem import Emphasis

    found = re.fullmatch(rf"(\w+)=({_NUMBER})(?:@({_NUMBER})-({_NUMBER}))?", words, re.ASCII)
    if found is None:
        raise OptionError(
            f"`emphasize` is a landmark and its weight, such as left_wrist=5, or left_wrist=5@1.5-2 from 1.5 to 2 s; "
            f"given '{words}'."
        )
    numbers = (None if one is None else float(one) for one in found.groups()[2:])
    return Emphasis(found[1], float(found[2]), *numbers)
