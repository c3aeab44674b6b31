"""Rows of the HVX multiplications."""

from __future__ import annotations

from opkg.kernels.hvx.row import Row, both, odd, plus


def _widening() -> list[Row]:
    rows = []
    for result, a, b in (
        ("Wh", "b", "b"), ("Wh", "ub", "b"), ("Wuh", "ub", "ub"), ("Ww", "h", "h"), ("Ww", "h", "uh"), ("Wuw", "uh", "uh")
    ):  # fmt: skip
        product = "mul(a[2 * i], b[2 * i])" if b == "uh" else "a[2 * i] * b[2 * i]"
        rows += both(f"Q6_{result}_vmpy_V{a}V{b}", product, odd(product))
    for result, a, b in (("Wh", "ub", "b"), ("Wuh", "ub", "ub"), ("Wuw", "uh", "uh"), ("Ww", "h", "h")):
        index = ("2 * i & 3", "(2 * i + 1) & 3") if len(a) == 2 and a[-1] == "b" else ("0", "1")
        name, low, high = (
            f"Q6_{result}_vmpy_V{a}R{b}",
            f"mul(a[2 * i], r[{index[0]}])",
            f"mul(a[2 * i + 1], r[{index[1]}])",
        )
        rows += both(name, low, high)
    sat = "Q6_Ww_vmpyacc_WwVhRh_sat"  # has no form without accumulator
    rows.append(Row(sat, plus("x0", "mul(a[2 * i], r[0])", True), plus("x1", "mul(a[2 * i + 1], r[1])", True)))
    for result, a, b in (
        ("Vw", "Vb", "Vb"),
        ("Vw", "Vub", "Vb"),
        ("Vuw", "Vub", "Vub"),
        ("Vw", "Vub", "Rb"),
        ("Vuw", "Vub", "Rub"),
    ):
        term = "a[4 * i + {0}] * r[{0}]" if b[0] == "R" else "a[4 * i + {0}] * b[4 * i + {0}]"
        rows += both(f"Q6_{result}_vrmpy_{a}{b}", " + ".join(term.format(k) for k in range(4)))
    return rows


def _low_part() -> list[Row]:
    """The low part of the product; that of a word with a halfword of a word; fractional products."""
    rows = both("Q6_Vh_vmpyi_VhVh", "a[i] * b[i]")
    for name, index in (("VhRb", 3), ("VwRb", 3), ("VwRub", 3), ("VwRh", 1)):
        rows += both(f"Q6_{name[:2]}_vmpyi_{name}", f"mul(a[i], r[i & {index}])")
    rows += both("Q6_Vw_vmpyie_VwVuh", "mul(a[i], b[2 * i])")
    rows += [
        Row("Q6_Vw_vmpyieacc_VwVwVh", "wrap(x[i], mul(a[i], b[2 * i]))"),
        Row("Q6_Vw_vmpyio_VwVh", "mul(a[i], b[2 * i + 1])"),
        Row("Q6_Vw_vmpyieo_VhVh", "uint32_t(a[2 * i] * b[2 * i + 1]) << 16"),
        Row("Q6_Vh_vmpy_VhVh_s1_rnd_sat", "saturate<T>((mul(a[i], b[i]) * 2 + 0x8000) >> 16)"),
        Row("Q6_Vh_vmpy_VhRh_s1_sat", "saturate<T>((mul(a[i], r[i & 1]) * 2) >> 16)"),
        Row("Q6_Vh_vmpy_VhRh_s1_rnd_sat", "saturate<T>((mul(a[i], r[i & 1]) * 2 + 0x8000) >> 16)"),
        Row("Q6_Vw_vmpye_VwVuh", "mul(a[i], b[2 * i]) >> 16"),
        Row("Q6_Vw_vmpyo_VwVh_s1_sat", "saturate<T>(mul(a[i], b[2 * i + 1]) >> 15)"),
        Row("Q6_Vw_vmpyo_VwVh_s1_rnd_sat", "saturate<T>(((mul(a[i], b[2 * i + 1]) >> 14) + 1) >> 1)"),
    ]
    return rows


def _double_multiply() -> list[Row]:
    by_r = "{0}[2 * i] * r[2 * i % 4] + {0}[2 * i + 1] * r[(2 * i + 1) % 4]"
    across = "a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4]"
    rows = []
    for kind in ("h", "w"):
        element = {"h": "ub", "w": "h"}[kind]
        rows += both(f"Q6_V{kind}_vdmpy_V{element}Rb", by_r.format("a"))
        rows += both(f"Q6_W{kind}_vdmpy_W{element}Rb", by_r.format("a0"), across)
    for scalar in ("Rh", "Ruh"):
        rows += both(f"Q6_Vw_vdmpy_Wh{scalar}_sat", "mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1])")
        rows += both(f"Q6_Vw_vdmpy_Vh{scalar}_sat", "mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1])")
    rows += both("Q6_Vw_vdmpy_VhVh_sat", "mul(a[2 * i], b[2 * i]) + mul(a[2 * i + 1], b[2 * i + 1])")
    for element, kind in (("b", "h"), ("ub", "h"), ("h", "w")):
        name = f"Q6_W{kind}_vtmpy_W{element}Rb"
        rows += both(name, f"{by_r.format('a0')} + a1[2 * i]", f"{across} + a1[2 * i + 1]")
    return rows


def _sums() -> list[Row]:
    """Sums of absolute differences, and of four byte products at offsets that the constant chooses."""
    rows = both(
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
        rows += both(name, " + ".join(low), " + ".join(high))
    return rows


def _multiply() -> list[Row]:
    rows = []
    for suffix in ("WubWb", "WubWub"):
        even = "a0[2 * i] * b0[2 * i] + a1[2 * i] * b1[2 * i]"
        rows.append(Row(f"Q6_Wh_vmpa_{suffix}", even, odd(even)))
    for kind, suffix in (("Ww", "WuhRb"), ("Ww", "WhRb"), ("Wh", "WubRb"), ("Wh", "WubRub")):
        low, high = "a0[2 * i] * r[0] + a1[2 * i] * r[1]", "a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3]"
        rows += both(f"Q6_{kind}_vmpa_{suffix}", low, high)
    rows += both("Q6_Vuw_vmpye_VuhRuh", "mul(a[2 * i], r[0])")
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
        rows += both(f"Q6_Ww_v6mpy_WubWbI_{form}", low, high)
    return rows


def rows() -> list[Row]:
    """All of this module, widening products first."""
    return [*_widening(), *_low_part(), *_multiply(), *_double_multiply(), *_sums(), *_six()]
