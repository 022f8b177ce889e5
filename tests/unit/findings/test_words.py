from __future__ import annotations

from dataclasses import replace

import pytest

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.findings.finding import Finding
from animato.findings.words import finding_sentence, interval_words, sentence, speed_percent, verdict

FAST = Finding(
    axis="left_elbow_joint",
    joint="left_elbow_joint",
    angular=True,
    kind="velocity",
    share=11.52 / 8.06,
    time=2.31,
    frame=115,
    value=-11.52,
    limit=8.06,
    limit_at_rest=8.06,
    intervals=((2.2, 2.45),),
)


def test_too_fast() -> None:
    assert sentence(FAST) == (
        "Left elbow is asked for 143 % of its top speed at 2.31 s (frame 115): "
        "11.5 rad/s (660 deg/s), its limit is 8.06 rad/s."
    )


def test_sliding_axes_speak_of_metres() -> None:
    slide = replace(FAST, axis="mast.slide", angular=False, share=1.3, value=0.52, limit=0.4)
    assert sentence(slide) == (
        "Mast (slide) is asked for 130 % of its top speed at 2.31 s (frame 115): 0.52 m/s, its limit is 0.4 m/s."
    )


def test_beyond_its_range() -> None:
    out = replace(FAST, kind="position", share=1.047, value=1.6441, limit=1.5708, limit_at_rest=1.5708)
    assert sentence(out) == (
        "Left elbow goes beyond its range by 4.2 degrees at 2.31 s (frame 115): "
        "it is sent to 94.2 degrees, its range ends at 90 degrees."
    )
    barely = replace(out, value=1.5710, share=1.0001)
    assert sentence(barely).endswith("it is sent to 90.01 degrees, its range ends at 90 degrees.")
    assert "beyond its range by 0.011 degrees" in sentence(barely)
    slide = replace(out, angular=False, value=-0.112, limit=-0.1)
    assert sentence(slide, "mast") == (
        "Mast goes beyond its range by 12 mm at 2.31 s (frame 115): it is sent to -112 mm, its range ends at -100 mm."
    )


def test_acceleration_and_jerk() -> None:
    assert sentence(replace(FAST, kind="acceleration", share=1.5, value=120.0, limit=80.0)) == (
        "Left elbow is asked for 150 % of its top acceleration at 2.31 s (frame 115): "
        "120 rad/s² (6880 deg/s²), its limit is 80 rad/s²."
    )
    assert sentence(replace(FAST, kind="jerk", share=12.0, value=12000.0, limit=1000.0)) == (
        "Left elbow is asked for 12 times its top jerk at 2.31 s (frame 115): "
        "12000 rad/s³ (688000 deg/s³), its limit is 1000 rad/s³."
    )


def test_torque_at_speed_at_rest_and_spent() -> None:
    weak = replace(FAST, kind="torque", share=4.1 / 3.0, value=4.1, limit=3.0, limit_at_rest=4.5)
    assert sentence(weak, motor="servo") == (
        "Left elbow is asked for 137 % of its torque at 2.31 s (frame 115): "
        "it needs 4.1 N m, its servo gives 3 N m at that speed."
    )
    assert sentence(replace(weak, limit_at_rest=3.0)).endswith("it needs 4.1 N m, its motor gives 3 N m.")
    assert sentence(replace(weak, limit=0.045, share=91.0), motor="servo") == (
        "Left elbow is too fast to be driven at 2.31 s (frame 115): "
        "it needs 4.1 N m, its servo gives next to nothing then."
    )
    assert "of its force" in sentence(replace(weak, angular=False))


def test_near_misses() -> None:
    assert sentence(replace(FAST, share=0.95)) == "Left elbow uses 95 % of its top speed at 2.31 s (frame 115)."
    near = replace(FAST, kind="position", share=0.99, value=1.5533, limit=1.5708)
    assert sentence(near) == "Left elbow comes within 1 degree of the end of its range at 2.31 s (frame 115)."


def test_intervals_in_words() -> None:
    assert interval_words(FAST) == "from 2.20 s to 2.45 s"
    assert interval_words(replace(FAST, intervals=((2.0, 2.1), (2.2, 2.5)))) == "in 2 places, 0.40 s in all"
    assert interval_words(replace(FAST, intervals=((2.31, 2.31),))) == "at 2.31 s"
    assert interval_words(replace(FAST, intervals=())) == ""


def test_speed_is_rounded_down_so_that_it_fits() -> None:
    assert [speed_percent(speed) for speed in (0.689, 0.6899999, 1.0, 0.29, 0.004)] == [
        "68 %",
        "68 %",
        "100 %",
        "29 %",
        "0.4 %",
    ]


SLOW, QUICK = {"velocity": [0.0, 0.5]}, {"velocity": [0.0, 2.0]}
ONE = Limits(-1.0, 1.0, velocity=1.0)


@pytest.mark.parametrize(
    ("values", "speed", "expected"),
    [
        (
            {"left_elbow": SLOW, "neck": SLOW},
            1.0,
            "pico can do 'hello': every joint stays within its limits. No joint uses more than 50 % of what it has.",
        ),
        (
            {"left_elbow": {"velocity": [0.95, 0.0]}, "neck": SLOW},
            1.0,
            "pico can do 'hello': every joint stays within its limits. "
            "The closest call is left elbow, at 95 % of its top speed.",
        ),
        (
            {"left_elbow": QUICK, "neck": SLOW},
            0.5,
            "pico cannot do 'hello' as it is: left elbow is asked for too much. Played at 50 % speed it would fit.",
        ),
        (
            {"left_elbow": QUICK, "neck": {"position": [1.5, 0.0]}},
            0.5,
            "pico cannot do 'hello' as it is: left elbow and neck are asked for too much. "
            "Played at 50 % speed it would fit, except that neck leaves its range by 29 degrees.",
        ),
        (
            {"left_elbow": {"position": [0.0, -1.1]}, "neck": {"position": [1.5, 0.0]}},
            1.0,
            "pico cannot do 'hello' as it is: neck and left elbow leave their range. Playing it slower does not help.",
        ),
        (
            {"left_elbow": QUICK, "neck": SLOW},
            None,
            "pico cannot do 'hello' as it is: left elbow is asked for too much. "
            "Playing it slower does not help: some torque is needed even to hold the pose.",
        ),
    ],
)
def test_verdicts(make_result, values, speed, expected) -> None:
    assert verdict(make_result({"left_elbow": ONE, "neck": ONE}, values, speed=speed)) == expected


def test_many_joints_are_counted(make_result) -> None:
    limits = dict.fromkeys("abc", ONE)
    result = make_result(limits, dict.fromkeys("abc", QUICK), speed=0.5, source="")
    assert verdict(result).startswith("pico cannot do the clip as it is: 3 joints are asked for too much.")


def test_a_character_without_limits_was_not_checked(make_result) -> None:
    result = make_result({"a": Limits()}, {"a": QUICK})
    assert result.outcome.usable
    assert verdict(result) == "pico has no limits that 'hello' could break, so there was nothing to check."


def test_servo_or_motor(make_result) -> None:
    limits = {"neck": Limits(torque=3.0, curve=TorqueSpeedCurve((0.0, 10.0), (3.0, 0.0)))}
    values = {"neck": {"velocity": [5.0, 0.0], "torque": [2.0, 0.0]}}
    known = make_result(limits, values, servo="XM430-W210")
    assert finding_sentence(known, known.worst[0]).endswith("it needs 2 N m, its servo gives 1.5 N m at that speed.")
    unknown = make_result(limits, values)
    assert "its motor gives" in finding_sentence(unknown, unknown.worst[0])


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("clips/hello.csv", "hello"),
        ("C:\\clips\\hello there.npz", "hello there"),
        ("frame 3. of a dance", "frame 3. of a dance"),
        ("wave", "wave"),
        ("  ", "the clip"),
        ("keyframed by hand: a dance, a wave that is too fast, a bow", "the clip"),
    ],
)
def test_clip_names(make_result, source, name) -> None:
    assert make_result({"a": ONE}, {"a": SLOW}, source=source).clip_name == name


def test_notes_say_what_was_not_checked(mixed_result, make_result) -> None:
    assert mixed_result.notes[-1] == "Jerk was not checked: no joint of pico has such a limit."
    fast_only = make_result({"a": Limits(velocity=1.0)}, {"a": SLOW})
    assert fast_only.notes == (
        "Position, acceleration, jerk and torque were not checked: no joint of pico has such a limit.",
    )
