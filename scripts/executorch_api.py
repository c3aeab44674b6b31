"""What the Qualcomm backend of ExecuTorch wheels offers to builders: the table that tests hold the profiles against.

    pip download --no-deps --python-version 3.11 --only-binary :all: executorch==1.0.0      # and so on
    python scripts/executorch_api.py executorch-*.whl > tests/executorch/executorch_api.json

Nothing of a wheel is imported: Python is parsed, libraries are looked through for names. Of each module in ASKED: which of
these names it defines or imports; of functions and methods, their parameters (without self).
"""

from __future__ import annotations

import ast
import json
import re
import sys
import zipfile

ROOT = "executorch/backends/qualcomm"
_OP = ("PyQnnOpWrapper", "AddInputTensors", "AddOutputTensors", "AddScalarParam", "AddTensorParam", "Qnn_DataType_t",
       "Qnn_TensorType_t")  # fmt: skip
_INFO = (
    "op_package_name",
    "op_package_path",
    "interface_provider",
    "target",
    "custom_op_name",
    "qnn_op_type_name",
    "platform",
)
_VISITOR = ("__init__", "define_tensor", "get_data_type", "get_node", "get_quant_encoding_conf", "get_tensor")
ASKED = {
    "_passes": ("RemoveRedundancy", "ResolveDebugHandle"),
    "_passes.layout_transform": (
        "LayoutTransform", "LayoutTransform.is_layout_agnostic", "LayoutTransform.layout_agnostic_ops",
    ),
    "_passes.qnn_pass_manager": ("QnnPassManager", "get_qnn_pass_manager_cls"),
    "builders.node_visitor": ("NodeVisitor", *(f"NodeVisitor.{name}" for name in _VISITOR)),
    "builders.node_visitor_manager": ("_node_visitor_dict", "get_node_visitors", "register_node_visitor"),
    "builders.utils": ("get_parameter", "is_parameter"),
    "partition.qnn_partitioner": ("QnnOperatorSupport", "filter_fn", "get_skip_decomp_table"),
    "python.PyQnnManagerAdaptor": _OP,
    "python.PyQnnWrapperAdaptor": _OP,
    "quantizer.annotators": ("OP_ANNOTATOR", "Q_ANNOTATION_KEY", "QUANT_ANNOTATION_KEY", "register_annotator"),
    "quantizer.annotators.htp_rules": ("get_rules", "register_annotator"),
    "quantizer.quantizer": ("QnnQuantizer", "QnnQuantizer.SUPPORTED_OPS"),
    "quantizer.rules": ("GeneralOpDef", "GeneralOpDef.annotate", "GeneralOpDef.validate", "Q_ANNOTATION_KEY"),
    "serialization.qc_schema": (
        "QnnExecuTorchOpPackageInfo", "QnnExecuTorchOpPackagePlatform", "QnnExecuTorchOpPackagePlatform.X86_64",
        "QnnExecuTorchOpPackageTarget", "QnnExecuTorchOpPackageTarget.CPU",
        *(f"QnnExecuTorchOpPackageInfo.{name}" for name in _INFO),
    ),
    "utils.constants": (
        "QCOM_AXIS", "QCOM_AXIS_ORDER", "QCOM_DATA", "QCOM_DTYPE", "QCOM_ENCODING", "QCOM_INSERTED_PERMUTE", "QCOM_OFFSET",
        "QCOM_PASS_ACTIVATE_KEY", "QCOM_PASS_ARGS_KWARGS_DEFAULTS_KEY", "QCOM_QUANT_ATTRS", "QCOM_QUANT_MAX",
        "QCOM_QUANT_MIN", "QCOM_SCALE", "QCOM_SCALE_OFFSET", "QCOM_ZERO_POINT",
    ),
    "utils.utils": ("get_skip_decomp_table", "qnn_edge_config"),
}  # fmt: skip

Names = dict[str, list[str] | None]


def _parameters(function: ast.FunctionDef) -> list[str]:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [each.arg for each in given if each.arg != "self"]


def names(body: list[ast.stmt]) -> Names:
    """Names of a module or class; what is in a class, as `Class.name`."""
    found: Names = {}
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0]: None for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = _parameters(node)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = None
            found |= {f"{node.name}.{name}": value for name, value in names(node.body).items()}
        elif isinstance(node, ast.Assign):
            found |= {target.id: None for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = None
    return found


def _library(archive: zipfile.ZipFile, module: str) -> Names | None:
    """Names that stand in a compiled module; None where the wheel has none."""
    for file in archive.namelist():
        if file.startswith(f"{ROOT}/{module.replace('.', '/')}.") and file.endswith(".so"):
            data = archive.read(file)
            return {name: None for name in _OP if name.encode() in data}
    return None


def wheel(path: str) -> tuple[str, dict[str, Names]]:
    """Version of a wheel, and what it has of what is asked."""
    modules: dict[str, Names] = {}
    with zipfile.ZipFile(path) as archive:
        files = set(archive.namelist())
        for module, asked in ASKED.items():
            place = f"{ROOT}/{module.replace('.', '/')}"
            found = _library(archive, module) if module.startswith("python.") else None
            for file in (f"{place}.py", f"{place}/__init__.py"):
                if file in files:
                    found = names(ast.parse(archive.read(file)).body)
            if found is not None:
                modules[module] = {name: found[name] for name in asked if name in found}
        source = archive.read(f"{ROOT}/builders/node_visitor.py").decode()
        adaptor = re.search(r"qualcomm\.(python\.\w+)", source)
        modules["adaptor of the builders"] = {adaptor[1]: None} if adaptor is not None else {}
    version = re.search(r"executorch-([\d.]+)-", path)
    return version[1] if version else "?", modules


def main() -> None:
    found = dict(wheel(path) for path in sys.argv[1:])
    print("{")
    for at, (version, modules) in enumerate(sorted(found.items())):
        lines = [f"  {json.dumps(module)}: {json.dumps(modules[module], sort_keys=True)}" for module in sorted(modules)]
        print(f' "{version}": {{\n' + ",\n".join(lines) + "\n }" + ("," if at < len(found) - 1 else ""))
    print("}")


if __name__ == "__main__":
    main()
