"""Grading of programs: what students write is run in a process of its own and compared with a reference."""
