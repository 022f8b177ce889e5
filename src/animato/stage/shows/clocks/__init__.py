"""Clocks that lead a show: time code and times that are heard, steadied."""

from animato.stage.shows.clocks.followed import FollowedClock, Reading, ShowClock
from animato.stage.shows.clocks.time_code import RATES, TimeCode, seconds_of

__all__ = ["RATES", "FollowedClock", "Reading", "ShowClock", "TimeCode", "seconds_of"]
