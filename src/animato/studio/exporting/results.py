"""Works a result out once more and writes what the command line would write; called in a worker.

Verbs and their pages are large: each is loaded when it is asked for.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.motion import CapturedMotion, Clip
from animato.outcome import Progress, announcer
from animato.studio.exporting.recipes import (
    CapturedRecipe,
    DesignedRecipe,
    DrawnRecipe,
    FixedRecipe,
    Recipe,
    SteadiedRecipe,
)

_OTHER = (
    "What is set has changed since the take was made performable: this tells of what is set now, and the take still "
    "has its older motion."
)
_SAME = 1e-6  # [rad or m] by which a motion that is found again may differ


def write_result(
    name: str, place: Path, title: str, character: Character, recipe: Recipe, progress: Progress | None = None
) -> tuple[str, ...]:
    """Writes one.

    Args:
        name: Which.
        place: Where to.
        title: What people call the take.
        character: Who.
        recipe: What was asked for.
        progress: Told of every step.

    Returns:
        What there is to say about it, a sentence each.

    Raises:
        AnimatoError: Nothing comes out that could be written.
    """
    match recipe:
        case DrawnRecipe():
            return _traced(place, title, character, recipe, progress)
        case FixedRecipe():
            return _fixed(place, title, character, recipe, progress)
        case SteadiedRecipe():
            write = _steadied if name.startswith("steady") else _simulated
            return write(place, title, character, recipe, progress)
        case CapturedRecipe():
            return _mimicked(name, place, character, recipe, progress)
        case DesignedRecipe():
            return _designed(name, place, character, recipe, progress)


def _traced(
    place: Path, title: str, character: Character, recipe: DrawnRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.report.trace import save_json, save_page
    from animato.studio.drawing import traced

    wishes = recipe.drawn.wishes
    solution = traced(character, recipe.drawn, recipe.start, wishes.options(jerk=wishes.jerk), title, progress)
    announcer(progress)(f"writing {place.name}")
    (save_json if place.suffix == ".json" else save_page)(place, solution)
    return () if solution.outcome.usable else (solution.outcome.reason,)


def _fixed(
    place: Path, title: str, character: Character, recipe: FixedRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.fix import build, solve
    from animato.report.fix import gather_evidence, save_json, save_page

    solution = solve(build(character, recipe.clip, recipe.options), progress=progress)
    evidence = gather_evidence(solution, name=title, progress=progress)
    if place.suffix == ".json":
        save_json(place, evidence)
    else:
        save_page(place, solution, evidence=evidence, progress=progress)
    told = () if solution.outcome.usable else (solution.outcome.reason,)
    if recipe.performed is not None and not _alike(recipe.performed, solution.clip):
        told = (*told, _OTHER)
    return told


def _steadied(
    place: Path, title: str, character: Character, recipe: SteadiedRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.report.steady import gather_evidence, save_film, save_json, save_page
    from animato.steady import build, solve

    model, told = _as_stiff(character, recipe)
    tracked = recipe.wishes.tracked_of(character)
    solution = solve(build(model, recipe.clip, recipe.wishes.options(), tracked=tracked), progress=progress)
    evidence = gather_evidence(solution, progress=progress)
    if place.suffix == ".json":
        save_json(place, solution, evidence)
    elif place.suffix == ".html":
        save_page(place, solution, evidence=evidence, progress=progress)
    else:
        save_film(place, evidence, progress=progress)
    return told


def _simulated(
    place: Path, title: str, character: Character, recipe: SteadiedRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.mechanics.simulation import SimulationOptions, simulate
    from animato.report.simulate import save_film, save_json, save_page, save_table

    model, told = _as_stiff(character, recipe)
    options = SimulationOptions(tracked=recipe.wishes.tracked_of(character))
    result = simulate(model, recipe.played, options, progress=progress)
    announcer(progress)(f"writing {place.name}")
    match place.suffix:
        case ".json":
            save_json(place, result)
        case ".csv":
            save_table(place, result)
        case ".html":
            save_page(place, result)
        case _:
            save_film(place, result, progress=progress)
    return told


def _as_stiff(character: Character, recipe: SteadiedRecipe) -> tuple[Character, tuple[str, ...]]:
    """The character with parts as stiff as is set, and that it is so."""
    from animato.steady import Variation

    stiffness = recipe.wishes.stiffness
    if stiffness == 1.0 or not character.flexible_parts:
        return character, ()
    told = f"That is with parts {stiffness:.2g} times as stiff as the character's file says."
    return Variation(stiffness=stiffness).applied(character, recipe.wishes.tracked_of(character)), (told,)


def _mimicked(
    name: str, place: Path, character: Character, recipe: CapturedRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.mimic.contacts import save_contacts
    from animato.mimic.mapping import mapping_of, save_mapping
    from animato.mimic.optimization import solve
    from animato.report.mimic import gather, save_exports, save_json, save_page
    from animato.studio.capturing import asked

    if name == "capture_bvh":
        return _skeleton(place, recipe)
    announcer(progress)("reading the capture")
    problem = asked(character, recipe.place, recipe.captured)
    if name == "mimic_mapping":
        save_mapping(place, mapping_of(problem.person, problem.anatomy))
        return _set_beside(recipe)
    if name == "mimic_contacts":
        save_contacts(place, problem.plan)
        return _set_beside(recipe)
    solution = solve(problem, progress=progress)
    told = () if solution.outcome.usable else (solution.outcome.reason,)
    if place.suffix == ".npz":
        save_exports(solution, npz=place)
        return told
    shown = gather(solution)
    if place.suffix == ".json":
        save_json(place, solution, shown)
    else:
        save_page(place, solution, shown=shown, progress=progress)
    return told


def _set_beside(recipe: CapturedRecipe) -> tuple[str, ...]:
    wishes = recipe.captured.wishes
    told = []
    if wishes.mirror:
        told.append("Left and right are exchanged in it, as the take is mirrored; the command line does not mirror.")
    if wishes.speed != 1.0:
        told.append(f"The take is {wishes.speed:g} times as fast as the person was; that is not in it.")
    return tuple(told)


def _skeleton(place: Path, recipe: CapturedRecipe) -> tuple[str, ...]:
    from animato.formats import load_motion, save_motion

    motion = load_motion(recipe.place)
    if not isinstance(motion, CapturedMotion):
        raise MotionError("This capture is of markers, which have no skeleton; a .bvh file holds skeletons only.")
    return save_motion(place, motion)


def _designed(
    name: str, place: Path, character: Character, recipe: DesignedRecipe, progress: Progress | None
) -> tuple[str, ...]:
    from animato.gallery.design import save_design
    from animato.report.design import save_json, save_page
    from animato.studio.designing import designed_for

    solution = designed_for(character, recipe.making, recipe.wish, progress)
    announcer(progress)(f"writing {place.name}")
    if place.suffix == ".html":
        save_page(place, solution)
    elif place.suffix == ".json":
        save_json(place, solution)
    else:
        if not solution.outcome.usable:
            raise OptionError(f"No design is written, because it cannot be used. {solution.outcome.reason}")
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".writing-") as scratch:
            files = {key: Path(scratch) / f"{key}{place.suffix}" for key in ("design", "built", "table", "clip")}
            save_design(
                solution,
                files["design"].with_suffix(".yaml"),
                as_built=files["built"] if name == "design_built" else None,
                table=files["table"] if name == "design_table" else None,
                clip=files["clip"] if name == "design_clip" else None,
            )
            files[name.removeprefix("design_") if name != "design_yaml" else "design"].replace(place)
    return () if solution.outcome.usable else (solution.outcome.reason,)


def _alike(one: Clip, other: Clip) -> bool:
    return (
        one.names == other.names
        and one.positions.shape == other.positions.shape
        and bool(np.abs(one.positions - other.positions).max(initial=0.0) < _SAME)
    )
