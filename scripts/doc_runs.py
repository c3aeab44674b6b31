"""Runs the commands that a page of the documentation shows, and says or writes what they print.

A page shows runs in blocks fenced as `console`: lines that begin with `$ ` are commands, what follows is their output
(stdout, then stderr). Commands run in the folder that the page's comment `<!-- runs in: FOLDER -->` names, one after
the other, in a copy of it without what is generated or built (`FOLDER with generated`: without what is built). Known
commands: `opkg ...`, `cat FILE`, `echo $?`.

A page with `<!-- runs in a shell -->` begins in an empty folder; its commands are what bash takes, in one shell. There,
a block fenced as `yaml FILE` (or python, xml, cpp, text) is a file that its reader writes, before what follows.

    python scripts/doc_runs.py docs/rules.md            # differences, exit code 1 if there are any
    python scripts/doc_runs.py --write docs/rules.md    # puts the output in
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_FOLDER = re.compile(r"<!-- runs in: (\S+)( with generated)? -->")
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_SHELL = "<!-- runs in a shell -->"
_STEP = re.compile(r"^```(console|(?:yaml|python|xml|cpp|text) \S+)\n(.*?)^```$", re.M | re.S)
_DONE = "__done__"


def renewed(page: str) -> str:
    """The page with the output that its commands print now. ValueError for a page or a command that cannot be run."""
    if _SHELL in page:
        with tempfile.TemporaryDirectory() as temporary:
            return _in_shell(page, Path(temporary))
    folder = _FOLDER.search(page)
    if folder is None:
        raise ValueError("the page does not say in which folder its commands run")
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "copy"
        left_out = ("build",) if folder[2] else ("build", "generated")
        shutil.copytree(ROOT / folder[1], copy, ignore=shutil.ignore_patterns(*left_out))
        last = [0]
        return _BLOCK.sub(lambda block: f"```console\n{_block(block[1], copy, last)}```", page)


def _in_shell(page: str, folder: Path) -> str:
    """The page with what its commands print in one shell that begins in `folder`."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}
    environment["PYTHONPATH"] = str(ROOT)
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    shell = subprocess.Popen(
        ["bash"], cwd=folder, env=environment, text=True, errors="replace",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip

    def step(block: re.Match[str]) -> str:
        kind, text = block[1], block[2]
        if kind == "console":
            commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
            shown = "".join(f"$ {command}\n{_said(shell, command, folder)}" for command in commands)
            return f"```console\n{shown}```"
        _said(shell, f"cat > {shlex.quote(kind.split()[1])} << '{_DONE}EOF'\n{text}{_DONE}EOF", folder)
        return block[0]

    try:
        return _STEP.sub(step, page)
    finally:
        shell.communicate("exit\n")


def _said(shell: subprocess.Popen[str], command: str, folder: Path) -> str:
    """What a command prints, with the page's folder as `~`. ValueError when the command ends the shell."""
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(f"{command}\necho {_DONE}\n")
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        if line.endswith(f"{_DONE}\n"):
            rest = line.removesuffix(f"{_DONE}\n")
            lines += [f"{rest}\n"] if rest else []
            return "".join(lines).replace(str(folder), "~")
        lines.append(line)
    raise ValueError(f"the shell ended at: {command}")


def _block(text: str, folder: Path, last: list[int]) -> str:
    lines = []
    for line in text.splitlines():
        if not line.startswith("$ "):
            continue
        output = _run(shlex.split(line[2:]), folder, last)
        lines.append(f"{line}\n{output}" + ("\n" if output and not output.endswith("\n") else ""))
    return "".join(lines)


def _run(words: list[str], folder: Path, last: list[int]) -> str:
    """What a command prints; its exit code goes to `last`."""
    if words == ["echo", "$?"]:
        return f"{last[0]}\n"
    if words[0] == "cat" and len(words) == 2:
        return (folder / words[1]).read_text("utf-8")
    if words[0] != "opkg":
        raise ValueError(f"no command for a page: {shlex.join(words)}")
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    environment.pop("GITHUB_WORKSPACE", None)
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    last[0] = done.returncode
    return done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="write the output into the pages")
    options = parser.parse_args()
    code = 0
    for page in options.pages:
        old = page.read_text("utf-8")
        new = renewed(old)
        if options.write:
            page.write_text(new, "utf-8")
        elif new != old:
            code = 1
            print("\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), str(page), "run", lineterm="")))
    return code


if __name__ == "__main__":
    sys.exit(main())
