"""Expectiminimax."""
