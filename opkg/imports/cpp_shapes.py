"""Shapes of results, as kernels of HTP's C++ interface give them: set_dims with a tensor, or with dimensions of inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Shapes = dict[str, "str | tuple[str, ...]"]
_BOUND = re.compile(r"auto\s*&?&?\s*\[([\w\s,]+)\]\s*=\s*(\w+)\.dims\(\)")
_EXTENT = re.compile(
    r"\b(?:const\s+)?(?:size_t|Idx|auto|int|unsigned|u?int(?:32|64)_t)\s+(?:const\s+)?(\w+)\s*=\s*(\w+)\.dim\((\d)\)\s*;"
)
_ARRAY = re.compile(r"\b(?:size_t|Idx)\s+(?:const\s+)?(\w+)\s*\[\s*4?\s*\]\s*=?\s*\{([^{};]*)\}")
_LETTERS = "BHWD"
_Extent = tuple[str, int] | int  # dimension of a tensor, or a number


def shapes_of(body: str, names: Mapping[str, str], outputs: Sequence[str], inputs: Sequence[str]) -> Shapes:
    """The shapes that a kernel's text says, by names of the spec; none for tensors of which it does not.

    `names`: of the kernel's parameters in the spec. Dimensions are HTP's four. Inputs whose dimensions results have are
    given names for them.
    """
    extents = _extents(body)
    arrays = {found[1]: found[2] for found in _ARRAY.finditer(body)}
    inner = {name: parameter for parameter, name in names.items()}
    found: dict[str, str | list[_Extent]] = {}
    for output in outputs:
        call = re.search(rf"\b{inner.get(output, output)}\.set_dims\(\s*(\w+)\s*\)", body)
        if call is None:
            return {}
        if names.get(call[1]) in inputs:
            found[output] = names[call[1]]
            continue
        entries = [_entry(part, extents) for part in arrays.get(call[1], "").split(",")]
        known = [entry for entry in entries if entry is not None]
        if len(known) != 4 or len(entries) != 4:
            return {}
        found[output] = known
    return _written(found, names, inputs)


def _extents(body: str) -> dict[str, _Extent]:
    """Variables that hold a dimension."""
    out: dict[str, _Extent] = {}
    for found in _BOUND.finditer(body):
        for i, name in enumerate(found[1].split(",")):
            out[name.strip()] = (found[2], i)
    for found in _EXTENT.finditer(body):
        out[found[1]] = (found[2], int(found[3]))
    return out


def _entry(text: str, extents: Mapping[str, _Extent]) -> _Extent | None:
    text = re.sub(r"^\(\s*\w+\s*\)\s*", "", text.strip())
    if text.isdigit():
        return int(text)
    direct = re.fullmatch(r"(\w+)\.dim\((\d)\)", text)
    return (direct[1], int(direct[2])) if direct is not None else extents.get(text)


def _written(found: Mapping[str, str | list[_Extent]], names: Mapping[str, str], inputs: Sequence[str]) -> Shapes:
    """As a spec writes them: `x.shape`; dimensions of x where a result has others, all but the last of them as `batch...`."""
    out: Shapes = {name: f"{shape}.shape" for name, shape in found.items() if isinstance(shape, str)}
    lists = {name: shape for name, shape in found.items() if not isinstance(shape, str)}
    for name in [name for name, shape in lists.items() if _same(shape, names) in inputs]:
        out[name] = f"{_same(lists.pop(name), names)}.shape"
    if not lists:
        return out
    used = {names.get(e[0], "") for shape in lists.values() for e in shape if isinstance(e, tuple)}
    if not used <= set(inputs):
        return {}
    if len(used) == 1 and all(_batch(shape) for shape in lists.values()):
        only = next(iter(used))
        out[only] = ("batch...", "D")
        return {
            **out,
            **{name: ("batch...", "D" if shape[3] == _last(shape) else str(shape[3])) for name, shape in lists.items()},
        }
    for i, tensor in enumerate(inputs):
        out[tensor] = tuple(_dimension(i, at, len(inputs)) for at in range(4))
    for name, shape in lists.items():
        out[name] = tuple(
            str(e) if isinstance(e, int) else _dimension(list(inputs).index(names[e[0]]), e[1], len(inputs))
            for e in shape
        )
    return out


def _same(shape: list[_Extent], names: Mapping[str, str]) -> str:
    """The tensor that has exactly these dimensions, "" for none."""
    tensors = {e[0] for e in shape if isinstance(e, tuple)}
    whole = len(tensors) == 1 and all(isinstance(e, tuple) and e[1] == i for i, e in enumerate(shape))
    return names.get(next(iter(tensors)), "") if whole else ""


def _batch(shape: list[_Extent]) -> bool:
    """Whether all but the last dimension are those of one tensor, and the last is its own or a number."""
    first = shape[0]
    if not isinstance(first, tuple):
        return False
    return shape[:3] == [(first[0], i) for i in range(3)] and (isinstance(shape[3], int) or shape[3] == (first[0], 3))


def _last(shape: list[_Extent]) -> _Extent:
    first = shape[0]
    assert isinstance(first, tuple)
    return (first[0], 3)


def _dimension(tensor: int, at: int, tensors: int) -> str:
    return f"{_LETTERS[at]}{tensor}" if tensors > 1 else _LETTERS[at]
