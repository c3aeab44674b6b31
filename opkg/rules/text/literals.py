"""Numbers and strings of the rule language: what they are worth, and what of C++ the language does not take."""

from __future__ import annotations

import re

from opkg.rules.syntax import Float, Int
from opkg.rules.text.lexer import Faults, Token, shown

_LONGEST = 80
_INT = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uUlLzZ]*)")
_SUFFIX = re.compile(r"(?:[uU]?(?:ll?|LL?|[zZ])?|(?:ll?|LL?|[zZ])[uU])")
_SIZE = ("ul", "lu")  # what size_t is
_FLOAT = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?[fFlL]?")
_HEX_FLOAT = re.compile(r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFlL]?")
_NO_OCTAL = re.compile(r"0[0-9]+[uUlL]*")


def read_number(token: Token, sign: str, start: int, faults: Faults, long_is_fine: bool) -> Int | Float:
    """The number of a token with the sign before it (from `start`); findings OPK503 to OPK505. Always gives a node."""
    text = token.text.replace("'", "")
    if len(text) > _LONGEST:
        faults.add("OPK503", "this number is too long to be read", start, token.end, f"at most {_LONGEST} characters")
        return Int(sign + "0", 0, False, start=start, end=token.end)
    whole = _INT.fullmatch(text)
    if whole is not None and _SUFFIX.fullmatch(whole.group(1)):
        return _integer(token, sign, whole, start, faults, long_is_fine)
    if _FLOAT.fullmatch(text):
        value = float(text.rstrip("fFlL"))
    elif _HEX_FLOAT.fullmatch(text):
        value = _hex_value(text.rstrip("fFlL") if text[-1] in "lL" else re.sub(r"(?<=[0-9])[fF]$", "", text))
    else:
        hint = "a number that begins with 0 is octal: digits 0 to 7" if _NO_OCTAL.fullmatch(text) else ""
        faults.add("OPK503", f"'{shown(token.text)}' is no number", start, token.end, hint)
        return Int(sign + "0", 0, False, start=start, end=token.end)
    return Float(sign + token.text, -value if sign == "-" else value, start=start, end=token.end)


def _hex_value(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("inf")


def _integer(token: Token, sign: str, whole: re.Match[str], start: int, faults: Faults, long_is_fine: bool) -> Int:
    suffix = whole.group(1)
    digits = whole.group()[: len(whole.group()) - len(suffix)]
    octal = len(digits) > 1 and digits[0] == "0" and digits[1] in "01234567"
    value = int(digits, 8) if octal else int(digits, 0)
    if octal and value >= 8:
        hint = f"write {value}, or {digits.lstrip('0')} if that is meant"
        faults.warn("OPK504", f"'{token.text}' is octal: its value is {value}", start, token.end, hint)
    if value >= 1 << 64:
        faults.add("OPK503", f"{token.text} does not fit in 64 bits", start, token.end)
        value = 0
    if "l" in suffix.lower() and suffix.lower() not in _SIZE and not long_is_fine:
        plain = sign + token.text.rstrip("uUlL") + ("u" if "u" in suffix.lower() else "")
        message = "an L suffix does not compile here: expressions know int and size_t only"
        faults.add("OPK505", message, start, token.end, f"write {plain}")
    signed = -value if sign == "-" else value
    return Int(sign + token.text, signed, "u" in suffix.lower(), start=start, end=token.end)


# ---- strings -------------------------------------------------------------------------------------------------------

_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_ESCAPE = re.compile(
    r"\\(?:(?P<line>\r?\n)|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]+)|u(?P<u4>[0-9a-fA-F]{4})"
    r"|U(?P<u8>[0-9a-fA-F]{8})|(?P<one>[\s\S]))"
)


def read_string(token: Token, faults: Faults, free: bool) -> str:
    """What a string token means. `free`: a MESSAGE text, which may hold anything; else OPK506 for what the language
    does not take in strings (blanks, escapes, what cannot be printed)."""
    inner = token.text[1:-1]
    if not free:
        for at, char in enumerate(inner):
            if char == "\\" or char == " " or not char.isprintable():
                what = "an escape" if char == "\\" else "a blank" if char.isspace() else "an unprintable character"
                place = token.start + 1 + at
                hint = "only MESSAGE texts hold any character"
                faults.warn("OPK506", f"the name has {what}", place, place + 1, hint)
                break
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(lambda found: _escaped(found, token, faults), inner)


def _escaped(found: re.Match[str], token: Token, faults: Faults) -> str:
    start = token.start + 1 + found.start()
    if found.group("line"):
        return ""
    one = found.group("one")
    if one is not None:
        if one in _SIMPLE:
            return _SIMPLE[one]
        if one not in "\\\"'?":
            faults.warn(
                "OPK506", f"C++ knows no escape '\\{shown(one)}'", start, start + 2, "write \\\\ for a backslash"
            )
        return one
    octal = found.group("octal")
    digits = octal or found.group("hex") or found.group("u4") or found.group("u8")
    code = int(digits[-9:] if len(digits.lstrip("0")) <= 8 else "110000", 8 if octal else 16)
    if code > (0xFF if octal or found.group("hex") else 0x10FFFF) or 0xD800 <= code < 0xE000:
        faults.add("OPK503", f"the escape '{shown(found.group())}' is out of range", start, start + len(found.group()))
        return "?"
    return chr(code)


_BACK = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(value: str) -> str:
    """A string constant that means `value`."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + "".join(_BACK.get(char) or _written(char) for char in value) + '"'


def _written(char: str) -> str:
    code = ord(char)
    if char.isprintable() or 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8 goes back as it came
        return char
    if code <= 0xFF:
        return f"\\{code:03o}"
    if 0xD800 <= code < 0xE000:
        return "?"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
