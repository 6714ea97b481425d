"""A tree from a lecture, as a game."""
