"""Checks of the declarations that stand beside rules: tensor properties, kernels with cost and flags, orders of parameters."""

from __future__ import annotations

from opkg.rules.context import Context
from opkg.rules.declarations.kernels import check_kernel
from opkg.rules.declarations.parameters import check_parameters
from opkg.rules.declarations.reader import Reader
from opkg.rules.declarations.tensors import check_properties
from opkg.rules.syntax import Declaration, Front
from opkg.spec.diagnostics import Diagnostic


def check_declaration(declaration: Declaration, front: Front, context: Context) -> list[Diagnostic]:
    """What is wrong with one declaration (OPK554 to OPK559); macros that declare nothing are not looked into."""
    reader = Reader(declaration, front, context)
    if declaration.macro in ("DEF_TENSOR_PROPERTIES", "__dtp__"):
        check_properties(reader)
    elif declaration.macro.startswith("DEF_PACKAGE_OP") or declaration.macro == "__reg_op__":
        check_kernel(reader)
    elif declaration.macro == "DEF_PACKAGE_PARAM_ORDER":
        check_parameters(reader)
    return reader.findings
