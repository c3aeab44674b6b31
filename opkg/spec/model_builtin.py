"""The operator of Circle's schema that stands for an op in models of onert."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Builtin:
    """An operator of Circle's schema. `options`: the table that has its params, empty where it has none; `fields`: param
    and field for those of another name; `circle`: TFLite's schema has no such operator."""

    operator: str
    options: str
    fields: tuple[tuple[str, str], ...]
    circle: bool
    span: Span = field(compare=False)

    def field(self, param: str) -> str:
        """The field of the options that has a param."""
        return dict(self.fields).get(param, param)
