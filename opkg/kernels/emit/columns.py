"""The members of a rows struct whose results lie one after another (opkg/columns.h)."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.kernels.emit.column_norms import element_lines, norm_lines
from opkg.kernels.emit.rows import LANES
from opkg.kernels.sequence import About, Columns, FloatNumbers, Folds, SpreadLine, ValueFunction
from opkg.kernels.snippet import Operand, Snippet

INT_MAX = 2**31 - 1
_MOST_SPAN = "57000.0"  # steps of what a table's entries reach: a sum of them is within 0.44 steps
_MOST_OFF = "0.4"  # steps that functions in pieces may be off
LINE_MEMBER = "opkg::hvx::ColumnLine line;  // of what is found of a column, to steps"
WIDE_MEMBER = "opkg::hvx::WideLine wide;  // of what is found of a column, to steps"


def spread_member(spread: SpreadLine) -> str:
    return f"{spread.type} spread;  // of a column's variance, to steps"


def column_lines(snippet: Snippet, columns: Columns) -> list[str]:
    """`Found` and `column`, as lines without indentation of the struct."""
    if columns.floats is not None:
        lines = _float_lines(snippet, columns, columns.floats)
        return lines if columns.norm is None else [*lines, *element_lines(columns.norm)]
    if columns.norm is not None:
        return norm_lines(snippet, columns.norm, found_lines(snippet, columns)[0])
    count = " n" if _asks(columns.column) else ""
    lines = [
        *found_lines(snippet, columns),
        "",
        "/// The results of a column of n elements, number `at` of the call.",
        f"void column(const int64_t (&found)[{len(columns.parts)}], size_t{count}, uint8_t* const* out, size_t at) const {{",
    ]
    body = [
        f"{declared(part.name, columns.column)} = found[{i}]{f' * {part.unit}' if part.unit != 1 else ''};"
        for i, part in enumerate(columns.parts)
    ]
    body += [
        f"void* const {o.name}_row = out[{i}] + at * sizeof({LANES[o.storage]});" for i, o in enumerate(snippet.outputs)
    ]
    lines += [*(f"  {line}" for line in (*body, *columns.column)), "}"]
    return [*lines, *_result_lines(snippet, columns)] if columns.vectors else lines


def _float_lines(snippet: Snippet, columns: Columns, floats: FloatNumbers) -> list[str]:
    """The same of floats."""
    parts = ", ".join(f"opkg::hvx::{part}" for part in floats.parts)
    results = ", ".join(f"{{{at}, {', '.join(str(flag).lower() for flag in flags)}}}" for at, *flags in floats.results)
    types = ", ".join(LANES[output.storage] for output in snippet.outputs)
    rows = [
        f"void* const {o.name}_row = out[{i}] + at * sizeof({LANES[o.storage]});" for i, o in enumerate(snippet.outputs)
    ]
    count = " n" if _asks_double(columns.column) else ""
    what = "results"
    if columns.norm is not None:
        types, rows, what = ", ".join(["float"] * columns.norm.numbers), [], "numbers"
    made = floats.made
    unused = "" if made else "[[maybe_unused]] "
    vectors = [] if made is None else [
        "",
        "/// The same of 32 columns, of sums, means and extremes.",
        "OPKG_APART void numbers(const HVX_Vector* found, HVX_Vector* to) const {",
        *(f"  {line}" for line in made.lines),
        "}",
    ]  # fmt: skip
    twice = "squares about the mean" if floats.about is None else "sums of `about`"
    functions = [line for function in floats.functions for line in _function_lines(function)]
    return [
        *functions,
        f"using Element = {floats.element};",
        "template <bool kExact>",
        f"using FoundOf = opkg::hvx::FloatFound<Element, {parts}>;",
        "using Found = FoundOf<true>;",
        f"using Outputs = opkg::hvx::Types<{types}>;",
        f"static constexpr bool kAgain = {str(floats.again).lower()};    // {twice}, in a second pass",
        f"static constexpr bool kDirect = {str(floats.direct).lower()};  // whether results are what kFloats says",
        f"static constexpr uint32_t kMade = {made.count if made else 0};     // {what} made of kFloats, of 32 columns at a time",
        f"{unused}static constexpr uint32_t kInverses = {made.inverses if made else 0:#x};  // of them",
        f"static constexpr opkg::hvx::FloatResult kFloats[] = {{{results or '{0, false, false, false}'}}};",
        "",
        f"/// The {what} of a column of n elements, number `at` of the call. False: it is for the portable code.",
        f"bool column(const double (&found)[{floats.count}], size_t{count}, uint8_t* const* out, size_t at) const {{",
        *(f"  {line}" for line in (*rows, *columns.column)),
        "}",
        *vectors,
        *([] if floats.about is None else _about_lines(floats.about)),
    ]


def _function_lines(function: ValueFunction) -> list[str]:
    """A type with the function."""
    kind = "OPKG_APART" if function.large else "OPKG_INLINE"
    return [
        "/// What is found of columns is that of this function of their elements.",
        f"struct {function.name} {{",
        f"  static {kind} HVX_Vector of(HVX_Vector {function.elements}) {{",
        *(f"    {line}" for line in function.lines),
        "  }",
        "};",
        "",
    ]


def _about_lines(about: About) -> list[str]:
    """`about`: what the second pass sums up."""
    return [
        "",
        f"static constexpr uint32_t kAbout = {about.place};  // number of the first pass",
        "",
        "/// What the second pass sums up: of 32 elements and that number of their columns.",
        f"{'OPKG_APART' if about.large else 'OPKG_INLINE'} HVX_Vector about("
        f"HVX_Vector {about.elements}, HVX_Vector {about.number}) const {{",
        *(f"  {line}" for line in about.lines),
        "}",
    ]


def fold_lines(snippet: Snippet, folds: Folds) -> list[str]:
    """`Found` of rows that are folded, and `results` where vectors make these."""
    if folds.floats is not None:
        return column_lines(snippet, folds.floats)
    return [*found_lines(snippet, folds), *(_result_lines(snippet, folds) if folds.vectors else [])]


def _result_lines(snippet: Snippet, columns: Columns | Folds) -> list[str]:
    """`results`: words of every output from words of what was found."""
    types = ", ".join(LANES[output.storage] for output in snippet.outputs)
    return [
        "",
        f"using Outputs = opkg::hvx::Types<{types}>;",
        "",
        "/// Results of 32 columns of n elements, before they are saturated. False: some of the `live` first may be too far off.",
        "OPKG_APART bool results(const HVX_Vector* found, [[maybe_unused]] size_t n, size_t live, HVX_Vector* to) const {",
        *(f"  {line}" for line in columns.vectors),
        "}",
    ]


def found_lines(snippet: Snippet, made: Columns | Folds) -> list[str]:
    """What is found of a column or row, and how results come of it."""
    found = f"opkg::hvx::Found<{', '.join(part.type for part in made.parts)}>"
    if isinstance(made, Columns) and made.found:
        found = made.found
    functions = dict.fromkeys((part.of, part.table) for part in made.parts if part.table)
    return [
        *(f"const {kind}& function() const {{ return {name}; }}" for kind, name in functions),
        f"using Found = {found};",
        f"using Result = {LANES[snippet.outputs[0].storage]};",
        f"static constexpr auto kResults = opkg::hvx::Results::{made.results};",
        f"static constexpr int32_t kBias = {made.bias};",
    ]


def _asks_double(lines: tuple[str, ...]) -> bool:
    return any("static_cast<double>(n)" in line for line in lines)


def _asks(lines: tuple[str, ...]) -> bool:
    """Whether some lines need the number of elements."""
    return any("static_cast<int64_t>(n)" in line for line in lines)


def declared(name: str, lines: Iterable[str]) -> str:
    """The declaration of a number, constant unless lines change it: zero points are taken off sums."""
    changed = any(line.startswith((f"{name} -=", f"{name} +=")) for line in lines)
    return f"{'' if changed else 'const '}int64_t {name}"


def line_lines(snippet: Snippet, columns: Columns | Folds) -> list[str]:
    """`steps_of`: the only output's value in its steps, of the number that is found of a column."""
    name = columns.wide or columns.parts[0].name
    (output,) = snippet.outputs
    *lines, last = columns.line
    changed = declared(name, columns.line).removesuffix(name)
    return [
        "",
        f"/// {output.name} in steps, before it is rounded, of what was found of n elements.",
        f"double steps_of({changed}{name}, size_t{' n' if _asks(columns.line) else ''}) const {{",
        *(f"  {line}" for line in lines),
        f"  return {_in_steps(output, last.removeprefix('return ').removesuffix(';'))};",
        "}",
    ]


def spread_lines(snippet: Snippet, spread: SpreadLine) -> list[str]:
    """`steps_of`: the only output's value in its steps, of a variance of stored numbers."""
    (output,) = snippet.outputs
    *lines, last = spread.lines
    return [
        "",
        f"/// {output.name} in steps, before it is rounded, of a variance of n stored numbers.",
        f"double steps_of(double variance, size_t{' n' if _asks(spread.lines) else ''}) const {{",
        *(f"  {line}" for line in lines),
        f"  return {_in_steps(output, last.removeprefix('return ').removesuffix(';'))};",
        "}",
    ]


def spread_prepare(operand: str, bits: str) -> list[str]:
    """Statements that set the member `spread`."""
    return [
        f"const size_t elements = opkg::columns::count(opkg::operand(op.{operand}), {bits});",
        "const double none = steps_of(0.0, elements);",
        "spread = decltype(spread)(elements, none, steps_of(1.0, elements) - none);",
    ]


def wide_prepare(operand: str, columns: Columns | Folds, bits: str) -> list[str]:
    """Statements that set the member `wide`."""
    part, *other = columns.parts
    most = max(-part.low, part.high)
    size = "" if other or most > INT_MAX else f", {most} * static_cast<int64_t>(elements)" if part.adds else f", {most}"
    lines = [
        f"const size_t elements = opkg::columns::count(opkg::operand(op.{operand}), {bits});",
        "const double none = steps_of(0, elements), each = (steps_of(int64_t{1} << 40, elements) - none) / 0x1p40;",
        f"wide = opkg::hvx::WideLine(each, none{size});",
    ]
    if part.table and other:  # cubics; what is one word for each element is exact
        far = f"{part.table}.off * static_cast<double>(elements)"
        lines.append(
            f"if (!wide.is_line || !(std::fabs(each) * {far} < {_MOST_OFF})) return false;  // not exact enough"
        )
    return lines


def _in_steps(output: Operand, value: str) -> str:
    value = value if value.isidentifier() else f"({value})"
    if output.quantized:
        return f"{value} / {output.name}_steps.scale + static_cast<double>({output.name}_steps.zero)"
    return f"{value} + {output.bias}.0" if output.bias else value


def line_prepare(operand: str, columns: Columns | Folds, bits: str) -> list[str]:
    """Statements that set the member `line`."""
    (part,) = columns.parts
    lines = [f"const size_t elements = opkg::columns::count(opkg::operand(op.{operand}), {bits});"]
    ends = [str(part.low), str(part.high)]
    numbers = [str((part.low - part.offset) * part.unit), str((part.high - part.offset) * part.unit)]
    held = "true" if part.short else "false"
    if part.adds:
        lines.append("const int64_t all = static_cast<int64_t>(elements);")
        ends, numbers = ([f"{end} * all" if end != "0" else end for end in each] for each in (ends, numbers))
        held = f"elements <= {part.short}" if part.short else held
    steps = ", ".join(f"steps_of({number}, elements)" for number in numbers)
    lines.append(f"line = opkg::hvx::ColumnLine({', '.join(ends)}, {steps}, {held});")
    if part.table and part.unit != 1:  # entries are within half a unit
        span = " - ".join(f"steps_of({number}, elements)" for number in numbers)
        lines.append(f"if (!line.is_line || std::fabs({span}) > {_MOST_SPAN}) return false;  // not exact enough")
    return lines
