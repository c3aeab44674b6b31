"""How far off: comparison of what a machine computed with what was expected, and its outcome."""
