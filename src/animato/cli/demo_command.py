"""`animato demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from animato.cli.line import FITS, as_flags, say, working
from animato.errors import OptionError

DemoPart = Literal[
    "hello", "hammer", "golf", "planar", "paper", "four_bar", "kickbot", "legs", "bear", "biker",
    "rod", "two_rods", "dancer", "bartender", "rapper", "drummer", "boxer",
    "wave", "step", "squat", "reach", "clap",
]  # fmt: skip
DEMO_PARTS = {
    "trace": ("hello", "hammer", "golf", "planar", "paper"),
    "design": ("biker", "four_bar", "kickbot", "legs", "bear"),
    "steady": ("rod", "two_rods", "dancer", "bartender", "rapper", "drummer", "boxer"),
    "mimic": ("wave", "step", "squat", "reach", "clap"),
}
"""Parts of demos, the one that is made where none is named first."""


def demo(
    name: Positional[Literal["house", "fix", "express", "trace", "design", "steady", "mimic"]] = "house",
    part: Positional[
        Annotated[DemoPart | None, arg(metavar="[PART]", help_behavior_hint="(default: hello, biker, rod, wave)")]
    ] = None,
    *,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    capture: Annotated[Path | None, arg(metavar="BVH")] = None,
) -> int:
    """What animato can do, on a page: clips fixed, postures that face anything, drawings performed, joints placed.

    Args:
        name: `house`: a clip that asks too much, fixed, and the pages that say where it was. `fix`: the first of
            these, with a film. `express`: errors of the facing solvers, a posture that faces all around, and
            tracking. `trace`: drawings that robots perform. `design`: mechanisms whose joints are placed for a motion.
            `steady`: characters on rods that stop swinging. `mimic`: a small humanoid that does what a made-up person
            did.
        part: Of trace: `hello`, `hammer`, `golf`, `planar` or `paper`; of design: `four_bar`, `kickbot`, `legs`,
            `bear` or `biker`; of steady: `rod`, `two_rods`, `dancer`, `bartender`, `rapper`, `drummer` or `boxer`; of
            mimic: `wave`, `step`, `squat`, `reach` or `clap`.
        out: The folder to fill; `out/demo` where not given, `out/demo-express` for express, and so on.
        capture: For golf: a capture of a swing, such as 63_01.bvh of CMU, instead of the shipped one.
    """
    chosen = chosen_part(name, part)
    if capture is not None and chosen != "golf":
        raise OptionError("A capture is for the golf swing: animato demo trace golf --capture 63_01.bvh.")
    with working("making the demo") as progress:
        if name == "trace":
            from animato.gallery.trace import make_trace_demo

            folder = out or Path(f"out/demo-trace-{chosen}")
            made = make_trace_demo(chosen, folder, capture=capture, progress=progress)
        elif name == "design":
            from animato.gallery.design import make_design_demo

            made = make_design_demo(chosen, out or Path(f"out/demo-design-{chosen}"), progress=progress)
        elif name == "steady":
            from animato.gallery.steady import make_steady_demo

            made = make_steady_demo(chosen, out or Path(f"out/demo-steady-{chosen}"), progress=progress)
        elif name == "mimic":
            from animato.gallery.mimic import make_mimic_demo

            made = make_mimic_demo(chosen, out or Path(f"out/demo-mimic-{chosen}"), progress=progress)
        elif name == "fix":
            from animato.gallery.fix import make_fix_demo

            made = make_fix_demo(out or Path("out/demo-fix"), progress=progress)
        elif name == "express":
            from animato.gallery.express import make_express_demo

            made = make_express_demo(out or Path("out/demo-express"), progress=progress)
        else:
            from animato.gallery.house import make_demo

            made = make_demo(out or Path("out/demo"), progress=progress)
    for sentence in made:
        say(as_flags(sentence))
    return FITS


def chosen_part(name: str, part: str | None) -> str:
    """The part that is meant, the first of its demo where none is named."""
    parts = DEMO_PARTS.get(name, ())
    if part is None:
        return parts[0] if parts else ""
    if part not in parts:
        owner = next(one for one, others in DEMO_PARTS.items() if part in others)
        has = f"has the parts {', '.join(parts)}" if parts else "has no parts"
        raise OptionError(f"The demo '{name}' {has}; '{part}' is one of: animato demo {owner} {part}.")
    return part
