"""Loads an op's Python reference and calls it; whatever the user's code does becomes a diagnostic."""

from __future__ import annotations

import contextlib
import importlib
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, nearest
from opkg.spec.model import Op, Reference
from opkg.verify.cases.arguments import arguments_of
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.meaning.numbers import Array

if TYPE_CHECKING:
    from opkg.verify.cases.computed import Computed

Function = Callable[..., object]


class Meaning(Protocol):
    """What an op means."""

    def __call__(self, case: Case) -> tuple[Array, ...]:
        """The real values of a case's outputs, one array per output tensor. Raises OpkgError."""

    def others(self, case: Case) -> tuple[tuple[Array, ...], ...]:
        """Further outputs that are right, too, element by element: where rounding in a float type turns a decision."""


@contextlib.contextmanager
def _isolated(folders: Sequence[Path]) -> Iterator[None]:
    """User code runs here: its folders come first on the path, and the modules it imports from them leave no trace.

    So two packages may each have a `references.py` with a `helpers.py` beside it. Prints go to stderr.
    """
    before = set(sys.modules)
    path, bytecode = list(sys.path), sys.dont_write_bytecode
    sys.path[:0] = [str(folder) for folder in folders]
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    roots = tuple(str(folder) for folder in folders)
    try:
        with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.path[:] = path
        sys.dont_write_bytecode = bytecode
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(roots) and "site-packages" not in file:
                del sys.modules[name]


def _where(raised: BaseException, folders: Sequence[Path], root: Path) -> str:
    """`ValueError: text (references.py:12)`: the exception and the last line of the user's own code."""
    said = traceback.format_exception_only(raised)[-1].strip()
    if isinstance(raised, SyntaxError) and raised.filename:
        return f"{said} ({_shown(raised.filename, root)}:{raised.lineno})"
    place = ""
    for frame in traceback.extract_tb(raised.__traceback__):
        theirs = any(frame.filename.startswith(str(folder)) for folder in folders)
        if theirs and "site-packages" not in frame.filename:
            place = f" ({_shown(frame.filename, root)}:{frame.lineno})"
    return said + place


def _shown(path: str, root: Path) -> str:
    """A path relative to the root where it lies inside."""
    found = Path(path).resolve()
    return found.relative_to(root).as_posix() if found.is_relative_to(root) else path


@dataclass(frozen=True, slots=True)
class Loaded:
    """A reference that can be called."""

    op: Op
    function: Function
    span: Span
    folders: tuple[Path, ...]
    root: Path

    def __call__(self, case: Case) -> tuple[Array, ...]:
        """The expected outputs of a case, as real values, one per output tensor; raises OpkgError."""
        arguments = arguments_of(case)
        try:
            with _isolated(self.folders):
                result = self.function(**arguments)
        except (Exception, SystemExit) as raised:
            raise OpkgError([self._raised(raised, case, arguments)]) from None
        return self._checked(result, case)

    def others(self, case: Case) -> tuple[tuple[Array, ...], ...]:
        """None: a Python function says one thing."""
        return ()

    def _raised(self, raised: BaseException, case: Case, arguments: dict[str, object]) -> Diagnostic:
        hint = f"case {case.id}: {case.describe()}"
        if isinstance(raised, TypeError) and "argument" in str(raised):
            hint = f"it is called with the keywords {', '.join(arguments)}"
        where = _where(raised, self.folders, self.root)
        return error("OPK413", f"reference of {case.op.name} raised {where}", self.span, hint)

    def _fail(self, id: str, message: str, case: Case) -> OpkgError:
        hint = f"case {case.id}: {case.describe()}"
        return OpkgError([error(id, f"reference of {case.op.name}: {message}", self.span, hint)])

    def _checked(self, result: object, case: Case) -> tuple[Array, ...]:
        flat = _flat(result, case)
        if flat is None or len(flat) != len(case.outputs):
            got = type(result).__name__ if flat is None else f"{len(flat)} arrays"
            raise self._fail("OPK416", f"returned {got}, the op has {len(case.outputs)} outputs", case)
        return tuple(self._array(v, t, case) for v, t in zip(flat, case.outputs, strict=True))

    def _array(self, value: object, tensor: CaseTensor, case: Case) -> Array:
        try:
            array = np.asarray(value)
        except ValueError:
            raise self._fail("OPK415", f"{tensor.name} is no array of numbers", case) from None
        if array.dtype.kind not in "fiub":
            raise self._fail("OPK415", f"{tensor.name} is no array of real numbers but of {array.dtype}", case)
        if array.shape != tensor.shape:
            shapes = f"{list(array.shape)}, the spec says {list(tensor.shape)}"
            raise self._fail("OPK414", f"{tensor.name} has the shape {shapes}", case)
        if tensor.dtype.integral and array.dtype.kind == "f":
            if not np.all(np.isfinite(array)) or np.any(array != np.rint(array)):
                raise self._fail("OPK415", f"{tensor.name} is {tensor.dtype}, got fractions or NaN", case)
            array = array.astype(np.int64)
        if tensor.dtype.quantized and array.dtype.kind == "f" and np.any(np.isnan(array)):
            raise self._fail("OPK417", f"{tensor.name} holds NaN and is quantized", case)
        return array.copy()


@dataclass(frozen=True, slots=True)
class Both:
    """A reference beside a computation: the expectation is the reference's, and the two must agree (OPK426).

    Where they differ because numpy decides on rounded doubles, the computation is right.
    """

    loaded: Loaded
    computed: Computed
    span: Span

    def __call__(self, case: Case) -> tuple[Array, ...]:
        from opkg.verify.cases.computed import difference

        said = self.loaded(case)
        exact = self.computed(case)
        finding = difference(self.loaded.op, self.span, case, said, exact)
        if finding is None:
            return said
        if difference(self.loaded.op, self.span, case, said, self.computed.in_doubles(case)) is None:
            return exact
        raise OpkgError([finding])

    def others(self, case: Case) -> tuple[tuple[Array, ...], ...]:
        return self.computed.others(case)


def _flat(result: object, case: Case) -> list[object] | None:
    """The result as one value per output tensor; a variadic output may be a list within the tuple."""
    if isinstance(result, tuple | list) and not (len(case.outputs) == 1 and _is_numbers(result)):
        flat: list[object] = []
        for value in result:
            flat.extend(value if isinstance(value, tuple | list) else [value])
        return flat
    return [result]


def _is_numbers(result: object) -> bool:
    """Whether a list is the array itself, written out, and not a list of arrays."""
    while isinstance(result, tuple | list):
        if not result:
            return True
        result = result[0]
    return isinstance(result, bool | int | float)


def find_module(reference: Reference, spec_path: Path, root: Path) -> Path | None:
    """The module's file: beside the spec, else in the project root, else None."""
    parts = reference.module.split(".")
    for folder in (spec_path.parent, root):
        base = folder.joinpath(*parts)
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path.resolve()
    return None


class References:
    """Loads each module once per run."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._modules: dict[Path, types.ModuleType] = {}

    def load(self, op: Op, spec_path: Path) -> Meaning:
        """What an op means: its reference, else its computation; with both, they are compared on every case.

        Raises OpkgError when there is neither, or the reference cannot be loaded.
        """
        if op.compute is None:
            return self.load_function(op, spec_path)
        from opkg.verify.cases.computed import Computed  # few specs have computations

        computed = Computed(op, op.compute)
        return computed if op.reference is None else Both(self.load_function(op, spec_path), computed, op.compute.span)

    def load_function(self, op: Op, spec_path: Path) -> Loaded:
        """The Python function of an op; raises OpkgError when there is none, or it cannot be loaded."""
        reference = op.reference
        if reference is None:
            hint = "write compute: y = ..., or reference: module:function"
            raise OpkgError([error("OPK418", f"{op.name} has no reference to compare with", op.span, hint)])
        path = find_module(reference, spec_path, self._root)
        if path is None:
            name = reference.module.replace(".", "/") + ".py"
            hint = f"looked for {name} beside the spec and in the project root"
            raise OpkgError([error("OPK410", f"no module '{reference.module}'", reference.span, hint)])
        folders = tuple(dict.fromkeys((path.parent, spec_path.parent.resolve(), self._root)))
        module = self._module(path, reference, folders)
        function = getattr(module, reference.function, None)
        if not callable(function):
            names = tuple(n for n, v in vars(module).items() if callable(v) and not n.startswith("_"))
            near = nearest(reference.function, names)
            hint = f"did you mean '{near}'?" if near else f"define it in {_shown(str(path), self._root)}"
            message = f"module '{reference.module}' has no function '{reference.function}'"
            raise OpkgError([error("OPK412", message, reference.span, hint)])
        return Loaded(op, function, reference.span, folders, self._root)

    def _module(self, path: Path, reference: Reference, folders: tuple[Path, ...]) -> types.ModuleType:
        if path in self._modules:
            return self._modules[path]
        module = types.ModuleType(reference.module)
        module.__file__ = str(path)
        try:
            source = path.read_bytes()
            with _isolated(folders):
                held = sys.modules.get(module.__name__)
                sys.modules[module.__name__] = module  # dataclasses and pickling look themselves up
                try:
                    exec(compile(source, str(path), "exec"), module.__dict__)  # the user's own code, by their wish
                finally:
                    sys.modules.pop(module.__name__, None)
                    if held is not None:
                        sys.modules[module.__name__] = held
        except (Exception, SystemExit) as raised:
            where = _where(raised, folders, self._root)
            message = f"reference module '{reference.module}' cannot be loaded: {where}"
            raise OpkgError([error("OPK411", message, reference.span)]) from None
        self._modules[path] = module
        return module
