"""A runner that misbehaves on request: `fake_runner.py MODE ...`, then the options of a real runner."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> None:
    mode = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=False))
    results, start = Path(options["--results"]), int(options.get("--from", "0"))
    Path(options["--out"]).write_bytes(b"\1\2\3\4")

    def record(case: int, status: str = "ok", **more: object) -> None:
        with results.open("a") as file:
            file.write(json.dumps({"case": case, "status": status, **more}) + "\n")

    if mode == "load":
        record(-1, "error", stage="register", code=4005, message="no qhpi_init", log=[{"level": "error", "text": "x"}])
        sys.exit(3)
    if mode == "usage":
        print("bad file", file=sys.stderr)
        sys.exit(2)
    for case in range(start, int(options["--count"])):
        if case == 2 and mode == "segv":
            os.kill(os.getpid(), signal.SIGSEGV)
        if case == 2 and mode == "reported":
            record(case, "crash", code=11, message="segmentation fault")
            sys.exit(4)
        if case == 2 and mode == "hang":
            time.sleep(100)
        if case == 2 and mode == "quit":
            sys.exit(0)
        if mode == "always":
            os.kill(os.getpid(), signal.SIGABRT)
        if mode == "garbage":
            with results.open("ab") as file:
                file.write(b'\xff\x00{"case": 1, "sta\n[1, 2]\n{"case": "x"}\nnull\n')
            record(case, "wonderful", outputs=[{"name": 3, "offset": -5, "size": "x"}, 7], log="no", kernels=None)
            continue
        record(case, outputs=[{"name": "y", "dims": [4], "offset": 0, "size": 4}], us=5)


main()
