"""A person's motion on a humanoid that stays on its feet."""
