"""The target `executorch-builder`: a Python package that teaches ExecuTorch's Qualcomm backend the ops of a spec."""

from __future__ import annotations

from typing import Any

from opkg.resources import plain, render
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.executorch_builder.builder import builder_module, class_name, constants_name
from opkg.targets.executorch_builder.checks import Check, make_check, result_name
from opkg.targets.executorch_builder.fusion import fused_ops, fusion_modules
from opkg.targets.executorch_builder.layout import import_lines, natural
from opkg.targets.executorch_builder.lint import generation, lint
from opkg.targets.executorch_builder.names import doc, module, node_name, python_package, quoted, torch_op
from opkg.targets.executorch_builder.profiles import DEFAULT, Profile, profile_of
from opkg.targets.executorch_builder.schema import out_schema, schema
from opkg.targets.executorch_builder.torch_mapping import calls_module, mapped_ops
from opkg.targets.executorch_builder.torch_ops import custom_ops

_FUNCTIONS = frozenset({"broadcast", "ceil_div", "concat", "product", "reduce", "round_up"})


class ExecutorchTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "executorch-builder"
    summary = "Python builders for ExecuTorch's Qualcomm backend (node visitors, checks, registration)"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return [*generation(package), *lint(package, profile_of(package.executorch) or DEFAULT)]

    def render(self, package: OpPackage) -> list[Artifact]:
        base = f"generated/{package.cpp_namespace}/executorch/{python_package(package)}"
        texts = modules(package, profile_of(package.executorch) or DEFAULT)
        return [Artifact(f"{base}/{name}", text, comment="#") for name, text in texts.items()]


def modules(package: OpPackage, profile: Profile) -> dict[str, str]:
    """Texts of the generated Python package by file name."""
    return {
        "__init__.py": _template("__init__.py.j2", package, profile),
        "annotator.py": _template("annotator.py.j2", package, profile),
        "arguments.py": plain("executorch_builder/arguments.py"),
        "backend.py": plain("executorch_builder/backend.py"),
        "checks.py": plain("executorch_builder/checks.py"),
        "constants.py": _constants(package),
        "filled.py": _template("filled.py.j2", package, profile),
        "functions.py": plain("executorch_builder/functions.py"),
        **{f"{module(op)}.py": builder_module(package, op) for op in package.ops},
        "hooks.py": _template("hooks.py.j2", package, profile),
        "libraries.py": plain("executorch_builder/libraries.py"),
        "mapping.py": plain("executorch_builder/mapping.py"),
        "nodes.py": plain("executorch_builder/nodes.py"),
        "observers.py": _template("observers.py.j2", package, profile),
        "py.typed": "# This package is typed (PEP 561).\n",
        "qnn_build.py": _template("qnn_build.py.j2", package, profile),
        "quantization.py": plain("executorch_builder/quantization.py"),
        "shapes.py": shapes_module(package, profile),
        "steps.py": _template("steps.py.j2", package, profile),
        "torch_calls.py": calls_module(package),
        "torch_eager.py": plain("executorch_builder/torch_eager.py"),
        "torch_elements.py": plain("executorch_builder/torch_elements.py"),
        "torch_grad.py": plain("executorch_builder/torch_grad.py"),
        "torch_keys.py": plain("executorch_builder/torch_keys.py"),
        "torch_math.py": plain("executorch_builder/torch_math.py"),
        "torch_moves.py": plain("executorch_builder/torch_moves.py"),
        "torch_op.py": plain("executorch_builder/torch_op.py"),
        "torch_packet.py": plain("executorch_builder/torch_packet.py"),
        "torch_parts.py": plain("executorch_builder/torch_parts.py"),
        "torch_places.py": plain("executorch_builder/torch_places.py"),
        "torch_plan.py": plain("executorch_builder/torch_plan.py"),
        "torch_planning.py": plain("executorch_builder/torch_planning.py"),
        "torch_program.py": plain("executorch_builder/torch_program.py"),
        "torch_record.py": plain("executorch_builder/torch_record.py"),
        "torch_reductions.py": plain("executorch_builder/torch_reductions.py"),
        "torch_results.py": plain("executorch_builder/torch_results.py"),
        "torch_slopes.py": plain("executorch_builder/torch_slopes.py"),
        "torch_sums.py": plain("executorch_builder/torch_sums.py"),
        "torch_types.py": plain("executorch_builder/torch_types.py"),
        "torch_values.py": plain("executorch_builder/torch_values.py"),
        "undefined.py": plain("executorch_builder/undefined.py"),
        "wheel.py": _template("wheel.py.j2", package, profile),
        **custom_ops(package, profile),
        **fusion_modules(package, profile),
        **({"outputs.py": _template("outputs.py.j2", package, profile)} if mixes_outputs(package, profile) else {}),
    }


def mixes_outputs(package: OpPackage, profile: Profile) -> bool:
    """Whether an op gives a quantized output and others, whose order the backend loses; it can be kept where passes are known."""
    return profile.passes != "" and any(
        len({output.dtype.of(combination).quantized for output in op.outputs}) > 1
        for op in package.ops
        if len(op.outputs) > 1
        for combination in op.combinations
    )


def _template(name: str, package: OpPackage, profile: Profile) -> str:
    ops = sorted(package.ops, key=lambda op: natural(module(op)))
    return render(
        f"executorch_builder/{name}",
        package=package,
        profile=profile,
        python_package=python_package(package),
        summary=doc(package.summary or f"Builders of the op package {package.name}"),
        ops=[{"module": module(op), "visitor": class_name(op)} for op in ops],
        visitors=[class_name(op) for op in package.ops],
        patterns=bool(fused_ops(package, profile)),
        mixed=mixes_outputs(package, profile),
        targets=dict.fromkeys(t for op in ops for t in (torch_op(package, op), *map(node_name, mapped_ops(op)))),
        dtypes=[d for d in DTYPES.values() if d.qnn in profile.tensors],
    )


def _constants(package: OpPackage) -> str:
    return render(
        "executorch_builder/constants.py.j2",
        package=package,
        first_op=package.ops[0].name if package.ops else "",
        ops=[constant(op) for op in package.ops],
    )


def constant(op: Op) -> dict[str, Any]:
    """What constants.py.j2 shows of an op."""
    names = [(f"param_{param.name}", quoted(param.name)) for param in op.params]
    enums = [(f"{param.name}_{key}".upper(), number) for param in op.params for key, number in param.enum]
    return {
        "class": constants_name(op),
        "name": op.name,
        "summary": doc(op.summary or f"Names of {op.name}"),
        "fields": names,
        "enums": enums,
        "schema": quoted(schema(op)),
        "out_schema": quoted(out_schema(op)),
    }


def shapes_module(package: OpPackage, profile: Profile) -> str:
    """Text of `shapes.py`."""
    checks: list[Check] = [make_check(op, profile) for op in package.ops]
    helpers = {helper for check in checks for helper in check.helpers}
    imports = [
        ("checks", list(helpers - _FUNCTIONS - {"quantized"})),
        ("functions", list(helpers & _FUNCTIONS)),
        ("quantization", list(helpers & {"quantized"})),
    ]
    return render(
        "executorch_builder/shapes.py.j2",
        package=package,
        sequence=any("Sequence[" in check.text for check in checks),
        imports=[line for name, names in imports for line in import_lines(name, names)],
        checks=[check.text for check in checks],
        results=[result_name(op) for op in package.ops],
    )
