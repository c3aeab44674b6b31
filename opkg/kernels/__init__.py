"""From what an op computes to a kernel: graphs, strategies, the instruction set, C++."""
