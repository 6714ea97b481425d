"""Analyses, moves and boards for other programs: one protocol, worker processes behind it."""
