"""CSV of bare numbers: Unitree's layout, and Kimodo's."""

from __future__ import annotations

from pathlib import Path

from animato.formats.training import JointOrder, QuaternionOrder, robot_csv_text, robot_order
from animato.stage.exporting.provenance import provenance_of, write_with_about
from animato.stage.exporting.take import Exported, Take
from animato.stage.exporting.training.joint_motion import base_note, base_word, qpos_rows
from animato.stage.exporting.training.opened_take import joint_notes


def write(
    path: Path, take: Take, *, quaternion_order: QuaternionOrder, joint_order: JointOrder = "depth_first"
) -> Exported:
    """Writes base x, y, z, quaternion and joints, one line a frame, and what it cannot say beside it.

    Args:
        path: The file.
        take: What is exported.
        quaternion_order: "xyzw" as Unitree has it, "wxyz" as Kimodo and MuJoCo do.
        joint_order: How the joints are counted.
    """
    names = robot_order(take.character, joint_order).joint_names
    text = robot_csv_text(qpos_rows(take, names), quaternion_order)
    about = provenance_of(
        take,
        joint_names=list(names),
        joint_order=joint_order,
        quaternion_order=quaternion_order,
        columns=["x", "y", "z", *(f"q{letter}" for letter in quaternion_order), *names],
        base=base_word(take),
    )
    written, beside = write_with_about(path, text, about)
    unsaid = f"It names neither joints nor rate nor the order of the quaternion; {beside.name} does."
    return Exported((written, beside), (*base_note(take), *joint_notes(take), unsaid))
