"""Torch ops that a checkout has builders of already: refused, ours first, or left as they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from intree_lib import QUALCOMM, checkout, intree, project, tree

INIT, RULES = f"{QUALCOMM}/builders/__init__.py", f"{QUALCOMM}/quantizer/annotators/htp_rules.py"
BUILDER = f"{QUALCOMM}/builders/op_elu.py"
README = f"{QUALCOMM}/builders/README.md"
ELU = "{op: aten.elu.default, args: {x: self, alpha: alpha}}"

# How upstream's files name torch ops: one, several on one line, several lines, with comments, not as black would.
FORMS = {
    "one": ('["aten.elu.default"]', "[torch.ops.aten.elu.default]"),
    "first of two": ('["aten.elu.default", "aten.celu.default"]', "[torch.ops.aten.elu.default, torch.ops.aten.celu.default]"),
    "last of two": ('["aten.celu.default", "aten.elu.default"]', "[torch.ops.aten.celu.default, torch.ops.aten.elu.default]"),
    "lines": (
        '[\n        "aten.celu.default",\n        "aten.elu.default",  # and this\n    ]',
        "[\n        torch.ops.aten.elu.default,\n        torch.ops.aten.celu.default,\n    ]",
    ),
    "no last comma": (
        '[\n        "aten.celu.default",\n        "aten.elu.default"]',
        "[torch.ops.aten.elu.default,\n    torch.ops.aten.celu]",
    ),
    "a string": ('"aten.elu.default"', "[torch.ops.aten.elu.default, torch.ops.aten.elu]"),
}  # fmt: skip


def places(folder: Path, form: str, end: str = "\n", name: str = "acme.nn", op: str = "Scale") -> tuple[Path, Path]:
    """The stand-in with one form of lists, and a project that builds aten.elu.default."""
    there = checkout(folder / "et")
    visitor, rule = FORMS[form]
    for path, old, new in ((BUILDER, '["aten.elu.default"]', visitor), (RULES, "[torch.ops.aten.elu.default]", rule)):
        text = (there / path).read_text()
        assert text.count(old) == 1
        (there / path).write_bytes(text.replace(old, new).replace("\n", end).encode())
    return there, project(folder / "p", name, op, ELU)


def served(text: str) -> dict[str, list[str]]:
    """Torch ops of the registered classes of a builder's module."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and (
            node.decorator_list or f"\nregister_node_visitor({node.name})\n" in text
        ):
            (value,) = (
                n.value for n in node.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "target"
            )
            found[node.name] = [value] if isinstance(value := ast.literal_eval(value), str) else value
    return found


def ruled(text: str) -> dict[str, list[str]]:
    """Torch ops of the quantizer's rules, by class."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            lists = [ast.literal_eval(ast.unparse(ast.parse(f"{[ast.unparse(e) for e in d.args[0].elts]}")))
                     for d in node.decorator_list]  # fmt: skip
            found[node.name] = [name.removeprefix("torch.ops.") for each in lists for name in each]
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_replaced(tmp_path: Path, form: str, end: str) -> None:
    there, ours = places(tmp_path, form, end)
    before = tree(there)
    assert intree(ours, there, "--existing", "replace").return_value == 0
    after = tree(there)
    stock, own = served(after[BUILDER].decode()), served(after[f"{QUALCOMM}/builders/op_acme_nn_scale.py"].decode())
    assert all("aten.elu.default" not in targets for targets in stock.values())
    assert stock == ({} if form in ("one", "a string") else {"Elu": ["aten.celu.default"]})
    assert own == {"ScaleVisitor": ["acme_nn.scale.default", "aten.elu.default"]}
    assert (b"@lambda visitor: register_node_visitor(visitor) or visitor" in after[BUILDER]) == bool(stock)
    module = after[f"{QUALCOMM}/builders/op_acme_nn_scale.py"].decode()
    assert "from .op_elu import Elu as StockElu\n" in module
    assert 'stock: ClassVar = {"aten.elu.default": StockElu}\n' in module
    rules = ruled(after[RULES].decode())
    assert rules["AcmeNnScale"] == ["acme_nn.scale.default", "aten.elu.default"]
    assert "aten.elu.default" not in rules["Elu"]
    assert 'acme_nn_package.annotate(node, quantization_config, {"aten.elu.default": Elu})' in after[RULES].decode()
    lines = after[BUILDER].count(b"\n")
    assert after[BUILDER].count(b"\r\n") == (lines if end == "\r\n" else 0)
    for words in (["--existing", "replace"], []):  # without it, too: ours replace them already
        assert intree(ours, there, "--check", *words).return_value == 0
        assert intree(ours, there, *words).return_value == 0
        assert tree(there) == after
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before

    assert intree(ours, there, "--existing", "replace").return_value == 0
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_refused_with_a_way_out(tmp_path: Path) -> None:
    there, ours = places(tmp_path, "lines")
    before = tree(there)
    result = intree(ours, there)
    assert result.return_value == 1
    assert (
        f"{BUILDER}:5:1: error: 'aten.elu.default' has a builder here already; Scale would be a second one [OPK362]"
        in result.output
    )
    assert "--existing replace|beside" in result.output
    assert tree(there) == before


def test_refused_after_it_was_replaced(tmp_path: Path) -> None:
    """Asked for, it is as if ours had never been there."""
    there, ours = places(tmp_path, "lines")
    assert intree(ours, there, "--existing", "replace").return_value == 0
    before = tree(there)
    result = intree(ours, there, "--existing", "refuse")
    assert result.return_value == 1
    assert "op_elu.py:5:1: error: 'aten.elu.default' has a builder" in result.output
    assert tree(there) == before


def test_beside(tmp_path: Path) -> None:
    there, ours = places(tmp_path, "lines")
    before = tree(there)
    assert intree(ours, there, "--existing", "beside").return_value == 0
    after = tree(there)
    assert after[BUILDER] == before[BUILDER]
    assert served(after[f"{QUALCOMM}/builders/op_acme_nn_scale.py"].decode()) == {
        "ScaleVisitor": ["acme_nn.scale.default"]
    }
    rules = ruled(after[RULES].decode())
    assert (rules["AcmeNnScale"], rules["Elu"]) == (
        ["acme_nn.scale.default"],
        ["aten.elu.default", "aten.celu.default"],
    )
    assert intree(ours, there, "--existing", "replace").return_value == 0
    assert tree(there)[BUILDER] != before[BUILDER]
    assert intree(ours, there, "--existing", "beside").return_value == 0
    assert tree(there) == after
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


@pytest.mark.parametrize("existing", ["replace", "beside"])
def test_an_operator_of_qnn(tmp_path: Path, existing: str) -> None:
    """Its names are upstream's: ours get the package's name in front, and upstream's file and entries stay."""
    there, ours = places(tmp_path, "one", name="qti.aisw", op="Elu")
    before = tree(there)
    assert intree(ours, there, "--existing", existing).return_value == 0
    after = tree(there)
    assert after[INIT].count(b"    op_elu,\n") == 2
    builders = {name for name in after if name.startswith(f"{QUALCOMM}/builders/op_")}
    own = f"{QUALCOMM}/builders/op_qti_aisw_elu.py"
    assert (own in builders) == (existing == "replace")
    if existing == "replace":
        assert served(after[own].decode())["EluVisitor"] == ["qti_aisw.elu.default", "aten.elu.default"]
    (ours / "intree.json").unlink(missing_ok=True)
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_two_of_ours_for_one(tmp_path: Path) -> None:
    """The first op is asked first, the next one gets what its spec does not allow, then upstream's builder."""
    there, ours = places(tmp_path, "one")
    spec = ours / "specs/acme.nn.yaml"
    text = spec.read_text()
    text = text.replace("alpha: alpha}}", "alpha: alpha}, lowered: true}")
    spec.write_text(text + text[text.index("  Scale:") :].replace("  Scale:", "  Other:"))
    before = tree(there)
    assert intree(ours, there, "--existing", "replace").return_value == 0
    after = tree(there)
    first, second = (after[f"{QUALCOMM}/builders/op_acme_nn_{name}.py"].decode() for name in ("scale", "other"))
    assert served(first) == {"ScaleVisitor": ["acme_nn.scale.default", "aten.elu.default"]}
    assert served(second) == {"OtherVisitor": ["acme_nn.other.default"]}
    assert "from .op_acme_nn_other import OtherVisitor\n" in first
    assert 'stock: ClassVar = {"aten.elu.default": OtherVisitor}\n' in first
    assert 'stock: ClassVar = {"aten.elu.default": StockElu}\n' in second
    rules = ruled(after[RULES].decode())
    assert (rules["AcmeNnScale"], rules["AcmeNnOther"]) == (["acme_nn.scale.default"], ["acme_nn.other.default"])
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_a_rule_of_an_op_that_the_table_of_operators_has(tmp_path: Path) -> None:
    """A tick of ours in it is no reason to take upstream's rule of that name for ours."""
    there, ours = places(tmp_path, "one", name="qti.aisw", op="Elu")
    before = tree(there)
    assert b"| Elu | &cross; |" in before[README]
    for _ in range(2):  # the second run finds the tick there
        assert intree(ours, there, "--existing", "replace").return_value == 0
        after = tree(there)
        assert b"| Elu | &check; <!-- opkg: qti.aisw --> |" in after[README]
        rules = ruled(after[RULES].decode())
        assert [name for name, targets in rules.items() if "aten.elu.default" in targets] == ["QtiAiswElu"]
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before
