"""From a user's functions to Python that compiles."""
