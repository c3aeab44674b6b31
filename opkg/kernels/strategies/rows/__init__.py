"""Reductions, and what needs them, row by row."""
