"""Catalog of OPK470 to OPK489: what a loader on the DSP would refuse or leave out."""

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
    "OPK475": (
        "no library for a device",
        "`opkg device check` judges shared libraries for Hexagon (the half of a package that holds the kernels) and for "
        "ARM of 64 bits (the half that QNN asks when it prepares a graph). The file is neither: no ELF file, damaged, an "
        "object file, or a library for another machine, such as the x86-64 one that `opkg build` makes without --device.",
    ),
    "OPK476": (
        "library of another architecture",
        "A Hexagon library says in its header for which architecture it was built. A DSP runs code of older architectures, "
        "not of newer ones. For an architecture without a public shell no names can be looked up.",
    ),
    "OPK477": (
        "SWIV record",
        'Firmware of automotive and recent SoCs refuses unsigned libraries without a SWIV record ("ELF verification: '
        'section header for CRC segment not found", 0x80000406), or with one whose checksum is not that of the library. '
        "All of QNN's own DSP libraries carry one. The generated build writes it last; what changes the library after "
        "that, strip for one, makes it wrong. A library that is to be signed must not have it.",
    ),
    "OPK478": (
        "function of a newer QNN",
        "The library uses functions of QHPI that the QNN named with --qnn does not have: it would not load there.",
    ),
    "OPK480": (
        "other libraries that it needs",
        "A library names others that are loaded with it. On ARM, QHPI is in libQnnHtpPrepare.so, which QNN loads for itself "
        "alone: a package that does not name it cannot be registered. C++ libraries that are not of the system have to be "
        "put beside the package; for v81 QNN brings none for the DSP.",
    ),
    "OPK481": (
        "no interface provider",
        "QNN looks a function up by the name that backendRegisterOpPackage is given; those of all known packages end in "
        "InterfaceProvider. The library has none that others can see.",
    ),
    "OPK482": (
        "C++ names of QNN's library",
        "Packages of the classic interface use C++ functions of QNN's DSP library. They change with each release, and are in "
        "no table here: whether the library loads depends on the QNN on the device.",
    ),
    "OPK483": (
        "refused in the emulator",
        "`opkg device check --load` loads the library in the emulator with a loader of opkg's own: it maps two segments, runs "
        "no constructors, gives it the names that the shells of its architecture export and nothing else, and calls the "
        "provider. An ARM half is registered, with --runtime DIR, in Qualcomm's own libQnnHtp.so for ARM, as a device does: 4005 "
        "says that the library does not load, 4006 that it has no such provider. The message is the loader's or the backend's.",
    ),
    "OPK484": (
        "package or op is gone",
        "`opkg compat`: graphs, models and stored contexts name packages and ops. One that has another name now, or none, is not "
        "found any more.",
    ),
    "OPK485": (
        "input or output changed",
        "`opkg compat`: graphs know inputs and outputs by their positions, with their types and ranks. What is new at the "
        "end and optional breaks nothing.",
    ),
    "OPK486": (
        "param changed",
        "`opkg compat`: graphs give params by name, enum values as numbers, and leave out what has a default: a default that "
        "changes makes graphs compute something else.",
    ),
    "OPK487": (
        "kernel is gone",
        "`opkg compat`: a stored context names each kernel (`package::kernel`); with a library that has no such kernel it ends "
        "in 5005 on the device. Contexts have to be prepared again with the new package, and shipped together with it.",
    ),
    "OPK488": (
        "revision cannot be compared",
        "`opkg compat` needs git, a revision that it knows, and specs in it that this opkg reads. Without generated sources in "
        "that revision the names of kernels cannot be compared, which is a warning.",
    ),
}
