"""DEF_PACKAGE_PARAM_ORDER: the op, then name, mandatory and default of each parameter (OPK559)."""

from __future__ import annotations

from opkg.rules.declarations.reader import Reader, bare, check_op_exists
from opkg.rules.problem import brief
from opkg.rules.syntax import Float, Int, Name, Node, Str

_FORM = 'DEF_PACKAGE_PARAM_ORDER("Op", "axis", true, nullptr, "scale", false, &default_scale)'
_GROUP = 3


def check_parameters(reader: Reader) -> None:
    """A whole declaration."""
    op = bare(reader.args[0])
    if not isinstance(op, Str | Name):
        reader.error("OPK559", f"the op's name stands first, not '{brief(op)}'", op, _FORM)
    check_op_exists(reader, op)
    rest = [bare(node) for node in reader.args[1:]]
    if len(rest) % _GROUP:
        message = f"a parameter has a name, whether it is mandatory, and a default: {len(rest)} arguments are no threes"
        reader.error("OPK559", message, reader.declaration, _FORM)
        return
    seen: set[str] = set()
    for at in range(0, len(rest), _GROUP):
        _parameter(reader, rest[at], rest[at + 1], rest[at + 2], seen)


def _parameter(reader: Reader, name: Node, mandatory: Node, default: Node, seen: set[str]) -> None:
    if not isinstance(name, Str):
        reader.error("OPK559", f"a parameter's name is a string, not '{brief(name)}'", name, _FORM)
    elif name.value in seen:
        reader.error("OPK559", f'parameter "{name.value}" stands here twice', name)
    else:
        seen.add(name.value)
    if isinstance(mandatory, Str | Float) or (isinstance(mandatory, Int) and mandatory.value not in (0, 1)):
        reader.error("OPK559", f"whether it is mandatory is true or false, not '{brief(mandatory)}'", mandatory)
    must = isinstance(mandatory, Name) and mandatory.text == "true"
    null = isinstance(default, Name) and default.text in ("nullptr", "NULL")
    if isinstance(default, Str | Int | Float) or (isinstance(default, Name) and default.text in ("true", "false")):
        hint = "the address of a Qnn_Param_t, or nullptr"
        reader.error("OPK559", f"a default is a Qnn_Param_t*, not '{brief(default)}'", default, hint)
    elif must and not null:
        reader.info("OPK559", "a mandatory parameter never takes its default", default, "write nullptr")
