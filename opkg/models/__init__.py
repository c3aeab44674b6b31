"""Whole models: one graph form for all of them, what reads them, and which of their ops can become one kernel."""
