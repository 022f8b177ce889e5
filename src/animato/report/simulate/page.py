"""The page of a simulation: the bending character as a film, how far it is off, what its motors need, its energy."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Limits
from animato.findings import rounded, seconds
from animato.formats.files import write_whole
from animato.mechanics.simulation import Simulation
from animato.mechanics.simulation.vibration import Modes, vibration_modes
from animato.report.bending import (
    PLAYER,
    Course,
    Curve,
    draw_deviations,
    draw_motors,
    draw_spectra,
    length,
    mode_cards,
    overlay_cards,
    telling_moments,
    turning_motors,
    worst_moment,
)
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    film_player,
    notes_section,
    player_script,
    section,
    sentence_list,
    verdict_header,
    whole_page,
)
from animato.report.simulate.energy_chart import draw_energies
from animato.report.simulate.files import figures, film_of
from animato.report.simulate.words import halved_words, motors_suffice, torque_moments, torque_sentences, verdict_words
from animato.version import __version__


def simulation_page(simulation: Simulation, *, pictures: bool = True) -> str:
    """The whole page as HTML.

    Args:
        simulation: A character that followed a clip.
        pictures: Whether to draw the robot beside the player.
    """
    title = f"{simulation.character.name}, simulated"
    modes = _modes(simulation)
    begin = worst_moment(figures(simulation))
    shown = film_player(film_of(simulation), PLAYER, begin_s=begin, still=pictures)
    body = element(
        "main",
        _header(simulation, title),
        section("The film", _PLAYER, shown),
        section("How far off, and when", _ERRORS, _errors(simulation)),
        _pictures(simulation) if pictures else None,
        section("What rings", _SPECTRA, _spectra(simulation, modes)),
        section("How it vibrates", _MODES, mode_cards(simulation.system, modes)) if pictures and modes.count else None,
        section("What the motors do", _MOTORS, _motors(simulation)),
        section("Where the energy is", _ENERGY, draw_energies(simulation, PLAYER)),
        _notes(simulation),
    )
    return whole_page(title, body, player_script(), styles=(PLAYER_STYLE, "bending_page.css"))


def save_page(path: str | Path, simulation: Simulation, *, pictures: bool = True) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, simulation_page(simulation, pictures=pictures))


_PLAYER = (
    "In its own colours the character as it is simulated; green, where it would be if it moved slowly enough not to "
    "swing. Lines follow the tracked bodies. Charts and pictures below share its time: a click takes it there."
)
_ERRORS = "Distance of each tracked body from where it would be if it moved slowly."
_SPECTRA = "Frequencies in what is off; dotted lines are the character's own modes in its first pose."
_MODES = "The slowest ways in which the character swings by itself while its motors hold; both ends of the swing."
_MOTORS = "What the clip asks for, and the torque that it takes; dashed the limits where they are near."
_ENERGY = "What the motors gave is in motion, height and springs, or was lost to damping; what is left is the error."


def _header(simulation: Simulation, title: str) -> Markup:
    run, system = simulation.run, simulation.system
    needs = torque_sentences(simulation)
    over = not motors_suffice(simulation)
    facts = [
        ("Clip", f"{(simulation.clip.source or 'clip').split(':')[0]}, {seconds(float(run.times[-1]))}"),
        ("Off at the most", length(simulation.peak_deviation_m)),
        ("Model", f"{system.unknown_count} unknowns, {_motor_count(len(system.motor_names))}"),
        ("Step", f"{rounded(1000.0 * run.step_s)} ms"),
        ("Speed", f"{rounded(simulation.realtime_factor, 2)} times real time"),
    ]
    answer = "More than its motors give" if over else "Simulated"
    header = verdict_header(
        "simulate", title, "over" if over else "fits", answer, [verdict_words(simulation), *needs[:1]], facts
    )
    lists = (
        sentence_list("What is too much", needs, "over", moments=torque_moments(simulation))
        if over and len(needs) > 1
        else None
    )
    return element("div", header, lists)


def _motor_count(count: int) -> str:
    return "1 motor" if count == 1 else f"{count} motors"


def _errors(simulation: Simulation) -> Markup:
    curves = [Curve("simulated", "after", simulation.deviation)]
    return draw_deviations(simulation.frame_times, simulation.tracked, curves, player=PLAYER)


def _spectra(simulation: Simulation, modes: Modes) -> Markup:
    errors = simulation.points[simulation.frames] - simulation.target.points
    step = float(simulation.frame_times[1] - simulation.frame_times[0])
    known = [float(one) for one in modes.frequencies_hz if np.isfinite(one)]
    slow = [one for one in known if one < 45.0] or [10.0]
    highest = float(np.clip(1.5 * slow[-1], 8.0, min(45.0, 0.5 / step)))
    return draw_spectra(step, [Curve("simulated", "after", errors)], known, highest_hz=highest)


def _modes(simulation: Simulation) -> Modes:
    target = simulation.target
    theta = target.motors[0, 0]
    return vibration_modes(simulation.system, theta, target.u[0], target.lam[0])


def _motors(simulation: Simulation) -> Markup:
    names, run = simulation.system.motor_names, simulation.run
    course = Course("after", "simulated", run.motors[:, 0], run.motors[:, 1], run.motors[:, 2], run.torques)
    limits: dict[str, Limits] = {}
    for joint in simulation.character.joints:
        for n, name in enumerate(joint.coordinate_names):
            limits[name] = joint.limits[min(n, len(joint.limits) - 1)]
    return draw_motors(
        simulation.times,
        names,
        [limits[name] for name in names],
        turning_motors(simulation.character, names),
        [course],
        player=PLAYER,
    )


def _pictures(simulation: Simulation) -> Markup:
    slow, real = figures(simulation)
    moments = telling_moments(simulation.frame_times, simulation.deviation.max(axis=1))
    captions = []
    for moment in moments:
        at = int(np.argmin(np.abs(simulation.frame_times - moment)))
        body = simulation.tracked[int(np.argmax(simulation.deviation[at]))].replace("_", " ")
        captions.append(f"{moment:.2f} s: {body} {length(float(simulation.deviation[at].max()))} off")
    cards = overlay_cards(simulation.character, real, [slow], moments, captions)
    return section("Where it is farthest off", "Green, where it would be if it moved slowly.", cards)


def _notes(simulation: Simulation) -> Markup:
    run, system = simulation.run, simulation.system
    notes = [
        f"{len(run.u) - 1} steps of {rounded(1000.0 * run.step_s)} ms ({simulation.options.integrator}), "
        f"{rounded(run.iterations / max(len(run.u) - 1, 1), 2)} iterations of Newton's method each. "
        f"{halved_words(run.halved)}",
        f"Energy that nothing explains: at most {rounded(simulation.energy.relative_drift, 2)} of what moves."
        + (
            f" Loops are open by {simulation.closure_residual_m:.1e} m at the most ({system.row_count} rows)."
            if system.row_count
            else ""
        ),
        "It starts at rest in the static equilibrium of the first frame; the slow motion is the static equilibrium of "
        "every frame.",
        f"Made by animato {__version__}.",
    ]
    return notes_section(notes)
