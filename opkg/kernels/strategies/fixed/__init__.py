"""Quantized tensors in fixed point."""
