"""Shows worked out: when everything is, and that nothing is too much."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.findings import check
from animato.fix.joining import bridge
from animato.loading import load_clip
from animato.stage.shows.rehearsing import rehearse
from animato.stage.shows.score import End, Passage
from tests.show_builders import EVENING, Stand, lamp, lamp_rig, score_of

HEAD = "animato: 1\nname: x\nclips: {look: lamp_look}\ninputs: {keys: {kind: keyboard}}\n"


def test_steps_follow_one_another() -> None:
    score = score_of(HEAD + "timeline: [{pose: rest}, {wait: 1 s}, {play: look, speed: 0.5, end: 2 s}, {wait: 2 s}]\n")
    (stretch,) = score.stretches
    pose, first, play, last = stretch.marks
    assert (pose.start_s, first.start_s, first.end_s) == (0.0, 0.0, 1.0)
    assert play.start_s == pytest.approx(1.0 + play.transition_s)
    assert play.end_s - play.start_s == pytest.approx(4.0)
    assert last.end_s - last.start_s == pytest.approx(2.0)
    assert stretch.duration_s == last.end_s
    assert check(lamp(), stretch.clip).outcome.usable


def test_a_clip_is_played_as_it_is() -> None:
    (stretch,) = score_of(HEAD + "timeline: [{pose: rest}, {play: look}]\n").stretches
    clip, start = load_clip("lamp_look", lamp()), stretch.marks[1].start_s
    at = np.linspace(0.5, 4.5, 100)
    played = stretch.clip.selected(clip.names).spline(start + at)
    assert np.abs(played - clip.spline(clip.times[0] + at)).max() < 1e-4  # two splines through the same frames


def test_loops_have_the_same_transition() -> None:
    text = HEAD + "timeline: [{play: look, end: 2 s, loops: 4}]\n"
    (stretch,) = score_of(text).stretches
    clip = load_clip("lamp_look", lamp())
    clip = clip.part(slice(0, 101))
    way = bridge(lamp(), clip, clip)
    mark = stretch.marks[0]
    assert mark.end_s - mark.start_s == pytest.approx(3 * way.last_frame * 0.02 + 2.0)


@pytest.mark.parametrize("where", ["at: 6 s", "beat: 11"])
def test_steps_are_placed(where: str) -> None:
    text = (
        HEAD + f"tempo: {{bpm: 120, offset: 0.5 s}}\ntimeline: [{{pose: rest}}, {{play: look, accent: 1 s, {where}}}]\n"
    )
    (stretch,) = score_of(text, (0.5, 0.5)).stretches
    assert stretch.marks[1].start_s == pytest.approx(5.0, abs=0.0101)  # to the nearest frame
    still = stretch.clip.positions[stretch.clip.times < 5.0 - stretch.marks[1].transition_s - 0.02]
    assert np.ptp(still, axis=0).max() < 1e-9


def test_what_does_not_fit_in_time_is_refused_with_its_line() -> None:
    with pytest.raises(FileFormatError, match=r"line 7.*ends at 5\.\d+ s"):
        score_of(HEAD + "timeline:\n  - play: look\n  - {play: look, at: 1 s}\n")
    with pytest.raises(FileFormatError, match=r"line 7.*too short"):
        score_of(HEAD + "timeline:\n  - pose: sad\n  - {pose: proud, at: 0.1 s}\n")
    with pytest.raises(FileFormatError, match=r"line 6.*too much for lamp"):
        score_of(HEAD + "timeline:\n  - {play: look, speed: 6}\n")
    with pytest.raises(FileFormatError, match=r"line 6.*5\.000 s long"):
        score_of(HEAD + "timeline:\n  - {play: look, start: 4 s, end: 8 s}\n")
    with pytest.raises(FileFormatError, match=r"line 6.*Posture|posture"):
        score_of(HEAD + "timeline:\n  - pose: asleep\n")


def test_a_show_of_everything_is_gone_through() -> None:
    rehearsal = rehearse(score_of(EVENING))
    assert rehearsal.outcome.usable, rehearsal.outcome
    assert rehearsal.held_back == 0
    ends = [one.end for one in rehearsal.score.stretches]
    assert ends == [End.WAIT, End.LOOP, End.GOTO]
    assert [cue.words() for _, cue in rehearsal.sent] == ["light: DMX 1 to 255"] * 2  # it goes back once
    marks = rehearsal.score.stretches[0].marks
    assert rehearsal.sent[0][0] == pytest.approx(marks[1].start_s + 0.5, abs=0.011)
    assert any("waits for the cue 'go'" in line for line in rehearsal.lines())


def test_a_show_without_end_is_gone_through_once() -> None:
    text = HEAD + "timeline: [{pose: rest, name: top}, {pose: curious}, {goto: top}]\n"
    rehearsal = rehearse(score_of(text))
    assert rehearsal.rounds
    assert rehearsal.seconds < 60.0


def test_a_round_ends_as_it_begins() -> None:
    stretch = score_of(EVENING).stretches[1]
    assert stretch.loop_s is not None
    start, end = stretch.loop_s
    for of in (stretch.clip.spline, stretch.clip.velocity):
        assert np.abs(of(np.array([start])) - of(np.array([end]))).max() < 1e-4


def test_a_rate_goes_down_within_the_limits() -> None:
    passage = Passage.of_clip(score_of(EVENING).stretches[0].clip, lamp_rig())
    assert passage.ramp_s(0.0, 1.0, 1.0, 0.08) == 0.08
    assert 0.08 <= passage.ramp_s(1.0, 1.0, 0.0, 0.08) < 1.0
    assert 1.0 <= passage.most_rate(1.03) <= 1.03


def test_a_pause_stays_on_the_path_and_goes_on() -> None:
    score = score_of(HEAD + "timeline: [{pose: rest}, {play: look}]\n")
    stand = Stand(score)
    stand.run(1.5)
    stand.conductor.order("pause")
    stand.run(1.0)
    at = stand.conductor.place.at_s
    assert 1.5 < at < 1.8
    before = stand.told[-1]
    stand.run(1.0)
    assert np.array_equal(before, stand.told[-1])
    stand.conductor.order("go")
    assert not stand.run(30.0)
    assert stand.conductor.ended_well
    path = score.stretches[0].clip.spline(np.arange(0.0, score.duration_s, 0.002))
    for told in stand.told[::7]:
        assert np.abs(path - told).max(axis=1).min() < 6e-3


def test_cues_that_nothing_waits_for_are_said() -> None:
    stand = Stand(score_of(EVENING))
    stand.conductor.order("bow")
    stand.conductor.order("goto nowhere")
    stand.run(0.05)
    assert "Nothing waits for the cue 'bow'" in stand.said[0]
    assert "no such step" in stand.said[1]
