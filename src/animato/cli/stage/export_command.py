"""`animato export`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.line import FITS, Base, as_flags, flags, is_character, is_motion, say, unset, working
from animato.cli.stage.map_beside import refuse_unread_map
from animato.cli.stage.reading_flags import FILE_AS_STATED, FileReading, as_read, stated
from animato.errors import AnimatoError, OptionError
from animato.stage.exporting import ExportOptions

if TYPE_CHECKING:
    from typing import Any

    from animato.character import Character
    from animato.motion import Clip
    from animato.outcome import Progress
    from animato.stage.exporting import Exported, Format

    FormatFlags = Any
    ReadingFlags = Any
else:
    ReadingFlags = FileReading
    FormatFlags = flags(ExportOptions, antennas="RIGHT LEFT", sound="FILE", head="BODY", body_yaw="COORDINATE")
AS_USUAL = unset(FormatFlags)

ClipNames = Annotated[
    tuple[str, ...],
    arg(
        metavar="CLIP [CLIP ...]",
        help="A .npz, .csv or .bvh file, or a shipped clip's name; several for lerobot.",
        help_behavior_hint="",
    ),
]
Robot = Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="")]
Place = Annotated[
    Path | None, arg(metavar="FILE", aliases=["-o"], help_behavior_hint="(default: named after the clip, here)")
]
Rate = Annotated[
    float | None, arg(metavar="HZ", aliases=["--rate"], help_behavior_hint="(default: as the format's readers expect)")
]
ServoMap = Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: that of the character's file)")]


def export(
    clips: Positional[ClipNames] = (),
    /,
    *,
    robot: Robot = None,
    to: Annotated[str | None, arg(metavar="FORMAT", help_behavior_hint="")] = None,
    out: Place = None,
    rate_hz: Rate = None,
    servos: ServoMap = None,
    check: Annotated[bool, arg(help_behavior_hint="(default: say so)")] = True,
    names: Annotated[bool, arg(name="list", help_behavior_hint="")] = False,
    base: Base = "auto",
    reading: ReadingFlags = FILE_AS_STATED,
    formats: FormatFlags = AS_USUAL,
) -> int:
    """Write a clip as a file of another program, and say what that file does not hold.

    Args:
        clips: What is exported.
        robot: Whose motion it is: a shipped character's name, or a .yaml, .urdf, .xml or .usda file.
        to: The format; --list names all.
        out: The file or folder to write.
        rate_hz: Frames a second.
        servos: A servo map in a file of its own.
        check: Say where the clip asks too much of the robot; the file is written all the same.
        names: Only name the formats.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
        formats: What only some formats take; --list says which.
    """
    from animato.formats import load_character
    from animato.formats.character_yaml import with_servo_map
    from animato.loading import load_clip_and_losses
    from animato.stage.exporting import FORMATS, export, export_many

    if names or to == "list":
        _say_formats(FORMATS)
        return FITS
    if not clips or robot is None or to is None:
        given = {"a clip": bool(clips), "`robot=CHARACTER`": robot is not None, "`to=FORMAT`": to is not None}
        missing = " and ".join(what for what, there in given.items() if not there)
        raise OptionError(
            f"Give a clip, `robot=CHARACTER` and `to=FORMAT`; missing: {missing}. `list` names the formats."
        )
    if is_character(clips[0]) and is_motion(robot):
        raise OptionError(
            f"'{clips[0]}' is a character and '{robot}' a motion. Did you mean: animato export {robot} "
            f"--robot {clips[0]} --to {to}?"
        )
    suffix = FORMATS[to].suffix if to in FORMATS else ""
    place = out or Path(f"{Path(clips[0]).stem}_{to.replace('-', '_')}{suffix}")
    if out is not None and suffix and out.suffix.lower() != suffix:
        raise OptionError(f"A file of {to} ends in {suffix}; given '{out}'.")
    _refuse_over_source(place, (*clips, robot, *([] if servos is None else [servos])))
    with working("reading") as progress:
        model = load_character(robot, base=base)
        if servos is not None:
            model = with_servo_map(model, servos)
        if to in FORMATS and FORMATS[to].for_servos:
            refuse_unread_map(robot, model, servos)
        read = [load_clip_and_losses(one, model, **stated(reading)) for one in clips]
        motions = [replace(clip, source=Path(one).stem) for one, (clip, _) in zip(clips, read, strict=True)]
        doubts = [doubt for one in motions if check for doubt in _doubts(model, one, progress)]
        progress.stage("writing")
        said = formats.stated()
        if len(motions) == 1:
            done = export(place, model, motions[0], to=to, rate_hz=rate_hz, **said)
        else:
            done = export_many(place, model, motions, to=to, rate_hz=rate_hz, **said)
    for one, (_, losses) in zip(clips, read, strict=True):
        for loss in losses:
            say(f"note: {Path(one).name}: {as_flags(as_read(loss))}")
    for doubt in doubts:
        say(f"note: {doubt}")
    _say_done(done, FORMATS[to])
    return FITS


def _refuse_over_source(place: Path, sources: Sequence[str | Path]) -> None:
    """Refuses to write over what is read: what the other format does not hold would be lost for good."""
    for one in sources:
        if place.is_file() and Path(one).is_file() and place.samefile(one):
            raise OptionError(f"`out` is '{place}', which is what is exported or its robot; choose another name.")


def _doubts(model: Character, motion: Clip, progress: Progress) -> list[str]:
    """What the robot cannot do of it, in a sentence, and the command that helps."""
    from animato.findings import check

    try:
        outcome = check(model, motion, clip_name=motion.source, progress=progress).outcome
    except AnimatoError as error:
        return [f"{motion.source} was not checked against the robot's limits: {error}"]
    if outcome.usable:
        return []
    return [f"The robot cannot do {motion.source} as it is: {outcome.reason} Run animato fix on it."]


def _say_formats(formats: dict[str, Format]) -> None:
    for name, one in formats.items():
        rate = "" if one.rate_hz is None else f", {one.rate_hz:g} frames a second"
        say(f"{name:22} {one.title}: a {one.suffix or 'folder'}{' file' if one.suffix else ''}{rate}")
        if one.options:
            say(f"{'':22} {as_flags(', '.join(f'`{option}`' for option in one.options))}")


def _say_done(done: Exported, chosen: Format) -> None:
    for note in done.left_out:
        say(f"note: {as_flags(note)}")
    for file in done.files:
        say(f"Written: {file}")
    if chosen.hint:
        say(f"Then: {chosen.hint.format(file=done.files[0], name=done.files[0].stem)}")
