"""Checkers, and its notations."""
