"""Fused ops from models: patterns that repeat, their specs, proofs against the runtime that they come from, and the model with them."""
