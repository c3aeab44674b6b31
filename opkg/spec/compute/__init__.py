"""`compute:` of an op: what it computes, as assignments in a subset of Python's expressions, read to a frozen tree."""
