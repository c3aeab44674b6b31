"""Smooth functions of one half by cubics of equal pieces, in whole numbers (templates/qnn/hvx_cubics.h)."""
