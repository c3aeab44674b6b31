"""Torch's set of ops that decompose by themselves, collected once: each lowering asks for it five times."""

from __future__ import annotations

from typing import Any

import torch

_NAME = "_collect_all_valid_cia_ops"
_KEY = "CompositeImplicitAutograd"


def install() -> None:
    """As long as no op is defined and none gets such a kernel, the set is the one that was collected last."""
    from torch._export import utils
    from torch.export import decomp_utils, exported_program

    collect = getattr(utils, _NAME, None)
    if collect is None or hasattr(collect, "known"):
        return
    known: dict[int, Any] = {}

    def collected() -> Any:
        every = torch._C._dispatch_get_all_op_names()
        implicit = torch._C._dispatch_get_registrations_for_dispatch_key(_KEY)
        state = hash((tuple(every), tuple(implicit), tuple(torch.ops._dir)))
        if state not in known:
            found = collect()  # which may load namespaces
            known.clear()
            known[hash((tuple(every), tuple(implicit), tuple(torch.ops._dir)))] = found
            return found
        return known[state]

    collected.known = known  # type: ignore[attr-defined]
    for module in (utils, decomp_utils, exported_program):
        if hasattr(module, _NAME):
            setattr(module, _NAME, collected)
