"""Prepared graphs: what a backend puts around an op among convolutions."""
