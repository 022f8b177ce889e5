"""Everything that a format may be told, by the name under which a user gives it."""

from __future__ import annotations

from typing import Literal, TypedDict


class ExportOptions(TypedDict, total=False):
    """Options of formats; which format takes which stands in `Format.options`.

    Attributes:
        start_s: When the motion begins [s since 1970], for ROS 2 bags; 0 where not given.
        lead_s: How long the robot has to get to the first frame of a trajectory [s], for ROS 2; where not given, long
            enough from anywhere in its range, and 2 s at least.
        distro: Which ROS 2 should read a bag; humble where not given, which later ones read, too.
        path_tolerance_deg: How far a joint may be off while it moves (degrees, or centimetres), for goals of ROS 2; the
            controller's own where not given.
        goal_tolerance_deg: How far a joint may be off at the end, likewise.
        task: What is done, in words, for LeRobot; the motion's name where not given.
        head: The body whose pose is the head's, for Reachy Mini moves; "head" where not given.
        antennas: The two coordinates of the antennas, right and left, for Reachy Mini moves; where not given,
            right_antenna and left_antenna if there are such.
        body_yaw: The coordinate that turns the body, for Reachy Mini moves; yaw_body where not given, if there is one.
        head_height_m: How high the head stands where its pose is zero [m], for Reachy Mini moves; where not given,
            0.177 for the robot itself, and for others the height in the neutral posture.
        sound: A sound file that is played with a Reachy Mini move; copied beside it.
        description: Of a Reachy Mini move; the motion's name where not given.
        every_frame: Also write positions that are as in the frame before, for Blender Servo Animation.
        driver: What makes the pulses, for Arduino: the board's own pins, or a PCA9685; servo where not given.
        card_pin: The pin that selects the SD card, for Arduino; 10 where not given.
        repeat: Play again and again, for Arduino; a clip that does not end where it begins goes back in between.
        joint_order: How joints are counted, and bodies where there are some, for training tools; as its readers
            do where not given.
        bodies: All of them, or only those that a joint moves, for BeyondMimic (moving where not given) and mjlab (all).
    """

    start_s: float
    lead_s: float
    distro: Literal["humble", "jazzy"]
    path_tolerance_deg: float
    goal_tolerance_deg: float
    task: str
    head: str
    antennas: tuple[str, str]
    body_yaw: str
    head_height_m: float
    sound: str
    description: str
    every_frame: bool
    driver: Literal["servo", "pca9685"]
    card_pin: int
    repeat: bool
    joint_order: Literal["depth_first", "breadth_first", "character"]
    bodies: Literal["all", "moving"]
