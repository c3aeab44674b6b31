"""Names derived from names: the one place that turns `HardSwish` into `hard_swish`."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD_EDGE = re.compile(r"([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """`HardSwish` -> `hard_swish`, `PReLU6` -> `p_re_lu6`, `my-Op` -> `my_op`."""
    spaced = _WORD_EDGE.sub(lambda m: f"{m[1] or m[3]}_{m[2] or ''}", name)
    return re.sub(r"\W", "_", spaced).lower()
