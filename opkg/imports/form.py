"""What an import knows of ops, whatever it was read from: the one form between the readers and the writer.

Texts are as a spec writes them. What a source does not say is empty or None here and has a Todo; nothing is guessed without one.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.diagnostics import Diagnostic, Span


@dataclass(frozen=True, slots=True)
class Todo:
    """What has to be stated by hand (`shape`), why it could not be read, and the place of the source that does not say it."""

    what: str
    why: str
    span: Span


@dataclass(frozen=True, slots=True)
class ImportedTensor:
    """An input or output. `dtype`: a type variable or an element type; `shape`: an expression, or its dimensions.

    `origin`: the name in the source, where the spec needs another one. `ranks`: least and greatest, None: not said.
    """

    name: str
    dtype: str
    span: Span
    origin: str = ""
    shape: str | tuple[str, ...] = ""
    ranks: tuple[int, int] | None = None
    layout: str = ""
    optional: bool = False
    static: bool = False
    variadic: tuple[int, int] | None = None
    quantization: str = ""
    description: str = ""
    todos: tuple[Todo, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedParam:
    """A param; `shape` None: a scalar. `default`: as a spec writes it, None for a mandatory one."""

    name: str
    dtype: str
    span: Span
    origin: str = ""
    shape: str | tuple[str, ...] | None = None
    default: str | None = None
    enum: tuple[tuple[str, int], ...] = ()
    range: str = ""
    axis_of: str = ""
    description: str = ""
    todos: tuple[Todo, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedKernel:
    """A record under `kernels:`: its keys with their YAML texts, and a comment above it."""

    fields: tuple[tuple[str, str], ...]
    span: Span
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ImportedRule:
    """A rule under its op: parts with their YAML texts (columns of `opkg rules format`), comments, and why it is left out ("":
    it is not)."""

    name: str
    parts: tuple[tuple[str, str], ...]
    span: Span
    comments: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportedOp:
    """One op. `comments`: lines above its keys, for what has no place in a spec; `torch`: YAML text of that key."""

    name: str
    span: Span
    inputs: tuple[ImportedTensor, ...]
    outputs: tuple[ImportedTensor, ...]
    params: tuple[ImportedParam, ...] = ()
    types: tuple[tuple[str, tuple[str, ...]], ...] = ()
    combinations: tuple[tuple[tuple[str, str], ...], ...] = ()
    origin: str = ""
    summary: str = ""
    description: str = ""
    constraints: tuple[tuple[str, str], ...] = ()  # condition, message
    compute: str = ""
    reference: str = ""
    torch: str = ""
    kernels: tuple[ImportedKernel, ...] = ()
    properties: tuple[str, ...] = ()  # YAML texts under tensor_properties
    no_properties: str = ""  # why they are left out
    rules: tuple[ImportedRule, ...] = ()
    comments: tuple[str, ...] = ()
    todos: tuple[Todo, ...] = ()

    @property
    def all_todos(self) -> tuple[tuple[str, Todo], ...]:
        """Every Todo with the part of the op that it is about ("" for the op itself)."""
        parts: tuple[ImportedTensor | ImportedParam, ...] = (*self.inputs, *self.params, *self.outputs)
        of_parts = ((part.name, todo) for part in parts for todo in part.todos)
        return (*(("", todo) for todo in self.todos), *of_parts)


@dataclass(frozen=True, slots=True)
class Imported:
    """All that one import brings: ops in order, and files of the user's that come along (path below the project, bytes).

    `package`: a name that a spec can have, "" when the sources say none.
    """

    sources: tuple[str, ...]
    ops: tuple[ImportedOp, ...]
    package: str = ""
    version: str = ""
    targets: tuple[str, ...] = ("qnn-htp-qhpi",)
    findings: tuple[Diagnostic, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    comments: tuple[str, ...] = ()
