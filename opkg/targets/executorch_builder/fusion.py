"""Generates the backend dialect of a package: the patterns that its ops fuse, and the passes that fuse them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opkg.resources import plain, render
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake
from opkg.spec.pattern import PatternStatement, TorchPattern
from opkg.spec.pattern_choice import absences, combinations
from opkg.targets.executorch_builder.fusion_samples import samples, tried
from opkg.targets.executorch_builder.layout import WIDTH, bracketed, items, statement
from opkg.targets.executorch_builder.names import doc, quoted
from opkg.targets.executorch_builder.profiles import Profile

_TENSOR = "torch.Tensor"
_POWER = re.compile(r"(?<![\w.)\]])([A-Za-z_][\w.]*) \*\* (-?[\w.]+)(?![\w.(\[])")
_SIZE = r"([A-Za-z_0-9][^\[\],:]* (?:[-+*]|//) [^\[\],:]*)"
_SLICE_FROM = re.compile(rf"(\[|, ){_SIZE}:")
_SLICE_TO = re.compile(rf":{_SIZE}(\]|,)")
_NEGATIVE_POWER = re.compile(r"(?<!\*)-([A-Za-z_][\w.]*\*\*-?[\w.]+)")


def pattern_name(op: Op) -> str:
    """The function of `patterns.py`."""
    return f"pattern_{snake(op.name)}"


def has_function(op: Op, fuses: bool) -> bool:
    """Whether the pattern is in the generated package: where nothing is fused, only as an op's only meaning."""
    return op.pattern is not None and (fuses or (op.compute is None and op.reference is None))


def fused_ops(package: OpPackage, profile: Profile) -> list[Op]:
    """Ops with a pattern, those with more calls first: of two that overlap, the larger is fused.

    None for an API without a pass manager.
    """
    ops = [op for op in package.ops if op.pattern is not None and profile.passes]
    return sorted(ops, key=lambda op: -_size(op.pattern))


def _size(pattern: TorchPattern | None) -> int:
    """About how many calls a pattern makes: opening brackets and operators in its text."""
    texts = [] if pattern is None else [line.text for line in pattern.statements]
    return sum(text.count("(") + sum(text.count(f" {sign} ") for sign in "+-*/%@<>") for text in texts)


def fusion_modules(package: OpPackage, profile: Profile) -> dict[str, str]:
    """Texts of the modules by file name; none without patterns."""
    functions = [_function(op) for op in package.ops if has_function(op, bool(profile.passes))]
    if not functions:
        return {}
    found = {"patterns.py": render("executorch_builder/patterns.py.j2", package=package, functions=functions)}
    ops = fused_ops(package, profile)
    if not ops:
        return found
    found["matching.py"] = plain("executorch_builder/matching.py")
    found["nearness.py"] = plain("executorch_builder/nearness.py")
    found["reading.py"] = plain("executorch_builder/reading.py")
    for name in ("expanding", "fusing", "inlining", "keeping", "pipeline", "tracing"):
        found[f"{name}.py"] = render(f"executorch_builder/{name}.py.j2", profile=profile)
    found["fusion.py"] = render(
        "executorch_builder/fusion.py.j2",
        package=package,
        fusions=[_fusion(package, op) for op in ops],
        passes=bracketed("PASSES = (", _trailing([f"Fuse{op.identifier}" for op in ops]), ")", 0),
    )
    return found


def _trailing(values: list[str]) -> list[str]:
    return [f"{values[0]},"] if len(values) == 1 else values


def _fusion(package: OpPackage, op: Op) -> dict[str, object]:
    assert op.pattern is not None
    shapes = [items([items(list(map(str, shape))) for shape in each]) for each in samples(op)]
    lines = "; ".join(op.pattern.lines) if len(op.pattern.lines) > 1 else op.pattern.statements[0].text
    text = doc(f"`{lines}`, in one call of {package.cpp_namespace}.{snake(op.name)}.")
    return {
        "class": f"Fuse{op.identifier}",
        "name": quoted(snake(op.name)),
        "summary": text if len(text) + 10 <= WIDTH else f"The pattern of {package.cpp_namespace}.{snake(op.name)}.",
        "samples": "\n".join([*bracketed("samples = (", _trailing(shapes), ")", 1), *_variants(op)]),
    }


def _variants(op: Op) -> list[str]:
    """Class attributes of what differs between calls: inputs that are left out, and values of params."""
    assert op.pattern is not None
    read = [param for param in op.params if param.name in op.pattern.params]
    gone = [items([quoted(t.name) for t in op.inputs if t.name in each]) for each in absences(op)]
    rows = {"absent": gone if len(gone) > 1 else [], "tried": [_row(row) for row in tried(read)]}
    first, *others = combinations(read)
    fixed = [{name: value for name, value in row.items() if value != first[name]} for row in others]
    rows["chosen"] = ["()", *map(_row, fixed)] if fixed else []
    return [line for name, values in rows.items() if values
            for line in bracketed(f"{name} = (", _trailing(values), ")", 1)]  # fmt: skip


def _row(row: Mapping[str, object]) -> str:
    """Params of a call as they stand in the code."""
    return items([f"({quoted(name)}, {value!r})" for name, value in row.items()])


def _function(op: Op) -> str:
    """The pattern as a typed function of the inputs and of the params that it reads."""
    pattern = op.pattern
    assert pattern is not None
    arguments = [f"{name}: {_TENSOR}{' | None' * (name in pattern.optional)}" for name in pattern.inputs]
    arguments += [f"{name}: {type(value).__name__} = {value!r}" for name, value in pattern.literals]
    names = [output.name for output in op.outputs]
    result = _TENSOR if len(names) == 1 else f"tuple[{', '.join([_TENSOR] * len(names))}]"
    lines = bracketed(f"def {pattern_name(op)}(", arguments, f") -> {result}:", 0)
    lines.append(f'    """{doc(op.summary or f"What {op.name} computes.")}"""')
    lines += [f"    {dim.name} = {dim.input}.shape[{dim.index}]" for dim in pattern.dims]
    for each in pattern.statements:
        lines += _statement(each, names)
    return "\n".join([*lines, f"    return {', '.join(names)}"])


def _statement(each: PatternStatement, outputs: list[str]) -> list[str]:
    """One line; an output has its type, because not every function of torch says what it returns."""
    typed = len(each.targets) == 1 and each.targets[0] in outputs
    head = f"{', '.join(each.targets)}{f': {_TENSOR}' if typed else ''} = "
    lines = statement(head, _formatted(each.text), 1)
    return lines if all(len(line) <= WIDTH for line in lines) else [*_long(head, each.text)]


def _long(head: str, text: str) -> list[str]:
    return [f"    {head}{_formatted(text)}  # fmt: skip  # noqa: E501"]


def _formatted(text: str) -> str:
    """As ruff writes it: no spaces around a power of plain operands, which has brackets after a minus; spaces around the
    colon of a slice whose end is computed."""
    text = _SLICE_TO.sub(r": \1\2", _SLICE_FROM.sub(r"\1\2 :", text))
    text = _POWER.sub(r"\1**\2", text)
    return _NEGATIVE_POWER.sub(r"-(\1)", text).replace("'", '"').replace("e+", "e")
