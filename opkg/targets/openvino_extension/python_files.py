"""The Python side of a package's extension: the same ops as classes, in numpy."""

from __future__ import annotations

from opkg.resources import plain, render
from opkg.spec.dtypes import Kind
from opkg.spec.model import Op, OpPackage, ParamSpec
from opkg.targets.artifact import Artifact
from opkg.targets.openvino_extension.expressions import PYTHON
from opkg.targets.openvino_extension.numpy_compute import numpy_code
from opkg.targets.openvino_extension.patterns import graph_pattern, has_pattern
from opkg.targets.openvino_extension.rules import RuleLines
from opkg.targets.openvino_extension.types import computed, element, lowest, marked, quantized, usable
from opkg.targets.qnn_common.names import comment, local
from opkg.targets.qnn_common.validation_params import shortest_float


def python_files(package: OpPackage, ops: list[Op]) -> list[Artifact]:
    """The package `<name>_openvino`, for the ops that can be extension ops."""
    base = f"generated/{package.cpp_namespace}/openvino/python/{package.cpp_namespace}_openvino"
    plains = [
        Artifact(f"{base}/{n}", plain(f"openvino_extension/{n}"), comment="#")
        for n in ("numpy_math.py", "shape_numbers.py", "shape_rules.py")
    ]
    text = render("openvino_extension/ops.py.j2", package=package, ops=[_op(op) for op in ops])
    init = f'"""The ops of {package.name} for OpenVINO."""\n\nfrom .ops import OPS as OPS\n'
    init += "".join(f"from .ops import {op.identifier} as {op.identifier}\n" for op in ops)
    made = [Artifact(f"{base}/ops.py", text, comment="#"), *plains]
    patterns = [(op.identifier, graph_pattern(op)) for op in ops if has_pattern(op)]
    if patterns:
        init += "from .fusions import PATTERNS as PATTERNS\nfrom .fusions import fuse as fuse\n"
        fusions = render("openvino_extension/fusions.py.j2", package=package, patterns=patterns, names=_names)
        made += [
            Artifact(f"{base}/fusions.py", fusions, comment="#"),
            Artifact(f"{base}/fusing.py", plain("openvino_extension/fusing.py"), comment="#"),
        ]
    return [Artifact(f"{base}/__init__.py", init, comment="#"), *made]


def _op(op: Op) -> dict[str, object]:
    combinations = usable(op)
    scales = quantized(op)
    defaults = [f'"{p.name}": {_default(p)}' for p in op.params]
    defaults += [
        f'"{t.name}_{part}": {value}' for t in scales for part, value in (("scale", "1.0"), ("zero_point", "0"))
    ]
    codes = numpy_code(op, combinations)
    rows = [", ".join(str(combinations.index(c)) for c in code.combinations) for code in codes]
    names = ", ".join(local(t.name) for t in op.inputs)
    return {
        "name": op.name,
        "identifier": op.identifier,
        "summary": comment(op.summary or op.name).replace('"', "'"),
        "defaults": ", ".join(defaults),
        "unset": ", ".join(
            f'"{p.name}": [{lowest(p)!r}]' for p in op.params if p.shape is not None and _default(p) == "[]"
        ),
        "types": [", ".join(f"Type.{element(t.dtype.of(c))}" for t in op.tensors) for c in combinations],
        "quantized": _names([[t.name for t in op.tensors if t.dtype.of(c).quantized] for c in combinations]),
        "inputs": _names([t.name for t in op.inputs]),
        "outputs": _names([t.name for t in op.outputs]),
        "rules": RuleLines(op, PYTHON).lines(),
        "arguments": f"({names},)" if len(op.inputs) == 1 else names,
        "params": _read(op, [line for code in codes for line in code.lines]),
        "codes": list(zip(rows, (code.lines for code in codes), strict=True)),
    }


def _names(values: object) -> str:
    return repr(values).replace("'", '"')


def _read(op: Op, lines: list[str]) -> list[str]:
    """Params as numpy's numbers, in single precision where the spec has that; those that are read."""
    from re import search

    text, found = "\n".join(lines), []
    for param in op.params:
        if not search(rf"\b{local(param.name)}\b", text):
            continue
        value = f'attrs["{param.name}"]'
        if param.dtype.kind is Kind.FLOAT:
            made = f"np.asarray({value}, np.float32).astype(np.float64)"
        elif param.dtype.kind is Kind.BOOL:
            made = f"np.bool_({value})"
        else:
            made = f"np.asarray({value}, np.int64)"
        found.append(f"{local(param.name)} = {made}")
    return found


def _default(param: ParamSpec) -> str:
    """What an attribute is that was not given."""
    if param.default is None or computed(param):
        if param.shape is not None:
            return "[]"
        return repr(lowest(param)) if marked(param) else "False"
    values = param.default if isinstance(param.default, tuple) else (param.default,)
    texts = [_number(param, value) for value in values]
    return f"[{', '.join(texts)}]" if param.shape is not None else texts[0]


def _number(param: ParamSpec, value: object) -> str:
    if param.dtype.kind is Kind.FLOAT:
        return shortest_float(float(value))  # type: ignore[arg-type]
    return repr(bool(value)) if param.dtype.kind is Kind.BOOL else repr(int(value))  # type: ignore[call-overload]
