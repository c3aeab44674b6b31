"""Catalog of the ids of `pattern:`: OPK159, OPK171, OPK173 to OPK175, OPK495."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK159",
        "no pattern of torch",
        "A pattern is Python of a few forms: assignments, the last of which may be the result alone; calls of functions of "
        "torch and of methods of tensors; + - * / // % ** @ and comparisons; numbers, and as arguments lists, words and None; "
        "indexes of literals and of the inputs' named dimensions. It has 4000 characters, 40 statements and 600 operations "
        "at most.",
        "pattern: a + b if a > 0 else a",
        "pattern: torch.where(a > 0, a + b, a)",
    ),
    Entry(
        "OPK171",
        "unknown name in a pattern",
        "A pattern reads the op's inputs and params, and what an earlier statement assigned.",
        "pattern: torch.relu(a + c)",
        "pattern: torch.relu(a + b)",
    ),
    Entry(
        "OPK173",
        "no function for a pattern",
        "A pattern calls `torch.NAME`, `torch.nn.functional.NAME` (`F.NAME`), methods of tensors, and "
        "`torch.ops.NAMESPACE.NAME.OVERLOAD`. The names of the first three are those of torch 2.13 that compute the same "
        "every time and change nothing; every other op can be written as the last.",
        "pattern: torch.rleu(a + b)",
        "pattern: torch.relu(a + b)",
    ),
    Entry(
        "OPK174",
        "what no pattern can say",
        "An optional input stands behind present(), or is an argument of a call, where it is None when it is absent; a "
        "variadic one has no place in a pattern. Conditions of alternatives are settled by a call: present(x), or a param with "
        "a few values. A param that the pattern reads is a scalar with a literal default.",
        "inputs: {a: {dtype: T}, b: {dtype: T, optional: true}}\npattern: torch.relu(a + b)",
        "inputs: {a: {dtype: T}, b: {dtype: T, optional: true}}\npattern: torch.relu(a + b if present(b) else a)",
    ),
    Entry(
        "OPK175",
        "pattern and op do not agree",
        "Every input is read and every output is assigned, once, from an input. Other names are assigned once, and used.",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\npattern: torch.relu(a)",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\npattern: torch.relu(a + b)",
    ),
    Entry(
        "OPK495",
        "a param that no graph tells",
        "A fused op has the values of its params from the graph: where the number of a param stands alone, or with other numbers "
        "as 2 * k, 1 - k, k / 3, 1 / k, it can be told. From a number that hangs on two params, or on sizes, or that "
        "several values of the param give (k ** 2), it cannot.",
        "params: {j: {dtype: float32, default: 2.0}, k: {dtype: float32, default: 0.5}}\npattern: torch.relu(a * (j * k))",
        "params: {k: {dtype: float32, default: 1.0}}\npattern: torch.relu(a * k)",
    ),
)
