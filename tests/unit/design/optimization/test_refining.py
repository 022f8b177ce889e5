"""A few steps on from a design, while its targets are dragged."""

from dataclasses import replace

import numpy as np

from animato.design import build, refine, solve
from animato.formats import load_character
from animato.gallery.design import shipped_targets


def _four_bar():
    made = shipped_targets()["four_bar"]
    character = load_character(made.character)
    return character, made.motion(character), made.options


def test_a_few_steps_lead_to_what_a_whole_solve_finds():
    character, motion, options = _four_bar()
    start = solve(build(character, motion, options)).optimized.point
    wider = motion.targets[0].positions.mean(axis=0)
    target = replace(motion.targets[0], positions=wider + 1.03 * (motion.targets[0].positions - wider))
    asked = replace(motion, targets=(target,))
    quick = refine(build(character, asked, replace(options, iterations=4)), start)
    whole = solve(build(character, asked, options))
    assert quick.closed and whole.outcome.usable
    assert np.allclose(quick.point.design, whole.optimized.point.design, atol=2e-5)  # [m]
    again = refine(build(character, asked, replace(options, iterations=4)), start, memory=quick.memory)
    assert np.allclose(again.point.design, quick.point.design, atol=1e-9)


def test_the_start_counts_as_controls_where_none_are_given():
    made = shipped_targets()["legs"]
    character = load_character(made.character)
    motion = made.motion(character)
    start = solve(build(character, motion, made.options)).optimized.point
    still = refine(build(character, motion, replace(made.options, iterations=3)), start)
    assert np.abs(still.point.controls - start.controls).max() < 1e-3  # [rad]: nothing moved, so nothing moves
    assert still.errors.position_max_cm < 0.01
