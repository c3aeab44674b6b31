"""A checkout of upstream's main branch: where its lists stand at commit 871a4863 (after 1.5.1), in a stand-in of our own.

Read there: one builder more than in the wheel 1.5.1, `op_conv_backward` (aten.convolution_backward.default, which is kept whole
and sensitive to the layout); functions before `filter_fn`; lists that are not sorted throughout and end with other namespaces.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from intree_lib import FILES, QUALCOMM, checkout, intree, project, tree

BACKWARD = "aten.convolution_backward.default"
MODULES = (
    "custom_ops",
    "op_conv",
    "op_conv_backward",
    "op_elu",
    "op_hardswish",
    "op_hardtanh",
    "op_hardsigmoid",
    "op_topk",
)
MAIN = {
    "builders/__init__.py": "".join(
        (
            "from . import (\n",
            *(f"    {name},\n" for name in sorted(MODULES)),
            ")\n\n__all__ = [\n",
            *(f"    {name},\n" for name in MODULES),
            "]\n",
        )
    ),
    "builders/op_conv_backward.py": (
        "from .node_visitor_manager import register_node_visitor\n\n\n@register_node_visitor\n"
        f'class ConvBackward(NodeVisitor):\n    """The gradient of the input."""\n\n    target = ["{BACKWARD}"]\n'
    ),
    "builders/README.md": FILES["builders/README.md"]
    + "\n## By passes\n\n| PyTorch Op | Decomposition Pass |\n|---|---|\n| `aten.acos` | `DecomposeAcos` |\n",
    "partition/utils.py": (
        "import logging\nfrom typing import List\n\nimport torch\n\n"
        "from executorch.backends.qualcomm.utils.constants import QCOM_QNN_COMPILE_SPEC\n\n"
        "from executorch.exir.backend.compile_spec_schema import CompileSpec\n"
        "from executorch.exir.dialects._ops import ops as exir_ops\n\nlogger = logging.getLogger(__name__)\n\n\n"
        "def hint(node, size):\n    if not size:\n        return None\n    return size\n\n\n"
        "# Before the table below.\ndef filter_fn(node: torch.fx.Node) -> bool:\n    some = [\n"
        "        torch.ops.aten.stack.default,\n    ]\n    if node.target in some:\n        return False\n    return True\n\n\n"
        "def get_skip_decomp_table() -> List[torch._ops.OperatorBase]:\n    do_not_decompose = [\n"
        f"        torch.ops.{BACKWARD},\n        torch.ops.aten.elu.default,\n        torch.ops.aten.rms_norm.default,\n"
        "        torch.ops.aten._safe_softmax.default,\n        torch.ops.aten.stack.default,\n        # Not asked for.\n"
        "        torch.ops.aten.unbind.int,\n        torch.ops.torchao.quantize_affine.default,\n"
        "        torch.ops.quantized_decomposed.quantize_per_channel_group.default,\n    ]\n    return do_not_decompose\n"
    ),
    "_passes/layout_transform.py": (
        "class LayoutTransform(ExportPass):\n    layout_sensitive_ops = {\n"
        f"        exir_ops.edge.{BACKWARD},\n        exir_ops.edge.qnn_custom.space_to_depth.default,\n    }}\n\n"
        "    layout_agnostic_ops = {\n        exir_ops.edge.aten.abs.default,\n        exir_ops.edge.aten.repeat.default,\n"
        "        exir_ops.edge.aten.relu.default,\n        exir_ops.edge.aten.topk.default,\n"
        "        exir_ops.edge.aten._to_copy.default,\n        exir_ops.edge.aten.where.self,\n        _operator.getitem,\n"
        "        torch.ops.aten.scalar_tensor.default,\n    }\n"
    ),
    "_passes/qnn_pass_manager.py": (
        "class QnnPassManager(PassManager):\n    pass\n\n\n@functools.lru_cache(maxsize=1)\ndef _managers():\n"
        "    from executorch.backends.qualcomm._passes.backends.htp.qnn_htp_pass_manager import (\n"
        "        QnnHtpPassManager,\n    )\n\n"
        "    return {0: QnnHtpPassManager}\n\n\ndef get_qnn_pass_manager_cls(\n"
        "    backend_type: int = 0,\n) -> type[QnnPassManager]:\n"
        '    """The class for a backend."""\n    return _managers().get(backend_type, QnnPassManager)\n'
    ),
    "quantizer/quantizer.py": (
        "class QnnQuantizer(Quantizer):\n    def __init__(\n        self,\n        backend: int = 0,\n"
        "        strict: bool = True,\n    ):\n        super().__init__()\n"
    ),
}


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """The stand-in of a checkout."""
    root = checkout(tmp_path / "executorch")
    for name, text in MAIN.items():
        (root / QUALCOMM / name).write_text(text)
    return root


def test_in_and_out(main: Path, tmp_path: Path) -> None:
    own = project(tmp_path / "project", torch="aten.softplus.default")
    with (own / "specs/acme.nn.yaml").open("a") as file:
        file.write("    pattern: x * alpha\n")
    before = tree(main)
    result = intree(own, main)
    assert result.return_value == 0, result.output
    after = {name.removeprefix(f"{QUALCOMM}/"): data.decode() for name, data in tree(main).items()}
    for name, text in after.items():
        assert not name.endswith(".py") or ast.parse(text, name)
    assert after["builders/__init__.py"].count("    op_acme_nn_scale,\n    op_conv,\n") == 2
    partition = after["partition/utils.py"]
    assert (
        "        return False\n    if not acme_nn_package.allows(node):\n        return False\n    return True\n"
        in partition
    )
    assert "    if not size:\n        return None\n    return size\n" in partition
    assert partition.index("aten.softplus.default,  # opkg: acme.nn\n") < partition.index("torch.ops.torchao.")
    layout = after["_passes/layout_transform.py"]
    assert (
        layout.index("layout_agnostic_ops")
        < layout.index("edge.aten.softplus.default")
        < layout.index("_operator.getitem")
    )
    statement = "from executorch.backends.qualcomm.builders.acme_nn_package import installed  # noqa: F401"
    managers = f'    """The class for a backend."""\n    {statement}\n    return _managers()'
    assert managers in after["_passes/qnn_pass_manager.py"]
    assert f"    ):\n        {statement}\n        super().__init__()\n" in after["quantizer/quantizer.py"]
    assert intree(own, main, "--check").return_value == 0
    assert intree(own, main, "--remove").return_value == 0
    assert tree(main) == before


def test_what_is_new_there_is_replaced(main: Path, tmp_path: Path) -> None:
    own = project(tmp_path / "project", torch=BACKWARD)
    before = tree(main)
    assert "has a builder here already" in intree(own, main).output
    assert intree(own, main, "--existing", "replace").return_value == 0
    there = (main / QUALCOMM / "builders/op_conv_backward.py").read_text()
    assert "# opkg acme.nn| @register_node_visitor\nclass ConvBackward" in there
    text = (main / QUALCOMM / "builders/op_acme_nn_scale.py").read_text()
    assert "from .op_conv_backward import ConvBackward as StockConvBackward\n" in text
    assert (main / QUALCOMM / "partition/utils.py").read_text().count(BACKWARD) == 1  # kept whole already
    assert intree(own, main, "--remove").return_value == 0
    assert tree(main) == before
