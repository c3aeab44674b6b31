"""Floats through qfloat."""
