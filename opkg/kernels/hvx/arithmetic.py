"""Rows of HVX additions, averages, comparisons, predicates and bitwise operations."""

from __future__ import annotations

from opkg.kernels.hvx.row import Row, both, halves, odd


def _carry() -> list[Row]:
    rows: list[Row] = []
    for operation, second in (("vadd", "uint32_t(b[i])"), ("vsub", "~uint32_t(b[i])")):
        body = f"const uint64_t sum = uint64_t(uint32_t(a[i])) + {second} + (q[4 * i] & 1); o[i] = T(sum); "
        body += "for (int k = 0; k < 4; k++) q[4 * i + k] = sum >> 32 ? 0xff : 0;"
        rows.append(Row(f"Q6_Vw_{operation}_VwVwQ_carry", "", body=body))
    rows += [
        Row("Q6_Vw_vadd_VwVwQ_carry_sat", "saturate<T>(int64_t(a[i]) + b[i] + (q[4 * i] & 1))"),
        Row("Q6_Vh_vadd_vclb_VhVh", "leading(a[i]) - 16 + b[i]"),
        Row("Q6_Vw_vadd_vclb_VwVw", "wrap(leading(a[i]), b[i])"),
    ]
    return rows


_ELEMENTS = ("b", "ub", "h", "uh", "w", "uw")
_SIGNED = ("b", "h", "w")
_WIDER = {"ub": "h", "h": "w", "uh": "w"}


def _lane(letter: str, element: str) -> str:
    """The lane as a number whose sums with others of its kind cannot overflow."""
    return f"int64_t({letter}[i])" if element.endswith("w") else f"{letter}[i]"


def _add() -> list[Row]:
    rows = []
    for operation, sign in (("vadd", "+"), ("vsub", "-")):
        for e in _SIGNED:
            rows.append(Row(f"Q6_V{e}_{operation}_V{e}V{e}", f"uint32_t(a[i]) {sign} uint32_t(b[i])"))
            rows.append(halves(f"Q6_W{e}_{operation}_W{e}W{e}", f"uint32_t(a0[i]) {sign} uint32_t(b0[i])"))
        for e in _ELEMENTS:
            rows.append(Row(f"Q6_V{e}_{operation}_V{e}V{e}_sat", f"saturate<T>({_lane('a', e)} {sign} b[i])"))
            rows.append(halves(f"Q6_W{e}_{operation}_W{e}W{e}_sat", f"saturate<T>({_lane('a0', e)} {sign} b0[i])"))
        rows.append(Row(f"Q6_Vub_{operation}_VubVb_sat", f"saturate<T>(a[i] {sign} b[i])"))
        for e, wide in _WIDER.items():
            name, even = f"Q6_W{wide}_{operation}_V{e}V{e}", f"a[2 * i] {sign} b[2 * i]"
            rows += both(name, even, odd(even)) if sign == "+" else [Row(name, even, odd(even))]
    return rows


def _choose() -> list[Row]:
    """Minimum, maximum, averages ("rnd" rounds halves up), absolute difference and value."""
    rows = []
    for e in _ELEMENTS:
        name, a = f"V{e}V{e}", _lane("a", e)
        if e != "uw":
            rows.append(Row(f"Q6_V{e}_vmax_{name}", "a[i] > b[i] ? a[i] : b[i]"))
            rows.append(Row(f"Q6_V{e}_vmin_{name}", "a[i] < b[i] ? a[i] : b[i]"))
        rows.append(Row(f"Q6_V{e}_vavg_{name}", f"({a} + b[i]) >> 1"))
        rows.append(Row(f"Q6_V{e}_vavg_{name}_rnd", f"({a} + b[i] + 1) >> 1"))
        if e in _SIGNED:
            rows.append(Row(f"Q6_V{e}_vnavg_{name}", f"({a} - b[i]) >> 1"))
            rows.append(Row(f"Q6_V{e}_vabs_V{e}", f"a[i] < 0 ? -{a} : {a}"))
            rows.append(Row(f"Q6_V{e}_vabs_V{e}_sat", f"saturate<T>(a[i] < 0 ? -{a} : {a})"))
    rows.append(Row("Q6_Vb_vnavg_VubVub", "(a[i] - b[i]) >> 1"))
    for result, e in (("ub", "ub"), ("uh", "uh"), ("uh", "h"), ("uw", "w")):
        a = _lane("a", e)
        rows.append(Row(f"Q6_V{result}_vabsdiff_V{e}V{e}", f"a[i] > b[i] ? {a} - b[i] : {_lane('b', e)} - a[i]"))
    return rows


def _compare() -> list[Row]:
    """Comparisons, alone and combined with a predicate; lanes added where a predicate holds."""
    rows = []
    for e in _ELEMENTS:
        for name, sign in (("gt", ">"), ("eq", "==")):
            if name == "eq" and e not in _SIGNED:
                continue
            found, lanes = f"(a[i] {sign} b[i] ? -1 : 0)", f"V{e} V{e}"
            rows.append(Row(f"Q6_Q_vcmp_{name}_V{e}V{e}", found, types=f"Q{e} {lanes}"))
            for form, combine in (("and", "&"), ("or", "|"), ("xacc", "^")):
                types = f"Q{e} Q{e} {lanes}"
                rows.append(Row(f"Q6_Q_vcmp_{name}{form}_QV{e}V{e}", f"q[i] {combine} {found}", types=types))
    for e in _SIGNED:
        for name, sign in (("condacc", "+"), ("condnac", "-")):
            result = f"uint32_t(x[i]) {sign} uint32_t(a[i])"
            types = f"V{e} Q{e} V{e} V{e}"
            text = f"(({result}) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))"
            rows.append(Row(f"Q6_V{e}_{name}_QV{e}V{e}", text, types=types))
            text = f"(({result}) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))"
            rows.append(Row(f"Q6_V{e}_{name}_QnV{e}V{e}", text, types=types))
    return rows


def _predicates() -> list[Row]:
    rows = [
        Row("Q6_Q_and_QQn", "q[i] & ~s[i]", types="Qw Qw Qw"),
        Row("Q6_Q_or_QQn", "q[i] | ~s[i]", types="Qw Qw Qw"),
        Row("Q6_Q_not_Q", "~q[i]", types="Qw Qw"),
        Row("Q6_Q_vsetq_R", "i < (r & 127) ? 0xff : 0", types="Q R"),
        Row("Q6_Q_vsetq2_R", "i <= ((r - 1) & 127) ? 0xff : 0", types="Q R"),
        Row("Q6_Q_vand_VR", "a[i] & r[i & 3] ? 0xff : 0", types="Q Vub Rub"),
        Row("Q6_Q_vandor_QVR", "q[i] | (a[i] & r[i & 3] ? 0xff : 0)", types="Q Q Vub Rub"),
        Row("Q6_V_vand_QR", "q[i] & r[i & 3]", types="Vub Q Rub"),
        Row("Q6_V_vand_QnR", "~q[i] & r[i & 3]", types="Vub Q Rub"),
        Row("Q6_V_vandor_VQR", "x[i] | (q[i] & r[i & 3])", types="Vub Vub Q Rub"),
        Row("Q6_V_vandor_VQnR", "x[i] | (~q[i] & r[i & 3])", types="Vub Vub Q Rub"),
        Row("Q6_V_vand_QV", "q[i] & a[i]", types="Vw Qw Vw"),
        Row("Q6_V_vand_QnV", "~q[i] & a[i]", types="Vw Qw Vw"),
        Row("Q6_V_vmux_QVV", "(q[i] & a[i]) | (~q[i] & b[i])", types="Vw Qw Vw Vw"),
        Row("Q6_W_vswap_QVV", "(q[i] & a[i]) | (~q[i] & b[i])", "(q[i] & b[i]) | (~q[i] & a[i])", "Ww Qw Vw Vw"),
        Row("Q6_V_vnot_V", "~a[i]", types="Vw Vw"),
    ]
    for name, sign in (("and", "&"), ("or", "|"), ("xor", "^")):
        rows.append(Row(f"Q6_Q_{name}_QQ", f"q[i] {sign} s[i]", types="Qw Qw Qw"))
        rows.append(Row(f"Q6_V_v{name}_VV", f"a[i] {sign} b[i]", types="Vw Vw Vw"))
    return rows


def rows() -> list[Row]:
    """All of this module, additions first."""
    return [*_add(), *_carry(), *_choose(), *_compare(), *_predicates()]
