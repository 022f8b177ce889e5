"""Places joints, loops and actuators so that the character can do the animation."""
