"""Entries of ours that somebody, or a formatter, laid out in another way: taken out one by one, or a finding and no change."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from intree_lib import QUALCOMM, SPEC, checkout, intree, project, tree

from opkg.targets.foreign import Place
from opkg.trees.entries import Unexpected, find, obstacle, remove

INIT, PARTITION = f"{QUALCOMM}/builders/__init__.py", f"{QUALCOMM}/partition/utils.py"
LAYOUT, RULES = f"{QUALCOMM}/_passes/layout_transform.py", f"{QUALCOMM}/quantizer/annotators/htp_rules.py"
STATEMENT = "from executorch.backends.qualcomm.builders.acme_nn_package.checks import x"
LIST, NAMES = Place("list", "known"), Place("names", ".")


def two(folder: Path, torch: str = "aten.softplus.default") -> tuple[Path, Path, dict[str, bytes]]:
    """A checkout with two ops of ours in it, their project, and the checkout as it was before."""
    there, ours = checkout(folder / "et"), project(folder / "p", torch=torch)
    spec = ours / "specs/acme.nn.yaml"
    spec.write_text(
        spec.read_text() + SPEC[SPEC.index("  {op}:") :].format(op="Shift").replace("{{", "{").replace("}}", "}")
    )
    before = tree(there)
    result = intree(ours, there)
    assert result.return_value == 0, result.output
    return there, ours, before


def change(there: Path, path: str, *pairs: tuple[str, str]) -> None:
    text = (there / path).read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (there / path).write_text(text)


@pytest.mark.parametrize("lost", [False, True])
def test_entries_that_share_a_line(tmp_path: Path, lost: bool) -> None:
    there, ours, before = two(tmp_path)
    change(
        there,
        INIT,
        (
            "    op_acme_nn_scale,\n    op_acme_nn_shift,\n    op_elu,\n",
            "    op_acme_nn_scale, op_acme_nn_shift, op_elu,\n",
        ),
    )
    edge = "        exir_ops.edge.acme_nn."
    change(there, LAYOUT, (f"{edge}scale.default,\n{edge}shift", f"{edge}scale.default, exir_ops.edge.acme_nn.shift"))
    if lost:
        (ours / "intree.json").unlink()
    assert intree(ours, there, "--check").return_value == 0
    result = intree(ours, there, "--remove")
    assert result.return_value == 0, result.output
    assert tree(there) == before


def formatted(there: Path, *words: str) -> None:
    """The checkout as ruff's formatter leaves it, builders of ours among all others."""
    ruff = [
        str(Path(sys.executable).parent / "ruff"),
        "format",
        "--isolated",
        "--no-cache",
        "-q",
        "--exclude",
        "*_package/[a-z]*",
    ]
    subprocess.run([*ruff, *words, str(there)], check=True)


STYLES = {
    "narrow": ("--line-length", "48", "--config", "format.quote-style='single'"),
    "joined": ("--line-length", "200", "--config", "format.skip-magic-trailing-comma=true"),
}


@pytest.mark.parametrize(("name", "style"), [("qti.aisw", "narrow"), ("acme.nn", "joined")])
def test_what_a_formatter_does_is_no_edit(tmp_path: Path, name: str, style: str) -> None:
    """With the record and without it: lists on one line, other quotes, calls over more lines, files of ours."""
    there, before = checkout(tmp_path / "et"), checkout(tmp_path / "before")
    ours = project(tmp_path / "p", name, "Twice", "[aten.softplus.default, aten.elu.default, aten.mish.default]")
    formatted(there)
    assert intree(ours, there, "--existing", "replace").return_value == 0
    kept = tree(there), (ours / "intree.json").read_bytes()
    formatted(there, *STYLES[style])
    now = tree(there)
    for lost in (False, True):
        assert now != kept[0]
        assert intree(ours, there, "--check").output == ""
        if lost:
            (ours / "intree.json").unlink()
        result = intree(ours, there, "--remove")
        assert result.return_value == 0, result.output
        for each in (there, before):
            formatted(each, *STYLES[style])
        assert tree(there) == tree(before)
        for path, data in now.items():
            (there / path).parent.mkdir(exist_ok=True)
            (there / path).write_bytes(data)
        (ours / "intree.json").write_bytes(kept[1])


def test_entries_are_laid_out_for_the_formatter_of_the_tree(tmp_path: Path) -> None:
    there = checkout(tmp_path / "et")
    name = "acme." + "_".join(["very_long_name"] * 4)
    ours = project(tmp_path / "p", name, "Scale" * 6, "[aten.softplus.default, aten.elu.default, aten.mish.default]")
    with (ours / f"specs/{name}.yaml").open("a") as file:
        file.write("    pattern: x * alpha\n")
    formatted(there)
    assert intree(ours, there, "--existing", "replace").return_value == 0
    before = tree(there)
    formatted(there)
    lists = {path for path in before if "very_long" not in path and not path.endswith("_passes/qnn_pass_manager.py")}
    assert [path for path in lists if tree(there)[path] != before[path]] == []


def test_an_edit_is_not_said_to_be_of_somebody_else(tmp_path: Path) -> None:
    there, ours, _ = two(tmp_path)
    change(there, RULES, ("acme_nn_package.annotate(node, quantization_config)", "pass"))
    output = intree(ours, there, "--check").output
    assert "the entry 'AcmeNnScale' that opkg put in here was edited [OPK363]" in output
    assert "OPK360" not in output


def test_a_list_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """And nothing is changed, when it has something of ours, with the record or without it."""
    there, ours, _ = two(tmp_path)
    change(
        there, LAYOUT, ("    layout_agnostic_ops = {", "    layout_agnostic_ops = known(*{"), ("    }\n", "    })\n")
    )
    now = tree(there)
    for _ in range(2):
        result = intree(ours, there, "--remove")
        assert result.return_value == 1
        assert (
            f"{LAYOUT}:2:1: error: does not look as expected: 'LayoutTransform.layout_agnostic_ops' is no list"
            in result.output
        )
        assert tree(there) == now
        (ours / "intree.json").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("path", "pairs", "words"),
    [
        (
            PARTITION,
            [("import acme_nn_package\n", "import acme_nn_package as ours\n"), ("acme_nn_package.allows", "ours.allows")],
            ": error: the entry 'from executorch.backends.qualcomm.builders import acme_nn_package' that opkg put in",
        ),
        (
            PARTITION,
            [("    if not acme_nn_package.allows(node):\n", "    if not (known or acme_nn_package.allows(node)):\n")],
            ":9:22: error: 'acme_nn_package' is used here, and opkg would take it out [OPK361]",
        ),
        (
            PARTITION,
            [("\n\ndef filter_fn", f"{STATEMENT}\n\n\ndef filter_fn")],
            ":3:1: error: 'checks' is used here, and opkg would take it out [OPK361]",
        ),
    ],
)  # fmt: skip
def test_edited_statements_without_the_record(
    tmp_path: Path, path: str, pairs: list[tuple[str, str]], words: str
) -> None:
    there, ours, _ = two(tmp_path)
    (ours / "intree.json").unlink()
    change(there, path, *pairs)
    now = tree(there)
    result = intree(ours, there, "--remove")
    assert result.return_value == 1
    assert path + words in result.output
    assert tree(there) == now


def test_torch_ops_that_the_spec_has_no_more(tmp_path: Path) -> None:
    """Their entries go without the record, too, with the condition and the import that the partitioner had for them."""
    there, ours, before = two(tmp_path)
    (ours / "intree.json").unlink()
    spec = ours / "specs/acme.nn.yaml"
    spec.write_text(spec.read_text().replace("    torch: aten.softplus.default\n", ""))
    assert intree(ours, there).return_value == 0
    assert tree(there)[PARTITION] == before[PARTITION]
    assert b"aten.softplus" not in tree(there)[LAYOUT]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("known = [a, ours, b]\n", "known = [a, b]\n"),
        ("known = [a, ours]\n", "known = [a]\n"),
        ("known = [ours]\n", "known = []\n"),
        ("known = (ours, a)\n", None),
        ("known = {ours}\n", None),
        ("known = (a, ours, b)\r\n", "known = (a, b)\r\n"),
        ("known = [\n    a, ours,  # note\n]\n", "known = [\n    a,  # note\n]\n"),
        ("known = [\n    a, ours,  # opkg: acme.nn\n]\n", "known = [\n    a,\n]\n"),
        ("known = [\n    ours, a,  # opkg: acme.nn\n]\n", "known = [\n    a,  # opkg: acme.nn\n]\n"),
        ("known = [\n    a,\n    ours\n]\n", "known = [\n    a,\n]\n"),
        ("known = [\n    'ä', ours, 'ö',\n    b,\n]\n", "known = [\n    'ä', 'ö',\n    b,\n]\n"),
        ("known = [\n    f(\n        x), ours\n]\n", "known = [\n    f(\n        x)\n]\n"),
        ("from . import a, ours\n", "from . import a\n"),
        ("from . import ours\n", None),
    ],
)  # fmt: skip
def test_one_of_a_line(text: str, left: str | None) -> None:
    place = NAMES if text.startswith("from") else LIST
    found = find(text, place, "ours")
    assert found is not None
    assert found.text.strip().startswith("ours,")
    assert obstacle(text, place, "ours") is not None  # nothing new can go in
    if left is None:
        with pytest.raises(Unexpected, match="'ours' cannot be taken out of the line that it shares"):
            remove(text, place, "ours")
    else:
        assert remove(text, place, "ours") == left
        ast.parse(left)
