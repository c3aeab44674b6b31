"""The kernel file of an op, as a tree of onert has it."""

from __future__ import annotations

from opkg.spec.model import Op
from opkg.targets.onert.layout import Option
from opkg.targets.onert.names import guard
from opkg.targets.onert.types import usable
from opkg.targets.portable_kernel.kernel import Style
from opkg.targets.portable_kernel.kernel import function_name as function_name
from opkg.targets.portable_kernel.kernel import kernel_header as header
from opkg.targets.portable_kernel.kernel import namespace as namespace


def kernel_header(op: Op, options: Option) -> str:
    """The text of `<Name>Kernel.h`."""
    style = Style(guard("BACKEND_CPU_OPS", f"{op.identifier}Kernel"), tuple(options.licence_lines()))
    return header(op, usable(op), style)
