import math
from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Bus, BusKind, Character, Limits, Wire
from animato.errors import CharacterError
from animato.stage.rig import rig_of

BUS = Bus("arm", BusKind.DYNAMIXEL, "/dev/null")
TICKS = 4096 / math.tau


def lamp(limits: Limits | None = None, **wire: float) -> Character:
    """The lamp with servos; its nod has these limits and these entries in the map."""
    made = an.load_character("lamp")
    wires = [Wire(name, "arm", number, 2048.0) for number, name in enumerate(made.coordinate_names)]
    wires[3] = replace(wires[3], **wire)  # type: ignore[arg-type]
    joints = [
        replace(one, stated_limits=(limits,), actuator=None) if limits is not None and one.name == "nod" else one
        for one in made.joints
    ]
    return replace(made, buses=(BUS,), wires=tuple(wires), joints=tuple(joints))


def test_told_and_read_are_inverse() -> None:
    rig = rig_of(lamp(sign=-1))
    values = np.linspace(-0.4, 0.4, len(rig.names))
    assert np.allclose(rig.read(rig.told(values)), values)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("lower", "upper"), [(-0.5, None), (None, 0.25), (-0.5, 0.25), (None, None)])
def test_what_is_told_stays_inside_joint_and_servo(sign: int, lower: float | None, upper: float | None) -> None:
    rig = rig_of(lamp(Limits(lower, upper), sign=sign))
    nod = rig.names.index("nod")
    reach = rig.slots[nod].scale.reach
    assert rig.lower[nod] == pytest.approx(reach[0] if lower is None else lower)
    assert rig.upper[nod] == pytest.approx(reach[1] if upper is None else upper)


def test_the_joint_s_speed_becomes_the_servo_s() -> None:
    slot = rig_of(lamp(Limits(-0.5, 0.5, velocity=2.0), gear=3.0), ["nod"]).slots[0]
    assert slot.speed == pytest.approx(2.0 * 3.0 * TICKS)


def test_a_range_that_does_not_cover_the_joint_s_is_refused() -> None:
    with pytest.raises(CharacterError, match=r"'nod' does not cover .* 2374"):
        rig_of(lamp(Limits(-0.5, 0.5), highest=2200.0))


def test_a_joint_without_servo_is_refused() -> None:
    bare = lamp()
    with pytest.raises(CharacterError, match="No servo moves tilt"):
        rig_of(replace(bare, wires=bare.wires[:-1]))
    assert rig_of(replace(bare, wires=bare.wires[:-1]), ["turn", "nod"]).names == ("turn", "nod")


def test_a_joint_that_turns_like_a_ball_has_no_servo() -> None:
    made = lamp()
    ball = replace(made.joints[-1], type="spherical", stated_limits=(), coupling=None)
    names = ball.coordinate_names
    wires = (*made.wires[:-1], *(Wire(name, "arm", 20 + number, 0.0) for number, name in enumerate(names)))
    poseless = replace(made, joints=(*made.joints[:-1], ball), wires=wires, postures=())
    with pytest.raises(CharacterError, match="turns like a ball"):
        rig_of(poseless)
