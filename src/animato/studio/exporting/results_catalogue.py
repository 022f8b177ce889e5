"""Exports of what verbs find: their pages, their results for programs, and what else the command line writes."""

from __future__ import annotations

from animato.studio.exporting.export import BENDING, CAPTURE, DESIGN, DRAWING, MOTION, MOVING, Export

_AGAIN = "It is worked out once more for this, with what is set now."


def _page(verb: str, group: str, words: str, needs: str) -> Export:
    lacks = "Nothing can be edited in it."
    return Export(f"{verb}_page", group, "Page with player (.html)", words, lacks, f".{verb}.html", needs, True)


def _json(verb: str, group: str, words: str, needs: str) -> Export:
    lacks = "The motion itself is not in it."
    return Export(f"{verb}_json", group, "Result (.json)", words, lacks, f".{verb}.json", needs, True)


def _other(name: str, group: str, label: str, words: str, lacks: str, ending: str, needs: str) -> Export:
    return Export(name, group, label, words, lacks, ending, needs, True)


_TRACE, _FIX, _STEADY = "How it is drawn", "How it is made performable", "How it is steadied"
_MIMIC, _SIMULATE, _DESIGN = "How it follows the person", "What really moves", "The mechanism"
_SIMULATED = "What a character that bends, or closes loops, really does with the take: "
_PROPOSED = "That is the proposal, whether it is accepted or not."

RESULTS: tuple[Export, ...] = (
    _page("trace", _TRACE, f"The drawing and the robot one over the other, line and rhythm. {_AGAIN}", DRAWING),
    _json("trace", _TRACE, "For programs: how far it is off the line and the rhythm, and every limit.", DRAWING),
    _page("fix", _FIX, f"Both motions, what changed, and what it would cost with more time. {_AGAIN}", MOTION),
    _json("fix", _FIX, "For programs: what changed and how much, before and after.", MOTION),
    _page(
        "steady", _STEADY, f"Wobbling before and after, errors, spectra, softer and stiffer parts. {_AGAIN}", BENDING
    ),
    _json("steady", _STEADY, "For programs: how far it is off, before and after.", BENDING),
    _other(
        "steady_gif",
        _STEADY,
        "Film (.gif)",
        "The steadied motion, the wobbling one as a ghost.",
        "It has few colours.",
        ".steady.gif",
        BENDING,
    ),
    _other("steady_mp4", _STEADY, "Film (.mp4)", "The same for players.", "", ".steady.mp4", BENDING),
    _page("mimic", _MIMIC, f"The person and the robot, feet, balance and motors. {_AGAIN}", CAPTURE),
    _json("mimic", _MIMIC, "For programs: how far it is off the person, balance and limits.", CAPTURE),
    _other(
        "mimic_mapping",
        _MIMIC,
        "Who is who (.yaml)",
        "Which bones are which places of the robot, to be changed and given to the command line.",
        "What is set beside that, such as mirroring and speed, is not in it.",
        ".mapping.yaml",
        CAPTURE,
    ),
    _other(
        "mimic_contacts",
        _MIMIC,
        "What the feet do (.yaml)",
        "When heels and toes stand, to be changed and given to the command line.",
        "Its times are those of the robot.",
        ".contacts.yaml",
        CAPTURE,
    ),
    _other(
        "mimic_npz",
        _MIMIC,
        "Poses and contacts for training (.npz)",
        f"For programs that train controllers, 30 frames a second, with what touches. {_AGAIN}",
        "",
        ".mimic.npz",
        CAPTURE,
    ),
    _other(
        "capture_bvh",
        _MIMIC,
        "The skeleton (.bvh)",
        "The capture as it was read, for 3D programs.",
        "What it cannot hold is told when it is written.",
        ".bvh",
        CAPTURE,
    ),
    _page("simulate", _SIMULATE, _SIMULATED + "how it swings, and what motors have to give.", MOVING),
    _json("simulate", _SIMULATE, _SIMULATED + "figures for programs.", MOVING),
    _other(
        "simulate_csv",
        _SIMULATE,
        "Table (.csv)",
        _SIMULATED + "places, torques and energies over time.",
        "",
        ".simulate.csv",
        MOVING,
    ),
    _other(
        "simulate_gif",
        _SIMULATE,
        "Film (.gif)",
        _SIMULATED + "in colours, and as it would be slowly, as a ghost.",
        "It has few colours.",
        ".simulate.gif",
        MOVING,
    ),
    _other("simulate_mp4", _SIMULATE, "Film (.mp4)", "The same for players.", "", ".simulate.mp4", MOVING),
    _page("design", _DESIGN, f"Before and after, target paths, what was changed. {_PROPOSED}", DESIGN),
    _json("design", _DESIGN, f"For programs: what was changed, and how far it is off. {_PROPOSED}", DESIGN),
    _other(
        "design_yaml",
        _DESIGN,
        "Character (.yaml)",
        f"With what may change set as it was found. {_PROPOSED}",
        "Meshes stay in their own files.",
        ".design.yaml",
        DESIGN,
    ),
    _other(
        "design_built",
        _DESIGN,
        "Character as built (.yaml)",
        f"With what was free made fixed. {_PROPOSED}",
        "Meshes stay in their own files.",
        ".built.yaml",
        DESIGN,
    ),
    _other(
        "design_table",
        _DESIGN,
        "Table of joints (.csv)",
        f"For the workshop: each joint before and after. {_PROPOSED}",
        "Bodies and motors are not in it.",
        ".design.csv",
        DESIGN,
    ),
    _other(
        "design_clip",
        _DESIGN,
        "Motion (.csv)",
        f"What all joints of it do, also those without motors. {_PROPOSED}",
        "",
        ".design-motion.csv",
        DESIGN,
    ),
)
"""Of all verbs."""
