"""Exact margins by search and hints: how a game ends between perfect players, and by how much."""
