"""A graph as straight code: memory operations, loops, registers, and numbers of both."""
