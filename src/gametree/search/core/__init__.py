"""What every search shares: capabilities, the run of a kernel, the root, tables, stopping."""
