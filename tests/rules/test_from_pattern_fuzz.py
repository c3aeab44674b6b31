"""Whatever a pattern is, the offer is rules that check, or findings that say why there are none."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.check import check_package
from opkg.rules.from_pattern import MOST, offer
from opkg.rules.from_pattern_ops import FORMS
from opkg.spec.pattern_names import FUNCTIONAL, FUNCTIONS, METHODS
from opkg.spec.reader import read

HEAD = """\
opkg: 1
package: {name: acme.fused}
ops:
  Fused:
    types: {T: [float32, ufixed8, int16]}
    inputs: {a: {dtype: T, shape: "[batch..., C]"}, b: {dtype: T, shape: a.shape}, w: {dtype: T, shape: [C], static: true}}
    params: {k: {dtype: float32, default: 0.1}}
    outputs: {y: {dtype: T, shape: a.shape}}
"""
KNOWN = sorted(FORMS)
TREES = st.recursive(
    st.sampled_from(["a", "b", "w", "k", "2", "0.5", "1e30"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**", "//", "@", "<", "=="]), inner).map(
            lambda t: f"({' '.join(t)})"
        ),
        st.tuples(st.sampled_from([n for n in KNOWN if n in FUNCTIONS]), inner, inner).map(
            lambda t: f"torch.{t[0]}({t[1]}, {t[2]})"
        ),
        st.tuples(st.sampled_from([n for n in KNOWN if n in FUNCTIONAL]), inner).map(lambda t: f"F.{t[0]}({t[1]})"),
        st.tuples(inner, st.sampled_from(sorted(METHODS))).map(lambda t: f"({t[0]}).{t[1]}(-1, keepdim=True)"),
        st.tuples(inner, st.sampled_from([n for n in KNOWN if n in METHODS])).map(lambda t: f"({t[0]}).{t[1]}()"),
    ),
    max_leaves=8,
)


@settings(max_examples=120, deadline=None)
@given(TREES)
def test_any_pattern(tree: str) -> None:
    text = f"t = {tree} * a\nt + b * w"
    package, findings = read(f"{HEAD}    pattern: {json.dumps(text)}\n".encode(), "f.yaml")
    if package is None:  # what uses k only where no graph tells it: k - k
        assert {finding.id for finding in findings if finding.is_error} == {"OPK495"}, findings
        assert "k" in tree
        return
    found = offer(package, package.ops[0])
    assert bool(found.rules) != any(finding.is_error for finding in found.findings)
    assert len(found.rules) <= MOST
    if not found.rules:
        return
    rules = "    rules:\n" + "".join(rule.yaml() for rule in found.rules)
    package, findings = read(f"{HEAD}    pattern: {json.dumps(text)}\n{rules}".encode(), "f.yaml")
    assert package is not None, findings
    assert not [finding for finding in check_package(package).findings if finding.is_error]
