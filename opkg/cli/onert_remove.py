"""`opkg onert remove`: takes operations out of a source tree of onert."""

from __future__ import annotations

from opkg.cli.onert_tree import planned, tree_of
from opkg.cli.tree_remove import remove_command

command = remove_command("opkg onert apply", tree_of, planned)
