"""Searches for games of many players: max^n, paranoid, best-reply, and against opponents who err."""
