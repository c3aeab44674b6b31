"""Reductions whose results lie one after another: lanes are columns."""
