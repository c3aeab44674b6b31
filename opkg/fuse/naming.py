"""Names for specs out of a model's names: what is left of `/layers/0/act/Mul_output_0` that a spec can carry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from opkg.models.ops import OPENVINO_NAMES, OPS, TORCH_NAMES
from opkg.spec.compute.tree import Function, Reduction
from opkg.spec.names import MAX_NAME, name_fault, snake

_TAKEN = {*Function, *Reduction, "cast", "pow", "where", "present", "mean", "inf", "nan", "batch", "T", "torch", "F"}
_OPS = {name.lower() for name in (*OPS, *OPENVINO_NAMES, *TORCH_NAMES, "constant", "parameter", "initializer")}
_GENERAL = frozenset(
    (
        "model",
        "main",
        "graph",
        "block",
        "blocks",
        "layer",
        "layers",
        "stage",
        "encoder",
        "decoder",
        "features",
        "op",
        "",
    )
)
_LONG = 24
_NOISE = re.compile(
    r"(_?(output|out|result|tensor|onnx)(_?\d+)?|_(q|dq|d|quantized|dequantized)|_?(De)?QuantizeLinear|_?\d+)$",
    re.IGNORECASE,
)


def words(name: str) -> list[str]:
    """The parts of a name between slashes, dots and colons, without numbers that count."""
    return [part for part in re.split(r"[/.:]+", name) if part]


def identifier(name: str, taken: Iterable[str], otherwise: str) -> str:
    """A name for a tensor, param or temporary that a spec can have and nothing else has."""
    parts = words(name)
    base = parts[-1] if parts else ""
    while (shorter := _NOISE.sub("", base)) != base:
        base = shorter
    base = re.sub(r"[^A-Za-z0-9]+", "_", base).strip("_").lower()
    base = re.sub(r"_+", "_", base)
    if re.sub(r"_?\d*$", "", base) in _OPS:
        base = ""
    if not base or not base[0].isalpha() or len(base) > _LONG or not free(base, ()):
        base = otherwise
    return distinct(base, taken)


def free(name: str, taken: Iterable[str]) -> bool:
    """Whether a spec can have a name here."""
    return name not in _TAKEN and name not in taken and name_fault(name) is None


def distinct(base: str, taken: Iterable[str]) -> str:
    """The name, with a number where it is taken."""
    known = set(taken)
    if free(base, known):
        return base
    number = 2
    while not free(f"{base}{number}", known):
        number += 1
    return f"{base}{number}"


def camel(text: str) -> str:
    """`rms_norm` -> `RmsNorm`; "" when nothing of it can stand in a name."""
    made = "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", text) if part)
    return made if made and made[0].isalpha() else ""


def op_name(scopes: Sequence[Sequence[str]], ops: Sequence[str], taken: Iterable[str]) -> str:
    """A name for a fused op: the last part of the path that most of its nodes have (`scopes`: names of the nodes of each
    place), else its ops."""
    names = [name for place in scopes for name in place]
    found = Counter(_scope(name) for name in names)
    word, count = found.most_common(1)[0]
    base = camel(word) if 2 * count >= len(names) else ""
    if not base or base.lower() in _GENERAL:
        listed = [camel(op) for op in ops]
        base = "".join(listed) if len(listed) <= 4 else f"{''.join(listed[:2])}To{listed[-1]}{len(listed)}"
    if base in OPS:  # ONNX Runtime looks packages up by the op's name alone
        base = f"Fused{base}"
    known = {snake(name) for name in taken}
    name, number = base[: MAX_NAME - 3], 2
    while snake(name) in known or name_fault(name) is not None:
        name, number = f"{base[: MAX_NAME - 4]}{number}", number + 1
    return name


def _scope(name: str) -> str:
    """The last part of the path of a name, without what counts: "act" of /layers/0/act/Mul."""
    parts = (re.sub(r"[_\d]+$", "", part) for part in reversed(words(name)[:-1]))
    return next((part for part in parts if part and camel(part)), "")


def label(name: str, taken: Iterable[str]) -> str:
    """A name for a test case."""
    base = re.sub(r"[^a-z0-9]+", "_", "_".join(words(name)).lower()).strip("_")[:40] or "place"
    known = set(taken)
    if not base[0].isalpha():
        base = f"at_{base}"
    number, found = 2, base
    while found in known or name_fault(found) is not None:
        found, number = f"{base}_{number}", number + 1
    return found
