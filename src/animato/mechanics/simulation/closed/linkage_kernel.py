"""The one door from Python to the kernels of closed motions: bundles of arrays are long to compile at each door."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.mechanics.simulation.closed.following_kernel import follow_poses
from animato.mechanics.simulation.closed.memory import ClosedMemory
from animato.mechanics.simulation.closed.moment_kernel import put_moment_derivatives, put_moments, put_points
from animato.mechanics.simulation.dynamics import Work
from animato.mechanics.simulation.system import PackedSystem

FOLLOW, MOMENTS, DERIVATIVES, POINTS = range(4)
"""What can be asked for."""


class Job(NamedTuple):
    """What is read and written; see `follow_poses`, `put_moments`, `put_moment_derivatives` and `put_points`."""

    z: np.ndarray
    v: np.ndarray
    a: np.ndarray
    torques: np.ndarray
    forces: np.ndarray
    jac: np.ndarray
    near: np.ndarray
    gaps: np.ndarray
    follow: np.ndarray
    v_by_q: np.ndarray
    a_by_q: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray
    places: np.ndarray
    jacobians: np.ndarray


def build_job(z: np.ndarray, **parts: np.ndarray) -> Job:
    """A job on poses [k, n] with some of its arrays; the others are empty."""
    ranks = {"gaps": 1, "near": 2, "v": 2, "a": 2, "torques": 2, "forces": 2, "jacobians": 4}
    names = Job._fields[1:]
    return Job(z, *(parts.get(name, np.zeros((0,) * ranks.get(name, 3))) for name in names))


@kernel
def do_job(system: PackedSystem, work: Work, memory: ClosedMemory, task: int, job: Job) -> None:
    """Does one of the tasks above."""
    if task == FOLLOW:
        follow_poses(system, work, memory, job.near, job.z, job.gaps)
    elif task == MOMENTS:
        put_moments(system, work, memory, job.z, job.v, job.a, job.torques, job.forces, job.jac)
    elif task == DERIVATIVES:
        moved = (job.z, job.v, job.a, job.torques)
        by = (job.follow, job.v_by_q, job.a_by_q, job.by_q, job.by_v, job.by_a)
        put_moment_derivatives(system, work, memory, *moved, *by)
    else:
        put_points(system, work, memory, job.z, job.places, job.jacobians)
