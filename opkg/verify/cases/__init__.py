"""What is tried: sizes, values, params and seeds of calls, and what their outputs are expected to be."""
