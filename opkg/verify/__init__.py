"""Builds what was generated, runs it on the machines that are here, and compares with the reference."""
