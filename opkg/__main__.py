"""`python -m opkg`: as the command `opkg`, which does not import from the current folder."""

import sys

if __name__ == "__main__":
    if __package__ and not sys.flags.safe_path:
        del sys.path[0]  # where -m puts the current folder

    from opkg.cli.main import main

    main()
