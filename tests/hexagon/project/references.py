"""What the ops mean."""

import numpy as np


def blend(x, mode, gain, negate, shift, table):
    y = x * gain + table[mode]
    y = -y if negate else y
    return y if x.dtype.kind == "f" else np.asarray(np.clip(x.astype(np.int64) + shift, -(2**31), 2**31 - 1))


def join(xs, axis):
    return np.concatenate(xs, axis)


def pick(x, floor, axis):
    y = x.max(axis=axis, keepdims=True)
    return y if floor is None else np.maximum(y, floor)
