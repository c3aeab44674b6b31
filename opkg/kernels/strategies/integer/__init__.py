"""Integers and bools, exact."""
