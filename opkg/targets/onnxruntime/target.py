"""The target `onnxruntime`: a Python package that puts the ops of a spec into ONNX models and runs them with ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

from opkg import models
from opkg.resources import plain, render
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.onnxruntime import releases
from opkg.targets.onnxruntime.lint import lint
from opkg.targets.onnxruntime.shape_rules import shape_rule
from opkg.targets.onnxruntime.table import named_functions, op_lines

_PLAIN = ("inferring.py", "nodes.py", "opdef.py", "schemas.py", "session.py", "torch_export.py")


class OnnxruntimeTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "onnxruntime"
    summary = "Python package for ONNX Runtime: ONNX functions, nodes, schemas, sessions on the HTP"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return lint(package)

    def render(self, package: OpPackage) -> list[Artifact]:
        base = f"generated/{package.cpp_namespace}/onnxruntime/{python_package(package)}"
        return [Artifact(f"{base}/{name}", text, comment="#") for name, text in modules(package).items()]


def python_package(package: OpPackage) -> str:
    """`acme.vision` -> `acme_vision_onnxruntime`."""
    return f"{package.cpp_namespace}_onnxruntime"


def modules(package: OpPackage) -> dict[str, str]:
    """Texts of the generated Python package by file name."""
    functions = [found for op in package.ops for found in named_functions(package, op)]
    return {
        **_rules(package),
        "__init__.py": render("onnxruntime/__init__.py.j2", package=package),
        "functions.py": render(
            "onnxruntime/functions.py.j2",
            package=package,
            functions=[(name, made.function.text()) for name, made in functions],
        ),
        "ops.py": render(
            "onnxruntime/ops.py.j2",
            package=package,
            functions=bool(functions),
            rules=bool(_ruled(package)),
            params=any(op.params for op in package.ops),
            lines=[line for op in package.ops for line in op_lines(package, op)],
        ),
        "py.typed": "# This package is typed (PEP 561).\n",
        "shapes.py": (Path(models.__file__).parent / "onnx_shapes.py").read_text("utf-8"),
        "versions.py": Path(releases.__file__).read_text("utf-8"),
        **{name: plain(f"onnxruntime/{name}") for name in _PLAIN},
    }


def _ruled(package: OpPackage) -> list[list[str]]:
    """Rules for the shapes of ops that have no function."""
    rules = [shape_rule(op) for op in package.ops if not named_functions(package, op)]
    return [rule for rule in rules if rule]


def _rules(package: OpPackage) -> dict[str, str]:
    rules = ["\n".join(rule) for rule in _ruled(package)]
    if not rules:
        return {}
    math = any("of." in rule for rule in rules)
    text = render("onnxruntime/shape_rules.py.j2", package=package, rules=rules, math=math)
    return {"shape_rules.py": text, **({"shape_math.py": plain("onnxruntime/shape_math.py")} if math else {})}
