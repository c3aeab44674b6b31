"""numpy functions of the ops of test.trained that have no computation."""

from __future__ import annotations

import numpy as np


def cube(x, scale, factor):
    return factor * x**3 * (1.0 if scale is None else scale)


def cube_backward(x, scale, factor, grad_y):
    by = 1.0 if scale is None else scale
    return grad_y * 3 * factor * x**2 * by, np.asarray([np.sum(grad_y * factor * x**3)])


def silent(x):
    return np.tanh(x)
