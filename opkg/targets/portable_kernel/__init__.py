"""A computation as a header of plain C++, which targets share that hold kernels in runtimes of other houses."""
