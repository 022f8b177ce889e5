"""The formats that clips go out as, each with a module that writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Unpack

from animato.character import Character
from animato.errors import OptionError, UnknownNameError, did_you_mean
from animato.motion import Clip
from animato.stage.exporting.options import ExportOptions
from animato.stage.exporting.take import Exported, Take, take_of


@dataclass(frozen=True)
class Format:
    """A format in which clips go out.

    Attributes:
        name: For the command line, such as ros2-mcap.
        title: For people.
        suffix: Of the file; empty for a folder.
        rate_hz: What its readers expect; None keeps the clip's own.
        module: Below `animato.stage.exporting`; its function `write(path, take, **options)` writes it.
        options: Names of the keyword options of that function that a user may give; each stands in `ExportOptions`.
        given: Options that this format always gives to that function, such as which of two layouts.
        hint: How it is used on the other side, in one line; {file} is the first file.
        many: Whether it holds several motions; the module then has `write_many(path, takes, **options)`.
    """

    name: str
    title: str
    suffix: str
    rate_hz: float | None
    module: str
    options: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    hint: str = ""
    many: bool = False

    @property
    def for_servos(self) -> bool:
        """Whether it says what servos are told, and so needs a servo map."""
        return self.module.startswith("pulses.")

    @property
    def write(self) -> Callable[..., Exported]:
        """The function that writes one motion."""
        function: Callable[..., Exported] = import_module(f"animato.stage.exporting.{self.module}").write
        return function

    @property
    def write_many(self) -> Callable[..., Exported]:
        """The function that writes several motions into one."""
        function: Callable[..., Exported] = import_module(f"animato.stage.exporting.{self.module}").write_many
        return function


_ROS = ("start_s", "lead_s", "distro")
_PULSES = ("repeat",)

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format(
            "ros2-mcap",
            "ROS 2 bag, MCAP",
            "",
            None,
            "ros.bag",
            _ROS,
            {"storage": "mcap"},
            "ros2 bag play {file}",
        ),
        Format(
            "ros2-sqlite3",
            "ROS 2 bag, SQLite",
            "",
            None,
            "ros.bag",
            _ROS,
            {"storage": "sqlite3"},
            "ros2 bag play {file}",
        ),
        Format(
            "ros2-goal",
            "Goal of ROS 2's joint_trajectory_controller",
            ".yaml",
            None,
            "ros.goal",
            ("lead_s", "path_tolerance_deg", "goal_tolerance_deg"),
            hint="ros2 action send_goal /joint_trajectory_controller/follow_joint_trajectory "
            'control_msgs/action/FollowJointTrajectory "$(cat {file})"',
        ),
        Format(
            "lerobot",
            "LeRobot dataset, version 3",
            "",
            30.0,
            "lerobot.dataset",
            ("task",),
            hint='LeRobotDataset("local/{name}", root="{file}")',
            many=True,
        ),
        Format(
            "reachy-mini",
            "Reachy Mini move",
            ".json",
            100.0,
            "reachy.move",
            ("head", "antennas", "body_yaw", "head_height_m", "sound", "description"),
            hint='mini.play_move(RecordedMove(json.load(open("{file}"))))',
        ),
        Format(
            "servo-animation-json",
            "Blender Servo Animation, JSON",
            ".json",
            30.0,
            "pulses.servo_animation",
            ("every_frame",),
            {"layout": "json"},
            "the positions that the add-on's JSON export has, in what each servo is told",
        ),
        Format(
            "servo-animation-h",
            "Blender Servo Animation, Arduino header",
            ".h",
            30.0,
            "pulses.servo_animation",
            ("every_frame",),
            {"layout": "header"},
            "put {file} beside a sketch of the library BlenderServoAnimation",
        ),
        Format(
            "servo-animation-bin",
            "Blender Servo Animation, binary",
            ".bin",
            30.0,
            "pulses.servo_animation",
            ("every_frame",),
            {"layout": "binary"},
            "copy {file} to the SD card of a sketch of the library BlenderServoAnimation",
        ),
        Format(
            "arduino",
            "Arduino sketch that plays alone",
            "",
            50.0,
            "pulses.arduino",
            ("driver", *_PULSES),
            {"medium": "flash"},
            "open {file} in the Arduino editor and upload it",
        ),
        Format(
            "arduino-sd",
            "Arduino sketch that plays from an SD card",
            "",
            50.0,
            "pulses.arduino",
            ("driver", "card_pin", *_PULSES),
            {"medium": "card"},
            "copy CLIP.ANI to the card, open the sketch {file} in the Arduino editor and upload it",
        ),
        Format(
            "unitree",
            "CSV of Unitree's retargeted LAFAN1, quaternion x, y, z, w",
            ".csv",
            30.0,
            "training.robot_csv",
            ("joint_order",),
            {"quaternion_order": "xyzw"},
            "python scripts/csv_to_npz.py --input_file {file} --input_fps 30",
        ),
        Format(
            "kimodo",
            "CSV of Kimodo, MuJoCo's qpos, quaternion w, x, y, z",
            ".csv",
            30.0,
            "training.robot_csv",
            ("joint_order",),
            {"quaternion_order": "wxyz"},
            'data.qpos[:] = numpy.loadtxt("{file}", delimiter=",")[frame]',
        ),
        Format(
            "bones-seed",
            "CSV of BONES-SEED, centimetres and degrees",
            ".csv",
            120.0,
            "training.bones",
            ("joint_order",),
            hint="the columns of that data set's robot motions",
        ),
        Format(
            "beyondmimic",
            "BeyondMimic .npz, in Isaac's order",
            ".npz",
            50.0,
            "training.tracking",
            ("joint_order", "bodies"),
            {"simulator": "isaac"},
            "give {file} as the motion_file of whole_body_tracking",
        ),
        Format(
            "mjlab",
            "mjlab .npz, in MuJoCo's order",
            ".npz",
            50.0,
            "training.tracking",
            ("joint_order", "bodies"),
            {"simulator": "mujoco"},
            "give {file} as the motion_file of mjlab's tracking task",
        ),
        Format(
            "gmr",
            "Pickle of GMR",
            ".pkl",
            30.0,
            "training.gmr",
            hint="python scripts/vis_robot_motion.py --robot_motion_path {file}",
        ),
        Format(
            "holosoma",
            "holosoma .npz, as its retargeting writes it",
            ".npz",
            30.0,
            "training.holosoma",
            given={"layout": "retargeted"},
            hint="python data_conversion/convert_data_format_mj.py --input_file {file}",
        ),
        Format(
            "holosoma-training",
            "holosoma .npz, as its training reads it",
            ".npz",
            50.0,
            "training.holosoma",
            given={"layout": "training"},
            hint="give {file} as the motion_file of holosoma's whole-body tracking",
        ),
    )
}


def export(
    path: str | Path,
    character: Character,
    clip: Clip,
    *,
    to: str,
    rate_hz: float | None = None,
    name: str = "",
    **options: Unpack[ExportOptions],
) -> Exported:
    """Writes a clip as a file of another program, whole or not at all.

    Args:
        path: The file or folder.
        character: Whose motion it is.
        clip: What it does.
        to: A name of `FORMATS`.
        rate_hz: Frames a second; what the format's readers expect where not given.
        name: Of the motion.
        **options: Of the format.

    Returns:
        The files, and what they do not hold.

    Raises:
        OptionError: There is no such format, or it cannot hold such a clip.
    """
    chosen = _chosen(to, options)
    take: Take = take_of(character, clip, rate_hz=chosen.rate_hz if rate_hz is None else rate_hz, name=name)
    done = chosen.write(Path(path), take, **chosen.given, **options)
    return Exported(done.files, (*take.notes, *done.left_out))


def export_many(
    path: str | Path,
    character: Character,
    clips: Sequence[Clip],
    *,
    to: str,
    rate_hz: float | None = None,
    names: Sequence[str] = (),
    **options: Unpack[ExportOptions],
) -> Exported:
    """Writes several clips of a character into one file or folder of another program, whole or not at all.

    Args:
        path: The file or folder.
        character: Whose motions they are.
        clips: At least one, in order.
        to: A name of `FORMATS` whose `many` is true.
        rate_hz: Frames a second of all of them; what the format's readers expect where not given.
        names: Of the motions, one each; their sources where not given.
        **options: Of the format.

    Raises:
        OptionError: There is no such format, it holds one motion only, or there is no clip.
    """
    chosen = _chosen(to, options)
    if not chosen.many:
        several = ", ".join(name for name, one in FORMATS.items() if one.many)
        raise OptionError(f"A file of {to} holds one motion; export them one by one. Several go into: {several}.")
    if not clips or (names and len(names) != len(clips)):
        raise OptionError(f"Give at least one clip, and a name for each or none; given {len(clips)} and {len(names)}.")
    called = names or [""] * len(clips)
    rate = chosen.rate_hz if rate_hz is None else rate_hz
    takes = [take_of(character, clip, rate_hz=rate, name=name) for clip, name in zip(clips, called, strict=True)]
    done = chosen.write_many(Path(path), takes, **chosen.given, **options)
    notes = dict.fromkeys(f"{take.name}: {note}" for take in takes for note in take.notes)
    return Exported(done.files, (*notes, *done.left_out))


def _chosen(to: str, options: Mapping[str, Any]) -> Format:
    """The format of a name, which takes these options."""
    if to not in FORMATS:
        near = did_you_mean(to, FORMATS)
        raise UnknownNameError(f"There is no format '{to}'.{near} Formats: {', '.join(FORMATS)}.")
    chosen = FORMATS[to]
    for option in options:
        if option not in chosen.options:
            known = ", ".join(f"`{one}`" for one in chosen.options) or "none"
            raise OptionError(f"`{option}` does not exist for {to}; options: {known}.")
    return chosen
