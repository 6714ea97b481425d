"""The only room that knows Numba."""
