"""Where players meet: opponents, and later matches and ratings."""
