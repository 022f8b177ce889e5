"""`animato simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from animato.cli.line import (
    AS_STATED,
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OutFile,
    check_suffix,
    say,
    working,
)

FILMS = (".gif", ".mp4")


def simulate(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    track: Annotated[tuple[str, ...], arg(metavar="NAME", help_behavior_hint="")] = (),
    step_s: Annotated[float, arg(metavar="S")] = 0.5e-3,
    integrator: Literal["generalized-alpha", "bdf2"] = "generalized-alpha",
    motor_stiffness: Annotated[float | None, arg(metavar="X", help_behavior_hint="(default: rigid)")] = None,
    start_speed: Annotated[float, arg(metavar="X")] = 0.1,
    page: Annotated[Path, arg(metavar="FILE")] = Path("simulated.html"),
    film: OutFile = None,
    out: Annotated[Path | None, arg(metavar="FILE", aliases=["-o"], help_behavior_hint="(default: not saved)")] = None,
    json: OutFile = None,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Show what a character that bends, or closes loops, really does with a motion.

    Args:
        character: Held in the world; parts may bend, loops may close.
        clip: What its motors do, from rest.
        track: Bodies to follow; the ends of the character where not given.
        step_s: Of the integrator.
        integrator: Generalized-alpha keeps energy, bdf2 damps what is fast.
        motor_stiffness: Motors give way as springs of so many N m/rad.
        start_speed: Up to this speed, in rad/s or m/s, a clip counts as starting at rest.
        page: The page to write.
        film: Also write a film of the bending character, .gif or .mp4; the slow motion of the same is its ghost.
        out: Also write places, torques and energies as a .csv table.
        json: Also write the result for machines.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    from animato.formats import load_character
    from animato.loading import load_clip
    from animato.mechanics.simulation import Integrator, SimulationOptions
    from animato.mechanics.simulation import simulate as simulated
    from animato.report.simulate import motors_suffice, save_film, save_json, save_page, save_table, simulate_text

    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(film, "the film", *FILMS)
    check_suffix(out, "the table", ".csv")
    check_suffix(json, "the result", ".json")
    with working("reading") as progress:
        model = load_character(character, base=base)
        motion = load_clip(clip, model, **reading.stated())
        options = SimulationOptions(
            step_s=step_s,
            integrator=Integrator(integrator),
            tracked=track,
            joint_stiffness=motor_stiffness,
            start_speed=start_speed,
        )
        result = simulated(model, motion, options, progress=progress)
        written = []
        if out is not None:
            written.append(f"The table: {save_table(out, result)}")
        if json is not None:
            written.append(f"The numbers: {save_json(json, result)}")
        if film is not None:
            written.append(f"The film: {save_film(film, result, progress=progress)}")
        progress.stage("drawing the page")
        written.append(f"The page: {save_page(page, result)}")
    for sentence in (*simulate_text(result), *written):
        say(sentence)
    return FITS if motors_suffice(result) else DOES_NOT_FIT
