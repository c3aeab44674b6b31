"""What HVX intrinsics compute: one row each, a C++ expression for lane `i` of the result.

In an expression the operands are arrays: `a`, `b` of vectors, `a0`, `a1` the low and high vector of a pair, `x` (`x0`,
`x1`) of the operand that is also the result, `q`, `s` bytes of predicates (0 or 0xff), `r` and `p` the elements of a
scalar register (`r` is a number when the name gives no element type), `n` a constant. `T` is the result's element type.
Element types come from the name; `types` gives them where the name is silent. Source of the facts: the programmer's
reference, and qemu, with which every row is compared bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from opkg.kernels.hvx.names import intrinsics


@dataclass(frozen=True, slots=True)
class Row:
    """Meaning of one intrinsic. `high` is the expression of a pair's high vector; `body` statements of the loop."""

    name: str
    low: str
    high: str = ""
    types: str = ""  # of result and operands, as in "Vw Ww Vw", where the name does not tell
    body: str = ""
    before: str = ""  # statements before the loop


def accumulating(name: str) -> str:
    """Name of the form that adds to its first operand: `Q6_Vw_vmpy_VhRh` -> `Q6_Vw_vmpyacc_VwVhRh`."""
    prefix, result, operation, *rest = name.split("_")
    return "_".join([prefix, result, f"{operation}acc", result + rest[0], *rest[1:]])


def _plus(x: str, expression: str, saturating: bool) -> str:
    if not expression:
        return ""
    return f"saturate<T>({x}[i] + ({expression}))" if saturating else f"wrap({x}[i], {expression})"


def _both(name: str, low: str, high: str = "") -> list[Row]:
    """The row and its accumulating form; names with `sat` saturate the sum."""
    sat = name.endswith("_sat")
    x = ("x0", "x1") if high else ("x", "")
    plain = [f"saturate<T>({e})" if sat and e else e for e in (low, high)]
    return [
        Row(name, *plain),
        Row(accumulating(name), _plus(x[0], low, sat), _plus(x[1], high, sat)),
    ]


def _double_multiply() -> list[Row]:
    by_r = "{0}[2 * i] * r[2 * i % 4] + {0}[2 * i + 1] * r[(2 * i + 1) % 4]"
    odd = "a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4]"
    rows = []
    for kind in ("h", "w"):
        element = {"h": "ub", "w": "h"}[kind]
        rows += _both(f"Q6_V{kind}_vdmpy_V{element}Rb", by_r.format("a"))
        rows += _both(f"Q6_W{kind}_vdmpy_W{element}Rb", by_r.format("a0"), odd)
    for scalar in ("Rh", "Ruh"):
        rows += _both(f"Q6_Vw_vdmpy_Wh{scalar}_sat", "mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1])")
        rows += _both(f"Q6_Vw_vdmpy_Vh{scalar}_sat", "mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1])")
    rows += _both("Q6_Vw_vdmpy_VhVh_sat", "mul(a[2 * i], b[2 * i]) + mul(a[2 * i + 1], b[2 * i + 1])")
    for element, kind in (("b", "h"), ("ub", "h"), ("h", "w")):
        name = f"Q6_W{kind}_vtmpy_W{element}Rb"
        rows += _both(name, f"{by_r.format('a0')} + a1[2 * i]", f"{odd} + a1[2 * i + 1]")
    return rows


def _sums() -> list[Row]:
    """Sums of absolute differences, and of four byte products at offsets that the constant chooses."""
    rows = _both(
        "Q6_Wuw_vdsad_WuhRuh",
        "apart(a0[2 * i], r[0]) + apart(a0[2 * i + 1], r[1])",
        "apart(a0[2 * i + 1], r[0]) + apart(a1[2 * i], r[1])",
    )
    for name in ("Q6_Ww_vrmpy_WubRbI", "Q6_Wuw_vrmpy_WubRubI", "Q6_Wuw_vrsad_WubRubI"):
        term = "apart({}, {})" if "sad" in name else "{} * {}"
        low = [
            term.format(f"{'(n ? a1 : a0)' if k == 0 else 'a0'}[4 * i + {k}]", f"r[({k} - n) & 3]") for k in range(4)
        ]
        sources = ("a1", "a1", "(n ? a1 : a0)", "a0")
        high = [term.format(f"{sources[k]}[4 * i + {k}]", f"r[({k + 2} - n) & 3]") for k in range(4)]
        rows += _both(name, " + ".join(low), " + ".join(high))
    return rows


def _multiply() -> list[Row]:
    rows = []
    for suffix in ("WubWb", "WubWub"):
        even = "a0[2 * i] * b0[2 * i] + a1[2 * i] * b1[2 * i]"
        rows.append(Row(f"Q6_Wh_vmpa_{suffix}", even, even.replace("2 * i", "2 * i + 1")))
    rows += _both(
        "Q6_Ww_vmpa_WuhRb",
        "mul(a0[2 * i], r[0]) + mul(a1[2 * i], r[1])",
        "mul(a0[2 * i + 1], r[2]) + mul(a1[2 * i + 1], r[3])",
    )
    by_half = ("mul(a[2 * i], r[0])", "mul(a[2 * i + 1], r[1])")
    rows.append(
        Row("Q6_Ww_vmpyacc_WwVhRh_sat", *(_plus(x, e, True) for x, e in zip(("x0", "x1"), by_half, strict=True)))
    )
    rows.append(Row("Q6_Ww_vmpyacc_WwVhRh", *(_plus(x, e, False) for x, e in zip(("x0", "x1"), by_half, strict=True))))
    rows += _both("Q6_Vuw_vmpye_VuhRuh", "mul(a[2 * i], r[0])")
    for name in ("Q6_Vw_vmpyieacc_VwVwVh", "Q6_Vw_vmpyieacc_VwVwVuh"):
        rows.append(Row(name, "wrap(x[i], mul(a[i], b[2 * i]))"))
    for name, index in (("VhVhRb", 3), ("VwVwRb", 3), ("VwVwRub", 3), ("VwVwRh", 1)):
        rows.append(Row(f"Q6_{name[:2]}_vmpyiacc_{name}", f"wrap(x[i], mul(a[i], r[i & {index}]))"))
    for rounding in ("", "_rnd"):
        text = f"(((mul(a[i], b[2 * i + 1]) + x[i]) >> 14) + {int(bool(rounding))}) >> 1"
        rows.append(Row(f"Q6_Vw_vmpyoacc_VwVwVh_s1{rounding}_sat_shift", f"saturate<T>({text})"))
    product = "mul(a[i], b[2 * i])"
    rows.append(Row("Q6_W_vmpye_VwVuh", f"uint64_t({product}) << 16", f"{product} >> 16", "Ww Vw Vuh"))
    product = "(mul(a[i], b[2 * i + 1]) + x1[i])"
    low = f"(uint32_t(x0[i]) >> 16) | uint32_t({product}) << 16"
    rows.append(Row("Q6_W_vmpyoacc_WVwVh", low, f"{product} >> 16", "Ww Ww Vw Vh"))
    rows.append(Row("Q6_Vuh_vmpy_VuhVuh_rs16", "mul(a[i], b[i]) >> 16"))
    chosen = "mul(p[uint16_t(a[i]) >> 14], 1 << 15)"
    rows.append(
        Row("Q6_Vh_vmpa_VhVhVhPh_sat", f"saturate<T>(((mul(x[i], a[i]) * 2) + {chosen}) >> 16)", "", "Vh Vh Vh Ph")
    )
    rows.append(
        Row("Q6_Vh_vmpa_VhVhVuhPuh_sat", f"saturate<T>((mul(x[i], a[i]) + {chosen}) >> 16)", "", "Vh Vh Vuh Puh")
    )
    rows.append(
        Row("Q6_Vh_vmps_VhVhVuhPuh_sat", f"saturate<T>((mul(x[i], a[i]) - {chosen}) >> 16)", "", "Vh Vh Vuh Puh")
    )
    return rows


# Products of v6mpy: byte `k` of the word of pair half `v` times coefficient `c` of half `h`, as vk*hc; measured with unit
# bytes. Constant n takes sums 0 and 1, 1 and 2, 3 and 4, 4 and 5 for the low and high vector.
_SIX = {
    "h": ("02*12 10*11 12*10", "02*02 03*12 10*01 11*11 12*00 13*10", "03*02 11*01 13*00",
          "00*12 02*11 10*10", "00*02 01*12 02*01 03*11 10*00 11*10", "01*02 03*01 11*00"),
    "v": ("01*10 10*11 11*12", "01*00 03*10 10*01 11*02 12*11 13*12", "03*00 12*01 13*02",
          "00*10 01*11 10*12", "00*00 01*01 02*10 03*11 10*02 12*12", "02*00 03*01 12*02"),
}  # fmt: skip


def _six() -> list[Row]:
    rows = []
    for form, taps in _SIX.items():
        sums = [
            " + ".join(f"a{t[0]}[4 * i + {t[1]}] * coefficient(b{t[3]}, i, {t[4]})" for t in tap.split())
            for tap in taps
        ]
        low, high = (
            "(n == 0 ? {} : n == 1 ? {} : n == 2 ? {} : {})".format(*(sums[k] for k in ks))
            for ks in ((0, 1, 3, 4), (1, 2, 4, 5))
        )
        rows += _both(f"Q6_Ww_v6mpy_WubWbI_{form}", low, high)
    return rows


def _shift() -> list[Row]:
    rows = [
        Row("Q6_Vh_vaslacc_VhVhR", "x[i] + (a[i] << (r & 15))"),
        Row("Q6_Vh_vasracc_VhVhR", "x[i] + (a[i] >> (r & 15))"),
        Row("Q6_Vub_vround_VuhVuh_sat", "saturate<T>(((i & 1 ? a : b)[i / 2] + 0x80) >> 8)"),
        Row("Q6_Vuw_vrotr_VuwVuw", "a[i] >> (b[i] & 31) | a[i] << (-b[i] & 31)"),
        Row("Q6_Vw_vsatdw_VwVw", "saturate<T>(int64_t(uint64_t(a[i]) << 32 | uint32_t(b[i])))"),
        Row(
            "Q6_Ww_vasrinto_WwVwVw",
            "",
            body="const int64_t both = shift_into(a[i], x0[i], (b[i] & 63) - (b[i] & 64)); "
            "o0[i] = T(both); o1[i] = T(both >> 32);",
        ),
    ]
    for kind, element, mask in (("uh", "ub", 7), ("w", "uh", 15)):
        for rounding in ("", "_rnd"):
            name = f"Q6_V{element}_vasr_W{kind}V{element}{rounding}_sat"
            shift = "round_shift(v, k)" if rounding else "v >> k"
            body = (
                f"const int64_t v = (i & 1 ? a1 : a0)[i / 2]; const int k = b[i] & {mask}; o[i] = saturate<T>({shift});"
            )
            rows.append(Row(name, "", body=body))
    return rows


def _arithmetic() -> list[Row]:
    rows = []
    for operation, sign in (("vadd", "+"), ("vsub", "-")):
        for kind in ("Wb", "Wuw"):
            low = f"saturate<T>(int64_t(a0[i]) {sign} b0[i])"
            name = f"Q6_{kind}_{operation}_{kind}{kind}_sat"
            rows.append(Row(name, low, low.replace("0[", "1[")))
    for operation, second in (("vadd", "uint32_t(b[i])"), ("vsub", "~uint32_t(b[i])")):
        body = f"const uint64_t sum = uint64_t(uint32_t(a[i])) + {second} + (q[4 * i] & 1); o[i] = T(sum); "
        body += "for (int k = 0; k < 4; k++) q[4 * i + k] = sum >> 32 ? 0xff : 0;"
        rows.append(Row(f"Q6_Vw_{operation}_VwVwQ_carry", "", body=body))
    rows += [
        Row("Q6_Vw_vadd_VwVwQ_carry_sat", "saturate<T>(int64_t(a[i]) + b[i] + (q[4 * i] & 1))"),
        Row("Q6_Vh_vadd_vclb_VhVh", "leading(a[i]) - 16 + b[i]"),
        Row("Q6_Vw_vadd_vclb_VwVw", "wrap(leading(a[i]), b[i])"),
        Row("Q6_Vuw_vavg_VuwVuw", "(uint64_t(a[i]) + b[i]) >> 1"),
        Row("Q6_Vuw_vavg_VuwVuw_rnd", "(uint64_t(a[i]) + b[i] + 1) >> 1"),
        Row("Q6_Vb_vnavg_VbVb", "(a[i] - b[i]) >> 1"),
    ]
    return rows


def _permute() -> list[Row]:
    rows = [
        Row("Q6_Wh_vunpackoor_WhVb", "x0[i] | a[i] << 8", "x1[i] | a[64 + i] << 8"),
        Row("Q6_Ww_vunpackoor_WwVh", "x0[i] | uint32_t(a[i]) << 16", "x1[i] | uint32_t(a[32 + i]) << 16"),
        Row("Q6_Qb_vshuffe_QhQh", "i & 1 ? q[i - 1] : s[i]"),
        Row("Q6_Qh_vshuffe_QwQw", "i & 2 ? q[i - 2] : s[i]"),
        Row("Q6_V_vandor_VQnR", "x[i] | (q[i] ? 0 : uint32_t(r) >> 8 * (i & 3))", types="Vub Vub Q R"),
        Row("Q6_Vh_vlut4_VuhPh", "p[a[i] >> 14]"),
    ]
    # Followed back from the result: the step that the instruction takes last comes first.
    for name, steps in (("vdelta", "step = 1; step < 128; step <<= 1"), ("vrdelta", "step = 64; step > 0; step >>= 1")):
        body = f"int from = i; for (int {steps}) from ^= b[from] & step; o[i] = a[from];"
        rows.append(Row(f"Q6_V_{name}_VV", "", types="Vub Vub Vub", body=body))
    for kind, width in (("b", 1), ("h", 2), ("w", 4)):
        body = "".join(f"sum += q[{width} * i + {k}] & 1; " for k in range(width))
        rows.append(Row(f"Q6_V{kind}_prefixsum_Q", "", before="int sum = 0;", body=f"{body}o[i] = T(sum);"))
    return rows


@cache
def table() -> dict[str, Row]:
    """All rows by name, in the order of the generated header; every name is one of the list's."""
    rows = [*_arithmetic(), *_shift(), *_multiply(), *_double_multiply(), *_sums(), *_six(), *_permute()]
    assert all(row.name in intrinsics() for row in rows)
    return {row.name: row for row in rows}
