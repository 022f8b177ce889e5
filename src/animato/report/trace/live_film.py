"""The robot while it follows a hand that draws, to be played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.limits import LimitUsage, usage_of_states
from animato.mechanics.tree import inverse_dynamics, packed_tree, states_of_clip
from animato.motion import Clip
from animato.report.kit import Ball, Figure, Film, Markup, Thing, Trail, film_player, section, use_of
from animato.report.trace.film import HAND, PLAYER, drawing_size, reading_side
from animato.trace.live import Loop

_DOT = 0.016  # of the drawing's size
_RATE_HZ = 100.0
_WORDS = (
    "Purple: the hand and what it drew. Orange: the robot, which follows. A click on a curve below shows that moment."
)


def live_film(loop: Loop) -> Film:
    """The film of a session, from the first sample on."""
    character, clip = loop.character, live_clip(loop)
    times, drawn = loop.drawn
    performed = loop.points_at(clip.times + times[0])
    size = drawing_size(drawn)
    things: list[Thing] = []
    for point in range(drawn.shape[1]):
        hand, robot = drawn[:, point], performed[:, point]
        things += [
            Trail(times - times[0], hand, colour=HAND, dashed=True, layer="what the hand drew"),
            Ball(times - times[0], hand, colour=HAND, radius=_DOT * size, layer="the hand"),
            Trail(clip.times, robot, layer="what the robot draws"),
        ]
    figure = Figure(character, clip, use=use_of(character, live_usage(loop, clip)))
    title = f"{character.name} while it follows a hand that draws"
    return Film((figure,), tuple(things), title=title, seen_from=reading_side(drawn))


def live_section(loop: Loop) -> Markup | None:
    """The player under the headline; None where the robot cannot be drawn."""
    try:
        return section("Hand and robot at work", _WORDS, film_player(live_film(loop), PLAYER))
    except AnimatoError:  # a robot that cannot be drawn can still draw
        return None


def live_clip(loop: Loop) -> Clip:
    """All that happened, counted from the first sample; the robot rests before its first plan."""
    clip, first = loop.clip(_RATE_HZ), float(loop.drawn[0][0])
    begins = loop.motion.plans[0].begins - first
    if begins <= 1e-6:
        return clip
    positions = np.vstack([clip.positions[:1], clip.positions])
    return replace(clip, times=np.concatenate([[0.0], clip.times + begins]), positions=positions)


def live_usage(loop: Loop, clip: Clip) -> LimitUsage:
    """How much of each limit was used at each frame, by the plans themselves: frames alone would hide their switches.

    Args:
        loop: What was decided.
        clip: As `live_clip` gives it.
    """
    character, tree = loop.character, packed_tree(loop.character)
    states = states_of_clip(character, clip)
    _, rates, pushes = loop.motion.states(states.times + loop.drawn[0][0])
    velocities, accelerations = np.zeros_like(states.velocities), np.zeros_like(states.accelerations)
    columns = [tree.dof_names.index(name) for name in loop.names]
    velocities[:, columns], accelerations[:, columns] = rates, pushes
    exact = replace(states, velocities=velocities, accelerations=accelerations)
    torques = inverse_dynamics(character, exact).values
    return usage_of_states(character, exact, torques, np.full_like(velocities, np.nan))
