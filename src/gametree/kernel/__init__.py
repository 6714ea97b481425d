"""What kernels are written in: primitives, random numbers, keys, vectors. `compiled/` has the machine code of each."""
