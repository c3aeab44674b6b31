"""Fused ops from models: patterns that repeat, their specs, their proofs, and the model with them."""
