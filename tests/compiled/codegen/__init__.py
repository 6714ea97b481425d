"""Tests of how machine code is made."""
