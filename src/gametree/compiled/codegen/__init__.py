"""From typed functions to one piece of machine code."""
