"""A graph of convolutions with an op between them, as a case that the htp runner reads (docs/design/case-format.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opkg.spec.dtypes import DTYPES, DType
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.cases.casefile import Data, param_text, quant_text
from opkg.verify.meaning.numbers import Quant, storage

CORE = "qti.aisw"
# Element types of tensors that Conv2d takes, with the quantization that all tensors of a graph get.
ACTIVATIONS: dict[str, Quant | None] = {
    "ufixed8": Quant((0.0625,), (-128,)),
    "sfixed8": Quant((0.0625,), (0,)),
    "ufixed16": Quant((0.0009765625,), (-32768,)),
    "float16": None,
}
_WEIGHTS = Quant((0.00390625,), (-128,))


def unfit(case: Case) -> str:
    """Why an op cannot stand behind a convolution; empty when it can."""
    first = case.inputs[0]
    if first.dtype.name not in ACTIVATIONS:
        return f"Conv2d makes no {first.dtype}"
    return "" if len(first.shape) == 4 else f"its first input has rank {len(first.shape)}"


def repeats(case: Case) -> bool:
    """Whether the op's output is what its input is, so that pairs of op and convolution can follow each other."""
    first, output = case.inputs[0], case.outputs[0]
    return (output.shape, output.dtype) == (first.shape, first.dtype)


@dataclass(slots=True)
class Chain:
    """Writes one graph. Tensors that follow each other are t0 (the graph's input), t1, ..."""

    package: str
    data: Data
    lines: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    last: int = 0  # number of the newest tensor

    def text(self, index: int, case: Case, pairs: int, with_op: bool) -> list[str]:
        """Conv2d, then `pairs` times the op and Conv2d; without the op, the convolutions alone. Where nothing can follow
        the op, or its output has another shape, it stands once, and the graph without it ends at the first Conv2d."""
        first, output = case.inputs[0], case.outputs[0]
        again = repeats(case)
        ends = not again and (len(output.shape) != 4 or output.dtype.name not in ACTIVATIONS)
        count = (pairs if again else 1) if with_op else 0
        self.lines = [f"case {index} {case.op.name}.{index}"]
        self._tensor("t0", "input", first.dtype, first.shape, np.zeros(first.shape))
        self._window()
        self._conv(first, not count and not (again and pairs))
        for number in range(count):
            self._op(case, number, ends)
            if not ends:
                self._conv(output, number == count - 1)
        for number in range(0 if with_op or not again else pairs):
            self._conv(first, number == pairs - 1)
        return [*self.lines, *self.nodes, "end"]

    def _tensor(
        self, name: str, kind: str, dtype: DType, shape: tuple[int, ...], values: np.ndarray | None = None,
        quant: Quant | None = None,
    ) -> None:  # fmt: skip
        place = "- -" if values is None else self.data.add(values.astype(storage(dtype)).tobytes())
        quant = quant or ACTIVATIONS.get(dtype.name)
        dims = "".join(f" {d}" for d in shape)
        self.lines.append(f"tensor {name} {kind} {dtype.qnn_value:#x} {len(shape)}{dims} {quant_text(quant)} {place}")

    def _window(self) -> None:
        """The params of all convolutions: one element at a time."""
        self._tensor("stride", "static", DTYPES["uint32"], (2,), np.ones(2))
        self._tensor("pad", "static", DTYPES["uint32"], (2, 2), np.zeros((2, 2)))

    def _follows(self, like: CaseTensor, is_output: bool) -> tuple[str, str]:
        """The newest tensor, and one more."""
        self.last += 1
        name = f"t{self.last}"
        self._tensor(name, "output" if is_output else "native", like.dtype, like.shape)
        return f"t{self.last - 1}", name

    def _conv(self, like: CaseTensor, is_output: bool) -> None:
        channels = like.shape[-1]
        quantized = like.dtype.quantized
        dtype = DTYPES["ufixed8"] if quantized else like.dtype
        values = np.arange(channels * channels).reshape(1, 1, channels, channels) % 113 + self.last  # no two alike
        weights = f"w{self.last}"
        self._tensor(weights, "static", dtype, values.shape, values, _WEIGHTS if quantized else None)
        source, made = self._follows(like, is_output)
        params = "tensor stride stride tensor pad_amount pad"
        self.nodes.append(f"node n{self.last} {CORE} Conv2d 2 {source} {weights} 1 {made} 2 {params}")

    def _op(self, case: Case, number: int, is_output: bool) -> None:
        """Inputs of the first one's shape and type are the tensor before; others hold constants."""
        source, made = self._follows(case.outputs[0], is_output)
        first, names = case.inputs[0], []
        for tensor in case.inputs:
            name = source
            if tensor.absent or (tensor.shape, tensor.dtype) != (first.shape, first.dtype):
                name = f"c{number}.{tensor.name}"
                values = None if tensor.absent else tensor.stored
                kind = "null" if tensor.absent else "static"
                self._tensor(name, kind, tensor.dtype, tensor.shape, values, None if tensor.absent else tensor.quant)
            names.append((name, tensor.absent))
        while names[-1][1]:
            names.pop()
        others = [f"o{number}.{tensor.name}" for tensor in case.outputs[1:]]
        for name, tensor in zip(others, case.outputs[1:], strict=True):
            self._tensor(name, "output", tensor.dtype, tensor.shape, None, tensor.quant)
        params = [param_text(p, self.data, self.lines, f"p{number}.{p.spec.name}") for p in case.params if p.given]
        parts = [str(len(names)), *(name for name, _ in names), str(1 + len(others)), made, *others]
        parts += [str(len(params)), *params]
        self.nodes.append(f"node n{self.last} {self.package} {case.op.name} " + " ".join(parts))
