"""Searches of the textbook as sequences of events, with a sentence for each."""
