"""Searches: one algorithm a file, all returning an `Analysis`."""
