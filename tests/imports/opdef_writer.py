"""QNN's own ops (`data/qnn-ops.tsv`) as OpDef XML in the form of the vendor's generator, one file an op."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from opkg.spec.dtypes import DTYPES

TABLE = Path(__file__).parent / "data" / "qnn-ops.tsv"


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    op: str
    kind: str
    position: str
    name: str
    mandatory: str
    types: str
    rank: str
    shape: str
    elements: str
    default: str
    enum: str
    htp: str
    htp_quant: str
    condition: str
    since: str

    @property
    def declared(self) -> list[str]:
        """Element types that the definition itself names."""
        return [each for each in self.types.split(",") if each not in ("backend", "-", "string")]

    @property
    def on_htp(self) -> list[str]:
        """Element types that HTP's supplement names, in order."""
        groups = [] if self.htp == "-" else self.htp.split("|")
        found = [each for group in groups for each in group.partition(":")[2].split(",")]
        return [each for each in dict.fromkeys(found) if each in DTYPES]

    @property
    def values(self) -> list[str]:
        return [] if self.enum == "-" else [part.partition("=")[0] for part in self.enum.split(";")]


def tables() -> dict[str, list[Row]]:
    """The documented ops by name (those that only a header of 2.43 names have no types)."""
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    rows = [Row(*line.split("\t")) for line in lines[1:]]
    out: dict[str, list[Row]] = {}
    for row in rows:
        out.setdefault(row.op, []).append(row)
    return {op: group for op, group in out.items() if group[0].since != ">2.25"}


def parts(rows: list[Row]) -> list[Row]:
    """Inputs, outputs and params one by one: `1..4` are four, a param that a newer SDK widens is the documented one."""
    out = []
    for row in rows:
        if row.kind == "op" or row.since == ">2.25":
            continue
        span = re.fullmatch(r"(\d+)\.\.(\d+)", row.position)
        if span is None:
            out.append(row)
            continue
        stem = "in" if row.kind == "input" else "out"
        for number in range(int(span[1]), int(span[2]) + 1):
            out.append(Row(**{**row.__dict__, "position": str(number), "name": f"{stem}[{number}]"}))
    return out


def rank_of(row: Row) -> str:
    """A rank as the XML can say it."""
    if row.kind == "param":
        return "SCALAR" if row.rank == "0" else f"{row.rank}D"
    return f"{row.rank}D" if row.rank in ("0", "1", "2", "3", "4", "5") else "ND"


def default_of(row: Row) -> str:
    """`[0,..,0]` as the vendor's examples write it; "" for none."""
    if row.default == "-":
        return ""
    return row.default.replace("[", "{").replace("]", "}")


def _datatypes(names: list[str]) -> str:
    return "".join(f"<Datatype>{DTYPES[n].qnn if n in DTYPES else n}</Datatype>" for n in names)


def _part(row: Row) -> str:
    tag = {"input": "Input", "output": "Output", "param": "Parameter"}[row.kind]
    special = {"backend": "BACKEND_SPECIFIC", "string": "QNN_DATATYPE_STRING"}
    types = [special.get(each, each) for each in row.types.split(",")]
    text = f"<Text>{escape(row.shape)}</Text>" if row.shape not in ("-", "scalar") else ""
    mandatory = "true" if row.mandatory == "yes" else "false"
    default = f"<Default>{escape(default_of(row))}</Default>" if default_of(row) else ""
    more = "<Repeated>true</Repeated>" if row.position.endswith("..") else ""
    if row.values:
        more = f"<Enumeration>{''.join(f'<Enum>{each}</Enum>' for each in row.values)}</Enumeration>"
    return (
        f"<{tag}><Name>{row.name}</Name><Mandatory>{mandatory}</Mandatory>{_datatypes(types)}"
        f"<Shape><Rank>{rank_of(row)}</Rank>{text}</Shape>{default}{more}</{tag}>\n"
    )


def _added(row: Row) -> str:
    tag = {"input": "Input", "output": "Output", "param": "Parameter"}[row.kind]
    return f"<{tag}><Name>{row.name}</Name>{_datatypes(row.on_htp)}</{tag}>\n"


def document(op: str, rows: list[Row]) -> str:
    """The XML of one op."""
    each = parts(rows)
    order = {"input": 0, "output": 1, "param": 2}
    each.sort(key=lambda row: order[row.kind])
    supplement = "".join(_added(row) for row in each if row.on_htp)
    return (
        '<OpDefCollection PackageName="AcmeTwin" Domain="" Version="2.25"><OpDefList><OpDef>\n'
        f"<Name>{op}</Name><Description><Content>{op} of QNN.</Content></Description>\n"
        f"{''.join(map(_part, each))}<SupportedBackend>HTP</SupportedBackend>\n</OpDef></OpDefList>\n"
        f'<SupplementalOpDefList Backend="HTP"><SupportedOps><OpName>{op}</OpName></SupportedOps>'
        f"<SupplementalOpDef><Name>{op}</Name>\n{supplement}</SupplementalOpDef></SupplementalOpDefList></OpDefCollection>\n"
    )
