"""Games in which everybody chooses once, at the same time, not seeing what the others choose."""
