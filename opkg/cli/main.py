"""The frame of all verbs: finds the verb's module, and turns whatever happens into output and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from opkg import __version__
from opkg.cli.lazy import LazyGroup

if TYPE_CHECKING:
    from opkg.spec.diagnostics import OpkgError

# verb -> (module, what `opkg --help` says); only the module of the verb at hand is imported.
VERBS = {
    "new": ("opkg.cli.new", "Make a project, or add one more op to one."),
    "import": ("opkg.cli.import_ops", "Make a spec of ops that are declared elsewhere."),
    "list": ("opkg.cli.list", "List the ops of specs."),
    "rename": ("opkg.cli.rename", "Give an op another name, everywhere in its project."),
    "remove": ("opkg.cli.remove", "Take an op out of its spec, and what was generated for it."),
    "validate": ("opkg.cli.validate", "Report everything that is wrong with specs."),
    "fmt": ("opkg.cli.fmt", "Lay out specs in one way, comments kept."),
    "generate": ("opkg.cli.generate", "Write what the specs ask for, all or nothing."),
    "check": ("opkg.cli.check", "Check that generated files match their specs."),
    "export": ("opkg.cli.export", "Copy a package to a folder that needs no other."),
    "build": ("opkg.cli.build", "Compile the generated packages."),
    "verify": ("opkg.cli.verify", "Run generated cases and compare with the reference."),
    "kernel": ("opkg.cli.kernel", "Show kernels that are generated from what an op computes."),
    "executorch": ("opkg.cli.executorch", "Models in ExecuTorch: environment, comparison, upstream's tests, in-tree."),
    "onert": ("opkg.cli.onert", "Source trees of onert: put operations in, take them out, audit."),
    "openvino": ("opkg.cli.openvino", "Source trees of OpenVINO: put ops in, take them out."),
    "device": ("opkg.cli.device", "Judge libraries before a device does."),
    "bundle": ("opkg.cli.bundle", "Write all that a run on a device needs."),
    "compat": ("opkg.cli.compat", "Say what a change of specs breaks for those who use a package."),
    "bench": ("opkg.cli.bench", "Count what generated kernels cost on Hexagon."),
    "graph": ("opkg.cli.graph", "Count what HTP puts around an op among convolutions."),
    "fuse": ("opkg.cli.fuse", "Make fused ops of what repeats and pays in a model."),
    "onnx": ("opkg.cli.onnx", "Put ops of a spec into ONNX models."),
    "rules": ("opkg.cli.rules", "Check, format, explain, apply, test and migrate optimization rules."),
    "explain": ("opkg.cli.explain", "Say more about a finding's id."),
    "schema": ("opkg.cli.schema", "Print the JSON Schema of specs."),
    "targets": ("opkg.cli.targets", "List what can be generated."),
    "doctor": ("opkg.cli.doctor", "Show which tools were found, and how to install the rest."),
}
FINDINGS, MISUSE, INTERNAL, INTERRUPTED, BROKEN_PIPE = 1, 2, 70, 130, 141
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Verbs(LazyGroup):
    """The verbs of opkg."""

    VERBS = VERBS


def _enter(ctx: click.Context, param: click.Parameter, folder: str | None) -> None:
    """`-C DIR`, before anything looks at a path."""
    if folder is not None and not ctx.resilient_parsing:
        try:
            os.chdir(folder)
        except OSError as failure:
            raise click.BadParameter(f"{folder}: {failure.strerror}", ctx, param) from None


@click.command(
    cls=Verbs, name="opkg", context_settings=CONTEXT, epilog="Exit codes: 0, 1 findings, 2 misuse, 3 missing tool."
)
@click.option(
    "-C", "folder", metavar="DIR", is_eager=True, expose_value=False, callback=_enter, help="Run as if started in DIR."
)
@click.option("-v", "--verbose", count=True, help="Say more on stderr.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors.")
@click.version_option(__version__, "--version", message="opkg %(version)s")
@click.pass_context
def cli(ctx: click.Context, verbose: int, quiet: bool) -> None:
    """From one YAML spec of an NPU operator to an op package that is proved to work."""
    ctx.obj = -1 if quiet else verbose


def main(args: list[str] | None = None) -> NoReturn:
    """The console script: runs the verb and exits."""
    sys.exit(run(sys.argv[1:] if args is None else args))


def run(args: list[str]) -> int:
    """Runs a command line; the exit code. Nothing but SystemExit's code and output leaves here."""
    gc.set_threshold(100_000, 20, 20)  # short runs that make many objects and few cycles
    try:
        _streams()
        code = _run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop(sys.stdout)
        return BROKEN_PIPE
    except OSError as failure:  # findings themselves cannot be printed
        _drop(sys.stdout)
        return _silenced(failure)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(args: list[str]) -> int:
    from opkg.spec.diagnostics import OpkgError

    try:
        _encodable(args)
        code = cli.main(args, prog_name="opkg", standalone_mode=False)
        return int(code or 0)
    except click.exceptions.Exit as exit:
        return exit.exit_code
    except click.Abort:
        print("opkg: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.ClickException as misuse:
        misuse.show(sys.stderr)
        return MISUSE
    except OpkgError as failure:
        return _report(failure, args)
    except (BrokenPipeError, KeyboardInterrupt, SystemExit):
        raise
    except OSError as failure:
        return _refused(failure, args) if failure.errno is not None else _unexpected(failure)
    except BaseException as failure:
        return _unexpected(failure)


def _encodable(args: list[str]) -> None:
    """Raises UsageError for a word that is no text and names no file: half of a surrogate pair."""
    for word in args:
        try:
            os.fsencode(word)
        except UnicodeEncodeError:
            raise click.UsageError(f"{word!a} is no text.") from None


def _report(failure: OpkgError, args: list[str]) -> int:
    """Findings that ended a verb, in the format it was asked for."""
    from opkg.cli.output import show_findings

    show_findings(failure.diagnostics, _format(args))
    return failure.exit_code


def _refused(failure: OSError, args: list[str]) -> int:
    """The operating system said no where nobody expected it: a finding, not a fault of opkg's."""
    import errno

    from opkg.spec.diagnostics import OpkgError, Span, error

    if os.environ.get("OPKG_DEBUG"):
        import traceback

        traceback.print_exception(failure)
    here = _current_folder()
    path = os.fsdecode(failure.filename) if isinstance(failure.filename, (str, bytes)) else ""
    path = path.removeprefix(here.rstrip("/") + "/") if here else path
    hints = {
        errno.ENOSPC: "free some space", errno.EDQUOT: "free some space", errno.EROFS: "make the folder writable",
        errno.EACCES: "mind its permissions, and those of the folders above it",
    }  # fmt: skip
    hint = hints.get(failure.errno or 0, "")
    if failure.errno == errno.ENOENT and not here:
        path, hint = ".", "the current folder was deleted: cd to one that is there"
    what = failure.strerror or os.strerror(failure.errno or 0)
    return _report(OpkgError([error("OPK328", f"the operating system refused: {what}", Span(path), hint)]), args)


def _current_folder() -> str:
    """Empty when it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _format(args: list[str]) -> str:
    """The value of --format, from the bare arguments: the verb is gone by now."""
    found = "text"
    for number, word in enumerate(args):
        if word == "--format" and number + 1 < len(args):
            found = args[number + 1]
        elif word.startswith("--format="):
            found = word.partition("=")[2]
    return found


def _unexpected(failure: BaseException) -> int:
    """A fault of opkg's, or a signal that asked us to end."""
    number = getattr(failure, "number", None)
    if number is not None and type(failure).__name__ == "Terminated":
        print("opkg: terminated", file=sys.stderr)
        return 128 + int(number)
    if os.environ.get("OPKG_DEBUG"):
        import traceback

        traceback.print_exception(failure)
    words = f"{type(failure).__name__}: {failure}".splitlines()[0]
    print(f"opkg: internal error: {words}", file=sys.stderr)
    if not os.environ.get("OPKG_DEBUG"):
        print(
            "opkg: this is a fault of opkg: report it with the spec, the command line and what OPKG_DEBUG=1 prints",
            file=sys.stderr,
        )
    return INTERNAL


def _streams() -> None:
    """What cannot be written in the terminal's encoding is escaped, and streams that are closed take what is written."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _silenced(failure: OSError) -> int:
    """The output could not be written (a full disk): that is said where it still can be."""
    try:
        print(f"opkg: cannot write the output: {failure.strerror}", file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)
    return FINDINGS


def _drop(stream: Any) -> None:
    """Nobody takes what is written there: Python must not complain about it at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
