"""The float strategy on bytes that become halves: real numbers of quantized elements, 64 at a time.

A byte q in the lower bits of 1024 is 1024 + q, and the difference from 1024 + zero is exact. The factor has two parts, so
that the sum of two products is rounded once; it lies between 128 and 256, where no part vanishes, and exponents are put right
at the end.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.ops import HEADER, PREFIX

ULPS = 4.0  # of single precision, before halves are rounded
_BIASES = {Storage.U8: 0, Storage.S8: 128}


def halves_of_bytes(snippet: Snippet) -> Lowered | None:
    """A kernel that dequantizes bytes; None where the computation is another one."""
    if not dequantizes(snippet):
        return None
    (source,) = read_inputs(snippet)
    setup = Block()
    body = Block(setup)
    high, low, origin, down = (
        setup.call(PREFIX + "splat_hf", f"{source.name}_{part}", to=part) for part in ("high", "low", "origin", "down")
    )
    for part, steps in enumerate(_steps(setup, body, source, origin)):
        scaled = body.call(PREFIX + "scaled_hf", steps, high, low, to="scaled")
        real = body.q6("Q6_Vuh_vsub_VuhVuh_sat", scaled, down, to="real")  # 0 stays 0
        for output in snippet.outputs:
            body.store(output.name, real, part)
    return Lowered(
        strategy="floating",
        title="Bytes as halves, 64 at a time",
        error=f"{ULPS:g} ulp of single precision, then rounded to half precision",
        step=128,
        members=_members(source),
        prepare=_prepare(source),
        setup=tuple(setup.insts),
        body=tuple(body.insts),
        headers=(HEADER,),
        arch=68,
        unroll=4,
        float_unit=True,
    )


def dequantizes(snippet: Snippet) -> bool:
    """Whether all that is done is to make halves of one quantized tensor of bytes."""
    graph, inputs = snippet.graph, read_inputs(snippet)
    if len(inputs) != 1 or not inputs[0].quantized or inputs[0].storage not in _BIASES or inputs[0].is_param:
        return False
    plain = all(graph[result.node].op == "input" for result in graph.results)
    return plain and all(output.storage is Storage.F16 for output in snippet.outputs)


def _steps(setup: Block, body: Block, source: Operand, origin: str) -> list[str]:
    stored = body.load(source.name)
    if source.storage.signed:
        stored = body.q6("Q6_V_vxor_VV", stored, setup.q6("Q6_V_vsplat_R", "0x80808080", to="sign"), to="moved")
    wide = body.q6("Q6_Wuh_vunpack_Vub", stored, to="wide")
    base = setup.call(PREFIX + "splat_hf", "0x6400", to="base")  # 1024
    above = [body.q6("Q6_V_vor_VV", half, base, to="above") for half in (body.lo(wide), body.hi(wide))]
    return [body.call(PREFIX + "sub_hf", half, origin, to="steps") for half in above]


def _members(source: Operand) -> tuple[Member, ...]:
    told = {
        "high": "the factor's upper digits, as a half",
        "low": "and those below them",
        "origin": "1024 and the zero point",
        "down": "what the exponents are too large by",
    }
    return tuple([Member("uint16_t", f"{source.name}_{part}", what) for part, what in told.items()])


def _prepare(source: Operand) -> tuple[str, ...]:
    name, bias = source.name, _BIASES[source.storage]
    zero = f"op.{name}.zero + {bias}" if bias else f"op.{name}.zero"
    return (
        f"if (!(op.{name}.scale >= 0x1p-14f && op.{name}.scale < 0x1p8f)) return false;",
        f"if ({zero} < 0 || {zero} > 255) return false;",
        "int exponent;",
        f"const float factor = std::ldexp(std::frexp(op.{name}.scale, &exponent), 8);  // 128 to 256",
        "const opkg::Float16 upper(factor);",
        f"{name}_high = upper.bits();",
        f"{name}_low = opkg::Float16(factor - upper).bits();",
        f"{name}_origin = static_cast<uint16_t>(0x6400 + {zero});",
        f"{name}_down = static_cast<uint16_t>((8 - exponent) << 10);",
    )
