"""Warnings about what people write by hand: files that nothing uses, functions not written yet, ops without a meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.project.read import read

SPEC = """\
opkg: 1
package: {name: acme.hand, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
  Boxy:
    summary: s
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [N, C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    reference: references:boxy
  Ring:
    summary: s
    inputs: {x: {dtype: float32, shape: [N, C]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    kernels: [{body: kernels/deep/ring.cpp}]
"""
STUB = """\
namespace acme_hand {
opkg::Status boxy_f32(const BoxyArgsF32&) {
  return opkg::Status::unsupported;  // TODO: compute the outputs
}
opkg::Status boxy_u8(const BoxyArgsU8& op) {
  if (op.x.size() > 5) {
    return opkg::Status::unsupported;  // a choice, not a stub
  }
  return opkg::Status::ok;
}
}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path, text in {
        "specs/hand.yaml": SPEC, "kernels/boxy.cpp": STUB, "kernels/deep/ring.cpp": '#include "parts/shared.cpp"\n',
        "kernels/parts/shared.cpp": "", "kernels/old.cpp": "", "kernels/deep/older.cc": "", "kernels/helper.h": "",
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def found(*paths: str) -> list[tuple[str, str]]:
    findings = [f for project in read(paths) for f in project.findings if f.severity.value == "warning"]
    return [(f.id, ":".join(str(part) for part in f.span[:3])) for f in findings]


def test_each_is_found_at_its_place(root: Path) -> None:
    assert found() == [
        ("OPK349", "kernels/boxy.cpp:2:14"),
        ("OPK317", "kernels/deep/older.cc:1:1"),
        ("OPK317", "kernels/old.cpp:1:1"),
        ("OPK348", "specs/hand.yaml:10:3"),
    ]


def test_one_spec_of_several_does_not_know_all_kernels(root: Path) -> None:
    assert ("OPK317", "kernels/old.cpp:1:1") not in found("specs/hand.yaml")
    (root / "specs" / "bad.yaml").write_text("opkg: 1\npackage: {name: acme.bad}\n")
    assert "OPK317" not in [id for id, _ in found()]
