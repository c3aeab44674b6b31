"""Rows of HVX shifts, conversions between widths, permutations and table lookups."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.hvx.row import Row, both, odd


def _shift() -> list[Row]:
    rows = [
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
            shift = "round_shift" if rounding else "shift_right"
            body = " ".join(
                f"o[2 * i + {k}] = saturate<T>({shift}(a{k}[i], b[2 * i + {k}] & {mask}));" for k in range(2)
            )
            rows.append(Row(f"Q6_V{element}_vasr_W{kind}V{element}{rounding}_sat", "", body=body, step=2))
    for e, bits in (("h", 5), ("w", 6)):
        mask = 8 * 2 ** (bits - 4) - 1
        rows += both(f"Q6_V{e}_vasl_V{e}R", f"uint32_t(a[i]) << (r & {mask})")
        rows += both(f"Q6_V{e}_vasr_V{e}R", f"a[i] >> (r & {mask})")
        # Lane by lane: a signed amount of 5 or 6 bits; negative ones shift the other way.
        amount = f"signed_bits(b[i], {bits})"
        rows.append(Row(f"Q6_V{e}_vasr_V{e}V{e}", f"shift_right(a[i], {amount})"))
        rows.append(Row(f"Q6_V{e}_vasl_V{e}V{e}", f"shift_right(a[i], -{amount})"))
        rows.append(Row(f"Q6_V{e}_vlsr_V{e}V{e}", f"shift_right(a[i], {amount})", types=f"Vu{e} Vu{e} V{e}"))
    for e, mask in (("ub", 7), ("uh", 15), ("uw", 31)):
        rows.append(Row(f"Q6_V{e}_vlsr_V{e}R", f"a[i] >> (r & {mask})"))
    return rows


def _counts() -> list[Row]:
    """Leading zeros, set bits, redundant sign bits."""
    return [
        Row("Q6_Vuh_vcl0_Vuh", "a[i] ? __builtin_clz(a[i]) - 16 : 16"),
        Row("Q6_Vuw_vcl0_Vuw", "a[i] ? __builtin_clz(a[i]) : 32"),
        Row("Q6_Vh_vpopcount_Vh", "__builtin_popcount(a[i])", types="Vh Vuh"),
        Row("Q6_Vh_vnormamt_Vh", "leading(a[i]) - 17"),
        Row("Q6_Vw_vnormamt_Vw", "leading(a[i]) - 1"),
    ]


def _interleave(name: str, expression: str, types: str = "") -> Row:
    """Two lanes of the result from `v`: first the second operand's, then the first operand's."""
    first, second = expression.replace("v", "b[i]"), expression.replace("v", "a[i]")
    return Row(name, "", types=types, body=f"o[2 * i] = T({first}); o[2 * i + 1] = T({second});", step=2)


def _narrow() -> list[Row]:
    """From wider lanes: shifted, rounded, saturated. `v` stands for the lane."""
    rows = []
    for result, e in (
        ("ub", "h"), ("b", "h"), ("ub", "uh"), ("h", "w"), ("uh", "w"), ("uh", "uw")
    ):  # fmt: skip
        mask = 7 if result.endswith("b") else 15
        name = f"Q6_V{result}_vasr_V{e}V{e}R"
        for suffix, shift in (("_sat", "SHIFT(v, r & {0})"), ("_rnd_sat", "ROUND(v, r & {0})")):
            rows.append(_interleave(f"{name}{suffix}", f"SAT({shift.format(mask)})"))
    rows.append(_interleave("Q6_Vh_vasr_VwVwR", "v >> (r & 15)"))
    for result, e in (("ub", "h"), ("h", "w"), ("uh", "uw")):
        rows.append(_interleave(f"Q6_V{result}_vsat_V{e}V{e}", "SAT(v)"))
    for result, e in (("b", "h"), ("ub", "h"), ("ub", "uh"), ("h", "w"), ("uh", "w"), ("uh", "uw")):
        width = 8 if result.endswith("b") else 16
        rows.append(_interleave(f"Q6_V{result}_vround_V{e}V{e}_sat", f"SAT(ROUND(v, {width}))"))
    for narrow, wide, width in (("b", "uh", 8), ("h", "uw", 16)):
        rows.append(_interleave(f"Q6_V{narrow}_vshuffe_V{narrow}V{narrow}", "v", f"V{narrow} V{wide} V{wide}"))
        rows.append(
            _interleave(f"Q6_V{narrow}_vshuffo_V{narrow}V{narrow}", f"v >> {width}", f"V{narrow} V{wide} V{wide}")
        )
        body = "o0[2 * i] = b[2 * i]; o0[2 * i + 1] = a[2 * i]; o1[2 * i] = b[2 * i + 1]; o1[2 * i + 1] = a[2 * i + 1];"
        rows.append(Row(f"Q6_W{narrow}_vshuffoe_V{narrow}V{narrow}", "", body=body, step=2))
    spelled = {"SAT": "saturate<T>", "SHIFT": "shift_right", "ROUND": "round_shift"}
    for short, long in spelled.items():
        rows = [replace(row, body=row.body.replace(short, long)) for row in rows]
    return rows


def _pack() -> list[Row]:
    """The second operand fills the low half of the result, the first the high half; and back."""
    rows = []
    for result, e, half in (("b", "h", 64), ("ub", "h", 64), ("h", "w", 32), ("uh", "w", 32)):
        body = f"o[i] = saturate<T>(b[i]); o[{half} + i] = saturate<T>(a[i]);"
        rows.append(Row(f"Q6_V{result}_vpack_V{e}V{e}_sat", "", body=body, step=2))
    for result, e, half in (("b", "h", 64), ("h", "w", 32)):
        for at, name in enumerate("eo"):
            body = f"o[i] = b[2 * i + {at}]; o[{half} + i] = a[2 * i + {at}];"
            types = f"V{result} V{result} V{result}"
            rows.append(Row(f"Q6_V{result}_vpack{name}_V{e}V{e}", "", types=types, body=body, step=2))
        body = f"o[i] = a[2 * i]; o[{half} + i] = a[2 * i + 1];"
        rows.append(Row(f"Q6_V{result}_vdeal_V{result}", "", body=body, step=2))
        body = f"o[2 * i] = a[i]; o[2 * i + 1] = a[{half} + i];"
        rows.append(Row(f"Q6_V{result}_vshuff_V{result}", "", body=body, step=2))
    body = "o[i] = b[4 * i]; o[32 + i] = b[4 * i + 2]; o[64 + i] = a[4 * i]; o[96 + i] = a[4 * i + 2];"
    rows.append(Row("Q6_Vb_vdeale_VbVb", "", body=body, step=4))
    for wide, e, half in (("uh", "ub", 64), ("uw", "uh", 32), ("h", "b", 64), ("w", "h", 32)):
        rows.append(Row(f"Q6_W{wide}_vunpack_V{e}", "a[i]", f"a[{half} + i]"))
        rows.append(Row(f"Q6_W{wide}_v{'z' if e[0] == 'u' else 's'}xt_V{e}", "a[2 * i]", odd("a[2 * i]")))
    return rows


def _whole() -> list[Row]:
    """Vectors and pairs as they are, filled from a scalar, turned and aligned."""
    rows = [
        Row("Q6_V_vzero", "0", types="Vw"),
        Row("Q6_W_vzero", "0", "0", "Ww"),
        Row("Q6_V_vsplat_R", "r", types="Vw R"),
        Row("Q6_Vh_vsplat_R", "r"),
        Row("Q6_Vb_vsplat_R", "r"),
        Row("Q6_V_equals_V", "a[i]", types="Vw Vw"),
        Row("Q6_W_equals_W", "a0[i]", "a1[i]", "Ww Ww"),
        Row("Q6_V_lo_W", "a0[i]", types="Vw Ww"),
        Row("Q6_V_hi_W", "a1[i]", types="Vw Ww"),
        Row("Q6_W_vcombine_VV", "b[i]", "a[i]", "Ww Vw Vw"),
        Row("Q6_Vw_vinsert_VwR", "i ? a[i] : r"),
        Row(
            "Q6_V_vror_VR",
            "from.at[i]",
            types="Vub Vub R",
            before="const Lanes<uint8_t> from(window(va, va, r & 127));",
        ),
    ]
    for end, scalar in (("R", "r & 127"), ("I", "int(n & 7)")):
        types = f"Vub Vub Vub {end}"
        before = f"const Lanes<uint8_t> from(window(va, vb, {scalar}));"
        rows.append(Row(f"Q6_V_valign_VV{end}", "from.at[i]", types=types, before=before))
        before = f"const Lanes<uint8_t> from(window(va, vb, 128 - ({scalar})));"
        rows.append(Row(f"Q6_V_vlalign_VV{end}", "from.at[i]", types=types, before=before))
    for name, order in (("vshuff", "size = 1; size < 128; size <<= 1"), ("vdeal", "size = 64; size > 0; size >>= 1")):
        steps = f"for (int {order}) if (r & size) exchange(&h, &l, size);"
        before = f"Lanes<uint8_t> h(va), l(vb); {steps}"
        rows.append(Row(f"Q6_W_{name}_VVR", "l.at[i]", "h.at[i]", "Wub Vub Vub R", before=before))
    return rows


def _spread(text: str, result: str, into: bool = False) -> tuple[str, str]:
    """The expression with INDEX for a vector, or for both vectors of a pair, joined to x by or."""
    lanes = ("a[2 * i]", "a[2 * i + 1]") if result[0] == "W" else ("a[i]",)
    found = [text.replace("INDEX", f"uint32_t({lane})") for lane in lanes]
    if into:
        found = [f"x{k if len(lanes) == 2 else ''}[i] | {part}" for k, part in enumerate(found)]
    return found[0], found[1] if len(found) == 2 else ""


def _lookup() -> list[Row]:
    """A table vector holds two interleaved tables; bit 1 of the scalar picks one, its low bits the range of indices that
    hit: 0 for all others. The nomatch forms replace the index's high bits by the scalar's."""
    rows = []
    for end, scalar in (("R", "uint32_t(r)"), ("I", "n")):
        for name, result, table, bits in (("vlut32", "Vb", "Vub", 5), ("vlut16", "Wh", "Vuh", 4)):
            low_bits, count = 2**bits - 1, 2 ** (bits + 1)
            before = f"const uint32_t range = {scalar} & {255 >> bits}, odd = {scalar} >> 1 & 1;"
            hit = f"(INDEX >> {bits} == range ? b[INDEX % {count} * 2 + odd] : 0)"
            forced = f"b[((INDEX & {low_bits}) | range << {bits}) % {count} * 2 + odd]"
            operand = "Vb" + table.replace("u", "") + end
            types, updated = f"{result} Vub {table} {end}", f"{result} {result} Vub {table} {end}"
            low, high = _spread(hit, result)
            rows.append(Row(f"Q6_{result}_{name}_{operand}", low, high, types, before=before))
            low, high = _spread(hit, result, into=True)
            rows.append(Row(f"Q6_{result}_{name}or_{result}{operand}", low, high, updated, before=before))
            if end == "R":
                low, high = _spread(forced, result)
                rows.append(Row(f"Q6_{result}_{name}_{operand}_nomatch", low, high, types, before=before))
    return rows


def _permute() -> list[Row]:
    rows = [
        Row("Q6_Wh_vunpackoor_WhVb", "x0[i] | uint32_t(a[i]) << 8", "x1[i] | uint32_t(a[64 + i]) << 8"),
        Row("Q6_Ww_vunpackoor_WwVh", "x0[i] | uint32_t(a[i]) << 16", "x1[i] | uint32_t(a[32 + i]) << 16"),
        Row("Q6_Qb_vshuffe_QhQh", "i & 1 ? q[i - 1] : s[i]", types="Q Q Q"),
        Row("Q6_Qh_vshuffe_QwQw", "i & 2 ? q[i - 2] : s[i]", types="Q Q Q"),
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


def rows() -> list[Row]:
    """All of this module, whole vectors first."""
    return [*_whole(), *_shift(), *_counts(), *_narrow(), *_pack(), *_permute(), *_lookup()]
