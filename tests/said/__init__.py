"""QNN's operators in `compute:`."""
