"""Simultaneous choices: dominance, equilibria, security, in exact fractions."""
