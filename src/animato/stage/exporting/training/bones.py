"""CSV as in BONES-SEED: a header, centimetres and degrees."""

from __future__ import annotations

from pathlib import Path

from animato.formats.training import JointOrder, bones_csv_text, robot_order
from animato.stage.exporting.provenance import provenance_of, write_with_about
from animato.stage.exporting.take import Exported, Take
from animato.stage.exporting.training.joint_motion import base_note, base_word, refuse_balls
from animato.stage.exporting.training.opened_take import joint_notes


def write(path: Path, take: Take, *, joint_order: JointOrder = "depth_first") -> Exported:
    """Writes a table with the columns of that data set, and what it cannot say beside it.

    Args:
        path: The file.
        take: What is exported.
        joint_order: How the joints are counted.
    """
    names = robot_order(take.character, joint_order).joint_names
    refuse_balls(take, names, "BONES-SEED's table")
    text = bones_csv_text(take.character, take.clip, names)
    about = provenance_of(
        take,
        joint_names=list(names),
        joint_order=joint_order,
        units={"angle": "deg", "length": "cm", "up": "z"},
        quaternion_order="none: angles about the world's x, then y, then z",
        base=base_word(take),
    )
    written, beside = write_with_about(path, text, about)
    unsaid = f"It does not say its rate, {take.rate_hz:g} frames a second; {beside.name} does."
    return Exported((written, beside), (*base_note(take), *joint_notes(take), unsaid))
