"""Forward kinematics of closed loops by Kamino, the solver for mechanisms in the package newton, on the CPU.

Kamino's own solver for poses is called without the simulation around it, with those of its options that were the
fastest for frames in a row: dense matrices, recorded once as a graph, each frame from the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

INSIDE = "newton._src.solvers.kamino._src"  # version 1.7 offers poses by themselves nowhere else


@dataclass(frozen=True, eq=False)
class KaminoPoses:
    """What Kamino found.

    Attributes:
        poses: Position [m] and quaternion wxyz of each body, shape [frame, body, 7].
        residual: Its largest constraint [m or 1].
    """

    poses: np.ndarray
    residual: float


class Kamino:
    """A mechanism in Kamino, in single precision as all of newton."""

    def __init__(self, path: Path, control_names: tuple[str, ...]) -> None:
        warp: Any = import_module("warp")
        warp.config.log_level = warp.LOG_ERROR  # it tells of each module that it compiles
        newton: Any = import_module("newton")
        joints, model, kinematics = (
            import_module(f"{INSIDE}.{name}") for name in ("core.joints", "core.model", "solvers.fk")
        )
        builder = newton.ModelBuilder()
        builder.begin_world()
        builder.add_usd(
            source=_stage_without_geometry(path),
            joint_ordering=None,
            collapse_fixed_joints=False,
            force_position_velocity_actuation=True,
        )
        builder.end_world()
        self.model = model.ModelKamino.from_newton(builder.finalize(device="cpu", skip_validation_joints=True))
        self.body_names = [_last(label) for label in self.model.bodies.label]
        driven = self.model.joints.act_type.numpy() != joints.JointActuationType.PASSIVE
        names = [_last(label) for label, is_driven in zip(self.model.joints.label, driven, strict=True) if is_driven]
        if set(names) != set(control_names):
            raise RuntimeError(f"Kamino drives {names}, not {list(control_names)}.")
        self.order = [control_names.index(name) for name in names]
        solver = kinematics.ForwardKinematicsSolver
        self.solver = solver(self.model, solver.Config(reset_state=False))
        self.rest = self.model.bodies.q_i_0
        self.bodies = warp.clone(self.rest)
        self.controls = warp.zeros(len(names), dtype=warp.float32, device="cpu")

    def follow(self, controls: np.ndarray) -> None:
        """Solves all frames from rest, and keeps the last."""
        self.bodies.assign(self.rest)
        for frame in controls[:, self.order].astype(np.float32):
            self.controls.assign(frame)
            self.solver.solve_fk(self.controls, self.bodies)

    def solved(self, controls: np.ndarray) -> KaminoPoses:
        """Solves all frames from rest, and looks at each.

        Raises:
            RuntimeError: One of them is not solved.
        """
        self.bodies.assign(self.rest)
        centres = self.model.bodies.i_r_com_i.numpy()
        if np.any(centres != 0.0):
            raise RuntimeError("Kamino's poses are those of centres of mass, which are not the bodies' origins here.")
        poses, residuals = [], []
        for n, frame in enumerate(controls[:, self.order].astype(np.float32)):
            self.controls.assign(frame)
            status = self.solver.solve_fk(self.controls, self.bodies, return_status=True)
            if not status.success.all():
                raise RuntimeError(f"Kamino does not solve frame {n}.")
            poses.append(self.bodies.numpy().astype(np.float64)[:, [0, 1, 2, 6, 3, 4, 5]])
            residuals.append(float(status.max_residual.max()))
        return KaminoPoses(np.array(poses), max(residuals))


def _stage_without_geometry(path: Path) -> Any:
    """The file without meshes: they do not matter here, and newton refuses it where they are absent."""
    from pxr import Sdf, Usd

    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.TransferContent(Sdf.Layer.FindOrOpen(str(path)))
    geometry: list[Any] = []
    layer.Traverse("/", lambda at: geometry.append(at) if at.IsPrimPath() and at.name == "Geometry" else None)
    for at in geometry:
        del layer.GetPrimAtPath(at.GetParentPath()).nameChildren["Geometry"]
    return Usd.Stage.Open(layer)


def _last(label: str) -> str:
    return label.rsplit("/", 1)[-1]
