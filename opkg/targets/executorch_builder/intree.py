"""A package as part of a checkout of ExecuTorch: files beside upstream's builders, entries for upstream's lists."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from opkg.resources import render
from opkg.spec.model import Op, OpPackage
from opkg.targets.executorch_builder.intree_builder import Names, builder, chains_of, first_for
from opkg.targets.executorch_builder.intree_stock import BUILDERS, QUALCOMM, RULES, Stock
from opkg.targets.executorch_builder.layout import bracketed
from opkg.targets.executorch_builder.names import BACKENDS_OWN, doc, module, quoted, torch_op
from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.target import constant, modules
from opkg.targets.executorch_builder.torch_mapping import mapped_ops
from opkg.targets.executorch_builder.torch_ops import is_elementwise
from opkg.targets.foreign import Insertion, Place, tick

CONSTANTS = f"{BUILDERS}/qnn_constants.py"
WIDTH = 88  # of lines in upstream's files
PARTITION = f"{QUALCOMM}/partition/utils.py"

_CLASSES = (CONSTANTS, Place("classes"))
_IMPORTED = (f"{BUILDERS}/__init__.py", Place("names", "."))
_LISTED = (f"{BUILDERS}/__init__.py", Place("list", "__all__"))
_RULES = (RULES, Place("classes"))
_KEPT_WHOLE = (PARTITION, Place("list", "get_skip_decomp_table.do_not_decompose", "torch.ops.aten."))
_ANY_LAYOUT = (
    f"{QUALCOMM}/_passes/layout_transform.py",
    Place("list", "LayoutTransform.layout_agnostic_ops", "exir_ops.edge."),
)
_TICKED = (f"{BUILDERS}/README.md", Place("table", "| Operators |"))
LISTS = (_CLASSES, _IMPORTED, _LISTED, _RULES, _KEPT_WHOLE, _ANY_LAYOUT, _TICKED)
"""Lists that have an entry an op, for some ops."""

_HEAD = re.compile(r"# Operator package ([\w.-]+), laid out by opkg from ")

# Files of the generated package that the checkout has no use for: its own lists do their work.
_LEFT_OUT = frozenset({"__init__.py", "outputs.py", "py.typed", "qnn_build.py", "undefined.py"})

# Functions that begin with what installs the fusions.
STARTS = (
    (f"{QUALCOMM}/_passes/qnn_pass_manager.py", "get_qnn_pass_manager_cls"),
    (f"{QUALCOMM}/quantizer/quantizer.py", "QnnQuantizer.__init__"),
)


@dataclass(frozen=True, slots=True)
class Tree:
    """What a package adds to a checkout. Paths are posix, relative to its root.

    `head`: how files of the package begin; `own`: what only names of the package have; `constants`: how classes of
    constants begin that are the package's where its builders import them.
    `references`: modules of the project that are to be copied beside the support modules, into `support`.
    """

    files: dict[str, str]
    insertions: tuple[Insertion, ...]
    support: str
    references: tuple[str, ...]
    head: str
    own: tuple[str, ...]
    constants: str


def tree(package: OpPackage, held: Stock | None = None, fuses: bool = False) -> Tree:
    """Everything the package adds. Names of ops must be free of findings of the target's `check`.

    `held`: what others have of its torch ops, where ours stand before or beside these; None: there must be nothing.
    `fuses`: the checkout has the functions that fusions (`pattern:`) are installed by.
    """
    names = Names(package, held is not None)
    chains = chains_of(package, names, held or Stock())
    support = f"{BUILDERS}/{names.support}"
    files = {}
    builders = {f"{module(op)}.py": op for op in package.ops}
    head = render("executorch_builder/intree_head.py.j2", package=package)
    texts = modules(package, DEFAULT if fuses else replace(DEFAULT, passes=""))
    fuses = "fusion.py" in texts
    if fuses:
        texts["installed.py"] = render("executorch_builder/intree_installed.py.j2", package=package)
    for name, module_text in texts.items():
        if name in builders:
            op = builders[name]
            files[f"{BUILDERS}/{names.module(op)}.py"] = _marked(head, builder(module_text, op, names, chains))
        elif name not in _LEFT_OUT and (fuses or name != "hooks.py"):
            text = _without_classes(module_text) if name == "constants.py" else module_text
            files[f"{support}/{name}"] = _marked(head, text)
    shown = sorted(held.targets) if held is not None else []
    text = render("executorch_builder/intree_init.py.j2", package=package, summary=doc(package.summary), stock=shown)
    files[f"{support}/__init__.py"] = _marked(head, text)
    return Tree(
        files,
        (*_insertions(package, names, held or Stock()), *(fusion_entries(package) if fuses else ())),
        support,
        _references(package),
        head.partition(" from ")[0],
        names.own,
        names.apart_constants,
    )


def package_of(text: str) -> str:
    """The package that a file says it is of, by how it begins; empty for any other file."""
    match = _HEAD.match(text)
    return match[1] if match else ""


def mark_of(package: OpPackage) -> str:
    """What stands behind lines of the package that the checkout could have as well."""
    return Names(package).mark


def _marked(head: str, text: str) -> str:
    """A file with its mark: below it stands what was put in, as long as the checksum is that of it (`opkg.trees.adopt`)."""
    return f"{head.rstrip()}\n# sha256:{hashlib.sha256(text.encode()).hexdigest()}\n\n{text}"


def _references(package: OpPackage) -> tuple[str, ...]:
    """Modules with numpy functions that the torch ops call: of what they compute, and of its gradient."""
    functions = [f for op in package.ops if op.compute is None for f in (op.reference, op.backward)]
    return tuple(dict.fromkeys(function.module for function in functions if function is not None))


def _without_classes(text: str) -> str:
    """The constants of the package without those of its ops, which are among upstream's."""
    lines = text.splitlines()
    drop: set[int] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            drop |= {*range(min(d.lineno for d in node.decorator_list) - 1, node.end_lineno or node.lineno)}
        elif isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
            drop |= {node.lineno - 1, node.lineno}
    return "\n".join(line for at, line in enumerate(lines) if at not in drop).rstrip() + "\n"


# Entries of upstream's lists


def _insertions(package: OpPackage, names: Names, held: Stock) -> Iterator[Insertion]:
    for op in package.ops:
        key = names.module(op)
        shared = package.name == BACKENDS_OWN
        yield Insertion(*_CLASSES, names.constants(op), _constants(op, names), shared=shared)
        yield Insertion(*_IMPORTED, key, f"    {key},\n", shared=shared)
        yield Insertion(*_LISTED, key, f"    {key},\n", shared=shared)
        yield Insertion(*_RULES, names.camel(op), _rule(package, op, names, held))
        yield from _torch_lists(package, op, names.mark)
    for op in package.ops if package.name == BACKENDS_OWN else ():
        text = f"| {op.name} | {tick(package.name)} |\n"
        yield Insertion(*_TICKED, op.name, text, optional=True, shared=True)
    keeps = any(not (call.decompose or call.lowered) for op in package.ops for call in op.torch)
    yield from (each for each in package_entries(package) if keeps or each.path != PARTITION)


def package_entries(package: OpPackage) -> tuple[Insertion, ...]:
    """Entries that a package has once, whatever its ops are. Those of the partitioner are for torch ops that are kept whole."""
    support = Names(package).support
    statement = f"from executorch.{BUILDERS.replace('/', '.')} import {support}"
    text = _import(statement)
    imports, guards = Place("imports", prefix="from executorch."), Place("guards", "filter_fn", "not ")
    test, files = f"not {support}.allows(node)", f"{support}/*.py"
    guard = "\n".join([*bracketed(f"if not {support}.allows(", ["node"], "):", 1, WIDTH), "        return False\n"])
    return (
        Insertion(RULES, imports, statement, text),
        Insertion(PARTITION, imports, statement, text),
        Insertion(PARTITION, guards, test, guard),
        Insertion(f"{BUILDERS}/targets.bzl", Place("call", "glob"), files, f'            "{files}",\n', optional=True),
    )


def fusion_entries(package: OpPackage) -> tuple[Insertion, ...]:
    """What installs the fusions when a pass manager or a quantizer is asked for: imports then, because the passes import both."""
    statement = f"from executorch.{BUILDERS.replace('/', '.')}.{Names(package).support} import installed"
    return tuple(
        Insertion(
            path,
            Place("starts", name, "from executorch."),
            statement,
            _import(statement, "    " * (name.count(".") + 1), "  # noqa: F401"),
        )
        for path, name in STARTS
    )


def _import(statement: str, pad: str = "", behind: str = "") -> str:
    """An import of one name as the tree's formatter leaves it; `behind`: a comment, which has no width for it."""
    if len(pad + statement) <= WIDTH:
        return f"{pad}{statement}{behind}\n"
    home, _, name = statement.rpartition(" ")
    return f"{pad}{home} ({behind}\n{pad}    {name},\n{pad})\n"


def _torch_lists(package: OpPackage, op: Op, mark: str) -> Iterator[Insertion]:
    """Torch ops that are kept whole, and those that any order of dimensions suits; the package's own ops need no mark."""
    for call in op.torch:
        if call.decompose or call.lowered:
            continue
        key = f"torch.ops.{call.op}"
        yield Insertion(*_KEPT_WHOLE, key, f"        {key},{mark}\n", shared=True)
    for name in (torch_op(package, op), *mapped_ops(op)) if is_elementwise(op) else ():
        key = f"exir_ops.edge.{name}"
        behind = mark if name in mapped_ops(op) else ""
        yield Insertion(*_ANY_LAYOUT, key, f"        {key},{behind}\n", shared=True)


def _constants(op: Op, names: Names) -> str:
    mark = names.mark if names.constants(op) == f"Op{op.identifier}" else ""  # upstream could have a class of this name
    lines = ["@dataclass(init=False, frozen=True)", f"class {names.constants(op)}:{mark}"]
    lines.append(f'    op_name: str = "{op.name}"')
    found = constant(op)
    lines += [f"    {name}: str = {text}" for name, text in found["fields"]]
    lines += [f"    {name}: int = {number}" for name, number in found["enums"]]
    return "\n".join(lines) + "\n"


def _rule(package: OpPackage, op: Op, names: Names, held: Stock) -> str:
    """The quantizer's rule; ops of a package are unknown to the tables that `validate` asks."""
    calls = [call.op for call in op.torch if not call.lowered and first_for(package, call.op) is op]
    targets = [f"torch.ops.{name}" for name in (torch_op(package, op), *calls)]
    behind = [f"{quoted(name)}: {held.rules[name].name}" for name in calls if name in held.rules]
    kind = f"QnnConstants.{names.constants(op)}.op_name" if package.name == BACKENDS_OWN else "qnn_op=None"
    return render(
        "executorch_builder/intree_rule.py.j2",
        targets=targets,
        kind=kind,
        head=bracketed(f"class {names.camel(op)}(", ["GeneralOpDef"], "):", 0, WIDTH),
        call=bracketed(f"{names.support}.annotate(", ["node", "quantization_config", *_display(behind)], ")", 2, WIDTH),
        unknown=package.name != BACKENDS_OWN,
    )


def _display(pairs: list[str]) -> list[str]:
    return [f"{{{', '.join(pairs)}}}"] if pairs else []
