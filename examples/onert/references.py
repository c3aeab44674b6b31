"""What an op means whose kernel is written by hand."""

import numpy as np


def channel_shuffle(x, groups):
    """Channel g * (C / groups) + i goes to i * groups + g."""
    dealt = x.reshape(*x.shape[:-1], groups, x.shape[-1] // groups)
    return np.swapaxes(dealt, -1, -2).reshape(x.shape)
