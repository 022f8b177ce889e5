"""A gear with limits beside a loop: it has no column of its own, and asks for none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Body, Coupling, Joint, JointType, Limits
from animato.formats import load_character
from animato.mechanics.limits import limit_usage
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip


def test_a_gear_beside_a_loop_is_checked_without_a_column() -> None:
    plain = load_character("four_bar")
    flag = Body("flag", plain.bodies[1].mass)
    gear = Joint(
        "flag_gear",
        JointType.REVOLUTE,
        "frame",
        "flag",
        axis=(0.0, 1.0, 0.0),
        stated_limits=(Limits(lower=-9.0, upper=9.0),),
        coupling=Coupling("crank_axle", 0.5),
    )
    geared = replace(plain, bodies=(*plain.bodies, flag), joints=(*plain.joints, gear))
    times = np.linspace(0.0, 2.0, 60)
    turn = Clip(times, ("crank_axle",), np.linspace(0.0, 1.0, 60)[:, None])
    usage = limit_usage(geared, clip_with_loops(geared, turn))
    names = [axis.name for axis in usage.axes]
    assert "flag_gear" not in names and "crank_axle" in names
