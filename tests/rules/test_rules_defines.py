"""What C++ files define for their rules: one reader of macros and constants, and the values of those that are numbers."""

from __future__ import annotations

from opkg.rules.elaborate.defines import constants, defined_by
from opkg.rules.text.printer import to_text

FIRST = """
#define CHUNK (4 * 1024)
#define SHIFTED (1 << 4) + 2
static constexpr int kRows = 2 * 8;
inline constexpr size_t kWide = CHUNK;
const float kSlope = 0.25f;
constexpr Idx kOwnType = 7;
const char* kName = "Pool";
#define SMALL(X) LT(DIM_WIDTH(X), 8)
#define WIDE GT(DIM_WIDTH("*"), 8)
#define TWICE 1
"""
SECOND = "#define TWICE 2\n#define CHUNK (4 * 1024)\n// #define HIDDEN 3\n"


def test_values_of_all_files_together() -> None:
    found = {name: to_text(value) for name, value in constants(defined_by([FIRST, SECOND])).items()}
    assert found == {
        "CHUNK": "4096",
        "SHIFTED": "18",
        "kRows": "16",
        "kWide": "CHUNK",
        "kSlope": "0.25f",
        "kOwnType": "7",
    }


def test_what_is_no_value_stays_a_definition() -> None:
    assert {"kName", "SMALL", "WIDE"} <= set(defined_by([FIRST, SECOND]))
    assert "TWICE" not in defined_by([FIRST, SECOND])
    assert "HIDDEN" not in defined_by([FIRST, SECOND])
