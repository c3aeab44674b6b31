"""A small stand-in for a checkout of ExecuTorch: the files that have lists, with a few entries each."""

from __future__ import annotations

import os
from pathlib import Path

from click.testing import CliRunner, Result

from opkg.cli.main import cli

QUALCOMM = "backends/qualcomm"
FILES = {
    "builders/__init__.py": "from . import (\n    op_elu,\n    op_topk,\n)\n\n__all__ = [\n    op_elu,\n    op_topk,\n]\n",
    "builders/qnn_constants.py": (
        "from dataclasses import dataclass\n\n\n@dataclass(init=False, frozen=True)\nclass OpElu:\n"
        '    op_name: str = "Elu"\n    param_alpha: str = "alpha"\n    param_beta: str = "beta"\n\n\n'
        '@dataclass(init=False, frozen=True)\nclass OpTopK:\n    op_name: str = "TopK"\n'
    ),
    "builders/op_elu.py": '@register_node_visitor\nclass Elu(NodeVisitor):\n    target = ["aten.elu.default"]\n',
    "builders/op_topk.py": '@register_node_visitor\nclass TopK(NodeVisitor):\n    target = ["aten.topk.default"]\n',
    "builders/README.md": (
        "# Operators\n\n| Operators | HTP - 1/5 Enabled |\n|---|---|\n| Elu | &cross; |\n| LayerNorm | &cross; |\n"
        "| Scale | &cross; |\n| TopK | &check; |\n| Twice | &#128683; |\n"
    ),
    "builders/targets.bzl": (
        "def define_common_targets():\n    runtime.python_library(\n        srcs = glob([\n"
        '            "*.py",\n        ]),\n    )\n'
    ),
    "quantizer/annotators/htp_rules.py": (
        "import torch\n\nfrom executorch.backends.qualcomm.quantizer.rules import GeneralOpDef\nfrom torch.fx import Node\n\n\n"
        "@register_annotator([torch.ops.aten.elu.default], QnnConstants.OpElu.op_name)\nclass Elu(GeneralOpDef):\n    pass\n\n\n"
        "@register_annotator([torch.ops.aten.mish.default], None)\nclass Mish(GeneralOpDef):\n    pass\n"
    ),
    "partition/utils.py": (
        "from executorch.backends.qualcomm.utils.constants import QCOM_DATA\n\n\ndef filter_fn(node):\n    known = []\n"
        "    if node.target in known:\n        return False\n    return True\n\n\ndef get_skip_decomp_table():\n"
        "    do_not_decompose = [\n        torch.ops.aten.elu.default,\n        torch.ops.torchao.quantize_affine.default,\n"
        "    ]\n    return do_not_decompose\n"
    ),
    "_passes/qnn_pass_manager.py": (
        'def get_qnn_pass_manager_cls(backend=None):\n    """The class."""\n    return QnnPassManager\n'
    ),
    "quantizer/quantizer.py": (
        "class QnnQuantizer:\n    def __init__(self, backend=None):\n        from a import b\n\n        super().__init__()\n"
    ),
    "_passes/layout_transform.py": (
        "class LayoutTransform:\n    layout_agnostic_ops = {\n        exir_ops.edge.aten.abs.default,\n"
        "        exir_ops.edge.aten.topk.default,\n        _operator.getitem,\n    }\n"
    ),
}
SPEC = """\
opkg: 1
package: {{name: {name}, targets: [executorch-builder]}}
ops:
  {op}:
    types: {{T: [float32, ufixed8]}}
    inputs:
      x: {{dtype: T, shape: [...]}}
    params:
      alpha: {{dtype: float32, default: 1.0}}
    outputs:
      y: {{dtype: T, shape: x.shape}}
    compute: y = x * alpha
"""


def checkout(folder: Path) -> Path:
    """The stand-in below `folder`."""
    for name, text in FILES.items():
        path = folder / QUALCOMM / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def project(folder: Path, name: str = "acme.nn", op: str = "Scale", torch: str = "") -> Path:
    """A project with one spec."""
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    text = SPEC.format(name=name, op=op) + (f"    torch: {torch}\n" if torch else "")
    (folder / "specs" / f"{name}.yaml").write_text(text)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def intree(where: Path, *words: str | Path) -> Result:
    """`opkg executorch intree WORDS`, started in a project."""
    before = os.getcwd()
    os.chdir(where)
    try:
        args = ["-q", "executorch", "intree", *(str(word) for word in words)]
        return CliRunner().invoke(cli, args, standalone_mode=False)
    finally:
        os.chdir(before)
