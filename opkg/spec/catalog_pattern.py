"""Catalog of the ids of `pattern:`: OPK159, OPK171, OPK173 to OPK175."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK159",
        "no pattern of torch",
        "A pattern is Python of a few forms: assignments, the last of which may be the result alone; calls of functions of "
        "torch and of methods of tensors; + - * / // % ** @ and comparisons; numbers, and as arguments lists, words and None; "
        "indexes of literals and of the inputs' named dimensions. It has 4000 characters, 40 statements and 600 operations "
        "at most.",
        "pattern: a + b if flag else a",
        "pattern: torch.where(flag, a + b, a)",
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
        "The function has each input exactly once: optional and variadic ones have no place in it. A param stands for its "
        "default: a graph is fused where it has exactly that number, and the fused op is called with the defaults. So every "
        "param has one, and a param that the pattern reads is a scalar with a literal.",
        "params: {slope: {dtype: float32}}\npattern: F.leaky_relu(a + b, slope)",
        "params: {slope: {dtype: float32, default: 0.1}}\npattern: F.leaky_relu(a + b, slope)",
    ),
    Entry(
        "OPK175",
        "pattern and op do not agree",
        "Every input is read and every output is assigned, once, from an input. Other names are assigned once, and used.",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\npattern: torch.relu(a)",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\npattern: torch.relu(a + b)",
    ),
)
