"""Any chain: all axis words from a cold start, and long chains, beside a multi-start of the local solver.

An axis word says about which axes the joints of a chain turn: `zyy` turns about z, then twice about y. Words such as
this one have no three joints that face a target in closed form. Targets are orientations that the chain has somewhere
inside its limits, so all of them can be faced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointType
from animato.character.landmarks import EndPoint
from animato.character.limits import Limits
from animato.express.facing.arrays import LOW, FacingArrays
from animato.express.facing.descent import FACED, Aim, descend, descent_memory, orientation_cost
from animato.express.facing.facing import REACHED
from animato.express.facing.kernel import targets_of
from animato.express.facing.looking import NOWHERE
from animato.express.facing.problem import FacingProblem, Roll, build_facing_problem
from animato.express.facing.solver import solve_facing
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import quaternion
from animato.mechanics.tree.kinematics.chains import Chain, build_chain, tip_orientations
from animato.spatial import quaternions
from benchmarks.row import Row

SEED = 20270211
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
LINK_M = 0.2
ASKEW = (0.8, 0.4, 0.2, 0.4)  # wxyz
LONG = (9, 10, 11, 12)
REPEATS = 2  # of a solve; the shorter counts, since noise only ever adds
STEPS, TOLERANCE = 80, 1e-10
"""Of the multi-start."""


@dataclass(frozen=True)
class Build:
    """How chains are built of words.

    Attributes:
        limit: Half the range of the joints [rad]; not a number for ranges drawn at random, one for each joint.
        link: Along which axis the links lie.
        forward: The facing axis.
        symmetric: Whether half a turn about it does not count.
        whole: Which joint has no limits; none where negative.
        tilted: Whether the whole chain stands askew, so that no axis has a zero in it.
        roll: As `build_facing_problem` takes it.
    """

    limit: float = 2.0
    link: str = "z"
    forward: str = "x"
    symmetric: bool = False
    whole: int = -1
    tilted: bool = False
    roll: Roll = "exact"


BUILDS = (
    Build(),
    Build(forward="z", limit=1.0),
    Build(link="x", limit=np.nan, tilted=True),
    Build(link="x", forward="z", symmetric=True),
    Build(whole=1, limit=np.nan, symmetric=True),
    Build(forward="z", roll="free", limit=1.0),
    Build(forward="y", roll=0.3),
)


def word_chain(word: str, build: Build, rng: np.random.Generator) -> Chain:
    """A chain with a joint for each letter."""
    base = Frame((0.0, 0.0, 0.0), ASKEW if build.tilted else (1.0, 0.0, 0.0, 0.0))
    bodies, joints = [Body("body_0")], [Joint("stand", JointType.GROUND, "world", "body_0", frame_parent=base)]
    along = np.array(AXES[build.link])
    for i, letter in enumerate(word):
        lower, upper = -build.limit, build.limit
        if np.isnan(build.limit):
            lower, upper = -rng.uniform(0.1, 2.6), rng.uniform(0.1, 2.6)
        limits = Limits() if i == build.whole else Limits(float(lower), float(upper))
        frame = Frame(tuple(LINK_M * along) if i else (0.0, 0.0, 0.0))
        bodies.append(Body(f"body_{i + 1}"))
        joints.append(
            Joint(
                f"joint_{i}",
                JointType.REVOLUTE,
                f"body_{i}",
                f"body_{i + 1}",
                frame_parent=frame,
                axis=AXES[letter],
                stated_limits=(limits,),
            )
        )
    tip = EndPoint(
        "tip", f"body_{len(word)}", Frame(tuple(LINK_M * along)), AXES[build.forward], symmetric=build.symmetric
    )
    return build_chain(Character(word, tuple(bodies), tuple(joints), end_points=(tip,)), "tip")


def words(*lengths: int) -> Iterator[str]:
    """All words of some lengths over x, y and z."""
    for length in lengths:
        for letters in product("xyz", repeat=length):
            yield "".join(letters)


def inside(chain: Chain, rng: np.random.Generator, count: int) -> np.ndarray:
    """Positions evenly inside the limits [rad], [count, n]."""
    lower, upper = np.maximum(chain.arrays.lower, -np.pi), np.minimum(chain.arrays.upper, np.pi)
    return rng.uniform(lower, upper, (count, len(lower)))


@kernel
def _best(
    problem: FacingArrays, targets: np.ndarray, starts: np.ndarray, near: np.ndarray, exactly: bool
) -> tuple[float, float]:
    """Least combined error of many starts, those that face first, and the angle left there [rad]."""
    memory = descent_memory(starts.shape[1])
    row = np.empty((1, starts.shape[1]))
    least, left = np.inf, np.inf
    for n in range(len(starts)):
        for way in range(len(targets)):
            aim = Aim(quaternion(targets, way), near, 0.0, NOWHERE)
            row[0] = starts[n]
            cost, angle, _ = descend(problem, LOW, aim, exactly, STEPS, TOLERANCE, memory, row, 0)
            error = cost + orientation_cost(problem, angle)
            exact, best_exact = angle <= FACED, left <= FACED
            if (exact and not best_exact) or (exact == best_exact and error < least):
                least, left = error, angle
    return least, left


def multi_start(problem: FacingProblem, target: np.ndarray, starts: int, seed: int) -> tuple[float, bool]:
    """The best of many random starts: its combined error, and whether it faces the target.

    A third of the starts are the posture with random signs, a little disturbed. Where none of them faces the target,
    all are tried once more for the best compromise.
    """
    rng = np.random.default_rng(seed)
    psi, limits = problem.psi, problem.arrays.limits
    lower, upper = np.maximum(limits[:, 0], -np.pi), np.minimum(limits[:, 1], np.pi)
    places = rng.uniform(lower, upper, (starts, len(psi)))
    mirrored = psi * rng.choice([-1.0, 1.0], (len(places[::3]), len(psi)))
    places[::3] = np.clip(mirrored + 0.2 * rng.standard_normal(mirrored.shape), lower, upper)
    targets = targets_of(target[None], problem.frame[0:1], problem.frame[1:2], problem.weights.symmetric)
    error, left = _best(problem.arrays, targets, places, psi, True)
    if left > FACED:
        error, left = _best(problem.arrays, targets, places, psi, False)
    return float(error), bool(left <= FACED)


def axis_word_rows(*, quick: bool) -> list[Row]:
    """Share of reachable targets that are faced from a cold start, of all axis words, beside the multi-start's.

    Words of three and four letters over x, y, z in all builds; words of two letters, and the compromise for targets
    that cannot be faced, have rows of their own.
    """
    starts = 20 if quick else 100
    rows = []
    for name, lengths in (("axis_words", (3, 4)), ("axis_words.two", (2,))):
        ours, theirs = _faced(lengths, 1 if quick else 2, 2 if quick else 5, starts)
        rows.append(Row(f"{name}.faced_share", ours, "share faced exactly", "higher", "multi-start", theirs))
    ours, theirs = _compromised(1 if quick else 4, starts)
    rows.append(Row("axis_words.compromise_error", ours, "combined error", "lower", "multi-start", theirs))
    return rows


def _faced(lengths: tuple[int, ...], postures: int, targets: int, starts: int) -> tuple[float, float]:
    """Shares of reachable targets that we face, and that the multi-start does."""
    rng = np.random.default_rng(SEED)
    ours: list[bool] = []
    theirs: list[bool] = []
    for build in BUILDS:
        for word in words(*lengths):
            chain = word_chain(word, build, rng)
            for posture in inside(chain, rng, postures):
                problem = build_facing_problem(chain, posture, roll=build.roll)
                for target in tip_orientations(chain, inside(chain, rng, targets)):
                    ours.append(solve_facing(problem, target).error.orientation < REACHED)
                    theirs.append(multi_start(problem, target, starts, len(theirs))[1])
    return float(np.mean(ours)), float(np.mean(theirs))


def _compromised(targets: int, starts: int) -> tuple[float, float]:
    """Mean combined errors of words that turn in fewer than three ways, for targets of any orientation."""
    rng = np.random.default_rng(SEED + 1)
    found: list[tuple[float, float]] = []
    for build in BUILDS[:4]:
        for word in words(2, 3, 4):
            if sum(a != b for a, b in pairwise(word)) > 1:
                continue
            chain = word_chain(word, build, rng)
            problem = build_facing_problem(chain, inside(chain, rng, 1)[0])
            for target in quaternions.normalized(rng.standard_normal((targets, 4))):
                best, _ = multi_start(problem, target, starts, len(found))
                found.append((solve_facing(problem, target).error.combined, best))
    means = np.mean(found, axis=0)
    return float(means[0]), float(means[1])


def long_chain_rows(*, quick: bool) -> list[Row]:
    """Chains of 9 to 12 joints with random words and limits: error beside the best known, and time."""
    rng = np.random.default_rng(SEED + 2)
    errors: list[tuple[float, float, float]] = []
    seconds: list[float] = []
    for count in LONG:
        for _ in range(2 if quick else 12):
            forward, symmetric = str(rng.choice(["x", "z"])), bool(rng.random() < 0.5)
            word = "".join(rng.choice(list(AXES), count))
            chain = word_chain(word, Build(limit=np.nan, forward=forward, symmetric=symmetric), rng)
            problem = build_facing_problem(chain, inside(chain, rng, 1)[0])
            for target in tip_orientations(chain, inside(chain, rng, 2 if quick else 4)):
                answers = [solve_facing(problem, target) for _ in range(REPEATS)]
                ours = answers[0].error.combined
                best, _ = multi_start(problem, target, 60 if quick else 600, len(errors))
                errors.append((count, ours, min(ours, best)))
                seconds.append(min(answer.seconds for answer in answers))
    table = np.array(errors)
    means = [table[table[:, 0] == count, 1:].mean(axis=0) for count in LONG]
    whole = table[:, 1:].mean(axis=0)
    rows = [Row("long_chains.error_ratio", float(whole[0] / whole[1]), "error by best known", "lower", "allowed", 1.5)]
    rows += [
        Row(f"long_chains.{count}.error", float(one[0]), "combined error", "lower", "best_known", float(one[1]))
        for count, one in zip(LONG, means, strict=True)
    ]
    return [*rows, Row("long_chains.ms", 1e3 * float(np.mean(seconds)), "ms", "lower")]
