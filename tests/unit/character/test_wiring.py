import math
from dataclasses import replace

import pytest

import animato as an
from animato.character import Actuator, Bus, BusKind, Character, Joint, JointType, Wire, scale_of
from animato.character.structure import rezeroed
from animato.errors import CharacterError

DIGITAL = Bus("arm", BusKind.DYNAMIXEL, "/dev/ttyUSB0")
PULSES = Bus("face", BusKind.MAESTRO, "/dev/ttyACM0")


def joint(gear: float = 1.0, servo: str | None = None, kind: JointType = JointType.REVOLUTE) -> Joint:
    return Joint("j", kind, "a", "b", actuator=Actuator(servo, gear))


def lamp(*wires: Wire, buses: tuple[Bus, ...] = (DIGITAL, PULSES)) -> Character:
    return replace(an.load_character("lamp"), buses=buses, wires=wires)


def test_one_radian_is_2700_ticks() -> None:
    assert round(scale_of(Wire("j", "arm", 1, 2048.0), DIGITAL, joint()).told(1.0)) == 2700


def test_sign_and_gear_turn_the_servo() -> None:
    scale = scale_of(Wire("j", "arm", 1, 1000.0, sign=-1), DIGITAL, joint(gear=2.0))
    assert scale.told(math.pi / 4) == pytest.approx(1000.0 - 1024.0)
    assert scale.read(scale.told(0.3)) == pytest.approx(0.3)


def test_the_map_s_gear_counts_before_the_joint_s() -> None:
    assert scale_of(Wire("j", "arm", 1, 0.0, gear=0.5), DIGITAL, joint(gear=3.0)).told(math.pi) == pytest.approx(1024.0)


def test_pulses_follow_the_catalogue_s_travel() -> None:
    scale = scale_of(Wire("j", "face", 1, 1500.0), PULSES, joint(servo="SG90"))
    assert scale.told(math.pi / 2) == pytest.approx(2500.0)
    assert scale.reach == pytest.approx((-math.pi / 2, math.pi / 2))


def test_pulses_without_travel_are_refused() -> None:
    with pytest.raises(CharacterError, match="how far the servo of 'j' turns"):
        scale_of(Wire("j", "face", 1, 1500.0), PULSES, joint())


def test_a_servo_without_zero_is_refused() -> None:
    with pytest.raises(CharacterError, match="has no zero yet"):
        scale_of(Wire("j", "arm", 1), DIGITAL, joint())


@pytest.mark.parametrize(
    ("wires", "words"),
    [
        ((Wire("turn", "leg", 1),), "bus 'leg'"),
        ((Wire("turn", "arm", 253),), "ids are 0 to 252"),
        ((Wire("turn", "face", 24),), "ids are 0 to 23"),
        ((Wire("turn", "arm", 1), Wire("nod", "arm", 1)), "have the same servo"),
        ((Wire("turn", "arm", 1), Wire("turn", "arm", 2)), "stands twice"),
    ],
)
def test_maps_that_contradict_themselves_are_refused(wires: tuple[Wire, ...], words: str) -> None:
    with pytest.raises(CharacterError, match=words):
        lamp(*wires)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sign": 0},
        {"gear": 0.0},
        {"gear": -1.0},
        {"travel": math.inf},
        {"zero": math.nan},
        {"lowest": 9.0, "highest": 9.0},
    ],
)
def test_numbers_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(CharacterError):
        Wire("turn", "arm", 1, **wrong)  # type: ignore[arg-type]


def test_another_zero_of_the_joint_leaves_the_servo_where_it_stands() -> None:
    before = lamp(Wire("nod", "arm", 1, 2048.0, sign=-1))
    after = rezeroed(before, {"nod": (0.5,)})
    there = scale_of(before.wires[0], DIGITAL, before.joint("nod")).told(0.7)
    assert scale_of(after.wires[0], DIGITAL, after.joint("nod")).told(0.2) == pytest.approx(there)
