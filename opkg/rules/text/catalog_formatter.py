"""Catalog of OPK516 to OPK518: what the formatter leaves alone, what explain says."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK516",
        "text the formatter leaves as it is",
        "The formatter keeps every comment and never changes what a text says. Where it cannot do both (as in a YAML block "
        "with an indentation number), the text stays.",
    ),
    Entry(
        "OPK517",
        "file the formatter leaves as it is",
        "What the formatter writes is read again first. It did not read as the same, which is a fault of opkg: the file "
        "was not touched. Please report it with the file.",
    ),
    Entry(
        "OPK518",
        "rule in words",
        "No fault: `opkg rules explain` says what a rule does in the formats that have room for findings only (SARIF, GitHub).",
    ),
)
