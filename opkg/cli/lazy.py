"""A group of verbs that knows them by name and imports the one that is used."""

from __future__ import annotations

from collections.abc import Mapping

import click


def _tell(ctx: click.Context, param: click.Parameter, value: int) -> None:
    if value:
        root = ctx.find_root()
        root.obj = -1 if param.name == "quiet" else (root.obj or 0) + value


def _with_verbosity(command: click.Command) -> None:
    """Takes `-v` and `-q` behind a verb too, where the verb has no such option of its own."""
    taken = {word for param in command.params for word in param.opts}
    options = (
        click.Option(["-v", "--verbose"], count=True, expose_value=False, hidden=True, callback=_tell),
        click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, hidden=True, callback=_tell),
    )
    command.params += [option for option in options if not taken.intersection(option.opts)]


class LazyGroup(click.Group):
    """A click group over a table: verb -> (module with `command`, what the list of verbs says)."""

    VERBS: Mapping[str, tuple[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.VERBS:
            return None
        from importlib import import_module

        command: click.Command = import_module(self.VERBS[cmd_name][0]).command
        if not isinstance(command, click.Group):
            _with_verbosity(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, with the nearest verb for one that does not exist."""
        if args and args[0] not in self.VERBS and not args[0].startswith("-"):
            from opkg.spec.diagnostics import nearest

            near = nearest(args[0], list(self.VERBS))
            ctx.fail(f"no verb '{args[0]}'." + (f" Did you mean '{near}'?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs, without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, words) for verb, (_, words) in self.VERBS.items()])
