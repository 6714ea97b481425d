"""Exercises on game trees: made by a seed, shown as pages and files, and graded."""
