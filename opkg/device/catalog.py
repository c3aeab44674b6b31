"""Catalog of OPK470 to OPK479: what a loader on the DSP would refuse or leave out."""

from __future__ import annotations

# id: (title, explanation). Joined to the catalog of all findings by `opkg/spec/catalog.py`.
ENTRIES: dict[str, tuple[str, str]] = {
    "OPK470": (
        "static constructor",
        "A variable of a kernel file is filled by code that runs when the library is loaded (`static Table "
        "table(make());`). Of 1,303 public DSP libraries none has an .init_array, and the .ctors that clang makes for the "
        "DSP run only when start-up code of the SDK is linked in: nobody is known to run them in a library that an open "
        "linker made, and the variable would stay zero. Make it `constexpr`, give it constant values, or fill it at its "
        "first use (a zeroed static and a flag). A destructor is enough to need such code.",
    ),
    "OPK471": (
        "name that the DSP does not have",
        "A library on the DSP may use what it defines itself, the C functions that the process it is loaded into exports, "
        "and QHPI. The name is in none of these on at least one SoC of the architecture, so the library would not load "
        '("undefined PLT symbol" in the device\'s log). The tables are read from public device files: '
        "opkg/device/tables. An example: __popcountsi2, which no DSP has (__builtin_popcount itself is an instruction). "
        "malloc, calloc, realloc, free and memalign are there under other names, to which the generated build files map "
        "them (--wrap).",
    ),
    "OPK472": (
        "name of the C++ run time",
        "operator new, exceptions, dynamic_cast, guards of static variables inside functions: these are in the DSP's "
        "libc++, which a package does not link (v81 has none for it). Use malloc, constant data, and plain functions.",
    ),
    "OPK473": (
        "library of another form",
        "All 1,303 public DSP libraries have exactly two LOAD segments, one to read and execute and one to read and "
        "write, on pages of 4 KiB, with a DT_HASH table; lld makes others unless it is told. The generated Makefile and "
        "hexagon.cmake have the flags.",
    ),
    "OPK474": (
        "thread-local data",
        "A kernel file has a `thread_local` variable. QNN's own DSP libraries have such data, so a device should load it: "
        "the build warns. The emulated machine has no threads and cannot run the kernel: `opkg verify --on hexagon` refuses "
        "it. Mind that threads of a backend come and go between two calls.",
    ),
}
