"""Draw it, and the robot performs it: strokes into motion that keeps their timing.

After Luo and Hauser: Interactive Generation of Dynamically Feasible Robot Trajectories from Sketches Using Temporal
Mimicking (2012).
"""
