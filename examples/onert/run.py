"""Runs an nnpackage with the custom kernels of a package in PyPI's onert: `python run.py NNPACKAGE LIBRARY`.

The wheel's own Python classes have no call for custom kernels, so this goes through its C API. Inputs are zeros, float32 or
what the model says; each output is printed as its first numbers.
"""

import ctypes
import importlib.util
import sys
from array import array
from pathlib import Path


class Op(ctypes.Structure):  # a row of the library's table
    _fields_ = (("name", ctypes.c_char_p), ("eval", ctypes.c_void_p))


class Registration(ctypes.Structure):  # custom_kernel_registration_info
    _fields_ = (("eval", ctypes.c_void_p),)


class Info(ctypes.Structure):  # nnfw_tensorinfo
    _fields_ = (("type", ctypes.c_int), ("rank", ctypes.c_int32), ("dims", ctypes.c_int32 * 6))


CODES = {0: "f", 1: "i", 2: "B", 3: "B"}  # NNFW_TYPE -> array's


def main(nnpackage: str, library: str) -> None:
    wheel = importlib.util.find_spec("onert")
    onert = ctypes.CDLL(str(Path(wheel.origin).parent / "native" / "libonert.so"))
    session = ctypes.c_void_p()

    def call(name, *arguments):
        if getattr(onert, name)(session, *arguments):
            sys.exit(f"{name} failed")

    if onert.nnfw_create_session(ctypes.byref(session)):
        sys.exit("no session")
    call("nnfw_load_model_from_file", nnpackage.encode())
    kernels = ctypes.CDLL(library)
    table = getattr(kernels, f"{Path(library).stem.removeprefix('lib')}_ops")
    table.restype = ctypes.c_size_t
    rows = ctypes.POINTER(Op)()
    for i in range(table(ctypes.byref(rows))):
        call("nnfw_register_custom_op_info", rows[i].name, ctypes.byref(Registration(rows[i].eval)))
    call("nnfw_prepare")

    tensors = {}
    for side in ("input", "output"):
        count = ctypes.c_uint32()
        call(f"nnfw_{side}_size", ctypes.byref(count))
        for i in range(count.value):
            info = Info()
            call(f"nnfw_{side}_tensorinfo", ctypes.c_uint32(i), ctypes.byref(info))
            size = 1
            for extent in info.dims[: info.rank]:
                size *= extent
            numbers = tensors[side, i] = array(CODES[info.type], bytes(size * array(CODES[info.type]).itemsize))
            address = ctypes.c_void_p(numbers.buffer_info()[0])
            call(f"nnfw_set_{side}", ctypes.c_uint32(i), info.type, address, ctypes.c_size_t(len(numbers.tobytes())))
    call("nnfw_run")
    for (side, i), numbers in tensors.items():
        if side == "output":
            print(f"output {i}: {len(numbers)} elements, {numbers[:4].tolist()}")
    onert.nnfw_close_session(session)


if __name__ == "__main__":
    main(*sys.argv[1:])
