import numpy as np
import pytest

import animato as an
from animato.stage.rig import rig_of, with_pretended_servos


@pytest.mark.parametrize("name", an.formats.shipped_characters())
def test_every_joint_of_every_character_gets_a_servo_that_covers_it(name: str) -> None:
    character = an.load_character(name)
    rig = rig_of(with_pretended_servos(character), [wire.coordinate for wire in with_pretended_servos(character).wires])
    limits = {
        one: joint.limits[number]
        for joint in character.free_joints
        for number, one in enumerate(joint.coordinate_names)
        if one in rig.names
    }
    for number, one in enumerate(rig.names):
        for stated, told in ((limits[one].lower, rig.lower[number]), (limits[one].upper, rig.upper[number])):
            assert stated is None or told == pytest.approx(stated, abs=1e-9)
    assert np.all(rig.upper >= rig.lower)


def test_a_dry_run_needs_no_servo_map() -> None:
    said: list[str] = []
    lamp = an.load_character("lamp")
    rig = an.stage.playing.rig_for(lamp, "dry", said.append)
    assert rig.names == lamp.actuated_coordinate_names and "no servo map" in said[0]
    with pytest.raises(an.errors.CharacterError, match="animato servos map"):
        an.stage.playing.rig_for(lamp, "servos")
