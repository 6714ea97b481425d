"""Where players meet: opponents, matches, openings and ratings."""
