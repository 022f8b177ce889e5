"""What a line can say besides a target."""

from __future__ import annotations

import pytest

from animato.errors import MotionError
from animato.express.problem.said import Said, parse_line
from animato.express.problem.target import Target


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 0 2", Said(Target(point=(1.0, 0.0, 2.0)))),
        ('{"direction": [0, 0, 3], "end_point": "eyes"}', Said(Target(direction=(0.0, 0.0, 1.0), end_point="eyes"))),
        ('{"posture": "sad"}', Said(posture="sad")),
        ('{"posture": {"nod": 0.3}, "blend_s": 1, "time_s": 2}', Said(posture={"nod": 0.3}, blend_s=1.0, time_s=2.0)),
        ('{"posture": [0, 1, 2]}', Said(posture=(0.0, 1.0, 2.0))),
        ('{"posture": [[0, 0, 0], [0, 0, 1]]}', Said(posture=((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)))),
        ('{"release": true, "end_point": "eyes"}', Said(release=True, end_point="eyes")),
        (
            '{"posture_weight": 0, "smoothness": [0, 1]}',
            Said(weights={"posture_weight": 0}, character={"smoothness": (0, 1)}),
        ),
    ],
)
def test_lines_say_what_they_say(line: str, said: Said) -> None:
    assert parse_line(line) == said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{}", "exactly one"),
        ('{"pose": "sad"}', "cannot say 'pose'.*posture"),
        ('{"posture": 3}', "a name, joint positions"),
        ('{"posture": []}', "a name"),
        ('{"posture": [[1, 2]]}', r"\[x, y, z\]"),
        ('{"posture": [1, "2"]}', "finite numbers"),
        ('{"posture": {"nod": NaN}}', "finite numbers"),
        ('{"posture": [' + "1," * 2000 + "1]}", "a name"),
        ('{"blend_s": -1}', "0 to 3600"),
        ('{"blend_s": true}', "0 to 3600"),
        ('{"smoothness": 2}', "from 0 to 1"),
        ('{"smoothness": "much"}', "from 0 to 1"),
        ('{"orientation_weight": 0}', "greater than 0"),
        ('{"release": 1}', "true or false"),
        ('{"release": true, "point": [1, 2, 3]}', "not both"),
        ('{"posture": "sad", "end_point": "eyes"}', "neither"),
        ('{"posture": "sad", "roll_rad": 1}', "neither"),
        ('{"posture": "sad", "time_s": "soon"}', "time_s"),
        ('{"point": [1, 2, 3], "end_point": 3}', "name of one"),
    ],
)
def test_bad_lines_are_told_clearly(line: str, words: str) -> None:
    with pytest.raises(MotionError, match=words) as caught:
        parse_line(line)
    assert len(str(caught.value)) < 400
