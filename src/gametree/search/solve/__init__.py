"""Proven values, whole strategies, best responses."""
