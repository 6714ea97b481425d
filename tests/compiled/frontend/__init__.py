"""Tests of how functions are made ready to be compiled."""
