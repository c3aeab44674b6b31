"""`opkg import` from the schemas of the installed torch: all parse, and the core of aten comes over or has a reason."""

from __future__ import annotations

import json
import subprocess

from opkg.imports.form import Imported
from opkg.imports.save import draft
from opkg.imports.schema_text import Schema, parse_schema
from opkg.imports.torch_schema import imported
from opkg.spec.source_text import SourceText

SCRIPT = """
import json, torch
out = []
for name in dir(torch.ops.aten):
    packet = getattr(torch.ops.aten, name)
    for overload in getattr(packet, "overloads", list)():
        op = getattr(packet, overload)
        out.append([torch.Tag.core in op.tags, str(op._schema)])
print(json.dumps(out))
"""
REASONS = (
    "it takes no tensor", "it returns SymInt", "it returns Scalar", "it writes into its argument",
    "a list of tensors in which some",
)  # fmt: skip


def test_all_schemas_parse_and_the_core_comes_over_or_has_a_reason(interpreter: str) -> None:
    done = subprocess.run([interpreter, "-c", SCRIPT], capture_output=True, text=True, check=True)
    texts = json.loads(done.stdout.splitlines()[-1])
    assert len(texts) > 2000
    parsed = [(core, parse_schema(SourceText("<schema>", text))) for core, text in texts]
    assert [schema for _, schema in parsed if not isinstance(schema, Schema)] == []
    made = [imported(schema) for core, schema in parsed if core and isinstance(schema, Schema)]
    assert len(made) > 150
    whole = draft(Imported(("torch",), tuple(op for op, _ in made if op is not None)), "acme.aten")
    assert whole.ok
    assert not [finding for finding in whole.findings if finding.id == "OPK632"]
    refused = [finding.message for op, found in made if op is None for finding in found]
    assert [message for message in refused if not any(reason in message for reason in REASONS)] == []
    assert len(refused) < 0.15 * len(made)
