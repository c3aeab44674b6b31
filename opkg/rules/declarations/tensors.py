"""DEF_TENSOR_PROPERTIES: op, tensors and terms; names that nothing declares, terms that contradict or come too late."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

from opkg.rules.declarations.reader import EXPANDED, Reader, bare, check_op_exists, is_op_name
from opkg.rules.declarations.terms import FIRST_OUTPUT, OUTPUTS, REST, TERMS, Args, Term, terms_of
from opkg.rules.problem import brief
from opkg.rules.sdk_profiles import NEWEST
from opkg.rules.syntax import Call, Front, Int, Name, Node, Str
from opkg.spec.diagnostics import nearest

_FORM = 'DEF_TENSOR_PROPERTIES(Op("Name", "in0"), Outputs("out0"), Flat("*", "in0"))'


@dataclass(slots=True)
class _Tensors:
    """Names of the op's tensors; what is set so far: (tensor, property) -> (value, term), `rest` for "..."."""

    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    set: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    rest: dict[str, tuple[str, str]] = field(default_factory=dict)

    def full(self, name: str) -> str:
        """The tensor a name stands for: "*" is the first output."""
        return self.outputs[0] if name == FIRST_OUTPUT and self.outputs else name


def check_properties(reader: Reader) -> None:
    """A whole declaration: the op, then its terms in order (OPK554 to OPK557)."""
    tensors = _Tensors()
    first = bare(reader.args[0])
    terms = [bare(arg) for arg in reader.args]
    if isinstance(first, Call) and first.name == "Op":
        _op(reader, first, tensors)
        terms = terms[1:]
    elif is_op_name(first) and not (isinstance(first, Name) and first.text in TERMS):
        check_op_exists(reader, first)
        terms = terms[1:]
    elif isinstance(first, Call) and (first.name in TERMS or first.name == OUTPUTS):
        reader.error("OPK554", "no op is named, so the properties belong to nothing", first, _FORM)
    else:
        reader.error("OPK554", f"an op stands first, not '{brief(first)}'", first, _FORM)
        terms = terms[1:]
    _outputs(reader, terms, tensors)
    for term in terms:
        _term(reader, term, tensors)
    if not terms:
        reader.warning("OPK554", "the declaration says nothing of the op's tensors", reader.declaration, _FORM)


def _op(reader: Reader, op: Call, tensors: _Tensors) -> None:
    if not op.args or not is_op_name(op.args[0]):
        reader.error("OPK554", "Op begins with the op's name", op, 'Op("Name", "in0")')
    else:
        check_op_exists(reader, op.args[0])
    for node in op.args[1:]:
        _declared(reader, node, "an input", tensors.inputs, tensors)


def _outputs(reader: Reader, terms: list[Node], tensors: _Tensors) -> None:
    found = [term for term in terms if isinstance(term, Call) and term.name == OUTPUTS]
    for again in found[1:]:
        reader.warning("OPK556", "Outputs stands here a second time", again)
    for term in found[:1]:
        for node in term.args:
            _declared(reader, node, "an output", tensors.outputs, tensors)


def _declared(reader: Reader, node: Node, what: str, into: list[str], tensors: _Tensors) -> None:
    """A name that Op or Outputs gives a tensor."""
    node = bare(node)
    if not isinstance(node, Str):
        reader.error("OPK554", f"{what} is a string, not '{brief(node)}'", node)
    elif node.value in (REST, FIRST_OUTPUT):
        reader.error("OPK554", f'"{node.value}" cannot be the name of {what}', node, "it may stand in the terms only")
    else:
        if node.value in tensors.inputs or node.value in tensors.outputs:
            reader.warning("OPK556", f'two tensors are called "{node.value}"', node, "give each its own name")
        into.append(node.value)


# ---- terms ---------------------------------------------------------------------------------------------------------


def _term(reader: Reader, node: Node, tensors: _Tensors) -> None:
    """One term: known, with the arguments it takes, and of effect."""
    if not isinstance(node, Call | Name):
        hint = f'a tensor is named inside a term: Flat("{node.value}")' if isinstance(node, Str) else _FORM
        reader.error("OPK555", f"'{brief(node)}' is no term", node, hint)
        return
    name = node.text if isinstance(node, Name) else node.name
    if name == OUTPUTS:
        return
    term = TERMS.get(name)
    sdk = reader.context.sdk
    if term is None:
        near = nearest(name, terms_of(sdk))
        hint = f"did you mean '{near}'?" if near else f"terms: {', '.join(terms_of(sdk))}"
        if name == "Any":
            hint = "leave the tensor out: what no term names is the system's free choice"
        elif reader.front is Front.CPP and not get_close_matches(name, terms_of(sdk), 1, 0.8) and "::" not in name:
            message = f"there is no term '{name}', and this file does not define it"
            reader.warning("OPK555", message, node, EXPANDED)
            return
        reader.error("OPK555", f"there is no term '{name}'", node, hint)
        return
    if lack := term.missing_in(sdk):
        reader.error("OPK555", f"term '{name}' {lack}, and the declaration is for SDK {sdk or NEWEST}", node)
    if isinstance(node, Call):
        _arguments(reader, node, term, tensors)


def _arguments(reader: Reader, node: Call, term: Term, tensors: _Tensors) -> None:
    if term.args is Args.FREE:
        return
    if term.args is Args.NUMBER:
        value = bare(node.args[0]) if len(node.args) == 1 else None
        if not isinstance(value, Int | Name) or (isinstance(value, Int) and value.value < 0):
            reader.error("OPK555", f"{term.name} takes one number, the position of an input", node, f"{term.name}(1)")
        return
    if not node.args:
        reader.warning("OPK557", f"{term.name}() names no tensor and has no effect", node, f'{term.name}("*")')
    for arg in map(bare, node.args):
        if not isinstance(arg, Str):
            reader.error("OPK555", f"{term.name} takes names of tensors, not '{brief(arg)}'", arg)
        elif _known(reader, arg, term, tensors):
            _set(reader, arg, term, tensors)


def _known(reader: Reader, node: Str, term: Term, tensors: _Tensors) -> bool:
    """Whether a term's tensor exists and may stand there (OPK556)."""
    name = node.value
    if term.args is Args.INPUTS and (name == FIRST_OUTPUT or name in tensors.outputs):
        what = "the first output" if name == FIRST_OUTPUT else "an output"
        reader.error("OPK556", f'{term.name} is for inputs, and "{name}" is {what}', node)
        return False
    if name in (FIRST_OUTPUT, REST) or name in tensors.inputs or name in tensors.outputs:
        return True
    known = (*tensors.inputs, *tensors.outputs)
    near = nearest(name, known)
    names = ", ".join(f'"{other}"' for other in (*known, FIRST_OUTPUT, REST))
    hint = f'did you mean "{near}"?' if near else f"tensors: {names}; Op and Outputs give tensors their names"
    reader.error("OPK556", f'neither Op nor Outputs names a tensor "{name}"', node, hint)
    return False


def _set(reader: Reader, node: Str, term: Term, tensors: _Tensors) -> None:
    """Enter what a term sets; the first setting wins, so a later one is reported (OPK557)."""
    pairs = term.sets or ((term.name, term.name),)
    reasons = [_enter(node.value, property, value, term, tensors) for property, value in pairs]
    if all(reasons) and reasons:
        reader.warning("OPK557", f"{term.name} has no effect: {reasons[0]}", node, "leave one of the two out")
    elif any(reasons) and not term.soft:
        reader.warning("OPK557", f"{term.name} has no effect: {next(filter(None, reasons))}", node)


def _enter(name: str, property: str, value: str, term: Term, tensors: _Tensors) -> str:
    """Set one property of a tensor; why that has no effect, "" when it has."""
    if name == REST:
        if property in tensors.rest:
            return f'{tensors.rest[property][1]}("...") stands before it and leaves no tensor'
        tensors.rest[property] = (value, term.name)
        return ""
    key = (tensors.full(name), property)
    before = tensors.set.get(key)
    if before is None and property in tensors.rest:
        by = tensors.rest[property][1]
        return f'{by}("...") stands before it and takes in "{name}"'
    if before is None:
        tensors.set[key] = (value, term.name)
        return ""
    if before[0] == value:
        return f'{before[1]} sets it for "{name}" already'
    return f'"{name}" is {before[0]} by {before[1]}, and the first setting wins'
