"""The text of a C++ file of a QHPI package as a kernel file: without records, callbacks of graphs and the QNN interface."""

from __future__ import annotations

import re
from collections.abc import Collection

from opkg.imports.cpp_carry import without_idle_includes
from opkg.imports.cpp_definitions import dead, definitions
from opkg.imports.cpp_report import Source

# what belongs to registration, graphs or the interface and not to a kernel
_OUTSIDE = re.compile(
    r"\b(Qnn_\w+|QnnOpPackage_\w+|QnnLog_\w+|QNN_\w+|QHPI_Op|QHPI_OpRef|QHPI_OpInfo_v\d|QHPI_Kernel_v\d|QHPI_Tensor_Signature_v\d|"
    r"QHPI_OutputDef|qhpi_op_\w+|qhpi_register\w*|qhpi_init)\b"
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:HTP/|Qnn|qhpi|HAP_farf)[^\n]*\n?", re.MULTILINE)


def carried_text(source: Source, kernels: Collection[str]) -> str:
    """The file's text with what the functions `kernels` need."""
    text, code = source.text, source.code
    spans = [(start, end) for start, end in definitions(code) if _OUTSIDE.search(code[start:end])]
    spans += dead(code, spans, kernels)
    spans += [found.span() for found in _INCLUDE.finditer(code)]
    for start, end in sorted(spans, reverse=True):
        before = text[:start].rstrip(" \t")
        while (line := re.search(r"(?:^|\n)([ \t]*//[^\n]*\n)$", before)) is not None:
            before = before[: line.start(1)]
        after = re.compile(r"[ \t]*\n?").match(text, end)
        text = before + text[after.end() if after is not None else end :]
    text = re.sub(r"(?:extern\s*\"C\"|\bnamespace\b[ \t]*\w*)\s*\{\s*\}[^\n]*\n?", "", text)
    return re.sub(r"\n{3,}", "\n\n", without_idle_includes(text)).strip("\n") + "\n"
