"""From what an op computes to a kernel: the instruction set first."""
