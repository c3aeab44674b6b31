"""The generated C++ validation accepts exactly the calls that opkg.spec.infer.check_call accepts."""

# ruff: noqa: E501
from __future__ import annotations

import os
from pathlib import Path

import pytest
import qlib
from callgen import calls_of, verdict

CASES = int(os.environ.get("OPKG_AGREEMENT_CASES", "160"))  # an op
SEED = int(os.environ.get("OPKG_AGREEMENT_SEED", "1"))
SPECS = {
    "agree": qlib.HERE / "specs" / "agree.yaml",
    **{name: qlib.ROOT / "examples" / name / "specs" / f"{name}.yaml" for name in ("math", "activations", "layout")},
}


def show(call: qlib.Call) -> str:
    """A call in few words."""
    inputs = ", ".join(
        "null" if t.null else f"{t.dtype}{list(t.shape)}{t.quant or ''}{' static' * t.static}" for t in call.inputs
    )
    outputs = ", ".join(f"{t.dtype}{list(t.shape)}{t.quant or ''}" for t in call.outputs)
    return f"{call.op}({inputs}; {', '.join(f'{p.name}={p.value}:{p.dtype}{p.shape or str()}' for p in call.params)}) -> {outputs}"


@pytest.mark.parametrize("name", SPECS)
def test_validation_agrees(name: str, tmp_path: Path) -> None:
    package = qlib.spec_of(SPECS[name])
    project = qlib.built(package)
    calls = [(op, call) for op in package.ops for call in calls_of(op, CASES, SEED)]
    results = qlib.run(project, [call for _, call in calls], tmp_path)
    wrong, accepted = [], dict.fromkeys((op.name for op in package.ops), 0)
    for (op, call), result in zip(calls, results, strict=True):
        why = verdict(op, call)
        said = result.status == "rejected"
        accepted[op.name] += not said
        if said != bool(why):
            wrong.append(f"{show(call)}\n  python: {why or 'accepts'}\n  C++: {result.status} {qlib.reason(result)}")
        elif said:
            assert result.stage == "validate"
            assert qlib.reason(result), "a rejection without a reason"
        assert result.status not in ("crash", "timeout", "guard") or not why, (call, result)
    assert not wrong, f"{len(wrong)} of {len(calls)} differ:\n" + "\n".join(wrong[:12])
    for op, count in accepted.items():
        assert CASES * 0.2 < count < CASES * 0.8, f"{op}: {count} of {CASES} calls were accepted"
