"""Values in QNN's OpDef XML: element types, ranks, booleans and defaults, as QNN's own reader takes them (2.25)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, error, nearest, warning
from opkg.spec.dtypes import DTYPES, FOREIGN_NAMES

BACKEND = "BACKEND_SPECIFIC"
STRING = "STRING"
RANKS = ("SCALAR", "0D", "1D", "2D", "3D", "4D", "5D", "ND")
LAYOUTS = ("NHWC", "NDHWC", "NONTRIVIAL", "UNDEFINED", BACKEND)
CONSTRAINTS = ("Number", "Shape", "Value", "Datatype", "Description", "Dynamic_Shape")
ENCODINGS = ("SCALE_OFFSET", "AXIS_SCALE_OFFSET", "BW_SCALE_OFFSET", "BW_AXIS_SCALE_OFFSET")
BACKENDS = ("CPU", "GPU", "DSP", "HTP", "HTP_FP16", "HTPMCP", "AIC", "HTA", "LPAI")
HTP = ("HTP", "HTP_FP16", "HTPMCP")
_PREFIX = "QNN_DATATYPE_"
_TYPES = {row.qnn.removeprefix(_PREFIX): row.name for row in DTYPES.values()} | {BACKEND: BACKEND, STRING: STRING}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def element_type(element: Element, findings: list[Diagnostic]) -> str:
    """The element type that a <Datatype> says, as a spec names it, BACKEND or STRING; "" after a finding."""
    text = element.text
    found = _TYPES.get(text.removeprefix(_PREFIX))
    if found is not None:
        return found
    near = nearest(text.removeprefix(_PREFIX), tuple(_TYPES))
    guess = FOREIGN_NAMES.get(text.lower(), "")
    if guess:
        near = DTYPES[guess].qnn.removeprefix(_PREFIX)
    hint = f"did you mean '{near}'?" if near else f"types: {', '.join(_TYPES)}"
    findings.append(error("OPK625", f"'{text}' is no element type of QNN", element.place, hint))
    return ""


def word(element: Element | None, known: tuple[str, ...], what: str, findings: list[Diagnostic]) -> str:
    """A word of a vocabulary; "" for no element, and after a finding."""
    if element is None:
        return ""
    if element.text in known:
        return element.text
    near = nearest(element.text, known)
    hint = f"did you mean '{near}'?" if near else f"one of {', '.join(known)}"
    findings.append(error("OPK625", f"'{element.text}' is no {what}", element.place, hint))
    return ""


def truth(element: Element | None, findings: list[Diagnostic]) -> bool:
    """A boolean. What QNN's schema takes and its reader takes for false (`1`, blanks) is said (a warning)."""
    if element is None:
        return False
    if element.raw in ("true", "false", "0"):
        return element.raw == "true"
    if element.text in ("1", "true"):
        message = f"'{element.raw}' in <{element.name}> is false to QNN's reader: only the text 'true' is true"
        findings.append(warning("OPK625", message, element.place, f"write <{element.name}>true</{element.name}>"))
        return False
    if element.text in ("false", "0"):
        return False
    hint = f"write <{element.name}>true</{element.name}> or false"
    findings.append(error("OPK625", f"'{element.text}' is no boolean", element.place, hint))
    return False


@dataclass(frozen=True, slots=True)
class Given:
    """A default as far as it can be read: `text` as a spec writes it (None: not a literal), or in words why not."""

    text: str | None
    why: str = ""


def scalar_default(text: str, dtype: str) -> Given:
    """The default of a scalar param: a number, true or false; else why it is none."""
    text = text.replace(" ", "")
    if dtype == "bool8":
        if text in ("0", "1"):
            return Given("true" if text == "1" else "false")
        if text.lower() in ("true", "false"):
            why = f"'{text}' reads as true in QNN's generator, which takes 0 and 1" if text.lower() == "false" else ""
            return Given(text.lower(), why)
        return Given(None, f"'{text}' is no bool (0 or 1)")
    if not _NUMBER.fullmatch(text):
        return Given(None, f"'{text}' is no number")
    if dtype.startswith("float"):
        return Given(repr(float(text)))
    if re.fullmatch(r"[-+]?\d+", text) or float(text).is_integer():
        low, high = DTYPES[dtype].limits
        value = int(float(text)) if not re.fullmatch(r"[-+]?\d+", text) else int(text)
        return Given(str(value)) if low <= value <= high else Given(None, f"{text} is beyond {dtype}")
    return Given(None, f"{text} is no {dtype}")


def tensor_default(text: str, dtype: str) -> Given:
    """`{1,2}`, `[[0, 0], [1, 1]]`: a list as a spec writes it, of one level or nested."""
    inside = text.replace("{", "[").replace("}", "]").replace(" ", "")
    if not re.fullmatch(r"[\[\],\w.+-]*", inside) or inside.count("[") != inside.count("]"):
        return Given(None, f"'{text}' is no list")
    if ".." in inside:
        return Given(None, f"'{text}' stands for as many elements as there are, and a spec has no literal for that")
    if not inside.startswith("["):
        return Given(None, f"'{text}' is no list")
    items = [item for item in re.split(r"[\[\],]+", inside) if item]
    found = [scalar_default(item, dtype) for item in items]
    wrong = next((each.why for each in found if each.text is None), "")
    if wrong or not found:
        return Given(None, wrong or "the list is empty")
    texts = iter(each.text or "" for each in found)
    return Given(re.sub(r"[^\[\],]+", lambda _: next(texts), inside).replace(",", ", "))
