"""Mass matrix and derivatives of inverse dynamics against Pinocchio, on the character and the motion of `house`."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.mechanics.tree import States, put_mass_matrix, put_rnea_derivatives
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from benchmarks.row import Row, best_seconds

FRAMES = 2000  # their derivatives fill 40 MB, which are there before the clock starts: solvers ask again and again


def dynamics_rows(character: Character, states: States, *, quick: bool) -> list[Row]:
    """Both write into the same memory, frame after frame."""
    import pinocchio

    tree, twin = packed_tree(character), pinocchio_twin(character)
    model, data = twin.model, twin.model.createData()
    q, v = twin.configurations(states)[:FRAMES], twin.velocities(states.velocities)[:FRAMES]
    a = twin.velocities(states.accelerations)[:FRAMES]
    ours = states.positions[:FRAMES], states.velocities[:FRAMES], states.accelerations[:FRAMES]
    root, dofs = states.root[:FRAMES], len(tree.dof_names)
    tau, by_q, by_v, by_a = np.zeros((FRAMES, dofs)), *np.zeros((3, FRAMES, dofs, dofs))

    def derivatives() -> None:
        put_rnea_derivatives(tree, *ours, root, tau, by_q, by_v, by_a)

    def derivatives_loop() -> None:
        for t in range(FRAMES):
            by_q[t], by_v[t], by_a[t] = pinocchio.computeRNEADerivatives(model, data, q[t], v[t], a[t])

    def masses() -> None:
        put_mass_matrix(tree, ours[0], root, by_a)

    def masses_loop() -> None:
        for t in range(FRAMES):
            by_a[t] = pinocchio.crba(model, data, q[t])

    result = []
    for name, mine, theirs in (
        ("rnea_derivatives_fps", derivatives, derivatives_loop),
        ("mass_matrix_fps", masses, masses_loop),
    ):
        mine()
        seconds, peer = best_seconds(mine, 20), best_seconds(theirs, 5 if quick else 20)
        result.append(Row(name, FRAMES / seconds, "frames/s", "higher", "pinocchio in a Python loop", FRAMES / peer))
    return result
