"""Tests rules by running both of their sides: meanings of ops, graphs that a rule accepts, equivalence."""
