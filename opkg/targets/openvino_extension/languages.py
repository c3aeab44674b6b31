"""How C++ and Python spell the statements of shape rules, over shape_rules.h and shape_rules.py."""

from __future__ import annotations

import json
from collections.abc import Sequence

from opkg.spec.model import ParamSpec
from opkg.targets.openvino_extension.types import lowest, unset
from opkg.targets.qnn_common.names import string
from opkg.targets.qnn_common.validation_params import float_literal


class Cpp:
    """Members `params_` and `scales_`."""

    prefix = "opkg::"
    truths = ("true", "false")
    types = "ov::element::"
    any_run = "opkg::kAny"

    def call(self, function: str, *arguments: str) -> str:
        return f"opkg::{function}({', '.join(arguments)})"

    def listed(self, items: Sequence[str]) -> str:
        return f"{{{', '.join(items)}}}"

    def string(self, text: str) -> str:
        return string(text)

    def statement(self, text: str) -> str:
        return f"{text};"

    def value(self, kind: str, name: str, text: str) -> str:
        if kind == "bool":
            return f"const bool {name} = {text};"
        text = (
            text.removeprefix(f"opkg::{kind}(").removesuffix(")") if text.startswith(f"opkg::{kind}(params_.") else text
        )
        return f"const opkg::{kind} {name} = {text};"

    def bound(self, kind: str, variable: str, name: str) -> str:
        return f"opkg::{kind} {variable}({string(name)});"

    def input_type(self, variable: str, place: int, optional: bool) -> str:
        given = f"get_input_element_type({place})"
        text = f"rules_.given({place}) ? {given} : ov::element::dynamic" if optional else given
        return f"const ov::element::Type {variable} = {text};"

    def attribute(self, name: str) -> str:
        return f"params_.{name}"

    def scale(self, tensor: str, part: str) -> str:
        return f"scales_.{tensor}.{part}"

    def number(self, text: str) -> str:
        return f"opkg::Number({text})"

    def shape(self, dims: Sequence[str]) -> str:
        return f"opkg::Shape(opkg::Numbers{{{', '.join(dims)}}})"

    def length(self, text: str) -> str:
        return f"{text}.size()"

    def filled(self, text: str) -> str:
        return f"!{text}.empty()"

    def unset(self, param: ParamSpec) -> str:
        return unset(param)

    def choice(self, test: str, then: str, other: str) -> str:
        return f"{test} ? {then} : {other}"

    def float(self, value: int | float) -> str:
        return float_literal(value)

    def loop(self, variable: str, values: str, lines: Sequence[str]) -> list[str]:
        return [f"for (const opkg::Number {variable} : {values}) {{", *(f"  {line}" for line in lines), "}"]

    def settle(self, param: str, variable: str) -> str:
        return f"opkg::settle(settled_.{param}, {variable});"

    def returned(self, items: Sequence[str]) -> str:
        return f"return {{{', '.join(items)}}};"


class Python:
    """A dictionary `attrs`, and the op as `self`."""

    prefix = "rules."
    truths = ("True", "False")
    types = "Type."
    any_run = "rules.ANY"

    def call(self, function: str, *arguments: str) -> str:
        return f"rules.{function}({', '.join(arguments)})"

    def listed(self, items: Sequence[str]) -> str:
        return f"[{', '.join(items)}]"

    def string(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    def statement(self, text: str) -> str:
        return text

    def value(self, kind: str, name: str, text: str) -> str:
        return f"{name} = {text}"

    def bound(self, kind: str, variable: str, name: str) -> str:
        return f"{variable} = rules.{kind}({json.dumps(name)})"

    def input_type(self, variable: str, place: int, optional: bool) -> str:
        given = f"self.get_input_element_type({place})"
        return f"{variable} = " + (f"{given} if rules_.given({place}) else Type.dynamic" if optional else given)

    def attribute(self, name: str) -> str:
        return f'attrs["{name}"]'

    def scale(self, tensor: str, part: str) -> str:
        return f'attrs["{tensor}_{part}"]'

    def number(self, text: str) -> str:
        return f"rules.number({text})"

    def shape(self, dims: Sequence[str]) -> str:
        return f"rules.Shape([{', '.join(dims)}])"

    def length(self, text: str) -> str:
        return f"len({text})"

    def filled(self, text: str) -> str:
        return f"bool({text})"

    def unset(self, param: ParamSpec) -> str:
        return repr(lowest(param))

    def choice(self, test: str, then: str, other: str) -> str:
        return f"{then} if {test} else {other}"

    def float(self, value: int | float) -> str:
        return f"rules.single({value!r})"

    def loop(self, variable: str, values: str, lines: Sequence[str]) -> list[str]:
        return [f"for {variable} in {values}:", *(f"    {line}" for line in lines)]

    def settle(self, param: str, variable: str) -> str:
        return f'rules.settle(settled_, "{param}", {variable})'

    def returned(self, items: Sequence[str]) -> str:
        return f"return [{', '.join(items)}]"
