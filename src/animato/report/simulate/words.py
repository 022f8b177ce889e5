"""What is said of a simulation in sentences."""

from __future__ import annotations

import numpy as np

from animato.findings import capitalized, percent, rounded, seconds
from animato.mechanics.simulation import Simulation
from animato.report.bending import length


def verdict_words(simulation: Simulation) -> str:
    """What happens, in one sentence."""
    peak = simulation.peak_deviation_m
    if not simulation.tracked:
        return f"{simulation.character.name} follows its motors for {seconds(_duration(simulation))}."
    body, when = worst(simulation)
    return (
        f"The {simulation.character.name}'s {body.replace('_', ' ')} is up to {length(peak)} off where it would be if "
        f"it moved slowly, most at {seconds(when)}."
    )


def simulate_text(simulation: Simulation) -> list[str]:
    """What the command line says."""
    run = simulation.run
    return [
        verdict_words(simulation),
        f"{seconds(_duration(simulation))} in {len(run.u) - 1} steps of {rounded(1000.0 * run.step_s)} ms took "
        f"{rounded(run.seconds, 2)} s: {rounded(simulation.realtime_factor, 2)} times real time. "
        f"{halved_words(run.halved)}",
        f"Energy that nothing explains: {rounded(simulation.energy.relative_drift, 2)} of what moves. "
        f"Loops are open by {simulation.closure_residual_m:.1e} m at the most."
        if simulation.system.row_count
        else f"Energy that nothing explains: {rounded(simulation.energy.relative_drift, 2)} of what moves.",
        *torque_sentences(simulation),
    ]


def halved_words(count: int) -> str:
    """Whether steps had to be halved."""
    if count == 0:
        return "No step had to be halved."
    return f"{count} step{'s' if count > 1 else ''} had to be halved."


def worst(simulation: Simulation) -> tuple[str, float]:
    """The tracked body that is farthest off, and when [s]."""
    deviation = simulation.deviation
    frame, body = np.unravel_index(int(np.argmax(deviation)), deviation.shape)
    return simulation.tracked[int(body)], float(simulation.frame_times[int(frame)])


def torque_sentences(simulation: Simulation) -> list[str]:
    """The motors that need most of their torque, the worst first."""
    found = _shares(simulation)
    over = [one for one in found if one[0] > 1.0]
    if over:
        return [
            f"{capitalized(name.replace('_', ' '))} needs {percent(share)} of its {rounded(limit)} N m; it cannot."
            for share, name, limit in over[:5]
        ]
    if not found:
        return []
    share, name, limit = found[0]
    return [f"At most {percent(share)} of a motor's torque is needed ({name.replace('_', ' ')}, {rounded(limit)} N m)."]


def torque_moments(simulation: Simulation) -> list[tuple[float, str]]:
    """When each of these needs it [s], and its motor, in the order of `torque_sentences`."""
    names = simulation.system.motor_names
    found = []
    for _, name, _ in _shares(simulation)[: len(torque_sentences(simulation))]:
        at = int(np.argmax(np.abs(simulation.torques[:, names.index(name)])))
        found.append((float(simulation.times[at]), name))
    return found


def motors_suffice(simulation: Simulation) -> bool:
    """Whether no motor needs more than it gives at rest, as far as anybody says what that is."""
    return all(share <= 1.0 for share, _, _ in _shares(simulation))


def _shares(simulation: Simulation) -> list[tuple[float, str, float]]:
    """Share of its torque that each motor needs, its name and its torque [N m or N], the worst first."""
    found = []
    for n, name in enumerate(simulation.system.motor_names):
        limit = motor_torque(simulation, name)
        if limit is not None:
            found.append((float(np.abs(simulation.torques[:, n]).max()) / limit, name, limit))
    return sorted(found, reverse=True)


def motor_torque(simulation: Simulation, name: str) -> float | None:
    """What a motor gives at rest [N m or N], None where nobody says."""
    for joint in simulation.character.joints:
        for n, coordinate in enumerate(joint.coordinate_names):
            if coordinate == name:
                limits = joint.limits[min(n, len(joint.limits) - 1)]
                stall = None if limits.curve is None else float(limits.curve.torques[0])
                stated = [one for one in (stall, limits.torque) if one is not None]
                return min(stated) if stated else None
    return None


def _duration(simulation: Simulation) -> float:
    return float(simulation.times[-1] - simulation.times[0])
