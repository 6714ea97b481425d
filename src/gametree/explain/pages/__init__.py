"""Traces as pages to step through."""
