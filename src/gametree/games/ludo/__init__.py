"""Ludo: the rules, and where the squares of its track lie."""
