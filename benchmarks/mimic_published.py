"""The published method: HRP-4C lifting as a captured person does, and agreement with IPOPT."""

from __future__ import annotations

import time

import numpy as np

from animato.gallery.mimic import hrp4c
from animato.gallery.mimic.hrp4c_band import Assistance, assistance_of
from animato.gallery.mimic.hrp4c_markers import TORQUE_LIMITS_NM
from animato.gallery.mimic.lift_on_pico import SQUARE_M, lift_on_pico
from animato.mechanics.contact import zero_moment_points
from animato.mechanics.tree import States, forward_kinematics
from animato.mimic.published import PublishedOptions, PublishedResult, solve_published
from benchmarks.mimic_cases import DATA
from benchmarks.mimic_published_peer import presolve_in_ipopt, solve_in_ipopt
from benchmarks.row import Row

FILES = (DATA / "robots" / "hrp4c" / "HRP4Cmain.urdf", DATA / "clips" / "roboptim" / "human.trc")

SMOOTH = 1.0
"""Alpha of the runs that the paper leaves to the future."""


def published_rows(*, quick: bool) -> list[Row]:
    """Ten postures as in the paper, and what it leaves to the future."""
    begin = time.process_time()
    plain = hrp4c_ten_postures()
    seconds = time.process_time() - begin
    smooth = hrp4c_ten_postures(PublishedOptions(alpha=SMOOTH))
    limited = hrp4c_ten_postures(
        PublishedOptions(alpha=SMOOTH, velocity_limits=True, torques=TORQUE_LIMITS_NM, iterations=400)
    )
    first = "first step alone"
    rows = [
        Row("hrp4c.zmp_max_cm", zmp_max_cm(plain), "cm", "lower", first, plain.zmp_max_cm(after=False)),
        Row(
            "hrp4c.laplacian_cm2", 1e4 * float(plain.laplacian.mean()), "cm^2", "lower", first, _first_laplacian(plain)
        ),
        Row("hrp4c.s_per_frame", seconds / len(plain.clip.times), "s", "lower"),
        Row("hrp4c.smooth.zmp_max_cm", zmp_max_cm(smooth), "cm", "lower", first, smooth.zmp_max_cm(after=False)),
        Row("hrp4c.torque.zmp_max_cm", zmp_max_cm(limited), "cm", "lower"),
        Row("hrp4c.torque_share", torque_share(limited), "1", "lower", "without limits", torque_share(smooth)),
    ]
    _, bare, suited = assistance(smooth).peaks(("CHEST_P",))[0]
    rows.append(Row("hrp4c.band.waist_nm", suited, "N m", "lower", "no band", bare))
    if not quick:
        whole = solve_published(hrp4c.hrp4c_whole_clip(*FILES))
        rows.append(
            Row("hrp4c.whole.zmp_max_cm", zmp_max_cm(whole), "cm", "lower", first, whole.zmp_max_cm(after=False))
        )
        rows += ipopt_rows()
    return rows


def hrp4c_ten_postures(options: PublishedOptions | None = None) -> PublishedResult:
    """Ten postures on HRP-4C, solved."""
    return solve_published(hrp4c.hrp4c_ten_postures(*FILES, options))


def zmp_max_cm(result: PublishedResult) -> float:
    """The largest part of the ZMP along x or y from the middle of the feet [cm], by the house's own ZMP."""
    states, problem = states_of(result), result.problem
    poses = forward_kinematics(problem.markers.character, states)
    feet = np.stack([poses.of(foot.body).apply(foot.position)[:, :2] for foot in problem.markers.feet], axis=1)
    centre = np.einsum("fki,fk->fi", feet, problem.shares)
    return 100.0 * float(np.abs(zero_moment_points(problem.markers.character, states) - centre).max())


def torque_share(result: PublishedResult) -> float:
    """The largest torque above the legs, in assumed limits."""
    return max(float(np.abs(result.torques[name]).max()) / most for name, most in TORQUE_LIMITS_NM.items())


def assistance(result: PublishedResult) -> Assistance:
    """What the suit takes off the joints in ten postures, in which both feet stand."""
    planted = np.ones((len(result.clip.times), 2), dtype=bool)
    return assistance_of(result.problem.markers.character, states_of(result), planted)


def states_of(result: PublishedResult) -> States:
    """Postures and rates by finite differences, as the method has them."""
    postures, rates = result.after.fit.postures, result.after.rates
    return States(result.problem.times, postures.q, rates.v, rates.a, postures.root)


def ipopt_rows() -> list[Row]:
    """Ten postures of Pico in IPOPT, which has configurations as unknowns of their own."""
    problem = lift_on_pico(PublishedOptions(square_m=SQUARE_M, tolerance=1e-12))
    ours = solve_published(problem)
    start = np.where(np.isfinite(problem.held), problem.held, problem.source)
    first = presolve_in_ipopt(ours.meshes, problem.links, problem.held, start, 0.0)
    second = solve_in_ipopt(problem, ours)
    apart = [
        1e3 * float(np.abs(first.positions - ours.presolved.positions).max()),
        1e3 * float(np.abs(second.positions - ours.positions).max()),
    ]
    return [
        Row("published.presolve_ipopt_mm", apart[0], "mm", "lower"),
        Row("published.solve_ipopt_mm", apart[1], "mm", "lower"),
    ]


def _first_laplacian(result: PublishedResult) -> float:
    return 1e4 * float(result.presolved.laplacian.mean())
