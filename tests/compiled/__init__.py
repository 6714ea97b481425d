"""Tests of the only room that knows Numba."""
