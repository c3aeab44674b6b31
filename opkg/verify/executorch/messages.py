"""What the backend's log and the builders' warnings mean, in one sentence with what helps."""

from __future__ import annotations

import re

from opkg.verify.results import RawResult

# (what the log says, what it means and what helps), the most telling first.
KNOWN: tuple[tuple[str, str], ...] = ()


def explained(result: RawResult) -> str:
    """The message of a result that is no success: the meaning of its log where it is known, else what was said."""
    text = "\n".join([result.message, *(line.text for line in result.log)])
    for pattern, meaning in KNOWN:
        found = re.search(pattern, text)
        if found is not None:
            said = found.expand(meaning)
            return f"{said} ({result.message})" if result.message else said
    return result.message
