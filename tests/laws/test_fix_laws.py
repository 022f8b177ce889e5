"""Whatever the clip: limits hold in what is called solved, and what need not change does not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from animato.character import Body, Character, EndPoint, Frame, Joint, Limits
from animato.fix import Options, Solution, build, solve
from animato.formats import load_character
from animato.mechanics.limits import LIMIT_KINDS, usage_of_states
from animato.mechanics.tree import packed_tree, states_of_clip
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from animato.motion import Clip

FINE = 100
HELD = settings(max_examples=8, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))
"""A counter-example is not made smaller: that takes minutes, and its seed says enough."""


@lru_cache
def robot(name: str) -> Character:
    """From the library, or three joints about different axes that carry weight."""
    if name != "three":
        return load_character(name)
    limits = Limits(lower=-1.5, upper=1.5, velocity=4.0, acceleration=30.0, jerk=900.0, torque=2.5)
    bodies, joints = [Body("base", mass=1.0)], [Joint("hold", "ground", "world", "base")]
    for n, axis in enumerate(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))):
        inertia = (2e-3, 1e-3, 2e-3, 0.0, 0.0, 0.0)
        bodies.append(Body(f"b{n}", mass=0.4, centre=(0.02, 0.0, 0.06), inertia=inertia))
        frame = Frame((0.0, 0.0, 0.12))
        joints.append(
            Joint(f"j{n}", "revolute", bodies[n].name, f"b{n}", None, frame, axis=axis, stated_limits=(limits,))
        )
    tip = EndPoint("tip", "b2", Frame((0.0, 0.0, 0.12)))
    return Character("three", tuple(bodies), tuple(joints), end_points=(tip,))


NAMES = st.sampled_from(["lamp", "planar_arm", "three"])


def waves(character: Character, seed: int, size: float, seconds: float = 2.0, rate: float = 50.0) -> Clip:
    """Sums of sines up to 3 Hz around the middle of every range, too large and too quick at places."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(seconds * rate) + 1) / rate
    names = character.coordinate_names
    hertz, phase = rng.uniform(0.1, 3.0, (len(names), 4, 1)), rng.uniform(0.0, 6.28, (len(names), 4, 1))
    heights = rng.normal(size=(len(names), 4, 1)) / (1.0 + hertz)
    return Clip(t, names, size * np.sum(heights * np.sin(2.0 * np.pi * hertz * t + phase), axis=1).T)


def worst(character: Character, clip: Clip) -> float:
    """The largest share of any limit at every hundredth of a frame, with torques by Pinocchio."""
    import pinocchio

    inner = clip.times[:-1, None] + np.diff(clip.times)[:, None] * np.arange(FINE) / FINE
    times = np.append(inner.ravel(), clip.times[-1])
    states, twin, tree = states_of_clip(character, clip, times), pinocchio_twin(character), packed_tree(character)
    data, q = twin.model.createData(), twin.configurations(states)
    v, a = twin.velocities(states.velocities), twin.velocities(states.accelerations)
    theirs = np.array([pinocchio.rnea(twin.model, data, *one) for one in zip(q, v, a, strict=True)])
    torques = twin.forces(theirs) + tree.armature * states.accelerations + tree.damping * states.velocities
    torques = torques + tree.friction * np.sign(states.velocities)
    usage = usage_of_states(character, states, torques, clip.jerk(times), frame_times=clip.times)
    return max(usage.peak(kind) for kind in LIMIT_KINDS)


def fixed(name: str, clip: Clip, **options: tuple[str, ...]) -> Solution:
    return solve(build(robot(name), clip, Options(**options)))  # type: ignore[arg-type]


@given(name=NAMES, seed=st.integers(0, 10**6), size=st.floats(0.1, 1.2))
@HELD
def test_solved_means_that_every_limit_holds(name: str, seed: int, size: float) -> None:
    clip = waves(robot(name), seed, size)
    found = fixed(name, clip)
    assert found.outcome.usable, found.outcome.reason
    assert worst(robot(name), found.clip) <= 1.0 + 1e-6


@given(name=NAMES, seed=st.integers(0, 10**6), size=st.floats(0.1, 1.0))
@HELD
def test_what_was_fixed_stays(name: str, seed: int, size: float) -> None:
    first = fixed(name, waves(robot(name), seed, size))
    again = fixed(name, first.clip)
    assert again.outcome.usable
    np.testing.assert_allclose(again.clip.positions, first.clip.positions, atol=1e-6)


@given(name=st.sampled_from(["lamp", "three"]), seed=st.integers(0, 10**6))
@HELD
def test_frames_outside_of_the_stretches_are_the_artists(name: str, seed: int) -> None:
    """A calm clip that is too quick in its middle: to the last bit."""
    calm = waves(robot(name), seed, 0.02, seconds=8.0)
    bump = np.exp(-(((calm.times - 4.0) / 0.08) ** 2))[:, None]
    clip = Clip(calm.times, calm.names, calm.positions + 0.8 * bump)
    found = fixed(name, clip)
    assert found.outcome.usable and found.stretches
    outside = np.ones(clip.frame_count, dtype=bool)
    for start, end in found.stretches:
        outside &= (clip.times < start - 1e-9) | (clip.times > end + 1e-9)
    assert outside.sum() > 20
    np.testing.assert_array_equal(found.clip.positions[outside], clip.positions[outside])
    np.testing.assert_array_equal(found.clip.times, clip.times)


@given(seed=st.integers(0, 10**6), later=st.floats(0.5, 100.0))
@HELD
def test_a_clip_that_begins_later_has_the_same_answer(seed: int, later: float) -> None:
    clip = waves(robot("lamp"), seed, 0.7)
    here, there = fixed("lamp", clip), fixed("lamp", Clip(clip.times + later, clip.names, clip.positions))
    np.testing.assert_allclose(there.clip.positions, here.clip.positions, atol=1e-4)
    np.testing.assert_allclose(there.clip.times - later, here.clip.times, atol=1e-9)


@given(seed=st.integers(0, 10**6))
@HELD
def test_a_mirrored_clip_has_the_mirrored_answer(seed: int) -> None:
    """The lamp is alike on both sides: with its turn and its tilt the other way round everything is."""
    character = robot("lamp")
    sign = np.array([-1.0 if name in ("turn", "tilt") else 1.0 for name in character.coordinate_names])
    clip = waves(character, seed, 0.6)
    here, there = fixed("lamp", clip), fixed("lamp", Clip(clip.times, clip.names, clip.positions * sign))
    assert here.outcome.usable and there.outcome.usable
    np.testing.assert_allclose(there.clip.positions * sign, here.clip.positions, atol=1e-4)
