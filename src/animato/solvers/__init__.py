"""Numerical solvers: arrays in, a solution with its status out. They know no robot."""
