"""Endgame databases: slices of a game solved bottom-up by retrograde analysis, kept in files, asked by searches."""
