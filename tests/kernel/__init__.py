"""Tests of what kernels are written in."""
