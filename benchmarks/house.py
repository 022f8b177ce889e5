"""The house: reading captures, mechanics of whole clips, and how long a person waits."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from animato.formats.capture.bvh import load_bvh
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.forward import forward_kinematics, frame_jacobians
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from animato.mechanics.tree.kinematics.states import states_of_clip
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.motion.clip import Clip
from benchmarks.house_dynamics import dynamics_rows
from benchmarks.row import Row, best_seconds

BONES = 60


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    return [*bvh_rows(quick=quick), *mechanics_rows(quick=quick), *waiting_rows(quick=quick)]


def bvh_text(frames: int) -> str:
    """A capture of a chain of 60 joints, as a motion capture system writes it."""
    lines = ["HIERARCHY"]
    for bone in range(BONES):
        indent = "  " * bone
        lines.append(f"{indent}{'ROOT' if bone == 0 else 'JOINT'} bone{bone}")
        lines += [f"{indent}{{", f"{indent}  OFFSET 0.0 {5.0 if bone else 90.0} 0.0"]
        root = "6 Xposition Yposition Zposition " if bone == 0 else "3 "
        lines.append(f"{indent}  CHANNELS {root}Zrotation Yrotation Xrotation")
    lines += ["End Site", "{", "OFFSET 0.0 5.0 0.0", "}"]
    lines += ["  " * bone + "}" for bone in reversed(range(BONES))]
    values = np.random.default_rng(1).uniform(-90.0, 90.0, (frames, 3 + 3 * BONES))
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.0083333"]
    lines += [" ".join(f"{value:.6f}" for value in row) for row in values]
    return "\n".join(lines) + "\n"


def bvh_rows(*, quick: bool) -> list[Row]:
    """Reading 3000 frames of 60 joints; the peer reads 300 in the quick run and is scaled up."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "capture.bvh")
        path.write_text(bvh_text(3000))
        load_bvh(path)
        ours = best_seconds(lambda: load_bvh(path), 5)
        if importlib.util.find_spec("bvhio") is None:
            return [Row("bvh_read_s", ours, "s", "lower")]
        import bvhio

        share = 10 if quick else 1
        path.write_text(bvh_text(3000 // share))
        theirs = best_seconds(lambda: bvhio.readAsHierarchy(str(path)), 1) * share
    return [Row("bvh_read_s", ours, "s", "lower", "bvhio", theirs)]


def mechanics_rows(*, quick: bool) -> list[Row]:
    """Whole clips at once against Pinocchio called once a frame from Python, on the 29-joint torso."""
    import pinocchio

    character = load_character("torso29")
    frames = 2000 if quick else 20000
    rng = np.random.default_rng(2)
    names = character.coordinate_names
    clip = Clip(np.arange(frames) / 100.0, names, 0.3 * rng.standard_normal((frames, len(names))))
    states = states_of_clip(character, clip)
    twin = pinocchio_twin(character)
    model, data = twin.model, twin.model.createData()
    q, v = twin.configurations(states), twin.velocities(states.velocities)
    a = twin.velocities(states.accelerations)
    hand = character.end_points[0].body
    frame = model.getFrameId(hand)
    aligned = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def dynamics_loop() -> np.ndarray:
        return np.array([pinocchio.rnea(model, data, q[t], v[t], a[t]) for t in range(frames)])

    def poses_loop() -> list[object]:
        kept: list[object] = []
        for t in range(frames):
            pinocchio.framesForwardKinematics(model, data, q[t])
            kept.append([placement.homogeneous for placement in data.oMf])
        return kept

    def jacobians_loop() -> np.ndarray:
        return np.array([pinocchio.computeFrameJacobian(model, data, q[t], frame, aligned) for t in range(frames)])

    loop = "pinocchio in a Python loop"
    result = []
    for name, ours, theirs in (
        ("inverse_dynamics_fps", lambda: inverse_dynamics(character, states), dynamics_loop),
        ("forward_kinematics_fps", lambda: forward_kinematics(character, states), poses_loop),
        ("frame_jacobians_fps", lambda: frame_jacobians(character, states, hand), jacobians_loop),
    ):
        ours()
        mine, peer = best_seconds(ours, 3), best_seconds(theirs, 1 if quick else 2)
        result.append(Row(name, frames / mine, "frames/s", "higher", loop, frames / peer))
    return [*result, *dynamics_rows(character, states, quick=quick)]


def waiting_rows(*, quick: bool) -> list[Row]:
    """How long a person waits: the import, help, the first check on a new machine, and every check after it."""
    program = [sys.executable, "-m", "animato.cli"]

    def python_s(code: str) -> float:
        return best_seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), 3 if quick else 9)

    importing = python_s("import animato") - python_s("pass")
    seconds = best_seconds(lambda: subprocess.run([*program, "--help"], check=True, capture_output=True), 5)
    with tempfile.TemporaryDirectory() as folder:
        # an empty cache of compiled kernels stands for a new machine
        environment = {**os.environ, "ANIMATO_CACHE_DIR": str(Path(folder, "cache"))}
        command = [*program, "check", "pico", "pico_hello", "--page", str(Path(folder, "report.html"))]

        def check() -> float:
            start = time.perf_counter()
            status = subprocess.run(command, env=environment, capture_output=True, check=False).returncode
            if status not in (0, 1):
                raise RuntimeError(f"animato check ended with status {status}")
            return time.perf_counter() - start

        first = check()
        second = min(check() for _ in range(1 if quick else 3))
    return [
        Row("import_s", importing, "s", "lower"),
        Row("help_s", seconds, "s", "lower"),
        Row("check_first_s", first, "s", "lower"),
        Row("check_second_s", second, "s", "lower"),
    ]
