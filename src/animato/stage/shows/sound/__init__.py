"""Sounds of a show: WAV files, programs that play them, and where the beat is."""

from animato.stage.shows.sound.beats import Beats, beats_of
from animato.stage.shows.sound.player import PLAYERS, Effects, SoundClock, player_command
from animato.stage.shows.sound.wave_file import Wave, load_wave

__all__ = ["PLAYERS", "Beats", "Effects", "SoundClock", "Wave", "beats_of", "load_wave", "player_command"]
