"""The peer of the simulation: the rod of `steady` in Exudyn, as geometrically exact beams (Gerstmayr, 2023).

Exudyn gets its best settings found here: quadratic elements in the plane, a kept Jacobian, dense factors, and the
motor's angle written once a step from a table, which is twice as fast as a Python function that every iteration calls.
Its default relative tolerance of 1e-8 stalls on numerical noise of its Jacobians; 1e-6 changes the tip by 1e-4 mm.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LENGTH, DIAMETER = 0.7, 4e-3
YOUNGS_MODULUS, POISSON_RATIO, DENSITY = 200e9, 0.3, 7850.0
TIP_MASS, TIP_INERTIA, GRAVITY = 0.1, 8e-6, 9.81
SHEAR_CORRECTION = 0.9
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class ExudynRun:
    """What came of it.

    Attributes:
        times: [s], [t].
        tip: Forward and up from the motor's axis [m], [t, 2].
        steps: That were taken.
        seconds: Processor time of the solver [s].
    """

    times: np.ndarray
    tip: np.ndarray
    steps: int
    seconds: float

    @property
    def steps_per_s(self) -> float:
        """Steps a second of processor time."""
        return self.steps / self.seconds


def is_installed() -> bool:
    """Whether the peer is there."""
    return importlib.util.find_spec("exudyn") is not None


def rod_in_exudyn(
    angle: Callable[[np.ndarray], np.ndarray],
    *,
    duration_s: float = 4.0,
    elements: int = 4,
    step_s: float = 0.5e-3,
    record_s: float = 0.5e-3,
) -> ExudynRun:
    """Simulates the rod in the plane, upright and at rest at first.

    Args:
        angle: Of the motor at times [s]; positive leans forward [rad].
        duration_s: Of the run.
        elements: Of the rod, with three nodes each.
        step_s: Of the integrator, generalized-alpha.
        record_s: Between recorded places of the tip.
    """
    import exudyn as exu

    steps = round(duration_s / step_s)
    mbs = exu.SystemContainer().AddSystem()
    motor, sensor = _put_rod(mbs, elements)
    mbs.Assemble()
    offsets = [-float(one) for one in angle(step_s * np.arange(steps + 2))]  # counter-clockwise there

    def turn(system: Any, t: float) -> bool:
        system.SetObjectParameter(motor, "offset", offsets[int(t / step_s + 0.5)])
        return True

    mbs.SetPreStepUserFunction(turn)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = duration_s
    settings.timeIntegration.newton.relativeTolerance = TOLERANCE
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.verboseMode = 0
    dense = elements <= 8
    settings.linearSolver.solverType = exu.LinearSolverType.EigenDense if dense else exu.LinearSolverType.EigenSparse
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = record_s
    begin = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - begin
    found = np.asarray(mbs.GetSensorStoredData(sensor))
    return ExudynRun(found[:, 0], found[:, 1:3].copy(), steps, seconds)


def _put_rod(mbs: Any, elements: int) -> tuple[int, int]:
    """Nodes, beams, the mass at the tip and the motor; numbers of the motor's constraint and of the tip's sensor."""
    import exudyn as exu
    from exudyn import itemInterface as items  # noqa: N813

    area, bending = np.pi * DIAMETER**2 / 4.0, np.pi * DIAMETER**4 / 64.0
    shear = YOUNGS_MODULUS / (2.0 * (1.0 + POISSON_RATIO))
    heights = np.linspace(0.0, LENGTH, 2 * elements + 1)
    nodes = [mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[0.0, float(y), 0.5 * np.pi])) for y in heights]
    bodies = [
        mbs.AddObject(
            items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=nodes[2 * e : 2 * e + 3],
                length=LENGTH / elements,
                massPerLength=DENSITY * area,
                crossSectionInertia=DENSITY * bending,
                bendingStiffness=YOUNGS_MODULUS * bending,
                axialStiffness=YOUNGS_MODULUS * area,
                shearStiffness=SHEAR_CORRECTION * shear * area,
            )
        )
        for e in range(elements)
    ]
    bodies.append(mbs.AddObject(items.ObjectRigidBody2D(mass=TIP_MASS, inertia=TIP_INERTIA, nodeNumber=nodes[-1])))
    for body in bodies:
        marker = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[0.0, -GRAVITY, 0.0]))
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
    held = [
        mbs.AddObject(
            items.ObjectConnectorCoordinate(
                markerNumbers=[ground, mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=c))]
            )
        )
        for c in range(3)
    ]
    sensor = mbs.AddSensor(
        items.SensorNode(nodeNumber=nodes[-1], storeInternal=True, outputVariableType=exu.OutputVariableType.Position)
    )
    return held[2], sensor
