"""Torch's set of ops that decompose by themselves, as torch collects it and as the harness keeps it; JSON for the test."""

from __future__ import annotations

import json

import torch
from opkg_executorch import upstream_tables
from torch._export import utils
from torch.export import decomp_utils, exported_program

plain = utils._collect_all_valid_cia_ops
before = set(plain())
upstream_tables.install()
upstream_tables.install()
kept = utils._collect_all_valid_cia_ops
found = {
    "same": [kept() == before, kept() is kept(), decomp_utils._collect_all_valid_cia_ops is kept],
    "everywhere": exported_program._collect_all_valid_cia_ops is kept,
}
library = torch.library.Library("opkg_tables", "DEF")
library.define("twice(Tensor x) -> Tensor")
found["defined"] = kept() == plain()
library.impl("twice", lambda x: x + x, "CompositeImplicitAutograd")
found["new"] = [sorted(map(str, kept() - before)), kept() == plain()]
print(json.dumps(found))
