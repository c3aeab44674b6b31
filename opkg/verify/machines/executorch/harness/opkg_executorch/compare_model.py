"""Loads a file that defines a model to be compared, and says in which of its lines something is wrong."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

SEED = 0
Tensors = tuple[torch.Tensor, ...]


class Fault(Exception):
    """Something that the user of a model file can mend; `line` of it, 1 when nobody knows."""

    def __init__(self, message: str, line: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.line, self.hint = line, hint


@dataclass(frozen=True)
class Model:
    """What a model file defines, checked. `evaluation`: what the programs are measured on besides `inputs`."""

    module: torch.nn.Module
    inputs: Tensors
    calibration: tuple[Tensors, ...] = ()
    evaluation: tuple[Tensors, ...] = ()

    @property
    def samples(self) -> tuple[Tensors, ...]:
        return (self.inputs, *self.evaluation)


def load(path: Path) -> Model:
    """The model of a file, in eval mode, made after the random generators have been seeded. Raises Fault."""
    torch.manual_seed(SEED)
    np.random.seed(SEED)
    random.seed(SEED)
    file = _module(path)
    made = _called(file, path, "model")
    if not isinstance(made, torch.nn.Module):
        raise Fault(f"model() returns {_kind(made)}, not a torch.nn.Module", _line_of(file, "model"))
    inputs = _tensors(_called(file, path, "inputs"), "inputs() returns", _line_of(file, "inputs"))
    more = [_more(file, path, name, inputs) if hasattr(file, name) else () for name in ("calibration", "evaluation")]
    return Model(made.eval(), inputs, *more)


def run(module: Any, inputs: Tensors) -> list[torch.Tensor]:
    """The outputs of a module in PyTorch, flat. Fault when there is none, or one that is no tensor."""
    with torch.no_grad():
        found = pytree.tree_leaves(module(*inputs))
    for each in found:
        if not isinstance(each, torch.Tensor):
            raise Fault(f"the model's output has {_kind(each)} in it: only tensors can be compared")
    if not found:
        raise Fault("the model returns no tensor")
    return list(found)


def line_in(error: BaseException, path: Path) -> int:
    """The line of a file that an exception comes from: its own frames, or those that its text names; 1 without any."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        if isinstance(link, SyntaxError) and link.filename == str(path):
            return link.lineno or 1
        named = re.findall(rf'File "{re.escape(str(path))}", line (\d+)', str(link))
        frames = [frame.lineno for frame in traceback.extract_tb(link.__traceback__) if frame.filename == str(path)]
        lines = [int(line) for line in named] or [line for line in frames if line]
        if lines:
            return lines[-1]
        link = link.__cause__ or link.__context__
    return 1


def said(error: BaseException) -> str:
    """Kind and first line of an exception."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def guarded(path: Path, doing: str, work: Callable[[], Any]) -> Any:
    """What `work` returns; what it raises as a Fault with the line of the model file that it comes from."""
    try:
        return work()
    except (Fault, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Fault(f"{doing}: {said(error)}", line_in(error, path), explained(error)) from error


def explained(error: BaseException) -> str:
    """What torch says in explanation of an export that fails, if it does."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line.partition(": ")[2] for line in lines if line.startswith("Explanation: ")), "")


def _module(path: Path) -> ModuleType:
    name = f"opkg_model_{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}"
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # torch.export looks functions up by the name of their module
    sys.path.insert(0, str(path.parent))
    guarded(path, "cannot be loaded", lambda: loader.exec_module(module))
    return module


def _called(file: ModuleType, path: Path, name: str) -> Any:
    function = getattr(file, name, None)
    if not callable(function):
        raise Fault(
            f"has no function {name}()",
            1,
            "it must define model() and inputs(), and may define calibration() and evaluation()",
        )
    return guarded(path, f"{name}() failed", function)


def _line_of(file: ModuleType, name: str) -> int:
    code = getattr(getattr(file, name), "__code__", None)
    return code.co_firstlineno if isinstance(code, CodeType) else 1


def _kind(value: Any) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _tensors(value: Any, words: str, line: int) -> Tensors:
    hint = "return a tuple: (tensor,)"
    if isinstance(value, torch.Tensor) or not isinstance(value, (tuple, list)):
        raise Fault(f"{words} {_kind(value)}, not a tuple of tensors", line, hint)
    for place, each in enumerate(value):
        if not isinstance(each, torch.Tensor):
            raise Fault(f"{words} {_kind(each)} in place {place}, not a tensor", line, hint)
    if not value:
        raise Fault(f"{words} nothing: a model without inputs cannot be lowered", line, hint)
    return tuple(value)


def _more(file: ModuleType, path: Path, name: str, inputs: Tensors) -> tuple[Tensors, ...]:
    """What `calibration()` or `evaluation()` returns: tuples of tensors as `inputs` has them."""
    line = _line_of(file, name)
    found = _called(file, path, name)
    if not isinstance(found, Iterable) or isinstance(found, torch.Tensor):
        raise Fault(f"{name}() returns {_kind(found)}, not a list of tuples of tensors", line)
    rows = []
    for number, each in enumerate(guarded(path, f"{name}() failed", lambda: list(found))):
        row = _tensors(each, f"{name}()[{number}] is", line)
        wanted, got = (", ".join(f"{list(t.shape)} {t.dtype}" for t in tensors) for tensors in (inputs, row))
        if wanted != got:
            raise Fault(f"{name}()[{number}] has other shapes or types than inputs(): {got}", line, f"wanted: {wanted}")
        rows.append(row)
    return tuple(rows)
