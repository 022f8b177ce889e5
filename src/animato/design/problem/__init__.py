"""What is asked of a design, from targets to one problem."""

from animato.design.problem.build import Motions, build
from animato.design.problem.problem import Problem
from animato.design.problem.target_files import TARGET_SUFFIXES, load_targets, point_on_body
from animato.design.problem.target_motion import TargetMotion

__all__ = ["TARGET_SUFFIXES", "Motions", "Problem", "TargetMotion", "build", "load_targets", "point_on_body"]
