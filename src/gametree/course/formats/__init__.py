"""Exercises as pages, paper, Markdown and questions of Moodle."""
