"""`opkg doctor`: what is here, what is not, and how to get it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from opkg.cli.output import paint

if TYPE_CHECKING:
    from opkg.cli.tools import Tool


@click.command("doctor")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(format: str) -> int:
    """Show which compilers, simulators and backends were found, their versions, and how to install what is missing.

    Ends with exit code 3 when something is missing without which no op can be verified on this machine.
    """
    from opkg import __version__
    from opkg.cli.tools import Tool, missing_for_host, survey

    python = Tool("Python", "opkg", True, ".".join(map(str, sys.version_info[:3])), sys.executable)
    tools = [Tool("opkg", "", True, __version__, _home()), python, *survey()]
    if format == "json":
        for tool in tools:
            print(json.dumps(tool._asdict()))
        return 3 if missing_for_host(tools) else 0
    colour = paint()
    wide = max(len(tool.name) for tool in tools)
    for tool in tools:
        optional = tool.needed_for in ("optional", "better messages")
        mark = colour("found  ", "good") if tool.found else colour("missing", "dim" if optional else "error")
        print(f"{tool.name:{wide}}  {mark}  {_words(tool)}".rstrip())
    print(_verdict(missing_for_host(tools), tools))
    return 3 if missing_for_host(tools) else 0


def _words(tool: Tool) -> str:
    if tool.found:
        return f"{tool.version or '?':12} {tool.path}"
    use = "" if tool.needed_for in ("optional", "host") else f"for {tool.needed_for}: "
    return f"{use}{tool.install}"


def _verdict(lacking: bool, tools: list[Tool]) -> str:
    if lacking:
        return "\nops cannot be verified here: install what is missing first"
    machines = ["host"]
    for name in ("htp", "executorch", "hexagon", "onert", "openvino", "onnxruntime"):
        needed = [tool for tool in tools if tool.needed_for == f"verify --on {name}"]
        machines += [name] if needed and all(tool.found for tool in needed) else []
    return "\nops can be verified here on: " + ", ".join(machines)


def _home() -> str:
    import os

    import opkg

    return os.path.dirname(os.path.abspath(opkg.__file__))
