"""Backgammon."""
