"""The command line: parses, calls one function, prints."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro
from tyro.conf import OmitArgPrefixes, Positional, arg

from animato.errors import AnimatoError

if TYPE_CHECKING:
    from rich.console import Console

FITS, DOES_NOT_FIT, WRONG_INPUT, BROKEN = 0, 1, 2, 3
"""What the program's exit status says to a script."""

CharacterName = Annotated[
    str, arg(metavar="CHARACTER", help="A shipped character's name, or a .yaml, .urdf or .xml file.")
]
MotionName = Annotated[str, arg(metavar="CLIP", help="A .npz, .csv, .bvh or .glb file, or a shipped clip's name.")]
Base = Annotated[Literal["auto", "ground", "float"], arg(help="For URDF: whether the robot is held or floats.")]
OtherMotion = Annotated[str | None, arg(metavar="CLIP")]
OutFile = Annotated[Path | None, arg(metavar="FILE")]


@dataclass(frozen=True)
class MotionOptions:
    """How to read motion files that do not say everything about themselves.

    Attributes:
        map: For captures: which bone a joint follows, where names differ.
        first_frame: For BVH: frames to leave out at the start, such as a T-pose.
        metres_per_unit: For BVH: its unit; guessed from the size of the skeleton where not given.
        up_axis: For BVH and TRC: which way is up; guessed where not given.
        animation: For GLB: its name, where there are several.
        rate_hz: For CSV without times, and GLB: frames a second.
        smooth_hz: Take out what shakes faster than this; captures are rough, 6 Hz suits people.
    """

    map: Annotated[dict[str, str], arg(metavar="JOINT BONE")] = field(default_factory=dict)
    first_frame: Annotated[int | None, arg(metavar="N")] = None
    metres_per_unit: Annotated[float | None, arg(metavar="M")] = None
    up_axis: Annotated[Literal["y", "z"] | None, arg(metavar="{y,z}")] = None
    animation: Annotated[str | None, arg(metavar="NAME")] = None
    rate_hz: Annotated[float | None, arg(metavar="HZ")] = None
    smooth_hz: Annotated[float | None, arg(metavar="HZ")] = None

    def stated(self) -> dict[str, Any]:
        """What was said on the command line, for the reader of that format."""
        stated = {name: value for name, value in vars(self).items() if name != "map" and value is not None}
        return {**stated, "mapping": self.map} if self.map else stated


HowToRead = Annotated[MotionOptions, OmitArgPrefixes]
AS_STATED = MotionOptions()
"""Take files at their word."""


def check(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    out: Path = Path("report.html"),
    json: OutFile = None,
    artist: OtherMotion = None,
    base: Base = "auto",
    how: HowToRead = AS_STATED,
) -> int:
    """Say, before anything moves, whether the robot can do this.

    Args:
        character: What the robot is.
        clip: What it should do.
        out: The page to write.
        json: Also write the result for machines.
        artist: The artist's own clip, drawn as a ghost beside the one that is checked.
        base: Whether a URDF robot is held or floats.
        how: How to read the motion.
    """
    from animato.formats.character_files import load_character
    from animato.formats.motion_files import load_clip, load_clip_and_losses
    from animato.report.check_json import save_check_json
    from animato.report.check_page import save_check_page
    from animato.report.check_text import check_text
    from animato.report.findings import check_clip

    console = _console()
    with console.status("reading") as status:
        model = load_character(character, base=base)
        motion, losses = load_clip_and_losses(clip, model, **how.stated())
        ghost = None if artist is None else load_clip(artist, model, **how.stated())
        result = check_clip(model, motion, ghost, clip_name=Path(clip).stem, remarks=losses, progress=status.update)
        status.update("writing the page")
        if json is not None:
            save_check_json(json, result)
        save_check_page(out, result)
    _console(stderr=False).print(check_text(result))
    _say(f"The page: {out}")
    return FITS if result.fits else DOES_NOT_FIT


def view(
    character: Positional[CharacterName],
    clip: Positional[OtherMotion] = None,
    /,
    *,
    posture: Annotated[str | None, arg(metavar="NAME")] = None,
    ghost: OtherMotion = None,
    png: OutFile = None,
    gif: OutFile = None,
    mp4: OutFile = None,
    time_s: Annotated[float | None, arg(metavar="S")] = None,
    names: bool = False,
    width: int = 960,
    height: int = 720,
    port: int = 8080,
    base: Base = "auto",
    how: HowToRead = AS_STATED,
) -> int:
    """Play a clip in the browser, or render it to a file.

    Args:
        character: What to show.
        clip: What it does; without one it stands still.
        posture: A posture of the character's, instead of a clip.
        ghost: Another clip, drawn translucent.
        png: Render one picture; of a clip, the moment `--time-s` or the whole motion as a strobe.
        gif: Render the clip.
        mp4: Render the clip.
        time_s: Moment of the picture.
        names: Write the names of bodies, joints and end-points into the picture.
        width: Of pictures, in pixels.
        height: Of pictures, in pixels.
        port: Of the player in the browser, on this machine only.
        base: Whether a URDF robot is held or floats.
        how: How to read the motion.
    """
    from animato.formats.character_files import load_character
    from animato.formats.motion_files import load_clip
    from animato.motion import Posture
    from animato.view import annotated, browser, film, picture

    model = load_character(character, base=base)
    motion = None if clip is None else load_clip(clip, character=model, **how.stated())
    other = None if ghost is None else load_clip(ghost, character=model, **how.stated())
    pose = None if posture is None else Posture.named(model, posture)
    if png is not None:
        if names:
            image = annotated.render_annotated(model, posture=pose, width=width, height=height)
        elif motion is not None and time_s is None and other is None:
            image = picture.render_strobe(model, motion, width=width, height=height)
        else:
            image = picture.render_picture(
                model, motion, posture=pose, ghost=other, time=time_s, width=width, height=height
            )
        picture.save_png(png, image)
        _say(f"The picture: {png}")
    for path, save in ((gif, film.save_gif), (mp4, film.save_mp4)):
        if path is None:
            continue
        if motion is None:
            raise AnimatoError("A film needs a clip: animato view CHARACTER CLIP --gif FILE.")
        with _progress("rendering") as advance:
            save(path, model, motion, ghost=other, width=width, height=height, progress=advance)
        _say(f"The film: {path}")
    if png is None and gif is None and mp4 is None:
        browser.play(model, motion, posture=pose, ghost=other, port=port)
    return FITS


def characters(name: Positional[Annotated[str | None, arg(metavar="NAME")]] = None, /) -> int:
    """List the shipped characters, or describe one.

    Args:
        name: A shipped character's name, or a character file.
    """
    from animato.formats.character_files import load_character, shipped_characters
    from animato.report.character_text import character_list, character_text

    console = _console(stderr=False)
    if name is None:
        console.print(character_list([load_character(one) for one in shipped_characters()]))
    else:
        console.print(character_text(load_character(name)))
    return FITS


def convert(
    source: Positional[Annotated[Path, arg(metavar="SOURCE")]],
    target: Positional[Annotated[Path, arg(metavar="TARGET")]],
    /,
    *,
    character: Annotated[str | None, arg(metavar="CHARACTER")] = None,
    base: Base = "auto",
    how: HowToRead = AS_STATED,
) -> int:
    """Turn a character or motion file into another format, and say what is lost.

    Args:
        source: A character (.urdf, .xml, .yaml) or motion (.bvh, .glb, .trc, .csv, .npz) file.
        target: The file to write; its ending says the format.
        character: For captures: copy the bones' angles onto the joints of this character.
        base: Whether a URDF robot is held or floats.
        how: How to read the motion.
    """
    from animato.formats.convert import convert_file

    losses = convert_file(source, target, character=character, base=base, **how.stated())
    for loss in losses:
        _say(f"lost: {loss}")
    _say(f"Written: {target}" + ("" if losses else ", nothing lost"))
    return FITS


def express(
    character: Positional[CharacterName],
    /,
    *,
    posture: Annotated[str, arg(metavar="NAME")],
    end_point: Annotated[str | None, arg(metavar="NAME")] = None,
    targets: Annotated[str | None, arg(metavar="FILE")] = None,
    udp_port: Annotated[int | None, arg(metavar="PORT")] = None,
    udp_host: str = "127.0.0.1",
    rate_hz: float = 100.0,
    target_rate_hz: Annotated[float | None, arg(metavar="HZ")] = None,
    duration_s: Annotated[float | None, arg(metavar="S")] = None,
    smoothness: float = 0.1,
    responsiveness: float = 1.0,
    fast: bool = False,
    quiet: bool = False,
    out: OutFile = None,
    report: OutFile = None,
    base: Base = "auto",
) -> int:
    """Hold a posture while the end-point faces targets that come in live.

    Args:
        character: Who moves.
        posture: The expression to hold, one of the character's postures.
        end_point: What faces, where the character has several end-points.
        targets: A file of targets, one a line: 3 numbers (a point [m]), 4 (wxyz) or JSON; - is standard input.
        udp_port: Take targets from this UDP port instead.
        udp_host: Address to listen on; the default can be reached from this machine only.
        rate_hz: Commands a second.
        target_rate_hz: Lines a second of a file without times; as the commands where not given.
        duration_s: How long; without, until the input has ended and the joints have arrived.
        smoothness: Of the motion, 0 to 1.
        responsiveness: Of the motion, 0 to 1; at 1 a steady target is followed without lag.
        fast: As fast as it goes instead of in real time; standard input is then read like a file.
        quiet: Do not print the commands, one line of JSON each.
        out: Save the commands as a clip.
        report: Save the figures as JSON.
        base: Whether a URDF robot is held or floats.
    """
    import json

    from animato.express.command_lines import CommandLines
    from animato.express.loop import ExpressLoop
    from animato.express.target_sources import open_targets
    from animato.formats.atomic import write_whole
    from animato.formats.character_files import load_character
    from animato.formats.motion_files import save_motion

    if out is not None and out.suffix.lower() not in (".npz", ".csv"):
        raise AnimatoError(f"Cannot save the commands as '{out}': a clip is a .npz or .csv file.")
    model = load_character(character, base=base)
    style: dict[str, Any] = {"smoothness": smoothness, "responsiveness": responsiveness}
    loop = ExpressLoop(model, posture, end_point, rate_hz=rate_hz, record=out is not None, **style)
    source = open_targets(targets, udp_port, udp_host, rate_hz=target_rate_hz or rate_hz, whole=fast)
    perform = loop.play if fast else loop.run
    try:
        with source:
            perform(None if fast or quiet else CommandLines(sys.stdout, loop.stop), seconds=duration_s, source=source)
    except KeyboardInterrupt:
        pass  # the usual way to end a live loop; what it did is still to be told
    figures = loop.report()
    if out is not None:
        save_motion(out, loop.clip(), model)
    if report is not None:
        write_whole(report, json.dumps(figures.as_json(), indent=1))
    for line in figures.lines():
        _say(line)
    return FITS


def demo(
    name: Positional[Literal["house", "express"]] = "house",
    *,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
) -> int:
    """What animato can do, on a page: a clip checked against a robot, or postures that face anything.

    Args:
        name: `house`: a character, a clip that breaks its limits, and the page that says where. `express`:
            errors of the facing solvers, a posture that faces all around, and tracking.
        out: The folder to fill; `out/demo` where not given, `out/demo-express` for express.
    """
    with _console().status("making the demo") as status:
        if name == "express":
            from animato.report.express_demo import make_express_demo

            made = make_express_demo(out or Path("out/demo-express"), progress=status.update)
        else:
            from animato.report.demo import make_demo

            made = make_demo(out or Path("out/demo"), progress=status.update)
    for sentence in made:
        _say(sentence)
    return FITS


COMMANDS: dict[str, Callable[..., int]] = {
    "check": check,
    "view": view,
    "express": express,
    "demo": demo,
    "characters": characters,
    "convert": convert,
}
"""In the order in which a newcomer meets them."""

DESCRIPTION = """Turn an artist's motion into motion that a physical robot character can perform.

Exit status: 0 all is well, 1 the robot cannot do it, 2 something is wrong with what was given.
Add --debug to any command for the traceback behind an error."""


def main() -> None:
    """Runs one command and exits with its status; a user's mistake is one clear line."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        sys.exit(run(arguments or ["--help"]))
    except AnimatoError as error:
        if debug:
            raise
        print(f"animato: {error}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # a fault of ours: still one line, and how to tell us more
        if debug:
            raise
        print(
            f"animato: {type(error).__name__}: {error}. This is a fault in animato; --debug shows where.",
            file=sys.stderr,
        )
        sys.exit(BROKEN)


def run(arguments: list[str]) -> int:
    """Runs one command of the program."""
    return int(tyro.extras.subcommand_cli_from_dict(COMMANDS, prog="animato", description=DESCRIPTION, args=arguments))


def _console(*, stderr: bool = True) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def _say(sentence: str) -> None:
    _console().print(sentence, markup=False, soft_wrap=True)


class _progress:  # noqa: N801  # reads as a verb where it is used
    """A bar on stderr while something takes its time; gives the callback that moves it."""

    def __init__(self, title: str) -> None:
        from rich.progress import Progress

        self.bar = Progress(console=_console(), transient=True)
        self.task = self.bar.add_task(title, total=None)

    def __enter__(self) -> Callable[[int, int], None]:
        self.bar.start()
        return lambda done, total: self.bar.update(self.task, completed=done, total=total)

    def __exit__(self, *_: Any) -> None:
        self.bar.stop()


if __name__ == "__main__":
    main()
